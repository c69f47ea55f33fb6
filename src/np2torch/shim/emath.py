"""`numpy.emath`: functions whose real arguments may give complex results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim import ufuncs as u
from np2torch.shim._core import asarray
from np2torch.shim._promotion import Tensor, kind

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]

NARROW = (torch.float32, torch.int8, torch.uint8, torch.int16, torch.uint16, torch.complex64)
"""dtypes whose complex counterpart is complex64."""


def _complex_where(x: Any, outside: Callable[[Tensor], Tensor]) -> Tensor:
    """The array, complex where a real element lies outside of the real domain."""
    found: Tensor = asarray(x)
    if kind(found.dtype) < 3 and bool(outside(found).any()):
        return found.to(torch.complex64 if found.dtype in NARROW else torch.complex128)
    return found


def _negative(x: Tensor) -> Tensor:
    return x < 0


def _beyond_one(x: Tensor) -> Tensor:
    return x.abs() > 1 if x.dtype != torch.bool else torch.zeros_like(x)


def sqrt(x: Any) -> Any:
    """The square root; complex as soon as an element is negative."""
    return u.sqrt(_complex_where(x, _negative))


def log(x: Any) -> Any:
    """The natural logarithm; complex as soon as an element is negative."""
    return u.log(_complex_where(x, _negative))


def log10(x: Any) -> Any:
    """The logarithm to base 10; complex as soon as an element is negative."""
    return u.log10(_complex_where(x, _negative))


def log2(x: Any) -> Any:
    """The logarithm to base 2; complex as soon as an element is negative."""
    return u.log2(_complex_where(x, _negative))


def logn(n: Any, x: Any) -> Any:
    """The logarithm to base n; complex as soon as an element of either is negative."""
    return u.true_divide(log(x), log(n))


def power(x: Any, p: Any) -> Any:
    """The power; complex as soon as a base is negative, floating as soon as an exponent is a negative integer."""
    exponent = asarray(p)
    if kind(exponent.dtype) < 2 and bool((exponent < 0).any()):
        exponent = exponent * torch.ones((), dtype=torch.float64)
    return u.power(_complex_where(x, _negative), exponent)


def arccos(x: Any) -> Any:
    """The inverse cosine; complex as soon as an element lies outside of [-1, 1]."""
    return u.arccos(_complex_where(x, _beyond_one))


def arcsin(x: Any) -> Any:
    """The inverse sine; complex as soon as an element lies outside of [-1, 1]."""
    return u.arcsin(_complex_where(x, _beyond_one))


def arctanh(x: Any) -> Any:
    """The inverse hyperbolic tangent; complex as soon as an element lies outside of [-1, 1]."""
    return u.arctanh(_complex_where(x, _beyond_one))
