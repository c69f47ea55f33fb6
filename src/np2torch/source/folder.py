"""The `.np2torch` folder of a project: JSON files that say something of each of its files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from np2torch.source.write import replace_atomically

FOLDER = ".np2torch"
VERSION = 1

Entry = Mapping[str, Any]


def digest(text: str) -> str:
    """What tells one text of a file from another; kinds of newlines make no difference."""
    return hashlib.sha256("\n".join(text.splitlines()).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def find(start: Path, name: str) -> Path | None:
    """The file of that name that lies nearest, in a folder or one above it."""
    folders = (start.resolve(), *start.resolve().parents)
    return next((path for folder in folders if (path := folder / FOLDER / name).is_file()), None)


def load_entries(path: Path) -> dict[Path, Entry]:
    """What a file says, by the resolved path it says it of; empty where it cannot be read."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(document, dict) or document.get("version") != VERSION:
        return {}
    root = root_of(path)
    return {root / name: entry for name, entry in document["files"].items()}


def save_entries(path: Path, entries: Mapping[Path, Entry]) -> None:
    """Write such a file, all of it or nothing; files are named from the folder that `.np2torch` lies in."""
    root = root_of(path)
    files = {file.relative_to(root).as_posix(): entry for file, entry in sorted(entries.items())}
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"version": VERSION, "files": files}, indent=1) + "\n"
    replace_atomically(Path(os.path.realpath(path)), text.encode(), 0o644)


def root_of(path: Path) -> Path:
    """The folder that the `.np2torch` of such a file lies in."""
    return path.resolve().parent.parent
