"""Differences, integrals and interpolation."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.results import always, array_with, dtype_of_source, rank_of_source, same
from np2torch.rules.core import declare, rule
from np2torch.rules.pieces import ArrayLike, AxisLike, Decline, Emit, Refused, Value, function

declare("calculus", {
    "interp(x, xp, fp, left=None, right=None, period=None)": array_with("float64", rank_of_source("x"), decays=True),
    "ediff1d(ary, to_end=None, to_begin=None)": same("ary", rank=1),
    "trapezoid(y, x=None, dx=1.0, axis=-1)": always(v.UNKNOWN),
    "gradient(f)": always(v.UNKNOWN),
})  # fmt: skip


@rule("diff", returns=array_with(dtype_of_source(), rank_of_source()), code="NPT110")
def diff(a: ArrayLike, n: Value = 1, axis: AxisLike = -1, prepend: Refused = None, append: Refused = None) -> Emit:
    """Equal, of bools too; complex infinities differ."""
    if a.rank == 0 or a.dtypes() & {"complex64", "complex128"}:
        raise Decline("complex, or no axis")
    if n.given and not n.integer_constant():
        raise Decline("order unknown")
    return function("torch.diff", a, n=n, dim=axis)
