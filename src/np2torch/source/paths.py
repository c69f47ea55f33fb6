"""Paths of files: for display, their common folder, and mirrored below another folder."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def display_path(path: Path) -> str:
    """The path as people should read it: relative where it lies below the working folder."""
    try:
        return printable(path.absolute().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return printable(path)


def printable(path: Path) -> str:
    """The path on one line and in any encoding: what cannot be printed of a name is escaped."""
    text = path.as_posix()
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def common_folder(paths: Iterable[Path]) -> Path:
    """The deepest folder that holds all the files and folders given; the working folder for none."""
    absolute = (Path(os.path.abspath(path)) for path in paths)
    folders = [path if os.path.isdir(path) else path.parent for path in absolute]
    return Path(os.path.commonpath(folders)) if folders else Path.cwd()


def is_below(path: Path, base: Path) -> bool:
    """Tell whether a file lies somewhere below an absolute folder."""
    return Path(os.path.abspath(path)).is_relative_to(base)


def mirrored_path(path: Path, base: Path, target: Path) -> Path:
    """The path that a file below `base` has below `target`."""
    return target / Path(os.path.abspath(path)).relative_to(base)
