"""`numpy.polynomial.polynomial`: polynomials with the lowest power first, and the class `Polynomial`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import torch

from np2torch.shim._core import ArrayLike, Operand, as_index, asarray, beside, normalized
from np2torch.shim._layout import apart
from np2torch.shim._poly1d import powers, product, trimmed
from np2torch.shim._promotion import INT64, Tensor, mean_dtype, promote2, result_dtype
from np2torch.shim._series import along, crossed, eigenvalues_of, fitted, multiplied, series

__all__ = [
    "Polynomial", "polyadd", "polycompanion", "polyder", "polydiv", "polyfit", "polyfromroots", "polygrid2d",
    "polygrid3d", "polyint", "polyline", "polymul", "polymulx", "polypow", "polyroots", "polysub", "polytrim",
    "polyval", "polyval2d", "polyval3d", "polyvalfromroots", "polyvander", "polyvander2d", "polyvander3d",
]  # fmt: skip


def polyline(off: Any, scl: Any) -> Tensor:
    """The coefficients of off + scl * x."""
    a, b = asarray(off), asarray(scl)
    dtype = promote2(a.dtype, b.dtype)
    return torch.stack([a.to(dtype), b.to(dtype)]) if bool(b != 0) else a[None]


def polyadd(c1: Any, c2: Any) -> Tensor:
    """The sum."""
    return _sum(c1, c2, 1)


def polysub(c1: Any, c2: Any) -> Tensor:
    """The difference."""
    return _sum(c1, c2, -1)


def _sum(c1: Any, c2: Any, sign: int) -> Tensor:
    a, b = series(c1, c2)
    size = max(len(a), len(b))
    a, b = (torch.cat([x, x.new_zeros(size - len(x))]) for x in (a, b))
    return trimmed(a + sign * b, front=False)


def polymul(c1: Any, c2: Any) -> Tensor:
    """The product."""
    return trimmed(product(*series(c1, c2)), front=False)


def polymulx(c: Any) -> Tensor:
    """The product with x."""
    (a,) = series(c)
    return a if len(a) == 1 and bool(a[0] == 0) else torch.cat([a.new_zeros(1), a])


def polydiv(c1: Any, c2: Any) -> tuple[Tensor, Tensor]:
    """Quotient and remainder."""
    a, b = series(c1, c2)
    if bool(b[-1] == 0):
        raise ZeroDivisionError("polynomial division")
    if len(a) < len(b):
        return a[:1] * 0, a
    if len(b) == 1:
        return a / b[-1], a[:1] * 0
    rest, monic = a.clone(), b[:-1] / b[-1]
    last = len(b) - 1
    for at in range(len(a) - len(b), -1, -1):
        rest[at : at + last] -= monic * apart(rest)[at + last]
    return rest[last:] / b[-1], trimmed(rest[:last], front=False)


def polypow(c: Any, pow: Any, maxpower: int | None = None) -> Tensor:
    """A power."""
    (a,) = series(c)
    times = int(pow)
    if times != pow or times < 0:
        raise ValueError("Power must be a non-negative integer.")
    if maxpower is not None and times > maxpower:
        raise ValueError("Power is too large")
    found = a.new_ones(1)
    for _ in range(times):
        found = product(found, a)
    return found


@normalized
def polyval(x: Operand, c: ArrayLike, tensor: bool = True) -> Tensor:
    """The value, by Horner's rule; more axes of `c` are more polynomials."""
    c = (c if c.ndim else c[None]).to(mean_dtype(c.dtype))
    counted = isinstance(x, Tensor) and x.dtype is torch.bool  # NumPy multiplies it by 0, and has integers then
    dtype = result_dtype(c, x.to(torch.int64) if counted else x)
    x = asarray(x, dtype, c.device)
    if tensor and x.ndim:
        c = c.reshape(tuple(c.shape) + (1,) * x.ndim)
    c = c.to(dtype)
    value: Tensor = c[-1] + x * 0
    for one in c[:-1].flip(0):
        value = one + value * x
    return value


def polyval2d(x: Any, y: Any, c: Any) -> Tensor:
    """The value of a polynomial in two variables; the first axes of `c` are the powers of x and y."""
    return along(polyval, c, (x, y), False)


def polyval3d(x: Any, y: Any, z: Any, c: Any) -> Tensor:
    """The value of a polynomial in three variables."""
    return along(polyval, c, (x, y, z), False)


def polygrid2d(x: Any, y: Any, c: Any) -> Tensor:
    """The values for every pair of an x and a y."""
    return along(polyval, c, (x, y), True)


def polygrid3d(x: Any, y: Any, z: Any, c: Any) -> Tensor:
    """The values for every triple of an x, a y and a z."""
    return along(polyval, c, (x, y, z), True)


@normalized
def polyvalfromroots(x: Operand, r: ArrayLike, tensor: bool = True) -> Tensor:
    """The value of the monic polynomial with these roots; more axes of `r` are more polynomials."""
    roots = (r if r.ndim else r[None]).to(mean_dtype(r.dtype))
    dtype = result_dtype(roots, x)
    x = asarray(x, dtype, roots.device)
    if tensor:
        roots = roots.reshape(tuple(roots.shape) + (1,) * x.ndim)
    elif x.ndim >= roots.ndim:
        raise ValueError("x.ndim must be < r.ndim when tensor == False")
    found: Tensor = (x - roots.to(dtype)).prod(0, dtype=dtype)
    return found


@normalized
def polyvander(x: ArrayLike, deg: Any) -> Tensor:
    """The powers 0 to deg of each point along a new last axis."""
    degree = as_index(deg)
    if degree < 0:
        raise ValueError("deg must be non-negative")
    points = x.to(mean_dtype(x.dtype))
    points = points if points.ndim else points[None]
    return powers(points.reshape(-1), degree + 1).reshape((*points.shape, degree + 1))


def polyvander2d(x: Any, y: Any, deg: Any) -> Tensor:
    """The products of the powers of x and y."""
    return crossed(polyvander, (x, y), deg)


def polyvander3d(x: Any, y: Any, z: Any, deg: Any) -> Tensor:
    """The products of the powers of x, y and z."""
    return crossed(polyvander, (x, y, z), deg)


def polycompanion(c: Any) -> Tensor:
    """The companion matrix, whose eigenvalues are the roots."""
    (a,) = series(c)
    if len(a) < 2:
        raise ValueError("Series must have maximum degree of at least 1.")
    matrix = torch.diag_embed(a.new_ones(len(a) - 2), -1)
    return torch.cat([matrix[:, :-1], matrix[:, -1:] - (a[:-1] / a[-1])[:, None]], 1)


def polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None) -> Any:
    """The polynomial nearest to points, lowest power first; a list of degrees names the powers to use."""
    return fitted(polyvander, x, y, deg, rcond, full, w)


def polyroots(c: Any) -> Tensor:
    """The roots, sorted."""
    return eigenvalues_of(polycompanion, c)


def polyfromroots(roots: Any) -> Tensor:
    """The coefficients of the monic polynomial with these roots."""
    return multiplied(_through, product, roots)


def _through(start: Tensor, slope: int) -> Tensor:
    return torch.stack([start, torch.full_like(start, slope)]).to(promote2(start.dtype, INT64))


@normalized
def polyder(c: ArrayLike, m: Any = 1, scl: Any = 1, axis: int = 0) -> Tensor:
    """The m-th derivative, each time multiplied by `scl`."""
    times = as_index(m)
    if times < 0:
        raise ValueError("The order of derivation must be non-negative")
    a = (c if c.ndim else c[None]).to(mean_dtype(c.dtype), copy=True).movedim(axis, 0)
    if times >= len(a):
        return (a[:1] * 0).movedim(0, axis)
    for _ in range(times):
        a = a * scl
        a = a[1:] * torch.arange(1, len(a), device=a.device).to(a.dtype).reshape([-1] + [1] * (a.ndim - 1))
    return a.movedim(0, axis)


@normalized
def polyint(c: ArrayLike, m: Any = 1, k: Any = (), lbnd: Any = 0, scl: Any = 1, axis: int = 0) -> Tensor:
    """The m-th antiderivative that takes the values `k` at `lbnd`."""
    times = as_index(m)
    constants = list(k) if isinstance(k, (list, tuple)) else list(asarray(k).reshape(-1))
    if times < 0:
        raise ValueError("The order of integration must be non-negative")
    if len(constants) > times:
        raise ValueError("Too many integration constants")
    a = (c if c.ndim else c[None]).to(mean_dtype(c.dtype), copy=True).movedim(axis, 0)
    for constant in constants + [0] * (times - len(constants)):
        a = a * scl
        if len(a) == 1 and bool((a[0] == 0).all()):
            a = a + constant
            continue
        divisors = torch.arange(1, len(a) + 1, device=a.device).to(a.dtype).reshape([-1] + [1] * (a.ndim - 1))
        raised = torch.cat([a[:1] * 0, a / divisors])
        at_bound: Tensor = polyval(beside(lbnd, a).to(a.dtype), raised)
        a = torch.cat([(raised[0] + (constant - at_bound))[None], raised[1:]])
    return a.movedim(0, axis)


def polytrim(c: Any, tol: Any = 0) -> Tensor:
    """Without the small coefficients at the end."""
    if tol < 0:
        raise ValueError("tol must be non-negative")
    (a,) = series(c, trim=False)
    used = (a.abs() > tol).nonzero()
    return a[: int(used[-1]) + 1] if len(used) else a[:1] * 0


class Polynomial:
    """A power series on a domain that is mapped to a window; `numpy.polynomial.Polynomial` with tensors."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, coef: Any, domain: Any = None, window: Any = None, symbol: str = "x") -> None:
        (self.coef,) = series(coef, trim=False)
        self.domain = beside([-1.0, 1.0] if domain is None else domain, self.coef)
        self.window = beside([-1.0, 1.0] if window is None else window, self.coef)
        self.symbol = symbol

    def __np2torch_lent__(self) -> Any:
        """Give NumPy's series over the same coefficients, for code that stays on NumPy."""
        from np2torch.shim.interop import as_ndarray

        parts = (as_ndarray(self.coef), as_ndarray(self.domain), as_ndarray(self.window))
        made = importlib.import_module("numpy.polynomial").Polynomial(*parts, symbol=self.symbol)
        made.coef = parts[0]  # NumPy has made a copy
        return made

    def _with(self, coef: Any) -> Polynomial:
        return Polynomial(coef, self.domain, self.window, self.symbol)

    def mapparms(self) -> tuple[Tensor, Tensor]:
        """Offset and scale of the map from domain to window."""
        (a, b), (c, d) = (
            (x.to(mean_dtype(x.dtype)) for x in self.domain),
            (x.to(mean_dtype(x.dtype)) for x in self.window),
        )
        return (b * c - a * d) / (b - a), (d - c) / (b - a)

    def __call__(self, arg: Any) -> Any:
        off, scl = self.mapparms()
        return polyval(off + scl * asarray(arg), self.coef)

    def degree(self) -> int:
        """The degree, zeros at the end counted."""
        return len(self.coef) - 1

    def copy(self) -> Polynomial:
        """Return a copy of the series."""
        return self._with(self.coef.clone())

    def trim(self, tol: Any = 0) -> Polynomial:
        """Without the small coefficients at the end."""
        return self._with(polytrim(self.coef, tol))

    def cutdeg(self, deg: int) -> Polynomial:
        """Cut down to a degree."""
        return self._with(self.coef[: int(deg) + 1])

    def deriv(self, m: Any = 1) -> Polynomial:
        """The m-th derivative."""
        return self._with(polyder(self.coef, m, self.mapparms()[1]))

    def integ(self, m: Any = 1, k: Any = (), lbnd: Any = None) -> Polynomial:
        """The m-th antiderivative."""
        off, scl = self.mapparms()
        return self._with(polyint(self.coef, m, k, 0 if lbnd is None else off + scl * asarray(lbnd), 1.0 / scl))

    def roots(self) -> Tensor:
        """The roots, in the domain."""
        off, scl = self.mapparms()
        return (polyroots(self.coef) - off) / scl

    def linspace(self, n: int = 100, domain: Any = None) -> tuple[Tensor, Any]:
        """Points of the domain and the values there."""
        from np2torch.shim._ranges import linspace

        low, high = self.domain if domain is None else asarray(domain)
        x: Tensor = linspace(low, high, n)
        return x, self(x)

    def convert(self, domain: Any = None, kind: Any = None, window: Any = None) -> Polynomial:
        """The same polynomial on another domain and window."""
        target = Polynomial([0], domain, window, self.symbol)
        off, scl = self.mapparms()
        target_off, target_scl = target.mapparms()
        inner = polyline(off - scl * target_off / target_scl, scl / target_scl)
        found = self.coef[-1:]
        for one in self.coef[:-1].flip(0):
            found = polyadd(polymul(found, inner), one)
        return target._with(found)

    @classmethod
    def fit(
        cls, x: Any, y: Any, deg: Any, domain: Any = None, rcond: Any = None, full: bool = False, w: Any = None,
        window: Any = None, symbol: str = "x",
    ) -> Any:  # fmt: skip
        """The polynomial nearest to points, on the domain they span."""
        points = asarray(x)
        if domain is None:
            ends = torch.stack([points.min(), points.max()]).to(mean_dtype(points.dtype))
            ends = ends if bool(ends[0] != ends[1]) else ends + torch.tensor([-1, 1], device=ends.device)
        else:
            ends = (
                beside([-1.0, 1.0] if isinstance(domain, list) and not domain else domain, points)
            )
        frame = cls(beside([0], points), ends, window, symbol)
        off, scl = frame.mapparms()
        found = polyfit(off + scl * points, y, deg, rcond, full, w)
        return (frame._with(found[0]), found[1]) if full else frame._with(found)

    @classmethod
    def fromroots(cls, roots: Any, domain: Any = (), window: Any = None, symbol: str = "x") -> Polynomial:
        """The monic polynomial with these roots."""
        zeros = asarray(roots)
        if domain is None:
            domain = torch.stack([zeros.min(), zeros.max()])
        elif isinstance(domain, (list, tuple)) and not domain:
            domain = None
        frame = cls([0], domain, window, symbol)
        off, scl = frame.mapparms()
        return frame._with(polyfromroots(off + scl * zeros) / scl ** len(zeros))

    @classmethod
    def identity(cls, domain: Any = None, window: Any = None, symbol: str = "x") -> Polynomial:
        """The polynomial p with p(x) = x."""
        frame = cls([0], domain, window, symbol)
        off, scl = frame.mapparms()
        return frame._with(torch.stack([-off / scl, 1 / scl]))

    @classmethod
    def basis(cls, deg: int, domain: Any = None, window: Any = None, symbol: str = "x") -> Polynomial:
        """x to a power."""
        return cls([0] * int(deg) + [1], domain, window, symbol)

    # ------------------------------------------------------------------------------------------ arithmetic
    def _other(self, other: Any) -> Any:
        if not isinstance(other, Polynomial):
            return other
        if not (torch.equal(self.domain, other.domain) and torch.equal(self.window, other.window)):
            raise TypeError("Domains differ" if not torch.equal(self.domain, other.domain) else "Windows differ")
        return other.coef

    def _by(self, function: Callable[[Any, Any], Tensor], other: Any) -> Polynomial:
        return self._with(function(self.coef, self._other(other)))

    def __add__(self, other: Any) -> Polynomial:
        return self._by(polyadd, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Polynomial:
        return self._by(polysub, other)

    def __rsub__(self, other: Any) -> Polynomial:
        return self._by(lambda a, b: polysub(b, a), other)

    def __mul__(self, other: Any) -> Polynomial:
        return self._by(polymul, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Polynomial:
        if isinstance(other, Polynomial):
            raise TypeError("unsupported types for true division")
        quotient: Polynomial = self.__divmod__(other)[0]
        return quotient

    def __floordiv__(self, other: Any) -> Polynomial:
        return self.__divmod__(other)[0]

    def __mod__(self, other: Any) -> Polynomial:
        return self.__divmod__(other)[1]

    def __divmod__(self, other: Any) -> tuple[Polynomial, Polynomial]:
        quotient, rest = polydiv(self.coef, self._other(other))
        return self._with(quotient), self._with(rest)

    def __pow__(self, other: Any) -> Polynomial:
        return self._with(polypow(self.coef, other, 100))

    def __neg__(self) -> Polynomial:
        return self._with(-self.coef)

    def __pos__(self) -> Polynomial:
        return self

    def __len__(self) -> int:
        return len(self.coef)

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.coef)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and all(
            torch.equal(a, b)
            for a, b in ((self.coef, other.coef), (self.domain, other.domain), (self.window, other.window))
        )

    def __repr__(self) -> str:
        from np2torch.shim._formatting import array_repr

        coef, domain, window = (array_repr(x)[6:-1] for x in (self.coef, self.domain, self.window))
        return f"Polynomial({coef}, domain={domain}, window={window}, symbol='{self.symbol}')"
