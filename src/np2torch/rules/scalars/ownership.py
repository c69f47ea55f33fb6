"""Give the elements of arrays memory of their own where they are kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import values as v
from np2torch.facts.access_paths import GOING_THROUGH, KEEPING, LAZY, iterated_expressions
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.handlers import Phase, on
from np2torch.rules.scalars.destinations import Destination, destination
from np2torch.rules.scalars.lifetimes import (
    is_private,
    is_quiet_within,
    is_written_before,
    may_stay_view,
    uses_of,
)  # fmt: skip
from np2torch.rules.scalars.object_items import are_objects
from np2torch.rules.scalars.reads import (
    GETTERS,
    MAPPING,
    PICKING,
    Read,
    container_made,
    container_of,
    function_of,
    hands_items_on,
    is_element_read,
    is_iterating,
    items_passed,
    items_read,
    library_name,
    names_of,
    rows_read,
)  # fmt: skip
from np2torch.rules.site import CLONE, TAKES_VALUE, Edit, ModuleContext

WHY = "an element that is kept has memory of its own, as a NumPy scalar has"
LAZY_MODULE = "itertools."
CHOOSING_OR_KEEPING = frozenset([*KEEPING, *GOING_THROUGH])
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
OTHERS = ("unknown", "opaque", "method")
EXTENDING = ("extend", "extendleft")
"""Methods of containers that take in the items of their argument."""


def own(ctx: ModuleContext, read: Read, lazily: bool = False) -> None:
    """Give an element, or all that an array hands out one by one, memory of its own.

    Parameters
    ----------
    lazily
        Copy each item when its turn comes, since the array may be written before.
    """
    if any(TAKES_VALUE.search(wrap.before + wrap.after) for wrap in ctx.wraps.get(read.node, ())):
        return  # taken by value
    fact = ctx.fact(read.node)
    if v.only(fact, "scalar") or read.items and _is_array(fact) and not lazily:
        ctx.clone(read.node, WHY)
    elif read.rows:
        ctx.wrap(read.node, "map(shim.elements, ", ")", "shim", CLONE, WHY)
    elif read.items and _is_made_of_arrays(fact):
        ctx.wrap(read.node, "map(torch.clone, ", ")", "cast", CLONE, WHY)
    elif read.items:
        before = "map(shim.element, " if lazily else "shim.elements("
        ctx.wrap(read.node, before, ")", "shim", CLONE, WHY)
    else:
        ctx.wrap(read.node, "shim.element(", ")", "shim", CLONE, WHY)


def _is_array(fact: v.Fact) -> bool:
    return v.only(fact, "array") and v.rank_of(fact) is not None


def _is_made_of_arrays(fact: v.Fact) -> bool:
    """Tell an array whose rows are of known rank, or what holds scalars alone: arrays in a list are handed on."""
    items = list(_items_of(fact))
    if not items or not v.only(fact, "array", "sequence", "iterator"):
        return False
    return all(v.only(item, "scalar") or v.only(fact, "array") and _is_array(item) for item in items)


@on(Phase.SCALARS, ast.Subscript)
def element(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`k = a[0]`, `xs.append(a[i])`, `return a[i]`."""
    if isinstance(node.ctx, ast.Load) and is_element_read(ctx, node):
        where = destination(ctx, node)
        if _is_kept(ctx, node, where) or where.consumer is not None and is_written_before(ctx, node, where.consumer):
            own(ctx, Read(node))
    return None


def _is_kept(ctx: ModuleContext, node: ast.expr, where: Destination) -> bool:
    """Tell whether an element may still be held when its array is written."""
    if not where.is_kept:
        return False
    if where.leaves:
        return not _is_last_view(ctx, node)
    return not where.names or not may_stay_view(ctx, node, where.names)


def _is_last_view(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a returned element of an array that no other code holds once the function returns."""
    aliases = ctx.aliases(node)
    roots = aliases.roots(node)
    current = ctx.parents.get(node)
    while current is not None and current is not aliases.node:
        if isinstance(current, ast.Try) and current.finalbody:
            return False
        current = ctx.parents.get(current)
    return bool(roots) and all(is_private(ctx, root, aliases, may_leave=False) for root in roots)


@on(Phase.SCALARS, ast.Call)
def unknown_builtin(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`f(a)` where `f` may be `max`, `next` or `list`: what it gives may be or hold elements."""
    function = function_of(ctx, node)
    if v.only(function, "builtin") or not any(one in CHOOSING_OR_KEEPING for one in names_of(function)):
        return None
    if any(items_read(ctx, one) for one in node.args) and _is_kept(ctx, node, destination(ctx, node)):
        ctx.wrap(node, "shim.element(", ")", "shim", CLONE, WHY)
    return None


@on(Phase.SCALARS, ast.Call)
def getter(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`get = operator.itemgetter(0)`: what it gives later may be an element."""
    parent = ctx.parents.get(node)
    sorts = isinstance(parent, ast.keyword) and parent.arg == "key"
    name = library_name(ctx.fact(node.func))
    is_picked = name in PICKING and node is getattr(parent, "func", None)
    if name in GETTERS and not (sorts or is_picked) and ctx.mentions_numpy and not ctx.converted_already():
        ctx.wrap(node, "shim.copying(", ")", "shim", CLONE, WHY)
    return None


@on(Phase.SCALARS, ast.Attribute, ast.Name)
def getter_kept(ctx: ModuleContext, node: ast.Attribute | ast.Name) -> Edit | None:
    """`x.__getitem__`, `operator.getitem`, handed to somebody who calls it."""
    parent = ctx.parents.get(node)
    sorts = isinstance(parent, ast.keyword) and parent.arg == "key"
    if sorts or node is getattr(parent, "func", None) or not isinstance(node.ctx, ast.Load) or ctx.converted_already():
        return None
    is_method = isinstance(node, ast.Attribute) and node.attr == "__getitem__"
    of_array = is_method and (ctx.is_open(node.value) or v.known_to_include(ctx.fact(node.value), "array"))  # type: ignore[union-attr]
    if of_array or ctx.mentions_numpy and library_name(ctx.fact(node)) == "operator.getitem":
        ctx.wrap(node, "shim.copying(", ")", "shim", CLONE, WHY)
    return None


@on(Phase.SCALARS, ast.Call)
def items(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`list(a)`, `iter(a)`, `xs.extend(a)`, `max(a)`: what goes through an array hands its elements on."""
    if node.args and not _is_inside_another(ctx, node):
        kept, lazily = _hands_on(ctx, node)
        reads = items_passed(ctx, node) if kept else []
        is_open_method = isinstance(node.func, ast.Attribute) and node.func.attr in EXTENDING and lazily
        if is_open_method and any(read.node is node.args[0] for read in reads):
            ctx.wrap(node.func, "shim.extending(", ")", "shim", CLONE, WHY)
        elif reads and library_name(function_of(ctx, node)) == "reversed":
            go_backwards(ctx, node)
        else:
            for read in reads:
                own(ctx, read, lazily or _is_called_later(node, read.node))
    return None


def _is_called_later(node: ast.Call, source: ast.expr) -> bool:
    """Tell whether a later argument calls something, before the items of an earlier one are taken."""
    end = (source.end_lineno or 0, source.end_col_offset or 0)
    waiting: list[ast.AST] = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Call) and (one.lineno, one.col_offset) >= end:
            return True
        waiting += [] if isinstance(one, ast.Lambda) else children(one)
    return False


def go_backwards(ctx: ModuleContext, node: ast.Call, is_kept: bool = True) -> None:
    """`reversed(a)`: torch goes backwards through a copy, NumPy takes each element when its turn comes."""
    source = node.args[0]
    before = "list(" if _is_array(ctx.fact(source)) else "shim.items("
    ctx.wrap(source, before, ")", "shim" if before[0] == "s" else "native", "NPT105", "torch reverses a copy")
    if is_kept:
        own(ctx, Read(node, items=True), lazily=True)


def _is_inside_another(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether it is gone through by a loop, or by another call, which sees to it."""
    parent = ctx.parents.get(node)
    if isinstance(parent, (ast.For, ast.AsyncFor, ast.comprehension)):
        return node is parent.iter
    if isinstance(parent, (ast.Starred, ast.YieldFrom, ast.AugAssign)):
        return True
    if not isinstance(parent, ast.Call) or node not in parent.args or _chooses_argument(parent):
        return False
    return _goes_through(ctx, parent) and bool(items_read(ctx, node))


def _chooses_argument(node: ast.Call) -> bool:
    """Tell a call that hands on one of its arguments, and goes through none: `max(a, b)`."""
    is_chosen = getattr(node.func, "id", "") in ("max", "min") and len(node.args) > 1
    return is_chosen and not any(isinstance(one, ast.Starred) for one in node.args)


def _hands_on(ctx: ModuleContext, node: ast.Call) -> tuple[bool, bool]:
    """Tell whether the elements that a call finds in its arguments are kept, and whether it reads them only later."""
    function, name = function_of(ctx, node), getattr(node.func, "id", "")
    if isinstance(node.func, ast.Attribute) and node.func.attr in MAPPING and v.only(function, *OTHERS):
        return True, True
    if container_made(ctx, node):
        return True, False
    if isinstance(node.func, ast.Attribute) and node.func.attr in EXTENDING:
        return not v.only(function, "function"), ctx.is_open(node.func.value)
    if _is_library(function):
        return destination(ctx, node).is_kept, any(one.startswith(LAZY_MODULE) for one in names_of(function))
    if not v.only(function, "builtin") or name not in (*KEEPING, *GOING_THROUGH, "dict", "map"):
        return False, False
    if _chooses_argument(node):
        return False, False
    where = destination(ctx, node)
    return where.is_kept and _wraps_items(ctx, node) or _is_kept(ctx, node, where), name in (*LAZY, "map")


def _wraps_items(ctx: ModuleContext, call: ast.Call) -> bool:
    """Tell whether the result may be an object that holds an element: `max(map(Item, x))`."""
    if getattr(call.func, "id", "") == "map" and call.args:
        return not library_name(ctx.fact(call.args[0]))
    return any(_wraps_items(ctx, one) for one in call.args if isinstance(one, ast.Call))


def _goes_through(ctx: ModuleContext, call: ast.Call) -> bool:
    return hands_items_on(ctx, call) or getattr(call.func, "id", "") in KEEPING


def _is_library(function: v.Fact) -> bool:
    """Tell whether it is a function of the standard library that takes its arguments apart."""
    return v.only(function, "builtin", "opaque") and all(map(is_iterating, names_of(function)))


@on(Phase.SCALARS, ast.Starred)
def starred_elements(ctx: ModuleContext, node: ast.Starred) -> Edit | None:
    """`[*a]`, `f(*a)`."""
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.Call) and _goes_through(ctx, parent):
        return None  # of `zip(*m)` the rows are gone through
    if isinstance(node.ctx, ast.Load) and destination(ctx, node).is_kept:
        for read in items_read(ctx, node.value):
            own(ctx, read)
    return None


@on(Phase.SCALARS, ast.YieldFrom)
def yield_elements(ctx: ModuleContext, node: ast.YieldFrom) -> Edit | None:
    """`yield from a`."""
    for read in items_read(ctx, node.value):
        own(ctx, read, lazily=True)
    return None


@on(Phase.SCALARS, ast.AugAssign)
def extend_list(ctx: ModuleContext, node: ast.AugAssign) -> Edit | None:
    """`xs += a`: the list takes in the elements. What may be anything else is left: text takes no iterator."""
    lists = v.only(ctx.fact(node.target), "sequence") or _is_container(ctx.fact(node.target))
    if isinstance(node.op, ast.Add) and lists:
        for read in items_read(ctx, node.value):
            own(ctx, read)
    return None


def _is_container(fact: v.Fact) -> bool:
    return bool(fact) and all(isinstance(atom, v.Instance) and container_of(atom.definition) == "list" for atom in fact)


@on(Phase.SCALARS, ast.Assign)
def unpack_targets(ctx: ModuleContext, node: ast.Assign) -> Edit | None:
    """`p, q = a`, `xs[:] = a`."""
    for target, value in (pair for whole in node.targets for pair in _unpackings(whole, node.value)):
        if isinstance(value, ast.Call) and hands_items_on(ctx, value):
            continue  # that call sees to it
        if isinstance(target, (ast.Tuple, ast.List)):
            names = [one for one in tree_walk(target) if isinstance(one, ast.Name)]
            nested = any(isinstance(one, (ast.Tuple, ast.List)) for one in target.elts)
            plain = nested or all(isinstance(getattr(one, "value", one), ast.Name) for one in target.elts)
            for read in (rows_read if nested else items_read)(ctx, value):
                if not plain or not may_stay_view(ctx, value, names):
                    own(ctx, read)
        elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            if not v.known_to_include(ctx.fact(target.value), "array", "unknown"):
                for read in items_read(ctx, value):
                    own(ctx, read)
    return None


def _unpackings(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The parts of a target that are given the items of a value, where these are not written out."""
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        if len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                yield from _unpackings(one, other)
    else:
        yield target, value


@on(Phase.SCALARS, ast.For, ast.AsyncFor)
def loop(ctx: ModuleContext, node: ast.For | ast.AsyncFor) -> Edit | None:
    """`for e in a:`: copied where the elements are kept, one by one where the array is written meanwhile."""
    for target, source in _targets(node.target, node.iter):
        for read in _elements_bound(ctx, target, source):
            quiet = is_quiet_within(ctx, read.node, node)
            if quiet and _only_consumed(ctx, target, node) or _holds_objects(ctx, read, target, node):
                continue
            if not quiet and isinstance(source, ast.Call) and getattr(source.func, "id", "") == "reversed":
                ctx.wrap(source, "map(shim.element, ", ")", "shim", CLONE, WHY)
            else:
                own(ctx, read, lazily=not quiet)
    return None


@on(Phase.SCALARS, ast.comprehension)
def comprehension(ctx: ModuleContext, node: ast.comprehension) -> Edit | None:
    """`[e for e in a]`."""
    outer = ctx.parents[node]
    at_once = not isinstance(outer, ast.GeneratorExp) or not destination(ctx, outer).is_kept
    for target, source in _targets(node.target, node.iter):
        for read in _elements_bound(ctx, target, source):
            quiet = is_quiet_within(ctx, read.node, outer)
            is_consumed = quiet and at_once and _only_consumed(ctx, target, outer)
            if not (is_consumed or _holds_objects(ctx, read, target, outer)):
                own(ctx, read, lazily=not (quiet and at_once))
    return None


def _holds_objects(ctx: ModuleContext, read: Read, target: ast.expr, node: ast.AST) -> bool:
    """Tell whether nothing is known of what a loop goes through, and its items are no scalars by their use."""
    return ctx.is_open(read.node) and are_objects(target, node)


def _targets(target: ast.expr, source: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The parts of a loop's target with what each goes through: `for i, (a, b) in enumerate(rows)`."""
    name = source.func.id if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) else ""
    parts = target.elts if isinstance(target, ast.Tuple) else []
    if name == "enumerate" and len(parts) == 2 and source.args:  # type: ignore[attr-defined]
        yield from _targets(parts[1], source.args[0])  # type: ignore[attr-defined]
    elif name == "zip" and len(parts) == len(source.args):  # type: ignore[attr-defined]
        for part, argument in zip(parts, source.args, strict=True):  # type: ignore[attr-defined]
            yield from _targets(part, argument)
    else:
        yield target, source


def _elements_bound(ctx: ModuleContext, target: ast.expr, source: ast.expr) -> list[Read]:
    """Give what of a loop's source is bound to names as elements: its items, or what its items are unpacked into."""
    taken_apart = isinstance(source, ast.Call) and hands_items_on(ctx, source)
    if not isinstance(target, (ast.Tuple, ast.List)) or taken_apart:
        return [read for one in iterated_expressions(source, LAZY) for read in items_read(ctx, one)]
    items = list(_items_of(ctx.fact(source)))
    ranks = [v.ranks_of(arrays) for item in items if (arrays := v.keep(item, lambda atom: atom.kind == "array"))]
    if any(one is not None and 1 in one for one in ranks):
        known = _is_made_of_arrays(ctx.fact(source))
        return [Read(source, items=known, rows=not known)]
    is_open = ctx.is_open(source) or any(v.known_to_include(item, "unknown") for item in items)
    is_open = is_open and isinstance(source, (ast.Name, ast.Attribute, ast.Subscript))
    return [Read(source, rows=True)] if (is_open or None in ranks) and not ctx.converted_already() else []


def _items_of(fact: v.Fact) -> Iterator[v.Fact]:
    """Give what going through something yields."""
    for atom in fact:
        if isinstance(atom, v.Array):
            ranks = atom.ranks and frozenset(rank - 1 for rank in atom.ranks)
            yield v.one(v.Scalar(atom.dtypes)) if ranks == frozenset([0]) else v.one(v.Array(atom.dtypes, ranks))
        elif isinstance(atom, v.Sequence):
            yield v.elements(atom)
        elif isinstance(atom, v.Iterator):
            yield atom.element


def _only_consumed(ctx: ModuleContext, target: ast.expr, loop: ast.AST) -> bool:
    """Tell whether the names of a loop are only consumed, and only within it."""
    inside = set(tree_walk(loop))
    scope = loop if not isinstance(loop, (ast.For, ast.AsyncFor)) else ctx.function(loop)
    for name in (one for one in tree_walk(target) if isinstance(one, (ast.Name, ast.Subscript, ast.Attribute))):
        uses = uses_of(ctx, name.id, scope) if isinstance(name, ast.Name) else None
        if uses is None:
            return False
        own_uses = [one for one in uses if one in inside or not _bound_anew(ctx, one)]
        if not inside.issuperset(own_uses) or any(destination(ctx, one).is_kept for one in own_uses):
            return False
    return True


def _bound_anew(ctx: ModuleContext, use: ast.Name) -> bool:
    """Tell whether a loop or comprehension around a use binds its name."""
    current = ctx.parents.get(use)
    while current is not None and not isinstance(current, SCOPES):
        parts = getattr(current, "generators", [current])
        targets = [part.target for part in parts if isinstance(part, (ast.For, ast.AsyncFor, ast.comprehension))]
        if any(isinstance(one, ast.Name) and one.id == use.id for target in targets for one in tree_walk(target)):
            return True
        current = ctx.parents.get(current)
    return False
