"""Writing back: all of a file or none of it, and only what changed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from np2torch.source.model import Problem, SourceFile
from np2torch.source.read import encode


def write_file(file: SourceFile, text: str, target: Path | None = None) -> Problem | None:
    """Give a file a new text, in its own encoding and mode; None when that went well.

    The bytes go to a temporary file beside the target, which then takes its place, so that no reader ever sees half a
    file. A symlink stays a symlink: what it points to is replaced. Nothing is written where nothing changed.

    Parameters
    ----------
    target
        Where to write instead of `file.path`; folders are made as needed, and an unchanged text is written too.
    """
    try:
        data = encode(text, file)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        character = text[error.start]
        message = f"cannot write: {file.encoding} has no {character!r} (U+{ord(character):04X})"
        return Problem(file.path, line, 1, "NPT901", message)
    if target is None and text == file.text:
        return None
    try:
        if target is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
        replace_atomically(Path(os.path.realpath(target or file.path)), data, file.mode)
    except OSError as error:
        return Problem(file.path, 0, 0, "NPT902", f"cannot write: {error.strerror or error}")
    return None


def replace_atomically(path: Path, data: bytes, mode: int) -> None:
    """Replace the contents of a file in one step."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
