"""How an expression is used: as arrays are, as whole numbers are, or as neither is.

What `candidates` goes by: nothing else says of a parameter without annotation that it is meant to be an array.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from np2torch.facts import values as v
from np2torch.facts.bindings import single_bindings
from np2torch.facts.dtype_uses import OF_DTYPES
from np2torch.facts.evidence import TESTS
from np2torch.facts.interpreter.definitions import ClassDefinition
from np2torch.names.resolve import members
from np2torch.names.tree import called_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.texts import uses_of
from np2torch.rules.site import ModuleContext
from np2torch.rules.syntax.array_evidence import rule_of
from np2torch.rules.syntax.coercions import admits_lists, coercing

ARRAY, WHOLE, OTHER = "array", "whole number", "other"
"""How a name is used: as arrays are; as only whole numbers are; as none of these."""
COUNTING = frozenset({"range"})
KEYED = frozenset({"get", "setdefault", "add", "discard"})
"""Methods of mappings and sets that take a key."""
ARRAYS = frozenset(
    "a b x y z arr m v p w xp fp f varargs ar1 ar2 args tup arrays ary values object a_min a_max min max q "
    "weights".split()
)
"""Names of NumPy's parameters that take arrays, where a signature says no more of them."""
SPACES = frozenset({"numpy.linspace", "numpy.logspace", "numpy.geomspace"})
"""Functions whose start and stop are numbers of any kind."""
COUNTS = frozenset("axis shape newshape n N M k size decimals num reps start stop step".split())
"""Names of NumPy's parameters that take whole numbers."""


def uses(ctx: ModuleContext, function: ast.AST, name: str) -> Iterator[str]:
    """List how the places that read a name, or an attribute (`self.x`), use it."""
    for node in uses_of(function, name):
        if isinstance(node.ctx, ast.Load):
            yield from _use(ctx, node)


def used_as(ctx: ModuleContext, node: ast.expr) -> set[str]:
    """Each use of an expression: as arrays are used, or otherwise."""
    return set(_use(ctx, node))


def _use(ctx: ModuleContext, node: ast.expr) -> Iterator[str]:
    """List how an expression is used by the node around it."""
    parent = ctx.parents.get(node)
    reader = _USES.get(type(parent))
    return reader(ctx, parent, node) if reader is not None else iter(())


def _computed(ctx: ModuleContext, parent: ast.BinOp | ast.UnaryOp | ast.AugAssign, node: ast.expr) -> Iterator[str]:
    sides = (parent.left, parent.right) if isinstance(parent, ast.BinOp) else ()
    is_text = any(v.known_to_include(ctx.fact(side), "text") for side in sides)
    is_test = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    yield OTHER if is_text or is_test else ARRAY
    yield from _counts(ctx, parent)


def _subscripted(ctx: ModuleContext, parent: ast.Subscript, node: ast.expr) -> Iterator[str]:
    if parent.value is not node:
        yield _as_key(ctx, parent.value)
    elif isinstance(parent.slice, ast.Constant) and isinstance(parent.slice.value, str):
        yield OTHER
    else:
        yield ARRAY if _have_arrays(_asked_of_names(ctx, parent)) else OTHER  # `part = x[i]`, `part.label`
        yield from _counts(ctx, parent)


def _asked_attribute(ctx: ModuleContext, parent: ast.Attribute, node: ast.expr) -> Iterator[str]:
    if parent.attr == "data":  # which objects of many classes have, and few ask of arrays
        yield OTHER
        return
    yield ARRAY if _have_arrays((parent.attr, *_asked_of_copies(ctx, parent))) else OTHER


def _have_arrays(attributes: Iterable[str]) -> bool:
    """Tell whether arrays have all of these attributes."""
    return all(f"ndarray.{name}" in members() for name in attributes)


def _asked_of_copies(ctx: ModuleContext, method: ast.Attribute) -> Iterator[str]:
    """List the attributes of a name that a copy is bound to, `other = thing.copy()`: those of the thing itself."""
    call = ctx.parents.get(method)
    if isinstance(call, ast.Call) and method.attr == "copy":
        yield from _asked_of_names(ctx, call)


def _asked_of_names(ctx: ModuleContext, value: ast.expr) -> Iterator[str]:
    """List the attributes that are asked of the names that a value is bound to."""
    statement = ctx.parents.get(value)
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        uses = uses_of(ctx.function(target), target.id) if isinstance(target, ast.Name) else ()
        parents = (ctx.parents.get(use) for use in uses)
        yield from (parent.attr for parent in parents if isinstance(parent, ast.Attribute))


def _passed_by_name(ctx: ModuleContext, parent: ast.keyword, node: ast.expr) -> Iterator[str]:
    call = ctx.parents.get(parent)
    if isinstance(call, ast.Call):
        yield from _passed(ctx, call, node, parent.arg)


def _beside_others(ctx: ModuleContext, items: ast.Tuple | ast.List, node: ast.expr) -> Iterator[str]:
    """List what is done with the items of a tuple or list: `np.hypot(*map(np.asarray, (x, y)))`, `np.stack((x, y))`."""
    call = ctx.parents.get(items)
    if isinstance(call, ast.Subscript) and call.slice is items:
        yield WHOLE
    elif isinstance(call, ast.Assign):  # `self.a, self.b = a, b`
        targets = (target for target, value in single_bindings(call) if value is node)
        yield from (use for target in targets for use in _bound(ctx, target, node))
    function = ctx.fact(call.func) if isinstance(call, ast.Call) else v.BOTTOM
    if isinstance(call, ast.Call) and items in call.args[1:] and function == v.one(v.Builtin("map")):
        yield from _taken(ctx, call.args[0], call.args.index(items) - 1)
    elif isinstance(call, ast.Call) and items in call.args and rule_of(ctx, call.func) is not None:
        yield from _passed(ctx, call, items)
    elif isinstance(call, (ast.Call, ast.keyword)):  # a shape, as like as not: `rng.uniform(0, 1, (n, 2))`
        yield OTHER


def _assigned(ctx: ModuleContext, statement: ast.Assign, node: ast.expr) -> Iterator[str]:
    if any(isinstance(target, (ast.Tuple, ast.List)) for target in statement.targets):
        yield ARRAY
    else:
        yield from (use for target in statement.targets for use in _bound(ctx, target, node))


def _bound(ctx: ModuleContext, target: ast.expr, node: ast.expr) -> Iterator[str]:
    """List the uses of what a name is stored in: also of another name, `x = x0`."""
    if isinstance(node, ast.Name):
        yield from _attribute_uses(ctx, target)
        if isinstance(target, ast.Name) and target.id != node.id:
            reads = (one for one in uses_of(ctx.function(node), target.id) if isinstance(one.ctx, ast.Load))
            yield from (use for one in reads if not _is_stored(ctx, one) for use in _use(ctx, one))
        if isinstance(target, ast.Subscript) and v.only(ctx.fact(target.value), "array"):
            yield ARRAY


def _is_stored(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell what is given a further name, or kept."""
    return isinstance(ctx.parents.get(node), (ast.Assign, ast.Tuple, ast.List))


def _chosen(ctx: ModuleContext, choice: ast.IfExp, node: ast.expr) -> Iterator[str]:
    """List the uses of one of two values: `d = dx if x is None else np.diff(x)`."""
    above = ctx.parents.get(choice)
    if choice.test is not node and isinstance(above, ast.Assign):
        yield from (use for target in above.targets for use in _bound(ctx, target, node))
    elif choice.test is not node:
        yield from _use(ctx, choice)


def _iterated(ctx: ModuleContext, loop: ast.For | ast.comprehension, node: ast.expr) -> Iterator[str]:
    """Say whether the items count something: `for n in sizes: np.zeros(n)`."""
    if loop.iter is node and isinstance(loop.target, ast.Name):
        below = (one for part in _after(ctx, loop) for one in tree_walk(part))
        items = (one for one in below if isinstance(one, ast.Name) and one.id == loop.target.id)
        if any(WHOLE in (*_use(ctx, one), *_counts(ctx, one)) for one in items if isinstance(one.ctx, ast.Load)):
            yield WHOLE


def _after(ctx: ModuleContext, loop: ast.For | ast.comprehension) -> list[ast.AST]:
    """List the parts that read the items: of `[p.real for p in p]` not the `p` at the end."""
    if isinstance(loop, ast.For):
        return [*loop.body, *loop.orelse]
    around = ctx.parents[loop]
    generators = getattr(around, "generators", [loop])
    results = [part for part in ast.iter_child_nodes(around) if part not in generators]
    return [*results, *loop.ifs, *generators[generators.index(loop) + 1 :]]


def _counts(ctx: ModuleContext, node: ast.AST) -> Iterator[str]:
    """Say whether what is computed of it counts something: `np.zeros(n + 1)`, `x[:sizes[0]]`."""
    parent = ctx.parents.get(node)
    while isinstance(parent, (ast.BinOp, ast.UnaryOp)) or isinstance(parent, ast.Subscript) and parent.value is node:
        node, parent = parent, ctx.parents.get(parent)
    if isinstance(node, ast.expr):
        if isinstance(parent, ast.Slice) or _is_index(ctx, node):
            yield WHOLE
        elif isinstance(parent, (ast.Call, ast.Tuple, ast.List)):
            yield from (use for use in _use(ctx, node) if use == WHOLE)


def _is_index(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell what says which elements are meant: `vertices[faces[:, 0]]`, `grid[i + 1, j]`."""
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.Tuple):
        node, parent = parent, ctx.parents.get(parent)
    return isinstance(parent, ast.Subscript) and parent.slice is node


def _attribute_uses(ctx: ModuleContext, target: ast.expr) -> Iterator[str]:
    """List the uses that the methods of a class make of what one of them stores: `self.rate = rate`."""
    class_ = ctx.engine.classes.get(ctx.parents.get(ctx.function(target), target))
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name) or class_ is None:
        return
    classes = [class_]
    for one in classes:
        classes += [heir for heir in ctx.engine.heirs.get(one, ()) if heir not in classes]
        inside = ctx if one.module is ctx.module else _elsewhere(ctx, one)
        for node in tree_walk(one.node):
            if isinstance(node, ast.Attribute) and node.attr == target.attr and isinstance(node.ctx, ast.Load):
                if isinstance(node.value, ast.Name) and node.value.id == target.value.id:
                    yield from _read_uses(inside, node)


def _read_uses(ctx: ModuleContext, attribute: ast.Attribute) -> Iterator[str]:
    """List the uses of an attribute where it is read, and those of a name that it is given there: `dt = self.dt`.

    Where the name is assigned to something else, nothing is followed further.
    """
    yield from _use(ctx, attribute)
    statement = ctx.parents.get(attribute)
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    for name in (target for target in targets if isinstance(target, ast.Name)):
        for use in uses_of(ctx.function(name), name.id):
            if isinstance(use.ctx, ast.Load) and not isinstance(ctx.parents.get(use), ast.Assign):
                yield from _use(ctx, use)


def _elsewhere(ctx: ModuleContext, class_: ClassDefinition) -> ModuleContext:
    """Give the context for the nodes of a class of another module."""
    parents = {child: node for node in tree_walk(class_.node) for child in ast.iter_child_nodes(node)}
    return ctx.with_parents(parents)


def _is_keyed(ctx: ModuleContext, container: ast.expr) -> bool:
    """Tell whether a container takes keys, for all that is known: `self.counts[x]`."""
    fact = ctx.fact(container)
    return v.known_to_include(fact, "mapping") or isinstance(container, ast.Attribute) and v.only(fact, "unknown")


def _as_key(ctx: ModuleContext, container: ast.expr) -> str:
    return OTHER if _is_keyed(ctx, container) else WHOLE


def _compared(ctx: ModuleContext, parent: ast.Compare, node: ast.expr) -> Iterator[str]:
    sides = [parent.left, *parent.comparators]
    if any(map(is_none, parent.comparators)):
        return
    if any(isinstance(side, ast.Constant) and isinstance(side.value, (str, bool)) for side in sides):
        yield OTHER
    elif any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in parent.ops):
        yield OTHER
    elif not _orders_unknowns(ctx, parent):
        yield ARRAY


def _orders_unknowns(ctx: ModuleContext, comparison: ast.Compare) -> bool:
    """Tell whether two values are put in order of which nothing is known: versions and texts have one too."""
    sides = (comparison.left, *comparison.comparators)
    are_ordered = all(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in comparison.ops)
    return are_ordered and all(ctx.is_open(side) and not isinstance(side, ast.BinOp) for side in sides)


def _passed(ctx: ModuleContext, call: ast.Call, node: ast.expr, keyword: str | None = None) -> Iterator[str]:
    if call.func is node:
        yield OTHER
        return
    name = called_name(call)
    if name == "isinstance" and (admits_lists(ctx.fact, call) or coercing(ctx.fact, ctx.parents, call)):
        return
    if name in TESTS or name in OF_DTYPES:
        yield OTHER
    elif name in COUNTING:
        yield WHOLE
    elif name in KEYED and isinstance(call.func, ast.Attribute) and node in call.args[:1]:
        yield OTHER
    elif name in ("getattr", "hasattr") and call.args[:1] == [node] and _names_other(call.args[1:]):
        yield OTHER
    at = call.args.index(node) if node in call.args else None
    yield from _taken(ctx, call.func, at if keyword is None else keyword)


def _names_other(arguments: Sequence[ast.expr]) -> bool:
    """Tell whether the first argument names an attribute that arrays do not have: `"units"`."""
    name = arguments[0].value if arguments and isinstance(arguments[0], ast.Constant) else None
    return isinstance(name, str) and not name.startswith("__") and f"ndarray.{name}" not in members()


def _taken(ctx: ModuleContext, function: ast.expr, place: int | str | None) -> Iterator[str]:
    """Give the annotation of a parameter of NumPy's by place or name."""
    rule = rule_of(ctx, function)
    parameter = rule.parameter(place) if rule is not None and place is not None else None
    if rule is None or parameter is None:
        return
    is_bound = rule.name in SPACES and parameter.name in ("start", "stop")
    if is_bound or parameter.takes_array or parameter.name in ARRAYS:
        yield ARRAY
    elif parameter.annotation == "DTypeLike":
        yield OTHER
    elif parameter.name in COUNTS:
        yield WHOLE


_USES: dict[type, Callable[[ModuleContext, Any, ast.expr], Iterator[str]]] = {
    **dict.fromkeys((ast.BinOp, ast.UnaryOp, ast.AugAssign), _computed),
    ast.Compare: _compared,
    ast.Subscript: _subscripted,
    ast.Slice: lambda ctx, parent, node: iter((WHOLE,)),
    ast.Attribute: _asked_attribute,
    ast.Call: lambda ctx, parent, node: _passed(ctx, parent, node),
    ast.keyword: _passed_by_name,
    **dict.fromkeys((ast.Tuple, ast.List), _beside_others),
    ast.Assign: _assigned,
    ast.IfExp: _chosen,
    **dict.fromkeys((ast.For, ast.comprehension), _iterated),
    **dict.fromkeys(
        (ast.JoinedStr, ast.FormattedValue, ast.Raise, ast.withitem, ast.Starred),
        lambda ctx, parent, node: iter((OTHER,)),
    ),
}
"""How an expression is used, by the kind of node around it."""


def is_none(node: ast.expr) -> bool:
    """Tell the constant None."""
    return isinstance(node, ast.Constant) and node.value is None
