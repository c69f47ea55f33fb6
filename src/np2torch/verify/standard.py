"""Values of Python's standard library as text: dates, durations, exact numbers, paths."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PosixPath, PurePosixPath
from typing import Any, NamedTuple


class Form(NamedTuple):
    """The way in which values of a class are written and read, and one of them."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    sample: Any


def _seconds(value: timedelta) -> str:
    return f"{value.days} {value.seconds} {value.microseconds}"


FORMS: dict[type, Form] = {
    datetime: Form(datetime.isoformat, datetime.fromisoformat, datetime(2013, 1, 15, 12, 0, 5)),
    date: Form(date.isoformat, date.fromisoformat, date(2013, 1, 15)),
    time: Form(time.isoformat, time.fromisoformat, time(12, 30)),
    timedelta: Form(_seconds, lambda text: timedelta(*map(int, text.split())), timedelta(hours=1.5)),
    Decimal: Form(str, Decimal, Decimal("1.5")),
    Fraction: Form(str, Fraction, Fraction(1, 3)),
    PosixPath: Form(str, Path, Path("file")),
    PurePosixPath: Form(str, PurePosixPath, PurePosixPath("file")),
}
"""By class; of classes below these nothing is known."""
BY_NAME = {kind.__qualname__: form for kind, form in FORMS.items()}
