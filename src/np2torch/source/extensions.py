"""Modules of a package that are compiled: their functions take ndarrays, and no text of theirs can be read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

SUFFIXES = frozenset(".so .pyd .pyx .c .cc .cpp .cxx .f .f90 .f95 .pyf".split())
"""Of extension modules, and of the languages that they are written in."""


def compiled_modules(names: Mapping[Path, str]) -> frozenset[str]:
    """Give the dotted names of compiled modules in the packages of a project, whatever stands in for them there.

    Parameters
    ----------
    names
        The dotted names of its Python files.
    """
    packages = {path.parent: _package(path, name) for path, name in names.items()}
    rows = compiled_beside(names)
    found = {f"{packages[folder]}.{stem}" for folder in packages if packages[folder] for stem in rows[folder]}
    return frozenset(found.difference(names.values()))


def compiled_beside(paths: Iterable[Path]) -> dict[Path, list[str]]:
    """Give the names of compiled modules in the folders of files: `_fast` of `_fast.cpython-311-darwin.so`."""
    return {folder: sorted(_stems(folder)) for folder in {path.parent for path in paths}}


def _package(path: Path, name: str) -> str:
    return name if path.stem == "__init__" else name.rpartition(".")[0]


def _stems(folder: Path) -> set[str]:
    try:
        names = os.listdir(folder)
    except OSError:  # there is none, or it cannot be read
        return set()
    return {name.partition(".")[0] for name in names if os.path.splitext(name)[1] in SUFFIXES}
