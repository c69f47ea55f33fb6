"""Calls whose result shares memory in NumPy and not in torch, or is read-only there: a note where it would show."""

from __future__ import annotations

import ast

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.names import resolve
from np2torch.rules.handlers import Phase, on
from np2torch.rules.sharing import sharing_shows
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.calls import numpy_call, numpy_name
from np2torch.rules.syntax.exceptions import asks_to_raise, never_raised
from np2torch.rules.syntax.methods import method_call
from np2torch.rules.syntax.subscripts import reversed_view

REVERSED = frozenset("flip fliplr flipud rot90".split())
READ_ONLY = frozenset("diagonal diag broadcast_to lib.stride_tricks.sliding_window_view".split())
READ_ONLY_NOTE = "NPT307 this is read-only in NumPy: writing into it raises there, and not here."


@on(Phase.NUMPY, ast.Call)
def array_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """A call of a function of NumPy's or a method of an array; `np.rot90(x)[0] = 1` is a TODO."""
    edit = numpy_call(ctx, node) or method_call(ctx, node)
    if edit is None:
        return None
    short = _numpy_function(ctx, node)
    if short in ("errstate", "seterr") and asks_to_raise(node):
        return never_raised(edit)
    if short in REVERSED and sharing_shows(ctx, node):
        return reversed_view(edit)
    if short in READ_ONLY and _is_view(ctx, node, short) and ctx.value_written(node):
        edit.leave("NPT307", READ_ONLY_NOTE)
    return edit


def _numpy_function(ctx: ModuleContext, node: ast.Call) -> str:
    """The name of the function of NumPy's that is called, also as a method of an array."""
    name = numpy_name(ctx.fact(node.func))
    if name is not None:
        return resolve.canonical(name).removeprefix("numpy.")
    function = node.func
    is_method = isinstance(function, ast.Attribute) and v.known_to_include(ctx.fact(function.value), "array")
    return function.attr if is_method and isinstance(function, ast.Attribute) else ""


def _is_view(ctx: ModuleContext, node: ast.Call, short: str) -> bool:
    """`np.diag` of a vector is a new matrix, and a list of anything but lists is one."""
    if short != "diag" or not node.args:
        return True
    source = node.args[0]
    if isinstance(source, (ast.List, ast.Tuple)):
        return any(isinstance(item, (ast.List, ast.Tuple)) for item in source.elts)
    part = results.arraylike(ctx.fact(source), weak=False)
    return part is None or part[1] != frozenset([1])
