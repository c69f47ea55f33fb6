"""What `np2torch trace` has seen, as it lies in `.np2torch/trace.json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from np2torch.source.folder import digest, load_entries, save_entries

NAME = "trace.json"

Observations = Mapping[str, Mapping[str, list[Any]]]
"""By function (`Class.method:line`) and parameter, or "return": what was seen, each once."""


class Traced(NamedTuple):
    """The observations in one file, and the digest of the text they were made on."""

    digest: str
    functions: Observations

    def fits(self, text: str) -> bool:
        """Is this the text that was run?"""
        return self.digest == digest(text)


class TraceError(ValueError):
    """What was named as a trace is none; the message is one line."""


def check_trace(path: Path) -> None:
    """Demand that a file is a trace with something in it.

    Raises
    ------
    TraceError
        Where it is none.
    """
    try:
        found = load(path)
    except (KeyError, TypeError, AttributeError):
        found = {}
    if not found:
        raise TraceError(f"{path}: nothing that `np2torch trace` has written")


def load(path: Path) -> dict[Path, Traced]:
    """The traces of a file by resolved path; empty where there is none that can be read."""
    return {file: Traced(entry["digest"], entry["functions"]) for file, entry in load_entries(path).items()}


def save(path: Path, traces: Mapping[Path, Traced]) -> None:
    """Write traces."""
    save_entries(path, {file: traced._asdict() for file, traced in traces.items()})
