"""`keep` and `unguarded` as they stand in pyproject.toml: an entry a line, reason and version as a comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from np2torch import __version__

HEADER = re.compile(r"^\[tool\.np2torch\][ \t]*(#[^\n]*)?$", re.MULTILINE)
KEEP, UNGUARDED = "keep", "unguarded"
CODES = {KEEP: "NPT535", UNGUARDED: "NPT537"}
NEXT = re.compile(r"^\[", re.MULTILINE)
ENTRY = re.compile(r"""^[ \t]*["']([^"']+)["'][ \t]*,?[ \t]*(?:#[ \t]*([^\n]*))?$""", re.MULTILINE)
OURS = re.compile(rf"(?:{'|'.join(CODES.values())}) np2torch (\S+): (.*)")
MOST = 90
"""Characters of a reason."""
HASTE = "in haste"
"""How the reasons begin of what a search left on NumPy and had no time to try again."""


def comment(reason: str, key: str = KEEP) -> str:
    """Give the comment behind an entry that a search has found."""
    text = " ".join(reason.split())
    return f"{CODES[key]} np2torch {__version__}: {text if len(text) <= MOST else text[: MOST - 3] + '...'}"


def comments(document: str, key: str = KEEP) -> dict[str, str]:
    """The entries of a pyproject.toml that stand on lines of their own, with their comments."""
    span = _span(document, key)
    return {} if span is None else {name: said.strip() for name, said in ENTRY.findall(document[span[0] : span[1]])}


def version(said: str) -> str | None:
    """The version whose search has found an entry; None for what people have written."""
    match = OURS.match(said)
    return match[1] if match else None


def is_from_before(said: str) -> bool:
    """Tell whether a search of another version found the entry, so that it may work by now."""
    return version(said) not in (None, __version__)


def in_haste(reason: str) -> str:
    """Give the reason of an entry that was left on NumPy for want of time."""
    return reason if reason.startswith(HASTE) else f"{HASTE}: {reason}"


def is_in_haste(said: str) -> bool:
    """Tell whether a search has left an entry on NumPy for want of time."""
    match = OURS.match(said)
    return match is not None and match[2].startswith(HASTE)


def write_entries(document: str, entries: Mapping[str, str], key: str = KEEP) -> str:
    """The document with these entries and comments; all else is left as it is."""
    newline = "\r\n" if "\r\n" in document else "\n"
    lines = [f'    "{name}",  # {said}' if said else f'    "{name}",' for name, said in entries.items()]
    text = newline.join([f"{key} = [", *lines, "]"])
    span = _span(document, key)
    if span is not None:
        begin, end = span
        if not entries:
            end = document.find("\n", end) + 1 or len(document)
            return document[:begin] + document[end:]
        return document[:begin] + text + document[end:]
    if not entries:
        return document
    header = HEADER.search(document)
    if header is not None:
        return f"{document[: header.end()]}{newline}{text}{document[header.end() :]}"
    gap = newline * 2 if document.strip() else ""
    return f"{document.rstrip()}{gap}[tool.np2torch]{newline}{text}{newline}"


def _span(document: str, name: str) -> tuple[int, int] | None:
    """Find the start and the end of the setting."""
    header = HEADER.search(document)
    if header is None:
        return None
    table_end = _first(NEXT, document, header.end())
    key = re.compile(rf"^{name}[ \t]*=[ \t]*", re.MULTILINE).search(document, header.end(), table_end)
    if key is None:
        return None
    return key.start(), _closed(document, key.end())


def _first(pattern: re.Pattern[str], document: str, begin: int) -> int:
    match = pattern.search(document, begin)
    return match.start() if match else len(document)


def _closed(document: str, begin: int) -> int:
    """Find the end of an array, given its start."""
    quote = ""
    at = begin
    while at < len(document):
        character = document[at]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "#":
            at = _first(re.compile("\n"), document, at)
        elif character == "]":
            return at + 1
        at += 1
    return at


def order_entries(entries: Iterable[str], weight: Mapping[str, int]) -> list[str]:
    """Entries by what each holds back, the most first."""
    return sorted(entries, key=lambda one: (-weight.get(one, 0), one))
