"""Places that store as NumPy does, and functions of Python's that store into a sequence."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from np2torch.shim._promotion import Tensor
from np2torch.shim.interop import is_foreign
from np2torch.shim.random.borrowed import generator
from np2torch.shim.subscript import getitem, setitem

__all__ = ["on_elements", "target"]


class _Target:
    """A tensor whose items are set by NumPy's rules."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    def __getitem__(self, index: Any) -> Any:
        return getitem(self._tensor, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        setitem(self._tensor, index, value)


def target(x: Any) -> Any:
    """`x` as the target of a store: `shim.target(x)[1:], n = x[:-1], 3`.

    What is stored in a tensor is cast to its dtype, may be a list and may overlap it. Anything else is returned as it
    is.
    """
    return _Target(x) if isinstance(x, Tensor) or is_foreign(x) else x


def on_elements(function: Callable[[Any], Any], x: Any) -> Any:
    """Call a function that moves the items of a sequence, as `random.shuffle` does, for what may be a tensor.

    The elements of a 1-D tensor change places by value. The rows of another are views, in NumPy as well, and what
    `random.shuffle` makes of them is the same. A generator of NumPy's shuffles the memory of a tensor.
    """
    owner = getattr(function, "__self__", None)
    if (numpys := generator(owner)) is not owner:
        return numpys.shuffle(x)
    if not isinstance(x, Tensor) or x.ndim != 1 or not isinstance(owner, random.Random):
        return function(x)
    places = list(range(len(x)))
    function(places)
    x.copy_(x[places])
    return None
