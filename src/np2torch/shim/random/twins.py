"""Draws in bulk by NumPy's own generator, where NumPy is there: the same numbers, many times faster than ours.

The state goes over before such a draw and comes back after it, so that the stream is one whoever draws. Without NumPy,
for few numbers, and for other bit generators ours draws.
"""

from __future__ import annotations

import functools
import inspect
import math
import threading
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim.interop import from_numpy, to_numpy
from np2torch.shim.random._libm import Tensor
from np2torch.shim.random.pcg64 import PCG64

FEWEST = 12
"""Draws from which on the state's way to NumPy and back is worth it."""
PLAIN = (int, float, bool, str, type(None), torch.dtype)
_LOCK = threading.Lock()


@functools.cache
def _twin() -> Any:
    """NumPy's generator on a bit generator of the same kind; None without NumPy."""
    try:
        from numpy import random
    except ImportError:
        return None
    return random.Generator(random.PCG64(0))


def in_bulk(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that draws, by NumPy's of the same name where many numbers are asked for."""
    names = list(inspect.signature(method).parameters)
    at = names.index("size") - 1 if "size" in names else None

    @functools.wraps(method)
    def drawn(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not args and not kwargs:
            return method(self)
        size = kwargs.get("size") if "size" in kwargs or at is None or len(args) <= at else args[at]
        if at is None and args and type(args[0]) is int:
            size = args[0]
        if _count(size, args) < FEWEST or type(self._bit_generator) is not PCG64 or _twin() is None:
            return method(self, *args, **kwargs)
        if not all(map(_is_plain, args)) or not all(map(_is_plain, kwargs.values())):
            return method(self, *args, **kwargs)
        return _by_numpy(method.__name__, self._bit_generator, args, kwargs)

    return drawn


def _by_numpy(name: str, bits: PCG64, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    twin = _twin()
    with _LOCK:
        twin.bit_generator.state = bits.state
        try:
            return from_numpy(getattr(twin, name)(*map(to_numpy, args), **to_numpy(kwargs)))
        finally:
            bits.state = twin.bit_generator.state


def _count(size: Any, args: tuple[Any, ...]) -> int:
    """How many numbers are asked for, as far as that is easily told."""
    if type(size) is int:
        return size
    if isinstance(size, tuple) and all(type(one) is int for one in size):
        return math.prod(size)
    return max((one.numel() for one in args if type(one) is Tensor), default=0) if size is None else 0


def _is_plain(x: Any) -> bool:
    """Is it a number, a dtype, or a tensor that NumPy can look at?"""
    if type(x) is Tensor:
        return x.device.type == "cpu" and not x.requires_grad and not x.is_conj() and x.layout is torch.strided
    if type(x) in (tuple, torch.Size):
        return all(type(one) is int for one in x)
    return isinstance(x, PLAIN)
