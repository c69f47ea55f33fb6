"""Quick tests of arguments, which guards run first: whether all of them can stay as they are."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._promotion import FLOAT64, Number, Tensor
from np2torch.shim._stacking import EXACT, of_doubles

Arrays = tuple[Any, ...]
Numbers = bool | tuple[bool | None, ...] | None
Flags = bool | tuple[bool, ...]
"""What an option says: of all arguments, or of each."""
WEAK = frozenset({int, float})
_OF_KIND: dict[str, tuple[torch.dtype, ...]] = {
    "b": (torch.bool,),
    "i": (torch.int8, torch.int16, torch.int32, torch.int64),
    "u": (torch.uint8, torch.uint16, torch.uint32, torch.uint64),
    "f": (torch.float16, torch.float32, torch.float64, torch.bfloat16),
    "c": (torch.complex64, torch.complex128),
}
KINDS = {dtype: kind for kind, dtypes in _OF_KIND.items() for dtype in dtypes}
"""NumPy's letter for the kind of each dtype."""
NARROW = (torch.int8, torch.int16)
"""Integers that are taken where unsigned ones are, too: a number that these do not hold may not fit here either."""


def are_as_wanted(
    arrays: Arrays, precisions: dict[torch.dtype, torch.dtype], numbers: Numbers, mixed: bool | None, none: bool
) -> bool:
    """True where all arguments stay as they are; False sends the question the long way."""
    first = precision = None
    for at, x in enumerate(arrays):
        if type(x) is Tensor:
            dtype = x.dtype
            if first is None:
                first, precision = dtype, precisions.get(dtype)
                if precision is None:
                    return False
            elif dtype is not first and (mixed is False or precisions.get(dtype) is not precision):
                return False
        elif type(x) in WEAK:
            if numbers is not True and of_argument(numbers, at) is not True:
                return False
        elif not none or x is not None:
            return False
    return first is not None or numbers is True


def as_tensors(arrays: Arrays, lists: Flags, floats: bool, integers: bool = False) -> Arrays | None:
    """The arguments with float64 tensors for floats, and with tensors for lists of numbers, where that is all to do.

    None where there are no such ones, where a list is not taken or is more than numbers, and where tensors beside
    numbers are not float64, or on several devices.
    """
    found: list[Any] = []
    place = None
    made = number = False
    for at, x in enumerate(arrays):
        kind = type(x)
        if kind is list or kind is tuple:
            if not of_argument(lists, at) or (x := of_doubles(x if kind is list else list(x))) is None:
                return None
            made = True
        elif floats and kind in WEAK:
            if kind is int and not (integers and -EXACT < x < EXACT):
                return None
            made = number = True
        if type(x) is Tensor:
            if place is not None and x.device != place:
                return None
            place = x.device
        found.append(x)
    return _without_numbers(found, place) if number else tuple(found) if made else None


def cast_alone(x: Any, made: Arrays | None, dtype: torch.dtype) -> Arrays | None:
    """The only argument, or what was made of it, cast from int64, as most that do not stay; else what was made."""
    whole = x if made is None else made[0]
    return (whole.to(dtype),) if type(whole) is Tensor and whole.dtype is torch.int64 else made


def _without_numbers(found: list[Any], place: torch.device | None) -> Arrays | None:
    """The arguments with float64 tensors for numbers; None where a tensor has another dtype."""
    if any(type(x) is Tensor and x.dtype is not FLOAT64 for x in found):
        return None
    return tuple(torch.full((), x, dtype=FLOAT64, device=place) if type(x) in WEAK else x for x in found)


def are_of_one_dtype(arrays: Arrays) -> bool:
    """True for tensors of one dtype."""
    first = arrays[0]
    if type(first) is not Tensor:
        return False
    dtype = first.dtype
    for other in arrays[1:]:  # noqa: SIM110  a generator costs as much as the guard
        if type(other) is not Tensor or other.dtype is not dtype:
            return False
    return True


def are_beside_numbers(arrays: Arrays, numbers: Numbers) -> bool:
    """True for tensors of one dtype, one at least, and Python numbers that stay what they are."""
    dtype = None
    for at, x in enumerate(arrays):
        if type(x) is Tensor:
            if dtype is not None and x.dtype is not dtype:
                return False
            dtype = x.dtype
        elif type(x) not in WEAK or of_argument(numbers, at) is not True:
            return False
    return dtype is not None


def have_axes(arrays: Arrays, ndim: Any) -> bool:
    """True for tensors of as many axes as the function is converted for; False sends the question the long way."""
    wanted = ndim if isinstance(ndim, tuple) else (ndim,) * len(arrays)
    return len(wanted) == len(arrays) and all(
        axes is None or isinstance(x, Tensor) and (x.ndim == axes or type(axes) is set and x.ndim in axes)
        for x, axes in zip(arrays, wanted, strict=True)
    )


def of_argument(option: Any, at: int) -> Any:
    """The value of an option for one argument: tuples have an item for each."""
    return option[at] if type(option) is tuple else option


def is_left(x: Any, numbers: Numbers, at: int) -> bool:
    """Tell whether it is a Python number that the guard leaves as it is."""
    return of_argument(numbers, at) is True and is_number(x)


def is_number(x: Any) -> bool:
    """Tell whether it is a Python number, of a derived class too; a NumPy scalar is none."""
    return isinstance(x, (int, float, complex)) and not hasattr(x, "dtype")


ANSWERING = ("__array__", "__array_interface__", "__array_ufunc__", "__array_function__", "__dlpack__", "__len__")
"""What objects have that are arrays, answer NumPy's functions or hold items."""


def is_object(x: Any) -> bool:
    """Tell an object with arithmetic of its own, such as a `Fraction`: no Python number, array or container."""
    if isinstance(x, (Tensor, int, float, complex)) or not hasattr(type(x), "__radd__"):
        return False
    return not any(hasattr(x, name) for name in ANSWERING)


def left_out(arrays: Arrays, none: bool, numbers: Numbers) -> list[bool]:
    """Tell which arguments a guard does not look at: objects with arithmetic, text beside operators, and None."""
    return [none and x is None or is_object(x) or is_left_text(x, numbers, at) for at, x in enumerate(arrays)]


def is_left_text(x: Any, numbers: Numbers, at: int) -> bool:
    """Tell text where Python numbers stay: operators of Python refuse it, or take it, as they do in NumPy."""
    return isinstance(x, (str, bytes)) and of_argument(numbers, at) is True


def is_among(x: Any, several: Arrays) -> bool:
    return any(x is one for one in several)


def is_among_kinds(dtype: torch.dtype, kinds: str) -> bool:
    """True for a dtype of one of these kinds; for narrow integers only beside unsigned ones."""
    return KINDS.get(dtype, "other") in kinds and (dtype not in NARROW or "u" in kinds)


def python_number(x: Any) -> Number:
    """The number itself, of a class derived from one."""
    if isinstance(x, int):
        return x if isinstance(x, bool) else int(x)
    return float(x) if isinstance(x, float) else complex(x)
