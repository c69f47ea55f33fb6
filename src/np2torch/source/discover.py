"""Which files to take: those named, and the Python files below the folders named."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from np2torch.source.ignore import Ignored, is_environment, is_foreign_folder
from np2torch.source.model import Problem, Settings, SourceFile
from np2torch.source.read import decode, read_file

SUFFIX = ".py"
NOTEBOOK = ".ipynb"
NOT_READ = "notebooks are not read; make a script of it first (jupyter nbconvert --to script)"


class Project(NamedTuple):
    """The files of one run, in a fixed order, what could not be read, and the notebooks met below folders."""

    files: tuple[SourceFile, ...]
    problems: tuple[Problem, ...]
    notebooks: tuple[Path, ...] = ()


def load_project(
    paths: Sequence[Path], settings: Settings, *, force_exclude: bool = False, without: Path | None = None
) -> Project:
    """Find and read the files below some paths.

    Parameters
    ----------
    paths
        Files, taken whatever their name, and folders, searched for Python files.
    force_exclude
        Apply `exclude` and .gitignore to the files named too, as a pre-commit hook needs.
    without
        A folder to leave out: where the results go.
    """
    files: list[SourceFile] = []
    problems: list[Problem] = []
    notebooks: list[Path] = []
    for found in discover(paths, settings, force_exclude=force_exclude, without=without):
        if isinstance(found, Found) and found.path.suffix == NOTEBOOK:
            notebooks.append(found.path)
            continue
        item = found if isinstance(found, Problem) else read_file(found.path, even_generated=found.named)
        if isinstance(item, Problem):
            problems.append(item)
        elif item is not None:
            files.append(item)
    return Project(tuple(files), tuple(problems), tuple(notebooks))


class Found(NamedTuple):
    """A file to take; `named` when the user named it and it is not just below a folder."""

    path: Path
    named: bool


def discover(
    paths: Sequence[Path], settings: Settings, *, force_exclude: bool = False, without: Path | None = None
) -> Iterator[Found | Problem]:
    """Find files in the order of `paths`, names sorted within each folder; no file twice, whatever links lead to it."""
    seen: set[str] = set()
    barred = os.path.realpath(without) if without is not None else None
    for path in paths:
        if path.is_dir():
            root = Path(os.path.abspath(path))
            links: list[Path] = []
            for item in _walk(root, path, os.path.realpath(root), Ignored(root, settings), links, barred):
                if isinstance(item, Problem) or _is_new(item[1], seen):
                    yield item if isinstance(item, Problem) else Found(item[0], False)
            # Links last: a file linked from somewhere else in the folder is met under its own name.
            yield from (Found(link, False) for link in links if _is_new(os.path.realpath(link), seen))
        elif not path.exists():
            yield Problem(path, 0, 0, "NPT902", "no such file or folder")
        elif path.suffix == NOTEBOOK:
            yield Problem(path, 0, 0, "NPT910", NOT_READ)
        elif not (force_exclude and _is_excluded(path, settings)) and _is_new(os.path.realpath(path), seen):
            yield Found(path, not force_exclude)


def _is_new(real: str, seen: set[str]) -> bool:
    new = real not in seen
    seen.add(real)
    return new


def _walk(
    folder: Path, shown: Path, real: str, ignored: Ignored, links: list[Path], barred: str | None
) -> Iterator[tuple[Path, str] | Problem]:
    """Files below a folder, each with its real path; linked files go to `links`, linked folders are not entered."""
    if real == barred:
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Problem(shown, 0, 0, "NPT902", f"cannot read: {error.strerror}")
        return
    for entry in entries:
        name = entry.name
        if entry.is_dir(follow_symlinks=False):
            inner = folder / name
            if not (is_foreign_folder(name) or ignored(str(inner), True) or is_environment(inner)):
                yield from _walk(inner, shown / name, os.path.join(real, name), ignored.below(inner), links, barred)
        elif name.endswith((SUFFIX, NOTEBOOK)) and entry.is_file() and not ignored(str(folder / name), False):
            if entry.is_symlink():
                links.append(shown / name)
            else:
                yield shown / name, os.path.join(real, name)


def _is_excluded(path: Path, settings: Settings) -> bool:
    """Whether a walk from the folder of the settings would have left this file out."""
    absolute = Path(os.path.abspath(path))
    root = settings.root if settings.root in absolute.parents else absolute.parent
    ignored, folder = Ignored(root, settings), root
    for part in absolute.relative_to(root).parts[:-1]:
        folder = folder / part
        if is_foreign_folder(part) or ignored(str(folder), True) or is_environment(folder):
            return True
        ignored = ignored.below(folder)
    return ignored(str(absolute), False)


def from_bytes(data: bytes, display: str) -> Project:
    """The project of one file that comes from standard input."""
    item = decode(data, Path(display), display)
    return Project((item,), ()) if isinstance(item, SourceFile) else Project((), (item,))
