"""Copies of the user's project to run things in: never the working tree itself."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from np2torch.source.folder import not_copied


class Copy:
    """A copy of a project's folder, whose files can be given other texts.

    Parameters
    ----------
    root
        The folder of the project.
    place
        Where the copy lies, or will.
    imports
        What its programs will import.
    """

    def __init__(self, root: Path, place: Path, bytes_of: Mapping[Path, bytes], imports: Sequence[str]) -> None:
        self.imports = imports
        self.root, self.place = Path(os.path.realpath(root)), Path(os.path.realpath(place))
        shutil.copytree(self.root, self.place, symlinks=True, ignore=not_copied, ignore_dangling_symlinks=True)
        self._now = dict.fromkeys(bytes_of, b"")
        self.write(bytes_of)

    def of(self, path: Path) -> Path:
        """Give the place of a file in the copy; of the folder around the project, that around the copy."""
        return Path(os.path.normpath(self.place / os.path.relpath(os.path.realpath(path), self.root)))

    def original(self, path: str) -> Path | None:
        """The file of the project that a file of the copy is made of."""
        real = Path(os.path.realpath(path))
        return self.root / real.relative_to(self.place) if real.is_relative_to(self.place) else None

    def write(self, bytes_of: Mapping[Path, bytes]) -> None:
        """Give files of the project these bytes, where they have others."""
        for path, data in bytes_of.items():
            if self._now.get(path) != data:
                self.of(path).write_bytes(data)
                self._now[path] = data


def is_copied(path: Path, root: Path) -> bool:
    """Tell whether a file lies where a copy of the project has it too."""
    inside = os.path.relpath(path, root).split(os.sep)
    return inside[0] != os.pardir and not not_copied(str(root), inside)


def import_roots(files: Iterable[tuple[Path, str]]) -> list[Path]:
    """The folders that Python imports these files from, by their dotted names."""
    found: dict[Path, None] = {}
    for path, name in files:
        above = Path(os.path.realpath(path)).parent
        depth = name.count(".") + (path.name == "__init__.py")
        found[above.parents[depth - 1] if depth else above] = None
    return list(found)
