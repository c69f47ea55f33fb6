"""Tests for the class or dtype of an array that stays on NumPy: they keep NumPy's classes."""

from __future__ import annotations

import ast

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.names import resolve
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext, source_of
from np2torch.rules.syntax.annotations import alternatives
from np2torch.rules.syntax.foreign import to_numpy
from np2torch.rules.syntax.structured_dtypes import names_numpy_only

ASKING = ("isinstance", "issubclass")
CLASSES = frozenset({"ndarray"}) | resolve.SCALAR_CLASSES | resolve.ABSTRACT_CLASSES
"""NumPy's classes that are torch's, or the shim's, elsewhere."""
WHY = "asked of an array that stays on NumPy"

@on(Phase.KEPT, ast.Compare)
def comparison(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    """`type(x) is np.ndarray`, `x.dtype == np.float64`."""
    sides = [node.left, *node.comparators]
    if any(_asks_numpy(ctx, side) for side in sides):
        for side in sides:
            _keep(ctx, side)
        by_value = all(isinstance(op, (ast.Eq, ast.NotEq)) for op in node.ops)
        for side in sides:
            if by_value and not _asks_numpy(ctx, side) and side not in ctx.edits:
                to_numpy(ctx, side)
    return None


@on(Phase.KEPT, ast.Call)
def question(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`isinstance(x, np.floating)`, `issubclass(x.dtype.type, np.floating)`."""
    atom = v.sole(ctx.fact(node.func))
    if isinstance(atom, v.Builtin) and atom.name in ASKING and len(node.args) == 2:
        asked = node.args[0]
        if results.stays(ctx.fact(asked)) or _asks_numpy(ctx, asked):
            for one in alternatives(node.args[1]):
                _keep(ctx, one)
    return None


def _asks_numpy(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is `type(x)`, `x.dtype` or `x.dtype.type` of what stays on NumPy."""
    if isinstance(node, ast.Call):
        called = ctx.fact(node.func) == v.one(v.Builtin("type"))
        return called and len(node.args) == 1 and results.stays(ctx.fact(node.args[0]))
    if isinstance(node, ast.Attribute) and node.attr == "type":
        node = node.value
    return isinstance(node, ast.Attribute) and node.attr == "dtype" and results.stays(ctx.fact(node.value))


def _keep(ctx: ModuleContext, node: ast.expr) -> None:
    """NumPy's classes among the sides of the question."""
    for one in node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]:
        if isinstance(one, (ast.Name, ast.Attribute)) and _is_class(ctx.fact(one)) and names_numpy_only(ctx, one):
            note = f"NPT305 {WHY}; NumPy's class is kept."
            ctx.edits[one] = Edit(one, "todo", "NPT305", source_of(one), WHY, note=note)
            ctx.keep_name(one)


def _is_class(fact: v.Fact) -> bool:
    return any(isinstance(a, v.Numpy) and resolve.canonical(a.name).removeprefix("numpy.") in CLASSES for a in fact)
