"""Evidence that a name of unknown type is an array: NumPy computes with it in the same function."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.names.resolve import canonical
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.core import FUNCTIONS
from np2torch.rules.site import ModuleContext

OF_ARRAYS = ("ArrayLike", "Operand")
"""Annotations of parameters that take arrays."""


def computed_with(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell what is known to be an array perhaps, or what a function of NumPy is given as one: `np.sin(x)`."""
    if v.known_to_include(ctx.fact(node), "array", "scalar"):
        return True
    name = dotted_name(node)
    calls = (one for one in tree_walk(ctx.function(node)) if isinstance(one, ast.Call))
    return name is not None and any(_takes(ctx, call, name) for call in calls)


def _takes(ctx: ModuleContext, call: ast.Call, name: str) -> bool:
    atom = v.sole(ctx.fact(call.func))
    rule = FUNCTIONS.get(canonical(atom.name)) if isinstance(atom, v.Numpy) else None
    pairs = zip(call.args, rule.signature, strict=False) if rule is not None else ()
    return any(dotted_name(one) == name and parameter.annotation in OF_ARRAYS for one, parameter in pairs)
