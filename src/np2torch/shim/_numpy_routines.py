"""Functions that run NumPy's own routine on the memory of tensors, where that is as good as torch's.

Sorting, searching and counting take torch ten times as long as NumPy, or need several kernels where NumPy has one
loop. A tensor on the CPU that needs no gradient is an ndarray over the same memory at no cost. Everywhere else, and
where NumPy is not installed or raises, the function's own body runs.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar, cast

import torch

from np2torch.shim._core import asarray
from np2torch.shim._marks import MARK, mark
from np2torch.shim._promotion import PYTHON_DTYPES, Tensor
from np2torch.shim._read_only import ReadOnly
from np2torch.shim._transforms import in_transform

Function = TypeVar("Function", bound=Callable[..., Any])
PLAIN = frozenset({*PYTHON_DTYPES, str, type(None)})
"""Types of arguments that are the same for both."""
CHARACTERS = frozenset("?bhilqBHILQefdFD")
"""The dtypes that NumPy and torch share."""
UNSETTLED = ("sorted",)
"""Keywords by which NumPy promises less than the shim."""
_SWITCHED_OFF: ContextVar[bool] = ContextVar("switched off", default=False)


@contextlib.contextmanager
def own_bodies() -> Iterator[None]:
    """Within it the functions' own bodies run."""
    before = _SWITCHED_OFF.set(True)
    try:
        yield
    finally:
        _SWITCHED_OFF.reset(before)


class _NoView(Exception):
    """An argument of which NumPy gets no view."""


def by_numpy(function: Function) -> Function:
    """A body below `normalized` that lets NumPy's function of its name (but for `_`) compute where NumPy can."""

    name = function.__name__.lstrip("_")

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if in_transform() or _SWITCHED_OFF.get():
            return function(*args, **kwargs)
        numpy = sys.modules.get("numpy")
        own = getattr(numpy, name, None)
        if own is None:
            return function(*args, **kwargs)
        views: dict[int, Tensor] = {}
        try:
            given = [x if type(x) in PLAIN else _viewed(x, views) for x in args]
            named = {
                key: x if type(x) in PLAIN else _viewed(x, views)
                for key, x in kwargs.items()
                if key not in UNSETTLED
            }
            found = own(*given, **named)
        except Exception:  # an error, too, is said by the body
            return function(*args, **kwargs)
        return _back(found, views)

    return cast(Function, wrapper)


def _viewed(x: Any, views: dict[int, Tensor]) -> Any:
    """An argument as NumPy takes it; `views` gets the arrays by identity."""
    if type(x) in PLAIN:
        return x
    if type(x) is Tensor or type(x) is ReadOnly:
        array = x.numpy()  # raises where a gradient or another device is in play
        if not x.ndim and not hasattr(x, MARK):
            return array[()]
        views[id(array)] = x
        return array
    if type(x) in (list, tuple):
        return type(x)(_viewed(item, views) for item in x)
    raise _NoView


def _back(found: Any, views: dict[int, Tensor]) -> Any:
    """Convert NumPy's result to tensors; an array that views one of the given tensors becomes that tensor."""
    if id(found) in views:
        return views[id(found)]
    if type(found) is tuple or type(found) is list:
        return type(found)(_back(one, views) for one in found)
    if type(found).__name__ != "ndarray":
        array = sys.modules["numpy"].asarray(found)  # on the CPU, whatever the default device is
        return torch.from_numpy(array) if array.dtype.char in CHARACTERS else asarray(found)
    if not found.ndim:
        return mark(torch.from_numpy(found) if found.dtype.char in CHARACTERS else asarray(found))
    return torch.from_numpy(found) if found.flags.carray and found.dtype.char in CHARACTERS else asarray(found)
