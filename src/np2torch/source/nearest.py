"""The word that was meant where one means nothing."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

NEAR = 0.7
"""How alike two words are at least, as `difflib` has it."""


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """`; did you mean 'x'?` for the nearest known word, regardless of case; `otherwise` where none is near."""
    by_case = {one.lower(): one for one in known}
    near = difflib.get_close_matches(word.lower(), by_case, 1, NEAR)
    return f"; did you mean {by_case[near[0]]!r}?" if near else otherwise
