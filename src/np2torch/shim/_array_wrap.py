"""Results of classes that derive from `shim.ndarray` and have an `__array_wrap__` of their own.

NumPy gives what its ufuncs and some other functions computed to `__array_wrap__` of the first such argument, and the
result is what comes back. Which functions do so is recorded (`wraps.txt`, written by `tools/record_classes.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim._location import read_data
from np2torch.shim._promotion import Tensor, as_dtype
from np2torch.shim._subclass_propagation import ARRAYS, KEPT, PLAIN, Derived, bare, of_class, overridden, refusal

NAME = "__array_wrap__"
ASKED, NEVER = "w", "-"
"""Of a function: it gives its results to `__array_wrap__`, or never calls it."""

ALIKE = frozenset("dot ndarray.dot inner round around ndarray.round".split())
"""The functions that do the same whenever it is known which class their result has."""


@functools.cache
def wraps() -> dict[str, tuple[str, ...]]:
    """For each function that calls `__array_wrap__` a letter by argument."""
    rows = (line.split() for line in read_data("wraps.txt").splitlines() if line and not line.startswith("#"))
    return {name: tuple(letters.split(",")) for name, letters in rows}


def has_own(x: Any) -> bool:
    """Tell whether an object's class says itself what becomes of results."""
    return isinstance(x, Derived) and overridden(x, NAME)


def of_ufunc_result(result: Any, like: Derived) -> Any:
    """The result of a ufunc in the class of the object, or what the class makes of it."""
    if isinstance(result, tuple):
        return tuple(of_ufunc_result(part, like) for part in result)
    if type(result) is not Tensor:
        return result
    return wrap_result(result, like) if has_own(like) else of_class(result, like)


def wrap_result(result: Tensor, like: Any) -> Any:
    """Let the class make something of a result."""
    return like.__array_wrap__(result, None, not result.ndim)


def give_out(name: str, out: Any) -> Any:
    """Give `out` back; refuse objects whose class NumPy asks once more."""
    if has_own(out):
        raise TypeError(refusal(name, out, f"NumPy gives `out` to `{NAME}` of the class"))
    return out


def by_wrap(name: str, at: int, result: Any, code: str, args: tuple[Any, ...], kwargs: dict[str, Any], x: Any) -> Any:
    """The result of a function with such an object at a place among its arguments; `code` says what has the class.

    Raises
    ------
    TypeError
        Where NumPy gives values in between to the class.
    """
    letters = wraps().get(name)
    if letters is None or name.startswith("testing."):
        return _parts(result, code, x, of_class)
    letter = letters[at] if at < len(letters) else ""
    if code == PLAIN and name in (*ALIKE, "unique"):
        letter = NEVER
    elif name in ALIKE:
        letter = NEVER if name in ("dot", "ndarray.dot", "inner") or not x.is_floating_point() else ASKED
    elif name == "diff" and len(args) == 1 and not kwargs:
        letter = ASKED
    if letter in (ASKED, NEVER) and kwargs.get("out") is None:
        return _parts(result, code, x, wrap_result if letter == ASKED else of_class)
    if name in ("mean", "ndarray.mean") and args and args[0] is x:
        return _mean(*args, **kwargs)
    raise TypeError(refusal(name, x, f"NumPy gives values in between to `{NAME}` of the class"))


def _parts(result: Any, code: str, like: Derived, make: Callable[[Tensor, Derived], Any]) -> Any:
    """A result, or the parts of one that have the class, made by such a function."""
    if isinstance(result, (tuple, list)):
        one, _, several = code.partition("(")
        codes = several[:-1] or one * len(result)
        parts = [_parts(x, one, like, make) for x, one in zip(result, codes, strict=True)]
        return type(result)._make(parts) if hasattr(result, "_make") else type(result)(parts)
    is_kept = code[0] == KEPT or code[0] == ARRAYS and getattr(result, "ndim", 0) > 0
    return make(result, like) if is_kept and type(result) is Tensor else result


def _mean(x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **others: Any) -> Any:
    """NumPy's way: the class makes something of the sum, which is divided in place, and then of that."""
    numbers = bare(x)
    if out is not None or others or numbers.dtype is torch.float16:
        raise TypeError(refusal("mean", x, f"NumPy gives values in between to `{NAME}` of the class"))
    kind = torch.float64 if dtype is None and not (numbers.is_floating_point() or numbers.is_complex()) else None
    total = torch.sum(numbers, dim=axis, keepdim=keepdims, dtype=kind or as_dtype(dtype))
    count = numbers.numel() / max(total.numel(), 1)
    found = wrap_result(total, x)
    if not isinstance(found, Derived):
        return found / count
    bare(found).div_(count)
    divided: Any = found
    return divided.__array_wrap__(divided, None, False)
