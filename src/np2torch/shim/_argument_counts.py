"""Borders that say how many arguments the functions in them take."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from np2torch.shim._tracebacks import inside

ABSENT: Any = object()


def entered_by(enter: Callable[[tuple[Any, ...], dict[str, Any]], Any], function: Any) -> Any:
    """A function in the place of another, which takes anything; its code shows as many arguments, up to two.

    pytest passes `setup_class`, `setup_method` and their like what their code has room for. Errors come out without
    the frames of the border.
    """

    def of_none(*args: Any, **kwargs: Any) -> Any:
        try:
            return enter(args, kwargs)
        except BaseException as error:
            error.__traceback__ = inside(error.__traceback__)
            raise  # which adds no frame

    def of_one(first: Any = ABSENT, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return enter(args if first is ABSENT else (first, *args), kwargs)
        except BaseException as error:
            error.__traceback__ = inside(error.__traceback__)
            raise  # which adds no frame

    def of_two(first: Any = ABSENT, second: Any = ABSENT, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return enter(tuple(one for one in (first, second, *args) if one is not ABSENT), kwargs)
        except BaseException as error:
            error.__traceback__ = inside(error.__traceback__)
            raise  # which adds no frame

    code = getattr(function, "__code__", None)
    count = code.co_argcount if code is not None else 0
    made = functools.wraps(function)((of_none, of_one, of_two)[min(count, 2)])
    with suppress(AttributeError):
        made.__signature__ = shown_signature(function)  # type: ignore[attr-defined]
    return made


def shown_signature(function: Any) -> inspect.Signature:
    """The signature of a function for what stands in its place: `inspect.getfullargspec` does not look behind it.

    Raises
    ------
    AttributeError
        Where there is none, as of some functions of NumPy's and Python's.
    """
    try:
        return inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise AttributeError("__signature__") from error
