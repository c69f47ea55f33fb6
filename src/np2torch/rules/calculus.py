"""Differences, integrals and interpolation."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.domain import DOMAIN
from np2torch.facts.results import always, array_with, arraylike, dtype_of_source, make, rank_of_source, same
from np2torch.rules.core import declare, rule
from np2torch.rules.rule_arguments import COMPLEX, ArrayLike, AxisLike, Decline, Refused, Spelling, Value, function

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
    "ediff1d(ary, to_end=None, to_begin=None)": same("ary", rank=1),
    "trapezoid(y, x=None, dx=1.0, axis=-1)": always(v.TOP),
    "gradient(f, *varargs, axis=None, edge_order=1)": _gradient,
})  # fmt: skip


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
