"""Masks by their text: comparisons that stand in an index, `x[(t > 0) & ~(t == 2)]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def is_mask(part: ast.expr) -> bool:
    """Tell whether an entry of an index is a comparison, or several that are combined."""
    match part:
        case ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() | ast.Eq() | ast.NotEq()]):
            return True
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return is_mask(operand)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), left=left, right=right):
            return is_mask(left) and is_mask(right)
    return False


def left_sides(mask: ast.expr) -> Iterator[ast.expr]:
    """The left sides of the comparisons of a mask: arrays, since a number would be a mask of nothing."""
    match mask:
        case ast.Compare(left=left):
            yield left
        case ast.UnaryOp(operand=operand):
            yield from left_sides(operand)
        case ast.BinOp(left=left, right=right):
            yield from (*left_sides(left), *left_sides(right))
