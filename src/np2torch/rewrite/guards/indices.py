"""The parameters that are only used as indices, arrays of them: `vertices[faces[:, 0]]`.

torch takes uint8 for a mask and refuses int16, so that each place would ask what the index is. A line at the entry asks
once: `faces = shim.tensor(faces, kinds="ib", numbers=False, lists=False)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from np2torch.facts import values as v
from np2torch.facts.checks import INDEX, INDICES, MADE
from np2torch.names.tree import is_whole_number
from np2torch.rewrite.guards.texts import uses_of
from np2torch.rules.site import ModuleContext
from np2torch.rules.syntax.coercions import is_coercion

AT, LENGTH, ARRAY, CALCULATED, OTHER = "index", "length", "array", "calculated with", "other"
"""An index; of a length, as lists are; what only arrays have or take; a number or an array; none of these."""
COERCED = "made an array"
"""What is made an array, by a line `x = np.asarray(x)` or by NumPy itself."""
ASKED = frozenset({"shape", "size", "ndim", "dtype", "max", "min"})
"""Attributes of arrays of which it makes no difference what indexes, and the largest and the least of indices."""
REARRANGED = frozenset({"ravel", "flatten", "reshape", "copy", "transpose"})
"""Methods of arrays that give the same values in another order or shape."""


def index_parameters(ctx: ModuleContext, function: ast.AST, names: Sequence[str]) -> dict[str, v.Fact]:
    """Give the parameters that are arrays of indices by all their uses, and what they are behind their lines."""
    uses = {name: set(_uses(ctx, function, name)) for name in names}
    indices = {name: found for name, found in uses.items() if AT in found and OTHER not in found}
    several = {name: found for name, found in indices.items() if found & {LENGTH, ARRAY, COERCED}}
    return {name: _behind(found) for name, found in several.items()}


def _behind(found: set[str]) -> v.Fact:
    if COERCED in found:
        return MADE
    return INDICES if found & {ARRAY, CALCULATED} else INDEX


def _uses(ctx: ModuleContext, function: ast.AST, name: str) -> Iterator[str]:
    for node in uses_of(function, name):
        if is_coercion(ctx, ctx.parents.get(node), name):
            yield COERCED
        else:
            yield from _use(ctx, node) if isinstance(node.ctx, ast.Load) else (OTHER,)


def _use(ctx: ModuleContext, node: ast.expr) -> Iterator[str]:
    """List what an expression is used as: an array of several axes, or of a length, and an index."""
    match parent := ctx.parents.get(node):
        case ast.Subscript() if parent.slice is node:
            yield AT
        case ast.Tuple():
            yield from _in_tuple(ctx, parent, node)
        case ast.Subscript(ctx=ast.Load()):
            yield from (ARRAY,) if isinstance(parent.slice, ast.Tuple) else (LENGTH,)
            yield from _use(ctx, parent)
        case ast.BinOp(left=left, right=right) if is_whole_number(left) or is_whole_number(right):
            yield CALCULATED
            yield from _use(ctx, parent)
        case ast.Attribute(attr=attribute) if attribute in ASKED:
            yield ARRAY
        case ast.Attribute(attr="T"):
            yield ARRAY
            yield from _use(ctx, parent)
        case ast.Attribute(attr=attribute) if attribute in REARRANGED:
            yield ARRAY
            call = ctx.parents.get(parent)
            yield from _use(ctx, call) if isinstance(call, ast.Call) and call.func is parent else (OTHER,)
        case ast.Call(func=ast.Name(id="len")):
            yield LENGTH
        case ast.Call() if _is_at(ctx, parent, node):
            yield from (AT, COERCED)
        case _:
            yield OTHER


def _in_tuple(ctx: ModuleContext, indices: ast.Tuple, node: ast.expr) -> Iterator[str]:
    """List what one of several indices is used as: beside an array as one of several elements."""
    above = ctx.parents.get(indices)
    if isinstance(above, ast.Subscript) and above.slice is indices:
        others = [ctx.fact(part) for part in indices.elts if part is not node]
        yield from (AT, LENGTH) if any(v.only(one, "array") for one in others) else (AT,)
    else:
        yield from (AT, COERCED) if _is_at(ctx, above, indices) else (OTHER,)


def _is_at(ctx: ModuleContext, call: ast.AST | None, indices: ast.expr) -> bool:
    """Tell the indices of a ufunc's method that takes them: `np.add.at(a, indices, b)`."""
    if not isinstance(call, ast.Call) or indices not in call.args[1:2]:
        return False
    function = v.sole(ctx.fact(call.func))
    return isinstance(function, v.Numpy) and function.name.endswith(".at")
