"""The same inputs for both sides: NumPy's values, and tensors that hold the same."""

from __future__ import annotations

import copy
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
import torch

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...), range, slice)


class NotCarriedError(TypeError):
    """A value that has no known counterpart on the other side."""


def carry_over(value: Any, new: ModuleType, device: str = "cpu") -> Any:
    """A value of the NumPy side as the torch side should receive it; arrays that appear twice stay one tensor.

    Numeric arrays and NumPy scalars become tensors, dtypes torch's; arrays of strings, objects and dates stay what
    they are. Functions and classes of the old module become those of the new one.
    """
    return _Carrier(new, device)(value)


class _Carrier:
    def __init__(self, new: ModuleType, device: str) -> None:
        self._new = new
        self._device = device
        self._done: dict[int, Any] = {}

    def __call__(self, value: Any) -> Any:
        if id(value) not in self._done:
            self._done[id(value)] = self._carry(value)
        return self._done[id(value)]

    def _carry(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) or (isinstance(value, np.generic) and value.dtype.kind in "biufc"):
            return _tensor(value, self._device)
        if isinstance(value, (*PLAIN, np.generic)):
            return copy.copy(value)
        if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
            return _dtype(value)
        if isinstance(value, dict):
            return {self(key): self(item) for key, item in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self._counterpart(type(value))(*map(self, value))
        if isinstance(value, (tuple, list, set, frozenset)):
            return type(value)(map(self, value))
        if isinstance(value, (type, FunctionType, BuiltinFunctionType)):
            return self._counterpart(value)
        if isinstance(value, np.ufunc):
            raise NotCarriedError(f"numpy's {value.__name__} has no known counterpart")
        raise NotCarriedError(f"{type(value).__name__} has no known counterpart")

    def _counterpart(self, value: Any) -> Any:
        found = getattr(self._new, value.__qualname__, None)
        if found is not None:
            return found
        if (value.__module__ or "").partition(".")[0] == "numpy":
            raise NotCarriedError(f"numpy's {value.__qualname__} has no known counterpart")
        return value


def _tensor(value: Any, device: str) -> Any:
    array = np.array(value, order="K")  # a copy: the two sides must not see each other's writes
    if array.dtype.kind not in "biufc" or array.dtype.name in ("longdouble", "clongdouble", "float128", "complex256"):
        return array
    return torch.from_numpy(array.astype(array.dtype.newbyteorder("="), copy=False)).to(device)


ABSTRACT = (np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact, np.floating,
            np.complexfloating)  # fmt: skip


def _dtype(value: Any) -> Any:
    """torch's dtype; of the abstract classes, which are none, the shim's of that name where the new side uses it."""
    if value in ABSTRACT:
        shim = sys.modules.get("np2torch.shim")
        if shim is None:
            raise NotCarriedError(f"numpy's {value.__name__} has no known counterpart")
        return getattr(shim, value.__name__)
    name = np.dtype(value).name
    found = getattr(torch, name, None)
    if not isinstance(found, torch.dtype):
        raise NotCarriedError(f"torch has no dtype {name}")
    return found


def case_list(cases: Any) -> list[tuple[Any, ...]]:
    """The argument tuples of one entry of CASES, which may be a function that makes them."""
    listed = list(cases() if callable(cases) else cases)
    for case in listed:
        if not isinstance(case, tuple):
            raise TypeError(f"CASES must list tuples of arguments, not {type(case).__name__}")
    return listed
