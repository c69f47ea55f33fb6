"""NumPy's functions that `map` calls: `a, b = map(np.radians, (a, b))`."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments
from np2torch.rules.core import FUNCTIONS, Rule
from np2torch.rules.site import ModuleContext, placeholder
from np2torch.rules.syntax.calls import by_rule


def torch_function(ctx: ModuleContext, node: ast.expr, canonical: str) -> str | None:
    """Give the function of torch that stands for one of NumPy's in a `map` over tensors that are written out.

    None where the items need casts, or are not known to be tensors.
    """
    call = ctx.parents.get(node)
    found = FUNCTIONS.get(canonical)
    if found is None or not isinstance(call, ast.Call) or ctx.fact(call.func) != v.one(v.Builtin("map")):
        return None
    match call:
        case ast.Call(args=[function, ast.Tuple(elts=items) | ast.List(elts=items)], keywords=[]) if function is node:
            spelled = {_spelled(ctx, call, found, item) for item in items}
            return spelled.pop() if len(spelled) == 1 else None
    return None


def _spelled(ctx: ModuleContext, call: ast.Call, found: Rule, item: ast.expr) -> str | None:
    """Give the function that takes one item as it is."""
    fact = ctx.fact(item)
    if isinstance(item, ast.Starred) or not v.is_tensor(fact):
        return None
    edit = by_rule(ctx, call, found, Arguments([Argument(item, fact)]), "function", found.name)
    if edit is None or edit.outcome != "native" or [keyword for keyword, _ in edit.arguments] != [None]:
        return None
    is_whole = edit.arguments[0][1] == placeholder(0)
    return edit.function if is_whole and edit.function.startswith("torch.") else None
