"""Stores into what may be a NumPy scalar: it has no items to be set, the 0-D tensor in its place has one."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import ModuleContext

WHY = "the items of a NumPy scalar cannot be set"


@on(Phase.REST, ast.Assign)
@on(Phase.PYTHON, ast.AugAssign)
def items_of_scalar(ctx: ModuleContext, node: ast.Assign | ast.AugAssign) -> None:
    """`x[x < 0] = 0` of a scalar is a TypeError, by which programs tell scalars from arrays."""
    if ctx.converted_already():
        return
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        for one in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if isinstance(one, ast.Subscript) and _may_be_scalar(ctx, node, ctx.fact(one.value)):
                ctx.wrap(one.value, "shim.assignable(", ")", "shim", "NPT150", WHY)


def _may_be_scalar(ctx: ModuleContext, node: ast.stmt, owner: v.Fact) -> bool:
    """Tell whether it may be a scalar that a store must refuse; certain, or with a handler of the error around it."""
    if not any(isinstance(atom, v.Scalar) and not atom.python for atom in owner):
        return False
    ranks = [atom.ranks for atom in owner if isinstance(atom, v.Array)]
    certain = not v.known_to_include(owner, "unknown") and all(one is not None and 0 not in one for one in ranks)
    return certain or _is_caught(ctx, node)


def _is_caught(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether a handler around it catches TypeError by that name."""
    while (parent := ctx.parents.get(node)) is not None and not isinstance(parent, (ast.FunctionDef, ast.Lambda)):
        if isinstance(parent, ast.Try) and node in parent.body and any(map(_names_type_error, parent.handlers)):
            return True
        node = parent
    return False


def _names_type_error(handler: ast.ExceptHandler) -> bool:
    kind = handler.type
    names = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(name, ast.Name) and name.id == "TypeError" for name in names)
