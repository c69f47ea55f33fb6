"""0-D tensors: NumPy scalars, unless they are marked as arrays without axes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim._promotion import Tensor
from np2torch.shim._subclass_propagation import Derived

MARK = "_np2torch_array"


def mark(x: Any) -> Any:
    """Mark a 0-D tensor as an ndarray without axes; anything else is itself."""
    if isinstance(x, Tensor) and not x.ndim and not torch.compiler.is_compiling():
        setattr(x, MARK, True)
    return x


def is_scalar(x: Any) -> bool:
    """Tell whether a value stands for a NumPy scalar: a 0-D tensor that is not marked as an array."""
    return isinstance(x, Tensor) and not x.ndim and not isinstance(x, Derived) and not hasattr(x, MARK)


def keeping(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that gives an array without axes of one: `copy`, `view`."""

    @functools.wraps(method)
    def marked(x: Any, *args: Any, **kwargs: Any) -> Any:
        found = method(x, *args, **kwargs)
        return mark(found) if hasattr(x, MARK) else found

    return marked
