"""What `np2torch trace` has seen, as it lies in `.np2torch/trace.json`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = ".np2torch"
NAME = "trace.json"
VERSION = 1

Observations = Mapping[str, Mapping[str, list[Any]]]
"""By function (`Class.method:line`) and parameter, or "return": what was seen, each once."""


class Traced(NamedTuple):
    """The observations in one file, and the digest of the text they were made on."""

    digest: str
    functions: Observations

    def fits(self, text: str) -> bool:
        """Is this the text that was run?"""
        return self.digest == digest(text)


def digest(text: str) -> str:
    """What tells one text of a file from another; kinds of newlines make no difference."""
    return hashlib.sha256("\n".join(text.splitlines()).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def find(start: Path) -> Path | None:
    """The trace that lies nearest, in a folder or one above it."""
    folders = (start.resolve(), *start.resolve().parents)
    return next((path for folder in folders if (path := folder / FOLDER / NAME).is_file()), None)


def load(path: Path) -> dict[Path, Traced]:
    """The traces of a file by resolved path; empty where there is none that can be read."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(document, dict) or document.get("version") != VERSION:
        return {}
    root = path.resolve().parent.parent
    return {root / name: Traced(entry["digest"], entry["functions"]) for name, entry in document["files"].items()}


def save(path: Path, traces: Mapping[Path, Traced]) -> None:
    """Write traces; files are named from the folder that `.np2torch` lies in."""
    root = path.resolve().parent.parent
    files = {
        file.relative_to(root).as_posix(): {"digest": traced.digest, "functions": traced.functions}
        for file, traced in sorted(traces.items())
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"version": VERSION, "files": files}, indent=1) + "\n", "utf-8")
