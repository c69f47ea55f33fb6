"""Python's `hasattr` and `getattr`: a tensor answers as the ndarray it stands for."""

from __future__ import annotations

import builtins
from typing import Any

import torch

from np2torch.shim._marks import is_scalar
from np2torch.shim._promotion import Tensor
from np2torch.shim._subclass_propagation import Derived
from np2torch.shim.methods import (
    ATTRIBUTES,
    DTYPE_ATTRIBUTES,
    METHODS,
    OF_NUMBERS,
    SAME_ATTRIBUTES,
    attribute,
    set_attribute,
)

__all__ = ["getattr", "hasattr", "settable"]

OF_CONTAINERS = frozenset(
    "__len__ __iter__ __contains__ __setitem__ __delitem__ __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__ "
    "__imod__ __ipow__ __imatmul__ __iand__ __ior__ __ixor__ __ilshift__ __irshift__ __matmul__ __rmatmul__".split()
)
"""Methods of arrays that NumPy scalars, for which 0-D tensors stand, have not."""
OF_BOTH = frozenset({"__complex__", "__copy__", "__divmod__", "__rdivmod__", "__array_interface__"})
"""Methods of arrays and scalars that tensors have not."""
REMOVED = frozenset({"itemset", "newbyteorder", "ptp"})
"""Methods that arrays had before NumPy 2: they can be called, but nothing has them."""


def hasattr(x: Any, name: str, /) -> bool:
    """`hasattr(x, name)`: arrays have `astype` and no `values`, scalars no `__len__`; others are asked themselves."""
    if isinstance(x, Derived):
        return getattr(x, name, x) is not x
    if (isinstance(x, Tensor) or x is Tensor) and not name.startswith("__"):
        own = name in METHODS and name not in REMOVED or name in ATTRIBUTES or name in SAME_ATTRIBUTES
        return own or is_scalar(x) and x.dtype in OF_NUMBERS.get(name, ())
    if isinstance(x, Tensor) and (found := _has_special(x, name)) is not None:
        return found
    if isinstance(x, torch.dtype) and name in DTYPE_ATTRIBUTES:
        return True
    return builtins.hasattr(x, name)


def _has_special(x: Tensor, name: str) -> bool | None:
    """Tell whether an array or a scalar has a special method; None for those of all objects."""
    if name in OF_CONTAINERS | OF_BOTH:
        return name in OF_BOTH or not is_scalar(x)
    if name == "__index__" and is_scalar(x):
        return not (x.is_floating_point() or x.is_complex() or x.dtype is torch.bool)
    return False if name == "__reversed__" else None


def getattr(x: Any, name: str, /, *default: Any) -> Any:
    """`getattr(x, name)`: attributes and methods of a tensor as those of an ndarray."""
    if name in REMOVED and default and not hasattr(x, name):
        return default[0]
    try:
        if x is Tensor and name in METHODS:  # of the class
            return METHODS[name]
        if x is Tensor and not hasattr(x, name):
            raise AttributeError(f"type object 'numpy.ndarray' has no attribute {name!r}")
        return attribute(x, name)
    except AttributeError:
        if default:
            return default[0]
        raise


class settable:
    """`settable(x).shape` is read and set as the attribute of an ndarray, wherever a target may stand; of what is no
    tensor as ever."""

    __slots__ = ("_of",)

    def __init__(self, x: Any) -> None:
        object.__setattr__(self, "_of", x)

    def __getattribute__(self, name: str) -> Any:
        return attribute(object.__getattribute__(self, "_of"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        set_attribute(object.__getattribute__(self, "_of"), name, value)
