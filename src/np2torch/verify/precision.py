"""Calls in extended precision: what a result in double precision is off from it is what the old side rounds off."""

from __future__ import annotations

from typing import Any

import numpy as np

LONG = np.longdouble
WIDER: dict[str, Any] = {"f": LONG, "c": np.clongdouble}
NARROWER = {"g": "float64", "G": "complex128"}
"""By the letter of a dtype: the names of those in extended precision are not the same everywhere."""
DOUBLE = ("float64", "complex128")


def widen(value: Any) -> Any:
    """The same numbers with those of double precision in extended precision, in tuples and lists too."""
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.name in DOUBLE:
        return value.astype(WIDER[value.dtype.kind])
    if type(value) is float:
        return LONG(value)
    return type(value)(map(widen, value)) if type(value) in (list, tuple) else value


def narrow(value: Any) -> Any:
    """Results in double precision again; what has not been computed in extended precision is no number of any kind."""
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.char in NARROWER:
            return value.astype(NARROWER[value.dtype.char])
        return "double precision" if value.dtype.name in DOUBLE else value
    if type(value) is float:
        return "double precision"
    if type(value) is dict:
        return {key: narrow(item) for key, item in value.items()}
    return type(value)(map(narrow, value)) if type(value) in (list, tuple) else value
