"""Stores into what may be a NumPy scalar: it has no items to be set, the 0-D tensor in its place has one."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.handlers import Phase, on
from np2torch.rules.scalars.reads import ALWAYS_ARRAYS
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
            if isinstance(one, ast.Subscript) and _may_be_scalar(ctx, node, one.value):
                ctx.wrap(one.value, "shim.assignable(", ")", "shim", "NPT150", WHY)


def _may_be_scalar(ctx: ModuleContext, node: ast.stmt, written: ast.expr) -> bool:
    """Tell whether it may be a scalar that a store must refuse; certain, or with a handler of the error around it."""
    owner = ctx.fact(written)
    ranks = [atom.ranks for atom in owner if isinstance(atom, v.Array)]
    if not any(isinstance(atom, v.Scalar) and not atom.python for atom in owner):
        is_open = v.known_to_include(owner, "unknown") or None in ranks
        return is_open and _is_caught(ctx, node) and not _is_made_an_array(ctx, written)
    certain = not v.known_to_include(owner, "unknown") and all(one is not None and 0 not in one for one in ranks)
    return certain or _is_caught(ctx, node)


def _is_made_an_array(ctx: ModuleContext, written: ast.expr) -> bool:
    """Tell whether a name is bound to what is an array even without axes: `x = np.asarray(x)`."""
    scope: ast.AST | None = written
    while scope is not None and not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        scope = ctx.parents.get(scope)
    bindings = [one for one in ast.walk(scope) if isinstance(one, ast.Assign)] if scope is not None else []
    calls = [one.value for one in bindings if isinstance(one.value, ast.Call) and _binds(one, written)]
    return any(v.sole(ctx.fact(call.func)) in ALWAYS_ARRAYS for call in calls)


def _binds(node: ast.Assign, written: ast.expr) -> bool:
    return isinstance(written, ast.Name) and any(isinstance(t, ast.Name) and t.id == written.id for t in node.targets)


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
