"""The lines of guards that change nothing: what they let through is of double precision, or a Python number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from np2torch.facts import values as v

INDICES = v.array({"int64", "int32", "bool"})
"""What an array of indices is behind its line."""
INDEX = v.join(INDICES, v.INT)
"""The same of one that may be a list, or a number."""
MADE = INDICES | v.array("int64", 1)
"""The same of one that the function makes an array itself; vectors are named to tell it from the others."""
OF_INDICES = (INDEX, INDICES, MADE)


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


@dataclass(frozen=True, slots=True)
class IndexLine:
    """The line of a parameter that is an array of indices: integers that torch indexes by, bools.

    Attributes
    ----------
    behind
        What it is behind its line. Lists and numbers are refused where the function asks for what these do not have,
        become tensors where it makes arrays of them itself, and else numbers stay.
    """

    name: str
    behind: v.Fact

    def text(self, shim: str) -> str:
        """The line, by what the shim is called there."""
        others = {INDICES: ", numbers=False, lists=False", INDEX: ", numbers=True", MADE: ""}[self.behind]
        return f'{self.name} = {shim}.tensor({self.name}, kinds="ib"{others})'


def check_lines(facts: Mapping[str, v.Fact]) -> list[Check | IndexLine]:
    """The lines of attributes, or of parameters: one for numbers and float64, one for each array of indices."""
    indices = [IndexLine(name, fact) for name, fact in facts.items() if fact in OF_INDICES]
    others = {name: fact for name, fact in facts.items() if fact not in OF_INDICES}
    return [*indices, *([Check(others)] if others else [])]


def lets_through(behind: v.Fact, atom: v.Atom) -> bool:
    """Tell whether the line behind which a parameter is this takes an alternative; what nobody knows is taken."""
    if isinstance(atom, v.Num):
        return any(isinstance(one, v.Num) and one.type == atom.type for one in behind)
    dtypes, ranks = v.dtypes_of(_arrays(behind)) or frozenset(), v.ranks_of(behind)
    if isinstance(atom, v.Sequence):
        return behind == INDEX and v.only(v.elements(atom), "number")
    if not isinstance(atom, (v.Array, v.Scalar)):
        return isinstance(atom, v.Top)
    has = frozenset({0}) if isinstance(atom, v.Scalar) else atom.ranks
    return likely(atom.dtypes) <= dtypes and (ranks is None or has is not None and has <= ranks)


def likely(dtypes: v.Names) -> frozenset[str]:
    """The dtypes without complex ones beside real ones: these come of what is not known, a root or a power."""
    real = frozenset(dtype for dtype in dtypes or () if dtype[0] != "c")
    return real or dtypes or frozenset()


def let_through(behind: v.Fact, fact: v.Fact) -> v.Fact:
    """Give what is left of a fact behind such a line."""
    numbers = v.keep(fact, lambda atom: isinstance(atom, v.Num) and lets_through(behind, atom))
    numbers = v.join(numbers, v.keep(behind, _is_number)) if v.known_to_include(fact, "unknown") else numbers
    return v.join(numbers, _arrays(behind)) if not v.only(fact, "number", "none") else numbers


def _arrays(fact: v.Fact) -> v.Fact:
    return v.keep(fact, lambda atom: not _is_number(atom))


def _is_number(atom: v.Atom) -> bool:
    return isinstance(atom, v.Num)


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
