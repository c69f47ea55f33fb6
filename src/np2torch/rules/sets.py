"""Sets: distinct elements and membership."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.results import array_with, dtype_of_source, make, rank_of_source, same
from np2torch.rules.arraylike import loosen
from np2torch.rules.core import Area, declare, rule
from np2torch.rules.rule_arguments import ArrayLike, Decline, Refused, Spelling, Value, function, text

AREA = Area("sets", takes_text=True)


def _unique_fact(bound: BoundArguments) -> v.Fact:
    dtypes = dtype_of_source("ar")(bound)
    ranks = frozenset([1]) if bound["axis"].is_none else rank_of_source("ar")(bound)
    values = make(dtypes, ranks, decays=False)
    flags = ["return_index", "return_inverse", "return_counts"]
    if any(bound.is_given(f) and not isinstance(bound[f].constant, bool) for f in flags):
        return v.TOP
    extra = [v.array("int64", None if f == "return_inverse" else 1) for f in flags if bound[f].constant is True]
    return v.tuple_of(values, *extra) if extra else values


@rule("unique", returns=_unique_fact, code="NPT145")
def unique(
    ar: ArrayLike, return_index: Refused = False, return_inverse: Refused = False, return_counts: Value = False,
    axis: Refused = None, equal_nan: Refused = True, sorted: Refused = True,
) -> Spelling:  # fmt: skip
    """Integers and bools: NumPy collapses NaN, torch does not."""
    if not ar.dtypes() <= {"int64", "int32", "bool", "int16", "int8", "uint8"}:
        raise Decline("NaN")
    return function("torch.unique", ar, return_counts=return_counts)


_MEMBERS = array_with("bool", rank_of_source("element"), decays=True)
ALIKE = ("int64", "float64", "bool")
"""Dtypes of which elements are compared alike: NaN is among none."""


@rule("isin", returns=_MEMBERS, code="NPT145")
def isin(
    element: ArrayLike, test_elements: ArrayLike, assume_unique: Refused = False, invert: Value = False,
    kind: Refused = None,
) -> Spelling:  # fmt: skip
    """Elements of one dtype."""
    among = loosen(test_elements)
    if not element.is_tensor or not among.is_tensor or v.ranks_of(among.fact) == frozenset({0}):
        raise Decline("not known to be arrays")
    if element.dtypes() != among.dtypes() or not any(element.dtypes() == {dtype} for dtype in ALIKE):
        raise Decline("dtypes differ")
    return function("torch.isin", element, among, invert=invert)


@rule("union1d", returns=array_with(None, 1), code="NPT145")
def union1d(ar1: ArrayLike, ar2: ArrayLike) -> Spelling:
    """Integers of one dtype, of vectors: NumPy collapses NaN, torch does not."""
    if not ar1.is_tensor or not ar2.is_tensor or ar1.rank != 1 or ar2.rank != 1:
        raise Decline("not known to be vectors")
    if not ar1.dtypes() == ar2.dtypes() == {"int64"}:
        raise Decline("NaN, or dtypes that differ")
    return text(f"torch.unique(torch.cat(({ar1}, {ar2})))")


declare(AREA, {
    "intersect1d(ar1, ar2)": array_with(None, 1),
    "setdiff1d(ar1, ar2)": same("ar1", rank=1),
    "setxor1d(ar1, ar2)": array_with(None, 1),
})  # fmt: skip
