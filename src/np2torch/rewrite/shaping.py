"""The text of a statement that was rewritten, made to fit: long lines broken, comments that lost their place kept."""

from __future__ import annotations

import ast
from typing import Any

import libcst as cst

from np2torch.rewrite.layout import fit_lines, is_about_the_line

BODIES: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.If: ("body", "orelse"), cst.While: ("body", "orelse"), cst.For: ("body", "orelse"), cst.With: ("body",),
    cst.FunctionDef: ("body", "decorators", "lines_after_decorators"),
    cst.ClassDef: ("body", "decorators", "lines_after_decorators"),
}  # fmt: skip
"""Compound statements whose heads hold expressions, and what of them is no part of the head."""

CUT = "\f"
"""The mark in place of a large literal that the analysis shortened: its line has to stay as it is."""


def shape_statement(module: cst.Module, limit: int, statement: ast.stmt, old: Any, new: Any) -> Any:
    """A statement that fits: broken where it has become too long, comments above it that have no place in it any more.

    Parameters
    ----------
    limit
        The most characters of a line.
    statement
        What it was.
    """
    heads = _head(old), _head(new)
    if None in heads:
        return new
    before, after = (module.code_for_node(one).rstrip() for one in heads if one is not None)
    if CUT in before:
        return new
    comments = [comments_in(one) if "#" in text else [] for one, text in zip(heads, (before, after), strict=True)]
    if lost := [cst.EmptyLine(comment=cst.Comment(one)) for one in comments[0] if one not in comments[1]]:
        new = new.with_changes(leading_lines=[*new.leading_lines, *lost])
    trailing = getattr(getattr(new, "trailing_whitespace", None), "comment", None)
    if any(map(is_about_the_line, comments[1])) or trailing is not None and is_about_the_line(trailing.value):
        return new
    text = fit_lines(before, after, limit - statement.col_offset, module.default_indent)
    return new if text == after else _with_head(new, cst.parse_statement(text, module.config_for_parsing))


def _head(node: Any) -> Any | None:
    """The statement without comments, decorators and bodies; None where it is none that can be broken."""
    if isinstance(node, cst.SimpleStatementLine):
        if len(node.body) != 1:
            return None
        plain = node.trailing_whitespace.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
        return node.with_changes(leading_lines=[], trailing_whitespace=plain)
    if type(node) not in BODIES or not isinstance(node.body, cst.IndentedBlock):
        return None
    changes: dict[str, Any] = {name: None if name == "orelse" else () for name in BODIES[type(node)]}
    changes["body"] = cst.SimpleStatementSuite([cst.Pass()])
    return node.with_changes(leading_lines=[], **changes)


def _with_head(node: Any, head: Any) -> Any:
    """The statement with another head."""
    if isinstance(node, cst.SimpleStatementLine):
        return node.with_changes(body=head.body)
    return head.with_changes(leading_lines=node.leading_lines, **{n: getattr(node, n) for n in BODIES[type(node)]})


def comments_in(node: Any) -> list[str]:
    """The comments inside of a node."""
    if isinstance(node, cst.Comment):
        return [node.value]
    return [comment for child in node.children for comment in comments_in(child)]
