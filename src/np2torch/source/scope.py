"""The part of a project to convert: files, folders, functions (`path.py::Class.method`), changes by git."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from np2torch.source.model import SourceFile

Scope = Mapping[Path, frozenset[str] | None]
"""By resolved path: the names in a file to convert, None for the whole file."""


class ScopeError(ValueError):
    """An error for a name that does not exist; the message is one line."""


def split(item: str) -> tuple[Path, str | None]:
    """A file or folder, and the name in it that follows `::`."""
    path, _, name = item.partition("::")
    return Path(path), name or None


def scope_of(items: Iterable[str], files: Sequence[Path]) -> dict[Path, frozenset[str] | None]:
    """The files, and the names in them, that some paths mean.

    Raises
    ------
    ScopeError
        For a path that is or holds none of the files.
    """
    real = {path: Path(os.path.realpath(path)) for path in files}
    found: dict[Path, frozenset[str] | None] = {}
    for item in items:
        path, name = split(item)
        wanted = Path(os.path.realpath(path))
        matching = [one for one in real.values() if one == wanted or wanted in one.parents]
        if not matching:
            raise ScopeError(f"{item}: none of the files that were given")
        for one in matching:
            before = found.get(one, frozenset())
            found[one] = None if name is None or before is None else before | {name}
    return found


def check_names(file: SourceFile, names: frozenset[str] | None) -> None:
    """Demand that a file defines the functions and classes that are to be converted.

    Raises
    ------
    ScopeError
        For a name that it does not define.
    """
    for name in sorted(names or ()):
        last = name.rpartition(".")[2]
        if not re.search(rf"^[ \t\f]*(?:(?:async\s+)?def|class)\s+{re.escape(last)}\b", file.text, re.MULTILINE):
            raise ScopeError(f"{file.display}::{name}: no function or class of that name")


def changed_since(revision: str, folder: Path) -> set[Path]:
    """The files that differ from a revision, those that git does not know included.

    Raises
    ------
    ScopeError
        Where git cannot say.
    """
    top = Path(_git(["rev-parse", "--show-toplevel"], folder)[0])
    names = _git(["diff", "--name-only", "-z", "--diff-filter=d", revision, "--"], top)
    names += _git(["ls-files", "--others", "--exclude-standard", "-z"], top)
    return {Path(os.path.realpath(top / name)) for name in names}


def _git(arguments: list[str], folder: Path) -> list[str]:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ScopeError(f"git: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["git failed"]
        raise ScopeError(lines[0])
    separator = "\0" if "-z" in arguments else "\n"
    return [name for name in done.stdout.split(separator) if name.strip()]
