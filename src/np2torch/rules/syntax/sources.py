"""The source of the dtype of an expression: `x[1:]` and `x.T` are of one dtype, although it is unknown."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.names import resolve
from np2torch.names.tree import dotted_name, is_whole_number
from np2torch.rules.site import ModuleContext
from np2torch.rules.syntax.runtime_dispatch import PYTHON_NAMES

PLACED = frozenset(
    "reshape ravel flatten transpose squeeze swapaxes copy repeat take roll flip fliplr flipud tile moveaxis "
    "expand_dims broadcast_to sort".split()
)
"""Functions and methods that put the elements of their first operand elsewhere."""

SMALL = 128
"""Below it whole numbers fit every dtype of integers."""


def dtype_source(ctx: ModuleContext, node: ast.expr) -> str | None:
    """The text of the name or attribute whose dtype an expression has; None where it may have another."""
    if not v.only(ctx.fact(node), "array", "scalar"):
        return None
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        if node.attr == "T" and v.only(ctx.fact(node.value), "array", "scalar"):
            return dtype_source(ctx, node.value)
        return ast.unparse(node) if isinstance(node.value, ast.Name) else None
    if isinstance(node, ast.Subscript):
        return dtype_source(ctx, node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return dtype_source(ctx, node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        left = dtype_source(ctx, node.left)
        return left if left is not None and left == dtype_source(ctx, node.right) else None
    return dtype_source(ctx, moved) if isinstance(node, ast.Call) and (moved := _moved(ctx, node)) else None


def element_source(ctx: ModuleContext, node: ast.expr) -> str | None:
    """The text of what an expression is computed from alone: elements of one thing that has axes, `m[0, 1] - m[1, 0]`.

    Lists have no such subscripts, so that this is an array, or one of a library; its elements are of one dtype. Small
    whole numbers beside them make it no other, but for bools, which are no operands of a difference.
    """
    match node:
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[_, _, *_])):
            path = dotted_name(value)
            return None if path is None or path in ctx.mappings_of(ctx.function(node)) else path
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return element_source(ctx, operand)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult(), left=left, right=right):
            return common_source(ctx, left, right)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in PYTHON_NAMES:
            return common_source(ctx, left, right)
    return None


def common_source(ctx: ModuleContext, *sides: ast.expr) -> str | None:
    """The text of what all of these are computed from, but for small whole numbers."""
    found = {element_source(ctx, side) for side in sides if not _is_small(side)}
    return found.pop() if len(found) == 1 else None


def _is_small(node: ast.expr) -> bool:
    return is_whole_number(node) and 0 <= getattr(node, "value", -1) < SMALL


def _moved(ctx: ModuleContext, node: ast.Call) -> ast.expr | None:
    """The operand a call only puts elsewhere."""
    atom = v.sole(ctx.fact(node.func))
    if isinstance(atom, v.Numpy):
        known = resolve.canonical(atom.name).removeprefix("numpy.") in PLACED
        return node.args[0] if known and node.args else None
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in PLACED
    return node.func.value if is_method and isinstance(node.func, ast.Attribute) else None
