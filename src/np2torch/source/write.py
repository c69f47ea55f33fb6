"""Writing back: all of a file or none of it, only what changed, and never over what somebody else wrote meanwhile."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from np2torch.source.model import Problem, SourceFile
from np2torch.source.notebook import NotebookError
from np2torch.source.paths import printable
from np2torch.source.read import encode, read_bytes

PREFIX, NEW, OLD = ".np2torch-", ".tmp", ".old"
_LEFT_BEHIND = re.compile(rf"{re.escape(PREFIX)}\w+(?:{re.escape(NEW)}|{re.escape(OLD)})")


class ChangedError(Exception):
    """Error of a file that has changed since it was read; the message says what has become of it."""


def write_file(
    file: SourceFile, text: str, target: Path | None = None, within: Iterable[str] | None = None
) -> Problem | None:
    """Give a file a new text, in its own encoding, mode and owner; None when that went well.

    The bytes go to a temporary file beside the target, which then takes its place, so that no reader ever sees half a
    file. A symlink stays a symlink: what it points to is replaced. A hard link is broken: other names of the file keep
    the old text. Nothing is written where nothing changed, and nothing where the file is not what was read any more.

    Parameters
    ----------
    target
        Where to write instead of `file.path`; folders are made as needed, and an unchanged text is written too.
    within
        The real paths of folders; a file that lies in none of them, by way of a link, is not written.
    """
    try:
        data = encode(text, file)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        character = text[error.start]
        message = f"cannot write: {file.encoding} has no {character!r} (U+{ord(character):04X})"
        return Problem(file.path, line, 1, "NPT901", message)
    except NotebookError as error:
        return Problem(file.path, 0, 0, "NPT906", f"internal: {error}; the file is left as it was")
    if target is None and text == file.text:
        return None
    real = Path(os.path.realpath(target or file.path))
    if target is None and (why := _not_ours(real, within)) is not None:
        return Problem(file.path, 0, 0, "NPT908", f"not written: {why}")
    try:
        if target is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_atomically(real, data, file.mode)
        else:
            _replace_unchanged(real, data, encode(file.text, file))
    except ChangedError as error:
        return Problem(file.path, 0, 0, "NPT907", f"not written: {error} since it was read; run again")
    except OSError as error:
        return Problem(file.path, 0, 0, "NPT902", f"cannot write: {error.strerror or error}")
    return None


def _not_ours(real: Path, within: Iterable[str] | None) -> str | None:
    """Give the reason for which a file is not to be written: it lies outside of what was given, or is read-only."""
    if within is not None and not any(real.is_relative_to(folder) for folder in within):
        return f"it is a link to {printable(real)}, outside of what was given; give that path too"
    with suppress(OSError):
        if not os.stat(real).st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            return "it is read-only; chmod u+w if it is to be converted"
    return None


def replace_atomically(path: Path, data: bytes, mode: int) -> None:
    """Replace the contents of a file in one step."""
    temporary = _written_beside(path, data)
    try:
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        _remove(temporary)
        raise


def _replace_unchanged(path: Path, data: bytes, expected: bytes) -> None:
    """Replace a file that holds the expected bytes; ChangedError where it holds others.

    It is compared as late as can be. Between the comparison and the replacement somebody may still write into the file;
    for that it keeps a second name, by which it comes back.
    """
    try:
        temporary = _written_beside(path, data)
    except FileNotFoundError:
        raise ChangedError("it is gone") from None
    aside = temporary.removesuffix(NEW) + OLD
    try:
        _copy_status(path, temporary)
        with suppress(OSError):  # a file system without hard links
            os.link(path, aside, follow_symlinks=False)
        if read_bytes(path)[0] != expected:
            raise ChangedError("it has changed")
        os.replace(temporary, path)
        if os.path.exists(aside) and Path(aside).read_bytes() != expected:
            os.replace(aside, path)
            raise ChangedError("it has changed")
    except FileNotFoundError:
        raise ChangedError("it is gone") from None
    except OSError as error:
        if os.path.isfile(path):
            raise
        raise ChangedError("it has become something else") from error
    finally:
        _remove(temporary)
        _remove(aside)


def _written_beside(path: Path, data: bytes) -> str:
    """A temporary file in the same folder that holds the data, for certain on the disk."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=PREFIX, suffix=NEW)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        _remove(temporary)
        raise
    return temporary


def _copy_status(path: Path, temporary: str) -> None:
    """Give the new file owner, mode and extended attributes of the old one as they are now."""
    now = os.stat(path)
    with suppress(OSError, AttributeError):
        os.chown(temporary, now.st_uid, now.st_gid)
    shutil.copystat(path, temporary)
    os.utime(temporary)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def sweep(folders: Iterable[Path]) -> None:
    """Remove the temporary files that a killed run has left in some folders."""
    for folder in folders:
        with suppress(OSError):
            for name in os.listdir(folder):
                if _LEFT_BEHIND.fullmatch(name):
                    _remove(os.path.join(folder, name))
