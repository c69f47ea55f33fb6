"""Differences, integrals and interpolation."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.domain import DOMAIN
from np2torch.facts.results import (
    array_with,
    arraylike,
    dtype_of_source,
    make,
    rank_of_source,
    reduced_ranks,
    same,
)  # fmt: skip
from np2torch.rules.core import declare, rule
from np2torch.rules.rule_arguments import (
    COMPLEX,
    ArrayLike,
    AxisLike,
    Decline,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    function,
    text,
    use,
)

MOST_AXES = 8


def _gradient(bound: BoundArguments) -> v.Fact:
    """An array as the one given, of floats; of several axes a tuple of them."""
    part, axis = arraylike(bound["f"].fact, weak=False), bound["axis"]
    if part is None:
        return v.TOP
    dtypes = part[0] and frozenset(dtype if dtype[0] in "fc" else "float64" for dtype in part[0])
    along = make(dtypes, part[1], decays=False)
    if v.only(axis.fact, "number"):
        return along
    items = v.items_of(axis.fact)
    counts = part[1] if axis.is_none else None if items is None else frozenset([len(items)])
    if counts is None or max(counts) > MOST_AXES:
        return v.TOP
    return v.join(*(along if count == 1 else v.tuple_of(*[along] * count) for count in counts))


declare("calculus", {
    "interp(x, xp, fp, left=None, right=None, period=None)": array_with("float64", rank_of_source("x"), decays=True),
})  # fmt: skip


@rule("ediff1d", returns=same("ary", rank=1), code="NPT110")
def ediff1d(ary: ArrayLike, to_end: Refused = None, to_begin: Refused = None) -> Spelling:
    """Of a vector the differences of neighbours; bools NumPy refuses."""
    if not ary.is_tensor or ary.rank != 1 or "bool" in ary.dtypes() or ary.known_excluded(COMPLEX):
        raise Decline("not known to be a vector of numbers")
    return function("torch.diff", ary)


@rule("gradient", returns=_gradient, code="NPT110")
def gradient(f: ArrayLike, *varargs: Value, axis: AxisLike = None, edge_order: Refused = 1) -> Spelling:
    """torch gives a tuple of one axis too; the spacing is a number for all axes, or the points along one.

    A 0-D tensor is a number; torch refuses the points along an axis where it looks for one.
    """
    if axis.is_passed and axis.integer_constant() is None or len(varargs) > 1:
        raise Decline("several axes, or spacings")
    if not f.is_tensor or f.rank is None and not axis.is_passed or not f.dtypes() <= WIDE:
        raise Decline("rank or dtype unknown")
    is_single = f.rank == 1 or axis.is_passed
    x = f.floating()
    said = "".join(f", spacing={_spacing(steps, x, is_single)}" for steps in varargs)
    along = f", dim={axis}" if axis.is_passed else ""
    return text(f"torch.gradient({x}{said}{along}){'[0]' if is_single else ''}", cast=x.changed)


def _spacing(steps: RuleArgument, x: RuleArgument, is_single: bool) -> str:
    """Give the step, or the points along the only axis."""
    in_double = x.dtypes() == {"float64"}
    if v.only(steps.fact, "number") or in_double and steps.rank != 1 and _is_double(steps.fact):
        return str(steps)
    if is_single and in_double and steps.is_tensor and steps.rank == 1 and steps.dtypes() == {"float64"}:
        return f"({steps},)"
    raise Decline("spacing unknown")


def _is_double(fact: v.Fact) -> bool:
    """Tell a Python number or a tensor of float64, whichever it is."""
    arrays = v.keep(fact, lambda atom: atom.kind != "number")
    return v.only(arrays, "array", "scalar") and v.dtypes_of(arrays) == frozenset({"float64"})


def _difference(bound: BoundArguments) -> v.Fact:
    """An array as the one given; NumPy and torch refuse one without axes."""
    if DOMAIN.supposed and v.ranks_of(bound["a"].fact) == frozenset({0}):
        return v.BOTTOM
    return array_with(dtype_of_source(), rank_of_source())(bound)


@rule("diff", returns=_difference, code="NPT110")
def diff(a: ArrayLike, n: Value = 1, axis: AxisLike = -1, prepend: Refused = None, append: Refused = None) -> Spelling:
    """Equal, of bools too; complex infinities differ."""
    if a.rank == 0 or a.known_excluded(COMPLEX):
        raise Decline("no axis, or infinities that spread")
    if n.given and not n.integer_constant():
        raise Decline("order unknown")
    return function("torch.diff", a, n=n, dim=axis)


WIDE = frozenset({"float64", "float32", "complex128", "complex64", "int64"})
"""Dtypes in which neighbours are added up without wrapping around."""


def _integral(bound: BoundArguments) -> v.Fact:
    """In floats; an axis less. Of functions that are their own integrand nothing is known."""
    parts = [arraylike(bound[name].fact, weak=False) for name in ("y", "x") if bound.is_passed(name)]
    if any(part is None or not (part[0] or {""}) <= {"float64", "int64"} for part in parts):
        return v.TOP
    return make(frozenset({"float64"}), reduced_ranks(bound, "y"))


@rule("trapezoid", returns=_integral, code="NPT110")
def trapezoid(y: ArrayLike, x: ArrayLike = None, dx: Value = 1.0, axis: AxisLike = -1) -> Spelling:
    """Over given points; equal steps torch adds up in another way, in which infinities meet."""
    if not x.is_passed:
        raise Decline("equal steps")
    use(dx)
    if not y.is_tensor or not x.is_tensor or not y.dtypes() | x.dtypes() <= WIDE:
        raise Decline("dtype unknown")
    if x.rank is None or x.rank != 1 and x.rank != y.rank:
        raise Decline("rank unknown")
    return function("torch.trapezoid", y.floating(), x.floating(), dim=axis)
