"""Other shapes of the same elements: `reshape`, axes, broadcasting, flips and rolls.

Joining and splitting live in `_joining`, growing, shrinking and writing in `_editing`, `pad` in `_padding`.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from np2torch.shim._core import (
    ArrayLike,
    AxisError,
    AxisLike,
    ReduceAxis,
    ShapeLike,
    as_axis,
    as_index,
    as_shape,
    axes_of,
    normalized,
)  # fmt: skip
from np2torch.shim._insertion import (
    append,
    copyto,
    delete,
    insert,
    place,
    put,
    putmask,
    repeat,
    resize,
    tile,
    trim_zeros,
)
from np2torch.shim._joining import (
    array_split,
    atleast_1d,
    atleast_2d,
    atleast_3d,
    block,
    column_stack,
    concat,
    concatenate,
    dsplit,
    dstack,
    hsplit,
    hstack,
    row_stack,
    split,
    stack,
    unstack,
    vsplit,
    vstack,
)
from np2torch.shim._layout import broadcast_shape, broadcast_to, is_fortran, may_share, moved
from np2torch.shim._numpy_fallback import or_numpys
from np2torch.shim._padding import pad
from np2torch.shim._promotion import Tensor

__all__ = [
    "append", "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "block", "broadcast_arrays",
    "broadcast_shapes", "broadcast_to", "column_stack", "concat", "concatenate", "copyto", "delete", "dsplit",
    "dstack", "expand_dims", "flip", "fliplr", "flipud", "hsplit", "hstack", "insert", "matrix_transpose", "moveaxis",
    "pad", "permute_dims", "place", "put", "putmask", "ravel", "repeat", "reshape", "resize", "roll", "rollaxis",
    "rot90", "row_stack", "split", "squeeze", "stack", "swapaxes", "tile", "transpose", "trim_zeros", "unstack",
    "vsplit", "vstack",
]  # fmt: skip


# ---------------------------------------------------------------------------------------------- reshaping
def _resolved(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The shape with its -1 filled in."""
    unknown = [at for at, length in enumerate(shape) if length < 0]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    known = math.prod([length for length in shape if length >= 0])
    if unknown and known and size % known == 0:
        return (*shape[: unknown[0]], size // known, *shape[unknown[0] + 1 :])
    if unknown or known != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
    return shape


def _mirrored(x: Tensor) -> Tensor:
    return x.permute(tuple(range(x.ndim))[::-1])


@or_numpys
def reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Tensor:
    """The elements in another shape, a view where that is possible; order "F" reads and writes columns first."""
    plain = type(shape) is int or type(shape) is tuple and not any(isinstance(length, Tensor) for length in shape)
    if type(a) is Tensor and order == "C" and copy is None and plain:
        try:
            return torch.reshape(a, shape if type(shape) is tuple else (shape,))
        except (RuntimeError, TypeError):  # the long way says what NumPy would
            pass
    return _reshape(a, shape, order, copy)


@normalized
def _reshape(a: ArrayLike, shape: ShapeLike, order: str, copy: bool | None) -> Tensor:
    target = _resolved(shape, a.numel())
    if order not in ("C", "F", "A"):
        raise ValueError(f"order must be one of 'C', 'F', or 'A' (got '{order}')")
    columns = order == "F" or (order == "A" and is_fortran(a))
    source = _mirrored(a) if columns else a
    wanted = target[::-1] if columns else target
    if copy is False:
        try:
            found = source.view(wanted)
        except RuntimeError:
            raise ValueError("Unable to avoid creating a copy while reshaping.") from None
    else:
        found = source.reshape(wanted)
    if copy:
        found = found.clone() if may_share(found, a) else found
    return _mirrored(found) if columns else found


@normalized
def ravel(a: ArrayLike, order: str = "C") -> Tensor:
    """One axis; a view of contiguous data, a copy otherwise."""
    match order:
        case "C":
            source = a
        case "F":
            source = _mirrored(a)
        case "A":
            source = _mirrored(a) if is_fortran(a) else a
        case "K":
            source = a.permute(sorted(range(a.ndim), key=a.stride, reverse=True))
        case _:
            raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")
    return source.contiguous().view(-1)  # not `reshape`, which makes views of evenly spaced elements too


# --------------------------------------------------------------------------------------------------- axes
def _axis(axis: Any, ndim: int) -> int:
    return axes_of(as_index(axis), ndim)[0]


@normalized
def transpose(a: ArrayLike, axes: AxisLike = None) -> Tensor:
    """A view with the axes reversed, or in the order given."""
    if axes is None:
        return _mirrored(a)
    order = axes if isinstance(axes, tuple) else (axes,)
    if len(order) != a.ndim:
        raise ValueError("axes don't match array")
    return a.permute(axes_of(order, a.ndim))


permute_dims = transpose


@normalized
def moveaxis(a: ArrayLike, source: AxisLike, destination: AxisLike) -> Tensor:
    """A view with some axes at other places, the rest in their order."""
    old, new = axes_of(source, a.ndim), axes_of(destination, a.ndim)
    if len(old) != len(new):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    return a.movedim(old, new)


@normalized
def swapaxes(a: ArrayLike, axis1: Any, axis2: Any) -> Tensor:
    """A view with two axes exchanged."""
    return a.transpose(_axis(axis1, a.ndim), _axis(axis2, a.ndim)) if a.ndim else a.permute(axes_of(as_axis(axis1), 0))


@normalized
def rollaxis(a: ArrayLike, axis: Any, start: Any = 0) -> Tensor:
    """A view with `axis` moved to stand before `start`."""
    at, before = _axis(axis, a.ndim), as_index(start)
    if not -a.ndim <= before <= a.ndim:
        raise AxisError(f"'start' arg requires {-a.ndim} <= start < {a.ndim + 1}, but {before} was passed in")
    before += a.ndim if before < 0 else 0
    return a.movedim(at, before - 1 if at < before else before)


@normalized
def matrix_transpose(x: ArrayLike, /) -> Tensor:
    """A view with the last two axes exchanged."""
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return x.transpose(-1, -2)


@normalized
def expand_dims(a: ArrayLike, axis: AxisLike) -> Tensor:
    """A view with new axes of length one at these places of the result."""
    new = axis if isinstance(axis, tuple) else (axis,)
    ndim = a.ndim + len(new)
    rest = iter(a.shape)
    at = axes_of(new, ndim)
    return (
        a.reshape([1 if place in at else next(rest) for place in range(ndim)]) if a.numel() == 0 else _unsqueezed(a, at)
    )


def _unsqueezed(a: Tensor, axes: tuple[int, ...]) -> Tensor:
    for axis in sorted(axes):
        a = a.unsqueeze(axis)
    return a


@normalized
def squeeze(a: ArrayLike, axis: ReduceAxis = None) -> Tensor:
    """A view without axes of length one; naming an axis that is longer raises ValueError."""
    if axis is None:
        return a.squeeze()
    if a.ndim == 0 and axis in (0, -1):
        return a
    axes = axes_of(axis, a.ndim)
    if any(a.shape[at] != 1 for at in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return a.squeeze(axes)


# ------------------------------------------------------------------------------------------- broadcasting
@normalized
def broadcast_arrays(*args: ArrayLike, subok: bool = False) -> tuple[Tensor, ...]:
    """Views of the arguments in their common shape."""
    shape = broadcast_shape(*(x.shape for x in args))
    return tuple(x.expand(shape) for x in args)


def broadcast_shapes(*args: Any) -> tuple[int, ...]:
    """The common shape, as a Python tuple."""
    return broadcast_shape(*(as_shape(shape) for shape in args))


# ----------------------------------------------------------------------------------------- flips and rolls
@normalized
def flip(m: ArrayLike, axis: AxisLike = None) -> Tensor:
    """Reverse the order along some axes; a copy, as torch has no negative strides."""
    return moved(torch.flip, m, axes_of(axis, m.ndim))


@normalized
def fliplr(m: ArrayLike) -> Tensor:
    """Columns in reverse order; a copy."""
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return moved(torch.flip, m, (1,))


@normalized
def flipud(m: ArrayLike) -> Tensor:
    """Rows in reverse order; a copy."""
    if m.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return moved(torch.flip, m, (0,))


@normalized
def rot90(m: ArrayLike, k: Any = 1, axes: AxisLike = (0, 1)) -> Tensor:
    """Turn by 90 degrees k times in the plane of two axes."""
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    if axes[0] == axes[1] or abs(axes[0] - axes[1]) == m.ndim:
        raise ValueError("Axes must be different.")
    if any(not -m.ndim <= axis < m.ndim for axis in axes):
        raise ValueError(f"Axes={axes} out of range for array of ndim={m.ndim}.")
    return moved(torch.rot90, m, as_index(k), axes)


@normalized
def roll(a: ArrayLike, shift: AxisLike, axis: AxisLike = None) -> Tensor:
    """Elements shifted round the end, over the flattened array when no axis is named."""
    shifts = shift if isinstance(shift, tuple) else (shift,)
    if axis is None:
        return moved(torch.roll, a.reshape(-1), sum(shifts) % a.numel(), 0).reshape(a.shape) if a.numel() else a.clone()
    named = axis if isinstance(axis, tuple) else (axis,)
    (size,) = broadcast_shape((len(shifts),), (len(named),))
    total = dict.fromkeys(axes_of(tuple(dict.fromkeys(_axis(one, a.ndim) for one in named)), a.ndim), 0)
    for i in range(size):
        total[_axis(named[i % len(named)], a.ndim)] += shifts[i % len(shifts)]
    if not total or not a.numel():
        return a.clone()
    return moved(torch.roll, a, tuple(by % a.shape[at] for at, by in total.items()), tuple(total))
