"""Hunts that wait until something has passed: all that they may find is left on NumPy meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.trials import Failure


class PostponedHunts:
    """The hunts that were not made while nothing had passed.

    Notes
    -----
    Instead of one, all that a failing test calls is left on NumPy at once, or its modules. When something has passed
    that is undone and the tests are looked at again; for those whose hunts do not end in time it is done again.
    """

    def __init__(self, left: LeftPlaces) -> None:
        self.left = left
        self._before: dict[str, str] = {}
        self._kept: dict[str, str] = {}
        self._of_test: dict[str, Mapping[str, str]] = {}
        self._waiting: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def resume(self, hasty: Collection[str], called: Mapping[str, Collection[str]]) -> None:
        """Take what an earlier search left in haste for left by this one, for all tests that call any of it."""
        kept = {entry: why for entry, why in self.left.reasons.items() if entry in hasty}
        for test, entries in called.items():
            parts = {part for entry in entries for part in (entry, *self.left.conversion.wider(entry))}
            if mine := {entry: why for entry, why in kept.items() if entry in parts}:
                self._of_test[test] = mine
                self._waiting.append(test)
        self._before = {entry: why for entry, why in self.left.reasons.items() if entry not in kept}
        self._kept = kept

    def keep_more(self, failing: Mapping[str, Failure], begin: int) -> bool:
        """Leave on NumPy what these tests call, or more; whether there was any left."""
        before = dict(self.left.reasons)
        is_new = self.left.keep_more(failing, begin)
        new = {entry: why for entry, why in self.left.reasons.items() if entry not in before}
        if not self._waiting:
            self._before = before
        self._kept.update(new)
        for name in failing:
            mine = {entry: why for entry, why in new.items() if name in self.left.suspects.get(entry, ())}
            self._of_test[name] = {**self._of_test.get(name, {}), **mine}
        self._waiting += [name for name in failing if name not in self._waiting]
        return is_new

    def undo(self) -> list[str]:
        """Convert again all that was left on NumPy before its search; give the tests that it was left for."""
        later = {entry: why for entry, why in self.left.reasons.items() if entry not in self._kept}
        self.left.found.kept = {**self._before, **later}
        self.left.drop_covered()
        waiting, self._waiting, self._kept = self._waiting, [], {}
        return waiting

    def forget(self) -> None:
        """Hunt none of them."""
        self._before, self._kept, self._of_test, self._waiting = {}, {}, {}, []

    def put_back(self, failing: Mapping[str, Failure]) -> bool:
        """Leave on NumPy what had been enough for these tests; whether there is any."""
        new = {entry: why for name in failing for entry, why in self._of_test.get(name, {}).items()}
        fresh = self.left.not_kept(new)
        self.left.reasons.update({entry: new[entry] for entry in fresh})
        self.left.drop_covered()
        return bool(fresh)
