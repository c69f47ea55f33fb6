"""Arrays put together and taken apart: `concatenate`, `stack`, `block`, `split` and their kin."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._casting import CASTINGS, check_casting
from np2torch.shim._core import (
    ArrayLike,
    ArraySeq,
    DTypeLike,
    as_arrays,
    as_index,
    as_operand,
    asarray,
    axes_of,
    normalized,
)
from np2torch.shim._layout import TWINS, demand_cast
from np2torch.shim._promotion import Number, Tensor, is_weak, promote, result_dtype


def _joined(arrays: list[Tensor], axis: int, dtype: torch.dtype | None, casting: str) -> Tensor:
    """`torch.cat` in NumPy's dtype, with NumPy's checks: torch drops empty one-dimensional arrays of any shape."""
    if dtype is None and casting in CASTINGS and (alike := _alike(arrays, axis)) is not None:
        try:
            return torch.cat(alike, axis)
        except (RuntimeError, IndexError):  # the long way says what NumPy would
            pass
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    check_casting(casting)
    first = arrays[0]
    if any(x.ndim == 0 for x in arrays):
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    (at,) = axes_of(as_index(axis), first.ndim)
    for x in arrays:
        if x.ndim != first.ndim or x.shape[:at] != first.shape[:at] or x.shape[at + 1 :] != first.shape[at + 1 :]:
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
    target = promote(*(x.dtype for x in arrays)) if dtype is None else dtype
    for x in arrays:
        demand_cast(x.dtype, target, casting)
    return torch.cat([x.to(target) for x in arrays], at)


def _placed(joined: Tensor, out: Tensor) -> Tensor:
    if out.shape != joined.shape:
        raise ValueError(f"Output array is the wrong shape: {tuple(out.shape)} instead of {tuple(joined.shape)}")
    return out.copy_(joined)


def _target(dtype: torch.dtype | None, out: Tensor | None) -> torch.dtype | None:
    if out is None:
        return dtype
    if dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    return out.dtype


@normalized
def concatenate(
    arrays: Any, /, axis: Any = 0, out: Tensor | None = None, *, dtype: DTypeLike = None, casting: str = "same_kind"
) -> Tensor:
    """Arrays one after the other along an axis, flattened first when the axis is None.

    The dtype is NumPy's promotion of all of them: int64 with float32 is float64.
    """
    target = _target(dtype, out)
    if axis is None:
        items: list[Tensor | Number] = [as_operand(x) for x in arrays]
        if target is None and any(is_weak(x) for x in items):
            target = result_dtype(*items)
        flat = [asarray(x, target if is_weak(x) and casting == "same_kind" else None).reshape(-1) for x in items]
        found = _joined(flat, 0, target, casting)
    else:
        if target is None and (alike := _alike(arrays, axis)) is not None:
            try:
                return torch.cat(alike, axis)
            except (RuntimeError, IndexError):  # the long way says what NumPy would
                pass
        found = _joined(as_arrays(arrays), axis, target, casting)
    return found if out is None else _placed(found, out)


concat = concatenate


def _alike(arrays: Any, axis: Any = 0) -> list[Tensor] | None:
    """The arrays, if they are tensors of one dtype and rank that has the axis, which torch joins as NumPy does."""
    if type(arrays) not in (list, tuple) or not arrays or type(arrays[0]) is not Tensor:
        return None
    dtype, ndim = arrays[0].dtype, arrays[0].ndim
    if not ndim or dtype in TWINS or type(axis) is not int or not -ndim <= axis < ndim:
        return None
    for x in arrays:
        if type(x) is not Tensor or x.dtype is not dtype or x.ndim != ndim:
            return None
    return list(arrays)


@normalized
def stack(
    arrays: Any, axis: Any = 0, out: Tensor | None = None, *, dtype: DTypeLike = None, casting: str = "same_kind"
) -> Tensor:
    """Arrays of one shape along a new axis."""
    if out is None and dtype is None and type(axis) is int and (alike := _alike(arrays)) is not None:
        try:
            return torch.stack(alike, axis)
        except (RuntimeError, IndexError):  # the long way says what NumPy would
            pass
    arrays = as_arrays(arrays)
    if not arrays:
        raise ValueError("need at least one array to stack")
    if any(x.shape != arrays[0].shape for x in arrays):
        raise ValueError("all input arrays must have the same shape")
    (at,) = axes_of(as_index(axis), arrays[0].ndim + 1)
    found = _joined([x.unsqueeze(at) for x in arrays], at, _target(dtype, out), casting)
    return found if out is None else _placed(found, out)


def _at_least(x: Tensor, ndim: int) -> Tensor:
    """NumPy's idea of more axes: in front, but the third one at the end."""
    if ndim >= 1 and x.ndim == 0:
        x = x[None]
    if ndim >= 2 and x.ndim == 1:
        x = x[None]
    return x[:, :, None] if ndim == 3 and x.ndim == 2 else x


@normalized
def atleast_1d(*arys: ArrayLike) -> Any:
    """Views with at least one axis; a tuple for several arguments."""
    return _at_least(arys[0], 1) if len(arys) == 1 else tuple(_at_least(x, 1) for x in arys)


@normalized
def atleast_2d(*arys: ArrayLike) -> Any:
    """Views with at least two axes, the new ones in front."""
    return _at_least(arys[0], 2) if len(arys) == 1 else tuple(_at_least(x, 2) for x in arys)


@normalized
def atleast_3d(*arys: ArrayLike) -> Any:
    """Views with at least three axes: (n,) becomes (1, n, 1), (m, n) becomes (m, n, 1)."""
    return _at_least(arys[0], 3) if len(arys) == 1 else tuple(_at_least(x, 3) for x in arys)


@normalized
def vstack(tup: ArraySeq, *, dtype: DTypeLike = None, casting: str = "same_kind") -> Tensor:
    """Rows on top of each other."""
    if dtype is None and _alike(tup) is not None:
        try:
            return torch.vstack(tup)
        except RuntimeError:  # the long way says what NumPy would
            pass
    return _joined([_at_least(x, 2) for x in tup], 0, dtype, casting)


row_stack = vstack


@normalized
def hstack(tup: ArraySeq, *, dtype: DTypeLike = None, casting: str = "same_kind") -> Tensor:
    """Side by side: along the first axis of vectors, the second of anything else."""
    arrays = [_at_least(x, 1) for x in tup]
    return _joined(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype, casting)


@normalized
def dstack(tup: ArraySeq) -> Tensor:
    """Along the third axis."""
    return _joined([_at_least(x, 3) for x in tup], 2, None, "same_kind")


@normalized
def column_stack(tup: ArraySeq) -> Tensor:
    """Vectors as columns, matrices as they are, side by side."""
    return _joined([x if x.ndim > 1 else x.reshape(-1, 1) for x in tup], 1, None, "same_kind")


def _depth(arrays: Any) -> int:
    if isinstance(arrays, tuple):
        raise TypeError(
            "arrays is a tuple. Only lists can be used to arrange blocks, and np.block does not allow tuples."
        )
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError("List at arrays cannot be empty")
    depths = {_depth(item) for item in arrays}
    if len(depths) > 1:
        raise ValueError("List depths are mismatched.")
    return depths.pop() + 1


def block(arrays: Any) -> Tensor:
    """Nested lists of blocks put together: the innermost lists along the last axis, and so on outwards."""
    depth = _depth(arrays)

    def leaves(x: Any) -> Any:
        return [leaves(item) for item in x] if isinstance(x, list) else asarray(x)

    def flat(x: Any) -> list[Tensor]:
        return [leaf for item in x for leaf in flat(item)] if isinstance(x, list) else [x]

    tree = leaves(arrays)
    ndim = max(depth, *(x.ndim for x in flat(tree)), 0)
    dtype = promote(*(x.dtype for x in flat(tree)))

    def build(x: Any, level: int) -> Tensor:
        if not isinstance(x, list):
            return x.reshape((1,) * (ndim - x.ndim) + tuple(x.shape))  # type: ignore[no-any-return]
        return _joined([build(item, level - 1) for item in x], -level, dtype, "same_kind")

    found = build(tree, depth)
    return found if depth else found.clone()


# ---------------------------------------------------------------------------------------------- splitting
def _cut(x: Tensor, start: int, stop: int | None, axis: int) -> Tensor:
    first, last, _ = slice(start, stop).indices(x.shape[axis])
    return x.narrow(axis, first, max(last - first, 0))


def _parts(ary: Tensor, sections: Any, axis: Any) -> list[Tensor]:
    (at,) = axes_of(as_index(axis), ary.ndim)
    if isinstance(sections, (Tensor, list, tuple)) or hasattr(sections, "__len__"):
        marks = [
            0,
            *(as_index(mark) for mark in (sections.tolist() if isinstance(sections, Tensor) else sections)),
        ]
        return [_cut(ary, a, b, at) for a, b in zip(marks, [*marks[1:], None], strict=True)]
    count = as_index(sections)
    if count <= 0:
        raise ValueError("number sections must be larger than 0.")
    each, extra = divmod(ary.shape[at], count)
    sizes = [each + 1] * extra + [each] * (count - extra)
    return list(torch.split(ary, sizes, at))


def _sections(x: Any) -> Any:
    return asarray(x).item() if isinstance(x, Tensor) and x.ndim == 0 else x


@normalized
def array_split(ary: ArrayLike, indices_or_sections: Any, axis: Any = 0) -> list[Tensor]:
    """A list of views: as many parts as told, of nearly one size, or cut at the indices given."""
    return _parts(ary, _sections(indices_or_sections), axis)


@normalized
def split(ary: ArrayLike, indices_or_sections: Any, axis: Any = 0) -> list[Tensor]:
    """A list of views, cut at indices or into equal parts; ValueError when there are no equal parts."""
    sections = _sections(indices_or_sections)
    if isinstance(sections, int) and ary.shape[axes_of(as_index(axis), ary.ndim)[0]] % sections:
        raise ValueError("array split does not result in an equal division")
    return _parts(ary, sections, axis)


def _demand(ary: Tensor, ndim: int, name: str) -> None:
    if ary.ndim < ndim:
        raise ValueError(f"{name} only works on arrays of {ndim} or more dimensions")


@normalized
def hsplit(ary: ArrayLike, indices_or_sections: Any) -> Any:
    """`split` along the second axis, the first of vectors."""
    _demand(ary, 1, "hsplit")
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


@normalized
def vsplit(ary: ArrayLike, indices_or_sections: Any) -> Any:
    """`split` along the first axis."""
    _demand(ary, 2, "vsplit")
    return split(ary, indices_or_sections, 0)


@normalized
def dsplit(ary: ArrayLike, indices_or_sections: Any) -> Any:
    """`split` along the third axis."""
    _demand(ary, 3, "dsplit")
    return split(ary, indices_or_sections, 2)


@normalized
def unstack(x: ArrayLike, /, *, axis: Any = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, as views."""
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return x.unbind(axes_of(as_index(axis), x.ndim)[0])
