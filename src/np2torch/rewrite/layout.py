"""Lines that the rewriting made too long are broken as black breaks them; all others stay as they are.

A statement is broken at the pair of brackets that holds the most, its contents on lines of their own: together where
they fit, else at their commas, or before the operators that bind least.
"""

from __future__ import annotations

import ast
import io
import itertools
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

OPENING, CLOSING = "([{", ")]}"
EMPTY_BODY = ": pass"
"""How the head of a compound statement ends here: its body is none of our business."""
ABOUT_THE_LINE = ("type:", "noqa", "pylint:", "pragma", "fmt:", "mypy:", "pyright:", "nosec", "isort:", "yapf:")
"""Beginnings of comments that speak of the line they stand on."""
COMMA, COMPREHENSION, TERNARY, OR, AND, STRING, COMPARATOR = range(7)
PRIORITIES = {
    ",": COMMA, "for": COMPREHENSION, "else": TERNARY, "or": OR, "and": AND,
    **dict.fromkeys("in not is < > == != <= >=".split(), COMPARATOR),
    "|": 7, "^": 8, "&": 9, "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "//": 12, "%": 12, "@": 12,
}  # fmt: skip
"""The tokens to break a line at, by how little they bind; strings side by side bind as `STRING`."""
WORDS = frozenset("and assert await elif else for if in is lambda not or return while yield".split())
"""Words that are no operands."""
ASSIGNING = frozenset("= += -= *= /= //= %= @= **= &= |= ^= <<= >>=".split())
CONTINUED = "\\"
"""The end of a line that continues outside of brackets."""
UNIMPORTANT = (tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT)


class Token(NamedTuple):
    """A token of one line: its text, where it begins and ends, how many brackets it lies in, and how little it binds.

    `priority` is None where the line is not to be broken at it.
    """

    text: str
    start: int
    end: int
    depth: int
    priority: int | None


class Pair(NamedTuple):
    """The places of an opening bracket and of what closes it."""

    start: int
    end: int

    @property
    def width(self) -> int:
        """Measure the text."""
        return self.end - self.start

MOST_WIDTHS = 4
"""How many times as long as others a line may be before it counts as one that is meant to be long."""


def fit_lines(old: str, new: str, limit: int, step: str = "    ") -> str:
    """The new text of a statement, its lines broken where the old ones were short enough and the new ones are not.

    Parameters
    ----------
    old, new
        Both without what stands above and behind them, as if not indented.
    limit
        The most characters of a line.
    step
        What one level is indented by.
    """
    lines = new.splitlines()
    before = max([limit, *map(_width, old.splitlines())])
    if before > MOST_WIDTHS * limit:  # a table that people keep on one line
        return new
    torn = _torn(new) > _torn(old)
    if not torn and all(_width(line) <= before for line in lines) or '"""' in new or "'''" in new:
        return new
    breaker = Breaker(limit, step)
    continued = any(line.endswith(CONTINUED) for line in lines)
    can_go_by_lines = not (torn or continued or len(lines) == 1) and breaker.can_go_by_lines(lines)
    text = None if can_go_by_lines else breaker.as_a_whole(new)
    if text is None and not continued:
        text = breaker.line_by_line(lines)
    return text if text is not None and _is_same(new, text) else new


def _torn(text: str) -> int:
    """On how many lines brackets are opened that hold something on that line and more on others."""
    opened: list[int] = []
    torn: set[int] = set()
    tokens = [token for token in _tokenized(text) if token.type not in (*UNIMPORTANT, tokenize.COMMENT)]
    for token, following in itertools.zip_longest(tokens, tokens[1:]):
        if token.string in tuple(OPENING):
            is_last = following is None or following.start[0] > token.start[0]
            opened.append(0 if is_last else token.start[0])
        elif token.string in tuple(CLOSING) and opened:
            line = opened.pop()
            torn |= {line} if line and token.start[0] > line else set()
    return len(torn)


def is_about_the_line(comment: str) -> bool:
    """Tell whether a comment is about the line it stands on, so that this must not be broken."""
    return comment.lstrip("# ").startswith(ABOUT_THE_LINE)


def _width(line: str) -> int:
    return len(line.removesuffix(EMPTY_BODY[1:]))


def _is_same(old: str, new: str) -> bool:
    try:
        return ast.dump(ast.parse(old)) == ast.dump(ast.parse(new))
    except SyntaxError:
        return False


class Breaker:
    """Breaks the lines of a statement.

    Parameters
    ----------
    limit
        The most characters of a line.
    step
        What one level is indented by.
    """

    def __init__(self, limit: int, step: str) -> None:
        self._limit, self._step = limit, step

    def _fits(self, line: str, indent: str = "") -> bool:
        return len(indent) + _width(line) <= self._limit

    def can_go_by_lines(self, lines: Sequence[str]) -> bool:
        """Tell whether each line of a statement fits once those that are too long are broken by themselves."""
        return all(self._fits(_without_comment(line)[0]) for line in self.line_by_line(lines).splitlines())

    def line_by_line(self, lines: Sequence[str]) -> str:
        """The lines of a statement, each that is too long broken by itself where its brackets are closed."""
        out: list[str] = []
        for line in lines:
            indent = line[: len(line) - len(line.lstrip())]
            code, comment = _without_comment(line.strip())
            tokens = None if self._fits(code, indent) else tokens_of(code)
            if tokens is None:
                out.append(line)
            else:
                items = lines[0] is not line and any(t.priority == COMMA for t in tokens if t.depth == 0)
                *first, last = self._contents(code, indent) if items else self._split(code, tokens, indent)
                last = last if code.endswith(",") else last.removesuffix(",")
                out += [*first, f"{last}  {comment}" if comment else last]
        return "\n".join(out)

    def as_a_whole(self, text: str) -> str | None:
        """The statement put on one line and broken anew; None where it has comments inside."""
        line = on_one_line(text)
        tokens = tokens_of(line) if line is not None else None
        if line is None or tokens is None:
            return None
        return line if self._fits(line) else "\n".join(self._statement(line, tokens))

    def _statement(self, line: str, tokens: Sequence[Token]) -> Iterator[str]:
        """A whole statement; its right side is put in parentheses where operators or commas hold that together."""
        start, end = right_side(tokens)
        inside = [t._replace(start=t.start - start, end=t.end - start) for t in tokens if start <= t.start < end]
        places, pairs = _places(inside), _pairs(inside)
        widest = max(pairs, key=lambda pair: pair.width, default=Pair(0, 0))
        has_commas = any(token.priority == COMMA for token in inside if token.depth == 0)
        ends_with_it = len(places) == 1 and not has_commas and widest.end == end - start - 1
        if start and places and not ends_with_it:
            yield f"{line[:start]}("
            yield from self._contents(line[start:end], self._step)
            yield f"){line[end:]}"
        else:
            yield from self._split(line, tokens, "", start if pairs else 0)

    def _split(self, line: str, tokens: Sequence[Token], indent: str, start: int = 0) -> Iterator[str]:
        """A line, broken at the pair of brackets from `start` on that holds the most; as it is where it fits."""
        pairs = [pair for pair in _pairs(tokens) if pair.start >= start]
        if self._fits(line, indent) or not pairs:
            yield indent + line
            return
        opened, closed = max(pairs, key=lambda pair: pair.width)
        after = line[closed:]
        yield indent + line[: opened + 1]
        yield from self._contents(line[opened + 1 : closed].strip(), indent + self._step)
        rest = [t._replace(start=t.start - closed, end=t.end - closed) for t in tokens if t.start > closed]
        yield from self._split(after, rest, indent)

    def _contents(self, text: str, indent: str) -> Iterator[str]:
        """Break the contents of brackets into lines of their own."""
        tokens = tokens_of(text)
        if tokens is None or self._fits(text, indent):
            yield indent + text
            return
        places = _places(tokens)
        if not places:
            yield from self._split(text, tokens, indent)
            return
        has_commas = any(token.priority == COMMA for token in tokens if token.depth == 0)
        for start, end in itertools.pairwise([0, *places, len(text)]):
            if piece := text[start:end].strip():
                *lines, last = self._contents(piece.removesuffix(",") if has_commas else piece, indent)
                yield from lines
                yield f"{last}," if has_commas else last


def on_one_line(text: str) -> str | None:
    """A statement on one line; None where there is a comment in it."""
    first, *others = text.splitlines()
    if any(token.type == tokenize.COMMENT for token in _tokenized(text)):
        return None
    first = first.removesuffix(CONTINUED).rstrip()
    for line in filter(None, (one.strip().removesuffix(CONTINUED).rstrip() for one in others)):
        if line[0] in CLOSING and first.endswith(",") and _ends_in_spare_comma(first):
            first = first[:-1]
        first += line if first[-1] in OPENING or line[0] in CLOSING else f" {line}"
    return first


def _ends_in_spare_comma(text: str) -> bool:
    """Tell whether the comma at the end stands behind an argument, or behind one of several items."""
    depth, commas = 0, 0
    for index in range(len(text) - 1, -1, -1):
        character = text[index]
        depth += (character in CLOSING) - (character in OPENING)
        commas += character == "," and depth == 0
        if depth < 0:
            before = text[index - 1 : index]
            return commas > 1 or character == "(" and (before.isidentifier() or before in tuple(CLOSING))
    return False


def _tokenized(text: str) -> list[tokenize.TokenInfo]:
    """The tokens of a text, as far as it can be read."""
    found: list[tokenize.TokenInfo] = []
    with suppress(tokenize.TokenError, IndentationError, SyntaxError):
        found.extend(tokenize.generate_tokens(io.StringIO(text).readline))
    return found


def _without_comment(line: str) -> tuple[str, str]:
    """A line in two, the comment behind it apart."""
    comment = next((token for token in _tokenized(line) if token.type == tokenize.COMMENT), None)
    return (line, "") if comment is None else (line[: comment.start[1]].rstrip(), comment.string)


def _whole_strings(tokens: Iterable[tokenize.TokenInfo]) -> Iterator[tokenize.TokenInfo]:
    """The tokens, each f-string as one, as before Python 3.12."""
    inside, first = 0, None
    for token in tokens:
        inside += token.type in _STARTS
        first = first or (token if inside else None)
        inside -= token.type in _ENDS
        if first is None:
            yield token
        elif not inside:
            yield token._replace(type=tokenize.STRING, string="", start=first.start)
            first = None


_STARTS = [getattr(tokenize, name) for name in ("FSTRING_START", "TSTRING_START") if hasattr(tokenize, name)]
_ENDS = [getattr(tokenize, name) for name in ("FSTRING_END", "TSTRING_END") if hasattr(tokenize, name)]


def tokens_of(line: str) -> list[Token] | None:
    """The tokens of a line in which all brackets are closed; None of others.

    What stands between `lambda` and its colon, and between `for` and its `in`, counts as in brackets.
    """
    tokens: list[Token] = []
    depth, after_operand, before = 0, False, tokenize.NEWLINE
    within: list[tuple[str, int]] = []
    for token in _whole_strings(_tokenized(line)):
        text = token.string
        if token.type in UNIMPORTANT:
            continue
        if within and (text, depth) == within[-1]:
            within.pop()
            depth, after_operand = depth - 1, False
        depth -= text in CLOSING
        if depth < 0 or token.type == tokenize.COMMENT:
            return None
        priority = PRIORITIES.get(text) if after_operand else None
        if token.type == before == tokenize.STRING:
            priority = STRING
        before = token.type
        tokens.append(Token(text, token.start[1], token.end[1], depth, priority))
        if text in ("lambda", "for"):
            within.append((":" if text == "lambda" else "in", depth + 1))
        depth += text in OPENING or text in ("lambda", "for")
        after_operand = text in CLOSING or text == "..." or token.type != tokenize.OP and text not in WORDS
    return _with_conditions(tokens) if tokens and depth == 0 else None


def _with_conditions(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, each `if` with its priority: of a comprehension, or of `a if b else c`."""
    out: list[Token] = []
    for index, token in enumerate(tokens):
        if token.text == "if" and index:
            following = (one.text for one in tokens[index + 1 :] if one.depth == token.depth)
            word = next((text for text in following if text in ("else", "for", "if")), "")
            token = token._replace(priority=TERNARY if word == "else" else COMPREHENSION)
        out.append(token)
    return out


def _pairs(tokens: Sequence[Token]) -> list[Pair]:
    """The pairs of brackets that lie in no others and hold something."""
    opened, pairs = -1, []
    for token in tokens:
        if token.depth == 0 and token.text in OPENING:
            opened = token.start
        elif token.depth == 0 and token.text in CLOSING and token.start > opened + 1 and opened >= 0:
            pairs.append(Pair(opened, token.start))
    return pairs


def _places(tokens: Sequence[Token]) -> list[int]:
    """Find the positions to break a line: behind its commas, or before the operators with the lowest priority."""
    found = [token for token in tokens if token.depth == 0 and token.priority is not None]
    least = min((token.priority for token in found if token.priority is not None), default=None)
    return [token.end if least == COMMA else token.start for token in found if token.priority == least]


def right_side(tokens: Sequence[Token]) -> tuple[int, int]:
    """Find the start of the expression that may be put in parentheses (0 if there is none), and its end."""
    top = [token for token in tokens if token.depth == 0]
    word, end = top[0].text, top[-1].end
    if top[-1].text == "pass" and top[-2].text == ":":
        last = {"for": "in", "if": "if", "while": "while"}.get(word)
        return next((token.end + 1 for token in top if token.text == last), 0), top[-2].start
    if assigned := [token for token in top if token.text in ASSIGNING]:
        return assigned[-1].end + 1, end
    return (top[0].end + 1 if word == "return" and len(top) > 1 else 0), end
