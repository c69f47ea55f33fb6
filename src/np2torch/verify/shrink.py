"""The smallest input on which two sides still part in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from np2torch.verify.draw import DEFAULT
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.judge import Verdict
from np2torch.verify.target import Target

MOST_ROUNDS = 14
MOST_CANDIDATES = 24
MOST_SECONDS = 6.0


def shrunk(
    inputs: Inputs, verdict: Verdict, target: Target, verdicts: Callable[[list[Inputs]], list[Verdict | None]]
) -> tuple[Inputs, Verdict]:
    """Simplify as long as the same kind of difference stays.

    Parameters
    ----------
    verdicts
        Gives the verdict on each of some inputs; None for what cannot be passed.
    """
    end = time.monotonic() + MOST_SECONDS
    for _ in range(MOST_ROUNDS):
        if time.monotonic() > end:
            break
        candidates = [one for one in simpler(inputs, target) if target.is_within(one)][:MOST_CANDIDATES]
        if not candidates:
            break
        found = zip(candidates, verdicts(candidates), strict=True)
        better = next(((one, own) for one, own in found if own is not None and own.kind == verdict.kind), None)
        if better is None:
            break
        inputs, verdict = better
    return inputs, verdict


def simpler(inputs: Inputs, target: Target) -> Iterator[Inputs]:
    """Inputs that are a little simpler, the boldest first."""
    values = inputs.values
    for index in range(len(inputs.before)):
        yield inputs._replace(before=(*inputs.before[:index], *inputs.before[index + 1 :]))
    for index, parameter in enumerate(target.parameters):
        if parameter.default is not None and values[index] is not DEFAULT:
            yield _replaced(inputs, index, DEFAULT)
    lengths = sorted(
        {n for value in values if isinstance(value, np.ndarray) for n in value.shape if n > 1}, reverse=True
    )
    for n in lengths:  # linked sizes shrink together
        for less in dict.fromkeys((n // 2, n - 1)):
            new = tuple(_cut(value, n, less) for value in values)
            if any(a is not b for a, b in zip(values, new, strict=True)):
                yield inputs._replace(values=new)
    for index, value in enumerate(values):
        for new in _plainer(value):
            yield _replaced(inputs, index, new)


def _replaced(inputs: Inputs, index: int, value: Any) -> Inputs:
    return inputs._replace(values=(*inputs.values[:index], value, *inputs.values[index + 1 :]))


def _cut(value: Any, length: int, less: int) -> Any:
    if not isinstance(value, np.ndarray):
        return value[:less] if isinstance(value, (list, tuple)) and len(value) == length else value
    for axis, n in enumerate(value.shape):
        if n == length:
            value = value.take(range(less), axis)
    return value


def _plainer(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray) and value.size:
        for n in range(value.ndim):
            if value.shape[n] > 1:
                yield value.take(range(value.shape[n] // 2), n)
        if not value.flags.c_contiguous:
            yield np.ascontiguousarray(value)
        if value.dtype.kind in "fc":
            with np.errstate(all="ignore"):
                for plain in (np.zeros_like(value), np.ones_like(value), np.round(value), np.round(value, 1)):
                    if not np.array_equal(plain, value, equal_nan=True):
                        yield plain
    elif isinstance(value, (list, tuple)) and len(value) > 1 and not hasattr(value, "_fields"):
        yield value[: len(value) // 2]
    elif type(value) is float and value not in (0.0, 1.0):
        yield 1.0
        if value == value and abs(value) < 1e15 and float(round(value)) != value:
            yield float(round(value))
    elif type(value) is int and abs(value) > 2:
        yield value // 2
