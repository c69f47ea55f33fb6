"""Polynomials as arrays of coefficients: what the shim gives back."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.domain import DOMAIN
from np2torch.facts.results import always, array_with, arraylike, perhaps_complex, ufunc
from np2torch.rules.core import declare


def _value_fact(bound: BoundArguments) -> v.Fact:
    x = bound["x"].fact
    return v.TOP if v.rank_of(x) == 0 else ufunc("multiply", [bound["p"].fact, x])


def _fit_dtypes(bound: BoundArguments) -> v.Names:
    """Give double precision, whatever there is; complex where one of the two is."""
    parts = [arraylike(bound[name].fact, weak=False) for name in ("x", "y")]
    known = [DOMAIN.dtypes if part is None or part[0] is None else part[0] for part in parts]
    found = {"complex128" if "c" in (a[0], b[0]) else "float64" for a in known[0] for b in known[1]}
    return frozenset(found)


def _fit_ranks(bound: BoundArguments) -> v.Ranks:
    """A column of coefficients for each column of values; other ranks NumPy refuses."""
    part = arraylike(bound["y"].fact)
    ranks = frozenset([1, 2])
    return ranks if part is None or part[1] is None else part[1] & ranks or ranks


_NODES_AND_WEIGHTS = always(v.tuple_of(v.array("float64", 1), v.array("float64", 1)))

declare("polynomial", {
    "polyval(p, x)": _value_fact,
    "polyfit(x, y, deg)": array_with(_fit_dtypes, _fit_ranks),
    "roots(p)": array_with(perhaps_complex("linalg.inv", "p"), 1),
    "poly(seq_of_zeros)": array_with(),
    "polyder(p, m=1)": array_with(None, 1),
    "polyint(p, m=1)": array_with("float64", 1),
    "polymul(a1, a2)": array_with(None, 1),
    "polyadd(a1, a2)": array_with(None, 1),
    "polysub(a1, a2)": array_with(None, 1),
    **{f"polynomial.{name}(deg)": _NODES_AND_WEIGHTS for name in (
        "legendre.leggauss", "hermite.hermgauss", "hermite_e.hermegauss", "laguerre.laggauss", "chebyshev.chebgauss",
    )},
})  # fmt: skip
