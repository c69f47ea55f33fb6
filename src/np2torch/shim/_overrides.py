"""Calls that objects of converted classes answer themselves, by `__array_ufunc__` and `__array_function__`.

NumPy asks such objects before it computes (NEP 13 and NEP 18). Classes that are left on NumPy are asked by NumPy itself
(`_numpy_fallback.py`); those that were converted are given the shim's functions here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from np2torch.shim._location import SHIM
from np2torch.shim._promotion import PYTHON_DTYPES, Tensor

UFUNC, FUNCTION = "__array_ufunc__", "__array_function__"

__all__ = ["FUNCTION", "UFUNC", "answered", "is_converted", "overrides"]


def is_converted(function: Any) -> bool:
    """Tell whether a function belongs to a module of the program that handles tensors."""
    from np2torch.shim.interop import uses_torch

    names = getattr(function, "__globals__", None)
    return names is not None and uses_torch(names)


def overrides(x: Any, *protocols: str) -> bool:
    """Tell whether an object of a converted class implements one of the protocols."""
    if isinstance(x, Tensor) or type(x) in PYTHON_DTYPES:
        return False
    own = (getattr(type(x), name, None) for name in protocols)
    return any(method is not None and is_converted(method) for method in own)


def answered(function: Any, args: Iterable[Any], kwargs: dict[str, Any], method: str = "") -> Any:
    """Call the overrides of the objects among the arguments; NotImplemented if none has one."""
    args = tuple(args)
    if function.__name__.startswith("_"):  # a part of a function, which is asked for instead
        return NotImplemented
    public = function if hasattr(function, "nin") else _public(function)
    if hasattr(public, "nin"):
        outs = kwargs.get("out")
        if outs is not None:
            kwargs = kwargs | {"out": outs if isinstance(outs, tuple) else (outs,)}
        asked = _in_order([*args, *kwargs.get("out", ())], UFUNC)
        method = method or "__call__"
        return _first(asked, UFUNC, public, lambda x: getattr(x, UFUNC)(public, method, *args, **kwargs))
    given = [*args, *kwargs.values()]
    given += [item for x in given if isinstance(x, (list, tuple)) for item in x]
    asked = _in_order(given, FUNCTION)
    types = tuple(type(x) for x in asked)
    found = _first(asked, FUNCTION, function, lambda x: getattr(x, FUNCTION)(public, types, args, kwargs))
    if found is NotImplemented and any(overrides(x, UFUNC) for x in given):  # NumPy's function takes their arrays
        return public(*(_plain(x) for x in args), **{name: _plain(x) for name, x in kwargs.items()})
    return found


def _public(function: Any) -> Any:
    """The function as programs read it, which is another one where there are subclasses (`_doors`)."""
    place = sys.modules.get(getattr(function, "__module__", ""))
    own = getattr(place, function.__name__, function)
    read = vars(sys.modules[SHIM]).get(function.__name__)
    return read if getattr(read, "__wrapped__", None) is own else own


def _first(asked: list[Any], protocol: str, function: Any, ask: Callable[[Any], Any]) -> Any:
    """The first answer; TypeError where all that are asked have none."""
    for x in asked:
        if (found := ask(x)) is not NotImplemented:
            return found
    if asked:
        names = ", ".join(type(x).__name__ for x in asked)
        raise TypeError(f"no {protocol} among {names} answers {function.__name__}: all returned NotImplemented")
    return NotImplemented


def _in_order(given: Iterable[Any], protocol: str) -> list[Any]:
    """One object of each class, from the left, subclasses before what they derive from."""
    found: list[Any] = []
    for x in given:
        if overrides(x, protocol) and all(type(x) is not type(other) for other in found):
            before = (at for at, other in enumerate(found) if isinstance(x, type(other)))
            found.insert(next(before, len(found)), x)
    return found


def _plain(x: Any) -> Any:
    from np2torch.shim._core import asarray

    if isinstance(x, (list, tuple)):
        return type(x)(_plain(item) for item in x)
    return asarray(x) if overrides(x, UFUNC) else x
