"""Norms of vectors and matrices, by the tables NumPy documents: ord -> formula, for one axis and for two."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim import _core, _promotion
from np2torch.shim._core import ArrayLike, ReduceAxis, asarray, normalized
from np2torch.shim._double_precision import singular_values
from np2torch.shim._promotion import Tensor
from np2torch.shim.products import DIRECT


def _top(x: Tensor) -> Tensor:
    return x.amax(-1) if x.shape[-1] else x.new_zeros(x.shape[:-1])


def _bottom(x: Tensor) -> Tensor:
    if not x.shape[-1]:
        raise ValueError("zero-size array to reduction operation minimum which has no identity")
    return x.amin(-1)


def _sums(axis: int, pick: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """The largest or smallest sum along one of the last two axes."""
    return lambda x: pick(torch.abs(x).sum(axis))


def _singular(pick: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    return lambda x: pick(singular_values(x))


def _length(x: Tensor, *dims: int) -> Tensor:
    """The root of the sum of the squares of both parts, which of NaN and infinity is NaN; torch's is infinite."""
    if x.is_complex():
        x, dims = torch.view_as_real(x.resolve_conj()), (*(dim - 1 for dim in dims), -1)
    found: Tensor = torch.linalg.vector_norm(x, dim=dims)
    return found


def _frobenius(x: Tensor) -> Tensor:
    return _length(x, -2, -1)


MATRIX: dict[Any, Callable[[Tensor], Tensor]] = {
    None: _frobenius,
    "fro": _frobenius,
    "f": _frobenius,
    "nuc": lambda x: singular_values(x).sum(-1),
    2: _singular(_top),
    -2: _singular(_bottom),
    1: _sums(-2, _top),
    -1: _sums(-2, _bottom),
    math.inf: _sums(-1, _top),
    -math.inf: _sums(-1, _bottom),
}
VECTOR: dict[Any, Callable[[Tensor], Tensor]] = {
    None: lambda x: _length(x, -1),
    2: lambda x: _length(x, -1),
    math.inf: lambda x: _top(torch.abs(x)),
    -math.inf: lambda x: _bottom(torch.abs(x)),
    0: lambda x: (x != 0).to(_promotion.real_dtype(x.dtype)).sum(-1),
    1: lambda x: torch.abs(x).sum(-1),
}


def _vector(x: Tensor, order: Any) -> Tensor:
    if isinstance(order, str):
        raise ValueError(f"Invalid norm order '{order}' for vectors")
    formula = VECTOR.get(order)
    if formula is not None:
        return formula(x)
    if not x.shape[-1]:
        found: Tensor = x.real.sum(-1) ** (1 / order)
        return found
    found = torch.linalg.vector_norm(x, ord=order, dim=-1)
    return found


def _matrix(x: Tensor, order: Any) -> Tensor:
    if order not in MATRIX:
        raise ValueError("Invalid norm order for matrices.")
    if order in (2, -2, "nuc") and x.dtype is torch.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    return MATRIX[order](x)


@normalized
def norm(x: ArrayLike, ord: Any = None, axis: ReduceAxis = None, keepdims: bool = False) -> Tensor:
    """`numpy.linalg.norm`: of vectors along one axis, of matrices along two; without `ord` and `axis` of all elements.

    `ord=2` of a matrix is the spectral norm, which `torch.norm(x, 2)` is not.
    """
    if ord is None and not keepdims and x.dtype in DIRECT[:2] and (axis is None or type(axis) is int):
        if axis is None or -x.ndim <= axis < x.ndim:
            found: Tensor = torch.linalg.vector_norm(x, dim=axis)
            return found
    order = ord.item() if isinstance(ord, Tensor) else ord
    x = x.to(_promotion.mean_dtype(x.dtype))
    if axis is None and _is_of_all(order, x.ndim):
        axes, found = tuple(range(x.ndim)), _vector(x.reshape(-1), None)
    else:
        axes = _axes(axis, x.ndim)
        moved = x.movedim(axes, tuple(range(-len(axes), 0)))
        found = _vector(moved, order) if len(axes) == 1 else _matrix(moved, order)
    return found.reshape([1 if i in axes else size for i, size in enumerate(x.shape)]) if keepdims else found


def _is_of_all(order: Any, ndim: int) -> bool:
    """Tell whether a norm without axes is the root of the sum of all squares."""
    return order is None or (order in ("f", "fro") and ndim == 2) or (order == 2 and ndim == 1)


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The one or two axes along which norms are taken."""
    chosen = tuple(range(ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(chosen) not in (1, 2):
        raise ValueError("Improper number of dimensions to norm.")
    inside = [one % ndim for one in chosen if -ndim <= one < ndim]
    if len(inside) == 2 and len(set(inside)) == 1:
        raise ValueError("Duplicate axes given.")
    return _core.axes_of(chosen, ndim)


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    """`numpy.linalg.vector_norm`: of all elements, or over several axes as one vector."""
    a = asarray(x)
    axes = _core.axes_of(_core.as_axis(axis), a.ndim)
    kept = [size for i, size in enumerate(a.shape) if i not in axes]
    flat = a.movedim(axes, tuple(range(-len(axes), 0))).reshape([*kept, math.prod([a.shape[i] for i in axes])])
    found: Tensor = norm(flat, ord, -1)
    return found.reshape([1 if i in axes else size for i, size in enumerate(a.shape)]) if keepdims else found


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    """`numpy.linalg.matrix_norm`: over the last two axes."""
    found: Tensor = norm(asarray(x), ord, (-2, -1), keepdims)
    return found
