"""The results of the methods of ufuncs: `np.add.outer(a, b)`, `np.maximum.reduce(a)`."""

from __future__ import annotations

from collections.abc import Callable

from np2torch.facts import tables
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments, BoundArguments, Parameter, Signature, bind
from np2torch.facts.results import arraylike, dtype_names, make, reduced_ranks, result_dtypes

TOTALS = {"add": "sum", "multiply": "prod"}
"""Those whose reduction widens small integers, and the function that does the same."""


def _signature(required: str, **optional: object) -> Signature:
    first = tuple(Parameter(name, "Value", None, True) for name in required.split())
    return first + tuple(Parameter(name, "Value", default, False) for name, default in optional.items())


REDUCED = _signature("a", axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)
RUNNING = _signature("a", axis=0, dtype=None, out=None)
OUTER = _signature("a b", out=None, dtype=None)
AT = _signature("a indices", b=None)


def _dtypes(name: str, bound: BoundArguments, source: v.Names) -> v.Names:
    if bound.is_passed("dtype"):
        return dtype_names(bound["dtype"].fact)
    return result_dtypes(TOTALS[name], [source]) if name in TOTALS else result_dtypes(name, [source, source])


def _reduced(name: str, bound: BoundArguments) -> v.Fact:
    part = arraylike(bound["a"].fact, weak=False)
    if part is None or bound.is_passed("out"):
        return v.TOP
    if bound.is_given("axis"):
        return make(_dtypes(name, bound, part[0]), reduced_ranks(bound))
    keeps = bound["keepdims"].constant if bound.is_given("keepdims") else False
    change = None if not isinstance(keeps, bool) else 0 if keeps else 1
    ranks = None if part[1] is None or change is None else frozenset(max(rank - change, 0) for rank in part[1])
    return make(_dtypes(name, bound, part[0]), ranks)


def _running(name: str, bound: BoundArguments) -> v.Fact:
    part = arraylike(bound["a"].fact, weak=False)
    if part is None or bound.is_passed("out"):
        return v.TOP
    return make(_dtypes(name, bound, part[0]), part[1], decays=False)


def outer(name: str, bound: BoundArguments) -> v.Fact:
    """Give the result of `outer` of a ufunc."""
    parts = [arraylike(bound[side].fact, weak=False) for side in "ab"]
    if None in parts or bound.is_passed("out"):
        return v.TOP
    (left, rows), (right, columns) = (part for part in parts if part is not None)
    said = bound.is_passed("dtype")
    dtypes = dtype_names(bound["dtype"].fact) if said else result_dtypes(name, [left, right])
    ranks = None if rows is None or columns is None else frozenset(a + b for a in rows for b in columns)
    return make(dtypes, ranks)


METHODS: dict[str, tuple[Signature, Callable[[str, BoundArguments], v.Fact]]] = {
    "reduce": (REDUCED, _reduced), "accumulate": (RUNNING, _running), "outer": (OUTER, outer),
}  # fmt: skip
"""By name: the parameters that say what comes out, and what that is."""


def result(ufunc: str, method: str, arguments: Arguments) -> v.Fact:
    """Give the result of `numpy.<ufunc>.<method>(...)`; unknown if it is not a method of a binary ufunc."""
    if method == "at":
        return v.NONE
    if method not in METHODS or not tables.knows(ufunc, 2):
        return v.TOP
    signature, returns = METHODS[method]
    bound = bind(signature, arguments)
    return v.TOP if bound is None else returns(ufunc, bound)
