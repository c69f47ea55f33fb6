"""Files and folders that a walk leaves out: hidden and vendored folders, git's rules, the user's patterns."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from pathspec import GitIgnoreSpec

from np2torch.source import patterns
from np2torch.source.document import SUFFIXES as DOCUMENTS
from np2torch.source.model import Settings
from np2torch.source.notebook import SUFFIX as NOTEBOOK
from np2torch.source.settings import nearest, settings_in

VENDORED = frozenset(
    "venv node_modules site-packages __pypackages__ __pycache__ build _build dist buck-out "
    "_vendor _vendored vendor vendored third_party".split()
)


def is_foreign_folder(name: str) -> bool:
    """Tell whether a folder is by its name no source of this project: hidden, vendored, or built."""
    return name.startswith(".") or name in VENDORED


def is_environment(folder: Path) -> bool:
    """Tell whether a folder is a virtual environment, whatever its name."""
    return os.path.isfile(folder / "pyvenv.cfg")


def is_closed(path: Path, settings: Settings) -> bool:
    """Tell whether nobody but the project calls the functions of a file: by the settings, or as nobody imports it."""
    if path.suffix in (NOTEBOOK, *DOCUMENTS):
        return True
    own = settings.for_file(path)
    return patterns.names(own.closed, path, own.root)


class Level(NamedTuple):
    """The patterns that one folder contributes."""

    folder: str
    spec: GitIgnoreSpec

    def verdict(self, path: str, is_dir: bool) -> bool | None:
        """Judge a path: True to leave it out, False to keep it, None when no pattern speaks of it."""
        relative = os.path.relpath(path, self.folder).replace(os.sep, "/")
        return self.spec.check_file(relative + "/" if is_dir else relative).include


class IgnoreRules:
    """The rules in force in one folder; `below` gives those of a folder inside it. The deepest rule that speaks wins.

    Parameters
    ----------
    folder
        Absolute path of the folder where a walk starts. Rules of the repository above it count too, unless they
        ignore this very folder: then the user asked for it by name.
    settings
        Those of the run; settings that lie nearer to a folder take their place there.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        settings = nearest(folder, settings)
        self._is_only = settings.is_only
        self._git = settings.respect_gitignore
        self._exclude = Level(str(settings.root), GitIgnoreSpec.from_lines(settings.exclude))
        self._levels: tuple[Level, ...] = ()
        if self._git:
            above = tuple(_levels_above(folder))
            self._levels = above if not _verdict(above, str(folder), True) else ()
            self._levels += tuple(_level(folder, folder / ".gitignore"))

    def below(self, folder: Path) -> IgnoreRules:
        """The rules in force in a folder directly inside this one."""
        nearer = None if self._is_only else settings_in(folder)
        if nearer is not None and nearer.respect_gitignore != self._git:
            return IgnoreRules(folder, nearer)
        added = tuple(_level(folder, folder / ".gitignore")) if self._git else ()
        if not added and nearer is None:
            return self
        inner = copy.copy(self)
        inner._levels = self._levels + added
        if nearer is not None:
            inner._exclude = Level(str(nearer.root), GitIgnoreSpec.from_lines(nearer.exclude))
        return inner

    def __call__(self, path: str, is_dir: bool) -> bool:
        """Tell whether to leave out a file or folder, given by its absolute path."""
        return _verdict((self._exclude,), path, is_dir) or _verdict(self._levels, path, is_dir)


def _verdict(levels: Iterable[Level], path: str, is_dir: bool) -> bool:
    verdicts = (level.verdict(path, is_dir) for level in reversed(tuple(levels)))
    return next((v for v in verdicts if v is not None), False)


def _levels_above(folder: Path) -> list[Level]:
    """The rules of the folders from the repository's root down to the parent of this one."""
    root = next((f for f in (folder, *folder.parents) if os.path.exists(f / ".git")), None)
    if root is None:
        return []
    levels = _level(root, root / ".git" / "info" / "exclude")
    if root == folder:
        return levels
    for parent in reversed([f for f in folder.parents if f == root or root in f.parents]):
        levels += _level(parent, parent / ".gitignore")
    return levels


def _level(folder: Path, file: Path) -> list[Level]:
    try:
        lines = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [Level(str(folder), GitIgnoreSpec.from_lines(lines))]
