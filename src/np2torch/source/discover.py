"""Discovery of files: those named, and the Python files below the folders named."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from np2torch.source.document import SUFFIXES as DOCUMENTS
from np2torch.source.ignore import IgnoreRules, is_environment, is_foreign_folder
from np2torch.source.model import Problem, Settings, SourceFile
from np2torch.source.notebook import SUFFIX as NOTEBOOK
from np2torch.source.read import NOT_REGULAR, decode, read_file

SUFFIX = ".py"
NOT_READ = "notebooks and documents are not read here; make a script of it first"


class Project(NamedTuple):
    """The files of one run, in a fixed order, what could not be read, and the notebooks met below folders."""

    files: tuple[SourceFile, ...]
    problems: tuple[Problem, ...]
    notebooks: tuple[Path, ...] = ()


def load_project(
    paths: Sequence[Path],
    settings: Settings,
    *,
    force_exclude: bool = False,
    without: Path | None = None,
    with_notebooks: bool = False,
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
    with_notebooks
        Read notebooks too. They are named, but not read, by verbs that cannot write or run them.
    """
    files: list[SourceFile] = []
    problems: list[Problem] = []
    notebooks: list[Path] = []
    for found in discover(paths, settings, force_exclude=force_exclude, without=without):
        if isinstance(found, FoundFile) and found.path.suffix in (NOTEBOOK, *DOCUMENTS) and not with_notebooks:
            if found.named:
                problems.append(Problem(found.path, 0, 0, "NPT910", NOT_READ))
            else:
                notebooks.append(found.path)
            continue
        item = found if isinstance(found, Problem) else read_file(found.path, even_generated=found.named)
        if isinstance(item, Problem):
            problems.append(item)
        elif item is not None:
            files.append(item)
    once = dict.fromkeys(problems)  # what is named is met in its folder too
    return Project(tuple(files), tuple(once), tuple(notebooks))


class FoundFile(NamedTuple):
    """A file of the project; `named` if the user named it rather than a folder above."""

    path: Path
    named: bool


def discover(
    paths: Sequence[Path], settings: Settings, *, force_exclude: bool = False, without: Path | None = None
) -> Iterator[FoundFile | Problem]:
    """Find files in the order of `paths`, names sorted within each folder; no file twice, whatever links lead to it."""
    seen: set[str] = set()
    barred = os.path.realpath(without) if without is not None else None
    named = set() if force_exclude else {os.path.realpath(path) for path in paths if not os.path.isdir(path)}
    for path in paths:
        if os.path.isdir(path):
            root = Path(os.path.abspath(path))
            links: list[Path] = []
            for item in _walk(root, path, IgnoreRules(root, settings), links, barred):
                if isinstance(item, Problem) or _is_new(item[1], seen):
                    yield item if isinstance(item, Problem) else FoundFile(item[0], item[1] in named)
            # Links last: a file linked from somewhere else in the folder is met under its own name.
            yield from (FoundFile(link, False) for link in links if _is_new(os.path.realpath(link), seen))
        elif not os.path.lexists(path):
            yield Problem(path, 0, 0, "NPT902", "no such file or folder")
        elif not (force_exclude and is_excluded(path, settings)) and _is_new(os.path.realpath(path), seen):
            yield FoundFile(path, not force_exclude)


def _is_new(real: str, seen: set[str]) -> bool:
    new = real not in seen
    seen.add(real)
    return new


class _Level(NamedTuple):
    """A folder under way: what is left to look at in it, its path, shown path and real path, and its rules."""

    entries: Iterator[os.DirEntry[str]]
    folder: Path
    shown: Path
    real: str
    ignored: IgnoreRules


def _walk(
    folder: Path, shown: Path, ignored: IgnoreRules, links: list[Path], barred: str | None
) -> Iterator[tuple[Path, str] | Problem]:
    """Files below a folder, each with its real path; linked files go to `links`, linked folders are not entered."""
    levels: list[_Level] = []

    def enter(folder: Path, shown: Path, real: str, ignored: IgnoreRules) -> Iterator[Problem]:
        if real == barred:
            return
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Problem(shown, 0, 0, "NPT902", f"cannot read: {error.strerror}")
            return
        levels.append(_Level(iter(entries), folder, shown, real, ignored))

    yield from enter(folder, shown, os.path.realpath(folder), ignored)
    while levels:
        level = levels[-1]
        entry = next(level.entries, None)
        if entry is None:
            levels.pop()
            continue
        name, path = entry.name, level.folder / entry.name
        if entry.is_dir(follow_symlinks=False):
            if not (is_foreign_folder(name) or level.ignored(str(path), True) or is_environment(path)):
                real = os.path.join(level.real, name)
                yield from enter(path, level.shown / name, real, level.ignored.below(path))
        elif name.endswith((SUFFIX, NOTEBOOK)) and not level.ignored(str(path), False):
            reason = _not_readable(entry)
            if reason:
                yield Problem(level.shown / name, 0, 0, "NPT902", f"cannot read: {reason}")
            elif reason is None and entry.is_symlink():
                links.append(level.shown / name)
            elif reason is None:
                yield level.shown / name, os.path.join(level.real, name)


def _not_readable(entry: os.DirEntry[str]) -> str | None:
    """None for a file, else why it is none; no reason for links to folders, and to nowhere, which editors make."""
    try:
        if entry.is_file():
            return None
        mode = entry.stat().st_mode
    except FileNotFoundError:
        return ""
    except OSError as error:
        return error.strerror or str(error)
    return "" if stat.S_ISDIR(mode) else NOT_REGULAR


def is_excluded(path: Path, settings: Settings) -> bool:
    """Tell whether a walk from the folder of the settings would leave this file out."""
    absolute = Path(os.path.abspath(path))
    root = settings.root if settings.root in absolute.parents else absolute.parent
    ignored, folder = IgnoreRules(root, settings), root
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
