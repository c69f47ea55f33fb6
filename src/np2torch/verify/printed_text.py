"""Printed text compared: numbers may differ in their last bits."""

from __future__ import annotations

import re

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)(?![\w.])")
DTYPE = re.compile(r"\btorch\.((?:u?int|float|complex)\d+|bool)\b")
ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,}")
"""The place of an object in memory, which is another one in each process."""
RTOL = 1e-12


def text_difference(old: str, new: str) -> str | None:
    """The first line that differs; numbers may differ in their last bits, since sums may take another order."""
    a, b = old.splitlines(), new.splitlines()
    for index, (x, y) in enumerate(zip(a, b, strict=False), 1):
        if not _same_line(x, y):
            return f"line {index}: {x!r} became {y!r}"
    return None if len(a) == len(b) else f"{len(a)} lines became {len(b)}"


def _same_line(old: str, new: str) -> bool:
    old, new = (ADDRESS.sub("at 0x", line) for line in (old, DTYPE.sub(r"\1", new)))
    if old == new:
        return True
    if NUMBER.sub("#", old) != NUMBER.sub("#", new):
        return False
    pairs = zip(NUMBER.findall(old), NUMBER.findall(new), strict=True)
    return all(a == b or abs(float(a) - float(b)) <= RTOL * abs(float(a)) for a, b in pairs)
