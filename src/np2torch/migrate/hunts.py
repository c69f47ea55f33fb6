"""Hunts: searches by trial that go on side by side; trials that do not touch each other share a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from typing import NamedTuple


class Trial(NamedTuple):
    """Some tests, to be run with more, or with less, left on NumPy.

    Attributes
    ----------
    company
        Tests that have to run as well, whether they pass or not; none other may.
    modules
        Those that have to be imported, for a start; what else they import is not known, so no other trial goes with it.
    """

    tests: Sequence[str]
    more: frozenset[str] = frozenset()
    fewer: frozenset[str] = frozenset()
    company: Sequence[str] = ()
    modules: Sequence[str] = ()


Hunt = Generator[Trial, bool, None]
"""Yields trials and is sent the answers; what it finds it keeps to itself."""
Reach = Callable[[Trial], Collection[str]]
"""The entries that have to do with the tests of a trial."""
Ask = Callable[[Sequence[Sequence[Trial]]], Iterable[Sequence[bool]]]
"""Runs batches of trials and says for each trial whether its tests pass."""


class _Open:
    """A hunt that waits for the answer to its trial."""

    def __init__(self, hunt: Hunt, reach: Reach) -> None:
        self.hunt, self._reach = hunt, reach
        self.is_done = False
        self.send(None)

    def send(self, answer: bool | None) -> None:
        """Go on to the next trial."""
        try:
            self.trial = self.hunt.send(answer) if answer is not None else next(self.hunt)
        except StopIteration:
            self.is_done = True
        else:
            self.near = frozenset(self._reach(self.trial))

    def is_apart(self, other: _Open) -> bool:
        """Tell whether neither trial changes what the other is about."""
        pairs = ((self, other), (other, self))
        return not any(
            one.trial.company
            or one.trial.modules
            or (one.trial.more - two.trial.more) & two.near
            or (one.trial.fewer - two.trial.fewer) & two.near
            for one, two in pairs
        )


def follow(hunts: Iterable[Hunt], reach: Reach, ask: Ask, width: int, is_late: Callable[[], bool]) -> int:
    """Carry hunts to their ends, or until it is late; how many are broken off.

    Of their trials so many batches are run at a time.
    """
    waiting = [_Open(hunt, reach) for hunt in hunts]
    while waiting := [one for one in waiting if not one.is_done]:
        if is_late():
            break
        batches = _batches(waiting)[:width]
        for batch, good in zip(batches, ask([[one.trial for one in batch] for batch in batches]), strict=True):
            for one, answer in zip(batch, good, strict=True):
                one.send(answer)
    for one in waiting:
        one.hunt.close()
    return len(waiting)


def _batches(waiting: Sequence[_Open]) -> list[list[_Open]]:
    """Group the trials that can share one run of the tests."""
    batches: list[list[_Open]] = []
    for one in waiting:
        batch = next((batch for batch in batches if all(map(one.is_apart, batch))), None)
        if batch is None:
            batches.append([one])
        else:
            batch.append(one)
    return batches
