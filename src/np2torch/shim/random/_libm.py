"""The C library's functions on Python floats: IEEE results where `math` raises, and never torch's vectorised ones.

Streams are compared bit for bit, and torch's log and exp differ from the C library's in the last place.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor
CPU = torch.device("cpu")
FLOAT32 = torch.float32


def log(x: float) -> float:
    """Natural logarithm; -inf at zero, NaN below."""
    if x > 0.0:
        return math.log(x)
    return -math.inf if x == 0.0 else math.nan


def exp(x: float) -> float:
    """Exponential; inf on overflow."""
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def expm1(x: float) -> float:
    """exp(x) - 1; inf on overflow."""
    try:
        return math.expm1(x)
    except OverflowError:
        return math.inf


def power(x: float, y: float) -> float:
    """x**y for non-negative x; inf on overflow and for zero to a negative power."""
    try:
        return math.pow(x, y)
    except (OverflowError, ValueError):
        return math.inf


def divide(x: float, y: float) -> float:
    """x / y as IEEE 754 has it."""
    if y != 0.0:
        return x / y
    return math.nan if x == 0.0 or x != x else math.copysign(math.inf, x) * math.copysign(1.0, y)


_FLOAT = struct.Struct("f")


def single(x: float) -> float:
    """The float32 nearest to x."""
    return float(_FLOAT.unpack(_FLOAT.pack(x))[0])


def each(function: Callable[[float], float], x: Tensor) -> Tensor:
    """`function` of every element, one call of the C library each."""
    return floats(map(function, x.tolist()))


def floats(values: Any, dtype: torch.dtype = torch.float64) -> Tensor:
    """A CPU tensor of Python numbers."""
    return torch.tensor(list(values), dtype=dtype, device=CPU)
