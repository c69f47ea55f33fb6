"""Elements that get away: stored in a list or returned, while their array is written later."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.sharing import STORING, TAKING_ITEMS, passed_for, root_of
from np2torch.facts.standard import STORING as KEPT_BY_LIBRARY
from np2torch.rules.site import Context, Edit, on
from np2torch.rules.syntax.elements import clone_read, element_reads, library_name, save_elements, save_items


@on(ast.Call)
def stored_element(ctx: Context, node: ast.Call) -> Edit | None:
    """`xs.append(a[i])`: the list must hold a copy where `a` is written later."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in (*STORING, "update"):
        return None
    if v.only(ctx.fact(function), "function"):
        return None  # a method of the project of that name, which keeps what it keeps
    if function.attr == "update":
        for one in (*node.args, *(keyword.value for keyword in node.keywords)):
            save_elements(ctx, one, outlives=True)
        return None
    if not node.args:
        return None
    if not v.known_to_include(ctx.fact(function.value), "array"):
        value = node.args[-1]
        if function.attr in TAKING_ITEMS:
            save_items(ctx, value, outlives=True)
            return None
        save_elements(ctx, value, outlives=True)
        if isinstance(value, ast.Name) and v.only(ctx.fact(value), "scalar") and ctx.written_later(value):
            ctx.clone(value, "the scalar is changed later")
    return None


@on(ast.Call)
def element_for_library(ctx: Context, node: ast.Call) -> Edit | None:
    """`heapq.heappush(heap, a[i])`: the standard library keeps it."""
    name = library_name(ctx.fact(node.func))
    if name in KEPT_BY_LIBRARY:
        for argument in (*node.args[KEPT_BY_LIBRARY[name] :], *(keyword.value for keyword in node.keywords)):
            save_elements(ctx, argument, outlives=True)
    return None


@on(ast.AugAssign)
def extended(ctx: Context, node: ast.AugAssign) -> Edit | None:
    """`xs += a`: the list takes in the elements. What may be anything else is left: text takes no iterator."""
    if isinstance(node.op, ast.Add) and v.only(ctx.fact(node.target), "sequence"):
        save_items(ctx, node.value)
    return None


@on(ast.Yield)
def yielded_element(ctx: Context, node: ast.Yield) -> Edit | None:
    """`yield a[i]`: who takes it may keep it."""
    if node.value is not None:
        save_elements(ctx, node.value)
    return None


@on(ast.Call)
def kept_element(ctx: Context, node: ast.Call) -> Edit | None:
    """`keep(a[i])`: a function of the project that stores its argument stores a copy of the element in NumPy."""
    for callee in ctx.engine.callees.get(node, ()):
        for argument in passed_for(node, callee, ctx.project.keeps(callee)):
            save_elements(ctx, argument, outlives=True)
            if isinstance(argument, ast.Name) and v.only(ctx.fact(argument), "scalar") and ctx.written_later(argument):
                ctx.clone(argument, "the array is written later; NumPy kept a copy of the element")
    return None


@on(ast.Call)
def element_for_anybody(ctx: Context, node: ast.Call) -> Edit | None:
    """`Pair(a[0], 1)`: a named tuple or dataclass keeps what it is given, and so may what is not known."""
    fact = ctx.fact(node.func)
    plain = any(isinstance(atom, v.Class) and atom.definition.find("__init__") is None for atom in fact)
    if plain or v.known_to_include(fact, "unknown"):
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            save_elements(ctx, argument, outlives=True)
    return None


@on(ast.NamedExpr)
def bound_element(ctx: Context, node: ast.NamedExpr) -> Edit | None:
    """`while (x := a[0]) < 3:`."""
    save_elements(ctx, node.value)
    return None


@on(ast.Return)
def returned_element(ctx: Context, node: ast.Return) -> Edit | None:
    """`return a[i]` of an array that some method writes in place, or the function around this one."""
    if node.value is not None:
        _give_out(ctx, node.value)
    return None


@on(ast.Lambda)
def element_of_lambda(ctx: Context, node: ast.Lambda) -> Edit | None:
    """`lambda: a[i]`."""
    _give_out(ctx, node.body)
    return None


def _give_out(ctx: Context, value: ast.expr) -> None:
    for read in element_reads(ctx, value):
        root = root_of(read.node)
        if root is None:
            continue
        if ctx.written_by_others(read.node) or ctx.written_around(read.node, root):
            clone_read(ctx, read, "the array is written later")
