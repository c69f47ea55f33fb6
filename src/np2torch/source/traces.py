"""The records of `np2torch trace`, as stored in `.np2torch/trace.json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from np2torch.source.folder import digest, load_entries, save_entries

NAME = "trace.json"
MOST_DIMENSIONS = 64

Observations = Mapping[str, Mapping[str, list[Any]]]
"""By function (`Class.method:line`) and parameter, or "return": what was seen, each once."""


class FileTrace(NamedTuple):
    """Observations in one file, with the digest of the text at that time."""

    digest: str
    functions: Observations

    def fits(self, text: str) -> bool:
        """Tell whether this is the text that was run."""
        return self.digest == digest(text)


def load(path: Path) -> dict[Path, FileTrace]:
    """The traces of a file by resolved path; empty where there is none.

    Raises
    ------
    DamagedError
        Where the file is not a trace.
    """
    return load_entries(path, _traced)[0]


def _traced(entry: Any) -> FileTrace:
    key, functions = entry["digest"], entry["functions"]
    if not isinstance(key, str) or not isinstance(functions, dict):
        raise TypeError("digest must be a string and functions an object")
    for parameters in functions.values():
        if not isinstance(parameters, dict):
            raise TypeError("a function must be an object of parameters")
        for observations in parameters.values():
            if not isinstance(observations, list) or not all(map(_is_observation, observations)):
                raise TypeError("a parameter must be a list of observations")
    return FileTrace(key, functions)


def _is_observation(value: Any) -> bool:
    """Tell whether it is what the recorder writes: a kind, and for some kinds what it is of."""
    match value:
        case ["array", str(), bool()]:
            return False
        case ["array", str(), int(rank)]:
            return 0 <= rank <= MOST_DIMENSIONS
        case ["tuple" | "list", list(items)]:
            return all(map(_is_observation, items))
        case ["scalar", str()]:
            return True
        case [str(kind)]:
            return kind not in ("array", "scalar")
    return False


def save(path: Path, traces: Mapping[Path, FileTrace]) -> None:
    """Write traces."""
    save_entries(path, {file: traced._asdict() for file, traced in traces.items()})
