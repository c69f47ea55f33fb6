"""The pages of codes: the same text for the documentation and for `np2torch explain NPT204`."""

from __future__ import annotations

from pathlib import Path

from np2torch.rewrite import convert as conversion
from np2torch.rules.codes import CODES, SERIES, Code
from np2torch.rules.core import FUNCTIONS, METHODS
from np2torch.source.model import Converted, Problem, Remark, Settings, SourceFile

LINES_BEFORE = {"from": "", "def": "\n\n", "class": "\n\n"}
"""Blank lines between the import of NumPy and an example, by its first word."""


def code_page(code: str, meaning: Code) -> str:
    """The page of a code: what it stands for, and its example as it is converted."""
    text = f"# {code}: {meaning.title}\n\n{meaning.text}\n"
    if meaning.example:
        before = "import numpy as np\n" + LINES_BEFORE.get(meaning.example.split()[0], "\n") + meaning.example
        done = convert(before)
        text += f'\n```python title="before"\n{before}```\n'
        if done.is_changed:
            text += f'\n```python title="after"\n{done.after}```\n'
        said: list[Problem | Remark] = [*done.problems, *done.remarks]
        text += "".join(f"\n`{one.line}:{one.column}: {one.code} {one.message}`\n" for one in said)
        text += "".join(f"\n`{one.line}:1: {one.code} {one.text}: {one.reason}`\n" for one in done.guards)
    users = sorted(name.removeprefix("numpy.") for name, rule in FUNCTIONS.items() if rule.code == code and rule.body)
    users += sorted(f".{name}" for name, rule in METHODS.items() if rule.code == code and rule.body)
    if users:
        names = ", ".join(f"`{name}`" for name in users)
        text += f"\nRules with this code: {names}. See [API coverage](../api/index.md).\n"
    return text


def code_tables() -> str:
    """The tables of the page of all codes."""
    parts = []
    for series, title in SERIES.items():
        mine = {code: meaning for code, meaning in CODES.items() if code.startswith(series)}
        rows = "".join(f"| [{code}](codes/{code}.md) | {cell(meaning.title)} |\n" for code, meaning in mine.items())
        parts.append(f"## {series}xx: {title}\n\n" + (f"| code | what |\n|---|---|\n{rows}" if rows else "None yet.\n"))
    return "\n".join(parts)


def convert(text: str) -> Converted:
    """The conversion of one module."""
    return next(iter(conversion.convert_project([SourceFile(Path("example.py"), "example.py", text)], Settings())))


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
