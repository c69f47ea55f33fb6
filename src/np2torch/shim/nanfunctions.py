"""The reductions that leave nan out; NumPy's RuntimeWarnings about slices of nothing but nan are given."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim import reductions as r
from np2torch.shim import ufuncs as u
from np2torch.shim._axes import reduced_axes
from np2torch.shim._broadcast import common_shape
from np2torch.shim._core import ArrayLike, DTypeLike, OptArray, OutArray, ReduceAxis, beside, normalized
from np2torch.shim._errors import warn_where, wrong
from np2torch.shim._kernels import root
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import Tensor, kind
from np2torch.shim._ufunc import NO_VALUE, UFunc


def _demand_inexact(a: Tensor, dtype: torch.dtype | None) -> None:
    """Raise TypeError for floats whose mean is asked for in integers."""
    if dtype is not None and kind(a.dtype) > 1 and kind(dtype) < 2:
        raise TypeError("If a is inexact, then dtype must be inexact")


def _present(a: Tensor, where: Any) -> Any:
    """The mask of what counts: not nan, and in `where`."""
    if kind(a.dtype) < 2:
        return where
    if where is True:
        return ~torch.isnan(a)
    mask = beside(where, a)
    try:
        return ~torch.isnan(a) & mask
    except RuntimeError:
        raise ValueError(f"a mask of shape {tuple(mask.shape)} does not go with {tuple(a.shape)}") from None


def _filled(a: Tensor, value: float) -> Tensor:
    return a if kind(a.dtype) < 2 else torch.where(torch.isnan(a), torch.full_like(a, value), a)


def _zero_d_axis(a: Tensor, axis: Any) -> Any:
    """Allow axis 0 of a 0-D array of floats, as in sum though not in mean."""
    return reduced_axes(axis, 0) if a.ndim == 0 and kind(a.dtype) >= 2 else axis


@normalized
def nansum(
    a: ArrayLike,
    axis: ReduceAxis = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> Tensor:
    """The sum, nan counting as 0."""
    return r.sum(_filled(a, 0), axis, dtype, None, keepdims, initial, where)


@normalized
def nanprod(
    a: ArrayLike,
    axis: ReduceAxis = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> Tensor:
    """The product, nan counting as 1."""
    return r.prod(_filled(a, 1), axis, dtype, None, keepdims, initial, where)


@normalized
def nancumsum(a: ArrayLike, axis: ReduceAxis = None, dtype: DTypeLike = None, out: OutArray = None) -> Tensor:
    """Running sums, nan counting as 0."""
    return r.cumsum(_filled(a, 0), axis, dtype)


@normalized
def nancumprod(a: ArrayLike, axis: ReduceAxis = None, dtype: DTypeLike = None, out: OutArray = None) -> Tensor:
    """Running products, nan counting as 1."""
    return r.cumprod(_filled(a, 1), axis, dtype)


@normalized
@by_numpy
def nanmean(
    a: ArrayLike,
    axis: ReduceAxis = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> Tensor:
    """The mean of what is not nan; nan where nothing is left."""
    _demand_inexact(a, dtype)
    axis, present = _zero_d_axis(a, axis), _present(a, where)
    if isinstance(present, Tensor):
        counted = present.expand(common_shape(a.shape, present.shape))
        warn_where(~r.any(counted, axis), "Mean of empty slice")
    return r.mean(_filled(a, 0), axis, dtype, None, keepdims, where=present)


@normalized
@by_numpy
def nanvar(
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
    """The variance of what is not nan; nan where `ddof` or fewer elements are left."""
    _demand_inexact(a, dtype)
    present = _present(a, where)
    if correction is not NO_VALUE:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    axis = _zero_d_axis(a, axis)
    result: Tensor = r.var(_filled(a, 0), axis, dtype, None, ddof, keepdims, where=present, mean=mean)
    if present is True:
        return result
    few = r.count_nonzero(present.expand(a.shape), axis, keepdims=keepdims) - ddof <= 0
    warn_where(few, "Degrees of freedom <= 0 for slice.")
    return torch.where(few, torch.full_like(result, torch.nan), result)


@normalized
@by_numpy
def nanstd(
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
    """The standard deviation of what is not nan."""
    spread = nanvar(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return root(spread)


def _extreme(ufunc: UFunc, fill: float, a: Tensor, axis: Any, keepdims: bool, initial: Any, where: Any) -> Tensor:
    result = ufunc.reduce(_filled(a, fill), axis, None, None, keepdims, initial, where)
    if kind(a.dtype) < 2 or initial is not NO_VALUE:
        return result
    nothing = r.all(torch.isnan(a), axis, keepdims=keepdims)
    warn_where(nothing, "All-NaN slice encountered")
    return torch.where(nothing, torch.full_like(result, torch.nan), result)


@normalized
def nanmax(
    a: ArrayLike,
    axis: ReduceAxis = None,
    out: OutArray = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> Tensor:
    """The largest element that is not nan; nan where all are."""
    return _extreme(u.maximum, -torch.inf, a, axis, keepdims, initial, where)


@normalized
def nanmin(
    a: ArrayLike,
    axis: ReduceAxis = None,
    out: OutArray = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> Tensor:
    """The smallest element that is not nan; nan where all are."""
    return _extreme(u.minimum, torch.inf, a, axis, keepdims, initial, where)


def _arg(a: Tensor, axis: Any, keepdims: bool, largest: bool) -> Tensor:
    reduced_axes(axis, a.ndim)
    if kind(a.dtype) >= 2 and a.numel() and wrong(r.all(torch.isnan(a), axis), "All-NaN slice encountered"):
        raise ValueError("All-NaN slice encountered")
    function = r.argmax if largest else r.argmin
    return function(_filled(a, -torch.inf if largest else torch.inf), axis, keepdims=keepdims)


@normalized
def nanargmax(a: ArrayLike, axis: ReduceAxis = None, out: OutArray = None, *, keepdims: bool = False) -> Tensor:
    """The first place of the largest element that is not nan; ValueError where all are."""
    return _arg(a, axis, keepdims, largest=True)


@normalized
def nanargmin(a: ArrayLike, axis: ReduceAxis = None, out: OutArray = None, *, keepdims: bool = False) -> Tensor:
    """The first place of the smallest element that is not nan; ValueError where all are."""
    return _arg(a, axis, keepdims, largest=False)


__all__ = [
    "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum",
    "nanvar",
]  # fmt: skip
