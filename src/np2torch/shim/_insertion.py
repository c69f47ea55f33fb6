"""Arrays that grow, shrink or are written into: `tile`, `insert`, `delete`, `copyto`, `put` and their kin."""

from __future__ import annotations

import math
from typing import Any

import torch

from np2torch.shim._core import ArrayLike, ShapeLike, as_index, asarray, axes_of, beside, destination, normalized
from np2torch.shim._errors import wrong
from np2torch.shim._layout import (
    demand_cast,
    element,
    expanded,
    laid_out_like,
    may_share,
    movable,
    moved,
    positions,
    safely_int,
    seen_as,
    truth,
    valid_shape,
)  # fmt: skip
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import BOOL, INT64, Tensor, is_weak, kind, promote2, result_dtype
from np2torch.shim._read_only import refuse_frozen


@normalized
def tile(A: ArrayLike, reps: ShapeLike) -> Tensor:
    """A new array of copies of `A` side by side, `reps` times along each axis."""
    valid_shape(reps)
    times = (1,) * (A.ndim - len(reps)) + reps
    return moved(lambda x: x.reshape((1,) * (len(times) - x.ndim) + tuple(x.shape)).repeat(times), A)


def _flat(a: Tensor, axis: Any) -> tuple[Tensor, int]:
    if axis is None or not a.ndim and as_index(axis) in (0, -1):
        return a.reshape(-1), 0
    return a, axes_of(as_index(axis), a.ndim)[0]


@normalized
def repeat(a: ArrayLike, repeats: Any, axis: Any = None) -> Tensor:
    """Each element several times, over the flattened array when no axis is named; `2.0` times is twice."""
    source, at = _flat(a, axis)
    if type(repeats) is int and repeats >= 0:
        return moved(torch.repeat_interleave, source, repeats, at)
    is_array = isinstance(repeats, Tensor) and repeats.ndim > 0
    repeats = beside(repeats, source)
    if is_array or not repeats.is_floating_point():
        safely_int(repeats)
    if repeats.ndim > 1:
        raise ValueError("object too deep for desired array")
    times = repeats.to(source.device, INT64).reshape(-1)
    if len(times) not in (1, source.shape[at]):
        raise ValueError(f"operands could not be broadcast together with shape ({source.shape[at]},) ({len(times)},)")
    if wrong(times < 0, said := "repeats may not contain negative values."):
        raise ValueError(said)
    counts = times.expand(source.shape[at])
    return moved(lambda x: torch.repeat_interleave(x, counts, at), source)


@normalized
def append(arr: ArrayLike, values: ArrayLike, axis: Any = None) -> Any:
    """`values` behind `arr`, both flattened when no axis is named."""
    from np2torch.shim._joining import concatenate

    return (
        concatenate((arr, values), axis=axis)
        if axis is not None
        else concatenate((arr.reshape(-1), values.reshape(-1)))
    )


def _chosen(obj: Any, length: int, verb: str, device: torch.device) -> Tensor:
    """Give the positions for `insert` or `delete` as an int64 tensor of zero or one axes."""
    if isinstance(obj, slice):
        return torch.tensor(list(range(*obj.indices(length))), dtype=INT64, device=device)
    found = asarray(obj, None, device)
    if found.numel() == 0 and not isinstance(obj, Tensor):
        found = found.to(INT64)
    if found.dtype is BOOL:
        if found.ndim != 1:
            raise ValueError(f"boolean array argument obj to {verb} must be one dimensional")
        if verb == "delete" and len(found) != length:
            raise ValueError(
                f"boolean array argument obj to delete must be one dimensional and match the axis length of {length}"
            )
        return found.nonzero().reshape(-1)
    if kind(found.dtype) != 1:
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return found.to(INT64)


@normalized
@by_numpy
def delete(arr: ArrayLike, obj: Any, axis: Any = None) -> Tensor:
    """A copy without the elements at some positions: an int, a slice, a mask or integers."""
    if axis is not None:  # NumPy lets `repeat` have axis 0 of a 0-D array, not these
        axes_of(as_index(axis), arr.ndim)
    source, at = _flat(arr, axis)
    length = source.shape[at]
    if type(obj) is int and -length <= obj < length:
        place = obj % length
        before, behind = source.narrow(at, 0, place), source.narrow(at, place + 1, length - place - 1)
        return laid_out_like(seen_as(torch.cat([movable(before), movable(behind)], at), source.dtype), source, "A")
    gone = positions(_chosen(obj, length, "delete", source.device).reshape(-1), length, "raise", at)
    keep = torch.ones(length, dtype=BOOL, device=source.device)
    keep[gone] = False
    kept = keep.nonzero().reshape(-1)
    return laid_out_like(moved(torch.index_select, source, at, kept), source, "A")


@normalized
@by_numpy
def insert(arr: ArrayLike, obj: Any, values: Any, axis: Any = None) -> Tensor:
    """A copy with `values`, cast to its dtype, put in before some positions."""
    if axis is not None:  # NumPy lets `repeat` have axis 0 of a 0-D array, not these
        axes_of(as_index(axis), arr.ndim)
    source, at = _flat(arr, axis)
    length = source.shape[at]
    if isinstance(obj, float):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    where = _chosen(obj, length, "insert", source.device)
    if where.ndim > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    new = element(values, source)
    outside = (where < -length) | (where > length)
    if wrong(outside, f"index is out of bounds for axis {at} with size {length}"):
        raise IndexError(f"index {int(where[outside][0])} is out of bounds for axis {at} with size {length}")
    starts = torch.where(where < 0, where + length, where)
    shape = list(source.shape)
    if starts.numel() == 1:
        new = new.reshape((1,) * (source.ndim - new.ndim) + tuple(new.shape))
        new = new.movedim(0, at) if where.ndim == 0 else new
        starts = starts.reshape(-1).expand(new.shape[at])
    count = len(starts)
    shape[at] = count
    new = expanded(new, tuple(shape))
    # elements and new values in the order of their positions, new ones first where they tie
    keys = torch.cat([starts, torch.arange(length, device=starts.device)])
    order = torch.sort(keys, stable=True).indices.to(source.device)
    found = moved(lambda x: torch.cat([movable(new), x], at).index_select(at, order), source)
    return laid_out_like(found, source, "A")


@normalized
def resize(a: ArrayLike, new_shape: ShapeLike) -> Tensor:
    """The elements repeated as often as the new shape needs, row by row."""
    if any(length < 0 for length in new_shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    size = math.prod(new_shape)
    if a.numel() == 0 or size == 0:
        return torch.zeros(new_shape, dtype=a.dtype, device=a.device)
    return moved(lambda x: x.reshape(-1).repeat(-(-size // a.numel()))[:size].reshape(new_shape), a)


def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """A view without the zeros before and behind; a list or tuple of numbers stays one."""
    sides = trim.lower()
    if sides not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    x = asarray(filt)
    axes = axes_of(axis if axis is None or isinstance(axis, tuple) else as_index(axis), x.ndim)
    bounds = [slice(None)] * x.ndim
    used = movable(x) != 0
    for at in axes:
        others = tuple(axis for axis in range(x.ndim) if axis != at)
        there = (used.any(others) if others else used).nonzero().reshape(-1)
        first, last = (
            (int(there[0]), int(there[-1]) + 1)
            if len(there)
            else (x.shape[at], x.shape[at])
            if "f" in sides
            else (0, 0)
        )
        bounds[at] = slice(first if "f" in sides else None, last if "b" in sides else None)
    if x.ndim == 1 and isinstance(filt, (list, tuple)):
        return filt[bounds[0]]
    return x[tuple(bounds)]


# ------------------------------------------------------------------------------------------------ writing
def _destination(x: Any, name: str) -> Tensor:
    try:
        found = destination(x)
    except TypeError:
        raise TypeError(f"argument 1 must be an array that {name} can write into, not {type(x).__name__}") from None
    refuse_frozen(found)
    return found


def _source(values: Any, target: Tensor, casting: str = "same_kind") -> Tensor:
    """Values to be written into `target`, cast as NumPy allows, apart from its memory."""
    if is_weak(values):
        if casting != "unsafe":
            demand_cast(promote2(BOOL, _weak(values, target)), target.dtype, casting)
        return movable(element(values, target))
    found = beside(values, target)
    demand_cast(found.dtype, target.dtype, casting)
    cast = found.to(target.device, target.dtype) if isinstance(values, Tensor) else element(values, target)
    return movable(cast.clone() if may_share(cast, target) else cast)


def _weak(value: Any, target: Tensor) -> torch.dtype:
    return result_dtype(value, target) if kind(target.dtype) else asarray(value).dtype


def copyto(dst: Tensor, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Write `src`, broadcast, into `dst` where `where` holds."""
    dst = _destination(dst, "copyto")
    target = movable(dst)
    src = beside(src, dst) if casting == "unsafe" and is_weak(src) else src
    values = expanded(_source(src, dst, casting), tuple(dst.shape))
    if where is True:
        target.copy_(values)
        return
    mask = where if isinstance(where, Tensor) else truth(beside(where, dst))
    if mask.dtype is not BOOL:
        raise TypeError(
            f"Cannot cast array data from dtype('{str(mask.dtype)[6:]}') to dtype('bool') according to the rule 'safe'"
        )
    target.copy_(torch.where(expanded(mask, tuple(dst.shape)), values, target))


def place(arr: Tensor, mask: Any, vals: Any) -> None:
    """Write the first values, over and over, to the places of a mask of the same size."""
    arr = _destination(arr, "place")
    target = movable(arr)
    chosen = truth(beside(mask, arr)).reshape(-1)
    if chosen.numel() != arr.numel():
        raise ValueError("place: mask and data must be the same size")
    values = _source(vals, arr, "unsafe").reshape(-1)
    if not len(values):
        if wrong(chosen, said := "Cannot insert from an empty array!"):
            raise ValueError(said)
        return
    turn = (chosen.cumsum(0) - 1).clamp(min=0) % len(values)
    target.copy_(torch.where(chosen, values[turn], target.reshape(-1)).reshape(target.shape))


def putmask(a: Tensor, /, mask: Any, values: Any) -> None:
    """Write values where a mask holds; a shorter `values` is repeated over all of `a`, not over the mask."""
    a = _destination(a, "putmask")
    target = movable(a)
    chosen = truth(beside(mask, a)).reshape(-1)
    if chosen.numel() != a.numel():
        raise ValueError("putmask: mask and data must be the same size")
    new = _source(values, a, "same_kind" if isinstance(values, Tensor) else "unsafe").reshape(-1)
    if len(new):
        spread = new[torch.arange(a.numel(), device=a.device) % len(new)]
        target.copy_(torch.where(chosen, spread, target.reshape(-1)).reshape(target.shape))


def put(a: Tensor, ind: Any, v: Any, mode: str = "raise") -> None:
    """Write values, repeated as needed, to flat positions; of a position named twice the last value stays."""
    a = _destination(a, "put")
    target = movable(a)
    where = beside(ind, a).reshape(-1)
    values = _source(v, a, "unsafe").reshape(-1)
    where = positions(where.to(INT64) if not where.numel() else where, a.numel(), mode)
    if len(where) and len(values):
        target.put_(where.to(a.device), values[torch.arange(len(where), device=a.device) % len(values)])
