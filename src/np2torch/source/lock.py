"""One run at a time in a folder: a lock that the system takes back when its process ends, however it ends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no such locks; files are compared before they are replaced there too
    fcntl = None  # type: ignore[assignment]

_held: set[int] = set()


@contextmanager
def file_lock(folder: Path, busy: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of a folder; where another run has it, call `busy` once and wait.

    The folder itself is locked, so that no file has to be made or cleaned up. Systems without such locks go on without.
    """
    handle = _opened(folder) if fcntl is not None else None
    if handle is None:
        yield
        return
    _held.add(handle)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            busy()
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:  # a network folder without locks
            pass
        yield
    finally:
        _held.discard(handle)
        os.close(handle)


def _opened(folder: Path) -> int | None:
    try:
        return os.open(folder, os.O_RDONLY)
    except OSError:
        return None


def _let_go() -> None:
    """Close the locks in a forked process, which would hold them when its parent is gone."""
    while _held:
        os.close(_held.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
