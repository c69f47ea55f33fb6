"""Room for syntax trees that are deeper than Python lets calls nest."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

DEEPEST = 20_000


@contextmanager
def nesting_deeply() -> Iterator[None]:
    """Let calls nest deeply: a sum of hundreds of terms is a tree as deep."""
    deep = sys.getrecursionlimit()
    sys.setrecursionlimit(max(deep, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(deep)
