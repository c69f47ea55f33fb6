"""Time that a process is given, less what it waits for a processor: a busy machine makes no function slow."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST = 9.0
"""How many times its limit a process may wait for a processor beside it."""


def waiting_time(process: int | str = "self") -> float:
    """The seconds that a process has waited for a processor; 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def now() -> float:
    """The time of this process, to be compared with an earlier one."""
    return time.perf_counter() - waiting_time()


def clock_of(process: int, seconds: float) -> Callable[[], float]:
    """A clock that stands still while a process waits for a processor, up to some times a limit of its own."""
    before = waiting_time(process)
    return lambda: time.monotonic() - min(max(0.0, waiting_time(process) - before), MOST * seconds)
