"""Polynomials as arrays of coefficients: what the shim gives back."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import Bound
from np2torch.facts.results import array_with, perhaps_complex, ufunc
from np2torch.rules.core import declare


def _value_fact(bound: Bound) -> v.Fact:
    x = bound["x"].fact
    return v.UNKNOWN if v.rank_of(x) == 0 else ufunc("multiply", [bound["p"].fact, x])


declare("polynomial", {
    "polyval(p, x)": _value_fact,
    "polyfit(x, y, deg)": array_with("float64"),
    "roots(p)": array_with(perhaps_complex("linalg.inv", "p"), 1),
    "poly(seq_of_zeros)": array_with(),
    "polyder(p, m=1)": array_with(None, 1),
    "polyint(p, m=1)": array_with("float64", 1),
    "polymul(a1, a2)": array_with(None, 1),
    "polyadd(a1, a2)": array_with(None, 1),
    "polysub(a1, a2)": array_with(None, 1),
})  # fmt: skip
