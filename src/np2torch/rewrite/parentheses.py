"""Parentheses of expressions that come to stand in other places: added where they are needed, dropped where spare."""

from __future__ import annotations

from typing import Any

import libcst as cst

from np2torch.rewrite.shaping import comments_in

ATOMS = (
    cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.List,
    cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp, cst.FormattedString, cst.Ellipsis,
)  # fmt: skip
"""Expressions that need no parentheses in front of a dot."""
OPEN = (
    cst.Arg, cst.Index, cst.Element, cst.Assign, cst.AssignTarget, cst.Expr, cst.Return, cst.AugAssign, cst.Slice,
    cst.DictElement, cst.FormattedStringExpression,
)  # fmt: skip
"""Parents in which any expression may stand bare."""
APART = (
    cst.Assign, cst.AugAssign, cst.Arg, cst.Attribute, cst.Index, cst.Element, cst.BinaryOperation,
)  # fmt: skip
"""Parents that have a sign of punctuation in front of each expression."""
TIGHT = (
    cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.ComparisonTarget, cst.Attribute, cst.BooleanOperation,
    cst.Await, cst.Subscript,
)  # fmt: skip
"""Parents in which an expression of another kind than before needs parentheses."""


def needs_parentheses(piece: Any, parent: Any) -> bool:
    """Tell whether an expression would be parsed differently, or not at all, in its new place."""
    if getattr(piece, "lpar", None) or isinstance(piece, ATOMS):
        return isinstance(piece, cst.Integer) and isinstance(parent, (cst.Attribute, type)) and not piece.lpar
    if parent is None or isinstance(parent, OPEN):
        bare_tuple = isinstance(parent, cst.Arg) and isinstance(piece, cst.Tuple) and not piece.lpar
        return isinstance(piece, (cst.GeneratorExp, cst.NamedExpr, cst.Yield)) or bare_tuple
    return True


def bare(piece: Any, parent: Any) -> Any:
    """Drop parentheses that only the old place needed."""
    if isinstance(parent, cst.Arg) and isinstance(piece, (cst.BinaryOperation, cst.Comparison, cst.Call)):
        if len(piece.lpar) == 1 and not any(comments_in(one) for one in (*piece.lpar, *piece.rpar)):
            return piece.with_changes(lpar=[], rpar=[])
    return piece


def add_parentheses(piece: Any) -> Any:
    """An expression in one more pair of parentheses."""
    return piece.with_changes(lpar=[cst.LeftParen(), *piece.lpar], rpar=[*piece.rpar, cst.RightParen()])


def fit(parent: Any, old: Any, new: Any) -> Any:
    """Keep the tree valid where a new expression needs parentheses its predecessor did not, and drop spare ones."""
    if _stands_apart(parent) and (plain := without_spare(old, new)) is not new:
        return plain
    if not isinstance(parent, TIGHT) or not isinstance(new, cst.BaseExpression):
        return new
    if isinstance(new, ATOMS) or new.lpar or type(new) is type(old):
        return new
    return add_parentheses(new)


def without_spare(old: Any, new: Any) -> Any:
    """A call that has taken the place of operators, without the parentheses that these needed."""
    if new is old or not isinstance(new, cst.Call) or isinstance(old, ATOMS) or len(new.lpar) != 1:
        return new
    has_comment = any(comments_in(one) for one in (*new.lpar, *new.rpar))
    return new if has_comment else new.with_changes(lpar=[], rpar=[])


def _stands_apart(parent: Any) -> bool:
    """Tell whether an expression is separated from the word in front of it by more than its own parentheses."""
    for name in ("whitespace_after_return", "whitespace_before_test"):
        if hasattr(parent, name):
            return bool(getattr(getattr(parent, name), "value", ""))
    return isinstance(parent, APART)
