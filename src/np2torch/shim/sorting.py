"""Order: `sort`, `argsort`, `lexsort`, `partition`, `searchsorted`, with NumPy's ties, NaN and complex numbers."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._core import ArrayLike, ArraySeq, as_index, axes_of, normalized
from np2torch.shim._errors import holds
from np2torch.shim._layout import moved, ordered, safely_int
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import BOOL, COMPLEX64, COMPLEX128, FLOAT16, FLOAT32, INT64, Tensor, kind, promote2

__all__ = ["argpartition", "argsort", "lexsort", "msort", "partition", "searchsorted", "sort", "sort_complex"]

KINDS = ("quicksort", "mergesort", "heapsort", "stable")


def stable_order(x: Tensor, axis: int = -1) -> Tensor:
    """The stable argsort of any dtype: NaN last, complex numbers by real, then imaginary part.

    torch.argsort is not stable, and does not take complex numbers.
    """
    if not x.is_complex():
        return torch.sort(ordered(x), dim=axis, stable=True).indices
    real, imaginary = x.real, x.imag
    placement = 2 * real.isnan().to(INT64) + imaginary.isnan().to(INT64)  # R+Rj, R+nanj, nan+Rj, nan+nanj
    return order_by([imaginary, real, placement], axis)


def order_by(keys: list[Tensor], axis: int) -> Tensor:
    """The order by the last key, ties by the one before, and so on."""
    order = stable_order(keys[0], axis)
    for key in keys[1:]:
        order = order.gather(axis, stable_order(moved(torch.gather, key, axis, order), axis))
    return order


def _checked(a: Tensor, axis: Any, how: str | None, order: Any, stable: bool | None = None) -> tuple[Tensor, int]:
    if how is not None and how not in KINDS and how != "introselect":
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got '{how}')")
    if how is not None and stable is not None:
        raise ValueError("`kind` and `stable` parameters can't be provided at the same time. Use only one of them.")
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if axis is None:
        return a.reshape(-1), 0
    return a, axes_of(as_index(axis), a.ndim)[0]


def _sorted(a: Tensor, axis: int) -> Tensor:
    if a.is_complex() or ordered(a) is not a:
        return moved(torch.gather, a, axis, stable_order(a, axis))
    return torch.sort(a, dim=axis, stable=True).values


@normalized
@by_numpy
def sort(
    a: ArrayLike, axis: Any = -1, kind: str | None = None, order: Any = None, *, stable: bool | None = None
) -> Tensor:
    """A sorted copy, NaN at the end; flattened when the axis is None."""
    return _sorted(*_checked(a, axis, kind, order, stable))


@normalized
def argsort(
    a: ArrayLike, axis: Any = -1, kind: str | None = None, order: Any = None, *, stable: bool | None = None
) -> Tensor:
    """The positions that sort; always stable, whatever the kind asked for."""
    return stable_order(*_checked(a if a.ndim else a[None], axis, kind, order, stable))


@normalized
@by_numpy
def lexsort(keys: ArraySeq, axis: Any = -1) -> Tensor:
    """The order by several keys, the last one first."""
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if len({key.shape for key in keys}) > 1:
        raise ValueError("all keys need to be the same shape")
    if keys[0].ndim == 0:
        return torch.tensor(0)
    return order_by(keys, axes_of(as_index(axis), keys[0].ndim)[0])


def _check_kth(kth: Any, length: int) -> None:
    for one in (
        kth if isinstance(kth, (tuple, list)) else kth.reshape(-1).tolist() if isinstance(kth, Tensor) else (kth,)
    ):
        if isinstance(one, float):
            raise TypeError("Partition index must be integer")
        if not -length <= as_index(one) < length:
            raise ValueError(f"kth(={one}) out of bounds ({length})")


@normalized
@by_numpy
def partition(a: ArrayLike, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None) -> Tensor:
    """A copy with the k-th smallest in place; here everything is sorted."""
    source, at = _checked(a, axis, kind, order)
    _check_kth(kth, source.shape[at])
    return _sorted(source, at)


@normalized
def argpartition(a: ArrayLike, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None) -> Tensor:
    """Positions with the k-th smallest in place; here those that sort."""
    source, at = _checked(a, axis, kind, order)
    _check_kth(kth, source.shape[at])
    return stable_order(source, at)


def _merged(a: Tensor, v: Tensor, right: bool) -> Tensor:
    """Count how many of `a` stand before each of `v` when both are sorted: for NaN and complex numbers."""
    both = torch.cat([a, v] if right else [v, a])
    order = stable_order(both)
    mine = torch.zeros(len(both), dtype=INT64, device=a.device)
    mine[: len(a)] = 1 if right else 0
    mine[len(v) :] = mine[len(v) :] if right else 1
    before = torch.empty_like(mine)
    before[order] = mine[order].cumsum(0)
    return before[len(a) :] if right else before[: len(v)]


def places(a: Tensor, v: Tensor, right: bool = False) -> Tensor:
    """`searchsorted` of one-dimensional tensors of one dtype."""
    if a.is_complex() or (a.is_floating_point() and holds(v.isnan().any() | a.isnan().any(), unknown=True)):
        return _merged(a, v, right)
    if a.dtype in (BOOL, FLOAT16):
        a, v = a.to(FLOAT32), v.to(FLOAT32)
    return torch.searchsorted(ordered(a).contiguous(), ordered(v).contiguous(), right=right)


@normalized
@by_numpy
def searchsorted(a: ArrayLike, v: ArrayLike, side: str = "left", sorter: Any = None) -> Tensor:
    """Find the positions to insert values into a sorted array; compared in the common dtype, NaN as the largest."""
    if side not in ("left", "right"):
        raise ValueError(f"search side must be one of 'left' or 'right' (got '{side}')")
    if a.ndim != 1:
        raise ValueError(
            "object too deep for desired array" if a.ndim > 1 else "object of too small depth for desired array"
        )
    if sorter is not None:
        order = torch.as_tensor(sorter)
        safely_int(order)
        if order.shape != a.shape:
            raise ValueError("sorter.size must equal array.size")
        a = moved(torch.index_select, a, 0, order.to(a.device, INT64))
    dtype = promote2(a.dtype, v.dtype)
    return places(a.to(dtype), v.reshape(-1).to(dtype), side == "right").reshape(v.shape)


def msort(a: Any) -> Any:
    """Sorted along the first axis; NumPy's name of old."""
    return sort(a, axis=0)


@normalized
def sort_complex(a: ArrayLike) -> Tensor:
    """Sorted along the last axis, as complex numbers."""
    found = _sorted(*_checked(a, -1, None, None))
    if found.is_complex():
        return found
    return found.to(COMPLEX64 if kind(a.dtype) == 1 and a.dtype.itemsize <= 2 else COMPLEX128)
