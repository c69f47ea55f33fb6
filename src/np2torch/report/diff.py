"""Unified diffs that `patch` takes, and that read well on a terminal whatever the newlines are."""

from __future__ import annotations

import difflib
import re

from click import style

_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # not str.splitlines: a form feed or U+2028 ends no line of a Python file
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def unified_diff(before: str, after: str, path: str, context: int = 3) -> str:
    """The diff of one file, empty where nothing changed; carriage returns are kept, as `patch` needs them."""
    if before == after:
        return ""
    lines = difflib.unified_diff(_LINE.findall(before), _LINE.findall(after), path, path, n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def paint_diff(diff: str) -> str:
    """The diff for a terminal: coloured, and without the carriage returns that would garble it."""
    lines = diff.replace("\r\n", "\n").split("\n")
    return "\n".join(_paint(line) for line in lines)


def _paint(line: str) -> str:
    if line.startswith(("--- ", "+++ ")):
        return style(line, bold=True)
    colour = _COLOURS.get(line[:1])
    return style(line, fg=colour) if colour else line
