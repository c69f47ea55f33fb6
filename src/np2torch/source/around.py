"""The surroundings of the given paths: the project's folder, its record, and the files to read with them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from np2torch.source import originals
from np2torch.source.discover import is_excluded
from np2torch.source.folder import DamagedError, project_folder, root_of
from np2torch.source.model import Settings
from np2torch.source.paths import common_folder


class Surroundings(NamedTuple):
    """The surroundings of some paths.

    Attributes
    ----------
    record
        The path of the record of what was converted, which may not exist yet.
    around
        What to read so that files named one by one come out as in a run on the whole project: the paths that were last
        converted as a whole, or else the project's folder. None where folders are given: then they are the project.
    is_recorded
        Whether that was converted as a whole; else only what is connected by imports with the files named is analysed.
    """

    record: Path
    around: tuple[Path, ...] = ()
    is_recorded: bool = False

    @property
    def root(self) -> Path:
        """The folder that the record is or will be kept for."""
        return root_of(self.record)

    def below(self, paths: Sequence[Path]) -> tuple[str, ...]:
        """The paths from that folder; none where one of them lies elsewhere."""
        real = [_real(path) for path in paths]
        inside = all(path.is_relative_to(self.root) for path in real)
        return tuple(path.relative_to(self.root).as_posix() for path in real) if inside else ()


def surroundings(paths: Sequence[Path], settings: Settings) -> Surroundings:
    """Find out where some files and folders lie."""
    common, settled = common_folder(paths).resolve(), settings.root.resolve()
    has_settings = settled != common and settled in common.parents
    if not paths or any(map(os.path.isdir, paths)):
        return Surroundings(originals.place(settled if has_settings else common))
    project = settled if has_settings else project_folder(common)
    if project is None or all(is_excluded(path, dataclasses.replace(settings, root=project)) for path in paths):
        project = None
    found = Surroundings(originals.place(project or common))
    if recorded := _recorded(found, paths):
        return found._replace(around=recorded, is_recorded=True)
    return found._replace(around=() if project is None else (_shown(project),))


def _recorded(found: Surroundings, paths: Sequence[Path]) -> tuple[Path, ...]:
    """The paths that were last converted as a whole, if one of the files lies there."""
    with suppress(DamagedError):
        recorded = [found.root / name for name in originals.load(found.record).paths]
        if any(_real(path).is_relative_to(_real(one)) for path in paths for one in recorded):
            return tuple(_shown(one) for one in recorded if os.path.exists(one))
    return ()


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _shown(path: Path) -> Path:
    """The path as people would have given it: from the working folder where it lies there."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
