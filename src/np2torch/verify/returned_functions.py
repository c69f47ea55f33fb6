"""Functions that a call gives back: what they compute shows only when they are called in their turn."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from types import FunctionType
from typing import Any

import numpy as np

MOST_PARAMETERS = 4
WITHIN = "<locals>"
FIRST = ((0.75, 1.5, 2.25), ((0.5, 1.25, 2.0), (3.0, 0.25, 1.75), (2.5, 1.0, 0.125)), 0.75, 2)
"""What the first parameter is given: an array, a matrix, and two numbers."""
STEP = 0.5


class Answer(Enum):
    """Stands for the answer of a function that raises: nothing in it can be compared."""

    NONE = 0


def with_answers(result: Any, is_torch: bool) -> Any:
    """A result in which each function that the call has made stands with what it answers, also in a tuple or list."""
    if type(result) in (tuple, list):
        return type(result)(_with_answers(one, is_torch) for one in result) if any(map(_is_made, result)) else result
    return _with_answers(result, is_torch)


def _is_made(value: Any) -> bool:
    """Tell whether it is a function that another one has made, which can be called with a few numbers."""
    if not isinstance(value, FunctionType) or WITHIN not in value.__qualname__ or hasattr(value, "__wrapped__"):
        return False
    return value.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE) == 0 and 0 < _count(value) <= (
        MOST_PARAMETERS
    )


def _count(function: FunctionType) -> int:
    """Give the number of parameters that have to be passed; 0 where some of these have to be named."""
    code = function.__code__
    if code.co_kwonlyargcount > len(function.__kwdefaults__ or {}):
        return 0
    return code.co_argcount - len(function.__defaults__ or ())


def _with_answers(value: Any, is_torch: bool) -> Any:
    return (value, [_answer(value, *row) for row in _rows(_count(value), is_torch)]) if _is_made(value) else value


def _rows(count: int, is_torch: bool) -> Iterator[list[Any]]:
    for first in FIRST:
        row = [np.asarray(first) + STEP * number for number in range(count)]
        if isinstance(first, tuple):
            yield [_tensor(one) for one in row] if is_torch else list(row)
        else:
            yield [type(first)(one) for one in row]


def _tensor(array: Any) -> Any:
    import torch

    return torch.from_numpy(array.copy())


def _answer(function: FunctionType, *values: Any) -> Any:
    try:
        return function(*values)
    except Exception:
        return Answer.NONE
