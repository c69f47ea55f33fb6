"""The NumPy text of what was converted, in `.np2torch/converted.json`.

A file that is converted says nothing of NumPy any more. Its old text is kept, so that the next run analyses the project
as it was: the order of steps makes no difference, and a second run changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from np2torch.source.folder import FOLDER, digest, find, load_entries, root_of, save_entries

NAME = "converted.json"


class Original(NamedTuple):
    """The old text of a file, what of it is converted (None for all), and the digest of the text that came out."""

    text: str
    parts: frozenset[str] | None
    digest: str

    def fits(self, text: str) -> bool:
        """Is this the text that came out?"""
        return self.digest == digest(text)


def place(start: Path) -> Path:
    """Where the originals of a project lie: the nearest there are, else below `start`."""
    return find(start, NAME) or start.resolve() / FOLDER / NAME


def load(path: Path) -> dict[Path, Original]:
    """The originals by resolved path; empty where there are none that can be read."""
    return {
        file: Original(e["text"], None if e["parts"] is None else frozenset(e["parts"]), e["digest"])
        for file, e in load_entries(path).items()
    }


def save(path: Path, originals: Mapping[Path, Original]) -> None:
    """Write the originals of files below the folder that `.np2torch` lies in."""
    root = root_of(path)
    entries = {
        file: {"digest": one.digest, "parts": None if one.parts is None else sorted(one.parts), "text": one.text}
        for file, one in originals.items() if root in file.parents
    }  # fmt: skip
    save_entries(path, entries)
