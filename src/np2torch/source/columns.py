"""Columns as people count them, made of those that Python's parser counts in bytes."""

from __future__ import annotations

import re
from collections.abc import Callable

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def counter(text: str) -> Callable[[int, int], int]:
    """Give what makes of a line and a column in bytes of UTF-8, both from 1, the column in characters."""
    if text.isascii():
        return lambda line, column: column
    lines = _LINE.findall(text)

    def column(line: int, column: int) -> int:
        if line > len(lines) or lines[line - 1].isascii():
            return column
        return len(lines[line - 1].encode("utf-8", "surrogatepass")[: column - 1].decode("utf-8", "ignore")) + 1

    return column
