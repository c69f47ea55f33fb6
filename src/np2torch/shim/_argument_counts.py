"""Borders that say how many arguments the functions in them take."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

ABSENT: Any = object()


def entered_by(enter: Callable[[tuple[Any, ...], dict[str, Any]], Any], function: Any) -> Any:
    """A function in the place of another, which takes anything; its code shows as many arguments, up to two.

    pytest passes `setup_class`, `setup_method` and their like what their code has room for.
    """

    def of_none(*args: Any, **kwargs: Any) -> Any:
        return enter(args, kwargs)

    def of_one(first: Any = ABSENT, /, *args: Any, **kwargs: Any) -> Any:
        return enter(args if first is ABSENT else (first, *args), kwargs)

    def of_two(first: Any = ABSENT, second: Any = ABSENT, /, *args: Any, **kwargs: Any) -> Any:
        return enter(tuple(one for one in (first, second, *args) if one is not ABSENT), kwargs)

    code = getattr(function, "__code__", None)
    count = code.co_argcount if code is not None else 0
    return functools.wraps(function)((of_none, of_one, of_two)[min(count, 2)])
