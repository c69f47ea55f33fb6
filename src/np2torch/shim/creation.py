"""Arrays out of nothing, numbers or other arrays: `numpy.array`, `zeros`, `full`, `eye`, `meshgrid` and their kin.

Sequences of numbers (`arange`, `linspace`) live in `_ranges`, reading of buffers and text in `_reading`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import torch

from np2torch.shim._core import ArrayLike, DTypeLike, ShapeLike, as_index, holds_others, normalized
from np2torch.shim._core import asarray as to_tensor
from np2torch.shim._errors import wrong
from np2torch.shim._from_buffer import frombuffer, fromiter, fromstring
from np2torch.shim._layout import (
    broadcast_shape,
    checked,
    expanded,
    fortran,
    laid_out,
    laid_out_like,
    may_share,
    moved,
    valid_shape,
)  # fmt: skip
from np2torch.shim._marks import is_scalar, mark
from np2torch.shim._promotion import BOOL, FLOAT64, INT64, PYTHON_DTYPES, Tensor, kind, promote2
from np2torch.shim._ranges import arange, geomspace, linspace, logspace
from np2torch.shim._shown_memory import shows_memory
from np2torch.shim._stacking import of_arrays, of_doubles
from np2torch.shim._type_resolution import is_weak_beside

__all__ = [
    "arange", "array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray", "astype",
    "copy", "diag", "diagflat", "empty", "empty_like", "eye", "frombuffer", "fromfunction", "fromiter", "fromstring",
    "full", "full_like", "geomspace", "identity", "indices", "linspace", "logspace", "meshgrid", "ones", "ones_like",
    "require", "tri", "tril", "triu", "vander", "zeros", "zeros_like",
]  # fmt: skip


# ------------------------------------------------------------------------------------- from what is there
def _converted(x: Any, dtype: torch.dtype | None) -> Tensor:
    """`numpy.asarray(x, dtype)`: Python numbers must fit the dtype, arrays are cast as they come."""
    if dtype is None or isinstance(x, Tensor):
        return to_tensor(x, dtype)
    if type(x) in PYTHON_DTYPES:
        number = checked(x, dtype)
        if kind(dtype) == 1:
            return torch.tensor(number, dtype=dtype)
        number = float(number) if type(number) is int else number  # left to itself torch reads it in float32
        return torch.tensor(number, dtype=PYTHON_DTYPES[type(number)]).to(dtype)
    if isinstance(x, (list, tuple)) and not holds_others(x, set()) and dtype is not BOOL:
        _check_numbers(x, dtype)
    return to_tensor(x, dtype)


def _check_numbers(x: Any, dtype: torch.dtype) -> None:
    for item in x:
        if isinstance(item, (list, tuple)):
            _check_numbers(item, dtype)
        else:
            checked(item, dtype)


def _listed(x: list[Any]) -> Tensor:
    found = of_doubles(x)
    if found is None:
        found = of_arrays(x)
    return to_tensor(x) if found is None else found


def _made(x: Any, dtype: torch.dtype | None, copy: bool | None, order: str | None, device: Any = None) -> Tensor:
    if type(x) is Tensor and x.ndim and copy is not True and order is device is None and dtype in (None, x.dtype):
        return x
    if type(x) in PYTHON_DTYPES and copy is not False and device is None:
        scalar: Tensor = mark(_converted(x, dtype))
        return scalar
    if type(x) is list and order in (None, "K") and device is None and copy is not False:
        if dtype is None:
            found = _listed(x)
            return found if found.ndim else mark(found)
        if dtype is torch.float64 and (read := of_doubles(x)) is not None:
            return read.to(dtype)
    found = _copied(x, laid_out(_converted(x, dtype), order).to(device), dtype, copy)
    return found if found.ndim else mark(found)


def _copied(x: Any, found: Tensor, dtype: torch.dtype | None, copy: bool | None) -> Tensor:
    """Copy what was made of `x` where that is asked for, and raise where a copy was forbidden and made."""
    shared = isinstance(x, Tensor) and (found is x or may_share(found, x))
    foreign = not isinstance(x, (Tensor, list, tuple)) and shows_memory(x)
    if copy is False and not shared and not (dtype is None and foreign):
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    if copy and (shared or foreign) or is_scalar(found) and shared:
        return found.clone(memory_format=torch.preserve_format)
    return found


@normalized
def array(
    object: Any, dtype: DTypeLike = None, *, copy: bool | None = True, order: str | None = "K", subok: bool = False,
    ndmin: int = 0, ndmax: int = 0, like: Any = None,
) -> Tensor:  # fmt: skip
    """A new tensor from an array-like; shares nothing with it unless `copy` says so.

    Parameters
    ----------
    object
        Anything `numpy.array` takes; nested sequences may hold tensors.
    dtype
        By default the one NumPy finds: float64 for Python floats, int64 for integers.
    """
    if type(object) is Tensor and object.ndim >= max(ndmin, 1) and copy is True and order == "K":
        if dtype is None or dtype is object.dtype:
            return object.clone(memory_format=torch.preserve_format)
    found = _made(object, dtype, copy, order)
    return found if found.ndim >= ndmin else found.reshape((1,) * (ndmin - found.ndim) + found.shape)


@normalized
def asarray(
    a: Any,
    dtype: DTypeLike = None,
    order: str | None = None,
    *,
    device: Any = None,
    copy: bool | None = None,
    like: Any = None,
) -> Tensor:
    """A tensor of an array-like; a tensor comes back as it is where nothing needs to change."""
    return _made(a, dtype, copy, order, device)


@normalized
def asanyarray(
    a: Any, dtype: DTypeLike = None, order: str | None = None, *, device: Any = None, copy: bool | None = None,
    like: Any = None,
) -> Tensor:  # fmt: skip
    """`asarray`: there are no subclasses here. What stays on NumPy keeps its class."""
    return _made(a, dtype, copy, order, device)


@normalized
def ascontiguousarray(a: Any, dtype: DTypeLike = None, *, like: Any = None) -> Tensor:
    """At least one axis, laid out row by row; itself where it is that already."""
    found = _made(a, dtype, None, "C")
    return found if found.ndim else found[None]


@normalized
def asfortranarray(a: Any, dtype: DTypeLike = None, *, like: Any = None) -> Tensor:
    """At least one axis, laid out column by column."""
    found = _made(a, dtype, None, "F")
    return found if found.ndim else found[None]


@normalized
def asarray_chkfinite(a: Any, dtype: DTypeLike = None, order: str | None = None) -> Tensor:
    """`asarray` that raises ValueError for NaN and infinities."""
    found = _made(a, dtype, None, order)
    if wrong(~torch.isfinite(found), said := "array must not contain infs or NaNs"):
        raise ValueError(said)
    return found


@normalized
def copy(a: Any, order: str | None = "K", subok: bool = False) -> Tensor:
    """A tensor that shares nothing with `a`."""
    return _made(a, None, True, order)


@normalized
def astype(x: Any, dtype: DTypeLike, /, *, copy: bool = True, device: Any = None) -> Tensor:
    """`x` cast to another dtype, a new tensor even where nothing changes."""
    if isinstance(x, (list, tuple)):
        raise TypeError(f"Input should be a NumPy array or scalar. It is a {type(x)} instead.")
    return to_tensor(x).to(device=device, dtype=dtype, copy=copy)


@normalized
def require(a: Any, dtype: DTypeLike = None, requirements: Any = None, *, like: Any = None) -> Tensor:
    """A tensor of the dtype and layout demanded; memory flags other than C and F hold for every tensor."""
    if isinstance(requirements, str):
        requirements = list(requirements) if len(requirements) == 1 else [requirements]
    known = {
        "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
        "A": "", "ALIGNED": "", "W": "", "WRITEABLE": "", "O": "", "OWNDATA": "", "E": "", "ENSUREARRAY": "",
    }  # fmt: skip
    wanted = {known[name.upper()] for name in requirements or ()} - {""}
    if len(wanted) > 1:
        raise ValueError('Cannot specify both "C" and "F" order')
    return _made(a, dtype, None, next(iter(wanted), None))


# ------------------------------------------------------------------------------------------ filled arrays
def _device(device: Any, like: Any) -> Any:
    return like.device if device is None and isinstance(like, Tensor) else device


def _filled(shape: tuple[int, ...], value: Any, dtype: torch.dtype | None, order: str | None, device: Any) -> Tensor:
    valid_shape(shape)
    own = PYTHON_DTYPES.get(type(value))
    if order != "F" and own is not None and (dtype is None or dtype is own):
        with suppress(RuntimeError):  # an integer of more than 64 bits
            return torch.full(shape, value, dtype=own, device=device)
    if type(value) in (bool, int) and dtype is not None:
        value = checked(value, dtype) if dtype is not BOOL else bool(value)
    tensor = to_tensor(value, None, device)
    found = expanded(tensor.to(device=device, dtype=dtype or tensor.dtype), shape).clone(
        memory_format=torch.contiguous_format
    )
    return fortran(found) if order == "F" else found


@normalized
def zeros(
    shape: ShapeLike, dtype: DTypeLike = None, order: str = "C", *, device: Any = None, like: Any = None
) -> Tensor:
    """Zeros, float64 unless told otherwise."""
    found = torch.zeros(valid_shape(shape), dtype=dtype or FLOAT64, device=_device(device, like))
    return fortran(found) if order == "F" else found


@normalized
def ones(
    shape: ShapeLike, dtype: DTypeLike = None, order: str = "C", *, device: Any = None, like: Any = None
) -> Tensor:
    """Ones, float64 unless told otherwise."""
    found = torch.ones(valid_shape(shape), dtype=dtype or FLOAT64, device=_device(device, like))
    return fortran(found) if order == "F" else found


@normalized
def empty(
    shape: ShapeLike, dtype: DTypeLike = None, order: str = "C", *, device: Any = None, like: Any = None
) -> Tensor:
    """Uninitialised memory, float64 unless told otherwise."""
    found = torch.empty(valid_shape(shape), dtype=dtype or FLOAT64, device=_device(device, like))
    return fortran(found) if order == "F" else found


@normalized
def full(
    shape: ShapeLike,
    fill_value: Any,
    dtype: DTypeLike = None,
    order: str = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> Tensor:
    """Filled with a value, or with an array broadcast to the shape; the dtype is that of the value."""
    return _filled(shape, fill_value, dtype, order, _device(device, like))


def _like(a: Tensor, value: Any, dtype: torch.dtype | None, order: str | None, shape: Any, device: Any) -> Tensor:
    found = _filled(a.shape if shape is None else shape, value, dtype or a.dtype, "C", device or a.device)
    return laid_out_like(found, a, order)


def _optional_shape(shape: Any) -> tuple[int, ...] | None:
    from np2torch.shim._core import as_shape

    return None if shape is None else as_shape(shape)


@normalized
def zeros_like(
    a: ArrayLike,
    dtype: DTypeLike = None,
    order: str | None = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Tensor:
    """Zeros of the shape and dtype of `a`."""
    if shape is None and order == "K" and a.is_contiguous():
        return torch.zeros_like(a, dtype=dtype, device=device, requires_grad=False)
    return _like(a.detach(), 0, dtype, order, _optional_shape(shape), device)


@normalized
def ones_like(
    a: ArrayLike,
    dtype: DTypeLike = None,
    order: str | None = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Tensor:
    """Ones of the shape and dtype of `a`."""
    if shape is None and order == "K" and a.is_contiguous():
        return torch.ones_like(a, dtype=dtype, device=device, requires_grad=False)
    return _like(a.detach(), 1, dtype, order, _optional_shape(shape), device)


@normalized
def empty_like(
    prototype: ArrayLike, /, dtype: DTypeLike = None, order: str | None = "K", subok: bool = True,
    shape: Any = None, *, device: Any = None,
) -> Tensor:  # fmt: skip
    """Uninitialised memory of the shape and dtype of `prototype`."""
    size = _optional_shape(shape)
    size = tuple(prototype.shape) if size is None else size
    found = torch.empty(valid_shape(size), dtype=dtype or prototype.dtype, device=device or prototype.device)
    return laid_out_like(found, prototype, order)


@normalized
def full_like(
    a: ArrayLike, fill_value: Any, dtype: DTypeLike = None, order: str | None = "K", subok: bool = True,
    shape: Any = None, *, device: Any = None,
) -> Tensor:  # fmt: skip
    """Filled with a value cast to the dtype of `a`."""
    if a.ndim and dtype in (None, a.dtype) and order == "K" and shape is device is None:
        if is_weak_beside(fill_value, a.dtype):
            return torch.full_like(a.detach(), fill_value)
    return _like(a.detach(), fill_value, dtype, order, _optional_shape(shape), device)


# ---------------------------------------------------------------------------------------------- matrices
def _eye(n: int, m: int, k: int, dtype: torch.dtype, device: Any) -> Tensor:
    found = torch.zeros(valid_shape((n, m)), dtype=dtype, device=device)
    if -n < k < m:
        found.diagonal(k).fill_(1)
    return found


@normalized
def eye(
    N: Any,
    M: Any = None,
    k: Any = 0,
    dtype: DTypeLike = FLOAT64,
    order: str = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> Tensor:
    """Ones on the k-th diagonal of an N by M matrix of zeros."""
    rows = as_index(N)
    found = _eye(
        rows, rows if M is None else as_index(M), as_index(k), dtype or FLOAT64, _device(device, like)
    )
    return fortran(found) if order == "F" else found


@normalized
def identity(n: Any, dtype: DTypeLike = None, *, like: Any = None) -> Tensor:
    """The n by n identity, float64 unless told otherwise."""
    return _eye(as_index(n), as_index(n), 0, dtype or FLOAT64, _device(None, like))


@normalized
def diag(v: ArrayLike, k: Any = 0) -> Tensor:
    """The k-th diagonal of a matrix, or a matrix with a vector on it.

    The diagonal is a view as in NumPy, where it is read-only; here a write goes through.
    """
    if v.ndim not in (1, 2):
        raise ValueError("Input must be 1- or 2-d.")
    offset = as_index(k)
    return moved(torch.diag_embed, v, offset) if v.ndim == 1 else v.diagonal(offset)


@normalized
def diagflat(v: ArrayLike, k: Any = 0) -> Tensor:
    """A matrix with the flattened `v` on its k-th diagonal."""
    return moved(torch.diag_embed, v.reshape(-1), as_index(k))


def _lower(n: int, m: int, k: int, device: Any) -> Tensor:
    """The mask that `tri` is: row + k >= column."""
    return torch.arange(k, n + k, device=device)[:, None] >= torch.arange(m, device=device)


@normalized
def tri(N: Any, M: Any = None, k: Any = 0, dtype: DTypeLike = FLOAT64, *, like: Any = None) -> Tensor:
    """Ones at and below the k-th diagonal."""
    rows = max(as_index(N), 0)
    columns = rows if M is None else max(as_index(M), 0)
    return _lower(rows, columns, as_index(k), _device(None, like)).to(dtype or FLOAT64)


def _triangle(cut: Callable[..., Tensor], m: Tensor, k: Any) -> Tensor:
    if m.ndim == 0:
        raise TypeError("tri() missing 1 required positional argument: 'N'")
    square = m if m.ndim > 1 else m.expand(m.shape[0], m.shape[0])
    return moved(cut, square.contiguous() if m.ndim == 1 else square, as_index(k))


@normalized
def tril(m: ArrayLike, k: Any = 0) -> Tensor:
    """A copy with zeros above the k-th diagonal."""
    return _triangle(torch.tril, m, k)


@normalized
def triu(m: ArrayLike, k: Any = 0) -> Tensor:
    """A copy with zeros below the k-th diagonal."""
    return _triangle(torch.triu, m, k)


@normalized
def vander(x: ArrayLike, N: Any = None, increasing: bool = False) -> Tensor:
    """The powers of `x` as columns, the highest first unless `increasing`."""
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    columns = len(x) if N is None else as_index(N)
    base = x.to(promote2(x.dtype, INT64))[:, None]
    powers = torch.cat([torch.ones_like(base), base.expand(-1, max(columns - 1, 0))], 1).cumprod(1, dtype=base.dtype)[
        :, :columns
    ]
    return powers if increasing else powers.flip(1)


# ------------------------------------------------------------------------------------------------- grids
@normalized
def meshgrid(*xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinate matrices of coordinate vectors, copies unless told otherwise (torch's are views)."""
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    axes = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        axes[:2] = 1, 0
    grids = [x.reshape([-1 if axis == at else 1 for axis in range(len(xi))]) for x, at in zip(xi, axes, strict=True)]
    if not sparse:
        shape = broadcast_shape(*(grid.shape for grid in grids))
        grids = [grid.expand(shape) for grid in grids]
    return tuple(grid.clone(memory_format=torch.contiguous_format) if copy else grid for grid in grids)


@normalized
def indices(dimensions: Any, dtype: DTypeLike = INT64, sparse: bool = False) -> Any:
    """The index of each element of a grid, axis by axis; a tuple when `sparse`."""
    shape = tuple(as_index(length) for length in dimensions)
    whole = dtype or INT64
    open_grid = [
        torch.arange(length).to(whole).reshape([-1 if axis == at else 1 for axis in range(len(shape))])
        for at, length in enumerate(shape)
    ]
    if sparse:
        return tuple(open_grid)
    return torch.stack([grid.expand(shape) for grid in open_grid]) if shape else torch.empty(0, dtype=whole)


def fromfunction(
    function: Callable[..., Any], shape: Any, *, dtype: Any = FLOAT64, like: Any = None, **kwargs: Any
) -> Any:
    """Call `function` with the index grids, one tensor per axis."""
    return function(*indices(shape, dtype=dtype), **kwargs)
