"""Elements of arrays: NumPy copies them where they are read, torch gives views."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.rules.site import Context

DISPLAYS = (ast.List, ast.Tuple, ast.ListComp)


def element_reads(ctx: Context, node: ast.expr) -> list[ast.expr]:
    """Expressions in a value that are elements of arrays, which NumPy copies and torch shares."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [e for item in node.elts for e in element_reads(ctx, item)]
    if isinstance(node, ast.Dict):
        return [e for item in node.values for e in element_reads(ctx, item)]
    if isinstance(node, ast.ListComp):
        return element_reads(ctx, node.elt)
    if isinstance(node, (ast.Starred, ast.NamedExpr)):
        return element_reads(ctx, node.value)
    if isinstance(node, ast.BinOp):  # `[a[0]] * 2`: the list holds the element
        sides = [side for side in (node.left, node.right) if isinstance(side, (*DISPLAYS, ast.BinOp))]
        return [e for side in sides for e in element_reads(ctx, side)]
    if isinstance(node, ast.IfExp):
        return element_reads(ctx, node.body) + element_reads(ctx, node.orelse)
    if isinstance(node, ast.Subscript) and v.known_to_include(ctx.fact(node.value), "array"):
        fact = ctx.fact(node)
        indices = all(v.only(ctx.fact(part), "number", "scalar") for part in index_parts(node.slice))
        maybe = indices and v.only(fact, "array") and v.ranks_of(fact) is None
        return [node] if v.known_to_include(fact, "scalar") or maybe else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("max", "min"):
            return [node] if v.known_to_include(ctx.fact(node), "scalar") else []
        if node.func.id in ("list", "tuple", "sorted") and node.args and isinstance(node.args[0], ast.GeneratorExp):
            return element_reads(ctx, node.args[0].elt)
    return []


def clone_element(ctx: Context, node: ast.expr, why: str) -> None:
    """Clone an element; what may be an element, as run time tells."""
    if v.only(ctx.fact(node), "scalar"):
        ctx.clone(node, why)
    else:
        ctx.wrap(node, "shim.element(", ")", "shim", "NPT202", "a copy if it is an element: " + why)


def save_elements(ctx: Context, value: ast.expr) -> None:
    """Clone the elements in a value that is kept, where their arrays are written later."""
    for read in element_reads(ctx, value):
        if ctx.written_later(read):
            clone_element(ctx, read, "the array is written later; NumPy saved a copy of the element")
