"""Moving data about without looking at it: what creation, shape, indexing and sorting share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim._broadcast import common_shape
from np2torch.shim._core import ArrayLike, ShapeLike, asarray, narrowed, normalized, parsed
from np2torch.shim._errors import wrong
from np2torch.shim._promotion import BOOL, INT64, PYTHON_DTYPES, SIGNED, UNSIGNED, Number, Tensor, kind, promote2

TWINS = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: INT64}


def movable(x: Tensor) -> Tensor:
    """The same memory in a dtype that every data-moving kernel of torch takes (uint16, 32 and 64 lack most)."""
    twin = TWINS.get(x.dtype)
    return x if twin is None else x.view(twin)


def seen_as(x: Tensor, dtype: torch.dtype) -> Tensor:
    """`x.view(dtype)` that keeps the graph where there is nothing to do: torch's own loses it."""
    return x if x.dtype is dtype else x.view(dtype)


def apart(x: Tensor) -> Tensor:
    """Give a tensor that may be written over: a copy if a gradient needs the old values, else the tensor itself."""
    return x.clone() if x.requires_grad and torch.is_grad_enabled() else x


def may_share(a: Tensor, b: Tensor) -> bool:
    """Tell whether two tensors may share a storage.

    Always True in torch.compile, where memory has no address yet, and in transforms, whose tensors show no storage.
    """
    try:
        return torch.compiler.is_compiling() or a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    except NotImplementedError:
        return True


def may_overlap(a: Tensor, b: Tensor) -> bool:
    """Tell whether two tensors may have an element in common: of contiguous ones their places tell."""
    if torch.compiler.is_compiling() or not (a.is_contiguous() and b.is_contiguous()):
        return may_share(a, b)
    try:
        at, other = a.data_ptr(), b.data_ptr()
    except (NotImplementedError, RuntimeError):
        return True
    return not (at + a.nbytes <= other or other + b.nbytes <= at)


def may_overlap_itself(x: Tensor) -> bool:
    """Tell whether two elements of a tensor may lie in one place, as in windows that slide over an array."""
    if x.is_contiguous():
        return False
    if x.ndim == 1:  # of no contiguous one the length is two or more
        return not x.stride(0)
    reach = 0
    for step, size in sorted(zip(x.stride(), x.shape, strict=True)):
        if size > 1 and step <= reach:
            return True
        reach += step * (size - 1)
    return False


def moved(move: Callable[..., Tensor], x: Tensor, *args: Any) -> Tensor:
    """`move(x, *args)` for a `move` that only moves elements about, whatever the dtype of `x`."""
    twin = TWINS.get(x.dtype)
    return move(x, *args) if twin is None else move(x.view(twin), *args).view(x.dtype)


def ordered(x: Tensor) -> Tensor:
    """Map `x` to integers of its order that torch can compare: wide unsigned dtypes lack `<`, `min` and `sort`."""
    if x.dtype in (torch.uint16, torch.uint32):
        return x.to(INT64)
    if x.dtype is torch.uint64:
        return x.view(INT64) ^ torch.iinfo(INT64).min
    return x


def expanded(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A view of `x` broadcast to `shape`; surplus leading axes of length one are dropped as in an assignment.

    Raises
    ------
    ValueError
        When it does not fit.
    """
    while x.ndim > len(shape) and x.shape[0] == 1:
        x = x[0]
    if x.ndim > len(shape) or any(a not in (1, b) for a, b in zip(x.shape[::-1], shape[::-1], strict=False)):
        raise ValueError(f"could not broadcast input array from shape {tuple(x.shape)} into shape {shape}")
    return x.expand(shape)


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """`numpy.broadcast_shapes`: a ValueError where torch raises RuntimeError."""
    return tuple(common_shape(*shapes))


@normalized
def broadcast_to(array: ArrayLike, shape: ShapeLike, subok: bool = False) -> Tensor:
    """Stretch to a shape as a view, where a write shows in every copy of an element; NumPy's is read-only."""
    if any(length < 0 for length in shape):
        raise ValueError("all elements of broadcast shape must be non-negative")
    if array.ndim > len(shape):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    if any(old not in (1, new) for old, new in zip(reversed(array.shape), reversed(shape), strict=False)):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{tuple(array.shape)} and requested shape {shape}"
        )
    return array.expand(shape)


def valid_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape, if it is one.

    Raises
    ------
    ValueError
        For a negative length.
    """
    for length in shape:
        if length < 0:
            raise ValueError("negative dimensions are not allowed")
    return shape


def checked(value: Number, dtype: torch.dtype) -> Number:
    """A Python number that is to become an element of `dtype`.

    Raises
    ------
    OverflowError, ValueError, TypeError
        As NumPy does when it does not fit an integer dtype, is NaN, or is complex.
    """
    if kind(dtype) == 1:
        value = int(value)  # type: ignore[arg-type]
        limits = torch.iinfo(dtype)
        if not limits.min <= value <= limits.max:
            raise OverflowError(f"Python integer {value} out of bounds for {str(dtype)[6:]}")
    elif kind(dtype) == 2 and type(value) is complex:
        raise TypeError("float() argument must be a string or a real number, not 'complex'")
    return value


def element(value: Any, like: Tensor) -> Tensor:
    """`value` as it is after being stored in `like`: cast without asking, Python numbers checked as NumPy does."""
    dtype = like.dtype
    if not isinstance(value, Tensor):
        value = _as_numbers(value, dtype)
        _check(value, dtype)
        if type(value) in (int, float) and dtype is BOOL:
            value = bool(value)
        target = dtype if type(value) in PYTHON_DTYPES and dtype not in UNSIGNED else narrowed(value)
        value = asarray(value, target if not isinstance(value, float) or kind(dtype) >= 2 else None, like.device)
    if value.is_complex() and not dtype.is_complex:
        value = value != 0 if dtype is BOOL else value.real
    cast: Tensor = value.to(device=like.device, dtype=dtype)
    return cast


def _as_numbers(value: Any, dtype: torch.dtype) -> Any:
    """The numbers that are stored for text and None, in lists too."""
    if isinstance(value, (list, tuple)):
        return [_as_numbers(item, dtype) for item in value]
    return parsed(value, dtype) if value is None or isinstance(value, (str, bytes)) else value


def _check(value: Any, dtype: torch.dtype) -> None:
    """Raise where a Python number in `value` cannot be an element of the dtype."""
    if isinstance(value, (list, tuple)):
        for item in value:
            _check(item, dtype)
    elif value is None and kind(dtype) == 1:
        raise TypeError("int() argument must be a real number, not 'NoneType'")
    elif type(value) in PYTHON_DTYPES and dtype is not BOOL:
        checked(value, dtype)


def can_cast(source: torch.dtype, target: torch.dtype, casting: str) -> bool:
    """`numpy.can_cast` between dtypes."""
    if source is target or casting == "unsafe":
        return True
    if casting in ("no", "equiv"):
        return False
    if casting == "same_kind" and kind(source) == kind(target) == 1:
        return (source in SIGNED and target in SIGNED) or source not in SIGNED
    if casting == "same_kind":
        return kind(source) <= kind(target)
    return promote2(source, target) is target


def demand_cast(source: torch.dtype, target: torch.dtype, casting: str) -> None:
    """Raise TypeError where NumPy refuses the cast."""
    if not can_cast(source, target, casting):
        names = str(source)[6:], str(target)[6:]
        raise TypeError(
            f"Cannot cast array data from dtype('{names[0]}') to dtype('{names[1]}') according to the rule '{casting}'"
        )


def fortran(x: Tensor) -> Tensor:
    """The same values, laid out column by column."""
    axes = tuple(range(x.ndim))[::-1]
    return x.permute(axes).contiguous().permute(axes)


def is_fortran(x: Tensor) -> bool:
    """Tell whether a tensor is laid out column by column, and not row by row."""
    return not x.is_contiguous() and x.permute(tuple(range(x.ndim))[::-1]).is_contiguous()


def laid_out_like(x: Tensor, model: Tensor, order: str | None) -> Tensor:
    """`x`, fresh and row by row, in the order asked for: "A" and "K" look at a model, "K" at its strides."""
    if order == "F" or order == "A" and is_fortran(model):
        return fortran(x)
    if order != "K" or model.is_contiguous() or x.ndim != model.ndim:
        return x
    outward = sorted(range(x.ndim), key=model.stride().__getitem__, reverse=True)
    return x.permute(outward).contiguous().permute([outward.index(axis) for axis in range(x.ndim)])


def laid_out(x: Tensor, order: str | None) -> Tensor:
    """`x` itself where its layout is the one asked for, a copy where not.

    Raises
    ------
    ValueError
        For an order NumPy does not know.
    """
    match order and order.upper():
        case None | "K" | "A":
            return x
        case "C":
            return x.contiguous()
        case "F":
            return fortran(x)
    raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")


def positions(indices: Tensor, length: int, mode: str, axis: int | None = None) -> Tensor:
    """Indices as non-negative int64, negatives and overruns treated by NumPy's mode.

    Raises
    ------
    IndexError, TypeError, ValueError
        For an index out of bounds, indices that are no integers, an unknown mode.
    """
    if indices.numel():  # an empty list is a float array
        safely_int(indices)
    found = indices.to(INT64)
    match mode:
        case "wrap":
            return found % length if length else found
        case "clip":
            return found.clamp(0, max(length - 1, 0))
        case "raise":
            outside = (found < -length) | (found >= length)
            where = "" if axis is None else f"axis {axis} with "
            if wrong(outside, f"index is out of bounds for {where}size {length}"):
                raise IndexError(f"index {int(found[outside][0])} is out of bounds for {where}size {length}")
            return torch.where(found < 0, found + length, found)
    raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")


def safely_int(x: Tensor) -> None:
    """Raise TypeError for what is no integer but should be."""
    if kind(x.dtype) > 1:
        name = str(x.dtype)[6:]
        raise TypeError(f"Cannot cast array data from dtype('{name}') to dtype('int64') according to the rule 'safe'")


def truth(x: Tensor) -> Tensor:
    """`x.astype(bool)`."""
    return x if x.dtype is BOOL else movable(x) != 0
