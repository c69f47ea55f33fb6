"""Setbacks: runs of all tests that fail many times as often as the best, and what was left on NumPy for it."""

from __future__ import annotations

import math

from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.trials import Failure

MOST_STALLED, GAIN = 3, 0.75
"""After so many runs that leave more than this share of the tests failing, ever more is left on NumPy."""
SETBACK = 4
"""A run with so many times as many tests failing as the best is undone."""


class Setbacks:
    """The best run of all tests while none has passed.

    Attributes
    ----------
    any
        Whether there was one: what is wide has to wait then, and hunts come first.
    """

    def __init__(self, left: LeftPlaces) -> None:
        self.left = left
        self.any = False
        self._stalled, self._least = 0, math.inf
        self._best: dict[str, Failure] = {}
        self._kept: dict[str, str] = {}

    @property
    def is_stalled(self) -> bool:
        """Tell whether runs do not get on."""
        return self._stalled >= MOST_STALLED

    def undone(self, failing: dict[str, Failure]) -> dict[str, Failure]:
        """Note a run; where it is a setback go back to the best, and give what failed then."""
        self._stalled += len(failing) > GAIN * self._least
        if len(failing) > SETBACK * self._least:
            self.any = True
            self.left.found.kept = dict(self._kept)
            self.left.say(f"  undone: {len(self._best)} failed before")
            return self._best
        if len(failing) <= self._least:
            self._least, self._best, self._kept = len(failing), failing, dict(self.left.reasons)
        return failing
