"""The parameters that a guard may make tensors of: those that are used as arrays are, and whose dtype is open."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Sequence

from np2torch.facts import values as v
from np2torch.facts.annotations import parse_annotation
from np2torch.facts.bindings import single_bindings
from np2torch.facts.evidence import DOCSTRING, MAKERS, RETURN, Source
from np2torch.facts.guards import plain_name
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.passed_objects import calculable
from np2torch.names.tree import (
    COMPARISONS,
    dotted_name,
    is_real_number,
    is_whole_number,
    named_parameters,
    parameter_defaults,
)
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.texts import uses_of
from np2torch.rewrite.guards.uses import ARRAY, OTHER, WHOLE, is_none, uses
from np2torch.rules.site import ModuleContext
from np2torch.rules.syntax.coercions import is_coercion

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
BY_ELEMENT = frozenset({"isclose", "isnan", "isinf", "isfinite", "abs", "absolute", "fabs"})
"""Functions of NumPy that are asked of each element."""
OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare)
SHIFTS, BITS = (ast.LShift, ast.RShift), (ast.BitAnd, ast.BitOr, ast.BitXor)
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
    return [name for name in open_ if is_used_as_array(ctx, function, name)]


def is_used_as_array(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a name, or an attribute (`self.x`), that is used as arrays are, and never as something else."""
    found = set(uses(ctx, function, name))
    return ARRAY in found and not found & {WHOLE, OTHER} and not _is_read_as_mapping(ctx, function, name)


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
    found = {name for name, value in parameter_defaults(function.args) if is_none(value)}
    for node in tree_walk(function):
        if isinstance(node, ast.Compare) and any(map(is_none, node.comparators)):
            found.update(dotted_name(one) or "" for one in (node.left, *node.comparators))
    return frozenset(name for name in names if plain_name(name) in found)


def may_be_number(ctx: ModuleContext, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Tell whether a parameter may be a Python number: a number has no items, no `@`, and few attributes."""
    nodes = uses_of(function, name)
    is_bound = any(not isinstance(node.ctx, ast.Load) for node in nodes)
    return is_bound or not any(needs_items(ctx.parents.get(node), node) for node in nodes)


def is_taken_as_number(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a parameter that the function takes as a number too, whatever its other uses are.

    It asks NumPy whether it is one, makes a Python number of it (`int(np.floor(x))`), or whether numbers are in order
    (`low <= x < high`) or it is some number (`if x == 0`), which of arrays nobody can.
    """
    parents = [(ctx.parents.get(node), node) for node in uses_of(function, name)]
    return any(
        _is_first(parent, node, ASKING)
        or _is_chained(parent)
        or _is_made_a_number(ctx, parent, node)
        or _is_tested(ctx, node)
        for parent, node in parents
    )


def _is_tested(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell an operand of what is true or false as a whole: `if x > 0:`, `while not np.isnan(x):`, `if x and y:`."""
    while isinstance(parent := ctx.parents.get(node), (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call)):
        if isinstance(parent, ast.Compare) and not isinstance(parent.ops[0], COMPARISONS):
            return False
        if isinstance(parent, ast.Call) and not _is_first(parent, node, BY_ELEMENT):
            return False
        node = parent
    is_asked = isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)) and parent.test is node
    return is_asked and isinstance(node, (ast.Compare, ast.Call, ast.BoolOp, ast.UnaryOp))


def _is_made_a_number(ctx: ModuleContext, parent: ast.AST | None, node: ast.expr) -> bool:
    """Tell the argument of `int`, `float` or of a function of `math`, or what a function of NumPy's makes of it."""
    while isinstance(parent, ast.Call) and parent.args[:1] == [node]:
        function = v.sole(ctx.fact(parent.func))
        if isinstance(function, v.Builtin):
            return function.name in ("int", "float") or function.name.startswith("math.")
        if not isinstance(function, v.Numpy):
            return False
        node, parent = parent, ctx.parents.get(parent)
    return False


def _is_chained(parent: ast.AST | None) -> bool:
    return isinstance(parent, ast.Compare) and len(parent.ops) > 1


def is_only_calculated_with(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a parameter that is an operand of operators, or handed on: it is as likely a Python number as an array."""
    nodes = [node for node in uses_of(function, name) if isinstance(node.ctx, ast.Load)]
    return bool(nodes) and all(_is_operand(ctx, node) or _is_handed_on(ctx, node) for node in nodes)


def _is_operand(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell an operand of operators that take numbers, all of them: not of `(alpha * a) @ b`."""
    around: list[ast.expr] = []
    while isinstance(parent := ctx.parents.get(node), OPERATIONS):
        around.append(node := parent)
    return bool(around) and not any(needs_items(one, one) for one in around)


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
    nodes = [node for node in uses_of(function, name) if isinstance(node.ctx, ast.Load)]
    statements = (one for one in tree_walk(function) if isinstance(one, ast.Assign))
    stored = {value for one in statements for _, value in single_bindings(one)}
    return bool(nodes) and all(node in stored for node in nodes)


def is_made_an_array(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell a parameter of which the function makes an array itself, `np.asarray(x)`: it is meant to take lists."""
    return any(_is_first(ctx.parents.get(node), node, MAKERS) for node in uses_of(function, name))


def is_made_an_array_first(ctx: ModuleContext, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Tell a parameter of which only an array is used that the function makes of it: `x = np.asarray(x)`."""
    uses = sorted(uses_of(function, name), key=lambda one: (one.lineno, one.col_offset))
    coerced = [one for one in uses if is_coercion(ctx, ctx.parents.get(one), name)]
    first = next((ctx.statement(one) for one in coerced), None)
    return first in function.body and coerced[:2] == uses[:2]


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


def _documented(definition: FunctionDefinition) -> Iterator[tuple[str, Source]]:
    """The parameters of a docstring, its own or inherited, with what it says of each."""
    said = ((name, one) for name, evidence in definition.evidence.items() for one in evidence.sources)
    return ((name, one) for name, one in said if one.kind == DOCSTRING and name != RETURN)


def stated_integers(definition: FunctionDefinition) -> frozenset[str]:
    """The parameters that the docstring says are integers, and not floats: `v : array_like of int`."""
    return frozenset(name for name, one in _documented(definition) if not one.floats and OF_INTEGERS.search(one.text))


def labels(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The parameters of whose items a set is made, `set(y.tolist())`: names of classes, integers as like as not."""
    calls = [one for one in tree_walk(function) if isinstance(one, ast.Call) and one.args]
    made = (call.args[0] for call in calls if _is_first(call, call.args[0], ("set",)))
    return frozenset(one.id for items in made for one in tree_walk(items) if isinstance(one, ast.Name))


def of_bits(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The names that are shifted, or of whose bits some are taken (`x << 1`, `x & 3`): integers for sure."""
    nodes = [one for one in tree_walk(function) if isinstance(one, ast.BinOp)]
    shifted = (side for one in nodes if isinstance(one.op, SHIFTS) for side in (one.left, one.right))
    pairs = ((one.left, one.right) for one in nodes if isinstance(one.op, BITS))
    masked = (one for left, right in pairs for one, other in ((left, right), (right, left)) if is_whole_number(other))
    return frozenset(one.id for one in (*shifted, *masked) if isinstance(one, ast.Name))


def stated_floats(definition: FunctionDefinition) -> frozenset[str]:
    """The parameters that the docstring says may be floats: `x : float or array`."""
    return frozenset(name for name, one in _documented(definition) if one.floats)


def stated_numbers(definition: FunctionDefinition) -> frozenset[str]:
    """The parameters that are numbers by their documentation, their annotation or their default.

    A default says nothing of what is documented to be an array or complex (`z : complex array-like or number`).
    """
    assert not isinstance(definition.node, ast.Lambda)
    said = (name for name, evidence in definition.evidence.items() if evidence.states_number)
    more = {name for name, one in _documented(definition) if _is_more_than_a_number(one)}
    default = (name for name, one in parameter_defaults(definition.node.args) if _is_number(one) and name not in more)
    return frozenset(said).union(default)


def _is_more_than_a_number(said: Source) -> bool:
    """Tell whether documentation speaks of arrays, lists or complex numbers."""
    return v.known_to_include(said.fact, "array", "sequence") or OF_COMPLEX.search(said.text) is not None


def _is_number(node: ast.expr) -> bool:
    return is_real_number(node.operand if isinstance(node, ast.UnaryOp) else node)


def stated_complex(ctx: ModuleContext, definition: FunctionDefinition) -> frozenset[str]:
    """The parameters that the docstring says are complex, or whose real and imaginary parts are asked for."""
    uses = ((name, uses_of(definition.node, name)) for name in definition.parameters)
    asked = (name for name, nodes in uses if any(_is_parted(ctx, node) for node in nodes))
    return frozenset(name for name, one in _documented(definition) if OF_COMPLEX.search(one.text)).union(asked)


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
    kinds = ("array", "scalar", "number", "sequence", "unknown", "instance", "foreign", "none")
    fits = v.only(calculable(fact), *kinds)
    dtypes = v.dtypes_of(fact)
    return fits and v.may(fact, "array", "scalar") and (dtypes is None or to_anybody and len(dtypes) > 1)
