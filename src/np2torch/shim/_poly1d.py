"""Polynomials with the highest power first: `polyfit`, `polyval`, `roots`, `poly1d` and their kin."""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Iterator
from typing import Any

import torch

from np2torch.shim import ufuncs
from np2torch.shim._core import ArrayLike, LinAlgError, as_index, asarray, beside, normalized
from np2torch.shim._double_precision import eigenvalues
from np2torch.shim._layout import apart
from np2torch.shim._numpy_fallback import or_numpys
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import FLOAT64, Tensor, kind, mean_dtype, promote2, real_dtype, result_dtype


class RankWarning(RuntimeWarning):
    """A least-squares fit that its points do not determine; `numpy.exceptions.RankWarning`."""


def least_squares(a: Tensor, b: Tensor, rcond: float) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """`numpy.linalg.lstsq` by singular values, which has gradients: solution, residuals, rank, singular values."""
    rows, columns = a.shape
    dtype = promote2(a.dtype, b.dtype)
    wide = promote2(dtype, FLOAT64)  # NumPy computes in double whatever comes in
    matrix, right = a.to(wide), b.to(wide).reshape(rows, -1)
    try:
        left, s, vh = torch.linalg.svd(matrix, full_matrices=False)
    except torch.linalg.LinAlgError:  # type: ignore[attr-defined]
        raise LinAlgError("SVD did not converge in Linear Least Squares") from None
    kept = s > rcond * s[:1]
    inverse = torch.where(kept, 1 / torch.where(kept, s, 1), 0)
    x = vh.mH @ (inverse[:, None].to(wide) * (left.mH @ right))
    rank = kept.sum()
    residuals = (matrix @ x - right).abs().pow(2).sum(0) if rows > columns else s.new_empty(0)
    if rows > columns and int(rank) < columns:
        residuals = s.new_empty(0)
    x = x if b.ndim > 1 else x[:, 0]
    return x.to(dtype), residuals.to(real_dtype(dtype)), rank.to(torch.int32), s.to(real_dtype(dtype))


def fit_matrix(matrix: Tensor, y: Tensor, rcond: Any, w: Any, zeros: bool) -> tuple[Tensor, tuple[Any, ...], Tensor]:
    """The coefficients of a fit by columns scaled to one length, what `full` adds, and the lengths.

    A column of zeros has no length: with `zeros` it stays (`numpy.polynomial`), else the fit fails (`numpy.polyfit`).
    """
    right = y
    if w is not None:
        weights = asarray(w) + 0.0
        if weights.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if len(weights) != len(y):
            raise TypeError("expected w and y to have the same length")
        matrix = matrix * weights[:, None]
        right = y * (weights[:, None] if y.ndim == 2 else weights)
    scale = matrix.abs().pow(2).sum(0).sqrt()
    scale = torch.where(scale == 0, 1, scale) if zeros else scale
    if rcond is None:
        rcond = len(y) * torch.finfo(mean_dtype(matrix.dtype)).eps
    c, residuals, rank, s = least_squares(matrix / scale, right, float(rcond))
    c = (c.mT / scale).mT if c.ndim == 2 else c / scale
    return c, (residuals, rank, s, rcond), scale


def check_points(x: Tensor, y: Tensor) -> None:
    """Raise TypeError for points that no polynomial can be fitted to."""
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if not x.shape[0]:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")


def powers(x: Tensor, count: int) -> Tensor:
    """The powers 0 to count - 1 of a vector, as columns."""
    column = x[:, None]
    return torch.cat([torch.ones_like(column), column.expand(-1, count - 1)], 1).cumprod(1, dtype=x.dtype)[:, :count]


def _widened(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Points in the dtypes that they are fitted in: `vander` widens float32."""
    return x.to(promote2(x.dtype, FLOAT64)), y.to(mean_dtype(y.dtype))


def _threshold(x: Tensor, rcond: Any) -> Any:
    """The share of the largest singular value below which others count as zero; points are not widened yet."""
    return x.shape[0] * torch.finfo(mean_dtype(x.dtype)).eps if rcond is None else rcond


@by_numpy
def _polyfit(x: Tensor, y: Tensor, degree: int, rcond: Any, full: bool, w: Any) -> tuple[Any, ...]:
    """`numpy.polyfit` with `full`, with which it does not warn."""
    rcond, (x, y) = _threshold(x, rcond), _widened(x, y)
    c, extras, _ = fit_matrix(powers(x, degree + 1).flip(1), y, rcond, w, zeros=False)
    return (c, *extras)


@normalized
def polyfit(
    x: ArrayLike, y: ArrayLike, deg: Any, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """The polynomial of a degree nearest to points in the sense of least squares, the highest power first."""
    order = as_index(deg) + 1
    if order < 1:
        raise ValueError("expected deg >= 0")
    check_points(x, y)
    if cov:
        rcond, (x, y) = _threshold(x, rcond), _widened(x, y)
        matrix = powers(x, order).flip(1)
        c, extras, scale = fit_matrix(matrix, y, rcond, w, zeros=False)
    else:
        c, *found = _polyfit(x, y, order - 1, rcond, True, w)
        extras = (*found[:3], float(found[3]) if rcond is None else rcond)
    if rcond is None and full and real_dtype(mean_dtype(x.dtype)) is not FLOAT64:
        extras = (*extras[:3], torch.tensor(extras[3], dtype=real_dtype(mean_dtype(x.dtype))))
    if int(extras[1]) != order and not full:
        warnings.warn("Polyfit may be poorly conditioned", RankWarning, stacklevel=3)
    if full:
        return (c, *extras)
    if not cov:
        return c
    weighted = matrix if w is None else matrix * (asarray(w) + 0.0)[:, None]
    scaled = (weighted / scale).to(promote2(matrix.dtype, FLOAT64))
    base = torch.linalg.inv(scaled.mT @ scaled).to(matrix.dtype) / torch.outer(scale, scale)
    if isinstance(cov, str) and cov == "unscaled":
        factor: Any = 1
    else:
        if len(x) <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = extras[0] / (len(x) - order)
    if y.ndim == 1:
        return c, base * factor
    return c, base[:, :, None] * factor


def _coefficients(p: Any) -> Tensor:
    x = p.coeffs if isinstance(p, poly1d) else asarray(p)
    return x if x.ndim else x[None]


def _like(result: Tensor, *given: Any) -> Any:
    """A poly1d when any operand was one."""
    return poly1d(result) if any(isinstance(p, poly1d) for p in given) else result


@or_numpys
def polyval(p: Any, x: Any) -> Any:
    """The value of a polynomial, by Horner's rule; of a poly1d at a poly1d, their composition."""
    c = _coefficients(p)
    if isinstance(x, poly1d):
        found: Any = poly1d([0])
        for one in c:
            found = found * x + one
        return found
    points = asarray(x, None, c.device)
    return _polyval(c, points)


@by_numpy
def _polyval(c: Tensor, points: Tensor) -> Tensor:
    dtype = promote2(c.dtype, points.dtype) if len(c) else points.dtype
    points, value = points.to(dtype), torch.zeros_like(points, dtype=dtype, requires_grad=False)
    for one in c.to(dtype):
        value = value * points + one
    return value


def _sum(a1: Any, a2: Any, sign: int) -> Any:
    a, b = _coefficients(a1), _coefficients(a2)
    dtype = promote2(a.dtype, b.dtype)
    size = max(len(a), len(b))
    a, b = (torch.cat([x.new_zeros(size - len(x)), x]).to(dtype) for x in (a, b))
    return _like(a + sign * b, a1, a2)


def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of two polynomials."""
    return _sum(a1, a2, 1)


def polysub(a1: Any, a2: Any) -> Any:
    """The difference of two polynomials."""
    return _sum(a1, a2, -1)


def trimmed(c: Tensor, front: bool = True) -> Tensor:
    """Without the zeros of the highest powers, one coefficient at least."""
    used = (c != 0).nonzero()
    if not len(used):
        return c.new_zeros(1)
    return c[int(used[0]) :] if front else c[: int(used[-1]) + 1]


def product(a: Tensor, b: Tensor) -> Tensor:
    """The full convolution, exact for integers."""
    dtype = promote2(a.dtype, b.dtype)
    a, b = (a, b) if len(a) >= len(b) else (b, a)
    a, b = a.to(dtype), b.to(dtype)
    rows = [torch.nn.functional.pad(a * one, (at, len(b) - 1 - at)) for at, one in enumerate(b)]
    return torch.stack(rows).sum(0, dtype=dtype)


def polymul(a1: Any, a2: Any) -> Any:
    """The product of two polynomials."""
    return _like(product(trimmed(_coefficients(a1)), trimmed(_coefficients(a2))), a1, a2)


def polydiv(u: Any, v: Any) -> Any:
    """Quotient and remainder of two polynomials."""
    a, b = _coefficients(u), _coefficients(v)
    a, b = a.to(mean_dtype(a.dtype)), b.to(mean_dtype(b.dtype))
    dtype = promote2(a.dtype, b.dtype)
    rest, divisor, count = a.to(dtype).clone(), b.to(dtype), len(a) - len(b) + 1
    quotient = rest.new_zeros(max(count, 1))
    scale = 1.0 / divisor[0]
    for at in range(count):
        quotient[at] = factor = scale * apart(rest)[at]
        rest[at : at + len(b)] -= factor * divisor
    while len(rest) > 1 and abs(rest[0]) <= 1e-8:  # what numpy.allclose takes for zero
        rest = rest[1:]
    return _like(quotient, u, v), _like(rest, u, v)


def polyder(p: Any, m: Any = 1) -> Any:
    """The m-th derivative."""
    times = as_index(m)
    if times < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    c = _coefficients(p)
    for _ in range(times):
        factors = torch.arange(max(len(c) - 1, 0), 0, -1, device=c.device)
        dtype = promote2(c.dtype, factors.dtype)
        c = c[:-1].to(dtype) * factors.to(dtype)
    return _like(c, p)


def polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    """The m-th antiderivative, with integration constants `k`."""
    times = as_index(m)
    if times < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    c = _coefficients(p)
    constants = torch.zeros(times, dtype=FLOAT64, device=c.device) if k is None else beside(k, c).reshape(-1)
    if len(constants) == 1 and times > 1:
        constants = constants.to(promote2(constants.dtype, FLOAT64)).expand(times)
    if len(constants) < times:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    for constant in constants[:times]:
        divisors = torch.arange(len(c), 0, -1, device=c.device)
        dtype = mean_dtype(promote2(c.dtype, divisors.dtype))
        both = promote2(dtype, constant.dtype)
        c = torch.cat([(c.to(dtype) / divisors.to(dtype)).to(both), constant.to(both)[None]])
    return _like(c, p)


def real_if_so(x: Tensor) -> Tensor:
    """Eigenvalues as NumPy gives them: real where no one has an imaginary part."""
    return x.real if x.is_complex() and not bool((x.imag != 0).any()) else x


@normalized
def poly(seq_of_zeros: ArrayLike) -> Any:
    """The coefficients of the monic polynomial with these zeros, or the characteristic one of a matrix."""
    zeros = seq_of_zeros if seq_of_zeros.ndim else seq_of_zeros[None]
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] and zeros.shape[0]:
        zeros = eigenvalues(zeros.to(mean_dtype(zeros.dtype)))
        zeros = zeros if seq_of_zeros.is_complex() else real_if_so(zeros)
    elif zeros.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if not len(zeros):
        return 1.0
    zeros = zeros.to(FLOAT64 if kind(zeros.dtype) < 2 or zeros.dtype is torch.float16 else zeros.dtype)
    found = torch.ones(1, dtype=zeros.dtype, device=zeros.device)
    for zero in zeros:
        found = product(found, torch.stack([torch.ones_like(zero), -zero]))
    if found.is_complex():
        from np2torch.shim.sorting import sort

        wide = zeros.to(torch.complex128)
        found = found.real.clone() if bool((sort(wide) == sort(wide.conj())).all()) else found
    return found


def companion_roots(p: Tensor) -> Tensor:
    """The roots of a polynomial whose first and last coefficients are not zero, highest power first."""
    size = len(p)
    if size < 2:
        return p.new_empty(0)
    matrix = torch.diag_embed(torch.ones(size - 2, dtype=p.dtype, device=p.device), -1)
    matrix = torch.cat([(-p[1:] / p[0])[None], matrix[1:]])
    found = eigenvalues(matrix)
    return found if p.is_complex() else real_if_so(found)


@normalized
def roots(p: ArrayLike) -> Tensor:
    """The roots of a polynomial, as eigenvalues of its companion matrix."""
    c = p if p.ndim else p[None]
    if c.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    used = (c != 0).nonzero().reshape(-1)
    if not len(used):
        return torch.empty(0, dtype=FLOAT64)
    at_zero = len(c) - int(used[-1]) - 1
    found = companion_roots(c[int(used[0]) : int(used[-1]) + 1].to(mean_dtype(c.dtype)))
    return torch.cat([found, found.new_zeros(at_zero)])


class poly1d:
    """A polynomial of one variable, the highest power first; `numpy.poly1d` with a tensor of coefficients.

    To all that asks for an array it is its coefficients, also to a tensor on the left of an operator.
    """

    __hash__ = None  # type: ignore[assignment]
    _c: Tensor
    _variable: str

    def __init__(self, c_or_r: Any, r: bool = False, variable: str | None = None) -> None:
        if isinstance(c_or_r, poly1d):
            name, self._c = c_or_r._variable, c_or_r._c
        else:
            c = asarray(poly(c_or_r) if r else c_or_r)
            if c.ndim > 1:
                raise ValueError("Polynomial must be 1d only.")
            name, self._c = "x", trimmed(c if c.ndim else c[None])
        self._variable = variable or name

    @property
    def coeffs(self) -> Tensor:
        """The coefficients, highest power first."""
        return self._c

    c = coef = coefficients = coeffs

    @property
    def order(self) -> int:
        """The degree."""
        return len(self._c) - 1

    o = order

    @property
    def roots(self) -> Tensor:
        """The roots."""
        found: Tensor = roots(self._c)
        return found

    r = roots

    @property
    def variable(self) -> str:
        """The name of the variable, for printing."""
        return self._variable

    def __np2torch_tensor__(self) -> Tensor:
        return self._c

    def __np2torch_lent__(self) -> Any:
        """Give NumPy's polynomial over the same coefficients, for code that stays on NumPy."""
        from np2torch.shim.interop import as_ndarray

        return importlib.import_module("numpy").poly1d(as_ndarray(self._c), variable=self._variable)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self._c.numpy(force=True) if dtype is None else self._c.numpy(force=True).astype(dtype)

    def __call__(self, val: Any) -> Any:
        return polyval(self, val)

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self._c.unbind())

    def __getitem__(self, power: int) -> Tensor:
        return self._c[self.order - power] if 0 <= power <= self.order else self._c.new_zeros(())

    def __setitem__(self, power: int, value: Any) -> None:
        if power < 0:
            raise ValueError("Does not support negative powers.")
        missing = max(power - self.order, 0)
        self._c = torch.cat([self._c.new_zeros(missing), self._c])
        self._c[self.order - power] = value

    def _scaled(self, other: Any) -> poly1d:
        dtype = result_dtype(self._c, other)
        return poly1d(self._c.to(dtype) * other)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, (bool, int, float, complex)):
            return self._scaled(other)
        scalar = isinstance(other, Tensor) and other.ndim == 0
        return poly1d(self._c * other) if scalar else poly1d(polymul(self._c, poly1d(other)._c))

    def __rmul__(self, other: Any) -> Any:
        return ufuncs.multiply(other, self._c) if isinstance(other, Tensor) else self * other

    def __add__(self, other: Any) -> Any:
        return poly1d(polyadd(self._c, poly1d(other)._c))

    def __radd__(self, other: Any) -> Any:
        return ufuncs.add(other, self._c) if isinstance(other, Tensor) else self + other

    def __sub__(self, other: Any) -> Any:
        return poly1d(polysub(self._c, poly1d(other)._c))

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, Tensor):
            return ufuncs.subtract(other, self._c)
        return poly1d(polysub(poly1d(other)._c, self._c))

    def __neg__(self) -> poly1d:
        return poly1d(-self._c)

    def __pos__(self) -> poly1d:
        return self

    def __pow__(self, val: Any) -> poly1d:
        if as_index(val) < 0:
            raise ValueError("Power to non-negative integers only.")
        found = torch.ones(1, dtype=torch.int64)
        for _ in range(val):
            found = product(self._c, found)
        return poly1d(found)

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, (int, float, complex)) or (isinstance(other, Tensor) and other.ndim == 0):
            c = self._c.to(mean_dtype(result_dtype(self._c, other)))
            return poly1d(c / other)
        return polydiv(self, poly1d(other))

    def __rtruediv__(self, other: Any) -> Any:
        return ufuncs.divide(other, self._c) if isinstance(other, Tensor) else polydiv(poly1d(other), self)

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, poly1d):
            return NotImplemented
        return (self._c == other._c).all() if self._c.shape == other._c.shape else False

    def deriv(self, m: Any = 1) -> poly1d:
        """The m-th derivative."""
        return poly1d(polyder(self._c, m))

    def integ(self, m: Any = 1, k: Any = 0) -> poly1d:
        """The m-th antiderivative."""
        return poly1d(polyint(self._c, m, k))

    def __repr__(self) -> str:
        from np2torch.shim._formatting import array_repr

        return f"poly1d({array_repr(self._c)[6:-1]})"

    def __str__(self) -> str:
        """The polynomial in two lines, exponents above."""

        def number(x: complex) -> str:
            text = f"{x:.4g}" if kind(self._c.dtype) < 3 else f"({x:.4g})"
            return text.removesuffix(".0000")

        above = below = ""
        for at, value in enumerate(self._c.tolist()):
            power = self.order - at
            if value == 0 and self.order:
                continue
            size = number(abs(value) if not isinstance(value, complex) else value)
            body = size if power == 0 else f"{size} {self._variable}"
            negative = not isinstance(value, complex) and (value < 0 or math.copysign(1, value) < 0)
            lead = ("-" if negative else "") if not below else (" - " if negative else " + ")
            below += lead + body
            if power > 1:
                above = above.ljust(len(below)) + str(power)
                below += " " * (len(str(power)) - 1)
        return f"{above}\n{below}" if above else f" \n{below}"
