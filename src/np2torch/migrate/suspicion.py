"""Suspicion of functions: those are at fault most likely that many failing tests call, and few that pass."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import sqrt


class Suspicion:
    """The suspicion of each function, by the tests that call it.

    Notes
    -----
    That of a function is `f / sqrt(f + p)` for `f` failing tests that call it, and `p` that have passed with it on
    torch, now or before (Ochiai's coefficient, but for a factor that all have).
    """

    def __init__(self) -> None:
        self._passed: dict[str, set[str]] = {}
        self._failing: dict[str, set[str]] = {}

    @property
    def is_known(self) -> bool:
        """Tell whether anything has been learned."""
        return bool(self._passed)

    def learn(self, passing: Mapping[str, Iterable[str]], failing: Mapping[str, Iterable[str]]) -> None:
        """Note what tests call on torch that have passed, and what those call that fail now."""
        self._failing = {}
        for tests, found in ((passing, self._passed), (failing, self._failing)):
            for name, entries in tests.items():
                for entry in entries:
                    found.setdefault(entry, set()).add(name)

    def of(self, entry: str) -> float:
        """Give that of one function."""
        failing = self._failing.get(entry, set())
        passed = self._passed.get(entry, set()) - failing
        return len(failing) / sqrt(len(failing) + len(passed)) if failing else 0.0

    def sort(self, entries: Collection[str]) -> list[str]:
        """Some functions, the most suspicious first; those alike stay as they are."""
        return sorted(entries, key=self.of, reverse=True)
