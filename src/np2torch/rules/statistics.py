"""Statistics, histograms, functions over functions: what the shim gives back."""

from __future__ import annotations

from itertools import product

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.results import (
    always,
    array_with,
    arraylike,
    by_table,
    make,
    rank_of_source,
)  # fmt: skip
from np2torch.rules.core import Area, declare, rule
from np2torch.rules.rule_arguments import ArrayLike, Decline, Spelling, Value, function, use

AREA = Area("statistics", takes_text=True)


def _counted(bound: BoundArguments) -> v.Fact:
    return v.array("float64" if bound.is_passed("weights") else "int64", 1)


def _histogram_fact(bound: BoundArguments) -> v.Fact:
    counts = None if bound.is_given("weights") or bound.is_given("density") else "int64"
    return v.tuple_of(v.array(counts, 1), v.array(None, 1))


def _covariances(bound: BoundArguments) -> v.Fact:
    """In double precision; of one row the number alone, and of rows there may be one."""
    sources = [bound[name].fact for name in ("m", "x", "y") if bound.is_given(name) and bound[name].fact != v.NONE]
    parts = [part for part in (arraylike(fact, weak=False) for fact in sources) if part is not None]
    if bound.is_given("dtype") or len(parts) < len(sources):
        return v.TOP
    known = [map(_in_double, part[0] or ()) for part in parts]
    dtypes = frozenset(min(chosen) for chosen in product(*known))  # complex128 stands before float64
    ranks = frozenset([2]) if len(parts) > 1 else parts[0][1] and frozenset([0, 2] if parts[0][1] != {1} else [0])
    return make(dtypes, ranks, decays=False)


def _in_double(dtype: str) -> str:
    return "complex128" if dtype.startswith("complex") else "float64"


def _correlations(bound: BoundArguments) -> v.Fact:
    found = _covariances(bound)
    array = v.sole(found)
    return make(array.dtypes, array.ranks) if isinstance(array, v.Array) else found


COUNTED = frozenset({"int64", "int32", "int16", "int8", "uint8"})
"""The dtypes of which torch counts."""
ADDED = frozenset({"float64", "float32", "int64", "int32"})
"""The dtypes of weights that NumPy adds up in float64."""


@rule("bincount", returns=_counted, code="NPT145")
def bincount(x: ArrayLike, weights: ArrayLike = None, minlength: Value = 0) -> Spelling:
    """Counts of whole numbers from 0 on; weights are added up in float64."""
    if not x.is_tensor or not x.dtypes() <= COUNTED:
        raise Decline("not known to be whole numbers")
    if not weights.is_passed:
        use(weights)
        return function("torch.bincount", x, minlength=minlength)
    if not weights.is_tensor or not weights.dtypes() <= ADDED:
        raise Decline("weights unknown")
    summed = weights if weights.dtypes() == {"float64"} else weights.to("float64")
    return function("torch.bincount", x, weights=summed, minlength=minlength)


_LIKE_X = rank_of_source("x")
declare(AREA, {
    "cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None)": _covariances,
    "corrcoef(x, y=None, rowvar=True, dtype=None)": _correlations,
    "convolve(a, v, mode='full')": by_table("convolve", "a", "v", rank=1),
    "correlate(a, v, mode='valid')": by_table("correlate", "a", "v", rank=1),
})  # fmt: skip
declare("histograms", {
    "digitize(x, bins, right=False)": array_with("int64", _LIKE_X, decays=True),
    "histogram(a, bins=10, range=None, density=None, weights=None)": _histogram_fact,
    "histogram2d(x, y, bins=10, range=None, density=None, weights=None)":
        always(v.tuple_of(v.array("float64", 2), v.array(None, 1), v.array(None, 1))),
})  # fmt: skip
declare("functional", {"apply_along_axis(func1d, axis, arr)": always(v.TOP)})
