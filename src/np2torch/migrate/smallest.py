"""The smallest part of a list for which something holds, asked of one part after the other."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

T = TypeVar("T")
Q = TypeVar("Q")
Asking = Generator[list[T], bool, list[T]]
"""Yields a part, is sent whether it holds for it, and returns the smallest."""


def smallest(items: Sequence[T]) -> Asking[T]:
    """A part for which it holds, and for none of those with one item less; it holds for all of them.

    The shortest beginning for which it holds, together with what is needed already, ends with one that is needed. It
    is looked for from the front, in steps that double: likely items should come first.
    """
    needed: list[T] = []
    rest = list(items)
    while rest and not (needed and (yield list(needed))):
        low, high, step = 0, len(rest), 1
        while low + 1 < high:
            middle = low + step if low + step < high else (low + high) // 2
            if (yield [*needed, *rest[:middle]]):
                high, step = middle, len(rest)
            else:
                low, step = middle, step * 2
        needed.append(rest[high - 1])
        rest = rest[: high - 1]
    return needed


def asked_as(asking: Asking[T], question: Callable[[list[T]], Q]) -> Generator[Q, bool, list[T]]:
    """The same with other questions: what each part is asked as."""
    try:
        part = next(asking)
        while True:
            part = asking.send((yield question(part)))
    except StopIteration as end:
        found: list[T] = end.value
        return found


def smallest_part(asking: Asking[T], holds: Callable[[list[T]], bool]) -> list[T]:
    """The smallest part, where the answers come at once."""
    try:
        part = next(asking)
        while True:
            part = asking.send(holds(part))
    except StopIteration as end:
        found: list[T] = end.value
        return found
