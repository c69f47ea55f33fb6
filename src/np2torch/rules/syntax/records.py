"""Structured dtypes that are written out under a name before they are used: torch has none, and they stay NumPy's."""

from __future__ import annotations

import ast

from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import Context

TAKING_A_DTYPE = frozenset({"dtype", "astype", "view"})
"""What takes a dtype as its first argument."""


def is_field_type(ctx: Context, node: ast.expr) -> bool:
    """Is it the type of a field in a list that is used as a dtype: `fields = [("a", np.int64), ...]`?"""
    field = ctx.parents.get(node)
    if not (isinstance(field, ast.Tuple) and len(field.elts) in (2, 3) and field.elts[1] is node):
        return False
    rows = ctx.parents.get(field)
    statement = ctx.parents.get(rows) if isinstance(rows, (ast.List, ast.ListComp)) else None
    if not isinstance(statement, (ast.Assign, ast.AugAssign)):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = {target.id for target in targets if isinstance(target, ast.Name)}
    calls = [call for call in tree_walk(ctx.module.tree) if isinstance(call, ast.Call)]
    return any(isinstance(one, ast.Name) and one.id in names for call in calls for one in _dtypes(call))


def _dtypes(call: ast.Call) -> list[ast.expr]:
    found = [keyword.value for keyword in call.keywords if keyword.arg == "dtype"]
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return [*found, *(call.args[:1] if name in TAKING_A_DTYPE else [])]
