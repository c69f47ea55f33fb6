"""Calls that NumPy itself answers, because the arrays in them are of strings, objects or others that torch has not.

Such arrays stay on NumPy at run time, as they do in the text: they are made by NumPy and computed with by NumPy, and
numbers that come out of it are tensors again. A call that NumPy refuses raises NumPy's error.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any",
}  # fmt: skip
"""The functions that reduce with a ufunc, and ask objects (masked arrays) for their own way to do so."""

__all__ = ["called", "meant", "on_numpy"]


def on_numpy(function: Callable[..., Any], error: TypeError, values: dict[str, Any]) -> Any:
    """NumPy's own function of the name, for arrays that no torch dtype holds; the error where there is none."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for p in inspect.signature(function).parameters.values():
        value = values[p.name]
        if p.kind is p.VAR_POSITIONAL:
            args += value
        elif p.kind is p.VAR_KEYWORD:
            kwargs |= value
        elif p.kind is p.POSITIONAL_ONLY or p.default is p.empty:
            args.append(value)
        elif value is not p.default:
            kwargs[p.name] = value
    return called(function, error, args, kwargs)


def meant(**kwargs: Any) -> dict[str, Any]:
    """The keywords of a ufunc that say something: no None, no True, no object that stands for nothing passed."""
    return {name: x for name, x in kwargs.items() if x is not None and x is not True and type(x) is not object}


def called(function: Any, error: TypeError, args: Sequence[Any], kwargs: dict[str, Any], method: str = "") -> Any:
    """What NumPy's function of the same name and place gives, or its method; the error where there is none."""
    from np2torch.shim.interop import from_numpy, to_numpy

    try:
        import numpy
    except ImportError:
        raise error from None
    place = getattr(numpy, function.__module__.rpartition(".")[2], None)
    own = getattr(place, function.__name__, None) or getattr(numpy, function.__name__, None)
    if own is None:
        raise error
    if method == "reduce" and function.__name__ in REDUCTIONS:
        own = getattr(numpy, REDUCTIONS[function.__name__])
    elif method:
        own = getattr(own, method)
    found = own(*to_numpy(list(args)), **to_numpy(kwargs))
    return from_numpy(found) if kwargs.get("out") is None else kwargs["out"]
