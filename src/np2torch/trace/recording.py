"""File format of recorded calls: a zip archive of JSON lines, as the traced program wrote them, without pickles."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

VALUES = "values.zip"
CALLS = "calls.jsonl"
LARGEST = 500_000_000


def save_calls(path: Path, lines: Sequence[str]) -> None:
    """Write recorded calls."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(CALLS, "".join(f"{line}\n" for line in dict.fromkeys(lines)))


def load_calls(path: Path) -> list[str]:
    """Read recorded calls, one line of JSON each.

    Raises
    ------
    ValueError
        Where the file is no recording.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo(CALLS).file_size > LARGEST:
                raise ValueError("it is too large")
            return archive.read(CALLS).decode("utf-8").splitlines()
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"no recording of np2torch trace ({error})") from None
