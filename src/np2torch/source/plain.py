"""Conversion of named tuples to lists that JSON can hold, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
PRIMITIVE = (str, int, float, bool)


def plain(value: Any) -> Any:
    """Give a value in lists, strings and numbers alone."""
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, Path) else value


def restore(kind: type[T], value: Any) -> T:
    """Make a value of its plain form.

    Raises
    ------
    ValueError, TypeError
        Where the form is not that of the kind.
    """
    named: Any = kind
    made: T = (_reader(named) or _same)(value)
    return made


@cache
def _reader(kind: Any) -> Callable[[Any], Any] | None:
    """Give what reads a kind of value; None for what JSON holds as it is."""
    if kind in PRIMITIVE or get_origin(kind) is Literal:
        return None
    if kind is Path:
        return Path
    if hasattr(kind, "_fields"):
        return _of_named_tuple(kind)
    arguments = get_args(kind)
    if get_origin(kind) is tuple and arguments[1:] == (...,):
        return partial(_all, _reader(arguments[0]))
    if get_origin(kind) in (Union, UnionType) and NoneType in arguments and len(arguments) == 2:
        (other,) = (one for one in arguments if one is not NoneType)
        inner = _reader(other) or _same
        return lambda value: None if value is None else inner(value)
    raise TypeError(f"{kind} has no plain form")


def _of_named_tuple(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    readers = [_reader(hints[name]) for name in kind._fields]
    if not any(readers):
        return lambda row: kind(*row)
    all_readers = [reader or _same for reader in readers]
    return lambda row: kind(*(read(one) for read, one in zip(all_readers, row, strict=True)))


def _all(read: Callable[[Any], Any] | None, rows: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(rows) if read is None else tuple(map(read, rows))


def _same(value: Any) -> Any:
    return value
