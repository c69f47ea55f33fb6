"""Elements that get away: stored in a list or returned, while their array is written later."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.aliases import STORING, passed_for, root_of
from np2torch.rules.site import Context, Edit, on
from np2torch.rules.syntax.elements import clone_element, element_reads, save_elements


@on(ast.Call)
def stored_element(ctx: Context, node: ast.Call) -> Edit | None:
    """`xs.append(a[i])`: the list must hold a copy where `a` is written later."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in STORING or not node.args:
        return None
    if not v.known_to_include(ctx.fact(function.value), "array"):
        value = node.args[-1]
        save_elements(ctx, value)
        if isinstance(value, ast.Name) and v.only(ctx.fact(value), "scalar") and ctx.written_later(value):
            ctx.clone(value, "the scalar is changed later")
    return None


@on(ast.Call)
def kept_element(ctx: Context, node: ast.Call) -> Edit | None:
    """`keep(a[i])`: a function of the project that stores its argument stores a copy of the element in NumPy."""
    for callee in ctx.engine.callees.get(node, ()):
        for argument in passed_for(node, callee, ctx.project.keeps(callee)):
            save_elements(ctx, argument)
            if isinstance(argument, ast.Name) and v.only(ctx.fact(argument), "scalar") and ctx.written_later(argument):
                ctx.clone(argument, "the array is written later; NumPy kept a copy of the element")
    return None


@on(ast.Return)
def returned_element(ctx: Context, node: ast.Return) -> Edit | None:
    """`return a[i]` of an array that some method writes in place."""
    if node.value is not None:
        for read in element_reads(ctx, node.value):
            root = root_of(read)
            if root is not None and "." in root and ctx.written_later(read):
                clone_element(ctx, read, "the array is written later")
    return None
