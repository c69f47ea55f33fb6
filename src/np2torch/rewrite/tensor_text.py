"""The text torch prints of a tensor, made of numbers alone: the analyser imports no torch.

As torch 2.13 prints by default: four digits, 80 columns, the dtype where it is not a default one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

Number: TypeAlias = "bool | int | float | complex"
Nested: TypeAlias = Any
"""A number, or numbers in lists; Ellipsis stands for what is left out of a list."""
DIGITS = 4
COLUMNS = 80
LEAST_RATIO, LARGEST, SMALLEST = 1000.0, 1e8, 1e-4
"""Beyond these torch prints floats with exponents."""
PLAIN = ("float32", "complex64", "int64", "bool")
"""dtypes that are not named."""
EMPTY = "float32"
"""The dtype that a tensor without elements does not name."""
PREFIX = "tensor("


def tensor_text(values: Nested, dtype: str, shape: tuple[int, ...] | None = None) -> str:
    """Give the `repr` of a tensor of these numbers; `shape` is given for one without numbers."""
    numbers = flat(values)
    if not numbers:
        named = [f"size={shape}"] if shape is not None and len(shape) != 1 else []
        return _closed(f"{PREFIX}[]", [*named, *([f"dtype=torch.{dtype}"] if dtype != EMPTY else [])])
    if dtype.startswith("complex"):
        parts = [complex(number) for number in numbers]
        style: _Style = _Pair(_Floats([z.real for z in parts]), _Floats([z.imag for z in parts]))
    elif dtype.startswith(("float", "bfloat")):
        style = _Floats([float(number) for number in numbers if not isinstance(number, complex)])
    else:
        style = _Whole(numbers)
    text = PREFIX + _nested(values, len(PREFIX), style)
    return _closed(text, [] if dtype in PLAIN else [f"dtype=torch.{dtype}"])


def flat(values: Nested) -> list[Number]:
    """The numbers in nested lists."""
    if isinstance(values, (list, tuple)):
        return [number for one in values for number in flat(one)]
    return [] if values is Ellipsis else [values]


class _Whole:
    """Integers and bools, right-justified."""

    def __init__(self, numbers: Sequence[Number]) -> None:
        self.width = max(len(str(number)) for number in numbers)

    def text(self, number: Number) -> str:
        return str(number).rjust(self.width)


class _Floats:
    """Floats in one of three ways: as whole numbers with a dot, with exponents, with four digits."""

    def __init__(self, numbers: Sequence[float]) -> None:
        finite = [number for number in numbers if math.isfinite(number) and number]
        sizes = [abs(number) for number in finite]
        self._whole = all(number == math.ceil(number) for number in finite)
        far = max(sizes, default=1.0) / min(sizes, default=1.0) > LEAST_RATIO
        self._exponents = bool(sizes) and (far or max(sizes) > LARGEST or min(sizes) < SMALLEST)
        self.width = 1
        self.width = max((len(self.text(number)) for number in finite), default=1)

    def text(self, number: float) -> str:
        if self._exponents:
            made = f"{number:.{DIGITS}e}"
        elif self._whole:
            made = f"{number:.0f}" + "." * math.isfinite(number)
        else:
            made = f"{number:.{DIGITS}f}"
        return made.rjust(self.width)


class _Pair:
    """Complex numbers: the parts in a style each."""

    def __init__(self, real: _Floats, imaginary: _Floats) -> None:
        self._real, self._imaginary = real, imaginary
        self.width = real.width + imaginary.width + 1

    def text(self, number: Number) -> str:
        number = complex(number)
        imaginary = self._imaginary.text(number.imag).lstrip() + "j"
        return self._real.text(number.real) + ("" if imaginary[0] in "+-" else "+") + imaginary


_Style: TypeAlias = "_Whole | _Floats | _Pair"


def _depth(values: Nested) -> int:
    if not isinstance(values, (list, tuple)):
        return 0
    return 1 + max((_depth(one) for one in values), default=0)


def _nested(values: Nested, indent: int, style: _Style) -> str:
    if not isinstance(values, (list, tuple)):
        return style.text(values)
    depth = _depth(values)
    if depth > 1:
        parts = ["..." if one is Ellipsis else _nested(one, indent + 1, style) for one in values]
        return "[" + ("," + "\n" * (depth - 1) + " " * (indent + 1)).join(parts) + "]"
    parts = [" ..." if one is Ellipsis else style.text(one) for one in values]
    each = max(1, (COLUMNS - indent) // (style.width + 2))
    lines = [", ".join(parts[start : start + each]) for start in range(0, len(parts), each)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _closed(text: str, suffixes: Sequence[str]) -> str:
    """With its dtype behind, on a line of its own where the last is full."""
    used = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if used + len(suffix) + 2 > COLUMNS:
            text, used = f"{text},\n{' ' * len(PREFIX)}{suffix}", len(PREFIX) + len(suffix)
        else:
            text, used = f"{text}, {suffix}", used + len(suffix) + 2
    return f"{text})"
