"""The worlds in which a body must be right behind each form of guard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from np2torch.facts import values as v
from np2torch.facts.guards import World

SINGLE = {"floating": ("float64", "float32"), "inexact": ("float64", "float32", "complex128", "complex64")}
"""The dtypes of what comes out of a guard."""
KINDS = {"f": ("float64", "float32"), "i": ("int64", "int32"), "u": ("uint8",), "b": ("bool",), "c": ("complex128",)}
"""By NumPy's letters for kinds of dtypes, those that stand for the kind."""
MEETING = (("f", "float64", "float32"), ("i", "float64", "int64"), ("c", "complex128", "float64"),
           ("u", "int64", "uint8"), ("b", "float64", "bool"))  # fmt: skip
"""Dtypes that stand for all that may meet, by the kind that must be taken for it."""
SOME_AXES = frozenset({1, 2, 3})
"""The ranks of arrays that have axes; more make no difference to how dtypes meet."""


@dataclass(frozen=True)
class Parameters:
    """The parameters that a guard is for.

    Attributes
    ----------
    names
        In their order.
    numeric
        Those that may be Python numbers.
    ranks
        The numbers of axes that are taken, where these are not any.
    """

    names: tuple[str, ...]
    numeric: tuple[str, ...] = ()
    ranks: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def same(self, dtype: str, but: str = "", other: str = "") -> World:
        """All are arrays of that dtype; one of them of another one."""
        return {name: v.array(other if name == but else dtype, self.ranks.get(name)) for name in self.names}

    def without(self, name: str) -> Parameters:
        """The others."""
        ranks = {one: axes for one, axes in self.ranks.items() if one != name}
        return Parameters(tuple(one for one in self.names if one != name), tuple(one for one in self.numeric if one != name), ranks)

    # --------------------------------------------------------------------------------------- behind the guard
    def of_one_dtype(self, kinds: Sequence[str]) -> list[World]:
        """All have one dtype, of one of these kinds."""
        return [self.same(dtype) for kind in kinds for dtype in KINDS[kind]]

    def of_one_precision(self, form: str, mixed: bool = True) -> list[World]:
        """What they may be after `floating` or `inexact`: real and complex ones together where that is `mixed`."""
        worlds = [self.same(dtype) for dtype in SINGLE[form]]
        if form == "inexact" and mixed:
            worlds += self._one_apart([("float64", "complex128")])
        return worlds

    def with_axes(self, kinds: Sequence[str] = "f") -> list[World]:
        """All have axes, and one has another dtype than the others."""
        pairs = [(one, other) for kind, one, other in MEETING if kind in kinds]
        return [
            {name: v.array(v.dtypes_of(fact), v.ranks_of(fact) or SOME_AXES) for name, fact in world.items()}
            for world in self._one_apart(pairs)
        ]

    def numbers_of_no_axes(self, kinds: Sequence[str]) -> list[World]:
        """A number became a tensor of no axes beside integers, which take its dtype."""
        return [
            self.same("int64") | {name: v.array("float64", 0)}
            for name in (self.numeric if len(self.names) > 1 and "i" in kinds and "f" in kinds else ())
        ]

    def numbers(self, names: Sequence[str]) -> list[World]:
        """Python numbers for several parameters, or for one of them."""
        worlds = []
        for number in (v.FLOAT, v.INT) if names else ():
            worlds.append(self.same("float64") | dict.fromkeys(names, number))
            worlds += [self.same("float64") | {name: number} for name in (names if len(self.names) > 1 else ())]
        return worlds

    # ------------------------------------------------------------------------------------------- before it
    def mixed(self, one: str, other: str) -> list[World]:
        """One of one dtype among others of another one, and the other way round."""
        return self._one_apart([(one, other)])

    def weak(self, dtype: str) -> list[World]:
        """Python numbers, one or as many as leave an array, among arrays of a dtype."""
        several = [(name,) for name in self.numeric]
        if 1 < len(self.numeric) < len(self.names):
            several.append(self.numeric)
        return [self.same(dtype) | dict.fromkeys(one, number) for number in (v.FLOAT, v.INT) for one in several]

    def lists(self) -> list[World]:
        """Lists of numbers, all of them or one."""
        lists = {name: _list(self.ranks.get(name)) for name in self.names}
        ones = [self.same("float64") | {name: lists[name]} for name in (self.names if len(self.names) > 1 else ())]
        return [lists, *ones]

    def _one_apart(self, pairs: Sequence[tuple[str, str]]) -> list[World]:
        worlds: list[World] = []
        for one, other in pairs if len(self.names) > 1 else ():
            for name in self.names:
                worlds.append(self.same(one, name, other))
                if len(self.names) > 2:
                    worlds.append(self.same(other, name, one))
        return worlds


def after(world: World, form: str, parameters: Parameters) -> World:
    """What a guard makes of numbers and lists."""
    whole = form in ("tensor", "tensors", "promote") and all(map(_is_whole, world.values()))
    return parameters.same("int64" if whole else "float64")


def _is_whole(fact: v.Fact) -> bool:
    return v.dtypes_of(fact) == frozenset({"int64"}) if v.only(fact, "array") else fact == v.INT


def _list(ranks: v.Ranks) -> v.Fact:
    inner = _list(frozenset({min(ranks) - 1})) if ranks and min(ranks) > 1 else v.FLOAT
    return v.one(v.Sequence("list", None, inner, filled=True))
