"""`numpy.lib.stride_tricks`: views by strides, which NumPy counts in bytes and torch in elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from np2torch.shim import _core
from np2torch.shim._core import ArrayLike, AxisLike, normalized
from np2torch.shim.shape import broadcast_arrays, broadcast_shapes, broadcast_to

__all__ = ["as_strided", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]


def as_strided(
    x: Any, shape: Any = None, strides: Sequence[int] | None = None, subok: bool = False, writeable: bool = True
) -> torch.Tensor:
    """A view with the given shape and strides in bytes.

    Raises
    ------
    ValueError
        For negative strides, or strides that are no whole number of elements: torch has neither.
    """
    base = _core.asarray(x)
    size = tuple(base.shape) if shape is None else _core.as_shape(shape)
    if strides is None:
        return base.as_strided(size, base.stride())
    if any(int(s) < 0 or int(s) % base.itemsize for s in strides):
        raise ValueError("torch has strides of whole, non-negative numbers of elements only")
    return base.as_strided(size, [int(s) // base.itemsize for s in strides])


@normalized
def sliding_window_view(
    x: ArrayLike, window_shape: AxisLike, axis: AxisLike = None, *, subok: bool = False, writeable: bool = False
) -> torch.Tensor:
    """Windows of the array as trailing dimensions, a view.

    Raises
    ------
    ValueError
        When a window is larger than its axis, or windows and axes do not match in number.
    """
    windows = window_shape if isinstance(window_shape, tuple) else (window_shape,)
    if axis is None and len(windows) != x.ndim:
        raise ValueError("Since axis is None, must provide window_shape for all dimensions of `x`")
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(axes) != len(windows):
        raise ValueError("Must provide matching length window_shape and axis")
    for given, window in zip(axes, windows, strict=True):
        (one,) = _core.axes_of(given, x.ndim)
        if window < 0:
            raise ValueError("`window_shape` cannot contain negative values")
        if window > x.shape[one]:
            raise ValueError("window shape cannot be larger than input array shape")
        x = x.unfold(one, window, 1)
    return x
