"""Lists beside what may be an array: NumPy takes them for arrays, torch does not, and `==` would quietly be False."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.operators import involves_arrays
from np2torch.rules.syntax.runtime_dispatch import shim_operator

NO_LISTS = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.MatMult)
"""The operators that lists lack."""
CONDITIONS = (ast.If, ast.While, ast.Assert, ast.IfExp, ast.comprehension)


def _of_numbers(fact: v.Fact, depth: int = 0) -> bool:
    """Tell whether it is a list of numbers, or of such lists. Tuples are versions and shapes more often than arrays."""

    def fits(atom: v.Atom) -> bool:
        if not isinstance(atom, v.Sequence) or atom.type != "list":
            return False
        items = v.elements(atom)
        return v.only(items, "number", "array", "scalar") or depth < 3 and _of_numbers(items, depth + 1)

    return bool(fact) and all(fits(atom) for atom in fact)


def _beside_a_list(ctx: ModuleContext, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether one is operand a list of numbers, and the other anything."""
    if ctx.converted_already() or not ctx.mentions_numpy or involves_arrays(left, right):
        return False
    return any(_of_numbers(a) and v.known_to_include(b, "unknown") for a, b in ((left, right), (right, left)))


def _is_condition(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it decides a branch, as an array of several elements cannot."""
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.BoolOp) or isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        return True
    return isinstance(parent, CONDITIONS) and node in (getattr(parent, "test", None), *getattr(parent, "ifs", ()))


@on(Phase.REST, ast.BinOp)
def difference_with_list(ctx: ModuleContext, node: ast.BinOp) -> Edit | None:
    """`x - [1, 2]`: x is an array, or NumPy would raise too."""
    if isinstance(node.op, NO_LISTS) and _beside_a_list(ctx, ctx.fact(node.left), ctx.fact(node.right)):
        return shim_operator(ctx, node, node.op, node.left, node.right)
    return None


@on(Phase.REST, ast.Compare)
def comparison_with_list(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    """`(x <= [1, 2]).all()`, but not `if x == [1, 2]:`, which no array of two elements decides."""
    if len(node.ops) != 1 or isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot)):
        return None
    other = node.comparators[0]
    if _beside_a_list(ctx, ctx.fact(node.left), ctx.fact(other)) and not _is_condition(ctx, node):
        return shim_operator(ctx, node, node.ops[0], node.left, other)
    return None
