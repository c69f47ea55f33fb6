"""Limits of call contexts: fewer per function in a long project, and once much has been spent on it or on all.

What is not told apart is taken together: it is known less of, and nothing known is wrong for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from np2torch.facts.interpreter.definitions import FunctionDefinition, ModuleInfo

MANY_LINES = 40_000
MOST_SPENT = 60_000
"""In a project this long, and of a function whose runs have come to so many nodes, calls are spared."""
EACH_LINE = 5
FREE = 200_000
"""Once all runs have come to so many nodes for each line of the project, and these, hardly any call is told apart."""


class BudgetSpentError(Exception):
    """Error of a trial whose budget is spent."""


class Level(NamedTuple):
    """The number of contexts of a function, and how often a parameter of a shared one may grow."""

    contexts: int
    growth: int


FULL = Level(6, 16)
SPARING = Level(3, 4)
BARE = Level(1, 1)


class Budget:
    """The cost of running functions so far, in nodes, and its limits.

    Parameters
    ----------
    modules
        All there are.
    at_most
        So many nodes may be run; then `BudgetSpentError` is raised.

    Attributes
    ----------
    lines
        How many lines the modules have.
    """

    __slots__ = ("_at_most", "_is_long", "_most", "_spent", "lines")

    def __init__(self, modules: Iterable[ModuleInfo] = (), at_most: float = inf) -> None:
        self.lines = sum(module.text.count("\n") for module in modules)
        self._is_long = self.lines > MANY_LINES
        self._most = EACH_LINE * self.lines + FREE
        self._spent, self._at_most = 0, at_most

    def anew(self, at_most: float = inf) -> Budget:
        """The same limits with nothing spent, for a run of its own."""
        budget = Budget(at_most=at_most)
        budget._is_long, budget._most = self._is_long, self._most
        return budget

    @property
    def node_count(self) -> int:
        """The number of nodes in all bodies that were run."""
        return self._spent

    def spend(self, nodes: int) -> None:
        """Take in a run of a body with so many nodes.

        Raises
        ------
        BudgetSpentError
            More nodes are run than the budget has.
        """
        self._spent += nodes
        if self._spent > self._at_most:
            raise BudgetSpentError

    def level(self, function: FunctionDefinition) -> Level:
        """Give the limits of a function's contexts from here on."""
        if self._spent > self._most:
            return BARE
        return SPARING if self._is_long or function.spent > MOST_SPENT else FULL


class TrialBudget:
    """The number of nodes in all bodies that trials ran, and its limit.

    Attributes
    ----------
    spent
        The number so far.
    """

    __slots__ = ("_most", "spent")

    def __init__(self) -> None:
        self.spent, self._most = 0, inf

    @property
    def remainder(self) -> float:
        """The number of nodes that may be run before the limit is reached."""
        return self._most - self.spent

    def spend(self, nodes: int) -> None:
        """Take in the nodes that a trial ran."""
        self.spent += nodes

    @contextmanager
    def limit(self, at_most: float) -> Iterator[None]:
        """Let trials run so many nodes more, for a while; the one that would run more ends with `BudgetSpentError`."""
        before, self._most = self._most, self.spent + at_most
        try:
            yield
        finally:
            self._most = before
