"""The worlds in which a body must be right behind each form of guard."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from np2torch.facts import values as v
from np2torch.facts.guards import CALLED, World

SINGLE = {"floating": ("float64", "float32"), "inexact": ("float64", "float32", "complex128", "complex64")}
"""The dtypes of what comes out of a guard."""
DOUBLE = {"floating": ("float64",), "inexact": ("float64", "complex128")}
"""The same where single precision is refused."""
KINDS = {"f": ("float64", "float32"), "i": ("int64", "int32"), "u": ("uint8",), "b": ("bool",), "c": ("complex128",)}
"""By NumPy's letters for kinds of dtypes, those that stand for the kind."""
MEETING = (
    ("f", "float64", "float32"), ("i", "float64", "int64"), ("i", "int64", "int32"), ("c", "complex128", "float64"),
    ("u", "int64", "uint8"), ("u", "float32", "uint8"), ("b", "float64", "bool"), ("b", "float32", "bool"),
)  # fmt: skip
"""Dtypes that stand for all that may meet, by the kind that must be taken for it."""
SHORT = frozenset({"float32", "complex64", "int32"})
"""The dtypes of these that are refused with single precision."""
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
    single
        Whether single precision is accepted.
    optional
        Those that may be None.
    kept
        Those of which no whole numbers are taken: they would become float64.
    """

    names: tuple[str, ...]
    numeric: tuple[str, ...] = ()
    ranks: Mapping[str, frozenset[int]] = field(default_factory=dict)
    single: bool = True
    optional: frozenset[str] = frozenset()
    kept: tuple[str, ...] = ()

    @property
    def is_called(self) -> bool:
        """Tell whether one of them is called, so that a guard sees to its results."""
        return any(name.endswith(CALLED) for name in self.names)

    def same(self, dtype: str, but: str = "", other: str = "") -> World:
        """List the worlds in which all are arrays of a dtype, or one of them has another."""
        return {name: v.array(other if name == but else dtype, self.ranks.get(name)) for name in self.names}

    def without(self, name: str) -> Parameters:
        """The others."""
        ranks = {one: axes for one, axes in self.ranks.items() if one != name}
        names, numeric = (tuple(one for one in several if one != name) for several in (self.names, self.numeric))
        return replace(self, names=names, numeric=numeric, ranks=ranks, optional=self.optional - {name})

    # --------------------------------------------------------------------------------------- behind the guard
    def of_one_dtype(self, kinds: Sequence[str]) -> list[World]:
        """List the worlds in which all have one dtype, of one of these kinds."""
        return [self.same(dtype) for kind in kinds for dtype in KINDS[kind] if self.single or dtype not in SHORT]

    def of_one_precision(self, form: str, mixed: bool = True) -> list[World]:
        """Give the worlds after `floating` or `inexact`; real and complex dtypes are combined if `mixed`."""
        worlds = [self.same(dtype) for dtype in (SINGLE if self.single else DOUBLE)[form]]
        if form == "inexact":
            pairs = [("float64", "complex128")]
            worlds += self._one_apart(pairs) if mixed else self._without_axes([("complex128", "float64")])
        return worlds

    def with_axes(self, kinds: Sequence[str] = "f") -> list[World]:
        """List the worlds in which one has another dtype: all with axes, or that one with none and a lesser dtype."""
        pairs = [(one, other) for kind, one, other in MEETING if kind in kinds]
        pairs = [pair for pair in pairs if self.single or SHORT.isdisjoint(pair)]
        apart = [
            {name: v.array(v.dtypes_of(fact), v.ranks_of(fact) or SOME_AXES) for name, fact in world.items()}
            for world in self._one_apart(pairs)
        ]
        return apart + self._without_axes(pairs)

    def of_dtypes(self, kinds: Sequence[str], meet: bool) -> list[World]:
        """Build worlds with one dtype of these kinds for all; where several `meet`, also what `with_axes` says."""
        worlds = self.of_one_dtype(kinds)
        if meet:
            worlds += self.with_axes(kinds)
            worlds += self._without_axes([("int64", "float64")] * ("i" in kinds and "f" in kinds))  # a Python number
        return worlds

    def _without_axes(self, pairs: Sequence[tuple[str, str]]) -> list[World]:
        return [
            {one: v.array(wide, self.ranks.get(one, SOME_AXES)) for one in self.names} | {name: v.array(narrow, 0)}
            for wide, narrow in pairs for name in (self.numeric if len(self.names) > 1 else ())
        ]  # fmt: skip

    def numbers(self, names: Sequence[str], form: str) -> list[World]:
        """Python numbers for several parameters, or one; beside single precision, and for `tensors` integers, too."""
        worlds = []
        others = ["int64"] * (form == "tensors") + ["float32"] * self.single
        for dtype in ("float64", *others):
            for number in (v.FLOAT, v.INT) if names else ():
                worlds.append(self.same(dtype) | dict.fromkeys(names, number))
                worlds += [self.same(dtype) | {name: number} for name in (names if len(self.names) > 1 else ())]
        return worlds

    # ------------------------------------------------------------------------------------------- before it
    def mixed_dtypes(self, one: str, other: str) -> list[World]:
        """One of one dtype among others of another one, and the other way round."""
        return self._one_apart([(one, other)])

    def weak(self, dtype: str, axes: int | None = None) -> list[World]:
        """Python numbers, one or as many as leave an array, among arrays of a dtype and number of axes."""
        several: dict[tuple[str, ...], None] = {(name,): None for name in self.numeric}
        for array in self.names:  # the others may meet each other before they meet it
            several[tuple(name for name in self.numeric if name != array)] = None
        several.pop((), None)
        arrays = self.same(dtype) if axes is None else dict.fromkeys(self.names, v.array(dtype, axes))
        return [arrays | self.of_number(one, number) for number in (v.FLOAT, v.INT) for one in several]

    def of_number(self, names: Sequence[str], number: v.Fact) -> World:
        """List the worlds in which these are Python numbers of a kind, or of the kind that is taken for them."""
        return {name: v.FLOAT if name in self.kept else number for name in names}

    def beside(self, world: World) -> World:
        """Replace Python numbers by 0-D arrays of float64; arrays stay as they are."""
        return {name: fact if v.only(fact, "array") else v.array("float64", 0) for name, fact in world.items()}

    def lists(self, names: Sequence[str], among: str = "float64") -> list[World]:
        """Lists of numbers for these parameters, all of them or one, among arrays of a dtype."""
        flat = {name: _list(self.ranks.get(name)) for name in names}
        nested = {name: v.one(v.Sequence("list", None, one, filled=True)) for name, one in flat.items()}
        several = [flat] if self.ranks else [flat, nested]
        ones = [one for made in several for one in _single(made)] if len(self.names) > 1 else []
        return [self.same(among) | one for one in several + ones]

    def lists_among_numbers(self, names: Sequence[str]) -> list[World]:
        """A list of numbers among whole numbers, NumPy's or Python's: these say how often a list is repeated."""
        times = [dict.fromkeys(self.names, v.array("int64", 0))]
        times += [self.same("int64") | dict.fromkeys(self.numeric, v.INT)] if self.numeric else []
        lists = {name: _list(self.ranks.get(name)) for name in names} if len(self.names) > 1 else {}
        return [whole | one for whole in times for one in _single(lists)]

    def _one_apart(self, pairs: Sequence[tuple[str, str]]) -> list[World]:
        worlds: list[World] = []
        for one, other in pairs if len(self.names) > 1 else ():
            for name in self.names:
                worlds.append(self.same(one, name, other))
                if len(self.names) > 2:
                    worlds.append(self.same(other, name, one))
        return worlds


def _single(world: World) -> list[World]:
    """One parameter after the other of several, as it is in a world."""
    return [{name: fact} for name, fact in world.items()]


def with_none(world: World, optional: Container[str]) -> World:
    """The same world, where the parameters that may be None are that too."""
    return {name: v.join(fact, v.NONE) if name in optional else fact for name, fact in world.items()}


def after(world: World, form: str, parameters: Parameters) -> World:
    """Give the world that a guard makes of numbers and lists: these have as many axes as lists are in one another."""
    whole = form in ("tensor", "tensors", "promote") and all(map(_is_whole, world.values()))
    dtype = "int64" if whole else "float64"
    made = {name: v.array(dtype, _depth(fact)) for name, fact in world.items() if not v.only(fact, "array")}
    return parameters.same(dtype) | made


def _depth(fact: v.Fact) -> int:
    """The number of lists in one another; 0 for what is none."""
    lists = [v.elements(one) for one in fact if isinstance(one, v.Sequence)]
    return 1 + _depth(lists[0]) if lists else 0


def _is_whole(fact: v.Fact) -> bool:
    return v.dtypes_of(fact) == frozenset({"int64"}) if v.only(fact, "array") else fact == v.INT


def _list(ranks: v.Ranks) -> v.Fact:
    inner = _list(frozenset({min(ranks) - 1})) if ranks and min(ranks) > 1 else v.FLOAT
    return v.one(v.Sequence("list", None, inner, filled=True))
