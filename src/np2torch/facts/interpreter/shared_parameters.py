"""Parameters of a shared context, which are widened to top once they have grown a number of times."""

from __future__ import annotations

from typing import TypeVar

from np2torch.facts import values as v
from np2torch.facts.complex_tracking import to_top

By = TypeVar("By")
FEWER = 4
"""How much sooner a parameter that takes functions and instances may be anything."""
SIMPLE = frozenset({"array", "scalar", "number", "foreign", "none", "text", "unknown", "sequence", "iterator", "dtype"})


class SharedParameters:
    """Parameters joined over the calls that share a context, with widening of those that keep growing.

    Attributes
    ----------
    passed
        The same of simple kinds without that widening: what the calls are known to pass.
    """

    __slots__ = ("facts", "growth", "most", "passed")

    def __init__(self, facts: tuple[v.Fact, ...], most: int) -> None:
        self.facts = facts
        self.most = most
        self.growth = [0] * len(facts)
        self.passed = list(facts)

    def take_in(self, facts: tuple[v.Fact, ...]) -> tuple[v.Fact, ...]:
        """Join the parameters of a further call."""
        if facts != self.facts:
            self.facts = tuple(map(self._grown, range(len(facts)), self.facts, facts))
        return self.facts

    def _grown(self, index: int, past: v.Fact, fact: v.Fact) -> v.Fact:
        if past is fact or past == fact:
            return past
        if v.kinds(fact) <= SIMPLE:
            self.passed[index] = v.widen(v.join(self.passed[index], fact))
        if self.growth[index] < 0:
            return to_top(v.join(past, fact))
        grown = v.widen(v.join(past, fact))
        if grown == past:
            return past
        self.growth[index] += 1 if v.kinds(grown) <= SIMPLE else FEWER
        if self.growth[index] <= self.most and not v.is_anything(grown):
            return grown
        self.growth[index] = -1
        return to_top(grown)


def shared_key(
    contexts: dict[By, SharedParameters], by: By, facts: tuple[v.Fact, ...], growth: int
) -> tuple[v.Fact, ...]:
    """The parameters of the context that calls share; each may grow so often before it may be anything."""
    found = contexts.get(by)
    if found is None:
        found = contexts[by] = SharedParameters(facts, growth)
    return found.take_in(facts)
