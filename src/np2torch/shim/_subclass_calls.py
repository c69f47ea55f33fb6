"""Calls of functions with objects of classes that derive from `shim.ndarray` among their arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from np2torch.shim import _array_wrap
from np2torch.shim._promotion import Tensor
from np2torch.shim._subclass_propagation import (
    OWN,
    PLAIN,
    UNSETTLED,
    WITHOUT,
    Derived,
    Row,
    all_overridden,
    holds,
    holds_tensor,
    kept,
    objects,
    refusal,
    settle,
    stripped,
    table,
)

ITSELF = {"amax": "max", "amin": "min", "around": "round", "permute_dims": "transpose"}
"""Functions that call a method of another name."""
UNKNOWN = Row((), frozenset())


def called(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function with such an object among its arguments.

    Raises
    ------
    TypeError
        Where NumPy would call what the class overrides, or the class of the result is not known.
    """
    row = table().get(name, UNKNOWN)
    if row.codes == (OWN,):
        return function(*args, **kwargs)
    found = _given(args, kwargs)
    own = ITSELF.get(name, name.rpartition(".")[2])
    asked = row.calls - {own} if name.startswith("ndarray.") else row.calls
    for _, x, _ in found:
        calls = sorted(all_overridden(x, asked)) if asked else []
        if own in calls and x is args[0]:
            return getattr(x, own)(*args[1:], **kwargs)
        if calls and not name.startswith("testing."):
            raise TypeError(refusal(name, x, f"NumPy calls `{calls[0]}` of the class"))
    result = function(*map(stripped, args), **stripped(kwargs))
    for out in objects(kwargs.get("out")):
        return _array_wrap.give_out(name, out)
    for at, x, is_itself in found:
        if not is_itself and name not in OF_LISTS:
            continue  # NumPy makes one plain array of a list
        code = settle(name, row.codes[at] if at < len(row.codes) else UNSETTLED, args, kwargs)
        if code == PLAIN and not _array_wrap.has_own(x):
            continue
        if UNSETTLED in code and holds_tensor(result):
            raise TypeError(refusal(name, x, "which class the result has depends on what is passed"))
        if _array_wrap.has_own(x):
            return _array_wrap.by_wrap(name, at, result, code, args, kwargs, x)
        result = kept(result, code, x)
        if isinstance(result, Derived):
            break  # the first decides
    return result


def _given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[int, Derived, bool]]:
    """The objects among arguments, with their positions, and whether they are passed themselves and not in a list."""
    found: list[tuple[int, Derived, bool]] = []
    last = len(args)
    for at, argument in enumerate((*args, *kwargs.values())):
        if isinstance(argument, Derived):
            found.append((min(at, last), argument, True))
        elif type(argument) not in WITHOUT:
            found += [(min(at, last), x, False) for x in objects(argument)]
    return found


OF_LISTS = frozenset({"linalg.multi_dot"})
"""The functions whose results have the class of objects in a list."""
OUT_AT = {"reduce": 3, "accumulate": 3, "reduceat": 4, "outer": 2}
"""The position of `out` among the arguments of a method."""


def of_ufunc(ufunc: Any, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    """Give the result of a ufunc, or of a method of one, in the class of the first such argument."""
    result: Tensor = getattr(ufunc, method)(*map(stripped, args), **stripped(kwargs))
    written = (*args[OUT_AT.get(method, ufunc.nin) :], kwargs.get("out"))
    outs = [x for one in written for x in objects(one)]
    first = next((x for x in args if isinstance(x, Derived)), None)
    if outs:
        made = [_array_wrap.give_out(method, out) for out in outs]
        return made[0] if len(made) == 1 else tuple(made)  # type: ignore[return-value]
    found: Tensor = result if first is None else _array_wrap.of_ufunc_result(result, first)
    return found


def aware(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes such objects too."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            if type(x) not in WITHOUT and holds(x):
                return called(name, function, args, kwargs)
        if kwargs:
            for x in kwargs.values():
                if type(x) not in WITHOUT and holds(x):
                    return called(name, function, args, kwargs)
            return function(*args, **kwargs)
        return function(*args)

    return wrapper
