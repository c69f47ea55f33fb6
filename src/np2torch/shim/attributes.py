"""Python's `hasattr` and `getattr`: a tensor answers as the ndarray it stands for."""

from __future__ import annotations

import builtins
from typing import Any

import torch

from np2torch.shim._derived import Derived
from np2torch.shim._promotion import Tensor
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


def hasattr(x: Any, name: str, /) -> bool:
    """`hasattr(x, name)`: arrays have `astype` and no `values`; what is no tensor is asked itself."""
    if isinstance(x, Derived):
        return getattr(x, name, x) is not x
    if isinstance(x, Tensor) and not name.startswith("__"):
        own = name in METHODS or name in ATTRIBUTES or name in SAME_ATTRIBUTES
        return own or not x.ndim and x.dtype in OF_NUMBERS.get(name, ())
    if isinstance(x, torch.dtype) and name in DTYPE_ATTRIBUTES:
        return True
    return builtins.hasattr(x, name)


def getattr(x: Any, name: str, /, *default: Any) -> Any:
    """`getattr(x, name)`: attributes and methods of a tensor as those of an ndarray."""
    try:
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
