"""Reductions and running totals, mostly `reduce` and `accumulate` of a ufunc.

NumPy's RuntimeWarnings (mean of an empty slice) are not given: finding out would cost a synchronisation.
"""

from __future__ import annotations

import builtins
import math
from typing import Any

import torch

from np2torch.shim import ufuncs as u
from np2torch.shim._axes import along, keep, reduced_axes
from np2torch.shim._core import (
    ArrayLike,
    AxisLike,
    DTypeLike,
    OptArray,
    OutArray,
    ReduceAxis,
    as_axis,
    asarray,
    axes_of,
    beside,
    normalized,
)  # fmt: skip
from np2torch.shim._errors import wrong
from np2torch.shim._kernels import root, summed
from np2torch.shim._numpy_fallback import asked_first, or_numpys
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import BOOL, FLOAT16, FLOAT32, INT64, Tensor, kind, mean_dtype, promote, real_dtype
from np2torch.shim._type_resolution import WIDE_UNSIGNED, same_shape
from np2torch.shim._ufunc import NO_VALUE, UFunc

DIRECT = (FLOAT32, torch.float64)
"""The dtypes in which torch's own mean and variance are NumPy's."""


# ----------------------------------------------------------------------------------- sums, products, extremes
@asked_first
def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> Tensor:
    """The sum; bools and small integers add up in int64, unsigned ones in uint64."""
    return u.add.reduce(a, axis, dtype, out, keepdims, initial, where)


@asked_first
def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> Tensor:
    """The product; bools and small integers multiply in int64, unsigned ones in uint64."""
    return u.multiply.reduce(a, axis, dtype, out, keepdims, initial, where)


@asked_first
def max(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = NO_VALUE, where: Any = True
) -> Tensor:
    """The largest element: a tensor over any axes, nan where there is one. Over nothing: ValueError."""
    return u.maximum.reduce(a, axis, None, out, keepdims, initial, where)


@asked_first
def min(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = NO_VALUE, where: Any = True
) -> Tensor:
    """The smallest element: a tensor over any axes, nan where there is one. Over nothing: ValueError."""
    return u.minimum.reduce(a, axis, None, out, keepdims, initial, where)


amax, amin = max, min


def sum_items(x: Any, /) -> Any:
    """Python's `sum(x)`: the items added up from left to right, the elements of a vector by one call."""
    if type(x) is Tensor and x.ndim == 1 and x.dtype in ADDED and x.numel():
        return torch.cumsum(x, 0)[-1] + 0  # which makes zero of the negative one, as the sum begins with zero
    return builtins.sum(x)


ADDED = (torch.float64, INT64, BOOL)
"""The dtypes whose elements torch's running sum adds one after the other, as NumPy's scalars are added."""


@normalized
def ptp(a: ArrayLike, axis: ReduceAxis = None, out: OutArray = None, keepdims: bool = False) -> Tensor:
    """Largest minus smallest element."""
    return u.subtract(max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims))  # type: ignore[no-any-return]


@asked_first
def any(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True) -> Tensor:
    """Tell whether some element is true; nan counts as true."""
    return u.logical_or.reduce(a, axis, None, out, keepdims, where=where)


@asked_first
def all(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True) -> Tensor:
    """Tell whether all elements are true; nan counts as true."""
    return u.logical_and.reduce(a, axis, None, out, keepdims, where=where)


@normalized
@by_numpy
def count_nonzero(a: ArrayLike, axis: ReduceAxis = None, *, keepdims: bool = False) -> Tensor:
    """The number of elements that are not zero, in int64."""
    return sum(a.to(BOOL), axis, INT64, keepdims=keepdims)


def _arg(a: Tensor, axis: Any, keepdims: bool, name: str) -> Tensor:
    """The first place of the extreme element; nan counts as extreme."""
    if isinstance(axis, tuple):
        raise TypeError("'tuple' object cannot be interpreted as an integer")
    plain = axis is None or type(axis) is int and -a.ndim <= axis < a.ndim
    if plain and a.dtype in DIRECT and a.numel() and not keepdims:
        return torch.argmax(a, axis) if name == "argmax" else torch.argmin(a, axis)
    axes = reduced_axes(axis, a.ndim)
    flat, dim = along(a, axes)
    if not flat.shape[dim]:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    if a.is_complex():
        ufunc = u.maximum if name == "argmax" else u.minimum
        best = ufunc.reduce(flat, dim, keepdims=True)
        place = ((flat == best) | torch.isnan(flat)).to(torch.uint8).argmax(dim)
    else:
        if a.dtype is BOOL or a.dtype in WIDE_UNSIGNED:
            flat = flat.to(INT64)
        place = flat.argmax(dim) if name == "argmax" else flat.argmin(dim)
    return keep(place, a.shape, axes, keepdims)


@normalized
def argmax(a: ArrayLike, axis: ReduceAxis = None, out: OutArray = None, *, keepdims: bool = False) -> Tensor:
    """The first place of the largest element, or of a nan; of the flattened array without `axis`."""
    return _arg(a, axis, keepdims, "argmax")


@normalized
def argmin(a: ArrayLike, axis: ReduceAxis = None, out: OutArray = None, *, keepdims: bool = False) -> Tensor:
    """The first place of the smallest element, or of a nan; of the flattened array without `axis`."""
    return _arg(a, axis, keepdims, "argmin")


# ------------------------------------------------------------------------------------------- means and spread
def _count(a: Tensor, axes: tuple[int, ...], where: Any) -> Tensor | int:
    """Count the elements of each result; with the axes kept if that differs from result to result."""
    if where is True:
        return math.prod([a.shape[i] for i in axes])
    mask = beside(where, a)
    if same_shape([a, mask]) != a.shape:
        raise ValueError("non-broadcastable operand: the mask has a shape that the array has not")
    return sum(mask.expand(a.shape), axes, INT64, keepdims=True)


def _axes(axis: Any, a: Tensor, where: Any) -> tuple[int, ...]:
    """The axes to go over: NumPy counts with a mask by a sum, which lets a 0-D array have the axes 0 and -1."""
    return axes_of(axis, a.ndim) if where is True else reduced_axes(axis, a.ndim)


def _mean(a: Tensor, axes: tuple[int, ...], where: Any) -> Tensor:
    """The mean over the axes, which are kept; in float32 for float16."""
    work = a.to(FLOAT32) if a.dtype is FLOAT16 else a
    total = sum(work, axes, keepdims=True, where=where)
    return total / beside(_count(a, axes, where), total).to(total)


@normalized
def mean(
    a: ArrayLike,
    axis: ReduceAxis = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> Tensor:
    """The arithmetic mean: float64 for integers and bools, nan over nothing."""
    if dtype is None and where is True and not keepdims and a.dtype in DIRECT:
        if axis is None:
            return torch.mean(a)
        if type(axis) is int and -a.ndim <= axis < a.ndim:
            return torch.mean(a, axis) if a.dtype is not FLOAT32 else summed(a, axis) / a.shape[axis]
    axes = _axes(axis, a, where)
    dtype = dtype or mean_dtype(a.dtype)
    result = _mean(a.to(dtype), axes, where).to(dtype)
    return result if keepdims else _dropped(result, axes)


def _dropped(a: Tensor, axes: tuple[int, ...]) -> Tensor:
    return a.reshape([n for i, n in enumerate(a.shape) if i not in axes])


@normalized
def var(
    a: ArrayLike,
    axis: ReduceAxis = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    ddof: Any = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: OptArray = None,
    correction: Any = NO_VALUE,
) -> Tensor:
    """The variance, by default of the population (`ddof=0`, torch's own default is 1); real for complex input."""
    if correction is not NO_VALUE:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    plain = dtype is None and where is True and mean is None and not keepdims and type(ddof) is int
    alone = axis is None or type(axis) is int and -a.ndim <= axis < a.ndim and (a.ndim == 1 or a.dtype is not FLOAT32)
    if plain and a.dtype in DIRECT and alone:
        count = a.numel() if axis is None else a.shape[axis]
        if count > ddof and a.numel():  # torch warns where it has nothing to divide by
            return torch.var(a, axis, correction=ddof)
    axes = _axes(axis, a, where)
    mean, a = _mean_of_var(a, axes, dtype or mean_dtype(a.dtype), where, mean)
    total = _squared_deviations(a, axes, where, mean)
    count = beside(_count(a, axes, where), total).to(total) - ddof
    result = (total / count.clamp(min=0)).to(dtype or real_dtype(a.dtype))
    return result if keepdims else _dropped(result, axes)


def _mean_of_var(
    a: Tensor, axes: Any, target: torch.dtype, where: Any, mean: Tensor | None
) -> tuple[Tensor | None, Tensor]:
    """The mean, where its dtype is another than that of the deviations, and what these are taken of."""
    if mean is None and a.is_complex() and not target.is_complex:  # NumPy drops the imaginary part of the mean alone
        return _mean(a.to(target), axes, where), a
    return mean, a.to(target)


def _squared_deviations(a: Tensor, axes: Any, where: Any, mean: Tensor | None) -> Tensor:
    """The sums of the squared distances from the mean."""
    work = a.to(FLOAT32) if a.dtype is FLOAT16 else a
    away = work - (_mean(work, axes, where) if mean is None else mean.to(work))
    squares = away.real**2 + away.imag**2 if away.is_complex() else away * away
    return sum(squares, axes, keepdims=True, where=where)


@normalized
def std(
    a: ArrayLike,
    axis: ReduceAxis = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    ddof: Any = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: OptArray = None,
    correction: Any = NO_VALUE,
) -> Tensor:
    """The standard deviation, by default of the population (`ddof=0`, torch's own default is 1)."""
    plain = axis is None and dtype is None and where is True and mean is None and not keepdims
    if plain and ddof == 0 and correction is NO_VALUE and a.dtype in DIRECT and a.numel():
        return torch.std(a, correction=0)
    spread = var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return root(spread)


@normalized
@by_numpy
def average(
    a: ArrayLike, axis: AxisLike = None, weights: OptArray = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    """The weighted mean; with `returned` also the sum of the weights.

    Raises
    ------
    ZeroDivisionError
        When weights sum to zero.
    """
    axes_of(axis, a.ndim)
    if weights is None:
        result = mean(a, axis, keepdims=keepdims)
        if not result.numel():
            raise ZeroDivisionError("division by zero")  # of the number of elements by that of results
        total = torch.full_like(result, a.numel() / (result.numel() or 1))
    else:
        weights = _fitting(a, axis, weights)
        dtype = promote(a.dtype, weights.dtype)
        dtype = promote(dtype, torch.float64) if kind(a.dtype) < 2 else dtype
        total = sum(weights, axis, dtype, keepdims=keepdims)
        if wrong(total == 0, zero := "Weights sum to zero, can't be normalized"):
            raise ZeroDivisionError(zero)
        result = sum(a.to(dtype) * weights.to(dtype), axis, keepdims=keepdims) / total
    return (result, total.expand(result.shape).clone()) if returned else result


def _fitting(a: Tensor, axis: Any, weights: Tensor) -> Tensor:
    """The weights with the dimensions of `a`: they may have been given for the axes alone."""
    if weights.shape == a.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = axes_of(axis, a.ndim)
    if tuple(weights.shape) != tuple(a.shape[i] for i in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    order = sorted(range(len(axes)), key=lambda i: axes[i])
    shape = [n if i in axes else 1 for i, n in enumerate(a.shape)]
    return weights.permute(order).reshape(shape).expand(a.shape)


# -------------------------------------------------------------------------------------------- running totals
def _running(ufunc: UFunc, a: Any, axis: Any, dtype: Any, out: Any) -> Tensor:
    a = asarray(a)
    if a.ndim != 1 and (axis is None or a.ndim == 0):
        a = a.reshape(-1)
    return ufunc.accumulate(a, 0 if axis is None else axis, dtype, out)


@or_numpys
@asked_first
def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Running sums; of the flattened array without `axis`."""
    return _running(u.add, a, axis, dtype, out)


@or_numpys
@asked_first
def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Running products; of the flattened array without `axis`."""
    return _running(u.multiply, a, axis, dtype, out)


def _cumulative(ufunc: UFunc, x: Any, axis: Any, dtype: Any, out: Any, include_initial: bool) -> Tensor:
    x = asarray(x)
    x = x.reshape(-1) if x.ndim == 0 else x
    if axis is None and x.ndim > 1:
        raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
    (dim,) = axes_of(as_axis(0 if axis is None else axis), x.ndim)
    result = ufunc.accumulate(x, dim, dtype)
    if include_initial:
        shape = [1 if i == dim else n for i, n in enumerate(x.shape)]
        result = torch.cat([asarray(ufunc.identity, result.dtype, result.device).expand(shape), result], dim)
    return result if out is None else u.positive(result, out=out)


def cumulative_sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Tensor:
    """Running sums along `axis`, after the 0 they start from if `include_initial`."""
    return _cumulative(u.add, x, axis, dtype, out, include_initial)


def cumulative_prod(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Tensor:
    """Running products along `axis`, after the 1 they start from if `include_initial`."""
    return _cumulative(u.multiply, x, axis, dtype, out, include_initial)


__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "average", "count_nonzero", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "ptp", "std", "sum", "sum_items", "var",
]  # fmt: skip
