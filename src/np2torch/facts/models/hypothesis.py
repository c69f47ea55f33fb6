"""Hypothesis: a strategy is known by what it draws."""

from __future__ import annotations

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.models.protocol import LibraryModel

STRATEGIES = "hypothesis.extra.numpy"
DRAWN = {"integers": v.INT, "floats": v.FLOAT, "booleans": v.BOOL, "text": v.TEXT}
"""The values that strategies of Hypothesis draw."""


class Hypothesis(LibraryModel):
    """Strategies, as iterators over what they draw."""

    def call(self, origin: str, arguments: Arguments) -> v.Fact | None:
        """Give a strategy."""
        if not origin.startswith("hypothesis."):
            return None
        module, _, name = origin.rpartition(".")
        facts = [*arguments.facts(), *(a.fact for n, a in arguments.keywords.items() if n == "shape")]
        if module == STRATEGIES and name == "arrays" and len(facts) > 1:
            return v.one(v.Iterator(v.one(v.Array(results.dtype_names(facts[0]), results.shape_rank(facts[1])))))
        return v.one(v.Iterator(DRAWN[name])) if module == "hypothesis.strategies" and name in DRAWN else v.TOP
