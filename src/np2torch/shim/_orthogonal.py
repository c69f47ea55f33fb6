"""Chebyshev, Legendre, Hermite and Laguerre series: `numpy.polynomial`'s functions, from each basis' recurrence."""

from __future__ import annotations

import functools
import math
import operator as python
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from np2torch.shim import _power_series as power
from np2torch.shim import _series, operator
from np2torch.shim._core import AxisError, asarray, beside
from np2torch.shim._poly1d import product, trimmed
from np2torch.shim._promotion import FLOAT64, PYTHON_DTYPES, Tensor, kind, mean_dtype

Count = Callable[[int], int]


class Basis(NamedTuple):
    """Polynomials p_0 = 1, p_1, ... by what they obey.

    over(n) * p_n+1 = times(n) * (slope * x + offset(n)) * p_n - back(n) * p_n-1
    p_n is the derivative of p_n+1 / rise(n) + level * p_n - p_n-1 / fall(n)
    """

    prefix: str
    x: tuple[float, float]
    """The coefficients of the polynomial x."""
    domain: tuple[float, float]
    slope: int
    back: Count
    rise: Count
    mass: float
    """The integral of the weight."""
    offset: Count = lambda n: 0
    times: Count = lambda n: 1
    over: Count = lambda n: 1
    fall: Count | None = None
    level: int = 0
    at_once: bool = False
    """Whether NumPy scales a series by times(n) / over(n), and not by one factor after the other."""
    even: bool = True
    """Whether the weight function is even."""
    laurent: bool = False
    """Whether series are multiplied as Laurent series, as Chebyshev's can be, and keep their dtype in it."""
    drops_axis: bool = False
    """Whether NumPy leaves out the axis in front if a derivative is 0."""

    def factor(self, x: Any, n: int) -> Any:
        """Compute the linear factor of the recurrence in NumPy's dtype."""
        slope = self.slope if n else round(1 / self.x[1])
        if slope == -1:
            return operator.sub(self.offset(n), x)
        return x if slope == 1 else operator.mul(x, slope)

    def jacobi(self, n: int) -> tuple[float, float, float]:
        """x * p_n as multiples of p_n+1, p_n and p_n-1."""
        slope = self.slope if n else round(1 / self.x[1])
        scale = self.times(n) * slope
        return self.over(n) / scale, -self.offset(n) / slope, self.back(n) / scale


# ---------------------------------------------------------------------------------------------- arithmetic
def _scaled(value: Any, times: int, over: int) -> Any:
    value = value if times == 1 else operator.mul(value, times)
    return value if over == 1 else operator.truediv(value, over)


def _scaled_at_once(value: Any, times: int, over: int) -> Any:
    return value if times == over else operator.mul(value, times / over)


def _summed(
    basis: Basis, c: Any, step: Callable[[Any, int], Any], add: Any, sub: Any, scaled: Callable[..., Any] = _scaled
) -> Any:
    """Sum by Clenshaw's method, from the highest degree down, what can be added and multiplied by the linear factor."""
    low, high = (c[-2], c[-1]) if len(c) > 1 else (c[0], 0)
    for n in range(len(c) - 2, 0, -1):
        rest = sub(c[n - 1], scaled(high, basis.back(n), basis.over(n)))
        low, high = rest, add(low, scaled(step(high, n), basis.times(n), basis.over(n)))
    return add(low, step(high, 0))


def _step(basis: Basis, by_x: Callable[[Any], Tensor], sub: Any) -> Callable[[Any, int], Any]:
    """The linear factor of the recurrence times a series."""

    def step(c: Any, n: int) -> Any:
        slope = basis.slope if n else round(1 / basis.x[1])
        if slope == -1:
            return sub(c * basis.offset(n), by_x(c))
        return by_x(c) * slope

    return step


def line(basis: Basis, off: Any, scl: Any) -> Tensor:
    """The series of off + scl * x."""
    if not bool(asarray(scl) != 0):
        return asarray(off)[None]
    start, slope = basis.x
    first = operator.add(off, operator.mul(scl, start)) if start else off
    return asarray([first, scl if slope == 1 else operator.mul(scl, slope)])


def add(basis: Basis, c1: Any, c2: Any) -> Tensor:
    """The sum."""
    return power.polyadd(c1, c2)


def sub(basis: Basis, c1: Any, c2: Any) -> Tensor:
    """The difference."""
    return power.polysub(c1, c2)


def mulx(basis: Basis, c: Any) -> Tensor:
    """The product with x."""
    (a,) = _series.series(c)
    if len(a) == 1 and bool(a[0] == 0):
        return a
    up, same, down = (a.new_tensor(x) for x in zip(*(basis.jacobi(n) for n in range(len(a))), strict=True))
    found = torch.cat([a.new_zeros(1), a * up])
    if not basis.even:
        found = found + torch.cat([a * same, a.new_zeros(1)])
    return found + torch.cat([(a * down)[1:], a.new_zeros(2)])


def mul(basis: Basis, c1: Any, c2: Any) -> Tensor:
    """The product."""
    a, b = _series.series(c1, c2)
    if basis.laurent:
        return trimmed(_folded(product(_unfolded(a), _unfolded(b))), front=False)
    short, long = (b, a) if len(a) > len(b) else (a, b)
    step = _step(basis, functools.partial(mulx, basis), power.polysub)
    found: Tensor = _summed(basis, [one * long for one in short], step, power.polyadd, power.polysub)
    return found


def _unfolded(c: Tensor) -> Tensor:
    """The Laurent series in z, where x is (z + 1/z) / 2."""
    half = torch.cat([c.new_zeros(len(c) - 1), c / 2])
    return half + half.flip(0)


def _folded(c: Tensor) -> Tensor:
    middle = len(c) // 2
    return torch.cat([c[middle : middle + 1], c[middle + 1 :] * 2])


def div(basis: Basis, c1: Any, c2: Any) -> tuple[Tensor, Tensor]:
    """Quotient and remainder."""
    a, b = _series.series(c1, c2)
    if bool(b[-1] == 0):
        raise ZeroDivisionError("polynomial division")
    if len(a) < len(b):
        return a[:1] * 0, a
    if len(b) == 1:
        return a / b[-1], a[:1] * 0
    rest, quotient = a, []
    for degree in range(len(a) - len(b), -1, -1):
        one = [0] * degree + [1]
        divisor = mul(basis, b.new_tensor(one) if basis.laurent else one, b)
        quotient.append(rest[-1] / divisor[-1])
        rest = rest[:-1] - quotient[-1] * divisor[:-1]
    return torch.stack(quotient[::-1]).to(a.dtype), trimmed(rest, front=False)


def pow(basis: Basis, c: Any, pow: Any, maxpower: int | None = 16) -> Tensor:
    """A power."""
    (a,) = _series.series(c)
    times = int(pow)
    if times != pow or times < 0:
        raise ValueError("Power must be a non-negative integer.")
    if maxpower is not None and times > maxpower:
        raise ValueError("Power is too large")
    found = a if times else a.new_ones(1)
    for _ in range(times - 1):
        found = mul(basis, found, a)
    return found


def trim(basis: Basis, c: Any, tol: Any = 0) -> Tensor:
    """The coefficients without those at the end that are no larger than `tol`."""
    return power.polytrim(c, tol)


def to_powers(basis: Basis, c: Any) -> Tensor:
    """The same polynomial as a series of powers."""
    (a,) = _series.series(c)
    if len(a) == 1:
        return a
    step = _step(basis, power.polymulx, power.polysub)
    found: Tensor = _summed(basis, a, step, power.polyadd, power.polysub)
    return found


def from_powers(basis: Basis, pol: Any) -> Tensor:
    """The same polynomial as a series of the basis."""
    (a,) = _series.series(pol)
    found: Any = 0
    for one in a.flip(0):
        found = power.polyadd(mulx(basis, found), one)
    return asarray(found)


# -------------------------------------------------------------------------------------------------- values
def val(basis: Basis, x: Any, c: Any, tensor: bool = True) -> Any:
    """The value at points; more axes of `c` are more series."""
    x = x if type(x) in PYTHON_DTYPES else asarray(x)
    a = beside(c, x) if isinstance(x, Tensor) and not isinstance(c, Tensor) else asarray(c)
    a = (a if a.ndim else a[None]).to(mean_dtype(a.dtype))
    if tensor and isinstance(x, Tensor):
        a = a.reshape(tuple(a.shape) + (1,) * x.ndim)
    factors: dict[int, Any] = {}

    def step(value: Any, n: int) -> Any:
        at = n if basis.offset(n) else min(n, 1)
        factors[at] = basis.factor(x, n) if at not in factors else factors[at]
        return operator.mul(value, factors[at])

    return _summed(basis, a, step, operator.add, operator.sub, _scaled_at_once if basis.at_once else _scaled)


def val2d(basis: Basis, x: Any, y: Any, c: Any) -> Tensor:
    """The value of a series in two variables."""
    return _series.along(functools.partial(val, basis), c, (x, y), False)


def val3d(basis: Basis, x: Any, y: Any, z: Any, c: Any) -> Tensor:
    """The value of a series in three variables."""
    return _series.along(functools.partial(val, basis), c, (x, y, z), False)


def grid2d(basis: Basis, x: Any, y: Any, c: Any) -> Tensor:
    """The values for every pair of an x and a y."""
    return _series.along(functools.partial(val, basis), c, (x, y), True)


def grid3d(basis: Basis, x: Any, y: Any, z: Any, c: Any) -> Tensor:
    """The values for every triple of an x, a y and a z."""
    return _series.along(functools.partial(val, basis), c, (x, y, z), True)


def vander(basis: Basis, x: Any, deg: Any) -> Tensor:
    """The values of the polynomials 0 to deg at each point, along a new last axis."""
    degree = python.index(deg)
    if degree < 0:
        raise ValueError("deg must be non-negative")
    points = asarray(x)
    points = (points if points.ndim else points[None]).to(mean_dtype(points.dtype))
    columns = [points * 0 + 1, *([basis.factor(points, 0)] if degree else [])]
    for n in range(1, degree):
        front = _scaled(columns[n] * basis.factor(points, n), basis.times(n), 1)
        columns.append(_scaled(front - _scaled(columns[n - 1], basis.back(n), 1), 1, basis.over(n)))
    return torch.stack(columns, -1)


def vander2d(basis: Basis, x: Any, y: Any, deg: Any) -> Tensor:
    """The products of the polynomials of x and y."""
    return _series.crossed(functools.partial(vander, basis), (x, y), deg)


def vander3d(basis: Basis, x: Any, y: Any, z: Any, deg: Any) -> Tensor:
    """The products of the polynomials of x, y and z."""
    return _series.crossed(functools.partial(vander, basis), (x, y, z), deg)


def fit(basis: Basis, x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None) -> Any:
    """The series nearest to points; a list of degrees names those to use."""
    return _series.fitted(functools.partial(vander, basis), x, y, deg, rcond, full, w)


# --------------------------------------------------------------------------------------------------- roots
def companion(basis: Basis, c: Any) -> Tensor:
    """The matrix of the product with x where the series is 0, scaled to be symmetric but for its last column."""
    (a,) = _series.series(c)
    if len(a) < 2:
        raise ValueError("Series must have maximum degree of at least 1.")
    matrix, scale, last = _multiplication(basis, len(a) - 1, a.device)
    matrix, scale = matrix.to(a.dtype), scale.to(a.dtype)
    return torch.cat([matrix[:, :-1], matrix[:, -1:] - (a[:-1] / a[-1] * scale * last)[:, None]], 1)


def _multiplication(basis: Basis, size: int, device: torch.device | None = None) -> tuple[Tensor, Tensor, float]:
    """The product with x as a symmetric matrix, the scale of its rows, and the share of the next polynomial."""
    up, same, down = zip(*(basis.jacobi(n) for n in range(size)), strict=True)
    beside_it = [math.copysign(math.sqrt(up[n - 1] * down[n]), up[n - 1]) for n in range(1, size)]
    scales = [1.0]
    for n in range(size - 1, 0, -1):
        scales.insert(0, scales[0] * math.sqrt(up[n - 1] / down[n]))
    off = torch.tensor(beside_it, dtype=FLOAT64, device=device)
    matrix = torch.diag(torch.tensor(same, dtype=FLOAT64, device=device))
    matrix = matrix + torch.diag_embed(off, 1) + torch.diag_embed(off, -1)
    return matrix, torch.tensor(scales, dtype=FLOAT64, device=device), up[-1]


def roots(basis: Basis, c: Any) -> Tensor:
    """The roots, sorted."""
    return _series.eigenvalues_of(functools.partial(companion, basis), c)


def fromroots(basis: Basis, roots: Any) -> Tensor:
    """The series with these roots whose highest power has the coefficient 1."""
    return _series.multiplied(functools.partial(line, basis), functools.partial(mul, basis), roots)


# ------------------------------------------------------------------------------------------------ calculus
def _times_and_axis(a: Tensor, times: Any, axis: Any, what: str) -> tuple[int, int]:
    count, axis = python.index(times), python.index(axis)
    if count < 0:
        raise ValueError(f"The order of {what} must be non-negative")
    if not -a.ndim <= axis < a.ndim:
        raise AxisError(axis, a.ndim)
    return count, axis


def _stored(value: Any, a: Tensor) -> Tensor:
    """Cast a value computed in place to the dtype of `a`, or raise as NumPy does; a single element is always cast."""
    found = asarray(value)
    if found.ndim and kind(found.dtype) > kind(a.dtype):
        raise TypeError(f"Cannot cast ufunc output from {found.dtype} to {a.dtype} with casting rule 'same_kind'")
    return found.to(a.dtype)


def der(basis: Basis, c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> Tensor:
    """The m-th derivative, each time multiplied by `scl`."""
    a = asarray(c)
    a = (a if a.ndim else a[None]).to(mean_dtype(a.dtype), copy=True)
    times, axis = _times_and_axis(a, m, axis, "derivation")
    if times == 0:
        return a
    a = a.movedim(axis, 0)
    if times >= len(a):
        return a[:1] * 0 if basis.drops_axis else (a[:1] * 0).movedim(0, axis)
    for _ in range(times):
        rows = list(_stored(operator.mul(a, scl), a).unbind(0))
        found = []
        for n in range(len(rows) - 1, 0, -1):  # what p_n leaves to the lower ones, by its antiderivative
            rise = basis.rise(n - 1)
            found.append(rows[n] * rise)
            if basis.level and n > 1:
                rows[n - 1] = rows[n - 1] - found[-1] * basis.level
            if basis.fall is not None and n > 2:
                fall = basis.fall(n - 1)
                shared = math.gcd(rise, fall)
                rows[n - 2] = rows[n - 2] + _scaled(rows[n], rise // shared, fall // shared)
        a = torch.stack(found[::-1])
    return a.movedim(0, axis)


def int_(basis: Basis, c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> Tensor:  # noqa: B006
    """The m-th antiderivative that takes the values `k` at `lbnd`."""
    a = asarray(c)
    a = (a if a.ndim else a[None]).to(mean_dtype(a.dtype), copy=True)
    constants = list(k) if isinstance(k, (list, tuple)) else list(asarray(k).reshape(-1))
    times = python.index(m)
    if times >= 0 and len(constants) > times:
        raise ValueError("Too many integration constants")
    for name, value in (("lbnd", lbnd), ("scl", scl)):
        if asarray(value).ndim:
            raise ValueError(f"{name} must be a scalar.")
    times, axis = _times_and_axis(a, m, axis, "integration")
    if times == 0:
        return a
    a = a.movedim(axis, 0)
    for constant in constants + [0] * (times - len(constants)):
        a = _stored(operator.mul(a, scl), a)
        if len(a) == 1 and bool((a[0] == 0).all()):
            a = _stored(operator.add(a[0], constant), a)[None]
            continue
        found = torch.cat([a[:1] * 0, a / _counted(basis.rise, range(len(a)), a)])
        if basis.level:
            found = found + torch.cat([a * basis.level, a[:1] * 0])
        if basis.fall is not None and len(a) > 2:
            lower = a[2:] / _counted(basis.fall, range(2, len(a)), a)
            found = found - torch.cat([a[:1] * 0, lower, found[:2] * 0])
        at_bound = operator.sub(constant, val(basis, lbnd, found))
        a = torch.cat([_stored(operator.add(found[0], at_bound), a)[None], found[1:]])
    return a.movedim(0, axis)


def _counted(rule: Count, degrees: range, like: Tensor) -> Tensor:
    """Give the values of a rule for each degree, along the first axis."""
    return like.new_tensor([rule(n) for n in degrees]).reshape([-1] + [1] * (like.ndim - 1))


# ---------------------------------------------------------------------------------------------- quadrature
def gauss(basis: Basis, deg: Any) -> tuple[Tensor, Tensor]:
    """The points and weights of Gauss' quadrature."""
    degree = python.index(deg)
    if degree <= 0:
        raise ValueError("deg must be a positive integer")
    matrix = _multiplication(basis, degree + 1)[0]
    x: Tensor = torch.linalg.eigvalsh(matrix[:-1, :-1])
    value, slope, _ = _normed(matrix, x)
    x = x - value / slope
    squares = _normed(matrix, x)[2]  # Christoffel's sum, of positive terms: nothing cancels
    w = squares.min() / squares
    if basis.even:
        w, x = (w + w.flip(0)) / 2, (x - x.flip(0)) / 2
    return x, w * torch.div(basis.mass, w.sum())


def _normed(matrix: Tensor, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The last of the normed polynomials of a symmetric recurrence, its derivative, and the others squared, summed."""
    size = len(matrix) - 1
    before, slope_before = torch.zeros_like(x), torch.zeros_like(x)
    value, slope, squares = torch.ones_like(x), torch.zeros_like(x), torch.ones_like(x)
    for n in range(size):
        down = matrix[n, n - 1] if n else 0.0
        factor = x - matrix[n, n]
        following = (factor * value - down * before) / matrix[n, n + 1]
        slope_before, slope = slope, (factor * slope + value - down * slope_before) / matrix[n, n + 1]
        before, value = value, following
        if n < size - 1:
            squares = squares + value**2
    return value, slope, squares
