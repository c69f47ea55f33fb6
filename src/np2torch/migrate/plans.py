"""Plans for the next run of what has changed: how long it takes, and what it has time for when all ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from np2torch.migrate.budget import Budget
from np2torch.migrate.growing import Growing
from np2torch.migrate.left_places import CALLED, MODULES, LeftPlaces, SearchResult
from np2torch.migrate.setbacks import Setbacks
from np2torch.migrate.trials import Failure, Trials

MOST_CALLED = 3
"""After so many runs of all tests modules are left on NumPy in haste, no more what tests call."""
NEARLY_ALL = 0.75
"""Where it takes more than this share of a run of all tests to begin from the other end, all run instead."""
AT_LAST = (64, 32, 16, 8, 4, 2, 1)
"""So many of the likely culprits of each test stay for the last run, where it has no time for all."""


class Plans:
    """Plans for the next run of the tests that what has changed concerns.

    Attributes
    ----------
    grown
        What was found from the other end, with all modules on NumPy, where all tests seemed to take too long.
    """

    def __init__(self, trials: Trials, left: LeftPlaces, budget: Budget, setbacks: Setbacks) -> None:
        self.trials, self.left, self.budget, self.setbacks = trials, left, budget, setbacks
        self.grown: SearchResult | None = None

    def cost(self, more: Iterable[str] = ()) -> float:
        """The share of a run of all tests that the next takes, with more left on NumPy than is now."""
        proof = self.trials.proof
        return proof.cost({*(entry for entry in self.left.reasons if entry not in proof.left), *more})

    def expect(self, failing: Iterable[str]) -> None:
        """Estimate how long the next run takes: with what is left now, or with all that failing tests call."""
        if self.trials.proof.is_begun:
            functions = self.trials.baseline.functions
            called = {entry for test in failing for entry in functions.get(test, ())}
            self.budget.share = max(self.cost(), self.cost(self.left.not_kept(called)))

    def step(self, number: int = 0) -> int:
        """Give the step to begin with when time is short: running what changed takes little once all tests have run."""
        return CALLED if self.trials.proof.is_begun and number < MOST_CALLED else MODULES

    def prepares_run(self, failing: Mapping[str, Failure], has_best: bool) -> bool:
        """Tell whether the next run of all has time, at last with all on NumPy that those call which failed before."""
        if has_best or not self.trials.proof.is_begun:
            return self.budget.has_run(has_best) or not has_best and self._dares()
        self.budget.share = self.cost()
        return self.budget.has_run(has_best) or self.keep_affordable(failing, CALLED)

    def _dares(self) -> bool:
        """Tell whether all run though they seem to take too long: nothing less can be shown in the time either.

        How long they take has been estimated from few, or from NumPy.
        """
        return not self.grows(most=NEARLY_ALL) and not self.trials.runner.is_over()

    def grows(self, failing: Iterable[str] = (), most: float = 1.0) -> bool:
        """Begin from the other end, once; tell whether anything can be converted so, in this share of all tests."""
        if self.grown is None:
            proof = self.trials.proof
            state = proof.state()
            self.grown = Growing(self.trials, self.left, self.budget, self.setbacks).grow(failing, most)
            proof.go_back(state)
        return self.grown is not None

    def keep_affordable(self, failing: Mapping[str, Failure], step: int) -> bool:
        """Leave on NumPy so much of what tests call as one more run has time for, the likely first; whether any."""
        likely = [self.left.likely(failing, most) for most in AT_LAST] if step == CALLED else []
        for new in (self.left.more(failing, step), *likely):
            entries = {entry for _, few in new.values() for entry in few}
            if entries and self.budget.fits(cost := self.cost(entries)):
                self.budget.share = cost
                self.left.keep(new)
                self.left.drop_covered()
                return True
        return False
