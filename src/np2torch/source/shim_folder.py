"""The place of the sources of the shim, which are read here and never imported."""

from __future__ import annotations

from pathlib import Path

import np2torch


def shim_folder() -> Path:
    """Give the folder of the shim that came with this np2torch."""
    return next(folder for path in reversed(list(np2torch.__path__)) if (folder := Path(path) / "shim").is_dir())
