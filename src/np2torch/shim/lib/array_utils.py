"""`numpy.lib.array_utils`: axes as numbers between 0 and the rank."""

from __future__ import annotations

from collections.abc import Iterable

from np2torch.shim._core import AxisError

__all__ = ["normalize_axis_index", "normalize_axis_tuple"]


def normalize_axis_index(axis: int, ndim: int, msg_prefix: str | None = None) -> int:
    """The axis counted from the front; AxisError where there is none."""
    if not -ndim <= axis < ndim:
        prefix = f"{msg_prefix}: " if msg_prefix else ""
        raise AxisError(f"{prefix}axis {axis} is out of bounds for array of dimension {ndim}")
    return axis % ndim


def normalize_axis_tuple(
    axis: int | Iterable[int], ndim: int, argname: str | None = None, allow_duplicate: bool = False
) -> tuple[int, ...]:
    """The axes counted from the front, each once."""
    given = axis if isinstance(axis, Iterable) else (axis,)
    axes = tuple(normalize_axis_index(one, ndim, argname) for one in given)
    if not allow_duplicate and len(set(axes)) != len(axes):
        raise ValueError(f"repeated axis in `{argname}` argument" if argname else "repeated axis")
    return axes
