"""Time that a process is given, less what it waits for a processor: a busy machine makes no function slow."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

MOST = 9.0
"""How many times its limit a process may wait for a processor beside it."""


class Spending(Protocol):
    """A side that counts the seconds of its calls."""

    spent: float


class Allowance:
    """Seconds that a stage of a function may take, in processes that make calls and in this one.

    Parameters
    ----------
    others
        Those whose calls count.
    """

    def __init__(self, seconds: float, others: Sequence[Spending] = ()) -> None:
        self.others = others
        self.end = self._now() + seconds

    def _now(self) -> float:
        return time.process_time() + sum(one.spent for one in self.others)

    @property
    def remaining(self) -> float:
        """The seconds that are left, 0 where none are."""
        return max(0.0, self.end - self._now())


WHOLE = 12.0
"""Seconds that a function takes which takes all the time it is given."""


class Shares:
    """Time divided among functions, each of which has its turn: what one leaves is for those that follow.

    Parameters
    ----------
    seconds
        The time for all of them; infinite where each may take what it takes.
    count
        How many there are.
    """

    def __init__(self, seconds: float, count: int) -> None:
        self.end = time.monotonic() + seconds
        self.left = count

    def take(self) -> float:
        """Give the share of its time that the next function has, up to 1."""
        seconds = max(0.0, self.end - time.monotonic()) / max(1, self.left)
        self.left -= 1
        return min(1.0, seconds / WHOLE)


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
