"""From a project on NumPy to one with some modules converted: what the time has room for, where it has none for all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from np2torch.migrate.budget import MARGIN, Budget
from np2torch.migrate.left_places import LeftPlaces, SearchResult
from np2torch.migrate.runner import concerned_tests
from np2torch.migrate.setbacks import Setbacks
from np2torch.migrate.trials import OVER, Trials

PART = 0.4
"""The share of the time that the first run takes at most: others follow where tests fail."""
MOST_RUNS = 4


class Growing:
    """Converts modules that few tests call, until the time is over: the rest stays on NumPy, where all tests pass."""

    def __init__(self, trials: Trials, left: LeftPlaces, budget: Budget, setbacks: Setbacks) -> None:
        self.trials, self.left, self.budget, self.setbacks = trials, left, budget, setbacks
        self.conversion, self.baseline = trials.conversion, trials.baseline

    def grow(self, failing: Iterable[str] = (), most: float = 1.0) -> SearchResult | None:
        """Convert what can be; None where that is nothing. Each test has passed with all that it calls.

        Nothing is converted that tests call which are known to be `failing`; these run as well. Nothing runs either
        where the first run would take more than this share of a run of all tests, which shows more.
        """
        known = [*failing]
        self.trials.runner.stop_at(self.budget.last_end)
        if self.trials.runner.is_over():
            return None
        self.trials.proof.begin_on_numpy(self.baseline.functions)
        chosen = self._fitting(self._affordable() - self._near(known), known)
        calling = [test for test in self.baseline.order if not self._near([test]).isdisjoint(chosen)]
        if self.trials.proof.part_on_numpy(calling) > most:
            return None
        for _ in range(MOST_RUNS):
            if not chosen or self.trials.runner.is_over():
                return None
            kept = self._kept(chosen)
            tests = self._tests(kept, known)
            if not self._has_time(tests, chosen):
                return None
            lost = self.trials.not_imported(kept, self.baseline.modules)
            failing = self.trials.failures(kept, tests, is_all=True) if tests and not lost else {}
            if failing and not lost:  # where nothing is better, that is how it ends
                self.setbacks.note(failing, SearchResult(dict.fromkeys(kept, OVER)))
            if self.trials.runner.is_over():
                return None
            self.left.say(f"{len(failing)} of {len(tests)} tests fail with {len(chosen)} modules converted")
            if not failing and not lost:
                return SearchResult(dict.fromkeys(kept, OVER))
            chosen -= self._near(failing) | lost.keys() | set(self.conversion.imported_by(lost))
        return None

    def _kept(self, chosen: Collection[str]) -> list[str]:
        """List the modules that stay on NumPy where these are converted."""
        return [one for one in self.conversion.all_modules() if one not in chosen]

    def _tests(self, kept: Sequence[str], known: Iterable[str]) -> list[str]:
        """List the tests that have to run with some modules on NumPy, and those that are known to fail."""
        return concerned_tests({*self.trials.proof.tests_to_run(kept), *known}, self.baseline.order)

    def _has_time(self, tests: Collection[str], chosen: Collection[str]) -> bool:
        """Tell whether tests can run in time: those that call nothing of that take what they took on NumPy."""
        calling = {test for test in tests if not self._near([test]).isdisjoint(chosen)}
        part = self.trials.proof.part_on_numpy
        seconds = MARGIN * self.baseline.run_seconds * part(set(tests) - calling)
        return self.budget.fits(part(calling) + seconds / self.budget.run_seconds)

    def _fitting(self, chosen: set[str], known: Iterable[str]) -> set[str]:
        """Give of some modules so many as there is time for: all import what a module does else at its import."""
        callers = dict.fromkeys(chosen, 0)
        for test in self.baseline.order:
            for module in self._near([test]).intersection(chosen):
                callers[module] += 1
        ranked = sorted(chosen, key=lambda one: (callers[one], -self.conversion.sites_in(one), one))
        while ranked and not self.trials.runner.is_over():  # each look converts the project
            if self._has_time(self._tests(self._kept(set(ranked)), known), ranked):
                return set(ranked)
            ranked = ranked[: len(ranked) // 2]
        return set()

    def _near(self, tests: Iterable[str]) -> set[str]:
        """The modules that tests call."""
        return {entry.partition(":")[0] for test in tests for entry in self._called(test)}

    def _called(self, test: str) -> Iterable[str]:
        """List the functions that a test calls, and the module that it stands in."""
        own = self.conversion.module_of_test(test)
        return [*self.baseline.functions.get(test, ()), *([own] if own else [])]

    def _affordable(self) -> set[str]:
        """Choose the modules that convert most for the tests that have to run, while there is time for these."""
        callers: dict[str, set[str]] = {}
        for test in self.baseline.order:
            for entry in self._called(test):
                callers.setdefault(entry.partition(":")[0], set()).add(test)
        modules = [one for one in self.conversion.all_modules() if self.conversion.sites_in(one)]
        part = self.trials.proof.part_on_numpy
        modules.sort(key=lambda one: part(callers.get(one, ())) / self.conversion.sites_in(one))
        chosen: set[str] = set()
        tests: set[str] = set()
        for module in modules:
            more = tests | callers.get(module, set())
            if self.budget.fits(part(more) / PART):
                chosen.add(module)
                tests = more
        return chosen
