"""Reading and writing by index or condition: `take`, `where`, `select`, `nonzero`, index arithmetic.

The subscript helpers (`r_`, `mgrid`, `ix_`) live in `index_tricks`, the iterators in `_iterators`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import torch

from np2torch.shim._core import (
    ArrayLike,
    ArraySeq,
    Operand,
    ShapeLike,
    as_index,
    as_operand,
    asarray,
    axes_of,
    beside,
    device_of,
    normalized,
)  # fmt: skip
from np2torch.shim._errors import wrong
from np2torch.shim._iterators import broadcast, ndenumerate, ndindex, nditer
from np2torch.shim._layout import (
    TWINS,
    broadcast_shape,
    demand_cast,
    element,
    expanded,
    movable,
    moved,
    positions,
    safely_int,
    seen_as,
    truth,
    valid_shape,
)
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import BOOL, FLOAT64, INT64, UNSIGNED, Tensor, kind, result_dtype
from np2torch.shim._type_resolution import is_weak_beside

__all__ = [
    "argwhere", "broadcast", "choose", "compress", "diag_indices", "diag_indices_from", "diagonal", "extract",
    "fill_diagonal", "flatnonzero", "mask_indices", "ndenumerate", "ndindex", "nditer", "nonzero", "put_along_axis",
    "ravel_multi_index", "select", "take", "take_along_axis", "tril_indices", "tril_indices_from", "triu_indices",
    "triu_indices_from", "unravel_index", "where",
]  # fmt: skip


def _into(out: Tensor | None, found: Tensor, anything: bool = False) -> Tensor:
    """The result, in `out` if there is one: these functions want its exact shape.

    NumPy casts `out` to the dtype of the result, which must be safe, and what is written back in any case; `choose`
    takes anything.
    """
    if out is None:
        return found
    if out.shape != found.shape:
        raise ValueError(f"output array does not match result of shape {tuple(found.shape)}")
    if not anything:
        demand_cast(out.dtype, found.dtype, "safe")
    return out.copy_(found)


# ------------------------------------------------------------------------------------------------ by index
@normalized
def take(a: ArrayLike, indices: ArrayLike, axis: Any = None, out: Tensor | None = None, mode: str = "raise") -> Tensor:
    """The slices of an axis at integer positions, of the flattened array when no axis is named."""
    if mode == "raise" and out is None and a.is_cpu and a.numel() and indices.dtype is INT64 and a.dtype not in TWINS:
        with suppress(RuntimeError, IndexError):  # the long way says what NumPy would
            if axis is None or a.ndim == 1 and type(axis) is int and -1 <= axis < 1:
                return torch.take(a, indices)
    source = a.reshape(-1) if axis is None else a
    (at,) = axes_of(0 if axis is None else as_index(axis), source.ndim)
    shape = (*source.shape[:at], *indices.shape, *source.shape[at + 1 :])
    if math.prod(shape) and not source.shape[at]:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    bounds = mode if math.prod(source.shape[:at]) or mode != "raise" else "clip"  # lines there are none of are not read
    chosen = positions(indices, source.shape[at], bounds, None if axis is None else at).to(source.device)
    if not math.prod(shape):
        return _into(out, source.new_empty(shape))
    return _into(out, moved(torch.index_select, source, at, chosen.reshape(-1)).reshape(shape))


def _along(arr: Tensor, indices: Tensor, axis: Any) -> tuple[Tensor, Tensor, int]:
    """The array and the positions to gather from it, in one shape but for the axis."""
    if kind(indices.dtype) != 1:
        raise IndexError("`indices` must be an integer array")
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        arr, axis = arr.reshape(-1), 0
    (at,) = axes_of(as_index(axis), arr.ndim)
    if arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    chosen = positions(indices, arr.shape[at], "raise", at).to(arr.device)
    shapes = [[1 if place == at else size for place, size in enumerate(x.shape)] for x in (arr, indices)]
    try:
        common = list(broadcast_shape(*map(tuple, shapes)))
    except ValueError:
        raise IndexError("shape mismatch: indexing arrays could not be broadcast together") from None
    wide = [*common[:at], arr.shape[at], *common[at + 1 :]]
    return arr.expand(wide), chosen.expand([*common[:at], indices.shape[at], *common[at + 1 :]]), at


@normalized
@by_numpy
def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: Any = -1) -> Tensor:
    """The elements at positions along an axis that differ line by line, as `argsort` gives them."""
    source, chosen, at = _along(arr, indices, axis)
    return moved(torch.gather, source, at, chosen)


@normalized
def put_along_axis(arr: ArrayLike, indices: ArrayLike, values: Any, axis: Any) -> None:
    """Write at positions along an axis that differ line by line."""
    target = movable(arr)
    if axis is None:
        _, chosen, _ = _along(arr, indices, None)
        target.put_(chosen, expanded(movable(element(values, arr)), tuple(chosen.shape)))
        return
    wide, chosen, at = _along(arr, indices, axis)
    if wide.shape != arr.shape:  # lines the indices have more of than the array write over one another
        spots = list(torch.meshgrid(*(torch.arange(size, device=arr.device) for size in arr.shape), indexing="ij"))
        spots = [spot.narrow(at, 0, 1) for spot in spots]
        spots[at] = chosen
        target[tuple(spots)] = movable(element(values, arr))
        return
    target.scatter_(at, chosen, expanded(movable(element(values, arr)), tuple(chosen.shape)))


# -------------------------------------------------------------------------------------------- by condition
@normalized
def where(condition: ArrayLike, x: Operand = None, y: Operand = None, /) -> Any:
    """`x` where the condition holds, else `y`; with the condition alone, `nonzero`.

    Python numbers are weak, as in NumPy: `where(c, x32, 0.0)` stays float32.
    """
    if x is None and y is None:
        return _nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    if type(x) is type(y) is Tensor and x.dtype is y.dtype and condition.dtype is BOOL and x.dtype not in TWINS:
        try:
            return torch.where(condition, x, y)
        except RuntimeError:  # the long way says what NumPy would
            pass
    if condition.dtype is BOOL and (found := _beside_number(condition, x, y)) is not None:
        return found
    return _where(truth(condition), x, y)


def _beside_number(condition: Tensor, x: Any, y: Any) -> Tensor | None:
    """The choice between a tensor and a Python number, or two such numbers; None where that is more than a choice."""
    like = x if type(x) is Tensor else y
    if type(like) is Tensor:
        dtype = like.dtype if is_weak_beside(y if like is x else x, like.dtype) else None
    elif is_weak_beside(x, FLOAT64) and is_weak_beside(y, FLOAT64):
        dtype = INT64 if type(x) is type(y) is int else FLOAT64
    else:
        dtype = None
    if dtype is None:
        return None
    try:
        first, second = (one if type(one) is Tensor else condition.new_full((), one, dtype=dtype) for one in (x, y))
        return torch.where(condition, first, second)
    except RuntimeError:  # the long way says what NumPy would
        return None


def _common(*values: Any) -> torch.dtype:
    """The dtype of a choice; here NumPy wraps Python integers that are too large instead of refusing them."""
    return result_dtype(*(0 if type(value) is int else value for value in values))


def _where(condition: Tensor, x: Any, y: Any) -> Tensor:
    dtype = _common(x, y)
    first, second = (beside(value, condition).to(dtype) for value in (x, y))
    broadcast_shape(condition.shape, first.shape, second.shape)
    return seen_as(torch.where(condition, movable(first), movable(second)), dtype)


@normalized
def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Tensor:
    """Each element from the choice of the first condition that holds for it."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    device = device_of(*condlist, *choicelist)
    choices = [x if type(x) in (int, float, complex) else asarray(x, None, device) for x in (*choicelist, default)]
    conditions = [asarray(condition, None, device) for condition in condlist]
    for at, condition in enumerate(conditions):
        if condition.dtype is not BOOL:
            raise TypeError(f"invalid entry {at} in condlist: should be boolean ndarray")
    dtype = _common(*choices)
    values = [beside(x, conditions[0]).to(dtype) for x in choices]
    shape = broadcast_shape(*(x.shape for x in (*conditions, *values)))
    found = movable(expanded(values[-1], shape))
    for condition, value in zip(reversed(conditions), reversed(values[:-1]), strict=True):
        found = torch.where(condition, movable(value), found)
    return seen_as(found, dtype)


@normalized
def choose(a: Any, choices: Any, out: Tensor | None = None, mode: str = "raise") -> Tensor:
    """Each element from the choice whose number stands in `a`."""
    weak = list(choices)
    device = device_of(a, *weak)
    a = asarray(a, None, device)
    safely_int(a)
    if not weak:
        raise ValueError("invalid number of choices: 0")
    dtype = _common(*map(as_operand, weak))
    choices = [asarray(choice, None, device) for choice in weak]
    try:
        if mode == "raise" and wrong(a < 0, "invalid entry in choice array"):
            raise IndexError
        number = positions(a, len(choices), mode)
    except IndexError:
        raise ValueError("invalid entry in choice array") from None
    shape = broadcast_shape(a.shape, *(choice.shape for choice in choices))
    table = torch.stack([movable(choice.to(dtype)).expand(shape) for choice in choices])
    size = math.prod(shape)
    places = torch.arange(size, device=table.device).reshape(shape)
    return _into(out, seen_as(torch.take(table, number * size + places), dtype), anything=True)


@normalized
def compress(condition: ArrayLike, a: ArrayLike, axis: Any = None, out: Tensor | None = None) -> Tensor:
    """The slices of an axis where a one-dimensional condition, possibly a shorter one, holds."""
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, truth(condition).nonzero().reshape(-1), axis=axis, out=out)


@normalized
def extract(condition: ArrayLike, arr: ArrayLike) -> Tensor:
    """The elements of the flattened array where the flattened condition holds."""
    return take(arr, truth(condition).reshape(-1).nonzero().reshape(-1))


def _nonzero(a: Tensor) -> tuple[Tensor, ...]:
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    return truth(a).nonzero(as_tuple=True)  # type: ignore[no-any-return, no-untyped-call, unused-ignore]


@normalized
@by_numpy
def nonzero(a: ArrayLike) -> tuple[Tensor, ...]:
    """The positions of what is not zero: a tuple, one tensor per axis."""
    return _nonzero(a)


@normalized
@by_numpy
def flatnonzero(a: ArrayLike) -> Tensor:
    """The positions of what is not zero in the flattened array."""
    return truth(a).reshape(-1).nonzero().reshape(-1)


@normalized
@by_numpy
def argwhere(a: ArrayLike) -> Tensor:
    """The positions of what is not zero, one row each."""
    return truth(a).nonzero()


# ----------------------------------------------------------------------------------------------- diagonals
@normalized
def diagonal(a: ArrayLike, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Tensor:
    """A view of the diagonals; NumPy's is read-only, here a write goes through."""
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = (axes_of(as_index(axis), a.ndim)[0] for axis in (axis1, axis2))
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    return a.diagonal(as_index(offset), first, second)


@normalized
def fill_diagonal(a: ArrayLike, val: Any, wrap: bool = False) -> None:
    """Write a value, or values over and over, to the main diagonal."""
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    end = a.numel()
    if a.ndim == 2:
        step = a.shape[1] + 1
        end = end if wrap else min(end, a.shape[1] * a.shape[1])
    else:
        if len(set(a.shape)) > 1:
            raise ValueError("All dimensions of input must be of equal length")
        step = 1 + sum(a.shape[0] ** power for power in range(1, a.ndim))
    at = torch.arange(0, end, step, device=a.device)
    values = movable(element(val, a)).reshape(-1)
    if len(at):
        movable(a).put_(at, values[torch.arange(len(at), device=a.device) % len(values)])


def diag_indices(n: Any, ndim: Any = 2) -> tuple[Tensor, ...]:
    """The index tensors of the main diagonal."""
    return (torch.arange(as_index(n)),) * as_index(ndim)


@normalized
def diag_indices_from(arr: ArrayLike) -> tuple[Tensor, ...]:
    """The index tensors of the main diagonal of an array."""
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return (torch.arange(arr.shape[0], device=arr.device),) * arr.ndim


def _triangle(n: Any, k: Any, m: Any, lower: bool, device: torch.device | None = None) -> tuple[Tensor, ...]:
    rows = as_index(n)
    columns = rows if m is None else as_index(m)
    row, column = torch.arange(rows, device=device)[:, None], torch.arange(columns, device=device)
    inside = row + as_index(k) - (0 if lower else 1) >= column
    return _nonzero(inside if lower else ~inside)


def tril_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Tensor, ...]:
    """The index tensors of the lower triangle (torch gives one matrix of them)."""
    return _triangle(n, k, m, True)


def triu_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Tensor, ...]:
    """The index tensors of the upper triangle (torch gives one matrix of them)."""
    return _triangle(n, k, m, False)


def _matrix(arr: Tensor) -> tuple[int, int]:
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return arr.shape[0], arr.shape[1]


@normalized
def tril_indices_from(arr: ArrayLike, k: Any = 0) -> tuple[Tensor, ...]:
    """The index tensors of the lower triangle of a matrix."""
    rows, columns = _matrix(arr)
    return _triangle(rows, k, columns, True, arr.device)


@normalized
def triu_indices_from(arr: ArrayLike, k: Any = 0) -> tuple[Tensor, ...]:
    """The index tensors of the upper triangle of a matrix."""
    rows, columns = _matrix(arr)
    return _triangle(rows, k, columns, False, arr.device)


def mask_indices(n: Any, mask_func: Callable[..., Any], k: Any = 0) -> tuple[Tensor, ...]:
    """The index tensors of what a function like `triu` leaves of an n by n matrix."""
    return _nonzero(asarray(mask_func(torch.ones(as_index(n), as_index(n), dtype=INT64), k)))


# ----------------------------------------------------------------------------------------- flat and nested
MOST = 2**63 - 1


def _weights(dims: tuple[int, ...], order: str) -> list[int]:
    """Give the stride of each axis in the flattened array, in elements."""
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    found, total = [], 1
    for size in reversed(dims) if order == "C" else dims:
        found.append(total)
        total *= size
    return found[::-1] if order == "C" else found


@normalized
@by_numpy
def unravel_index(indices: ArrayLike, shape: ShapeLike, order: str = "C") -> tuple[Tensor, ...]:
    """Flat positions as a tuple of positions along each axis of a shape."""
    if kind(indices.dtype) != 1:
        raise TypeError("only int indices permitted")
    sizes = valid_shape(shape)
    if not sizes and indices.ndim:
        raise ValueError("multiple indices are not supported for 0d arrays")
    flat = indices.to(INT64)
    total = 1
    for size in sizes:
        total *= size
    outside = (flat < 0) | (flat >= total)
    if wrong(outside, f"index is out of bounds for array with size {total}"):
        raise ValueError(f"index {int(flat[outside][0])} is out of bounds for array with size {total}")
    return tuple(flat // weight % size for weight, size in zip(_weights(sizes, order), sizes, strict=True))


@normalized
@by_numpy
def ravel_multi_index(multi_index: ArraySeq, dims: ShapeLike, mode: Any = "raise", order: str = "C") -> Tensor:
    """Positions along each axis as flat ones."""
    if len(multi_index) != len(dims):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(dims)}")
    modes = (mode,) * len(dims) if isinstance(mode, str) else tuple(mode)
    for index in multi_index:
        if kind(index.dtype) != 1:
            raise TypeError("only int indices permitted")
    common = broadcast_shape(*(index.shape for index in multi_index))
    if 0 in common:  # then none is looked at
        multi_index = [index.expand(common) for index in multi_index]
    try:
        for x, how in zip(multi_index, modes, strict=True):
            below = how == "raise" and x.dtype not in UNSIGNED
            if below and wrong(x < 0, "invalid entry in coordinates array"):
                raise IndexError
        steps = [positions(index, size, how) for index, size, how in zip(multi_index, dims, modes, strict=True)]
    except IndexError:
        raise ValueError("invalid entry in coordinates array") from None
    if 0 in dims and 0 not in common:
        raise ValueError("cannot unravel if shape has zero entries (is empty).")
    if math.prod(dims) > MOST:
        raise ValueError("invalid dims: array size defined by dims is larger than the maximum possible size.")
    start = torch.tensor(0, device=steps[0].device if steps else None)
    return sum((step * weight for step, weight in zip(steps, _weights(dims, order), strict=True)), start)
