"""The `.np2torch` folder of a project: JSON files that say something of each of its files."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from np2torch.source.model import Problem
from np2torch.source.write import replace_atomically

FOLDER = ".np2torch"
VERSION = 1
MARKS = ("pyproject.toml", ".git", "setup.py", "setup.cfg")
"""The marks of a project's folder."""

Entry = Mapping[str, Any]
T = TypeVar("T")


class DamagedError(ValueError):
    """A file of `.np2torch` that is not what np2torch writes there; the message is one line."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(reason)
        self.path = path

    @property
    def problem(self) -> Problem:
        """Give the problem to report."""
        return Problem(self.path, 0, 0, "NPT909", f"not used: {self}")


def digest(text: str) -> str:
    """Give what tells one text of a file from another; kinds of newlines make no difference."""
    return hashlib.sha256("\n".join(text.splitlines()).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def find(start: Path, name: str) -> Path | None:
    """The file of that name that lies nearest, in a folder or one above it."""
    folders = (start.resolve(), *start.resolve().parents)
    return next((path for folder in folders if os.path.lexists(path := folder / FOLDER / name)), None)


def project_folder(start: Path) -> Path | None:
    """The nearest folder, this one or one above it, that looks like a project's."""
    folders = (start.resolve(), *start.resolve().parents)
    return next((one for one in folders if any(os.path.exists(one / mark) for mark in MARKS)), None)


def load_entries(path: Path, read: Callable[[Any], T]) -> tuple[dict[Path, T], tuple[str, ...]]:
    """Load the entries of a file by resolved path, and its list of paths; nothing if there is no such file.

    Parameters
    ----------
    read
        Makes what is wanted of an entry; ValueError, KeyError or TypeError where it is none.

    Raises
    ------
    DamagedError
        For a file that cannot be read, or has another shape.
    """
    if not os.path.lexists(path):
        return {}, ()
    if os.path.islink(path):
        raise DamagedError(path, "it is a link")
    try:
        document = json.loads(path.read_text("utf-8"))
        if not isinstance(document, dict) or document.get("version") != VERSION:
            raise DamagedError(path, f"it is not of version {VERSION}")
        root = root_of(path)
        files = {root / _relative(name): read(entry) for name, entry in _mapping(document["files"]).items()}
        return files, tuple(map(_relative, _strings(document.get("paths", []))))
    except DamagedError:
        raise
    except OSError as error:
        raise DamagedError(path, f"cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DamagedError(path, f"it is not what np2torch writes ({_one_line(error)})") from None


def save_entries(path: Path, entries: Mapping[Path, Entry], paths: Sequence[str] = ()) -> None:
    """Write such a file, all of it or nothing; files are named from the folder that `.np2torch` lies in.

    Raises
    ------
    OSError
        Where that is not possible, or the folder is a link, which might lead anywhere.
    """
    root = root_of(path)
    files = {file.relative_to(root).as_posix(): entry for file, entry in sorted(entries.items())}
    if path.parent.is_symlink():
        raise OSError(0, f"{FOLDER} is a link")
    path.parent.mkdir(parents=True, exist_ok=True)
    _hide_from_git(path.parent)
    document = {"version": VERSION, **({"paths": list(paths)} if paths else {}), "files": files}
    text = json.dumps(document, indent=1) + "\n"
    replace_atomically(path, text.encode(), 0o644)


def root_of(path: Path) -> Path:
    """The folder that the `.np2torch` of such a file lies in."""
    return path.parent.parent.resolve()


def _hide_from_git(folder: Path) -> None:
    """Let the folder be ignored: it holds copies of sources, which no `git add` should take."""
    ignore = folder / ".gitignore"
    if not os.path.lexists(ignore):
        replace_atomically(ignore, b"*\n", 0o644)


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("no object where one is expected")
    return value


def _strings(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError("no list of paths where one is expected")
    return value


def _relative(name: str) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\0" in name:
        raise ValueError("a path that leads out of the project")
    return name


def _one_line(error: Exception) -> str:
    text = f"no {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
    return text.split("\n")[0]


not_copied = shutil.ignore_patterns(
    ".git", ".hg", ".svn", "__pycache__", "*.pyc", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".tox",
    ".nox", ".venv", "venv", "node_modules", FOLDER,
)  # fmt: skip
"""The files that no program of a project needs: left out of copies to run it in."""
