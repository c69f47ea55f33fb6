"""Differences, gradients, integrals, interpolation and the vector product."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import torch

from np2torch.shim import reductions as r
from np2torch.shim import ufuncs as u
from np2torch.shim._casting import castable
from np2torch.shim._core import ArrayLike, AxisLike, OptArray, ReduceAxis, asarray, axes_of, beside, normalized
from np2torch.shim._errors import holds
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import (
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT32,
    FLOAT64,
    INT64,
    Tensor,
    is_weak,
    kind,
    mean_dtype,
    promote,
)  # fmt: skip
from np2torch.shim._stacking import of_numbers
from np2torch.shim._transforms import are_values
from np2torch.shim._ufunc import NO_VALUE


@normalized
def diff(a: ArrayLike, n: int = 1, axis: ReduceAxis = -1, prepend: Any = NO_VALUE, append: Any = NO_VALUE) -> Tensor:
    """The n-th differences; of bools whether neighbours differ."""
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    if n == 1 and prepend is NO_VALUE and append is NO_VALUE and type(axis) is int and a.dtype in r.DIRECT:
        with suppress(RuntimeError, IndexError):  # the long way says what NumPy would
            return torch.diff(a, dim=axis)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    (dim,) = axes_of(axis, a.ndim)
    a = _extended(a, dim, prepend, append)
    step = u.not_equal if a.dtype is BOOL else u.subtract
    for _ in range(n):
        rest = max(a.shape[dim] - 1, 0)
        a = step(a.narrow(dim, a.shape[dim] - rest, rest), a.narrow(dim, 0, rest))
    return a


def _extended(a: Tensor, dim: int, before: Any, behind: Any) -> Tensor:
    """The array with what stands before and behind it along an axis, in the dtype of all of them."""
    parts = [a]
    for extra, place in ((before, 0), (behind, len(parts) + 1)):
        if extra is not NO_VALUE:
            extra = beside(extra, a)
            shape = [1 if i == dim else size for i, size in enumerate(a.shape)]
            parts.insert(place, extra.expand(shape) if extra.ndim == 0 else extra)
    if len({part.shape[:dim] + part.shape[dim + 1 :] for part in parts}) > 1:
        raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
    dtype = promote(*(part.dtype for part in parts))
    return torch.cat([part.to(dtype) for part in parts], dim) if len(parts) > 1 else a


@normalized
def ediff1d(ary: ArrayLike, to_end: OptArray = None, to_begin: OptArray = None) -> Tensor:
    """The differences of the flattened array, between `to_begin` and `to_end`."""
    flat = ary.reshape(-1)
    parts = [u.subtract(flat[1:], flat[:-1])]
    for name, extra, place in (("to_begin", to_begin, 0), ("to_end", to_end, 2)):
        if extra is not None:
            if not castable(extra.dtype, ary.dtype, "same_kind"):
                raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
            parts.insert(place, extra.reshape(-1).to(ary.dtype))
    return torch.cat(parts)


@normalized
@by_numpy
def gradient(f: ArrayLike, *varargs: Any, axis: AxisLike = None, edge_order: int = 1) -> Any:
    """Compute second-order central differences, one-sided at the ends: one array for each axis (a tuple if several)."""
    axes = axes_of(axis, f.ndim)
    spacings: list[Any] = [1.0] * len(axes) if not varargs else list(varargs)
    if len(spacings) == 1:
        spacings = spacings * len(axes) if asarray(spacings[0]).ndim == 0 else spacings
    if len(spacings) != len(axes):
        raise TypeError("invalid number of arguments")
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if f.dtype is torch.bool:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
    f = f.to(mean_dtype(f.dtype))
    found = [_gradient(f, h, dim, edge_order) for h, dim in zip(spacings, axes, strict=True)]
    return found[0] if len(found) == 1 else tuple(found)


def _spacing(h: Any, f: Tensor, dim: int) -> Tensor | None:
    """The distances between the points if they are given and differ, shaped to go with `f`; else None."""
    points = asarray(h)
    if points.ndim == 0:
        return None
    if points.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if len(points) != f.shape[dim]:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    steps = diff(points.to(FLOAT64) if kind(points.dtype) < 2 else points)
    return steps


def _gradient(f: Tensor, h: Any, dim: int, edge_order: int) -> Tensor:
    n = f.shape[dim]
    if n < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least edge_order + 1 elements are required."
        )
    steps = _spacing(h, f, dim)
    f = f.movedim(dim, -1)
    if steps is not None and not holds(steps != steps[:1], unknown=True):
        h, steps = steps[0], None
    if steps is None:
        h = h if is_weak(h) else beside(h, f)
        middle = u.divide(u.subtract(f[..., 2:], f[..., :-2]), 2.0 * h if is_weak(h) else u.multiply(2.0, h))
        first = last = h
        ends = (-1.5, 2.0, -0.5), (0.5, -2.0, 1.5)
        combine = [[c / h if is_weak(h) and h else u.divide(c, h) for c in end] for end in ends]
    else:
        left, right = steps[:-1], steps[1:]
        a, b, c = -right / (left * (left + right)), (right - left) / (left * right), left / (right * (left + right))
        middle = u.add(u.add(u.multiply(a, f[..., :-2]), u.multiply(b, f[..., 1:-1])), u.multiply(c, f[..., 2:]))
        first, last = steps[0], steps[-1]
        combine = [[], []]
        if edge_order == 2:
            p, q = steps[0], steps[1]
            combine[0] = [-(2.0 * p + q) / (p * (p + q)), (p + q) / (p * q), -p / (q * (p + q))]
            p, q = steps[-2], steps[-1]
            combine[1] = [q / (p * (p + q)), -(q + p) / (p * q), (2.0 * q + p) / (q * (p + q))]
    if edge_order == 1:
        low, high = u.divide(f[..., 1] - f[..., 0], first), u.divide(f[..., -1] - f[..., -2], last)
    else:
        low, high = (
            u.add(u.add(u.multiply(c[0], f[..., i]), u.multiply(c[1], f[..., i + 1])), u.multiply(c[2], f[..., i + 2]))
            for c, i in zip(combine, (0, n - 3), strict=True)
        )
    return torch.cat([low.to(f.dtype)[..., None], middle.to(f.dtype), high.to(f.dtype)[..., None]], -1).movedim(-1, dim)


@normalized
@by_numpy
def trapezoid(y: ArrayLike, x: OptArray = None, dx: Any = 1.0, axis: ReduceAxis = -1) -> Tensor:
    """The integral by the trapezoidal rule."""
    (dim,) = axes_of(axis, y.ndim)
    step = dx if is_weak(dx) else beside(dx, y)
    if x is not None:
        step = diff(x, axis=0 if x.ndim == 1 else dim)
        if x.ndim == 1:
            step = step.reshape([-1 if i == dim else 1 for i in range(y.ndim)])
    rest = max(y.shape[dim] - 1, 0)
    pairs = u.add(y.narrow(dim, y.shape[dim] - rest, rest), y.narrow(dim, 0, rest))
    return r.sum(u.divide(u.multiply(step, pairs), 2.0), dim)


trapz = trapezoid


@normalized
@by_numpy
def interp(
    x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: Any = None, right: Any = None, period: float | None = None
) -> Tensor:
    """Piecewise linear interpolation, in float64 (complex128 for complex `fp`); constant outside of `xp`.

    As in NumPy, `xp` must increase and nothing checks that it does.
    """
    dtype = COMPLEX128 if fp.is_complex() else FLOAT64
    x, xp, fp = x.to(FLOAT64), xp.to(FLOAT64), fp.to(dtype)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        period, left, right = abs(period), None, None
        x, xp = u.remainder(x, period), u.remainder(xp, period)
        if len(xp) != len(fp):
            raise ValueError("fp and xp are not of the same length.")
        order = torch.argsort(xp, stable=True)
        xp, fp = xp[order], fp[order]
        xp, fp = torch.cat([xp[-1:] - period, xp, xp[:1] + period]), torch.cat([fp[-1:], fp, fp[:1]])
    if not len(xp):
        raise ValueError("array of sample points is empty")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    below = fp[0] if left is None else beside(left, fp).to(fp)
    above = fp[-1] if right is None else beside(right, fp).to(fp)
    parts = [_on_lines(x, xp, part) for part in ((fp.real, fp.imag) if fp.is_complex() else (fp,))]
    result = torch.complex(*parts) if fp.is_complex() else parts[0]
    result = torch.where(x > xp[-1], above, torch.where(x < xp[0], below, result))
    if len(xp) == 1:  # NumPy compares with the one point, which a NaN passes
        return result
    return torch.where(torch.isnan(x), x.to(dtype), result)


def _on_lines(x: Tensor, xp: Tensor, fp: Tensor) -> Tensor:
    """Interpolate linearly at x; at a point its own value, even if a neighbour is infinite."""
    if len(xp) == 1:
        return fp[0].expand(x.shape)
    at = (torch.searchsorted(xp, x.contiguous(), right=True) - 1).clamp(0, len(xp) - 2)
    x0, x1, f0, f1 = xp[at], xp[at + 1], fp[at], fp[at + 1]
    slope = (f1 - f0) / (x1 - x0)
    result = slope * (x - x0) + f0
    result = torch.where(torch.isnan(result), slope * (x - x1) + f1, result)
    result = torch.where(torch.isnan(result) & (f0 == f1), f0, result)
    return torch.where(x == xp[-1], fp[-1], torch.where(x == x0, f0, result))


CPU = torch.device("cpu")
ROLLED = (FLOAT32, FLOAT64, COMPLEX64, COMPLEX128, INT64)
"""dtypes in which all three components of a product are computed at once."""


def _few(a: Any, b: Any) -> bool:
    """True for two vectors of three doubles that are values alone."""
    if not (type(a) is Tensor and type(b) is Tensor and a.dtype is b.dtype is torch.float64):
        return False
    return a.ndim == b.ndim == 1 and a.numel() == b.numel() == 3 and are_values(a, b)


@normalized
def cross(
    a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Tensor:
    """The vector product of vectors of 3 (or, deprecated, 2) components."""
    if axis is not None:
        axisa = axisb = axisc = axis
    if axisa == axisb == axisc == -1 and _few(a, b):
        (p, q, r), (x, y, z) = a.tolist(), b.tolist()
        return of_numbers([q * z - r * y, r * x - p * z, p * y - q * x], torch.float64, CPU)
    a, b = a.movedim(axes_of(axisa, a.ndim)[0], -1), b.movedim(axes_of(axisb, b.ndim)[0], -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")

    def minor(i: int, j: int) -> Any:
        """a[i] * b[j] - a[j] * b[i], a third component that is missing being zero."""
        parts = [(p, q) for p, q in ((i, j), (j, i))]
        products = [u.multiply(a[..., p], b[..., q]) if p < a.shape[-1] and q < b.shape[-1] else None for p, q in parts]
        plus, minus = products
        if plus is None:
            return u.negative(minus)
        return plus if minus is None else u.subtract(plus, minus)

    if a.shape[-1] == b.shape[-1] == 3 and a.dtype is b.dtype and a.dtype in ROLLED:
        products = [u.multiply(a.roll(i, -1), b.roll(j, -1)) for i, j in ((-1, -2), (-2, -1))]
        result: Tensor = u.subtract(*products)
        return result if axisc == -1 else result.movedim(-1, axes_of(axisc, result.ndim)[0])
    if a.shape[-1] == b.shape[-1] == 2:
        return minor(0, 1)  # type: ignore[no-any-return]
    result = torch.stack([minor(1, 2), minor(2, 0), minor(0, 1)], -1)
    return result.movedim(-1, axes_of(axisc, result.ndim)[0])


__all__ = ["cross", "diff", "ediff1d", "gradient", "interp", "trapezoid", "trapz"]
