"""The forms of guards, and the worlds in which a body must be right after each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from np2torch.facts import values as v
from np2torch.facts.guards import World

SINGLE = {"floating": ("float64", "float32"), "inexact": ("float64", "float32", "complex128", "complex64")}
"""The dtypes of what comes out of a guard."""
KINDS = {"f": ("float64", "float32"), "i": ("int64", "int32"), "u": ("uint8",), "b": ("bool",), "c": ("complex128",)}
"""By NumPy's letters for kinds of dtypes, those that stand for the kind."""


def number_worlds(names: Sequence[str], numeric: Sequence[str]) -> Iterator[World]:
    """Python numbers for those of the parameters that may be some, or for one of them."""
    for number in (v.FLOAT, v.INT) if numeric else ():
        yield same(names, "float64") | dict.fromkeys(numeric, number)
        for name in numeric if len(names) > 1 else ():
            yield same(names, "float64") | {name: number}


def after(world: World, form: str) -> World:
    """What a guard makes of numbers and lists."""
    whole = form in ("tensor", "promote") and all(map(_is_whole, world.values()))
    return same(list(world), "int64" if whole else "float64")


def _is_whole(fact: v.Fact) -> bool:
    return v.dtypes_of(fact) == frozenset({"int64"}) if v.only(fact, "array") else fact == v.INT


def mixed_worlds(names: Sequence[str], one: str, other: str) -> Iterator[World]:
    """One parameter of one dtype among others of another one, and the other way round."""
    for name in names if len(names) > 1 else ():
        yield same(names, one) | same([name], other)
        if len(names) > 2:
            yield same(names, other) | same([name], one)


def same(names: Sequence[str], dtype: str) -> World:
    """All of these are arrays of that dtype, of any rank."""
    return dict.fromkeys(names, v.array(dtype))


def inexact_worlds(names: Sequence[str], form: str) -> Iterator[World]:
    """What the parameters may be after `floating` or `inexact`: of one precision, real and complex mixed."""
    yield from (same(names, dtype) for dtype in SINGLE[form])
    if form == "inexact" and len(names) > 1:
        for name in names:
            yield same(names, "float64") | same([name], "complex128")
        if len(names) > 2:
            for name in names:
                yield same(names, "complex128") | same([name], "float64")
