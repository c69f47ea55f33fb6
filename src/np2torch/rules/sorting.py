"""Sorting and searching in what is sorted."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.results import array_with, dtype_of_source, rank_of_source, same
from np2torch.rules.core import Area, declare, rule
from np2torch.rules.rule_arguments import (
    COMPLEX,
    ArrayLike,
    AxisLike,
    Decline,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    call,
    function,
    text,
    use,
)

AREA = Area("sorting", takes_text=True)


def _sort_dim(axis: RuleArgument, a: RuleArgument) -> str:
    if a.rank == 0:
        raise Decline("NumPy sorts no scalar, and gives its order an axis")
    if not axis.given or axis.constant == -1:
        use(axis)
        return ""
    if not v.only(axis.fact, "number"):
        raise Decline("axis unknown")
    return f", dim={axis}"


def _sorted_rank(bound: BoundArguments) -> v.Ranks:
    """Without an axis what is sorted is the flat array."""
    flat = bound.is_given("axis") and not v.only(bound["axis"].fact, "number")
    return (frozenset([1]) if bound["axis"].is_none else None) if flat else rank_of_source()(bound)


REAL_OR_COMPLEX = frozenset(map(frozenset, (
    ("float64", "complex128"), ("float32", "complex64"), ("float64", "complex128", "float32", "complex64"),
)))  # fmt: skip
"""The dtypes of what is real or complex as its numbers are: eigenvalues, and roots."""


def _may_have_no_order(a: RuleArgument) -> bool:
    """Tell whether torch may raise for what NumPy sorts as pairs of numbers."""
    return a.known_excluded(COMPLEX) or v.dtypes_of(a.fact) in REAL_OR_COMPLEX


@rule("sort", returns=array_with(dtype_of_source(), _sorted_rank), code="NPT144")
def sort(
    a: ArrayLike, axis: AxisLike = -1, kind: Value = None, order: Refused = None, stable: Value = None
) -> Spelling:
    """`torch.sort` gives values and indices; NaN sorts last on both sides."""
    if _may_have_no_order(a):
        raise Decline("complex has no order in torch")
    use(kind, stable)
    return text(f"torch.sort({a}{_sort_dim(axis, a)}).values")


@rule("argsort", method="argsort", returns=array_with("int64", _sorted_rank), code="NPT144")
def argsort(
    a: ArrayLike, axis: AxisLike = -1, kind: Value = None, order: Refused = None, stable: Value = None
) -> Spelling:
    """The order of equal elements is not specified by NumPy's default sort; the stable one is among its answers."""
    if _may_have_no_order(a):
        raise Decline("complex has no order in torch")
    use(kind, stable)
    _sort_dim(axis, a)
    return call("argsort", a, dim=axis, stable="True")


@rule(
    "searchsorted", method="searchsorted", returns=array_with("int64", rank_of_source("v"), decays=True), code="NPT144"
)
def searchsorted(a: ArrayLike, v_: ArrayLike, side: Value = "left", sorter: Refused = None) -> Spelling:
    """Equal where both are of one dtype."""
    if a.dtype is None or a.dtype != v_.dtype or a.rank not in (1, None) or a.may_have_dtype(COMPLEX) or v_.rank == 0:
        raise Decline("dtypes differ")
    return function("torch.searchsorted", a, v_, side=side)


declare(AREA, {
    "lexsort(keys, axis=-1)": array_with("int64"),
    "partition(a, kth, axis=-1, kind='introselect', order=None)": same("a"),
    "argpartition(a, kth, axis=-1, kind='introselect', order=None)": array_with("int64", rank_of_source()),
}, methods=("argpartition",))  # fmt: skip
