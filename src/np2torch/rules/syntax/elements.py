"""Elements of arrays: NumPy copies them where they are read, torch gives views."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.facts.sharing import GOING_THROUGH, KEEPING, LAZY, branches, iterated, may_be_element, root_of
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import Context, Edit, on, source_of
from np2torch.rules.syntax.hashing import is_vector

BACKWARDS = "NPT309 the array is written while it is gone through backwards, which in torch is a copy of it."
INDEXING = ("__index__", "__array__", "__getitem__", "__getattr__")
"""Methods of objects that arrays can be indexed by."""
GOES_THROUGH = KEEPING | {*GOING_THROUGH, "set", "frozenset"}
"""Python's functions that go through their arguments and hand on what they find there."""


class Read(NamedTuple):
    """An element of an array; with `items`, an array whose elements are taken one after the other."""

    node: ast.expr
    items: bool = False


def element_reads(ctx: Context, node: ast.expr) -> list[Read]:
    """What a value holds of the elements of arrays, which NumPy copies."""
    reads = READS.get(type(node))
    return reads(ctx, node) if reads is not None else []


def items_read(ctx: Context, node: ast.expr) -> list[Read]:
    """The same for what going through an expression yields."""
    fact = ctx.fact(node)
    if isinstance(node, (ast.IfExp, ast.BoolOp)):
        return _all_items(ctx, branches(node))
    if v.known_to_include(fact, "array"):
        ranks = v.ranks_of(v.keep(fact, lambda atom: atom.kind == "array"))
        return [Read(node, items=True)] if ranks is None or 1 in ranks else []
    if ctx.is_open(node) and isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        return [Read(node, items=True)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in GOES_THROUGH:
        return _all_items(ctx, node.args)
    if v.known_to_include(fact, "iterator") and (given := _given_back(ctx, node)):
        return [read._replace(items=True) for read in given]
    return [] if isinstance(node, ast.Name) else element_reads(ctx, node)


def _all(ctx: Context, nodes: Iterable[ast.expr | None]) -> list[Read]:
    return [read for one in nodes if one is not None for read in element_reads(ctx, one)]


def _all_items(ctx: Context, nodes: Iterable[ast.expr]) -> list[Read]:
    return [read for one in nodes for read in items_read(ctx, one)]


def _operator(ctx: Context, node: ast.BinOp) -> list[Read]:
    """`[a[0]] * 2`: the list holds the element."""
    if not v.known_to_include(ctx.fact(node), "sequence"):
        return []
    return _all(ctx, (side for side in (node.left, node.right) if not isinstance(side, (ast.Name, ast.Subscript))))


def _subscript(ctx: Context, node: ast.Subscript) -> list[Read]:
    fact, parts = ctx.fact(node), index_parts(node.slice)
    single = not any(_is_no_index(ctx, part) for part in parts)
    if single and ctx.is_open(node.value):
        return [Read(node)]
    if v.known_to_include(ctx.fact(node.value), "array"):
        arrays = v.keep(fact, lambda atom: atom.kind == "array")
        maybe = single and bool(arrays) and v.ranks_of(arrays) is None
        return [Read(node)] if v.known_to_include(fact, "scalar") or maybe else []
    if isinstance(node.value, (ast.Name, ast.Attribute, ast.Subscript)):
        return []
    return element_reads(ctx, node.value) or _given_back(ctx, node)


def _is_no_index(ctx: Context, part: ast.expr) -> bool:
    """Does it ask for more than one element, or for the value of a key?"""
    if isinstance(part, (ast.Slice, ast.Starred)):
        return True
    fact = ctx.fact(part)
    return v.only(fact, "text", "none", "array", "sequence", "opaque") or bool(fact) and all(map(_is_no_number, fact))


def _is_no_number(atom: v.Atom) -> bool:
    """Is it an object of the project by which no array can be indexed?"""
    if not isinstance(atom, v.Instance) or atom.definition.opaque or atom.definition.is_ndarray():
        return False
    return not any(map(atom.definition.find, INDEXING))


def _name(ctx: Context, node: ast.Name) -> list[Read]:
    """What a loop has read, and a name may hold in turn; any other name was given a copy where that was needed."""
    return [Read(node)] if _may_be_one(ctx, node) and node.id in ctx.aliases(node).iterated else []


def _may_be_one(ctx: Context, node: ast.expr) -> bool:
    """May it be an element itself: a scalar, an array of unknown rank, anything?"""
    fact = ctx.fact(node)
    unranked = any(isinstance(atom, v.Array) and atom.ranks is None for atom in fact)
    return unranked or v.known_to_include(fact, "scalar") or ctx.is_open(node)


def _call(ctx: Context, node: ast.Call) -> list[Read]:
    """`list(a)`, `dict(k=a[0])`, a function of the project that gives back an element of what it is given."""
    if isinstance(node.func, ast.Name) and v.only(ctx.fact(node.func), "builtin"):
        if node.func.id == "dict":
            return _all(ctx, (keyword.value for keyword in node.keywords)) + _all_items(ctx, node.args)
        if node.func.id in ("max", "min"):
            if len(node.args) > 1:
                return _all(ctx, node.args)
            if isinstance(node.args[0], (ast.GeneratorExp, ast.ListComp)):
                return _all_items(ctx, node.args)
            return [Read(node)] if _may_be_one(ctx, node) else []
        return _all_items(ctx, node.args) if node.func.id in GOES_THROUGH else []
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop", "setdefault"):
        return _all(ctx, node.args[1:])
    return _given_back(ctx, node)


def _given_back(ctx: Context, node: ast.expr) -> list[Read]:
    """What comes from a function of the project that gives back elements of what it is given."""
    given = root_of(node) is None and ctx.aliases(node).roots(node, elements=isinstance(node, ast.Call))
    return [Read(node)] if given and (may_be_element(ctx.fact(node)) or ctx.is_open(node)) else []


READS: dict[type, Callable[[Context, Any], list[Read]]] = {
    ast.Tuple: lambda ctx, node: _all(ctx, node.elts),
    ast.List: lambda ctx, node: _all(ctx, node.elts),
    ast.Set: lambda ctx, node: _all(ctx, node.elts),
    ast.Dict: lambda ctx, node: _all(ctx, node.values),
    ast.ListComp: lambda ctx, node: element_reads(ctx, node.elt),
    ast.SetComp: lambda ctx, node: element_reads(ctx, node.elt),
    ast.GeneratorExp: lambda ctx, node: element_reads(ctx, node.elt),
    ast.DictComp: lambda ctx, node: element_reads(ctx, node.value),
    ast.Starred: lambda ctx, node: items_read(ctx, node.value),
    ast.UnaryOp: lambda ctx, node: element_reads(ctx, node.operand) if isinstance(node.op, ast.UAdd) else [],
    ast.NamedExpr: lambda ctx, node: element_reads(ctx, node.value),
    ast.IfExp: lambda ctx, node: _all(ctx, (node.body, node.orelse)),
    ast.BoolOp: lambda ctx, node: _all(ctx, node.values),
    ast.BinOp: _operator,
    ast.Subscript: _subscript,
    ast.Name: _name,
    ast.Call: _call,
}


def clone_read(ctx: Context, read: Read, why: str) -> None:
    """Clone an element, or an array whose elements are taken; what may be either, as run time tells."""
    fact = ctx.fact(read.node)
    if v.only(fact, "scalar") or read.items and is_vector(fact):
        ctx.clone(read.node, why)
    else:
        before = "map(shim.element, " if read.items else "shim.element("
        ctx.wrap(read.node, before, ")", "shim", "NPT202", "a copy of what is an element: " + why)


def save_elements(ctx: Context, value: ast.expr, outlives: bool = False) -> None:
    """Clone the elements in a value that is kept, where their arrays are written later.

    Parameters
    ----------
    outlives
        It is kept beyond the call of the function: what callers write counts too.
    """
    _save(ctx, element_reads(ctx, value), outlives)


def save_items(ctx: Context, value: ast.expr, outlives: bool = False) -> None:
    """The same for what going through a value yields, as in `xs.extend(value)`."""
    _save(ctx, items_read(ctx, value), outlives)


def _save(ctx: Context, reads: Iterable[Read], outlives: bool) -> None:
    for read in reads:
        if ctx.written_later(read.node) or outlives and ctx.written_by_callers(read.node):
            clone_read(ctx, read, "the array is written later; NumPy saved a copy of the element")


def _is_operand(ctx: Context, node: ast.AST, names: set[str]) -> bool:
    """Is it one of these names, used as a value: no owner of attributes or items, no function, no key?"""
    if not isinstance(node, ast.Name) or node.id not in names or not isinstance(node.ctx, ast.Load):
        return False
    parent = ctx.parents.get(node)
    return not isinstance(parent, (ast.Attribute, ast.Subscript)) and node is not getattr(parent, "func", None)


@on(ast.For, ast.AsyncFor)
def written_while_read(ctx: Context, node: ast.For | ast.AsyncFor) -> Edit | None:
    """`for e in a: a[0] = 1; s += e`: an element is copied when its turn comes, and not before."""
    names = {one.id for one in tree_walk(node.target) if isinstance(one, ast.Name)}
    used = any(_is_operand(ctx, one, names) for part in node.body for one in tree_walk(part))
    why = "the array is written while it is gone through"
    for source in iterated(node.iter, LAZY) if used else ():
        for read in items_read(ctx, source):
            if not ctx.aliases(node).written_inside(read.node, node):
                continue
            if isinstance(source, ast.Call) and getattr(source.func, "id", "") == "reversed":
                message = "torch goes backwards through a copy"
                ctx.edits[source] = Edit(source, "todo", "NPT309", source_of(source), message, note=BACKWARDS)
            elif read.node is source and read.items and is_vector(ctx.fact(source)):
                ctx.wrap(source, "map(torch.clone, ", ")", "cast", "NPT202", why)
            else:
                clone_read(ctx, read, why)
    return None
