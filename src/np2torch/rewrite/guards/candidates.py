"""The parameters that a guard may make tensors of: those that are used as arrays are, and whose dtype is open."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any

from np2torch.facts import values as v
from np2torch.facts.annotations import parse_annotation
from np2torch.facts.docstrings import DocstringEntry, entries
from np2torch.facts.evidence import MAKERS, OF_DTYPES, TESTS
from np2torch.facts.guards import plain_name
from np2torch.facts.interpreter.definitions import ClassDefinition
from np2torch.names.resolve import members
from np2torch.names.tree import dotted_name, named_parameters, parameter_defaults
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.texts import uses_of
from np2torch.rules.core import FUNCTIONS
from np2torch.rules.site import ModuleContext
from np2torch.rules.syntax.array_evidence import rule_of

ARRAY, WHOLE, OTHER = "array", "whole number", "other"
"""How a name is used: as arrays are; as only whole numbers are; as none of these."""
COUNTING = frozenset({"range"})
KEYED = frozenset({"get", "setdefault", "add", "discard"})
"""Methods of mappings and sets that take a key."""
ARRAYS = frozenset(
    "a b x y z arr m v p w xp fp f varargs ar1 ar2 args tup arrays ary values object a_min a_max min max q".split()
)
"""Names of NumPy's parameters that take arrays, where a signature says no more of them."""
SPACES = frozenset({"numpy.linspace", "numpy.logspace", "numpy.geomspace"})
"""Functions whose start and stop are numbers of any kind."""
COUNTS = frozenset("axis shape newshape n N M k size decimals num reps start stop step".split())
"""Names of NumPy's parameters that take whole numbers."""
CONTAINERS = frozenset(
    "tuple list set frozenset dict Tuple List Set FrozenSet Dict Sequence MutableSequence Iterable Iterator Collection "
    "Mapping NamedTuple".split()
)
"""Types of annotations whose values are containers of Python's."""
SHAPE = re.compile(r"(?:^|_)shape$")  # the name of a tuple of whole numbers, which is seldom an array
OF_COMPLEX = re.compile(r":.*\bcomplex")
"""A line of documentation that says a parameter holds complex numbers."""
PARTS = frozenset("real imag conj conjugate angle".split())
"""Attributes, methods and functions of NumPy that only complex numbers need."""
OF_INTEGERS = re.compile(r":.*\b(?:ints?|integers?|int\d+)\b")
"""A line of documentation that says a parameter holds integers."""
ASKING = frozenset({"isscalar", "ndim"})
"""Functions of NumPy that tell numbers from arrays."""
OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare)
MOST = 8
"""A guard of more parameters than this is no help to a reader."""


def candidates(
    ctx: ModuleContext, function: ast.FunctionDef | ast.AsyncFunctionDef, found: dict[str, v.Fact]
) -> list[str]:
    """The parameters of a function that a guard may be for, in their order."""
    arguments = function.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    names = names[is_method(ctx, function) :]
    to_anybody = function in ctx.engine.open
    open_ = [name for name in names if name in found and is_open(found[name], to_anybody)]
    chosen = [name for name in open_ if is_used_as_array(ctx, function, name)]
    return chosen if len(chosen) <= MOST else []


def is_used_as_array(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a name, or an attribute (`self.x`), that is used as arrays are, and never as something else."""
    uses = set(_uses(ctx, function, name))
    return ARRAY in uses and not uses & {WHOLE, OTHER} and not _is_read_as_mapping(ctx, function, name)


def _items_read(ctx: ModuleContext, function: ast.AST, name: str) -> list[ast.Subscript]:
    """List the places that read items of a name; none where anything else is done with it."""
    parents = [ctx.parents.get(node) for node in uses_of(function, name)]
    items = [one for one in parents if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Load)]
    return items if len(items) == len(parents) else []


def _is_read_as_mapping(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a name of which only items are read, under attributes that nobody knows: `signals[self.output]`."""
    keys = [item.slice for item in _items_read(ctx, function, name)]
    known = (isinstance(key, ast.Attribute) and v.known_to_include(ctx.fact(key), "unknown") for key in keys)
    return bool(keys) and all(known)


def is_method(ctx: ModuleContext, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether the first parameter of a function is its object or its class."""
    is_static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list)
    return isinstance(ctx.parents.get(function), ast.ClassDef) and not is_static


def may_be_none(function: ast.FunctionDef | ast.AsyncFunctionDef, names: Sequence[str]) -> frozenset[str]:
    """Those of the parameters that may be None: by their default, or by a test for it."""
    found = {name for name, value in parameter_defaults(function.args) if _is_none(value)}
    for node in tree_walk(function):
        if isinstance(node, ast.Compare) and any(map(_is_none, node.comparators)):
            found.update(dotted_name(one) or "" for one in (node.left, *node.comparators))
    return frozenset(name for name in names if plain_name(name) in found)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def may_be_number(ctx: ModuleContext, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Tell whether a parameter may be a Python number: a number has no items, no `@`, and few attributes."""
    nodes = uses_of(function, name)
    is_bound = any(not isinstance(node.ctx, ast.Load) for node in nodes)
    return is_bound or not any(needs_items(ctx.parents.get(node), node) for node in nodes)


def is_taken_as_number(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a parameter that the function takes as a number too, whatever its other uses are.

    It asks NumPy whether it is one, or whether numbers are in order (`low <= x < high`), which of arrays nobody can.
    """
    parents = [(ctx.parents.get(node), node) for node in uses_of(function, name)]
    return any(_is_first(parent, node, ASKING) or _is_chained(parent) for parent, node in parents)


def _is_chained(parent: ast.AST | None) -> bool:
    return isinstance(parent, ast.Compare) and len(parent.ops) > 1


def is_only_calculated_with(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a parameter that is an operand of operators, or handed on: it is as likely a Python number as an array."""
    nodes = [node for node in uses_of(function, name) if isinstance(node.ctx, ast.Load)]
    return bool(nodes) and all(_is_operand(ctx, node) or _is_handed_on(ctx, node) for node in nodes)


def _is_operand(ctx: ModuleContext, node: ast.expr) -> bool:
    parent = ctx.parents.get(node)
    return isinstance(parent, OPERATIONS) and not needs_items(parent, parent)


def _is_handed_on(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell an argument of what is no function of NumPy's: `found.append(n)`."""
    parent = ctx.parents.get(node)
    if not isinstance(parent, ast.Call) or node not in parent.args:
        return False
    return not any(isinstance(atom, v.Numpy) for atom in ctx.fact(parent.func))


def needs_items(parent: ast.AST | None, node: ast.expr) -> bool:
    """Tell an expression that has items, or attributes of arrays, by its use."""
    match parent:
        case ast.Assign():
            return any(isinstance(target, (ast.Tuple, ast.List)) for target in parent.targets)
        case ast.Subscript(value=value) | ast.For(iter=value) | ast.comprehension(iter=value):
            return value is node
        case ast.BinOp():
            return isinstance(parent.op, ast.MatMult)
        case ast.Attribute():
            return parent.attr not in ("real", "imag", "conjugate")
        case ast.Call():
            return isinstance(parent.func, ast.Name) and parent.func.id == "len"
    return False


def is_only_stored(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a parameter that a constructor only puts into an attribute."""
    parents = [ctx.parents.get(node) for node in uses_of(function, name) if isinstance(node.ctx, ast.Load)]
    return bool(parents) and all(isinstance(parent, ast.Assign) for parent in parents)


def is_made_an_array(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a parameter of which the function makes an array itself, `np.asarray(x)`: it is meant to take lists."""
    return any(_is_first(ctx.parents.get(node), node, MAKERS) for node in uses_of(function, name))


def is_stated_container(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Tell a parameter annotated or named as a list, a tuple or the like, and below the entry not bound anew."""
    plain = plain_name(name)
    if plain != name and any(not isinstance(one.ctx, ast.Load) for one in uses_of(function, plain)):
        return False
    is_one = SHAPE.search(plain) is not None
    return is_one or any(one.arg == plain and _names_container(one.annotation) for one in named_parameters(function))


def is_read_as_tuple(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a parameter of which only items are read, by their number, that have axes: as like as not a tuple."""
    read = _items_read(ctx, function, name)
    if not all(isinstance(v.constant(ctx.fact(item.slice)), int) for item in read):
        return False
    parents = [(ctx.parents.get(item), item) for item in read]
    return any(not isinstance(parent, ast.Subscript) and needs_items(parent, item) for parent, item in parents)


def _documented(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, DocstringEntry]]:
    """The parameters of a docstring, with what it says of each."""
    yield from entries(ast.get_docstring(function) or "", "parameters").items()


def stated_integers(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The parameters that the docstring says are integers, and not floats: `v : array_like of int`."""
    return frozenset(name for name, one in _documented(function) if not one.floats and OF_INTEGERS.search(one.text))


def labels(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The parameters of whose items a set is made, `set(y.tolist())`: names of classes, integers as like as not."""
    calls = [one for one in tree_walk(function) if isinstance(one, ast.Call) and one.args]
    made = (call.args[0] for call in calls if _is_first(call, call.args[0], ("set",)))
    return frozenset(one.id for items in made for one in tree_walk(items) if isinstance(one, ast.Name))


def stated_floats(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The parameters that the docstring says may be floats: `x : float or array`."""
    return frozenset(name for name, one in _documented(function) if one.floats)


def stated_complex(ctx: ModuleContext, function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The parameters that the docstring says are complex, or whose real and imaginary parts are asked for."""
    names = [one.arg for one in named_parameters(function)]
    asked = (name for name in names if any(_is_parted(ctx, node) for node in uses_of(function, name)))
    return frozenset(name for name, one in _documented(function) if OF_COMPLEX.search(one.text)).union(asked)


def _is_parted(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell an array of which a part is taken, or of elements of it: `z.real`, `np.conj(z[0])`."""
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return _is_parted(ctx, parent)
    if isinstance(parent, ast.Attribute):
        return parent.attr in PARTS
    return _is_first(parent, node, PARTS)


def _is_first(parent: ast.AST | None, node: ast.expr, functions: Container[str]) -> bool:
    """Tell whether an expression is the first argument of one of these functions."""
    if not isinstance(parent, ast.Call) or not parent.args or parent.args[0] is not node:
        return False
    return (dotted_name(parent.func) or "").rpartition(".")[2] in functions


def _names_container(annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = parse_annotation(annotation.value)
    if isinstance(annotation, ast.BinOp):
        return _names_container(annotation.left) or _names_container(annotation.right)
    if isinstance(annotation, ast.Subscript):
        optional = (dotted_name(annotation.value) or "").rpartition(".")[2] in ("Optional", "Union")
        inside = getattr(annotation.slice, "elts", [annotation.slice])
        return any(map(_names_container, inside)) if optional else _names_container(annotation.value)
    return annotation is not None and (dotted_name(annotation) or "").rpartition(".")[2] in CONTAINERS


def is_open(fact: v.Fact, to_anybody: bool) -> bool:
    """Tell whether a parameter may be an array of unknown dtype, and nothing that a guard cannot handle.

    For a function that is open `to_anybody`, several known dtypes count as unknown too, as they are only stated. What
    the project passes to any other function is decided call by call.
    """
    fits = v.only(fact, "array", "scalar", "number", "sequence", "unknown", "instance", "foreign", "none")
    dtypes = v.dtypes_of(fact)
    return fits and v.may(fact, "array", "scalar") and (dtypes is None or to_anybody and len(dtypes) > 1)


def _uses(ctx: ModuleContext, function: ast.AST, name: str) -> Iterator[str]:
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
    function = ctx.fact(call.func) if isinstance(call, ast.Call) else v.BOTTOM
    if isinstance(call, ast.Call) and items in call.args[1:] and function == v.one(v.Builtin("map")):
        yield from _taken(ctx, call.args[0], call.args.index(items) - 1)
    elif isinstance(call, ast.Call) and items in call.args and getattr(v.sole(function), "name", "") in FUNCTIONS:
        yield from _passed(ctx, call, items)
    elif isinstance(call, (ast.Call, ast.keyword)):  # a shape, as like as not: `rng.uniform(0, 1, (n, 2))`
        yield OTHER


def _assigned(ctx: ModuleContext, statement: ast.Assign, node: ast.expr) -> Iterator[str]:
    if any(isinstance(target, (ast.Tuple, ast.List)) for target in statement.targets):
        yield ARRAY
    elif isinstance(node, ast.Name):
        for target in statement.targets:
            yield from _attribute_uses(ctx, target)
            if isinstance(target, ast.Subscript) and v.only(ctx.fact(target.value), "array"):
                yield ARRAY


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
                    yield from _use(inside, node)


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
    if any(map(_is_none, parent.comparators)):
        return
    if any(isinstance(side, ast.Constant) and isinstance(side.value, (str, bool)) for side in sides):
        yield OTHER
    elif any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in parent.ops):
        yield OTHER
    else:
        yield ARRAY


def _passed(ctx: ModuleContext, call: ast.Call, node: ast.expr, keyword: str | None = None) -> Iterator[str]:
    if call.func is node:
        yield OTHER
        return
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if name == "isinstance" and admits_lists(ctx.fact, call):
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


def admits_lists(fact: Callable[[ast.AST], v.Fact], call: ast.Call) -> bool:
    """Tell a test of classes that lets lists, tuples and arrays pass: `isinstance(x, (list, tuple, np.ndarray))`."""
    classes = call.args[1].elts if len(call.args) == 2 and isinstance(call.args[1], ast.Tuple) else []
    names = {getattr(v.sole(fact(one)), "name", "").rpartition(".")[2] for one in classes}
    return names >= {"list", "tuple", "ndarray"}


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
    **dict.fromkeys((ast.For, ast.comprehension), _iterated),
    **dict.fromkeys(
        (ast.JoinedStr, ast.FormattedValue, ast.Raise, ast.withitem, ast.Starred),
        lambda ctx, parent, node: iter((OTHER,)),
    ),
}
"""How an expression is used, by the kind of node around it."""
