"""Import lines in the concrete tree: taken out, reduced, and put where they run before what needs them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Sequence
from typing import Any

import libcst as cst

from np2torch.rewrite.imports import Imports
from np2torch.rewrite.spelling import STANDARD

STANDARD_LINES = frozenset(f"import {name}" for name in STANDARD)
"""Imports that stand with those of the standard library."""


def rewrite_imports(body: list[Any], tree: ast.Module, imports: Imports, new_body: list[Any]) -> list[Any]:
    """The module body with its imports seen to.

    Parameters
    ----------
    body, new_body
        Statement lines before and after rewriting, one for one.
    """
    statements = iter(tree.body)
    out: list[Any] = []
    pending: list[Any] = []  # what stood above an import that went: the next line takes it
    added = imports.lines_for(tree) if imports.anchor is None else []
    for old, new in zip(body, new_body, strict=True):
        here = [next(statements) for _ in (old.body if isinstance(old, cst.SimpleStatementLine) else (old,))]
        if not isinstance(new, cst.SimpleStatementLine) or not any(map(imports.concerns, here)):
            out.append(new.with_changes(leading_lines=_above(pending, new)) if pending else new)
            pending = []
            continue
        kept, after = replace_imports(list(zip(here, new.body, strict=True)), imports)
        added += [text for text in after if text in STANDARD_LINES]  # they have a place of their own
        lines = [_line(text) for text in after if text not in STANDARD_LINES]
        if kept or lines:
            out += _in_place(kept, lines, new, _above(pending, new))
            pending = []
        else:
            pending += [line for line in new.leading_lines if line.comment is not None or out]
    return _with_lines(out, added)


def _in_place(kept: list[Any], lines: list[Any], old: Any, above: list[Any]) -> list[Any]:
    """The line of an import with what is kept of it, and the new ones below it or in its place."""
    if kept:
        return [old.with_changes(body=kept, leading_lines=above), *lines]
    first = lines[0].with_changes(leading_lines=above, trailing_whitespace=old.trailing_whitespace)
    return [first, *lines[1:]]


def _with_lines(body: list[Any], added: list[str]) -> list[Any]:
    """A module body with imports at their places, those of the standard library beside each other."""
    if new_lines := [_line(text) for text in added if text not in STANDARD_LINES]:
        body = _insert(body, new_lines)
    for text in reversed([text for text in added if text in STANDARD_LINES]):
        body = _insert_standard(body, text)
    return body


def _above(pending: list[Any], line: Any) -> list[Any]:
    """Join the lines above a removed import with those above the next line, with blank lines once."""
    is_apart = any(one.comment is None for one in line.leading_lines)
    return [*(one for one in pending if one.comment is not None or not is_apart), *line.leading_lines]


def replace_imports(smalls: Sequence[tuple[ast.stmt | None, Any]], imports: Imports) -> tuple[list[Any], list[str]]:
    """Rewrite the imports among the statements of a line, and give the imports to write on lines below.

    New imports stand on the line itself if something follows there.
    """
    kept: list[Any] = []
    needed: dict[str, None] = {}
    for index, (statement, small) in enumerate(smalls):
        if statement is None or not imports.concerns(statement):
            kept += [_small(text) for text in needed]
            needed = {}
            kept.append(small)
            continue
        left = without_names(imports.statements.get(statement, ()), statement, small)
        if left is not None:
            kept.append(left)
        needed.update(dict.fromkeys([*imports.lines_at(statement), *imports.moved_line(statement)]))
        if index == len(smalls) - 1 and kept:
            kept[-1] = kept[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
    return kept, list(needed)


def without_names(gone: Collection[ast.alias], node: ast.stmt, small: Any) -> Any | None:
    """An import statement without the names that go; None when none is left."""
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    left = [index for index, alias in enumerate(node.names) if alias not in gone]
    if not left:
        return None
    if not gone:
        return small
    names = [small.names[index] for index in left]
    comma = small.names[-1].comma if getattr(small, "rpar", None) else cst.MaybeSentinel.DEFAULT
    names[-1] = names[-1].with_changes(comma=comma)
    return small.with_changes(names=names)


def _small(text: str) -> cst.BaseSmallStatement:
    return _line(text).body[0]


def _line(text: str) -> cst.SimpleStatementLine:
    found = cst.parse_statement(text)
    assert isinstance(found, cst.SimpleStatementLine)
    return found


def _is_preamble(small: Any, is_first: bool) -> bool:
    """Tell whether it is a docstring, or an import from `__future__`."""
    value = small.value if isinstance(small, cst.Expr) and is_first else None
    is_doc = isinstance(value, (cst.SimpleString, cst.ConcatenatedString))
    return is_doc or isinstance(small, cst.ImportFrom) and _module_name(small) == "__future__"


def _smalls(line: Any) -> Sequence[Any]:
    return line.body if isinstance(line, cst.SimpleStatementLine) else ()


def _preamble(body: list[Any]) -> int:
    """Count the lines of a docstring and of `from __future__` imports."""
    index = 0
    while index < len(body) and (smalls := _smalls(body[index])) and _is_preamble(smalls[0], not index):
        index += 1
    return index


def _split(body: list[Any]) -> list[Any]:
    """The body with nothing but docstring and `from __future__` imports on the line where these end."""
    last = _preamble(body) - 1
    smalls = _smalls(body[last]) if last >= 0 else ()
    count = next((n for n, small in enumerate(smalls) if not _is_preamble(small, not last and not n)), len(smalls))
    if count == len(smalls):
        return body
    first, rest = list(smalls[:count]), body[last].with_changes(body=smalls[count:], leading_lines=[])
    first[-1] = first[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
    return [*body[:last], cst.SimpleStatementLine(first, body[last].leading_lines), rest, *body[last + 1 :]]


def _imported(line: Any) -> Any | None:
    """The first import on a line of imports alone."""
    smalls = _smalls(line)
    return smalls[0] if smalls and all(isinstance(small, (cst.Import, cst.ImportFrom)) for small in smalls) else None


def _insert(body: list[Any], lines: list[Any]) -> list[Any]:
    body = _split(body)
    index = _preamble(body)
    last = index
    while last < len(body) and _imported(body[last]) is not None:
        last += 1
    if last == index and index:
        lines = [lines[0].with_changes(leading_lines=[cst.EmptyLine()]), *lines[1:]]
    if last < len(body) and last == index and not index and hasattr(body[last], "leading_lines"):
        head = body[last].leading_lines
        lines = [lines[0].with_changes(leading_lines=head), *lines[1:]]
        body = [*body[:last], body[last].with_changes(leading_lines=[]), *body[last + 1 :]]
    return [*body[:last], *lines, *body[last:]]


def _insert_standard(body: list[Any], text: str) -> list[Any]:
    """`import math` or its like among the standard library's imports, or a group of its own above the others."""
    body, added = _split(body), text.removeprefix("import ")
    start = _preamble(body)
    first: int | None = None
    for number, line in enumerate(body[start:], start):
        small = _imported(line)
        if small is None:
            break
        if first is None:
            first = number
        name = _module_name(small)
        if name.split(".")[0] in sys.stdlib_module_names and isinstance(small, cst.Import) and name > added:
            made = _line(text).with_changes(leading_lines=line.leading_lines)
            return [*body[:number], made, line.with_changes(leading_lines=[]), *body[number + 1 :]]
        if name.split(".")[0] not in sys.stdlib_module_names:
            if number > first:
                return [*body[:number], _line(text), *body[number:]]
            made = _line(text).with_changes(leading_lines=line.leading_lines)
            apart = line.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
            return [*body[:number], made, apart, *body[number + 1 :]]
    return _insert(body, [_line(text)])


def _module_name(small: Any) -> str:
    node = small.names[0].name if isinstance(small, cst.Import) else small.module
    return cst.Module([]).code_for_node(node) if node is not None else "."
