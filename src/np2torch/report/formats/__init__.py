"""Formats of `check`, one module each, all made of the same notices."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from np2torch.report.verdict import CheckResult

FORMATS = ("text", "json", "jsonl", "github", "gitlab", "junit", "sarif")
"""The formats, by the names of their modules; `text` is for people."""


def lines(check: CheckResult, name: str) -> Iterator[str]:
    """Give a check in a format, line by line."""
    found: Iterator[str] = importlib.import_module(f"{__name__}.{name}").lines(check)
    return found
