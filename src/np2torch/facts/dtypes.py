"""The dtypes that strings and classes spell."""

from __future__ import annotations

import re

_SPELLINGS = {
    "bool": "bool_ ? b1",
    "uint8": "B ubyte u1",
    "uint16": "H ushort u2",
    "uint32": "I uintc u4",
    "uint64": "L Q P N uint uintp ulong ulonglong u8",
    "int8": "b byte i1",
    "int16": "h short i2",
    "int32": "i intc i4",
    "int64": "l q p n int int_ intp long longlong i8",
    "float16": "e half f2",
    "float32": "f single f4",
    "float64": "d double float float_ f8",
    "complex64": "F csingle c8",
    "complex128": "D cdouble complex complex_ c16",
}
"""Other names of the dtypes: scalar classes, characters, codes, what Python and old releases say."""
_NAMES = {name: dtype for dtype, others in _SPELLINGS.items() for name in (dtype, *others.split())}
INEXACT = frozenset({"float16", "float32", "float64", "complex64", "complex128"})
"""The floating and complex dtypes."""
NARROW = frozenset({"float16", "float32", "complex64"})
"""Those that hold less than a Python number does."""
WORDS = frozenset(name for name in _NAMES if len(name) > 1)
"""Spellings that are hardly meant for anything else."""


def tables_name(spelling: str) -> str | None:
    """Find the dtype that a string means ("f4", "<f8", "float"); None for dtypes that torch does not hold."""
    return _NAMES.get(spelling.lstrip("<=|"))


LACKING = {
    "object": "object", "object_": "object", "str": "string", "str_": "string", "bytes": "bytes", "bytes_": "bytes",
    "void": "structured", "datetime64": "datetime64", "timedelta64": "timedelta64", "longdouble": "longdouble",
    "clongdouble": "clongdouble", "float128": "float128", "complex256": "complex256",
}  # fmt: skip
"""Names of dtypes that torch does not hold, and what these hold."""
_OTHER = re.compile(rf"({'|'.join((*LACKING, 'a', 'unicode'))}|[gGSUVOMmc]\d*)(\[.*\])?")
"""Spellings of dtypes that torch does not hold."""


def may_name_dtype(text: str) -> bool:
    """Tell whether a string may mean a dtype to NumPy; records (`"f4, i2"`) and sizes in front (`"2f8"`) are such.

    `Source: numpy.dtype <https://numpy.org/doc/stable/reference/arrays.dtypes.html>`_.
    """
    plain = text.strip().lstrip("<>=|")
    is_sized = plain[:1].isdigit() and plain.lstrip("0123456789") in _NAMES
    is_name = tables_name(plain) is not None or _OTHER.fullmatch(plain) is not None
    return is_name or is_sized or "," in text or plain[:1] in ("(", "{")
