"""Calls of the shim and TODO notes that stand in a file already, counted in its text."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from np2torch.source import vendored_shim

_IMPORTED = re.compile(r"^[ \t]*from np2torch(?:\.shim\.policies)? import (?:shim|\w+ as shim)\b", re.MULTILINE)
_COMMENT = re.compile(r"#[^\r\n]*")
_NOTE = re.compile(r"#[ \t]*TODO\(np2torch\)")


class Standing(NamedTuple):
    """Tally of shim calls (guards left out) and TODO notes in a file."""

    shim: int = 0
    todo: int = 0


NOTHING = Standing()


def standing_in(text: str) -> Standing:
    """Count them; a name `shim` that is not this one counts for nothing."""
    calls = len(_calls().findall(_COMMENT.sub("", text))) if "np2torch" in text and _is_imported(text) else 0
    return Standing(calls, len(_NOTE.findall(text)))


def _is_imported(text: str) -> bool:
    return bool(_IMPORTED.search(text) or vendored_shim.IMPORTED.search(text))


@cache
def _calls() -> re.Pattern[str]:
    from np2torch.facts.guards import CONTRACT, GUARDS  # heavy: only where the shim is used

    return re.compile(rf"(?<![\w.])shim\.(?!(?:{'|'.join(sorted({CONTRACT, *GUARDS}))})\b)[A-Za-z]")
