"""Dispatch of the shim's public functions to objects of classes that derive from `shim.ndarray`.

Programs without such classes pay nothing: the functions are exchanged when the first class is made.
"""

from __future__ import annotations

import functools
import operator as python
import sys
import types
from collections.abc import Callable
from typing import Any

from np2torch.shim._location import SHIM
from np2torch.shim._subclass_calls import aware
from np2torch.shim._subclass_propagation import PARTS, WITHOUT, holds

_OPEN: list[bool] = []


def open_all() -> None:
    """Exchange the public functions, once."""
    if _OPEN:
        return
    _OPEN.append(True)
    package = sys.modules[SHIM]
    spaces = {"": package} | {part: functools.reduce(getattr, part.split("."), package) for part in PARTS}
    for prefix, space in spaces.items():
        for name, member in [(name, getattr(space, name)) for name in getattr(space, "__all__", dir(space))]:
            home = getattr(member, "__module__", None) or ""
            if name.startswith("_") or not home.startswith(SHIM) or not isinstance(member, types.FunctionType):
                continue
            if prefix == "operator" and (name in space.ASKING or not hasattr(python, name)):
                continue  # asks the class itself, or calls the others
            full = f"{prefix}.{name}" if prefix else name
            made = _operator(name, member) if prefix == "operator" else aware(full, member)
            made.__module__ = space.__name__  # by which other processes find it
            setattr(space, name, made)


def _operator(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """An operator as a function: of such an object Python's, which asks the class."""
    own: Any = getattr(python, name)

    @functools.wraps(function)
    def wrapper(a: Any, *rest: Any) -> Any:
        if type(a) not in WITHOUT and holds(a) or rest and type(rest[0]) not in WITHOUT and holds(rest[0]):
            return own(a, *rest)
        return function(a, *rest)

    return wrapper
