"""The run of all tests that comes nearest to all passing, and setbacks: runs that fail many times as often."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from math import sqrt

from np2torch.migrate.left_places import LeftPlaces, SearchResult
from np2torch.migrate.trials import OVER, Failure

MOST_STALLED, GAIN = 3, 0.75
"""After so many runs that leave more than this share of the tests failing, ever more is left on NumPy."""
FEW, MANY = 0.05, 50
"""Where no more than this share of so many tests fails, these are few."""
SHORT = 0.1
"""Where nothing is converted otherwise, the best run is shown if no more than this share of all tests failed in it."""
UNSEEN = 0.5
"""The same, if no more than this share of all tests has not run for want of time."""
SETBACK = 4
"""A run with so many times as many tests failing as the best is undone."""


class Setbacks:
    """The best run of all tests while none has passed.

    Attributes
    ----------
    any
        Whether there was a setback: what is wide has to wait then, and hunts come first.
    nearest
        What was left on NumPy when fewest tests failed, and where as many did most was converted; None before a run.
    failed
        The tests that failed then, with their errors.
    least
        The number of tests that failed in the run of all tests where fewest did; infinite before a run.
    """

    def __init__(self, left: LeftPlaces) -> None:
        self.left, self.baseline = left, left.baseline
        self.any = False
        self.nearest: SearchResult | None = None
        self._stalled, self.least = 0, math.inf
        self._rank: tuple[float, ...] = (math.inf,)
        self.failed: dict[str, Failure] = {}
        self._given_up: dict[str, str] = {}

    @property
    def is_stalled(self) -> bool:
        """Tell whether runs do not get on."""
        return self._stalled >= MOST_STALLED

    @property
    def good_enough(self) -> SearchResult | None:
        """The nearest, where all tests that failed then may be given up."""
        return self.nearest if self._is_allowed(self.failed, self._given_up) else None

    def are_few(self, failing: Collection[str], times: float = 1.0) -> bool:
        """Tell whether these are few of many tests, or so many times as many as are few at most."""
        every = len(self.baseline.order)
        return every >= MANY and len(failing) <= FEW * times * every

    @property
    def figures(self) -> tuple[int, int]:
        """How many tests failed in the best run, and how many uses of NumPy were converted."""
        failed = {*self.failed, *self._given_up}.difference(self.baseline.unrelated)
        return len(failed), self.left.share(self.nearest) if self.nearest is not None else 0

    def ends_short(self) -> bool:
        """End with the best run though more tests failed than may be given up; whether it does.

        That is where nothing is converted otherwise, and these tests are few. They count as not solved, as do those
        that have not run.
        """
        failed, converted = self.figures
        every = self.baseline.number
        unseen = sum(failure.error == OVER for failure in self.failed.values())
        are_many = failed - unseen > SHORT * (every - unseen) or unseen > UNSEEN * every
        if not converted or self.left.share(self.left.found) or are_many:
            return False
        assert self.nearest is not None
        self.left.found = found = self.nearest
        unsolved = {**self._given_up, **found.unsolved}
        found.unsolved = {test: why for test, why in unsolved.items() if test not in self.baseline.unrelated}
        return True

    def is_setback(self, failing: Mapping[str, Failure]) -> bool:
        """Note a run of all tests; tell whether it is a setback."""
        self._stalled += len(failing) > GAIN * self.least
        is_setback = len(failing) > SETBACK * self.least
        self.any |= is_setback
        self.note(failing)
        return is_setback

    def go_back(self) -> dict[str, Failure]:
        """Leave on NumPy what was left there in the best run, and nothing else; give the tests that failed then."""
        assert self.nearest is not None
        self.left.found.kept = dict(self.nearest.kept)
        self.baseline.take_up(self.baseline.given_up.keys() - self._given_up.keys())
        self.left.say(f"  undone: {len(self.failed)} failed before")
        unrelated = self.baseline.unrelated
        return {name: failure for name, failure in self.failed.items() if name not in unrelated}

    def take_back(self, borders: Mapping[str, Iterable[str]]) -> bool:
        """Convert again what breaks more tests than it mends, and give these up where they may be; whether it was any.

        Parameters
        ----------
        borders
            By test that passed before, what was left on NumPy since and may be at fault.
        """
        broken: dict[str, set[str]] = {}
        for test, entries in borders.items():
            for entry in entries:
                broken.setdefault(entry, set()).add(test)
        mended = {entry: self.left.suspects.get(entry, set()).difference(borders) for entry in broken}
        gone: dict[str, Failure] = {}
        for entry in sorted(broken, key=lambda one: len(mended[one]) / len(broken[one])):
            new = {name: self.failed.get(name, Failure(self.left.reasons[entry])) for name in mended[entry]}
            if len(new) < len(broken[entry]) and self.left.may_give_up({**gone, **new}):
                gone |= new
                self.left.tell([entry], "converted again, since it breaks more than it mends")
                del self.left.reasons[entry]
        if gone:
            self.left.give_up(gone)
        return bool(gone)

    def bar(self, borders: Mapping[str, Iterable[str]], failing: Collection[str]) -> bool:
        """Convert again what breaks more tests than it mends, so few entries that they explain most; whether any.

        Errors lead there no more: other places are looked for, for what they mended.

        Parameters
        ----------
        borders
            By test that passed before, what was left on NumPy since and may be at fault.
        failing
            All that fail now.
        """
        waiting = {test: set(entries) for test, entries in borders.items()}
        calls = self.baseline.functions
        passing = Counter(one for test in self.baseline.order if test not in failing for one in calls.get(test, ()))
        gone: list[str] = []
        while True:
            broken = Counter(entry for entries in waiting.values() for entry in entries)
            mended = {one: len(self.left.suspects.get(one, set()).difference(failing)) for one in broken}
            guilty = [one for one in broken if broken[one] > mended[one] and one not in self.left.barred]
            if not guilty:
                break
            worst = max(guilty, key=lambda one: (broken[one] / sqrt(broken[one] + passing[one]), one))
            waiting = {test: entries for test, entries in waiting.items() if worst not in entries}
            self.left.barred.add(worst)
            del self.left.reasons[worst]
            gone.append(worst)
        self.left.tell(gone, "converted again, since it breaks more than it mends")
        return bool(gone)

    def note(self, failing: Mapping[str, Failure], tried: SearchResult | None = None) -> None:
        """Remember what is left on NumPy now, or was in a run beside the search, where it is the best."""
        self.least = min(self.least, len(failing))
        given_up = dict(self.baseline.given_up)
        found = (tried or self.left.found).copy()
        rank = not self._is_allowed(failing, given_up), len({*failing, *given_up}), -self.left.share(found)
        if rank <= self._rank:
            self.nearest, self._rank, self.failed, self._given_up = found, rank, dict(failing), given_up
            found.unsolved.update({name: failure.error for name, failure in failing.items()})

    def _is_allowed(self, failing: Iterable[str], given_up: Iterable[str]) -> bool:
        """Tell whether tests that fail may be given up beside those that are."""
        return self.left.is_allowed(len({*failing, *given_up}.difference(self.baseline.unrelated)))
