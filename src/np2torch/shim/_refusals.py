"""Error messages of guards and contracts about arguments that they refuse."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from np2torch.shim._core import asarray
from np2torch.shim._errors import HERE
from np2torch.shim._promotion import Tensor


def cast(arrays: tuple[Any, ...], at: int, dtype: torch.dtype) -> str:
    """Spell an argument in another dtype."""
    name = _name(arrays, at)
    if name and isinstance(arrays[at], Tensor):
        return f"{name}.to({dtype})"
    return f"{name or f'argument {at + 1}'} as {dtype}"


def several_precisions(
    arrays: tuple[Any, ...], found: Sequence[Any], one: int, other: int, guard: str,
    precisions: Mapping[torch.dtype, torch.dtype], complex_of: Mapping[torch.dtype, torch.dtype],
) -> str:  # fmt: skip
    """Say which two arguments have not one precision, and how the narrower one is cast."""
    narrow, wide = sorted((one, other), key=lambda at: precisions[found[at].dtype].itemsize)
    precision = precisions[found[wide].dtype]
    if precisions[found[narrow].dtype] is precision:  # real beside complex
        narrow = one if found[other].is_complex() else other
        target = complex_of.get(precision, precision)
    else:
        target = complex_of.get(precision, precision) if found[narrow].is_complex() else precision
    return (
        f"shim.{guard}: one precision is expected, but {shown(arrays, one)} and {shown(arrays, other)}; "
        f"pass {cast(arrays, narrow, target)}, as NumPy computes in the wider one"
    )


def shown(arrays: tuple[Any, ...], at: int) -> str:
    """An argument in words: its place, its name in the caller, what it is."""
    name, x = _name(arrays, at), arrays[at]
    place = f"argument {at + 1}" if len(arrays) > 1 else "the argument"
    return f"{place}{f' ({name})' if name else ''} is {described(x)}"


def described(x: Any) -> str:
    """Describe a value in words: a float32 tensor of shape (3,), a list, int64 in NumPy."""
    if isinstance(x, Tensor):
        dtype = str(x.dtype)[6:]
        return f"{_article(dtype)} {dtype} tensor of shape {tuple(x.shape)}"
    if x is None:
        return "None"
    made = "" if not isinstance(x, (list, tuple, range)) else _dtype_of(x)
    kind = type(x).__name__
    dtype = f" of dtype {x.dtype}" if hasattr(x, "dtype") else f", {made} in NumPy" if made else ""
    return f"{_article(kind)} {kind}{dtype}"


def _article(word: str) -> str:
    return "an" if word[0] in "aeio" else "a"


def _dtype_of(x: Any) -> str:
    try:
        return str(asarray(x).dtype)[6:]
    except (TypeError, ValueError):
        return ""


def _name(arrays: tuple[Any, ...], at: int) -> str:
    """The name of an argument in the function that called the guard; nothing where it has none, or nobody can look."""
    if torch.compiler.is_compiling():
        return ""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(HERE + os.sep):
        frame = frame.f_back
    names = [name for name, value in frame.f_locals.items() if value is arrays[at]]
    return names[0] if len(names) == 1 else ""


def not_copied(arrays: tuple[Any, ...], at: int, guard: str) -> str:
    """Say why an argument is not made float64."""
    return (
        f"shim.{guard}: {shown(arrays, at)}, and the function writes into it, or what it gives depends on that "
        f"dtype; pass {cast(arrays, at, torch.float64)}"
    )
