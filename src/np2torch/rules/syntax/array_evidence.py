"""Evidence that a name of unknown type is an array: NumPy computes with it in the same function."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.names.resolve import canonical
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.core import FUNCTIONS, METHODS_OF_UFUNCS, Rule
from np2torch.rules.site import ModuleContext


def rule_of(ctx: ModuleContext, function: ast.expr) -> Rule | None:
    """Find the rule of a function of NumPy's that is called, or of a ufunc's method."""
    atom = v.sole(ctx.fact(function))
    if not isinstance(atom, v.Numpy):
        return None
    name = canonical(atom.name)
    return FUNCTIONS.get(name) or METHODS_OF_UFUNCS.get(name)


def computed_with(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell what is known to be an array perhaps, or what a function of NumPy is given as one: `np.sin(x)`."""
    if v.known_to_include(ctx.fact(node), "array", "scalar"):
        return True
    name = dotted_name(node)
    calls = (one for one in tree_walk(ctx.function(node)) if isinstance(one, ast.Call))
    return name is not None and any(_takes(ctx, call, name) for call in calls)


def _takes(ctx: ModuleContext, call: ast.Call, name: str) -> bool:
    rule = rule_of(ctx, call.func)
    places = (place for place, one in enumerate(call.args) if dotted_name(one) == name)
    taking = (rule.parameter(place) for place in places) if rule is not None else ()
    return any(one is not None and one.takes_array for one in taking)
