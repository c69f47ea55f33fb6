"""Reductions know one axis only: what turns NumPy's axis argument into that one, and the shape back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from np2torch.shim._core import as_reduce_axis, axes_of
from np2torch.shim._promotion import Tensor


def reduced_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """List the axes to reduce; 0-D arrays may have the axes 0 and -1 here, as in NumPy."""
    axis = as_reduce_axis(axis)
    return () if ndim == 0 and axis in (0, -1) else axes_of(axis, ndim)


def along(a: Tensor, axes: tuple[int, ...]) -> tuple[Tensor, int]:
    """`a` with the given axes made one, and where that one is. No axis at all is one of length 1."""
    if len(axes) == 1:
        return a, axes[0]
    if not axes:
        return a.unsqueeze(-1), a.ndim
    kept = [i for i in range(a.ndim) if i not in axes]
    size = math.prod([a.shape[i] for i in axes])
    return a.permute(*kept, *axes).reshape([a.shape[i] for i in kept] + [size]), len(kept)


def keep(result: Tensor, shape: Sequence[int], axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Put the reduced axes back with length 1, if asked to."""
    return result.reshape([1 if i in axes else n for i, n in enumerate(shape)]) if keepdims else result
