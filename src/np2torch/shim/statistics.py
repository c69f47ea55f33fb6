"""Order statistics, covariance and correlation; quantiles by sorting, so that there is no limit on the size."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim import nanfunctions
from np2torch.shim import reductions as r
from np2torch.shim import ufuncs as u
from np2torch.shim._axes import along, keep
from np2torch.shim._core import ArrayLike, AxisLike, DTypeLike, OptArray, OutArray, asarray, axes_of, beside, normalized
from np2torch.shim._errors import warn_where, wrong
from np2torch.shim._layout import moved
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import BOOL, FLOAT16, FLOAT32, FLOAT64, INT64, Tensor, is_weak, kind, mean_dtype, promote
from np2torch.shim._type_resolution import WIDE_UNSIGNED
from np2torch.shim.sorting import stable_order

Indices = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def _sorted(a: Tensor, axis: Any, skip_nan: bool) -> tuple[Tensor, Tensor, Tensor, tuple[int, ...]]:
    """Sorted slices along a last axis, how many elements of each count, which slices have no result, the axes."""
    axes = axes_of(axis, a.ndim)
    kept = [size for i, size in enumerate(a.shape) if i not in axes]
    if len(axes) != 1 and 0 in kept and not skip_nan:
        raise ValueError(f"cannot reshape array of size 0 into shape {(*kept, 'newaxis')}")
    flat, dim = along(a, axes)
    flat = flat.movedim(dim, -1)
    dtype = flat.dtype
    if flat.is_complex():
        ordered = flat.gather(-1, stable_order(flat))
    else:
        ordered = torch.sort(flat.to(INT64) if dtype in WIDE_UNSIGNED else flat, dim=-1).values
    if ordered.shape[-1] == 0:  # nothing to pick from: one nan
        nothing = complex(math.nan, math.nan) if dtype.is_complex else math.nan
        ordered = torch.full((*ordered.shape[:-1], 1), nothing, dtype=mean_dtype(dtype), device=a.device)
    size = torch.full(ordered.shape[:-1], ordered.shape[-1], dtype=INT64, device=a.device)
    missing = torch.isnan(ordered).sum(-1)
    if skip_nan:
        if a.numel():
            warn_where(missing == size, "All-NaN slice encountered", each=True)
        else:
            warn_where(missing == size, "Mean of empty slice")
    return ordered, (size - missing if skip_nan else size), (missing == size if skip_nan else missing > 0), axes


def _nan_where(mask: Tensor, x: Tensor) -> Tensor:
    if not x.is_floating_point():
        return x
    return torch.where(mask, torch.full_like(x, torch.nan), x)


# ------------------------------------------------------------------------------------------------------ median
def _median(a: Tensor, axis: Any, keepdims: bool, skip_nan: bool) -> Tensor:
    ordered, n, undefined, axes = _sorted(a, axis, skip_nan)
    work = FLOAT32 if a.dtype is FLOAT16 else mean_dtype(a.dtype)
    pick = torch.stack([(n - 1).clamp(min=0) // 2, (n // 2).clamp(max=ordered.shape[-1] - 1)], -1)
    low, high = ordered.gather(-1, pick).to(work).unbind(-1)
    middle = torch.where(n % 2 == 1, low, (low + high) / 2)
    if kind(ordered.dtype) > 1:  # a NaN stands last, and is the median as it stands
        middle = torch.where(undefined, ordered[..., -1].to(work), middle)
    return keep(middle.to(mean_dtype(a.dtype)), a.shape, axes, keepdims)


@normalized
@by_numpy
def median(
    a: ArrayLike, axis: AxisLike = None, out: OutArray = None, overwrite_input: bool = False, keepdims: bool = False
) -> Tensor:
    """The median, the mean of the middle two for an even number (torch takes the lower); nan where there is a nan."""
    return _median(a, axis, keepdims, skip_nan=False)


@normalized
@by_numpy
def nanmedian(
    a: ArrayLike, axis: AxisLike = None, out: OutArray = None, overwrite_input: bool = False, keepdims: bool = False
) -> Tensor:
    """The median of what is not nan."""
    return _median(a, axis, keepdims, skip_nan=True)


# --------------------------------------------------------------------------------------------------- quantiles
def _continuous(alpha: float, beta: float) -> Indices:
    """Hyndman and Fan's family: a place between two elements and the fraction of the way."""

    def indices(n: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
        virtual = n * q + (alpha + q * (1 - alpha - beta)) - 1
        return virtual, virtual - torch.floor(virtual)

    return indices


def _linear(n: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
    virtual = (n - 1) * q
    return virtual, virtual - torch.floor(virtual)


def _midpoint(n: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
    virtual = 0.5 * (torch.floor((n - 1) * q) + torch.ceil((n - 1) * q))
    return virtual, torch.where(virtual % 1 == 0, 0.0, 0.5).to(q.dtype)


def _averaged(n: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
    virtual = n * q - 1
    return virtual, torch.where(virtual == torch.floor(virtual), 0.5, 1.0).to(q.dtype)


_BETWEEN: dict[str, Indices] = {
    "linear": _linear,
    "midpoint": _midpoint,
    "averaged_inverted_cdf": _averaged,
    "interpolated_inverted_cdf": _continuous(0, 1),
    "hazen": _continuous(0.5, 0.5),
    "weibull": _continuous(0, 0),
    "median_unbiased": _continuous(1 / 3, 1 / 3),
    "normal_unbiased": _continuous(3 / 8, 3 / 8),
}
_ELEMENT: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "lower": lambda n, q: torch.floor((n - 1) * q),
    "higher": lambda n, q: torch.ceil((n - 1) * q),
    "nearest": lambda n, q: torch.round((n - 1) * q),
    "inverted_cdf": lambda n, q: torch.ceil(n * q) - 1,
    "closest_observation": lambda n, q: torch.round(n * q) - 1,
}


def _quantile(
    a: Tensor, given: Any, scale: int, axis: Any, method: str, keepdims: bool, weights: Any, skip_nan: bool
) -> Tensor:
    if a.is_complex():
        raise TypeError("a must be an array of real numbers")
    q = _levels(given, scale, a.device).to(a.device)
    if wrong(~((q >= 0) & (q <= 1)), said := "Quantiles must be in the range [0, 1]"):
        raise ValueError(said)
    if method not in _BETWEEN and method not in _ELEMENT:
        raise ValueError(f"{method!r} is not a valid method")
    if weights is not None:
        if method != "inverted_cdf":
            raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
        return _weighted(a, q, axis, keepdims, beside(weights, a), skip_nan)
    ordered, n, undefined, axes = _sorted(a, axis, skip_nan)
    if not skip_nan and not math.prod([a.shape[at] for at in axes]):
        raise IndexError("cannot take quantiles of an empty array")
    if kind(q.dtype) < 2:  # the integers 0 and 1 name elements
        method = "lower" if method == "linear" else method
        q = q.to(FLOAT64)
    size = n[..., None].to(q.dtype)
    level = q.reshape(-1)
    last = (n[..., None] - 1).clamp(min=0)
    if method in _ELEMENT:
        place = torch.minimum(_ELEMENT[method](size, level).to(INT64).clamp(min=0), last)
        result = ordered.gather(-1, place).to(a.dtype)
    else:
        if a.dtype is BOOL:
            raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
        virtual, gamma = _BETWEEN[method](size, level)
        before = torch.floor(virtual).to(INT64)
        inside = (virtual >= 0) & (virtual < size - 1)
        low = torch.minimum(before.clamp(min=0), last)
        x, y = ordered.gather(-1, low), ordered.gather(-1, torch.where(inside, torch.minimum(low + 1, last), low))
        near, far = gamma, 1 - gamma
        if is_weak(given) and a.is_floating_point():  # places are float64 always, a Python number makes no result wider
            near, far = near.to(a.dtype), far.to(a.dtype)
        step = u.multiply(u.subtract(y, x), near)
        result = torch.where(gamma >= 0.5, u.subtract(y, u.multiply(u.subtract(y, x), far)), u.add(x, step))
    return _arranged(_nan_where(undefined[..., None], result), q, a, axes, keepdims)


def _arranged(result: Tensor, q: Tensor, a: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """The levels, which lie on the last axis, in front and in the shape of q."""
    found = [keep(x, a.shape, axes, keepdims) for x in result.unbind(-1)]
    if q.ndim == 0:
        return found[0]
    shape = keep(result[..., 0], a.shape, axes, keepdims).shape if not found else found[0].shape
    return torch.stack(found).reshape(q.shape + shape) if found else result.new_empty(q.shape + shape)


def _weighted(a: Tensor, q: Tensor, axis: Any, keepdims: bool, weights: Tensor, skip_nan: bool) -> Tensor:
    """The first element at which the share of the weights reaches the level."""
    axes = axes_of(axis, a.ndim)
    weights = r._fitting(a, axis, weights).to(FLOAT64)
    if wrong(weights < 0, said := "Weights must be non-negative."):
        raise ValueError(said)
    flat, dim = along(a, axes)
    load = along(weights, axes)[0].movedim(dim, -1)
    ordered, order = torch.sort(flat.movedim(dim, -1), dim=-1, stable=True)
    load = load.gather(-1, order)
    missing = torch.isnan(ordered)
    if skip_nan:
        load = torch.where(missing, 0.0, load)
    share = torch.cumsum(load, -1)
    share = share / share[..., -1:]
    if wrong(torch.isnan(share[..., -1:]), said := "Weights included NaN, inf or were all zero."):
        raise ValueError(said)
    share = torch.where(share == 0, -1.0, share)
    if q.is_floating_point():
        share = share.to(q.dtype).to(FLOAT64)
    level = q.reshape(-1).to(FLOAT64).expand(*share.shape[:-1], q.numel()).contiguous()
    place = torch.searchsorted(share.contiguous(), level).clamp(max=share.shape[-1] - 1)
    undefined = missing.all(-1) if skip_nan else missing.any(-1)
    return _arranged(_nan_where(undefined[..., None], moved(torch.gather, ordered, -1, place)), q, a, axes, keepdims)


def _levels(q: Any, scale: int, device: torch.device) -> Tensor:
    """The levels as a tensor of fractions."""
    levels = asarray(q, None, device)
    if scale != 1:
        levels = levels.to(mean_dtype(levels.dtype))
        if wrong(~((levels >= 0) & (levels <= scale)), said := "Percentiles must be in the range [0, 100]"):
            raise ValueError(said)
        levels = levels / torch.full_like(levels, scale)
    return levels


@normalized
@by_numpy
def quantile(
    a: ArrayLike,
    q: Any,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Tensor:
    """Quantiles by any of NumPy's methods; nan where there is a nan."""
    return _quantile(a, q, 1, axis, method, keepdims, weights, skip_nan=False)


@normalized
@by_numpy
def percentile(
    a: ArrayLike,
    q: Any,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Tensor:
    """Percentiles by any of NumPy's methods; nan where there is a nan."""
    return _quantile(a, q, 100, axis, method, keepdims, weights, skip_nan=False)


@normalized
@by_numpy
def nanquantile(
    a: ArrayLike,
    q: Any,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Tensor:
    """Quantiles of what is not nan; of no elements at all one nan, however many quantiles are asked for."""
    if not a.numel():
        return nanfunctions.nanmean(a, axis, keepdims=keepdims)
    return _quantile(a, q, 1, axis, method, keepdims, weights, skip_nan=True)


@normalized
@by_numpy
def nanpercentile(
    a: ArrayLike,
    q: Any,
    axis: AxisLike = None,
    out: OutArray = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Tensor:
    """Percentiles of what is not nan; of no elements at all one nan, however many are asked for."""
    if not a.numel():
        return nanfunctions.nanmean(a, axis, keepdims=keepdims)
    return _quantile(a, q, 100, axis, method, keepdims, weights, skip_nan=True)


# ------------------------------------------------------------------------------------------------- covariance
@normalized
@by_numpy
def cov(
    m: ArrayLike,
    y: OptArray = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: OptArray = None,
    aweights: OptArray = None,
    *,
    dtype: DTypeLike = None,
) -> Tensor:
    """The covariance matrix of the rows (of the columns without `rowvar`), in float64 at least."""
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    if m.ndim > 2 or (y is not None and y.ndim > 2):
        raise ValueError("m has more than 2 dimensions" if m.ndim > 2 else "y has more than 2 dimensions")
    dtype = dtype or promote(m.dtype, FLOAT64, *([] if y is None else [y.dtype]))
    x = _variables(m, rowvar).to(dtype)
    if not x.shape[0]:
        return torch.empty(0, 0, dtype=FLOAT64, device=m.device)
    if y is not None:
        x = torch.cat([x, _variables(y, rowvar or y.ndim == 1).to(dtype)])
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights = _weights(fweights, aweights, x.shape[1])
    if weights is None:
        total: Any = x.shape[1]
        factor: Any = float(total - ddof)
        middle = x.mean(1, keepdim=True)
    else:
        total = weights.sum()
        middle = (x * weights).sum(1, keepdim=True) / total
        spare = ddof if aweights is None else ddof * (weights * aweights.to(weights)).sum() / total
        factor = total - spare
    factor = torch.as_tensor(factor, dtype=FLOAT64, device=x.device).clamp(min=0)
    away = x - middle
    loaded = away if weights is None else away * weights
    return _squeezed((away @ loaded.T.conj()).div(factor.to(dtype)))


def _variables(m: Tensor, rowvar: bool) -> Tensor:
    if m.ndim < 2:
        return m.reshape(1, -1)
    return m if rowvar else m.T


def _weights(fweights: Tensor | None, aweights: Tensor | None, size: int) -> Tensor | None:
    for name, w in (("fweights", fweights), ("aweights", aweights)):
        if w is not None:
            if name == "fweights" and kind(w.dtype) >= 2 and wrong(w != torch.round(w), "fweights must be integer"):
                raise TypeError("fweights must be integer")
            if w.ndim > 1:
                raise RuntimeError(f"cannot handle multidimensional {name}")
            if w.shape[0] != size:
                raise RuntimeError(f"incompatible numbers of samples and {name}")
            if wrong(w < 0, said := f"{name} cannot be negative"):
                raise ValueError(said)
    given = [w.to(FLOAT64) for w in (fweights, aweights) if w is not None]
    return None if not given else given[0] if len(given) == 1 else given[0] * given[1]


def _squeezed(c: Tensor) -> Tensor:
    return c.reshape(()) if c.numel() == 1 else c


@normalized
@by_numpy
def corrcoef(x: ArrayLike, y: OptArray = None, rowvar: bool = True, *, dtype: DTypeLike = None) -> Tensor:
    """The matrix of correlation coefficients of the rows (of the columns without `rowvar`)."""
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    spread = torch.sqrt(torch.diagonal(c).real)
    c = c / spread[:, None] / spread[None, :]
    return torch.complex(c.real.clamp(-1, 1), c.imag.clamp(-1, 1)) if c.is_complex() else c.clamp(-1, 1)


# --------------------------------------------------------------------------------------- sliding sums of products
def _slide(a: Tensor, v: Tensor, mode: str) -> Tensor:
    """The products of v with every stretch of a (which is at least as long), zeros around it for 'same' and 'full'."""
    if mode not in ("valid", "same", "full"):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    dtype = promote(a.dtype, v.dtype)
    n, m = len(a), len(v)
    before, after = {"valid": (0, 0), "same": (m // 2, m - 1 - m // 2), "full": (m - 1, m - 1)}[mode]
    work = INT64 if kind(dtype) < 2 else FLOAT32 if dtype is FLOAT16 else dtype
    a, v = a.to(work), v.to(work)
    zeros = a.new_zeros
    padded = torch.cat([zeros(before), a, zeros(after)])
    if kind(work) >= 2:
        return torch.nn.functional.conv1d(padded[None, None], v[None, None])[0, 0].to(dtype)
    size = n + before + after - m + 1
    total = zeros(size)
    for k in range(m):  # torch convolves integers on no device
        total = total + v[k] * padded[k : k + size]
    return total.to(dtype)


def _one_d(a: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError("correlate and convolve take 1-D arrays")
    if not len(a):
        raise ValueError("a cannot be empty")
    if not len(v):
        raise ValueError("v cannot be empty")
    return a, v


@normalized
@by_numpy
def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid") -> Tensor:
    """Cross-correlation, sum of a[n + k] * conj(v[n])."""
    a, v = _one_d(a, v)
    v = v.conj().resolve_conj() if v.is_complex() else v
    return _slide(a, v, mode) if len(a) >= len(v) else _slide(v, a, mode).flip(0)


@normalized
@by_numpy
def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> Tensor:
    """Discrete linear convolution."""
    a, v = _one_d(*(x.reshape(1) if x.ndim == 0 else x for x in (a, v)))
    if len(v) > len(a):
        a, v = v, a
    return _slide(a, v.flip(0), mode)


__all__ = [
    "convolve", "corrcoef", "correlate", "cov", "median", "nanmedian", "nanpercentile", "nanquantile", "percentile",
    "quantile",
]  # fmt: skip
