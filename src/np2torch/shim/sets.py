"""Sets of values: `unique`, `isin`, `intersect1d` and their kin, with NumPy's NaN, order and inverse."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from np2torch.shim._core import ArrayLike, as_index, axes_of, normalized
from np2torch.shim._errors import wrong
from np2torch.shim._layout import movable, moved, seen_as
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import BOOL, Tensor, kind, promote2
from np2torch.shim.sorting import order_by, stable_order

__all__ = [
    "in1d", "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique", "unique_all", "unique_counts",
    "unique_inverse", "unique_values",
]  # fmt: skip


class _Groups(NamedTuple):
    """Equal elements found together: where they stand in sorted order, and where each group starts."""

    order: Tensor
    first: Tensor

    @property
    def positions(self) -> Tensor:
        return self.order[self.first]

    @property
    def inverse(self) -> Tensor:
        found = torch.empty_like(self.order)
        found[self.order] = self.first.cumsum(0) - 1
        return found

    @property
    def counts(self) -> Tensor:
        starts = self.first.nonzero().reshape(-1)
        return torch.diff(starts, append=starts.new_tensor([len(self.order)]))


def _differs(x: Tensor) -> Tensor:
    """Mark the elements of a sorted vector, or the rows of a sorted matrix, that start a new group."""
    y = movable(x)
    changed = y[1:] != y[:-1]
    changed = changed.any(1) if changed.ndim > 1 else changed
    return torch.cat([torch.ones(min(len(y), 1), dtype=BOOL, device=y.device), changed])


def _groups(x: Tensor, equal_nan: bool) -> _Groups:
    order = stable_order(x)
    first = _differs(moved(torch.index_select, x, 0, order))
    if equal_nan and kind(x.dtype) > 1:
        missing = x[order].isnan()  # they are last
        first = first & ~(missing & (missing.cumsum(0) > 1))
    return _Groups(order, first)


def _with_first_nan(x: Tensor, found: Tensor) -> Tensor:
    """The distinct numbers; the one that is NaN is the first that was met, as in NumPy's table."""
    missing = x.isnan()
    return torch.where(found.isnan(), x[missing.to(torch.uint8).argmax(0, keepdim=True)] if len(x) else found, found)


def _row_groups(x: Tensor) -> _Groups:
    rows = x.flatten(1) if x.ndim > 1 else x[:, None]
    columns = list(rows.unbind(1))[::-1]
    order = order_by(columns, 0) if columns else torch.arange(len(x), device=x.device)
    return _Groups(order, _differs(moved(torch.index_select, rows, 0, order)))


@normalized
@by_numpy
def unique(
    ar: ArrayLike, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: Any = None, *, equal_nan: bool = True, sorted: bool = True,
) -> Any:  # fmt: skip
    """The distinct elements, or slices along an axis, in ascending order; NaN counts as one value.

    Differs from torch.unique in the NaN, in `return_index` and in the shape of the inverse.
    """
    at = 0 if axis is None else axes_of(as_index(axis), ar.ndim)[0]
    source = ar.reshape(-1) if axis is None else ar.movedim(at, 0)
    groups = _groups(source, equal_nan) if source.ndim == 1 else _row_groups(source)
    if axis is None and equal_nan and source.is_complex() and not (return_index or return_inverse or return_counts):
        return _with_first_nan(source, movable(source)[groups.positions])
    values = moved(torch.index_select, source, 0, groups.positions).movedim(0, at)
    inverse = groups.inverse.reshape(ar.shape) if axis is None else groups.inverse
    extras = ((return_index, groups.positions), (return_inverse, inverse), (return_counts, groups.counts))
    chosen = tuple(extra for wanted, extra in extras if wanted)
    return (values, *chosen) if chosen else values


class UniqueAllResult(NamedTuple):
    """The result of `unique_all`."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCountsResult(NamedTuple):
    """The result of `unique_counts`."""

    values: Tensor
    counts: Tensor


class UniqueInverseResult(NamedTuple):
    """The result of `unique_inverse`."""

    values: Tensor
    inverse_indices: Tensor


def unique_all(x: Any) -> UniqueAllResult:
    """Find distinct elements, first positions, inverse and counts; every NaN is its own value."""
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


def unique_counts(x: Any) -> UniqueCountsResult:
    """Distinct elements and how often they occur; every NaN is its own value."""
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x: Any) -> UniqueInverseResult:
    """Distinct elements and where each element stands among them; every NaN is its own value."""
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


def unique_values(x: Any) -> Any:
    """Distinct elements; every NaN is its own value. NumPy promises no order, here it is ascending."""
    return unique(x, equal_nan=False)


# --------------------------------------------------------------------------------------------- two arrays
def _both(ar1: Tensor, ar2: Tensor) -> tuple[Tensor, Tensor]:
    """Flat, in the common dtype."""
    dtype = promote2(ar1.dtype, ar2.dtype)
    return ar1.reshape(-1).to(dtype), ar2.reshape(-1).to(dtype)


def _distinct(x: Tensor) -> Tensor:
    return moved(torch.index_select, x, 0, _groups(x, True).positions)


@normalized
@by_numpy
def intersect1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """Find the distinct elements of both, in ascending order, and their first positions if asked for."""
    a, b = _both(ar1, ar2)
    first, second = torch.arange(len(a), device=a.device), torch.arange(len(b), device=a.device)
    if not assume_unique:
        first, second = _groups(a, True).positions, _groups(b, True).positions
    both = torch.cat([movable(a)[first], movable(b)[second]])
    order = stable_order(seen_as(both, a.dtype))
    twice = (both[order][1:] == both[order][:-1]).nonzero().reshape(-1)
    values = seen_as(both[order[twice]], a.dtype)
    return (values, first[order[twice]], second[order[twice + 1] - len(first)]) if return_indices else values


@normalized
@by_numpy
def union1d(ar1: ArrayLike, ar2: ArrayLike) -> Tensor:
    """The distinct elements of both, in ascending order."""
    return _distinct(torch.cat(_both(ar1, ar2)))


@normalized
@by_numpy
def setxor1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Tensor:
    """The elements that only one of them has, in ascending order."""
    a, b = _both(ar1, ar2)
    both = torch.cat([a, b] if assume_unique else [_distinct(a), _distinct(b)])
    groups = _groups(both, False)
    return moved(torch.index_select, both, 0, groups.positions[groups.counts == 1])


def _within(element: Tensor, test: Tensor) -> Tensor:
    a, b = _both(element, test)
    if a.dtype is BOOL:
        a, b = a.to(torch.uint8), b.to(torch.uint8)
    if a.is_complex() or a.dtype is torch.float16:
        groups = _groups(torch.cat([a, b]), False).inverse
        a, b = groups[: len(a)], groups[len(a) :]
    return torch.isin(movable(a), movable(b)).reshape(element.shape)


@normalized
@by_numpy
def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Tensor:
    """The elements of the first that the second lacks, distinct and ascending unless assumed so."""
    a = ar1.reshape(-1) if assume_unique else _distinct(ar1.reshape(-1))
    return moved(torch.index_select, a, 0, (~_within(a, ar2)).nonzero().reshape(-1))


@normalized
@by_numpy
def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: str | None = None,
) -> Tensor:
    """Mark the elements that occur among the test elements; NaN never does."""
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    if kind == "table" and any(x.dtype.is_floating_point or x.dtype.is_complex for x in (element, test_elements)):
        raise ValueError(
            "The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None for kind."
        )
    if kind == "table" and _spans_too_much(test_elements):
        raise RuntimeError(
            "You have specified kind='table', but the range of values in `ar2` or `ar1` exceed the maximum integer of "
            "the datatype. Please set `kind` to None or 'sort'."
        )
    found = _within(element, test_elements)
    return ~found if invert else found


def _spans_too_much(x: Tensor) -> bool:
    """Tell whether the difference of the ends exceeds the dtype; never for unsigned integers and bools."""
    if not x.dtype.is_signed or not x.numel():
        return False
    low, high = torch.aminmax(x)
    return wrong((low < 0) & (high > low + torch.iinfo(x.dtype).max), "the range of values is too wide")


@normalized
def in1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, invert: bool = False, *, kind: str | None = None
) -> Tensor:
    """`isin` of the flattened array; NumPy's name of old."""
    found: Tensor = isin(ar1.reshape(-1), ar2, assume_unique, invert, kind=kind)
    return found
