"""The NumPy text of what was converted, in `.np2torch/converted.json`.

A file that is converted says nothing of NumPy any more. Its old text is kept, so that the next run analyses the project
as it was: the order of steps makes no difference, and a second run changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from np2torch.source.traces import FOLDER, digest

NAME = "converted.json"
VERSION = 1


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
    folders = (start.resolve(), *start.resolve().parents)
    near = (path for folder in folders if (path := folder / FOLDER / NAME).is_file())
    return next(near, folders[0] / FOLDER / NAME)


def load(path: Path) -> dict[Path, Original]:
    """The originals by resolved path; empty where there are none that can be read."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(document, dict) or document.get("version") != VERSION:
        return {}
    root = path.resolve().parent.parent
    return {
        root / name: Original(e["text"], None if e["parts"] is None else frozenset(e["parts"]), e["digest"])
        for name, e in document["files"].items()
    }


def save(path: Path, originals: Mapping[Path, Original]) -> None:
    """Write originals; files are named from the folder that `.np2torch` lies in."""
    root = path.resolve().parent.parent
    files = {}
    for file, one in sorted(originals.items()):
        if root in file.parents:
            parts = None if one.parts is None else sorted(one.parts)
            files[file.relative_to(root).as_posix()] = {"digest": one.digest, "parts": parts, "text": one.text}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"version": VERSION, "files": files}, indent=1) + "\n", "utf-8")
