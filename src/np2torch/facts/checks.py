"""The lines of guards that change nothing: what they let through is of double precision, or a Python number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from np2torch.facts import values as v


@dataclass(frozen=True, slots=True)
class Check:
    """The line that checks attributes, `shim.floating(self.x, only="double")`, or parameters that are numbers.

    Attributes
    ----------
    facts
        What each of them is behind it: an array of float64, or a number where it may be one.
    """

    facts: Mapping[str, v.Fact]

    def text(self, shim: str) -> str:
        """The line, by what the shim is called there; parameters are bound to what they are already."""
        arrays = [path for path, fact in self.facts.items() if not v.known_to_include(fact, "number")]
        numbers = () if len(arrays) < len(self.facts) else ("numbers=False",)
        only = () if numbers or not arrays else (f"numbers={flags(tuple(self.facts), arrays)}",)
        each = [spell_ranks(v.ranks_of(fact)) for fact in self.facts.values()]
        axes = () if set(each) == {"None"} else (f"ndim={of_each(each)}",)
        options = ", ".join([*self.facts, 'only="double"', *numbers, *only, *axes])
        target = "" if any("." in path for path in self.facts) else f"{', '.join(self.facts)} = "
        return f"{target}{shim}.floating({options})"


def flags(names: Sequence[str], refused: Sequence[str]) -> str:
    """The option that is False for some of the names."""
    return of_each([str(name not in refused) for name in names])


def of_each(words: Sequence[str]) -> str:
    """The option that says a word of each name; the word alone where it is the same for all."""
    return words[0] if len(set(words)) == 1 else f"({', '.join(words)})"


def spell_ranks(ranks: v.Ranks) -> str:
    """The numbers of axes as the option `ndim` takes them."""
    if ranks is None:
        return "None"
    each = ", ".join(map(str, sorted(ranks)))
    return each if len(ranks) == 1 else f"{{{each}}}"
