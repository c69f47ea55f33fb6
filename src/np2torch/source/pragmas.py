"""Comments that speak to np2torch: `# np2torch: ...` states types, or says what is to be left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from np2torch.source.lexical import parts

SPEAKS = re.compile(r"#\s*(?:np2torch\b|type\s*:(?!\s*ignore\b))", re.IGNORECASE)
"""The beginning of a comment to read; further pragmas may follow in the same comment."""
_PRAGMA = re.compile(r"(?:^|(?<=\s))#\s*np2torch\b(?P<colon>\s*:)?\s*(?P<body>[^#]*)", re.IGNORECASE)
_SUPPRESSION = re.compile(r"(?P<word>[a-z]+(?:-[a-z]+)?)\s*(?:\[(?P<codes>[^\]]*)\])?(?:$|[;,.]|\s+[-–—(].*)")
_TYPE = re.compile(r"[A-Za-z_][\w.]*\s*:")
WORDS = ("skip", "off", "on", "skip-file")


class Comment(NamedTuple):
    """A comment, its line, and whether it stands alone there."""

    line: int
    alone: bool
    text: str


class Pragma(NamedTuple):
    """One pragma of a comment: a word of `WORDS`, perhaps with codes, or a text that states types.

    Attributes
    ----------
    word
        Empty where types are stated, and None where it cannot be read.
    """

    word: str | None
    body: str
    codes: tuple[str, ...] = ()


def comments(text: str) -> Iterator[Comment]:
    """The comments that say something to us, or state a type."""
    if SPEAKS.search(text) is None:
        return
    line, at = 1, 0
    for part in parts(text):
        if part.is_comment and SPEAKS.search(text, part.start, part.end):
            line, at = line + text.count("\n", at, part.start), part.start
            alone = not text[text.rfind("\n", 0, at) + 1 : at].strip()
            yield Comment(line, alone, text[at : part.end])


def pragmas(comment: str) -> Iterator[Pragma]:
    """The pragmas of a comment, those that cannot be read included; prose that only names us is none."""
    for match in _PRAGMA.finditer(comment):
        body = match["body"].strip()
        said = _SUPPRESSION.match(body)
        word = said["word"] if said is not None and said["word"] in WORDS else None
        if match["colon"] is None:
            if word is not None and body == said[0]:  # type: ignore[index]
                yield Pragma(None, body)
        elif _TYPE.match(body):
            yield Pragma("", body)
        elif said is None or word is None or said["codes"] is not None and word != "skip":
            yield Pragma(None, body)
        else:
            codes = said["codes"]
            yield Pragma(word, body, () if codes is None else tuple(code.strip().upper() for code in codes.split(",")))
