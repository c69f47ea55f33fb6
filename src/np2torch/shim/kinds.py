"""Tests for the class of a value: tell apart NumPy scalars and arrays without axes, which are both 0-D tensors here."""

from __future__ import annotations

import builtins
from typing import Any

from np2torch.shim._marks import is_scalar, mark
from np2torch.shim._numpy_fallback import is_ndarray
from np2torch.shim._promotion import Tensor
from np2torch.shim._read_only import ReadOnly
from np2torch.shim._subclass_propagation import Derived
from np2torch.shim.dtypes import scalar_type

__all__ = ["array_0d", "type", "type_name"]


def array_0d(x: Any) -> Any:
    """Mark a 0-D tensor as an ndarray without axes, which `isinstance` tells from a NumPy scalar."""
    return mark(x)


def type(x: Any) -> Any:
    """`type(x)`: of a 0-D tensor the class of the NumPy scalar it stands for, which equals its dtype.

    Of an array that has stayed on NumPy it is the class that stands for `numpy.ndarray`.
    """
    if is_scalar(x):
        return scalar_type(x.dtype)
    cls = builtins.type(x)
    return Tensor if cls is ReadOnly or is_ndarray(cls) else cls


def type_name(x: Any) -> str:
    """`type(x).__name__`, as NumPy's classes are called."""
    if type(x) is Tensor or isinstance(x, Tensor) and not isinstance(x, Derived) and not is_scalar(x):
        return "ndarray"
    name: str = type(x).__name__
    return name
