"""Delta debugging: the smallest part of a list for which something holds (Zeller and Hildebrandt's ddmin)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Holds = Callable[[Sequence[Sequence[T]]], Sequence[bool]]
"""Asks of several parts at once whether it holds for them."""


def smallest(items: Sequence[T], holds: Callable[[Sequence[Sequence[T]]], Sequence[bool]]) -> list[T]:
    """A part for which it holds, and for none of those with one item less; it holds for all of them."""
    left, parts = list(items), 2
    while len(left) > 1:
        chunks = _chunks(left, parts)
        found = _first(chunks, holds)
        if found is not None:
            left, parts = found, 2
            continue
        rest = [[one for one in left if one not in chunk] for chunk in chunks] if parts > 2 else []
        found = _first(rest, holds)
        if found is not None:
            left, parts = found, max(parts - 1, 2)
            continue
        if parts >= len(left):
            break
        parts = min(2 * parts, len(left))
    return left


def _first(parts: Sequence[list[T]], holds: Callable[[Sequence[Sequence[T]]], Sequence[bool]]) -> list[T] | None:
    return next((part for part, good in zip(parts, holds(parts), strict=True) if good), None) if parts else None


def _chunks(items: Sequence[T], number: int) -> list[list[T]]:
    size, more = divmod(len(items), number)
    ends = [size * (i + 1) + min(i + 1, more) for i in range(number)]
    return [list(items[begin:end]) for begin, end in zip([0, *ends], ends, strict=False)]
