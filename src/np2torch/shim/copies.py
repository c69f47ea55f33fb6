"""Elements and single numbers, copied or refused where NumPy does."""

from __future__ import annotations

import functools
import sys
from collections import UserList
from collections.abc import Callable
from types import BuiltinMethodType
from typing import Any

import torch
from torch import Tensor

from np2torch.shim._marks import MARK, is_scalar
from np2torch.shim._transforms import is_compiling
from np2torch.shim.interop import rebuilt

__all__ = ["copying", "element", "elements", "extending", "index", "items", "numbers", "only_index", "only_scalar"]


def element(x: Any) -> Any:
    """Copy a single element, as `a[i]` does in NumPy; larger views stay views. Items of tuples and lists likewise.

    A single element of a tensor is a live view; where the tensor is written later the saved element would change too.
    An array without axes that a list or a mapping holds stays what it is: it is marked as one, or no view at all.
    """
    if type(x) is Tensor:  # what is_scalar says of one that is of no other class
        return x if x.ndim or hasattr(x, MARK) or not _may_be_view(x) else x.clone()
    if isinstance(x, Tensor):
        return x.clone() if is_scalar(x) and _may_be_view(x) else x
    if isinstance(x, list):
        x[:] = map(element, x)  # whoever holds the list holds copies in NumPy
    return rebuilt(x, element) if isinstance(x, tuple) else x


def _may_be_view(x: Tensor) -> bool:
    """Tell whether a tensor may show the memory of another; neither a graph nor inference mode can say."""
    return is_compiling() or x._is_view() or x.is_inference()


def elements(x: Any) -> Any:
    """A sequence whose elements are copies: of a 1-D tensor a clone, of anything else itself, since rows are views."""
    return x.clone() if isinstance(x, Tensor) and x.ndim == 1 else x


def copying(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives items, as `operator.itemgetter(0)` does, made to give copies of single elements."""

    @functools.wraps(function, updated=())
    def copied(*args: Any, **kwargs: Any) -> Any:
        return element(function(*args, **kwargs))

    return copied


CONTAINERS = ("collections", "_collections_abc")
"""The modules of Python's own containers that are written in Python."""


def extending(method: Callable[..., Any]) -> Callable[..., Any]:
    """`xs.extend` of what may be any object: Python's own containers take copies of single elements.

    Other methods of that name are given what is passed.
    """
    if not isinstance(method, BuiltinMethodType) and getattr(method, "__module__", "") not in CONTAINERS:
        return method
    owner = method.__self__  # type: ignore[attr-defined]

    @functools.wraps(method)
    def extended(x: Any, /) -> Any:
        return method(x if x is owner or isinstance(x, UserList) else map(element, x))

    return extended


def items(x: Any) -> Any:
    """The items of a tensor in a list, each a view; anything else as it is."""
    return list(x) if isinstance(x, Tensor) and x.ndim else x


def numbers(x: Any) -> Any:
    """A tensor as Python's numbers in a list, also the 0-D tensors in a list or tuple; anything else as it is.

    Of a list the first item tells whether there are tensors in it: `bisect` is to stay fast.
    """
    if isinstance(x, Tensor):
        return x.tolist()
    if isinstance(x, (list, tuple)) and len(x) and isinstance(x[0], Tensor):
        return [one.tolist() if isinstance(one, Tensor) else one for one in x]
    return x


def only_scalar(x: Any) -> Any:
    """The argument of `float`, `int` or a `math` function, refused where it is an array with dimensions.

    torch reads no uint64 beyond the range of int64 by `int`, so that it is a number here.

    Raises
    ------
    TypeError
        For a tensor that is not 0-D, as NumPy 2.4 does; torch converts those of one element.
    """
    if isinstance(x, Tensor) and x.ndim:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return x.item() if isinstance(x, Tensor) and x.dtype is torch.uint64 else x


def only_index(x: Any) -> Any:
    """The index of a list, refused where NumPy refuses it.

    Raises
    ------
    TypeError
        For tensors that are not 0-D, bool or not of integers; torch converts those of one element.
    """
    if isinstance(x, Tensor):
        if x.ndim:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        if x.dtype is torch.bool or x.is_floating_point() or x.is_complex():
            raise TypeError(f"list indices must be integers or slices, not {str(x.dtype)[6:]}")
    return x


def index(x: Any) -> Any:
    """An index, or a tuple of them, as torch takes it: integers of any dtype as int64, a single one as a number.

    By itself torch indexes by int64 and int32 alone, and takes uint8 for a mask. A mapping looks numbers up by value.
    """
    if isinstance(x, Tensor):
        if not x.ndim:
            return x.item()
        return x if x.dtype in TAKEN or x.is_floating_point() or x.is_complex() else x.to(torch.int64)
    if type(x) is tuple:
        for one in x:
            if isinstance(one, (Tensor, tuple)):
                return tuple(map(index, x))
        return x
    dtype = getattr(x, "dtype", None) if type(x).__module__ == "numpy" else None
    if dtype is not None and dtype.kind in "iu" and dtype.str[:2] not in NATIVE:
        return x.astype("int64")  # an ndarray of swapped bytes or of unsigned integers, which torch does not take
    return x


NATIVE = ("<i", "|i") if sys.byteorder == "little" else (">i", "|i")
"""How NumPy begins the names of the dtypes whose arrays torch takes as an index."""
TAKEN = (torch.int64, torch.int32, torch.bool)
"""dtypes that index in torch as they do in NumPy."""
