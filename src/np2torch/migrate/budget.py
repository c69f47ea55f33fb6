"""Time budget of a search; its unit is one run of all tests."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RESERVE = 2
"""For so many runs of all tests there has to be time while none has passed; the last may end later."""
RESERVED = 0.125
"""The share of the time that is kept for these at most, since the first run of all tests."""
MARGIN = 1.25
"""The next run of all tests may take so many times as long as the last."""
SLACK = 0.1
"""The share of its time that is left before the last run of all tests has to begin."""
HUNTED, HUNTED_AS = 120.0, 4.0
"""Seconds of all hunts of a search, and so many times what one analysis and one run of all tests take."""


class Budget:
    """The time that is left.

    Parameters
    ----------
    deadline
        When the search ends, by the monotonic clock; infinite for no limit. While nothing has passed, a run of all
        tests that has begun by then may come to its end.
    run_seconds
        How long a run of all tests takes, as far as is known.

    Attributes
    ----------
    share
        What the next run of some tests takes of that; None before all have run.
    """

    def __init__(self, deadline: float, run_seconds: float) -> None:
        self.deadline, self.run_seconds = deadline, run_seconds
        self.share: float | None = None
        self._time = deadline - time.monotonic()

    @property
    def is_limited(self) -> bool:
        """Tell whether the time can end at all."""
        return self.deadline < math.inf

    @property
    def last_end(self) -> float:
        """The end of the last run: nothing that is planned ends later."""
        return self.deadline

    @property
    def _next_seconds(self) -> float:
        """How long the next run of what has changed may take."""
        return MARGIN * self.run_seconds * (1.0 if self.share is None else self.share)

    @property
    def last_start(self) -> float:
        """The last time at which a run of what has changed can begin while nothing has passed."""
        return self.last_end - self._next_seconds

    @property
    def last_trial(self) -> float:
        """The end of all trials while nothing has passed, a little before that."""
        return self.last_start - SLACK * self._next_seconds

    @property
    def late(self) -> float:
        """The time that trials may take while nothing has passed: then there is only enough for the runs to come.

        Most of the time is for the search.
        """
        runs = RESERVE if self.share is None else RESERVE - 1
        return self.last_trial - min(runs * self._next_seconds, self._time * RESERVED)

    def late_with(self, runs: float, share: float) -> float:
        """The time that trials may take where more runs may have to come, in no more than this share of all time."""
        return min(self.late, self.last_end - min(runs * MARGIN * self.run_seconds, share * self._time))

    def is_for_trials(self, preparation: float) -> bool:
        """Tell whether the time that is left is too short for two more runs, yet not for trials before one."""
        now = time.monotonic()
        return now + preparation < self.last_trial and now + self._next_seconds >= self.last_start

    def has_run(self, has_best: bool) -> bool:
        """Tell whether what has changed can run once more; where something has passed before, within the time."""
        now = time.monotonic()
        return now + self._next_seconds < self.deadline if has_best else now < self.last_start

    def fits(self, share: float) -> bool:
        """Tell whether a run of so much of all tests can end in time while nothing has passed."""
        return time.monotonic() + self.run_seconds * share < self.last_end

    def is_late(self, has_best: bool, preparation: float = 0.0) -> bool:
        """Tell whether only so much time is left as is needed for the runs to come; when one has passed, for one.

        A trial would take some seconds before its tests begin, and cannot be cut off in them.
        """
        now = time.monotonic()
        return now + (1 + SLACK) * self._next_seconds > self.deadline if has_best else now + preparation > self.late

    def has_time(self, seconds: float) -> bool:
        """Tell whether something can take so long before another run of all tests."""
        return time.monotonic() + seconds + MARGIN * self.run_seconds < self.deadline

    @contextmanager
    def run(self, share: float) -> Iterator[None]:
        """Measure a run that tells how long all tests take, since it takes this share of that; 0 where it does not."""
        begin = time.monotonic()
        yield
        if share:
            self.run_seconds = (time.monotonic() - begin) / share
            self._time = max(0.0, self.deadline - time.monotonic())


class Allowance:
    """The time for all hunts of a search: one may take half of what is left, so that none takes all.

    Parameters
    ----------
    seconds
        What an analysis and a run of all tests take.
    """

    def __init__(self, seconds: float) -> None:
        self.left = HUNTED + HUNTED_AS * seconds

    @contextmanager
    def part(self) -> Iterator[Callable[[], bool]]:
        """Measure one hunt; it is told when its part has been used up."""
        begin = time.monotonic()
        end = begin + self.left / 2
        yield lambda: time.monotonic() > end
        self.left = max(0.0, self.left - (time.monotonic() - begin))
