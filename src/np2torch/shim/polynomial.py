"""Polynomials: NumPy's flat functions (`numpy.polyfit`), and, as a namespace, `numpy.polynomial`.

Of `numpy.polynomial` the power series are here: `polynomial.Polynomial` and `polynomial.polynomial.polyval` and kin.
"""

from np2torch.shim import _polyutils as _polyutils
from np2torch.shim import _power_series as _power_series
from np2torch.shim._poly1d import (
    RankWarning,
    poly,
    poly1d,
    polyadd,
    polyder,
    polydiv,
    polyfit,
    polyint,
    polymul,
    polysub,
    polyval,
    roots,
)
from np2torch.shim._power_series import Polynomial as Polynomial

__all__ = [
    "RankWarning", "poly", "poly1d", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub",
    "polyval", "roots",
]  # fmt: skip


polynomial = _power_series

polyutils = _polyutils
"""`numpy.polynomial.polyutils`: domains and coefficients."""
