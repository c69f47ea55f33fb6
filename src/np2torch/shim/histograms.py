"""Counting into bins."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch

from np2torch.shim import reductions as r
from np2torch.shim import ufuncs as u
from np2torch.shim._core import ArrayLike, OptArray, asarray, normalized
from np2torch.shim._errors import holds, without_values, wrong
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import BOOL, COMPLEX128, FLOAT64, INT64, Tensor, is_weak, kind, mean_dtype, promote
from np2torch.shim._type_resolution import WIDE_UNSIGNED
from np2torch.shim.statistics import percentile

Limits: TypeAlias = tuple[float, float]


def _comparable(x: Tensor) -> Tensor:
    """In a dtype torch sorts and compares: bools and wide unsigned integers as int64."""
    return x.to(INT64) if x.dtype is BOOL or x.dtype in WIDE_UNSIGNED else x


def _search(edges: Tensor, x: Tensor, right: bool) -> Tensor:
    """Give the position of each element of x between the sorted edges."""
    dtype = promote(edges.dtype, x.dtype)
    return torch.searchsorted(
        _comparable(edges.to(dtype)).contiguous(), _comparable(x.to(dtype)).contiguous(), right=right
    )


def _places(edges: Tensor, x: Tensor) -> Tensor:
    """The bin of each element, the last one being closed; -1 or the number of bins for what is outside."""
    place = _search(edges, x, right=True) - 1
    return torch.where(u.equal(x, edges[-1]), len(edges) - 2, place)


# ---------------------------------------------------------------------------------------------- number of bins
def _stone(x: Tensor, span: float, limits: Limits) -> float:
    """The width that minimises an estimate of the squared error over up to max(100, sqrt(n)) bins."""
    n = x.numel()
    if n <= 1 or not span:
        return 0.0

    def loss(bins: int) -> float:
        p = histogram(x, bins, limits)[0] / n
        return float((2 - (n + 1) * torch.dot(p, p)) / (span / bins))

    return span / min(range(1, builtins.max(100, int(math.sqrt(n))) + 1), key=loss)


def _doane(x: Tensor, span: float, limits: Limits) -> float:
    n = x.numel()
    sigma = float(r.std(x))
    if n <= 2 or sigma == 0:
        return 0.0
    skew = abs(float(r.mean(((x - r.mean(x)) / sigma) ** 3)))
    expected = math.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
    return span / (1.0 + math.log2(n) + math.log2(1.0 + skew / expected))


def _freedman_diaconis(x: Tensor, span: float, limits: Limits) -> float:
    high, low = percentile(x, [75, 25])
    width: float = 2.0 * float(high - low) / x.numel() ** (1.0 / 3.0)
    return width


def _auto(x: Tensor, span: float, limits: Limits) -> float:
    """Freedman-Diaconis, but not far more bins than a square root, and at least as many as Sturges."""
    fd = _freedman_diaconis(x, span, limits)
    sturges = _WIDTHS["sturges"](x, span, limits)
    return min(builtins.max(fd, _WIDTHS["sqrt"](x, span, limits) / 2), sturges) if fd else sturges


_WIDTHS: dict[str, Callable[[Tensor, float, Limits], float]] = {
    "sqrt": lambda x, span, limits: span / math.sqrt(x.numel()),
    "sturges": lambda x, span, limits: span / (math.log2(x.numel()) + 1.0),
    "rice": lambda x, span, limits: span / (2.0 * x.numel() ** (1.0 / 3)),
    "scott": lambda x, span, limits: (24.0 * math.pi**0.5 / x.numel()) ** (1.0 / 3.0) * float(r.std(x)),
    "stone": _stone,
    "doane": _doane,
    "fd": _freedman_diaconis,
    "auto": _auto,
}


def _estimated(a: Tensor, bins: str, first: Any, last: Any, ranged: bool, weights: Tensor | None) -> int:
    if bins not in _WIDTHS:
        raise ValueError(f"{bins!r} is not a valid estimator for `bins`")
    if weights is not None:
        raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
    if ranged:
        a = a[(a >= first) & (a <= last)]
    if not a.numel():
        return 1
    x = a.to(FLOAT64) if kind(a.dtype) < 2 else a
    width = _WIDTHS[bins](x, float(r.ptp(x)), (float(first), float(last)))
    if kind(a.dtype) == 1 and 0 < width < 1:
        width = 1.0
    if isinstance(first, Tensor) and kind(first.dtype) < 2:  # as Python integers, which do not overflow
        first, last = int(first), int(last)
    return math.ceil(float(last - first) / width) if width else 1


# ------------------------------------------------------------------------------------------------------- edges
def _outer_edges(a: Tensor, limits: Any) -> tuple[Any, Any]:
    if limits is not None:
        first, last = limits
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (math.isfinite(first) and math.isfinite(last)):
            raise ValueError(f"supplied range of [{first}, {last}] is not finite")
    elif not a.numel():
        first, last = 0, 1
    else:
        first, last = r.min(a), r.max(a)
        if wrong(~(u.isfinite(first) & u.isfinite(last)), "autodetected range is not finite"):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
        if without_values(first):
            first, last = first.to(mean_dtype(first.dtype)), last.to(mean_dtype(last.dtype))
            room = torch.where(first == last, 0.5, 0.0).to(first)
            return first - room, last + room
    return (u.subtract(first, 0.5), u.add(last, 0.5)) if first == last else (first, last)


def _even_edges(first: Any, last: Any, count: int, dtype: torch.dtype, device: Any) -> Tensor:
    """`count` + 1 edges from first to last; every one is first + i * step, as NumPy's linspace computes it."""
    first, last = (asarray(x, None, device).to(device) for x in (first, last))
    work = promote(first.dtype, last.dtype)
    work = work if kind(work) >= 2 else FLOAT64
    first, last = first.to(work), last.to(work)
    edges = torch.arange(count + 1, dtype=work, device=device) * ((last - first) / count) + first
    edges = torch.cat([edges[:-1], last.reshape(1)]).to(dtype)
    said = f"Too many bins for data range. Cannot create {count} finite-sized bins."
    if wrong(edges[:-1] >= edges[1:], said):
        raise ValueError(said)
    return edges


def _bin_edges(a: Tensor, bins: Any, limits: Any, weights: Tensor | None) -> Tensor:
    given = None if isinstance(bins, str) else asarray(bins)
    if given is not None and given.ndim == 1:
        if wrong(given[1:] < given[:-1], said := "`bins` must increase monotonically, when an array"):
            raise ValueError(said)
        return given
    if given is not None and given.ndim > 1:
        raise ValueError("`bins` must be 1d, when an array")
    first, last = _outer_edges(a, limits)
    if given is None:
        count = _estimated(a, bins, first, last, limits is not None, weights)
    else:
        if kind(given.dtype) != 1:
            raise TypeError("`bins` must be an integer, a string, or an array")
        count = int(bins if is_weak(bins) else given)
        if count < 1:
            raise ValueError("`bins` must be positive, when an integer")
    kinds = [x.dtype if isinstance(x, Tensor) else None for x in (first, last)]
    dtype = promote(a.dtype, *(d for d in kinds if d))
    if any(isinstance(x, float) for x in (first, last)) and kind(dtype) < 2:
        dtype = FLOAT64
    return _even_edges(first, last, count, dtype if kind(dtype) >= 2 else FLOAT64, a.device)


def _prepared(a: Tensor, weights: Tensor | None) -> tuple[Tensor, Tensor | None]:
    if weights is not None and weights.shape != a.shape:
        raise ValueError("weights should have the same shape as a.")
    a = a.to(torch.uint8) if a.dtype is BOOL else a
    return a.reshape(-1), None if weights is None else weights.reshape(-1)


@normalized
@by_numpy
def histogram_bin_edges(a: ArrayLike, bins: Any = 10, range: Any = None, weights: OptArray = None) -> Tensor:
    """The edges `histogram` would use."""
    flat, weights = _prepared(a, weights)
    return _bin_edges(flat, bins, range, weights)


@normalized
@by_numpy
def histogram(
    a: ArrayLike, bins: Any = 10, range: Any = None, density: bool | None = None, weights: OptArray = None
) -> tuple[Tensor, Tensor]:
    """Counts (int64; in the dtype of the weights if there are any) and the edges of the bins."""
    flat, weights = _prepared(a, weights)
    edges = _bin_edges(flat, bins, range, weights)
    places = _places(edges, flat)
    inside = (places >= 0) & (places < len(edges) - 1) & ~u.isnan(flat)
    counts = _tally(places, inside, weights, len(edges) - 1)
    if density:
        widths = (edges[1:] - edges[:-1]).to(FLOAT64)
        return u.divide(u.divide(counts, widths), r.sum(counts)), edges
    return counts, edges


def _tally(places: Tensor, inside: Tensor, weights: Tensor | None, count: int) -> Tensor:
    """Count how often each place is taken, or sum the weights there; what is outside goes behind the last one."""
    places = torch.where(inside, places, count)
    if weights is None and not without_values(places):
        return torch.bincount(places, minlength=count + 1)[:count]
    loads = torch.ones_like(places) if weights is None else weights
    work = INT64 if weights is None else COMPLEX128 if loads.is_complex() else FLOAT64
    sums = torch.zeros(count + 1, dtype=work, device=places.device).index_add(0, places, loads.to(work))
    return sums[:count].to(loads.dtype)


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[Tensor, list[Tensor]]:
    """The histogram of points in several dimensions: float64 counts and the edges for each dimension."""
    points = asarray(sample)
    points = points if isinstance(sample, Tensor) or hasattr(sample, "__array__") else points.T
    if points.ndim != 2:
        points = torch.atleast_2d(points).T  # type: ignore[no-untyped-call]
    dims = points.shape[1]
    per_dim = [bins] * dims if isinstance(bins, int) or (isinstance(bins, Tensor) and bins.ndim == 0) else list(bins)
    if len(per_dim) != dims:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    limits: Sequence[Any] = [None] * dims if range is None else range
    if len(limits) != dims:
        raise ValueError("range argument must have one entry per dimension")
    weights = None if weights is None else asarray(weights)
    columns = [points[:, i] for i in builtins.range(dims)]
    edges = [_bin_edges(x.to(promote(x.dtype, FLOAT64)) if kind(x.dtype) < 2 else x, b, lim, None)
             for x, b, lim in zip(columns, per_dim, limits, strict=True)]  # fmt: skip
    shape = [len(e) - 1 for e in edges]
    flat = torch.zeros(len(points), dtype=INT64, device=points.device)
    inside = torch.ones(len(points), dtype=BOOL, device=points.device)
    for x, e, size in zip(columns, edges, shape, strict=True):
        place = _places(e, x)
        inside &= (place >= 0) & (place < size) & ~u.isnan(x)
        flat = flat * size + place
    counts = _tally(flat, inside, None if weights is None else weights.to(FLOAT64), math.prod(shape))
    result = counts.to(FLOAT64).reshape(shape)
    return _densities(result, edges) if density else result, edges


def _densities(counts: Tensor, edges: Sequence[Tensor]) -> Tensor:
    """Counts divided by the sizes of their bins, so that they add up to one."""
    total = counts.sum()
    for i, e in enumerate(edges):
        counts = counts / (e[1:] - e[:-1]).reshape([-1 if j == i else 1 for j in builtins.range(len(edges))])
    return counts / total


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[Tensor, Tensor, Tensor]:
    """The histogram of pairs: float64 counts, the edges for x and those for y."""
    x, y = asarray(x), asarray(y)
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if not isinstance(bins, int):
        try:
            count = len(bins)
        except TypeError:
            count = 1
        if count not in (1, 2):
            bins = [asarray(bins)] * 2
        elif count == 1 and not isinstance(bins, int):
            bins = [bins[0], bins[0]] if hasattr(bins, "__len__") else [bins, bins]
    dtype = promote(x.dtype, y.dtype)
    counts, edges = histogramdd(torch.stack([x.to(dtype), y.to(dtype)], 1), bins, range, density, weights)
    return counts, edges[0], edges[1]


# ------------------------------------------------------------------------------------- integers and positions
@normalized
@by_numpy
def bincount(x: ArrayLike, /, weights: OptArray = None, minlength: int = 0) -> Tensor:
    """Count each non-negative integer in int64, or sum its weights in float64."""
    if kind(x.dtype) > 1 and x.numel():
        raise TypeError(
            f"Cannot cast array data from dtype('{str(x.dtype)[6:]}') to dtype('int64') according to the rule 'safe'"
        )
    if x.ndim != 1:
        raise ValueError(
            "object too deep for desired array" if x.ndim else "object of too small depth for desired array"
        )
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    if not x.numel():
        return torch.zeros(minlength, dtype=INT64, device=x.device)
    x = x.to(INT64)
    if int(x.min()) < 0:
        raise ValueError("'list' argument must have no negative elements")
    if weights is None:
        return torch.bincount(x, minlength=minlength)
    if weights.is_complex():
        raise TypeError(
            "Cannot cast array data from dtype('complex128') to dtype('float64') according to the rule 'safe'"
        )
    if weights.shape != x.shape:
        raise ValueError("The weights and list don't have the same length.")
    size = builtins.max(int(x.max()) + 1 if x.numel() else 0, minlength)
    return torch.zeros(size, dtype=FLOAT64, device=x.device).index_add(0, x, weights.to(FLOAT64))


@normalized
@by_numpy
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Tensor:
    """The bin of each element: bins[i-1] <= x < bins[i], the other side closed with `right`; decreasing bins too."""
    if x.is_complex() or bins.is_complex():
        raise TypeError("x may not be complex")
    if bins.ndim != 1:
        raise ValueError(
            "object of too small depth for desired array" if bins.ndim == 0 else "object too deep for desired array"
        )
    bins = _comparable(bins)
    rises, falls = (bins[1:] >= bins[:-1]).all(), (bins[1:] <= bins[:-1]).all()
    if wrong(~(rises | falls), said := "bins must be monotonically increasing or decreasing"):
        raise ValueError(said)
    if holds(rises, unknown=False):
        return _search(bins, x, right=not right)
    down = len(bins) - _search(bins.flip(0), x, right=not right)
    return torch.where(rises, _search(bins, x, right=not right), down) if without_values(rises) else down


__all__ = ["bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]
