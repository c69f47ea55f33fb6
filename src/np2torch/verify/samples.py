"""Functions to pass where a function is expected: they work alike on numbers, arrays and tensors."""

from __future__ import annotations

from typing import Any


def same(x: Any, *rest: Any, **named: Any) -> Any:
    """Give back the first argument."""
    return x


def square(x: Any, *rest: Any, **named: Any) -> Any:
    """Square the first argument."""
    return x * x


def line(x: Any, *rest: Any, **named: Any) -> Any:
    """A line through the first argument: float64 of integers, of which torch would make float32."""
    is_whole = hasattr(x, "is_floating_point") and not (x.is_floating_point() or x.is_complex())
    return 2.0 * (x.double() if is_whole else x) + 1.0


def total(x: Any, *rest: Any, **named: Any) -> Any:
    """Sum the first argument."""
    return x.sum()


def together(*values: Any, **named: Any) -> Any:
    """Add all arguments."""
    found = values[0]
    for value in values[1:]:
        found = found + value
    return found


NAMES = ("same", "square", "line", "total", "together")
