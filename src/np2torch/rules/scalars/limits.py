"""The limits of a dtype that torch gives as Python numbers: `np.finfo(float).eps`."""

from __future__ import annotations

import ast

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.rules.site import ModuleContext

LIMITS = {
    "finfo": frozenset("bits eps max min tiny smallest_normal resolution".split()),
    "iinfo": frozenset("bits max min".split()),
}
"""The attributes that torch's `finfo` and `iinfo` have as well."""


def limits_dtype(ctx: ModuleContext, node: ast.AST) -> str:
    """Name the dtype of whose limits `np.finfo(dtype).eps` reads one that torch has too; empty where it is none."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Call):
        return ""
    call, atom = node.value, v.sole(ctx.fact(node.value.func))
    short = atom.name.removeprefix("numpy.") if isinstance(atom, v.Numpy) else ""
    if short not in LIMITS or node.attr not in LIMITS[short] or len(call.args) != 1 or call.keywords:
        return ""
    names = results.dtype_names(ctx.fact(call.args[0]))
    if names is None or len(names) != 1:
        return ""
    (name,) = names
    return name if (name in ("float64", "float32") if short == "finfo" else name[0] in "iu") else ""
