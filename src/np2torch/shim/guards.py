"""Guards: one line at the entry of a function, after which its body is plain torch.

A guard normalises parameters once, or raises a TypeError that says which argument is in the way and what to write.

====================== ======================================================================================
guard                  what it gives
====================== ======================================================================================
`tensor`, `tensors`    `numpy.asarray`: a tensor of each argument, with NumPy's dtype
`floating`             real floating tensors of one precision: integers and bools become float64
`inexact`              the same, complex tensors too
`promote`              tensors of NumPy's common dtype
====================== ======================================================================================

A tensor that needs no change comes back as the same object, so gradients, devices and sharing stay. One argument gives
one tensor, several give a tuple. `floating` and `inexact` are NumPy's abstract scalar classes as well
(`shim.issubdtype(x.dtype, shim.floating)`), which is why they are classes here; calling them makes no instances.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import torch

from np2torch.shim._core import asarray, device_of, left_to_us
from np2torch.shim._errors import HERE, NoCounterpart
from np2torch.shim._kinds import number
from np2torch.shim._promotion import COMPLEX64, COMPLEX128, FLOAT16, FLOAT32, FLOAT64, Number, Tensor, result_dtype

__all__ = ["floating", "inexact", "promote", "tensor", "tensors"]

REAL: dict[torch.dtype, torch.dtype] = {d: d for d in (FLOAT64, FLOAT32, FLOAT16, torch.bfloat16)}
"""The precision of each floating dtype, named by the real dtype that has it."""
REAL_OR_COMPLEX: dict[torch.dtype, torch.dtype] = {**REAL, COMPLEX64: FLOAT32, COMPLEX128: FLOAT64}
COMPLEX = {FLOAT64: COMPLEX128, FLOAT32: COMPLEX64}
"""The dtype of a Python complex number beside tensors of a precision; beside float16 torch's is not NumPy's."""
_OF_KIND: dict[str, tuple[torch.dtype, ...]] = {
    "b": (torch.bool,),
    "i": (torch.int8, torch.int16, torch.int32, torch.int64),
    "u": (torch.uint8, torch.uint16, torch.uint32, torch.uint64),
    "f": (FLOAT16, FLOAT32, FLOAT64, torch.bfloat16),
    "c": (COMPLEX64, COMPLEX128),
}
KINDS = {dtype: kind for kind, dtypes in _OF_KIND.items() for dtype in dtypes}
"""NumPy's letter for the kind of each dtype."""
WORDS = {"b": "bools", "i": "integers", "u": "unsigned integers", "f": "floating dtypes", "c": "complex dtypes"}
ALL = "biufc"
WEAK = frozenset({int, float})
OWN_ARITHMETIC = frozenset({
    torch.bool, torch.int8, torch.int16, torch.int32, torch.uint8, torch.uint16, torch.uint32, torch.uint64,
})  # fmt: skip
"""dtypes in which NumPy computes otherwise than in float64: they wrap around, and `+` of bools is a logical or."""


def tensor(
    x: Any, *, kinds: str = ALL, numbers: bool | None = None, lists: bool = True, copy: bool = True
) -> Any:  # fmt: skip
    """`numpy.asarray(x)`: a tensor stays as it is, anything else becomes one of NumPy's dtype.

    Parameters
    ----------
    kinds
        The kinds of dtypes that are taken, by NumPy's letters: b, i, u, f, c.
    numbers, lists, copy
        As in `inexact`.

    Raises
    ------
    TypeError
        For what no tensor holds: None, text, objects; for what the parameters refuse.
    """
    if type(x) is not Tensor:
        _refuse((x,), "tensor", numbers, lists, copy)
        if numbers and _is_number(x):
            return x
        x = _array(x, (x,), 0, "tensor", None)
    if kinds is not ALL:
        _check_kinds((x,), "tensor", kinds)
    return x


def tensors(*arrays: Any) -> tuple[Tensor, ...]:
    """`tensor` of each argument; numbers and lists go to the device of the tensors beside them."""
    for x in arrays:
        if type(x) is not Tensor:
            device = device_of(*arrays)
            return tuple(_array(x, arrays, at, "tensors", device) for at, x in enumerate(arrays))
    return arrays


def promote(
    x: Any, /, *others: Any, kinds: str = ALL, numbers: bool | None = None, lists: bool = True, copy: bool = True
) -> Any:
    """Tensors of the one dtype that NumPy computes in for all of them; Python numbers are weak (NEP 50).

    Parameters
    ----------
    kinds
        The kinds of dtypes that are taken, by NumPy's letters: b, i, u, f, c.
    numbers, lists, copy
        As in `inexact`.

    Raises
    ------
    OverflowError
        For a Python integer that does not fit the integer dtype it would have to take.
    TypeError
        For what no tensor holds: None, text, objects.
    """
    if type(x) is Tensor and kinds is ALL:
        dtype = x.dtype
        for other in others:
            if type(other) is not Tensor or other.dtype is not dtype:
                break
        else:
            return (x, *others) if others else x
    _refuse((x, *others), "promote", numbers, lists, copy)
    found = _strong((x, *others), "promote")
    if kinds is not ALL:
        _check_kinds([one for one in found if isinstance(one, Tensor)], "promote", kinds)
    if all(_is_number(one) for one in found):
        if numbers:
            return tuple(found) if others else found[0]
        found = [asarray(one) for one in found]
    target = result_dtype(*(one if isinstance(one, Tensor) else _python_number(one) for one in found))
    device = device_of(*found)
    for at, one in enumerate(found):
        if isinstance(one, Tensor):
            if not copy and one.dtype != target:
                raise TypeError(_not_copied((x, *others), at, "promote"))
            found[at] = one.to(target)
        elif not numbers:
            found[at] = torch.tensor(one, dtype=target, device=device)
    return tuple(found) if others else found[0]


class inexact(number):
    """Real or complex tensors of one precision; integers and bools become float64.

    Parameters
    ----------
    *arrays
        Tensors, numbers, lists, nested lists with tensors in them, ndarrays. Beside others a Python number takes their
        precision. Real and complex arguments are not cast to each other.
    exact
        Refuse bools and all integers but int64: NumPy computes with them in their own dtype, where they wrap around.
    numbers
        True leaves Python numbers as they are: for bodies of operators alone, which make numbers of numbers. False
        refuses them; by default they become tensors of no axes.
    lists
        False refuses lists and tuples: the body does with them what Python does with lists.
    copy
        False refuses what would need another array, integers and lists: the body writes into what it is given.
    mixed
        Make several precisions the widest of them, where the body does nothing with them before they meet.

    Raises
    ------
    TypeError
        For arguments of several precisions (float32 beside float64, or beside integers, which NumPy takes for float64):
        computing early in the wider one gives other last digits, and torch goes by the number of axes too. For None,
        text and objects. It names the argument and what to write.
    """

    default = FLOAT64
    """What integers become."""

    def __new__(
        cls, x: Any, /, *others: Any, exact: bool = False, numbers: bool | None = None, lists: bool = True,
        copy: bool = True, mixed: bool = False,
    ) -> Any:  # fmt: skip
        """The tensor of one argument, the tuple of several."""
        if type(x) is Tensor and (precision := REAL_OR_COMPLEX.get(x.dtype)) is not None:
            for other in others:
                if type(other) is Tensor:
                    if REAL_OR_COMPLEX.get(other.dtype) is not precision:
                        break
                elif not numbers or type(other) not in WEAK:
                    break
            else:
                return (x, *others) if others else x
        _refuse((x, *others), cls.__name__, numbers, lists, copy)
        return _of_one_precision((x, *others), cls, REAL_OR_COMPLEX, exact, bool(numbers), copy, mixed)


class floating(inexact):
    """Real floating tensors of one precision; integers and bools become float64. A complex one is a TypeError.

    All else is as `inexact` has it.
    """

    def __new__(
        cls, x: Any, /, *others: Any, exact: bool = False, numbers: bool | None = None, lists: bool = True,
        copy: bool = True, mixed: bool = False,
    ) -> Any:  # fmt: skip
        """The tensor of one argument, the tuple of several."""
        if type(x) is Tensor and (precision := REAL.get(x.dtype)) is not None:
            for other in others:
                if type(other) is Tensor:
                    if REAL.get(other.dtype) is not precision:
                        break
                elif not numbers or type(other) not in WEAK:
                    break
            else:
                return (x, *others) if others else x
        _refuse((x, *others), cls.__name__, numbers, lists, copy)
        return _of_one_precision((x, *others), cls, REAL, exact, bool(numbers), copy, mixed)


def _of_one_precision(
    arrays: tuple[Any, ...],
    cls: type[inexact],
    precisions: dict[torch.dtype, torch.dtype],
    exact: bool,
    numbers: bool,
    copy: bool,
    mixed: bool,
) -> Any:
    guard, default = cls.__name__, cls.default
    found = _strong(arrays, guard)
    for at, x in enumerate(found):
        _check_kind(x, arrays, at, guard, precisions, exact)
        if isinstance(x, Tensor) and x.dtype not in precisions:
            if not copy:
                raise TypeError(_not_copied(arrays, at, guard))
            found[at] = x.to(default)
    precision = default
    others = [at for at, x in enumerate(found) if isinstance(x, Tensor)]
    if others:
        precision = precisions[found[others[0]].dtype]
        if mixed:
            precision = max((precisions[found[at].dtype] for at in others), key=lambda dtype: dtype.itemsize)
        for at in others:
            x = found[at]
            if precisions[x.dtype] is not precision:
                if not mixed:
                    raise TypeError(_of_two_precisions(arrays, found, others[0], at, guard))
                found[at] = x.to(COMPLEX[precision] if x.is_complex() else precision)
    device = device_of(*found)
    for at, x in enumerate(found):
        if isinstance(x, complex) and precision not in COMPLEX:
            raise TypeError(f"shim.{guard}: {_shown(arrays, at)} beside {precision}; pass torch.float32 tensors")
        if not isinstance(x, Tensor) and not numbers:
            found[at] = _weak(x, precision, device)
    return tuple(found) if len(found) > 1 else found[0]


def _weak(x: Number, precision: torch.dtype, device: torch.device | None) -> Tensor:
    """A Python number in the precision of the tensors beside it."""
    if isinstance(x, complex):
        return torch.tensor(x, dtype=COMPLEX[precision], device=device)
    return torch.tensor(float(x), dtype=precision, device=device)


def _strong(arrays: tuple[Any, ...], guard: str) -> list[Any]:
    """The arguments as tensors, all but the Python numbers among them."""
    device = device_of(*arrays)
    return [x if _is_number(x) else _array(x, arrays, at, guard, device) for at, x in enumerate(arrays)]


def _is_number(x: Any) -> bool:
    """Is it a Python number, of a class derived from one too? A NumPy scalar is none."""
    return isinstance(x, (int, float, complex)) and not hasattr(x, "dtype")


def _python_number(x: Any) -> Number:
    if isinstance(x, int):
        return x if isinstance(x, bool) else int(x)
    return float(x) if isinstance(x, float) else complex(x)


def _array(x: Any, arrays: tuple[Any, ...], at: int, guard: str, device: torch.device | None) -> Tensor:
    """A tensor of one of the arguments; what holds several tensors of its own beside them keeps their device."""
    coerces = guard in ("tensor", "tensors")
    if isinstance(x, Tensor) and not coerces:
        return x
    try:
        return asarray(x if coerces else left_to_us(x), None, device)
    except NoCounterpart as error:
        hint = "" if coerces or "answers" not in str(error) else "; pass shim.tensor(...) of it to take its values"
        why = str(error).partition(";")[0]
        raise TypeError(f"shim.{guard}: {_shown(arrays, at)}, no array of numbers ({why}){hint}") from None


def _refuse(arrays: tuple[Any, ...], guard: str, numbers: bool | None, lists: bool, copy: bool) -> None:
    """Raise for what the options of a guard refuse of numbers and lists."""
    for at, x in enumerate(arrays):
        if numbers is False and _is_number(x):
            raise TypeError(f"shim.{guard}: {_shown(arrays, at)}, and an array is expected; pass a tensor")
        if not (lists and copy) and isinstance(x, (list, tuple, range)):
            why = "writes into" if lists else "handles as a list"
            raise TypeError(f"shim.{guard}: {_shown(arrays, at)}, which the function {why}; pass a tensor")


def _check_kinds(arrays: Sequence[Any], guard: str, kinds: str) -> None:
    """Raise for a dtype of another kind."""
    for x in arrays:
        if KINDS.get(x.dtype, "other") not in kinds:
            known = ", ".join(WORDS[kind] for kind in kinds)
            raise TypeError(f"shim.{guard}: {_shown((x,), 0)}; the function is converted for {known}")


def _not_copied(arrays: tuple[Any, ...], at: int, guard: str) -> str:
    return (
        f"shim.{guard}: {_shown(arrays, at)}, and the function writes into it, or what it gives depends on that "
        f"dtype; pass {_cast(arrays, at, FLOAT64)}"
    )


# ------------------------------------------------------------------------------------------------ messages
def _check_kind(
    x: Any, arrays: tuple[Any, ...], at: int, guard: str, precisions: dict[torch.dtype, torch.dtype], exact: bool
) -> None:
    """Raise for a kind of number that a guard does not take."""
    dtype = x.dtype if isinstance(x, Tensor) else None
    if guard == "floating" and (isinstance(x, complex) if dtype is None else dtype.is_complex):
        raise TypeError(f"shim.floating: {_shown(arrays, at)}, and real numbers are expected; pass its real part")
    if exact and (isinstance(x, bool) if dtype is None else dtype in OWN_ARITHMETIC):
        own = "bool" if dtype is None else str(dtype)[6:]
        raise TypeError(
            f"shim.{guard}: {_shown(arrays, at)}, and NumPy would compute in {own}; "
            f"pass {_cast(arrays, at, FLOAT64)} to compute in float64"
        )
    if dtype is not None and dtype.is_floating_point and dtype not in precisions:
        raise TypeError(f"shim.{guard}: {_shown(arrays, at)}, a dtype that NumPy has not")


def _of_two_precisions(arrays: tuple[Any, ...], found: list[Any], one: int, other: int, guard: str) -> str:
    narrow, wide = sorted((one, other), key=lambda at: REAL_OR_COMPLEX[found[at].dtype].itemsize)
    precision = REAL_OR_COMPLEX[found[wide].dtype]
    target = COMPLEX.get(precision, precision) if found[narrow].is_complex() else precision
    return (
        f"shim.{guard}: one precision is expected, but {_shown(arrays, one)} and {_shown(arrays, other)}; "
        f"pass {_cast(arrays, narrow, target)}, as NumPy computes in the wider one"
    )


def _cast(arrays: tuple[Any, ...], at: int, dtype: torch.dtype) -> str:
    """How an argument is written in another dtype."""
    name = _name(arrays, at)
    if name and isinstance(arrays[at], Tensor):
        return f"{name}.to({dtype})"
    return f"{name or f'argument {at + 1}'} as {dtype}"


def _shown(arrays: tuple[Any, ...], at: int) -> str:
    """An argument in words: its place, its name in the caller, what it is."""
    name, x = _name(arrays, at), arrays[at]
    place = f"argument {at + 1}" if len(arrays) > 1 else "the argument"
    return f"{place}{f' ({name})' if name else ''} is {described(x)}"


def described(x: Any) -> str:
    """What a value is, in words: a float32 tensor of shape (3,), a list, int64 in NumPy."""
    if isinstance(x, Tensor):
        dtype = str(x.dtype)[6:]
        return f"{_article(dtype)} {dtype} tensor of shape {tuple(x.shape)}"
    if x is None:
        return "None"
    made = "" if not isinstance(x, (list, tuple, range)) else _dtype_of(x)
    kind = type(x).__name__
    dtype = f" of dtype {x.dtype}" if hasattr(x, "dtype") else f", {made} in NumPy" if made else ""
    return f"{_article(kind)} {kind}{dtype}"


def _article(word: str) -> str:
    return "an" if word[0] in "aeio" else "a"


def _dtype_of(x: Any) -> str:
    try:
        return str(asarray(x).dtype)[6:]
    except (TypeError, ValueError):
        return ""


def _name(arrays: tuple[Any, ...], at: int) -> str:
    """The name of an argument in the function that called the guard; nothing where it has none, or nobody can look."""
    if torch.compiler.is_compiling():
        return ""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(HERE + os.sep):
        frame = frame.f_back
    names = [name for name, value in frame.f_locals.items() if value is arrays[at]]
    return names[0] if len(names) == 1 else ""
