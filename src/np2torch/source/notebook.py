"""Notebooks as Python text: the code cells one after the other, since a cell goes on where the ones before it ended.

The text begins each cell with a string, and has strings and calls in the place of what is IPython's alone (`%matplotlib
inline`, `!ls`, `x = !ls`). From the converted text the cells are cut again; all else in the file stays as it is.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

SUFFIX = ".ipynb"
CELL = re.compile(r'^"np2torch:cell:(\d+)"[ \t]*$', re.MULTILINE)
LINE = re.compile(r'"np2torch:line:(\d+)"')
VALUE = re.compile(r"np2torch_line\((\d+)\)")
TIMED = re.compile(r'^([ \t]*)if "np2torch:timed:(\d+)":((?:.*)(?:\n(?:\1[ \t]+.*)?)*)', re.MULTILINE)
_TIMING = re.compile(r"(\s*)(%(?:time|timeit|prun|memit)\b(?:\s+-\w+(?:\s*\d+)?)*)\s+(?=\S)(.*)")
_SPECIAL = re.compile(r"(\s*)(?:[%!?]|.*[\w)\]]\?{1,2}\s*$)")
_ASSIGNED = re.compile(r"(\s*[\w.,\s\[\]'\"]+?=\s*)([%!].*)")
_PYTHON_CELLS = re.compile(r"%%(?:time|timeit|capture|prun|memit)\b")


class NotebookError(ValueError):
    """Why a notebook cannot be read; the message is one line."""


@dataclass(frozen=True, eq=False)
class Notebook:
    """A notebook as it is in the file.

    Attributes
    ----------
    raw
        The text of the file.
    document
        What it says.
    text
        The Python text that stands for it.
    lines
        What stood in the place of each placeholder.
    starts
        For each cell in the text its number in the notebook, from 1, and the number of the line that begins it.
    """

    raw: str
    document: dict[str, Any]
    text: str
    lines: tuple[str, ...]
    starts: tuple[tuple[int, int], ...]

    def place(self, line: int) -> tuple[int, int]:
        """Give cell and line in it, both from 1, of a line of the text."""
        found = self.starts[0] if self.starts else (1, 0)
        for cell, start in self.starts:
            if start < line:
                found = cell, start
        return found[0], max(line - found[1], 1)

    def readable(self, text: str) -> str:
        """Give a text as people read it, with the lines of IPython in their places."""
        return self._restored(CELL.sub(lambda match: f"# %% cell {match[1]}", text))

    def with_text(self, text: str) -> str:
        """Give the text of the file with the cells of another Python text."""
        if text == self.text:
            return self.raw
        document = json.loads(self.raw)
        for number, source in self._cells(text):
            cell = document["cells"][number - 1]
            if "".join(cell["source"]) != source:
                lines = source.splitlines(keepends=True)
                cell["source"] = lines if isinstance(cell["source"], list) else source
        return _spelled(document, self.raw)

    def _cells(self, text: str) -> Iterator[tuple[int, str]]:
        """Cut a text into its cells."""
        parts = CELL.split(text)
        if [int(number) for number in parts[1::2]] != [number for number, _ in self.starts]:
            raise NotebookError("the cells of the converted text are not those of the notebook")
        carried = parts[0].strip("\n")  # imports that were put above all, or into a cell that is no Python
        for at, (number, _) in enumerate(self.starts):
            old, part = "".join(self.document["cells"][number - 1]["source"]), parts[2 * at + 2]
            if _is_foreign(old):
                carried = "\n".join(filter(None, (carried, LINE.sub("", part).strip("\n"))))
                yield number, old
                continue
            source = self._restored(part.removeprefix("\n").removesuffix("\n"))
            first = old.partition("\n")[0]
            if old.startswith("%%"):  # stays the first line
                source = source.replace(f"{first}\n", "", 1)
                source = "\n".join((first, *filter(None, (carried,)), source.lstrip("\n")))
            else:
                source = source if old.startswith("\n") else source.lstrip("\n")
                source = f"{carried}\n{source}" if carried else source
            carried = ""
            yield number, source
        if carried:
            raise NotebookError("no cell takes the imports of the converted text")

    def _restored(self, text: str) -> str:
        text = TIMED.sub(self._timed, text)
        text = VALUE.sub(lambda match: self.lines[int(match[1])], text)
        return LINE.sub(lambda match: self.lines[int(match[1])], text)

    def _timed(self, match: re.Match[str]) -> str:
        """Put the code of `%timeit` on its line again."""
        code = match[3]
        if "\n" in code.strip("\n"):
            body = ast.parse(f"if 1:{code}").body[0]
            assert isinstance(body, ast.If)
            code = "; ".join(map(ast.unparse, body.body))
        ending = code[len(code.rstrip("\n")) :]
        return f"{match[1]}{self.lines[int(match[2])]} {code.strip()}{ending}"


def read_notebook(raw: str) -> Notebook | None:
    """Read a notebook; None for one in another language than Python.

    Raises
    ------
    NotebookError
        For what is no notebook, or one of a format before 4.
    """
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise NotebookError(f"not a notebook: {error}") from None
    if not isinstance(document, dict) or "nbformat" not in document:
        raise NotebookError("not a notebook: it has no nbformat")
    if document["nbformat"] != 4 or not isinstance(document.get("cells"), list):
        raise NotebookError(f"format {document['nbformat']}; `jupyter nbconvert --to notebook` makes it 4")
    metadata = document.get("metadata", {})
    spec = metadata.get("kernelspec", {})
    language = spec.get("language") or metadata.get("language_info", {}).get("name") or "python"
    if language != "python":
        return None
    text, lines, starts = "", list[str](), list[tuple[int, int]]()
    for number, cell in enumerate(document["cells"], 1):
        if cell.get("cell_type") == "code":
            starts.append((number, text.count("\n") + 1))
            source = _python("".join(cell["source"]), lines)
            text += f'"np2torch:cell:{number}"\n{source}\n'
    return Notebook(raw, document, text, tuple(lines), tuple(starts))


def _is_foreign(source: str) -> bool:
    """Tell whether a cell is no Python."""
    return source.startswith("%%") and not _PYTHON_CELLS.match(source)


def _python(source: str, lines: list[str]) -> str:
    """Give a cell as Python, with placeholders; `lines` gets what they stand for."""

    def keep_line(text: str) -> int:
        lines.append(text)
        return len(lines) - 1

    if _is_foreign(source):
        return f'"np2torch:line:{keep_line(source)}"'
    inside = _inside_strings(source)
    found: list[str] = []
    rows = source.split("\n")
    at = 0
    while at < len(rows):
        row = rows[at]
        first = at
        while row.rstrip().endswith("\\") and _SPECIAL.match(rows[first]) and at + 1 < len(rows):
            at += 1
            row += "\n" + rows[at]
        at += 1
        if first + 1 in inside:
            found.append(row)
        elif match := _TIMING.fullmatch(row):
            found.append(f'{match[1]}if "np2torch:timed:{keep_line(match[2])}": {match[3]}')
        elif match := _SPECIAL.match(row):
            found.append(f'{match[1]}"np2torch:line:{keep_line(row[len(match[1]) :])}"' + "\n" * row.count("\n"))
        elif match := _ASSIGNED.fullmatch(row):
            found.append(f"{match[1]}np2torch_line({keep_line(match[2])})")
        else:
            found.append(row)
    return "\n".join(found)


def _inside_strings(source: str) -> set[int]:
    """Number the lines that begin inside a string or a bracket, where `%` and `!` are no magic."""
    found: set[int] = set()
    depth, quote = 0, ""
    for number, row in enumerate(source.split("\n"), 1):
        if quote or depth:
            found.add(number)
        if not quote and not depth and _SPECIAL.match(row):
            continue
        at = 0
        while at < len(row):
            if quote:
                if row[at] == "\\":
                    at += 1
                elif row.startswith(quote, at):
                    at += len(quote) - 1
                    quote = ""
            elif row[at] == "#":
                break
            elif row[at] in "\"'":
                quote = row[at] * 3 if row.startswith(row[at] * 3, at) else row[at]
                at += len(quote) - 1
            elif row[at] in "([{":
                depth += 1
            elif row[at] in ")]}":
                depth = max(depth - 1, 0)
            at += 1
        if len(quote) == 1 and not row.endswith("\\"):
            quote = ""
    return found


def _spelled(document: dict[str, Any], raw: str) -> str:
    """Spell a notebook as its file does: indentation, characters beyond ASCII, the end."""
    match = re.match(r"\{\r?\n( +|\t+)", raw)
    indent = None if match is None else match[1] if match[1].startswith("\t") else len(match[1])
    separators = None if indent is not None or ": " in raw[:40] else (",", ":")
    text = json.dumps(document, indent=indent, ensure_ascii=raw.isascii(), separators=separators)
    if "\r\n" in raw:
        text = text.replace("\n", "\r\n")
    return text + raw[len(raw.rstrip()) :]


class CellPositions(Protocol):
    """An object with positions other than those of its Python text."""

    def place(self, line: int) -> tuple[int, int]:
        """Give cell and line in it, or 0 and the line in the file."""


_READ: dict[str, CellPositions] = {}


def remember(path: str, notebook: CellPositions) -> None:
    """Let positions in a notebook be given as cell and line, wherever they are printed."""
    _READ[path] = notebook


def position(path: str, line: int, column: int) -> str:
    """Spell a place for people: `file:line:column`, and `file:cell 3:line:column` in a notebook."""
    if path in _READ:
        cell, row = _READ[path].place(line)
        return f"{path}:cell {cell}:{row}:{column}" if cell else f"{path}:{row}:{column}"
    return f"{path}:{line}:{column}"


def place_in_cell(path: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Give an entry of a document that has a `line`, with cell and line in it where the file is a notebook."""
    if path not in _READ:
        return entry
    cell, line = _READ[path].place(entry["line"])
    return {**({"cell": cell} if cell else {}), **entry, "line": line}
