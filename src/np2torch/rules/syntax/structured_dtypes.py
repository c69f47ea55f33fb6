"""Structured dtypes that are written out under a name before they are used: torch has none, and they stay NumPy's."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.names.tree import called_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import ModuleContext

TAKING_A_DTYPE = frozenset({"dtype", "astype", "view"})
"""The functions that take a dtype as their first argument."""


def is_field_type(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is the type of a field in a list that is used as a dtype: `fields = [("a", np.int64), ...]`."""
    field = ctx.parents.get(node)
    if not (isinstance(field, ast.Tuple) and len(field.elts) in (2, 3) and field.elts[1] is node):
        return False
    rows = ctx.parents.get(field)
    statement = ctx.parents.get(rows) if isinstance(rows, (ast.List, ast.ListComp)) else None
    if not isinstance(statement, (ast.Assign, ast.AugAssign)):
        return False
    if ctx.converted_already():  # what stands here was left on purpose, its use may be written otherwise by now
        return True
    names = _bound(statement)
    calls = [call for call in tree_walk(ctx.module.tree) if isinstance(call, ast.Call)]
    return any(isinstance(one, ast.Name) and one.id in names for call in calls for one in _dtypes(call))


def has_numpys_fields(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is the name of lists in which every type stands written out as NumPy's, and so stays as it is."""
    if not isinstance(node, ast.Name):
        return False
    statements = [one for one in tree_walk(ctx.module.tree) if isinstance(one, (ast.Assign, ast.AugAssign))]
    bound = [one for one in statements if node.id in _bound(one)]
    here = [one for one in bound if ctx.function(one) is ctx.function(node)]
    rows = [row for one in here or bound for row in getattr(one.value, "elts", [getattr(one.value, "elt", one.value)])]
    types = [row.elts[1:2] if isinstance(row, ast.Tuple) else [] for row in rows]
    return bool(types) and all(one and names_numpy_only(ctx, one[0]) for one in types)


def _bound(statement: ast.Assign | ast.AugAssign) -> set[str]:
    """The names that the statement binds alone, not as parts of a tuple."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def names_numpy_only(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is made of names of NumPy's and Python's alone, as `np.dtype("f4")` is."""
    names = [one for one in tree_walk(node) if isinstance(one, ast.Name)]
    return all(one.id in ctx.numpy_names or v.only(ctx.fact(one), "builtin", "module") for one in names)


def _dtypes(call: ast.Call) -> list[ast.expr]:
    found = [keyword.value for keyword in call.keywords if keyword.arg == "dtype"]
    name = called_name(call)
    return [*found, *(call.args[:1] if name in TAKING_A_DTYPE else [])]
