"""The report of `np2torch verify --output-format json`: read, chosen by file, and as a table of plain text."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Entry = Mapping[str, Any]


def verify_entries(text: str) -> tuple[Entry, ...]:
    """Read what `np2torch verify --output-format json` wrote.

    Raises
    ------
    ValueError
        For anything else.
    """
    document = json.loads(text)
    entries = document if isinstance(document, list) else [None]
    if not all(isinstance(one, dict) and {"name", "verdict"} <= one.keys() for one in entries):
        raise ValueError("it is not what `np2torch verify --output-format json` writes")
    return tuple(entries)


def of_files(entries: Iterable[Entry], paths: Iterable[Path]) -> list[Entry]:
    """Choose the entries on functions of some files; those that are not equal come first."""
    wanted = {os.path.realpath(path) for path in paths}
    chosen = [one for one in entries if one.get("path") and os.path.realpath(one["path"]) in wanted]
    return sorted(chosen, key=lambda one: one["verdict"] == "equal")


def table(entries: Sequence[Entry]) -> list[str]:
    """Write a table in lines: verdict, function, and what was called or how it differs."""
    counts = Counter(str(one["verdict"]) for one in entries)
    rows = [(str(one["verdict"]), _name(one), _what(one)) for one in entries]
    widths = [max(len(row[at]) for row in rows) for at in (0, 1)]
    head = ", ".join(f"{number} {word}" for word, number in counts.most_common())
    return [f"Verified: {head}", *(f"  {a:{widths[0]}}  {b:{widths[1]}}  {c}".rstrip() for a, b, c in rows)]


def _name(entry: Entry) -> str:
    return f"{entry.get('module', '')}.{entry['name']}".lstrip(".")


def _what(entry: Entry) -> str:
    return " ".join(str(entry.get("difference") or entry.get("inputs") or "").split())
