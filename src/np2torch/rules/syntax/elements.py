"""Elements of arrays: NumPy copies them where they are read, torch gives views."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.facts.sharing import GOING_THROUGH, KEEPING, LAZY, iterated, may_be_element, root_of
from np2torch.facts.standard import CHOOSING, HANDING_ON
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import Context, Edit, on
from np2torch.rules.syntax.hashing import is_vector

INDEXING = ("__index__", "__array__", "__getitem__", "__getattr__")
"""Methods of objects that arrays can be indexed by."""
EAGER = frozenset(
    "list tuple sorted set frozenset dict max min sum any all len collections.deque functools.reduce heapq.nlargest "
    "heapq.nsmallest itertools.combinations itertools.combinations_with_replacement itertools.permutations "
    "itertools.product".split()
)
"""Functions that go through what they are given at once."""
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
    if v.known_to_include(fact, "array"):
        ranks = v.ranks_of(v.keep(fact, lambda atom: atom.kind == "array"))
        return [Read(node, items=True)] if ranks is None or 1 in ranks else []
    if ctx.is_open(node) and isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        return [Read(node, items=True)]
    if isinstance(node, ast.Call) and _hands_on(ctx, node):
        found = _all_items(ctx, node.args)
        backwards = found and getattr(node.func, "id", "") == "reversed" and not is_vector(ctx.fact(node.args[0]))
        return [Read(node, items=True)] if backwards else found
    if v.known_to_include(fact, "iterator") and (given := _given_back(ctx, node)):
        return [read._replace(items=True) for read in given]
    return [] if isinstance(node, ast.Name) else element_reads(ctx, node)


def library_name(fact: v.Fact) -> str:
    """The dotted name of a function of the standard library; empty for others."""
    atom = v.sole(fact)
    return atom.origin if isinstance(atom, v.Opaque) else atom.name if isinstance(atom, v.Builtin) else ""


def _hands_on(ctx: Context, node: ast.Call) -> bool:
    """Is it a function of Python's that hands on the items of its arguments?"""
    plain = isinstance(node.func, ast.Name) and node.func.id in GOES_THROUGH
    return plain or library_name(ctx.fact(node.func)) in HANDING_ON


def _is_deferred(ctx: Context, node: ast.AST) -> bool:
    """Is it gone through bit by bit, later than where it stands?"""
    parent = ctx.parents.get(node)
    lazy = False
    while isinstance(parent, ast.Call) and node in parent.args and _hands_on(ctx, parent):
        name = library_name(ctx.fact(parent.func))
        if name in EAGER:
            return False
        lazy, node, parent = True, parent, ctx.parents.get(parent)
    loop = isinstance(parent, (ast.For, ast.comprehension))
    return lazy and not loop and not (isinstance(parent, ast.Call) and library_name(ctx.fact(parent.func)) in EAGER)


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


def _gathered(ctx: Context, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> list[Read]:
    """`[a[i] for i in xs]`, `[pair for pair in combinations(a, 2)]`."""
    found = element_reads(ctx, node.elt)
    for one in node.generators if not found and isinstance(node.elt, ast.Name) else ():
        if isinstance(one.target, ast.Name) and isinstance(node.elt, ast.Name) and one.target.id == node.elt.id:
            found = items_read(ctx, one.iter) if isinstance(one.iter, ast.Call) else []
    return found


def _call(ctx: Context, node: ast.Call) -> list[Read]:
    """`list(a)`, `dict(k=a[0])`, a function of the project that gives back an element of what it is given."""
    if isinstance(node.func, ast.Name) and v.only(ctx.fact(node.func), "builtin"):
        if node.func.id == "dict":
            return _all(ctx, (keyword.value for keyword in node.keywords)) + _all_items(ctx, node.args)
        if node.func.id in ("max", "min"):
            if len(node.args) > 1 and not _all(ctx, node.args):
                return []  # one of the arguments, none of which is an element that is read here
            return [Read(node)] if _may_be_one(ctx, node) else []
        if node.func.id in GOES_THROUGH:
            return items_read(ctx, node)
    if library_name(ctx.fact(node.func)) in HANDING_ON:
        return items_read(ctx, node)
    if library_name(ctx.fact(node.func)) in CHOOSING:
        return _all_items(ctx, node.args[:1])
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
    ast.ListComp: lambda ctx, node: _gathered(ctx, node),
    ast.SetComp: lambda ctx, node: _gathered(ctx, node),
    ast.GeneratorExp: lambda ctx, node: _gathered(ctx, node),
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
    parent = ctx.parents.get(read.node)
    if read.items and is_vector(fact) and _is_deferred(ctx, read.node):
        ctx.wrap(read.node, "map(torch.clone, ", ")", "cast", "NPT202", why)
    elif v.only(fact, "scalar") or read.items and is_vector(fact):
        ctx.clone(read.node, why)
    elif isinstance(parent, ast.Call) and library_name(ctx.fact(parent.func)) in CHOOSING:
        ctx.wrap(read.node, "shim.elements(", ")", "shim", "NPT202", "copies of what are elements: " + why)
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
                ctx.wrap(source, "map(shim.element, ", ")", "shim", "NPT202", why)
            elif read.node is source and read.items and is_vector(ctx.fact(source)):
                ctx.wrap(source, "map(torch.clone, ", ")", "cast", "NPT202", why)
            else:
                clone_read(ctx, read, why)
    return None
