"""Patterns in the style of .gitignore, asked of single files."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def names(patterns: tuple[str, ...], path: Path, root: Path) -> bool:
    """Tell whether patterns, relative to a folder, name a file in it."""
    if not patterns:
        return False
    relative = os.path.relpath(os.path.abspath(path), os.path.abspath(root)).replace(os.sep, "/")
    return not relative.startswith("../") and _compiled(patterns).match_file(relative)


@lru_cache(maxsize=64)
def _compiled(lines: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)
