"""Expressions that read elements of arrays: subscripts, and what goes through an array."""

from __future__ import annotations

import ast
from typing import NamedTuple

from np2torch.facts import stdlib
from np2torch.facts import values as v
from np2torch.facts.access_paths import branches, origin_of
from np2torch.facts.interpreter.definitions import ClassDefinition
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.facts.masks import is_mask
from np2torch.facts.retention import CONSUMING, CONSUMING_MODULES
from np2torch.names.tree import dotted_name
from np2torch.rules.site import ModuleContext

INDEXING = ("__index__", "__array__", "__getitem__", "__getattr__")
"""Methods of objects that arrays can be indexed by."""
HANDING_ON = frozenset("list tuple sorted reversed iter enumerate zip filter map dict set frozenset".split())
"""Python's functions that go through their arguments and hand on what they find there."""


PICKING = ("operator.itemgetter", "operator.getitem")
"""Functions of `operator` that give an item."""
GETTERS = frozenset({"operator.itemgetter", "operator.methodcaller"})
"""Functions of `operator` that make a function which may give an item."""
THROUGH_ROWS = ("itertools.chain.from_iterable", "itertools.starmap")
"""Functions that go through the items of the items of their argument."""
MAPPING = frozenset("map imap imap_unordered map_async starmap starmap_async".split())
"""Methods of pools, which call a function with each of the items of their other arguments."""
APPLYING = frozenset("map filter functools.reduce".split()) | {
    f"itertools.{name}" for name in ("starmap", "takewhile", "dropwhile", "filterfalse")
}
"""Functions whose first argument is a function."""

OF_SHAPES = frozenset(v.Numpy(f"numpy.{name}") for name in "zeros ones full empty".split())
"""Functions that make arrays without axes of an empty shape alone: a number is the length of an axis."""
MAKING = OF_SHAPES | {v.Numpy(f"numpy.{name}") for name in "array asarray asanyarray copy".split()}
"""Functions that make arrays without axes of single numbers, or of an empty shape."""
ALWAYS_ARRAYS = MAKING | {
    v.Numpy(f"numpy.{name}")
    for name in "where select piecewise full_like zeros_like ones_like empty_like reshape argsort flatnonzero".split()
}
"""Functions that give an array whatever they are given, no scalar."""


class Read(NamedTuple):
    """An element of an array; with `items` what its elements are taken from, with `rows` something that holds such."""

    node: ast.expr
    items: bool = False
    rows: bool = False


def is_element_read(ctx: ModuleContext, node: ast.Subscript) -> bool:
    """Tell whether a subscript may give a single element of an array."""
    owner, fact = ctx.fact(node.value), ctx.fact(node)
    origin = origin_of(node)
    if origin is not None and origin is not node and ctx.aliases(node).is_fresh_array(origin):
        return False  # nobody else has the array
    single = not any(_is_no_index(ctx, part) for part in index_parts(node.slice))
    if ctx.is_open(node.value):
        return single
    is_flat = isinstance(node.value, ast.Attribute) and node.value.attr == "flat"
    if v.known_to_include(owner, "array", "scalar") or is_flat:
        arrays = v.keep(fact, lambda atom: atom.kind == "array")
        maybe = single and bool(arrays) and v.ranks_of(arrays) is None
        return maybe or v.known_to_include(fact, "scalar")
    return False


def _is_no_index(ctx: ModuleContext, part: ast.expr) -> bool:
    """Tell whether an index part selects more than one element, or the value of a key."""
    if isinstance(part, (ast.Slice, ast.Starred)) or is_mask(part) or ctx.is_object(part):
        return True
    fact = ctx.fact(part)
    if v.only(fact, *NO_INDEX):
        return not any(map(_may_be_numbers, fact))
    return bool(fact) and all(map(_is_no_number, fact))


NO_INDEX = ("text", "none", "array", "sequence", "opaque", "foreign")


def _may_be_numbers(atom: v.Atom) -> bool:
    """Tell whether it is a tuple of what may be numbers, an index of one element."""
    if not isinstance(atom, v.Sequence) or atom.type != "tuple":
        return False
    return not any(v.only(item, *NO_INDEX) for item in atom.items or (atom.element,))


def _is_no_number(atom: v.Atom) -> bool:
    """Tell whether it is an object of the project by which no array can be indexed."""
    if not isinstance(atom, v.Instance) or atom.definition.opaque or atom.definition.is_ndarray():
        return False
    return not any(map(atom.definition.find, INDEXING))


def items_read(ctx: ModuleContext, node: ast.expr) -> list[Read]:
    """The arrays whose elements going through an expression yields."""
    fact = ctx.fact(node)
    if isinstance(node, ast.Starred):
        return rows_read(ctx, node.value)
    if isinstance(node, (ast.IfExp, ast.BoolOp)):
        return [read for branch in branches(node) for read in items_read(ctx, branch)]
    if isinstance(node, ast.Call) and hands_items_on(ctx, node):
        return items_passed(ctx, node)
    if ctx.aliases(node).is_fresh_array(node):
        return []  # nobody else has it
    if v.known_to_include(fact, "array"):
        ranks = v.ranks_of(v.keep(fact, lambda atom: atom.kind == "array"))
        return [Read(node, items=True)] if ranks is None or 1 in ranks else []
    if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
        return []
    if ctx.is_open(node) and isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        return [Read(node, items=True)]
    return []


def items_passed(ctx: ModuleContext, call: ast.Call) -> list[Read]:
    """The arrays whose elements a function finds that goes through its arguments."""
    name = library_name(function_of(ctx, call))
    in_rows = name in THROUGH_ROWS
    if name == "map" and call.args:  # `map(list, m)`
        in_rows = _hands_on(library_name(ctx.fact(call.args[0])))
        if _makes_values(in_rows, library_name(ctx.fact(call.args[0]))):
            return []
    applies = name in APPLYING or isinstance(call.func, ast.Attribute) and call.func.attr in MAPPING
    given = call.args[1:] if applies else call.args
    if name in ("max", "min"):  # `max(*x)` is given the items themselves
        given = [one.value if isinstance(one, ast.Starred) else one for one in given]
    return [read for one in given for read in (rows_read if in_rows else items_read)(ctx, one)]


def _makes_values(in_rows: bool, applied: str) -> bool:
    """Tell whether a function applied to each item gives a new value: `map(int, x)`."""
    return not in_rows and (applied in CONSUMING or applied.partition(".")[0] in CONSUMING_MODULES)


def hands_items_on(ctx: ModuleContext, call: ast.Call) -> bool:
    """Tell whether a function of Python or its library passes on the items of its arguments."""
    function = function_of(ctx, call)
    if container_made(ctx, call):
        return True
    return v.only(function, "builtin", "opaque") and all(map(_hands_on, names_of(function)))


CONTAINERS = dict.fromkeys("list tuple deque UserList".split(), "list") | dict.fromkeys(("set", "frozenset"), "set")
CONTAINERS |= dict.fromkeys("dict UserDict OrderedDict defaultdict".split(), "dict")
"""Classes of Python's that hold the items of what they are made of, by the kind of container."""


def container_of(definition: ClassDefinition) -> str:
    """The kind of container that a class of the project derives from: `class Track(list)`; empty for others."""
    bases = [(dotted_name(base) or "").rpartition(".")[2] for one in definition.lineage() for base in one.node.bases]
    return next((CONTAINERS[base] for base in bases if base in CONTAINERS), "")


def container_made(ctx: ModuleContext, call: ast.Call) -> str:
    """The kind of container that a call fills by the items of its arguments: `Track(x)`, `super().__init__(x)`."""
    atom = v.sole(ctx.fact(call.func))
    if isinstance(atom, v.Builtin) and atom.name == "collections.UserDict":
        return "dict"
    if isinstance(atom, v.Class):
        return container_of(atom.definition) if atom.definition.find("__init__") is None else ""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "__init__" and _is_super(call.func.value):
        around = ctx.parents.get(call)
        while around is not None and not isinstance(around, ast.ClassDef):
            around = ctx.parents.get(around)
        definition = ctx.engine.classes.get(around) if around is not None else None
        return container_of(definition) if definition is not None else ""
    return ""


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _hands_on(name: str) -> bool:
    return name in HANDING_ON or is_iterating(name)


def is_iterating(name: str) -> bool:
    """Tell whether it is a function of the standard library that hands on items of its arguments."""
    return name in stdlib.HANDING_ON or name in stdlib.CHOOSING or name in PICKING


def library_name(function: v.Fact) -> str:
    """The dotted name of a function of the standard library; empty for others."""
    names = names_of(function) if v.only(function, "builtin", "opaque") else []
    return names[0] if len(names) == 1 else ""


def function_of(ctx: ModuleContext, call: ast.Call) -> v.Fact:
    """Give what a call calls; of `itemgetter(0)(a)` the function that made it."""
    made = isinstance(call.func, ast.Call) and v.only(ctx.fact(call.func), "unknown")
    return ctx.fact(call.func.func if made and isinstance(call.func, ast.Call) else call.func)


def names_of(function: v.Fact) -> list[str]:
    """The dotted names of functions of Python's library."""
    return [getattr(atom, "name", getattr(atom, "origin", "")) for atom in function]


def rows_read(ctx: ModuleContext, node: ast.expr) -> list[Read]:
    """`zip(*m)`: what goes through the rows of a matrix, or the arrays in a list."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return [read for one in node.elts for read in items_read(ctx, one)]
    if isinstance(node, ast.Call) and library_name(ctx.fact(node.func)) in ("zip", "enumerate"):
        return items_read(ctx, node)
    fact = ctx.fact(node)
    arrays = v.keep(fact, lambda atom: atom.kind == "array")
    ranks = v.ranks_of(arrays) if arrays else frozenset()
    held = [v.elements(atom) for atom in fact if isinstance(atom, v.Sequence)]
    held += [atom.element for atom in fact if isinstance(atom, v.Iterator)]
    if ranks is None or ctx.is_open(node) or any(v.known_to_include(one, "array", "unknown") for one in held):
        return [Read(node, rows=True)] if ctx.mentions_numpy and not ctx.converted_already() else []
    if 2 not in ranks:
        return []
    known = fact == arrays and ranks == {2}
    return [Read(node, items=known, rows=not known)]
