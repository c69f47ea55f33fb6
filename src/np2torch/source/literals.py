"""Large literals, summarised: a table of a million numbers is analysed and rewritten as its first hundred rows are.

A run of items that are constants, or made of constants alone, is cut down to more items than the analysis tells apart,
and one of each kind among the rest. What is cut is put back when the file is written. Lines keep their numbers.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_ITEMS = 100
"""Of so many items and fewer the analysis may know each; a run that is cut keeps one more."""
MOST_CONSTANTS = 20_000
"""So many constants in displays a file may have before anything is cut."""
SHORTEST_RUN = 500
"""Runs of so few constants are left as they are."""
MOST_KINDS = 200
"""So many kinds of items are kept of what is cut."""
MOST_LEFT = 60_000
"""So many constants may be left in displays: each takes some 10 kB while a file is rewritten."""

_TOKEN = re.compile(
    r"""
    (?P<blank> [ \t\f\r\n]+ | \\\r?\n | \#[^\r\n]* )
    | (?P<number> (?: 0[xX][0-9a-fA-F_]+ | 0[bB][01_]+ | 0[oO][0-7_]+
        | (?: [0-9][0-9_]*(?:\.[0-9_]*)? | \.[0-9][0-9_]* ) (?:[eE][+-]?[0-9_]+)? [jJ]? ) )
    | (?P<string> [bfrtuBFRTU]{0,2} (?:
        \"\"\" [^"\\]* (?: (?: \\. | "(?!\"\") ) [^"\\]* )* \"\"\"
        | ''' [^'\\]* (?: (?: \\. | '(?!'') ) [^'\\]* )* '''
        | " [^"\\\r\n]* (?: \\(?:\r\n|.) [^"\\\r\n]* )* "
        | ' [^'\\\r\n]* (?: \\(?:\r\n|.) [^'\\\r\n]* )* '
    ) )
    | (?P<name> \w+ ) | (?P<opening> [(\[{] ) | (?P<closing> [)\]}] ) | (?P<comma> , ) | (?P<sign> [+-] )
    | (?P<colon> : ) | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_PREFIX = re.compile(r"[A-Za-z]*")
_EXPORTED = re.compile(r"\b__all__\s*\+?=\s*$")
_WORD = re.compile(r"""[A-Za-z]?["'][\w.<>|=]{0,32}["']""")
_NEWLINE = re.compile(r"\r\n|\n|\r")
_CUT = re.compile(r"(\f(?P<number>[ \t]+)\f[^\f]*\f\f)[^\f]*\f")
"""The number of a cut in blanks and tabs, what is shown of it, and empty lines in place of those that it had."""
CONSTANTS = frozenset({"True", "False", "None", "Ellipsis"})


class TooLargeError(ValueError):
    """A literal that could not be cut to a size that fits in memory; has its line."""

    def __init__(self, line: int, count: int) -> None:
        super().__init__(f"too large: a literal with {count} constants; keep them in a data file, or in larger rows")
        self.line = line


@dataclass
class Summary:
    """A text with its large literals cut.

    Attributes
    ----------
    text
        The text to analyse: as many lines, and the same columns outside of what is cut.
    places
        Line and column, as `ast` counts them, of the displays that have more items than they show.
    """

    text: str
    cuts: list[str]
    places: frozenset[tuple[int, int]]

    def compact(self, text: str) -> str:
        """The text without the empty lines that stand for what is cut."""
        return _CUT.sub(r"\1\f", text)

    def restore(self, text: str) -> str | None:
        """A text made of this one, with all that was cut; None where part of it is not there, or twice."""
        parts = _CUT.split(text)
        numbers = [int(part.replace(" ", "0").replace("\t", "1"), 2) for part in parts[2::3]]
        if numbers != list(range(len(self.cuts))):
            return None
        return "".join(between + cut for between, cut in zip(parts[::3], [*self.cuts, ""], strict=True))

    def show_piece(self, text: str) -> str:
        """A piece of the text as people should read it."""
        return _CUT.sub(", ...", text).replace(", **np2torch_rest", ", ...")


class Item(NamedTuple):
    """An item of a display: where it stands, and its kind and number of constants; no kind where it is no constant."""

    start: int
    end: int
    kind: str
    size: int


@dataclass
class Display:
    """An open bracket and what has been read in it."""

    start: int
    bracket: str
    is_display: bool
    items: list[Item] = field(default_factory=list)
    begin: int = -1
    end: int = -1
    parts: list[str] = field(default_factory=list)
    is_constant: bool = True
    size: int = 0

    def add(self, start: int, end: int, kind: str, size: int = 0) -> None:
        """Take in a piece of an item; no kind for what is no constant."""
        if self.begin < 0:
            self.begin = start
        self.end = end
        self.size += size
        if kind:
            self.parts.append(kind)
        else:
            self.is_constant = False

    def close_item(self) -> None:
        """End the item under way, if there is one."""
        if self.begin >= 0:
            kind = "".join(self.parts) if self.is_constant else ""
            self.items.append(Item(self.begin, self.end, kind, self.size))
        self.begin, self.parts, self.is_constant, self.size = -1, [], True, 0


class _Cut(NamedTuple):
    """A part of a text to be cut, with the display around it and its stand-in."""

    start: int
    end: int
    display: int
    items: tuple[Item, ...]
    is_dict: bool


def summarise_literals(text: str) -> Summary | None:
    """The text with its large literals cut; None where there are none.

    Raises
    ------
    TooLargeError
        Where a literal stays too large.
    """
    if len(text) < 2 * MOST_CONSTANTS or text.count(",") < MOST_CONSTANTS // 2 or "\f" in text:
        return None
    cuts, most = _read(text)
    if most[0] > MOST_LEFT:
        raise TooLargeError(text.count("\n", 0, most[1]) + 1, most[0])
    return _carried_out(text, cuts) if cuts else None


def _read(text: str) -> tuple[list[_Cut], tuple[int, int]]:
    """Find the parts to cut, in order, and the size and position of the largest display after that."""
    total = 0
    cuts: list[_Cut] = []
    largest = (0, 0)
    stack: list[Display] = []
    before = ""
    for match in _TOKEN.finditer(text):
        group, start, end = match.lastgroup, match.start(), match.end()
        if group == "blank":
            continue
        top = stack[-1] if stack else None
        if group == "opening":
            shown = before in ("", "opening", "comma", "other", "sign", "colon", "keyword")
            exported = shown and _EXPORTED.search(text[max(0, start - 20) : start]) is not None
            stack.append(Display(start, match[0], shown and not exported))
        elif group == "closing" and top is not None:
            stack.pop()
            trailing = before == "comma"
            top.close_item()
            kind, size = _closed(top, cuts, trailing)
            largest = max(largest, (size, top.start))
            if stack:
                stack[-1].add(top.start, end, kind, size)
        elif top is not None and group == "comma":
            top.close_item()
        elif top is not None:
            is_value = group in ("number", "string")
            total += is_value
            top.add(start, end, _kind(group, match[0]), is_value)
        is_word = group == "name" and keyword.iskeyword(match[0]) and match[0] not in CONSTANTS
        before = "keyword" if is_word else group or ""
    return (sorted(cuts) if total > MOST_CONSTANTS else []), largest


def _kind(group: str | None, token: str) -> str:
    """Give what is to be known of a token of a constant; nothing where it is no part of one."""
    if group == "number":
        if token[-1] in "jJ":
            return "j"
        if token.isdigit():
            return "i" if len(token) < 10 else "I" if len(token) < 19 else token
        return "f" if token[:2].lower() not in ("0x", "0o", "0b") else token if len(token) > 17 else "I"
    if group == "string":
        prefix = _PREFIX.match(token)
        letters = prefix[0].lower() if prefix else ""
        return "" if set(letters) & set("ft") else token if _WORD.fullmatch(token) else "b" if "b" in letters else "s"
    if group == "name":
        return token[0] if token in CONSTANTS else ""
    return {"sign": token, "colon": ":"}.get(group or "", "")


def _closed(display: Display, cuts: list[_Cut], trailing: bool) -> tuple[str, int]:
    """The kind and the number of constants of a display, once what is too long in it is cut."""
    if not display.is_display:
        return "", sum(item.size for item in display.items)
    left = 0
    short = False
    for run in _runs(display.items):
        size = sum(item.size for item in run)
        if len(run) <= MOST_ITEMS + 1 or size <= SHORTEST_RUN or not run[0].kind:
            left += size
            continue
        head, tail = run[: MOST_ITEMS + 1], run[MOST_ITEMS + 1 :]
        known = {item.kind for item in head}
        others = tuple({item.kind: item for item in reversed(tail) if item.kind not in known}.values())[:MOST_KINDS]
        while cuts and cuts[-1].start >= tail[0].start:
            cuts.pop()
        is_dict = display.bracket == "{" and ":" in run[0].kind
        cuts.append(_Cut(head[-1].end, tail[-1].end, display.start, others, is_dict))
        left += sum(item.size for item in (*head, *others))
        short = True
    kinds = [item.kind for item in display.items]
    if not all(kinds):
        return "", left
    listed = "*".join(sorted(set(kinds))) if short else ",".join(kinds) + "," * trailing
    return f"{display.bracket}{listed}]", left


def _runs(items: list[Item]) -> Iterator[list[Item]]:
    """The items, those that are constants and follow one another together."""
    run: list[Item] = []
    for item in items:
        if run and bool(run[-1].kind) != bool(item.kind):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def _carried_out(text: str, cuts: list[_Cut]) -> Summary:
    out: list[str] = []
    cut_texts: list[str] = []
    places = set()
    at = 0
    for number, (start, end, display, items, is_dict) in enumerate(cuts):
        whole = text[start:end]
        shown = "".join(f", {_on_one_line(text[item.start : item.end])}" for item in items)
        shown += ", **np2torch_rest" * is_dict
        mark = f"{number:b}".replace("0", " ").replace("1", "\t")
        part = f"\f{mark}\f{shown}\f\f"
        lines = _NEWLINE.findall(whole)[len(_NEWLINE.findall(part)) :]
        last = max(whole.rfind("\n"), whole.rfind("\r")) + 1
        width = len(whole) - (last if lines else min(len(part), len(whole)))
        out += text[at:start], part, *lines, " " * (width - 1), "\f"
        cut_texts.append(whole)
        line = max(text.rfind("\n", 0, display), text.rfind("\r", 0, display)) + 1
        places.add((len(_NEWLINE.findall(text, 0, display)) + 1, len(text[line:display].encode("utf-8", "replace"))))
        at = end
    out.append(text[at:])
    return Summary("".join(out), cut_texts, frozenset(places))


def _on_one_line(source: str) -> str:
    """Put an item on one line, without comments; strings keep their line ends."""
    return " ".join(match[0] for match in _TOKEN.finditer(source) if match.lastgroup != "blank")
