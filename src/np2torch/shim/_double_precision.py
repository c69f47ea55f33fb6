"""NumPy's linear algebra computes in double precision and rounds what comes out to float32."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

import torch

from np2torch.shim import _promotion
from np2torch.shim._core import asarray
from np2torch.shim._promotion import Tensor

Function = TypeVar("Function", bound=Callable[..., Any])
WIDE = {torch.float32: torch.float64, torch.complex64: torch.complex128}
NARROW = {wide: narrow for narrow, wide in WIDE.items()}


def in_double(count: int = 1) -> Callable[[Function], Function]:
    """A decorator: the first `count` arguments, if all single, are widened and the results narrowed."""

    def decorate(function: Function) -> Function:
        names = list(inspect.signature(function).parameters)[:count]

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if count == 1 and args and type(args[0]) is Tensor and args[0].dtype not in WIDE:
                return function(*args, **kwargs)
            arrays = [asarray(x) for x in args[:count]]
            named = {name: asarray(kwargs[name]) for name in names if name in kwargs}
            given = [*arrays, *named.values()]
            if not given or _promotion.promote(*(_promotion.mean_dtype(x.dtype) for x in given)) not in WIDE:
                return function(*args, **kwargs)
            wide = {name: widened(x) for name, x in named.items()}
            return _narrowed(function(*map(widened, arrays), *args[count:], **kwargs | wide))

        return cast(Function, wrapper)

    return decorate


def widened(x: Tensor) -> Tensor:
    """In double precision, where the device has it."""
    return x if x.device.type == "mps" else x.to(WIDE.get(x.dtype, x.dtype))


def _narrowed(found: Any) -> Any:
    if isinstance(found, Tensor):
        return found.to(NARROW.get(found.dtype, found.dtype))
    items = [_narrowed(item) for item in found]
    return type(found)(*items) if hasattr(found, "_fields") else tuple(items)


@in_double()
def singular_values(x: Tensor) -> Tensor:
    """Descending."""
    found: Tensor = torch.linalg.svdvals(x)
    return found


@in_double()
def eigenvalues(x: Tensor) -> Tensor:
    """As complex numbers."""
    found: Tensor = torch.linalg.eigvals(x)
    return found
