"""Sites that settings or comments leave on NumPy by their codes: ndarrays go in and what comes out becomes a tensor.

In a file of which nothing else is converted there is nothing to go in or out, and it stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from np2torch.facts import values as v
from np2torch.names.tree import children
from np2torch.rewrite.plan import Plan, position
from np2torch.rules.site import ModuleContext, source_of
from np2torch.rules.syntax.foreign import holds_tensor, may_hold_any, to_numpy
from np2torch.source.model import Remark

LISTED = "NPT514"
VALUES = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Attribute, ast.Subscript)
"""Expressions that NumPy can work out for itself when it is given arrays."""


def settle(ctx: ModuleContext, plan: Plan) -> Iterator[Remark]:
    """Put boundaries around the sites that were refused; where that cannot be, say so."""
    refused = {node: edit for node, edit in ctx.refused.items() if _meets_arrays(ctx, node)}
    if ctx.converted_already():
        return  # the boundaries are there
    is_mixed = any(edit.replaces or edit.decorates for edit in plan.edits.values()) or bool(plan.wraps.keys() - refused)
    if not is_mixed:
        for node in refused:
            plan.wraps.pop(node, None)
    wanted = [code for code in ("NPT401", "NPT403") if ctx.selects(code)]
    for node, edit in refused.items():
        if is_mixed and len(wanted) == 2 and edit.outcome != "todo" and _is_value(node):
            _bound(ctx, node, refused)
        elif edit.outcome != "todo":
            message = f"{source_of(node)}: {edit.code} is not wanted here; it stays as it is, beside tensors"
            yield Remark(*position(ctx, node), LISTED, message)
    for node, wraps in ctx.unwanted_wraps.items():
        for wrap in wraps:
            if wrap.outcome == "cast":
                message = f"{source_of(node)}: {wrap.code} is not wanted here, and {wrap.message} is left out"
                yield Remark(*position(ctx, node), LISTED, message)


def _meets_arrays(ctx: ModuleContext, node: ast.AST) -> bool:
    if node in ctx.left_nodes:
        return False
    parts = [node, *operands(node)] if isinstance(node, VALUES) else [node, *children(node)]
    return any(holds_tensor(ctx.fact(part)) for part in parts if isinstance(part, ast.expr))


def _is_value(node: ast.AST) -> bool:
    return isinstance(node, VALUES) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def operands(node: ast.AST) -> list[ast.expr]:
    """The expressions whose values a site works on; of a function of NumPy's the arguments."""
    if isinstance(node, ast.Call):
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*receiver, *node.args, *(keyword.value for keyword in node.keywords)]
    return [one for one in children(node) if isinstance(one, ast.expr)]


def _bound(ctx: ModuleContext, node: ast.AST, refused: Mapping[ast.AST, object]) -> None:
    """ndarrays in, a tensor out; what goes from one such site to another stays an ndarray."""
    assert isinstance(node, ast.expr)
    for part in operands(node):
        is_array = holds_tensor(ctx.fact(part)) or may_hold_any(ctx, ctx.fact(part))
        if part not in refused and is_array and not v.known_to_include(ctx.fact(part), "module", "numpy"):
            to_numpy(ctx, part)
    parent = ctx.parents.get(node)
    parent = ctx.parents.get(parent) if isinstance(parent, ast.keyword) else parent
    if parent not in refused and not isinstance(parent, ast.Expr) and holds_tensor(ctx.fact(node)):
        ctx.wrap(node, "shim.from_numpy(", ")", "boundary", "NPT403", "an ndarray comes back")
