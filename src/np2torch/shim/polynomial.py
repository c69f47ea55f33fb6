"""Polynomials: NumPy's flat functions (`numpy.polyfit`), and, as a namespace, `numpy.polynomial`.

Of `numpy.polynomial` the functions of all six kinds of series are here, and of the classes `polynomial.Polynomial`.
"""

from np2torch.shim import _bases as _bases
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

chebyshev, legendre, hermite, hermite_e, laguerre = _bases.MODULES
"""The functions of series in other polynomials than powers: `chebyshev.chebval`."""
