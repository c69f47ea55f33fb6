"""Documents as Python text: the code blocks of a `.md` or `.rst` file, and its examples behind prompts.

The text has each block as a cell, as a notebook has, and at its end the whole document as the docstring of a function,
in which examples are found and rewritten as in any docstring. A mark stands there in the place of each block.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from np2torch.source.notebook import CELL, NotebookError

SUFFIXES = (".md", ".rst")
OPENING = 'def np2torch_document():\n    r"""\n'
CLOSING = '"""\n'
_MARK = re.compile(r"^np2torch:block:(\d+)$", re.MULTILINE)
_FENCE = re.compile(r"(?P<indent>[ ]*)(?P<fence>`{3,}|~{3,})[ ]*\{?(?:\.|code-block\}[ ]*)?(?:python3?|py)\b[^`]*")
_DIRECTIVE = re.compile(
    r"(?P<indent>[ ]*)\.\. (?:(?:code-block|code|sourcecode)::[ ]*(?:python3?|py|ipython3?)|testcode::.*)[ ]*"
)
_OPTION = re.compile(r"[ ]*:[\w-]+:")


class Block(NamedTuple):
    """A code block: the numbers of its first line and of the one beyond, from 0, and how far it is indented."""

    start: int
    end: int
    indent: str
    source: str


@dataclass(frozen=True, eq=False)
class Document:
    """A document as it is in the file.

    Attributes
    ----------
    raw
        The text of the file.
    blocks
        Its code blocks.
    text
        The Python text that stands for it.
    rows
        For each line of that the number of the line in the file, from 1.
    """

    raw: str
    blocks: tuple[Block, ...]
    text: str = field(init=False)
    rows: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        text, rows = "", list[int]()
        for number, block in enumerate(self.blocks):
            text += f'"np2torch:cell:{number}"\n{block.source}\n'
            rows += [block.start, *range(block.start + 1, block.end + 1)]
        around = list(self._around())
        text += f'"np2torch:cell:{len(self.blocks)}"\n{OPENING}' + "".join(line for _, line in around) + CLOSING
        rows += [1, 1, 1, *(number for number, _ in around), len(around)]
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "rows", tuple(rows))

    def _around(self) -> Iterator[tuple[int, str]]:
        """Give the lines of the docstring with their numbers."""
        starts = {block.start: number for number, block in enumerate(self.blocks)}
        inside = {line for block in self.blocks for line in range(block.start, block.end)}
        for number, line in enumerate(self.raw.splitlines(keepends=True)):
            if number in starts:
                yield number + 1, f"np2torch:block:{starts[number]}\n"
            elif number not in inside:
                yield number + 1, line

    def place(self, line: int) -> tuple[int, int]:
        """Give the line in the file of a line of the text; there are no cells to name."""
        return 0, self.rows[min(line, len(self.rows)) - 1]

    def readable(self, text: str) -> str:
        """Give a text as people read it."""
        return self.with_text(text)

    def with_text(self, text: str) -> str:
        """Give the text of the file with the code of another Python text."""
        if text == self.text:
            return self.raw
        parts = CELL.split(text)
        carried = parts[0].strip("\n")
        sources = [part.removeprefix("\n").removesuffix("\n") for part in parts[2::2]]
        if len(sources) != len(self.blocks) + 1 or carried and not self.blocks:
            raise NotebookError("the converted text is not that of the document")
        if carried:
            sources[0] = f"{carried}\n{sources[0]}"
        whole = sources[-1]
        start = whole.find(OPENING)
        if start < 0 or not whole.endswith(CLOSING.rstrip("\n")):
            raise NotebookError("the converted text is not that of the document")
        around = whole[start + len(OPENING) : len(whole) - len(CLOSING.rstrip("\n"))]
        return _MARK.sub(lambda match: self._indented(int(match[1]), sources[int(match[1])]), around)

    def _indented(self, number: int, source: str) -> str:
        block = self.blocks[number]
        if source == block.source:
            return "\n".join(self.raw.split("\n")[block.start : block.end])
        return textwrap.indent(source, block.indent)


def read_document(raw: str, suffix: str) -> Document:
    """Read a document.

    Raises
    ------
    NotebookError
        For one that cannot stand in a docstring.
    """
    if '"""' in raw or raw.rstrip("\n").endswith(("\\", '"')) or not raw.endswith("\n") or "\r" in raw:
        raise NotebookError('a document with """, with carriage returns or without a newline at its end')
    lines = raw.split("\n")
    found = _fenced(lines) if suffix == ".md" else _directed(lines)
    return Document(raw, tuple(block for block in found if _is_python(block.source)))


def _is_python(source: str) -> bool:
    try:
        return ">>>" not in source and bool(ast.parse(source).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _fenced(lines: list[str]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        head = re.match(r"[ ]*(`{3,}|~{3,})", lines[at])
        at += 1
        if head is None:
            continue
        end = next((n for n in range(at, len(lines)) if lines[n].strip() == head[1]), len(lines))
        if match := _FENCE.fullmatch(lines[at - 1]):
            yield _block(lines, at, end, match["indent"])
        at = end + 1


def _directed(lines: list[str]) -> Iterator[Block]:
    for at, line in enumerate(lines):
        match = _DIRECTIVE.fullmatch(line)
        if match is None:
            continue
        start = at + 1
        while start < len(lines) and (_OPTION.match(lines[start]) or not lines[start].strip()):
            start += 1
        outer = len(match["indent"])
        end = start
        while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > outer):
            end += 1
        while end > start and not lines[end - 1].strip():
            end -= 1
        if end > start:
            inner = len(lines[start]) - len(lines[start].lstrip())
            yield _block(lines, start, end, " " * inner)


def _block(lines: list[str], start: int, end: int, indent: str) -> Block:
    source = "\n".join(line.removeprefix(indent) for line in lines[start:end])
    return Block(start, end, indent, source)
