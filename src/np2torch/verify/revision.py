"""A revision of a git repository in a folder of its own."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path


class RevisionError(ValueError):
    """A revision cannot be read; the message is one line."""


def extract_revision(path: Path, revision: str, folder: Path) -> Path:
    """Write the repository around a path, as it was in a revision, into a folder; gives the path there.

    Raises
    ------
    RevisionError
        Where there is no such repository, revision or path.
    """
    place = path.resolve()
    top = Path(_git(place if place.is_dir() else place.parent, "rev-parse", "--show-toplevel").decode().strip())
    if revision.startswith("-"):
        raise RevisionError(f"{revision} is no revision")
    data = _git(top, "archive", "--format=tar", revision)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder, filter="data")
    found = folder / place.relative_to(top.resolve())
    if not found.exists():
        raise RevisionError(f"{path} is not in {revision}")
    return found


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except OSError as error:
        raise RevisionError(f"git cannot be run: {error.strerror}") from None
    if done.returncode:
        raise RevisionError(next(iter(done.stderr.decode("utf-8", "replace").strip().splitlines()), "git fails"))
    return done.stdout
