"""A command run on two trees: its exit code, what it prints, and the files that it writes."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import np2torch
from np2torch.source.folder import not_copied
from np2torch.verify.compare import difference
from np2torch.verify.printed_text import text_difference
from np2torch.verify.rows import Row, unexercised_row

HOOK = Path(__file__).resolve().parent / "hook"
MOST_PRINTED = 20_000_000
"""Characters of output that are kept; more is a flood."""
ENDLESS, FLOOD = "does not come to an end", "prints without an end"
VARYING = "it gives another result each time"


class Ran(NamedTuple):
    """The outcome of a command.

    Attributes
    ----------
    ending
        Why it did not come to its end; empty where it did.
    files
        What it wrote or changed, by path in the tree.
    """

    code: int
    printed: str
    errors: str
    files: Mapping[str, bytes]
    ending: str = ""

    @property
    def word(self) -> str:
        """How it ended, in a few words."""
        last = next(reversed(self.errors.strip().splitlines()), "")
        return self.ending or (f"exit {self.code}" + (f": {last}" if self.code and last else ""))


def run(words: Sequence[str], tree: Path, timeout: float, extra: Mapping[str, str] | None = None) -> Ran:
    """Run a command in a copy of a tree, whose modules are found first; the tree itself stays as it is.

    Parameters
    ----------
    extra
        Further variables of the environment.
    """
    with tempfile.TemporaryDirectory(prefix="np2torch-verify-") as folder:
        place = Path(folder) / "tree"
        shutil.copytree(tree, place, symlinks=True, ignore=not_copied, ignore_dangling_symlinks=True)
        before = {path: _state(path) for path in _files(place)}
        out, errors = Path(folder) / "out", Path(folder) / "errors"
        ending, code = _ended(words, place, (out, errors), timeout, extra or {})
        written = {
            path.relative_to(place).as_posix(): path.read_bytes()
            for path in _files(place)
            if before.get(path) != _state(path)
        }
        texts = [_read(path).replace(str(place), "TREE") for path in (out, errors)]
    return Ran(code, texts[0], texts[1], written, ending)


def _ended(
    words: Sequence[str], place: Path, outputs: tuple[Path, Path], timeout: float, extra: Mapping[str, str]
) -> tuple[str, int]:
    """Run in a session of its own, which ends with it; gives what kept it from its end, and the exit code."""
    own = Path(np2torch.__file__).parents[1]
    path = [str(HOOK), str(place), str(place / "src"), str(own), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), "PYTHONHASHSEED": "0", "MPLBACKEND": "Agg",
        "NP2TORCH_VERIFY": "1", "PYTHONDONTWRITEBYTECODE": "1", **extra,
    }  # fmt: skip
    with outputs[0].open("wb") as out, outputs[1].open("wb") as errors:
        process = subprocess.Popen(
            list(words), cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
            start_new_session=True,
        )  # fmt: skip
        try:
            ending = _waited_for(process, outputs, timeout)
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # what it has started goes with it
            code = process.wait()
        return ending, code


def _waited_for(process: subprocess.Popen[bytes], outputs: Sequence[Path], timeout: float) -> str:
    """Wait for the end of a process; gives what kept it from that, empty for nothing."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(min(0.5, timeout))
            return ""
        if sum(one.stat().st_size for one in outputs) > MOST_PRINTED:
            return FLOOD
    return f"{ENDLESS} within {timeout:g} s"


def _files(place: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(place):
        folders[:] = sorted(one for one in folders if one not in ("__pycache__", ".pytest_cache"))
        yield from (Path(folder) / name for name in sorted(names) if (Path(folder) / name).is_file())


def _state(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def _read(path: Path) -> str:
    return path.read_bytes()[:MOST_PRINTED].decode("utf-8", "replace")


def command_rows(words: Sequence[str], old: Path, new: Path, timeout: float) -> list[Row]:
    """Run a command on both trees: a row for what it prints and how it ends, and one for each file it writes."""
    name = f"$ {' '.join(words)}"
    before, after = run(words, old, timeout), run(words, new, timeout)
    if before.ending:
        return [unexercised_row(name, before.ending, "output", before.word, after.word)]
    found = _rows(name, before, after)
    if any(one.difference is not None for one in found):  # what differs between two runs of one side says nothing
        varies = {one.name for one in _rows(name, before, run(words, old, timeout)) if one.difference is not None}
        found = [
            unexercised_row(one.name, VARYING, one.inputs, one.old, one.new)
            if one.name in varies and one.difference is not None and _is_of_values(before, after)
            else one
            for one in found
        ]
    return found


def _is_of_values(before: Ran, after: Ran) -> bool:
    return before.code == after.code and not after.ending


def _rows(name: str, before: Ran, after: Ran) -> list[Row]:
    if after.ending or before.code != after.code:
        said = f"{before.word} became {after.word}"
    else:
        said = text_difference(before.printed, after.printed) or ""
    if not said and not before.printed and not before.files:
        rows = [unexercised_row(name, "it prints nothing and writes no files", "output", before.word, after.word)]
    else:
        rows = [Row(name, "output, exit code", before.word, after.word, said or None)]
    for path in sorted({*before.files, *after.files}):
        one, other = before.files.get(path), after.files.get(path)
        if one is None or other is None:
            text: str | None = "is written by the new side only" if one is None else "is not written by the new side"
        else:
            text = file_difference(path, one, other)
        rows.append(Row(path, "file", _size(one), _size(other), text))
    return rows


def _size(data: bytes | None) -> str:
    return "" if data is None else f"{len(data)} bytes"


def file_difference(path: str, old: bytes, new: bytes) -> str | None:
    """How two files differ: NumPy's arrays by value, text line by line, everything else byte by byte."""
    if old == new:
        return None
    if path.endswith((".npy", ".npz")):
        try:
            return difference(_arrays(old), _arrays(new), numpy_left=True)
        except (ValueError, OSError, EOFError, KeyError) as error:
            return f"cannot be read: {error}"
    try:
        texts = old.decode("utf-8"), new.decode("utf-8")
    except UnicodeDecodeError:
        return "other bytes"
    return text_difference(*texts)


def _arrays(data: bytes) -> Any:
    found = np.load(io.BytesIO(data), allow_pickle=False)
    return {name: found[name] for name in found.files} if isinstance(found, np.lib.npyio.NpzFile) else found
