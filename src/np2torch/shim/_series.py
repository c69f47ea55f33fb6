"""The functions that all of NumPy's polynomial series share, whatever the polynomials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim._core import ArrayLike, asarray, device_of, normalized
from np2torch.shim._double_precision import eigenvalues
from np2torch.shim._poly1d import check_points, fit_matrix, real_if_so, trimmed
from np2torch.shim._promotion import FLOAT64, Tensor, mean_dtype, promote, promote2
from np2torch.shim.sorting import sort


def series(*values: Any, trim: bool = True) -> list[Tensor]:
    """Coefficients as floating vectors of one dtype, without zeros at the end."""
    found, device = [], device_of(*values)
    for value in values:
        c = asarray(value, None, device)
        c = c if c.ndim else c[None]
        if c.ndim != 1:
            raise ValueError("Coefficient array is not 1-d")
        if not len(c):
            raise ValueError("Coefficient array is empty")
        if c.dtype is torch.bool:
            raise ValueError("Coefficient arrays have no common type")
        found.append(trimmed(c, front=False) if trim else c)
    dtype = mean_dtype(found[0].dtype)
    for c in found[1:]:
        dtype = promote2(dtype, mean_dtype(c.dtype))
    return [c.to(dtype, copy=True) for c in found]


def along(value: Callable[..., Tensor], c: Any, points: tuple[Any, ...], grid: bool) -> Tensor:
    """The value of a series in several variables: at points that go together, or at all of a grid."""
    xs = [asarray(x, None, device_of(c, *points)) for x in points]
    if not grid and any(x.shape != xs[0].shape for x in xs):
        raise ValueError(f"{', '.join('xyz'[: len(xs)])} are incompatible")
    for at, x in enumerate(xs):
        c = value(x, c, grid or at == 0)
    found: Tensor = c
    return found


def crossed(columns: Callable[..., Tensor], points: tuple[Any, ...], degrees: Any) -> Tensor:
    """The products of the columns of several variables along a new last axis."""
    xs = [asarray(x, None, device_of(*points)) for x in points]
    if len(degrees) != len(xs):
        raise ValueError(f"Expected {len(xs)} dimensions of degrees, got {len(degrees)}")
    dtype = mean_dtype(promote(*(x.dtype for x in xs)))
    if any(x.shape != xs[0].shape for x in xs):
        raise ValueError("setting an array element with a sequence. The points have an inhomogeneous shape")
    if not xs[0].numel():
        raise ValueError(f"cannot reshape array of size 0 into shape {(*xs[0].shape, 'newaxis')}")
    found = columns(xs[0].to(dtype), degrees[0])
    for x, degree in zip(xs[1:], degrees[1:], strict=True):
        more = columns(x.to(dtype), degree)
        found = (found[..., :, None] * more[..., None, :]).flatten(-2)
    return found if xs[0].ndim else found[0]


@normalized
def fitted(
    columns: Any, x: ArrayLike, y: ArrayLike, deg: Any, rcond: Any = None, full: bool = False, w: Any = None
) -> Any:
    """The sum of columns nearest to points; a list of degrees names the columns to use."""
    x, y = x.to(mean_dtype(x.dtype)), y.to(mean_dtype(y.dtype))
    degrees = asarray(deg)
    if degrees.ndim > 1 or degrees.numel() == 0 or degrees.is_floating_point():
        raise TypeError("deg must be an int or non-empty 1-D array of int")
    if int(degrees.min()) < 0:
        raise ValueError("expected deg >= 0")
    check_points(x, y)
    size = int(degrees.max()) + 1
    used = torch.arange(size) if degrees.ndim == 0 else degrees.sort().values
    c, extras, _ = fit_matrix(columns(x, size - 1)[:, used], y, rcond, w, zeros=True)
    if degrees.ndim:
        c = torch.zeros((size, *c.shape[1:]), dtype=c.dtype, device=c.device).index_copy(0, used, c)
    return (c, list(extras)) if full else c


def eigenvalues_of(companion: Callable[[Tensor], Tensor], c: Any) -> Tensor:
    """The roots of a series, sorted: those of its companion matrix."""
    (a,) = series(c)
    if len(a) < 2:
        return a.new_empty(0)
    if len(a) == 2:
        return companion(a)[0]
    found = eigenvalues(companion(a).flip(0, 1))
    ordered: Tensor = sort(found if a.is_complex() else real_if_so(found))
    return ordered


def multiplied(line: Callable[[Any, Any], Tensor], times: Callable[[Any, Any], Tensor], roots: Any) -> Tensor:
    """The product of the lines through the roots."""
    given = asarray(roots)
    if given.numel() == 0:
        return torch.ones(1, dtype=FLOAT64)
    (zeros,) = series(given, trim=False)
    parts = [line(-zero, 1) for zero in sort(zeros)]
    while len(parts) > 1:  # in pairs, as NumPy does, for the last bits
        half, odd = divmod(len(parts), 2)
        paired = [times(parts[at], parts[at + half]) for at in range(half)]
        if odd:
            paired[0] = times(paired[0], parts[-1])
        parts = paired
    return parts[0]
