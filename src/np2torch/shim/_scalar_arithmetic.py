"""Operators of scalars of two dtypes, or of one and a Python number, computed by Python, which takes torch longer.

A 0-D tensor on the CPU that needs no gradient is read as the number that it is. What Python computes otherwise than
NumPy, or not at all, is left to the kernels: what wraps around, division by zero, powers of floats.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim._promotion import FLOAT64, Tensor, promote2
from np2torch.shim._transforms import in_transform

NAMES = {
    torch.int8: "i1", torch.int16: "i2", torch.int32: "i4", torch.int64: "i8", torch.uint8: "u1", torch.uint16: "u2",
    torch.uint32: "u4",
}  # fmt: skip
"""NumPy's names for the dtypes of integers that Python's have room for."""
LIMITS = {dtype: (torch.iinfo(dtype).min, torch.iinfo(dtype).max) for dtype in NAMES}
READ = frozenset({FLOAT64, *NAMES})
"""The dtypes whose elements are Python's numbers."""
WEAK = (int, float)
COMPUTED = frozenset({"add", "sub", "mul", "truediv", "floordiv", "mod", "pow"})
COMPARING = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
number_of_functions = torch._C._len_torch_function_stack
modules = sys.modules
MOST = 64
"""The largest power that is tried: larger ones of integers do not fit."""
Computed = Callable[[Any, Any], Tensor | None]


def _square(x: float, y: float) -> float | None:
    return x * x if y == 2 else None


def _whole_power(x: int, y: int) -> int | None:
    return x**y if 0 <= y <= MOST else None


def _undecided(x: float, y: float) -> None:
    """No result: the two algorithms differ."""


OF_FLOATS: dict[str, Callable[[Any, Any], Any]] = {"pow": _square, "floordiv": _undecided, "mod": _undecided}
OF_INTEGERS: dict[str, Callable[[Any, Any], Any]] = {"pow": _whole_power}


def _number(x: Tensor) -> Any:
    """The number that a scalar is; None where it is to stay a tensor."""
    return None if x.dtype not in READ or x.requires_grad or not x.is_cpu else x.item()


def _weak(x: Any) -> Any:
    """A Python number itself; None for anything else."""
    return x if type(x) in WEAK else None


def _loop(a: Any, b: Any) -> torch.dtype:
    """The dtype that integers are computed in; one of the two is a tensor."""
    if type(a) is not Tensor:
        found: torch.dtype = b.dtype
        return found
    return promote2(a.dtype, b.dtype) if type(b) is Tensor else a.dtype


def _nothing(a: Any, b: Any) -> None:
    """Leave all to torch."""


def _of_integers(python: Callable[[Any, Any], Any], compares: bool) -> Callable[..., Tensor | None]:
    """An operator of integers: it gives None where these, or the result, do not fit the dtype they are computed in."""

    def compute(x: int, y: int, loop: torch.dtype, numpy: Any) -> Tensor | None:
        low, high = LIMITS[loop]
        if not low <= x <= high or not low <= y <= high:  # a Python integer, of which NumPy has something to say
            return None
        found = python(x, y)
        if compares:
            return torch.from_numpy(numpy.array(found))
        if found is None or not low <= found <= high:
            return None
        return torch.from_numpy(numpy.array(found, NAMES[loop]))

    return compute


def by_numbers(name: str) -> Computed:
    """An operator that computes with numbers: it gives None where torch is to compute, or where an operand has axes.

    One operand at least is to be a tensor.
    """
    if name not in COMPUTED and name not in COMPARING:
        return _nothing
    python, compares, divides = getattr(operator, name), name in COMPARING, name == "truediv"
    of_floats, of_integers = OF_FLOATS.get(name, python), _of_integers(OF_INTEGERS.get(name, python), compares)

    def compute(a: Any, b: Any) -> Tensor | None:
        first, second = type(a) is Tensor, type(b) is Tensor
        if first and a.ndim or second and b.ndim or not (first or second):  # an array, or no tensor at all
            return None
        if in_transform() or number_of_functions():
            return None
        numpy = modules.get("numpy")
        x = _number(a) if first else _weak(a)
        if x is None or numpy is None:
            return None
        y = _number(b) if second else _weak(b)
        if y is None:
            return None
        try:
            if divides or type(x) is float or type(y) is float:
                found = of_floats(float(x), float(y))
                return None if found is None else torch.from_numpy(numpy.array(found))
            return of_integers(x, y, _loop(a, b), numpy)
        except (ZeroDivisionError, OverflowError):
            return None

    return compute
