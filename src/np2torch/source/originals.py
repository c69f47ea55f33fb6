"""The NumPy text of what was converted, in `.np2torch/converted.json`, and the journal of a run that writes.

A file that is converted says nothing of NumPy any more. Its old text is kept, so that the next run analyses the project
as it was: the order of steps makes no difference, and a second run changes nothing.

Before a run replaces the first file it writes the record as it will be to `.np2torch/journal.json`; when all is written
that becomes the record. Where a run was stopped in between, both are there, and each file is as one of them says.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from np2torch.source.folder import FOLDER, DamagedError, digest, load_entries, root_of, save_entries
from np2torch.source.model import SourceFile
from np2torch.source.read import read_file

NAME = "converted.json"
JOURNAL = "journal.json"


class Original(NamedTuple):
    """The old text of a file, what of it is converted (None for all), and the digest of the text that came out."""

    text: str
    parts: frozenset[str] | None
    digest: str

    def fits(self, text: str) -> bool:
        """Tell whether this is the text that came out."""
        return self.digest == digest(text)


class Record(NamedTuple):
    """The originals by resolved path, and the paths, from the project's folder, that were last converted as a whole."""

    files: Mapping[Path, Original]
    paths: tuple[str, ...] = ()


EMPTY = Record({})


def place(start: Path) -> Path:
    """Give where the originals of a project lie: in its folder, or the nearest above that speaks of it."""
    folder = start.resolve()
    for above in folder.parents if not _has_record(folder) else ():
        if _has_record(above) and _speaks_of(above / FOLDER / NAME, folder):
            folder = above
            break
    return folder / FOLDER / NAME


def _has_record(folder: Path) -> bool:
    return any(os.path.lexists(folder / FOLDER / name) for name in (NAME, JOURNAL))


def _speaks_of(path: Path, folder: Path) -> bool:
    """Tell whether a record covers a folder or something in it; a record in `/tmp`, say, may be of other projects."""
    with suppress(DamagedError):
        for record in (load(path), load(path.with_name(JOURNAL))):
            whole = (root_of(path) / name for name in record.paths)
            if any(map(folder.is_relative_to, whole)) or any(folder in file.parents for file in record.files):
                return True
    return False


def load(path: Path) -> Record:
    """The record; empty where there is none.

    Raises
    ------
    DamagedError
        Where the file is not a record.
    """
    files, paths = load_entries(path, _original)
    return Record(files, paths)


def _original(entry: Any) -> Original:
    text, parts, key = entry["text"], entry["parts"], entry["digest"]
    if not isinstance(text, str) or not isinstance(key, str):
        raise TypeError("text and digest must be strings")
    if parts is not None and not (isinstance(parts, list) and all(isinstance(part, str) for part in parts)):
        raise TypeError("parts must be a list of names")
    return Original(text, None if parts is None else frozenset(parts), key)


def recover(known: Record, begun: Record, texts: Mapping[Path, str]) -> Record:
    """The record as it is after a run that was stopped: of each file what its text now tells.

    Parameters
    ----------
    begun
        The journal of that run.
    texts
        The files as they lie there, as far as they have been read.
    """
    files = dict(known.files)
    for file, one in begun.files.items():
        text = texts.get(file)
        if text is None:
            text = found.text if isinstance(found := read_file(file), SourceFile) else ""
        if one.fits(text) or file not in files and text != one.text:
            files[file] = one
    return Record(files, begun.paths or known.paths)


def save(path: Path, record: Record) -> None:
    """Write the originals of files below the folder that `.np2torch` lies in."""
    root = root_of(path)
    entries = {
        file: {"digest": one.digest, "parts": None if one.parts is None else sorted(one.parts), "text": one.text}
        for file, one in record.files.items() if root in file.parents
    }  # fmt: skip
    save_entries(path, entries, record.paths)


def drop_journal(path: Path) -> None:
    """Remove the journal beside a record that says all that it says."""
    with suppress(OSError):
        path.with_name(JOURNAL).unlink()
