"""The shape of arrays by the text alone, and their numbers if these are few and never written.

The facts know dtypes and ranks, and what is decided rests on them. This knows more of less, and nothing rests on it but
the choice between two spellings that are both right: torch's, and the shim's, which raises NumPy's errors.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from np2torch.facts import values as v
from np2torch.facts.bindings import pairs
from np2torch.names import resolve
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import ModuleContext

MOST_VALUES = 1000
"""Arrays of more elements are known by their shape alone."""
MOST_STEPS = 8
"""How many names and operators lie between an expression and what is written out, at most."""
Shape = tuple[int, ...]


class Contents(NamedTuple):
    """The shape of an array, and its numbers in C order where they are known."""

    shape: Shape
    values: tuple[Any, ...] | None = None

    @property
    def size(self) -> int:
        """Count the elements."""
        return math.prod(self.shape)


def contents(ctx: ModuleContext, node: ast.expr, steps: int = MOST_STEPS) -> Contents | None:
    """Give the shape and numbers of an expression by its text; None if the text does not tell."""
    constant = v.constant(ctx.fact(node))
    if isinstance(constant, (bool, int, float, complex)):
        return Contents((), (constant,))
    reader = READERS.get(type(node))
    return reader(ctx, node, steps - 1) if reader is not None and steps else None


def written_out(ctx: ModuleContext, node: ast.expr, steps: int) -> Contents | None:
    """A list as NumPy makes an array of it: all items of one shape."""
    if (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)) in ctx.module.cut:
        return None
    parts = [_array(ctx, [item], steps) for item in getattr(node, "elts", ())]
    known = [part for part in parts if part is not None and part.values is not None]
    if len(known) < len(parts) or len({part.shape for part in known}) > 1 or len(known) > MOST_VALUES:
        return None
    values = tuple(value for part in known for value in part.values or ())
    return Contents((len(known), *(known[0].shape if known else ())), values)


def broadcast(*shapes: Shape) -> Shape | None:
    """The shape that several become together; None where they do not fit."""
    out = []
    for sizes in itertools.zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        wide = {size for size in sizes if size != 1}
        if len(wide) > 1:
            return None
        out.append(wide.pop() if wide else 1)
    return tuple(reversed(out))


def reshape_constant(old: Contents, shape: Shape) -> Contents | None:
    """The same numbers in another shape; None where they do not fit."""
    rest = math.prod(size for size in shape if size != -1)
    if shape.count(-1) == 1 and rest and not old.size % rest:
        shape = tuple(old.size // rest if size == -1 else size for size in shape)
    return Contents(shape, old.values) if math.prod(shape) == old.size and min(shape, default=0) >= 0 else None


def sizes(ctx: ModuleContext, nodes: Sequence[ast.expr]) -> Shape | None:
    """A shape as it is passed: one tuple, or the sizes one by one."""
    found = [v.constant(ctx.fact(node)) for node in nodes]
    if len(nodes) == 1 and (items := v.items_of(ctx.fact(nodes[0]))) is not None:
        found = [v.constant(item) for item in items]
    return tuple(found) if all(type(size) is int for size in found) else None


def _filled(value: Any) -> Callable[..., Contents | None]:
    def make(ctx: ModuleContext, args: list[ast.expr], steps: int) -> Contents | None:
        shape = sizes(ctx, args[:1])
        return None if shape is None or min(shape, default=0) < 0 else _full(shape, value)

    return make


def _full(shape: Shape, value: Any) -> Contents:
    few = value is not None and math.prod(shape) <= MOST_VALUES
    return Contents(shape, (value,) * math.prod(shape) if few else None)


def _like(value: Any) -> Callable[..., Contents | None]:
    def make(ctx: ModuleContext, args: list[ast.expr], steps: int) -> Contents | None:
        source = contents(ctx, args[0], steps)
        return None if source is None else _full(source.shape, value)

    return make


def _arange(ctx: ModuleContext, args: list[ast.expr], steps: int) -> Contents | None:
    given = [v.constant(ctx.fact(arg)) for arg in args]
    if len(given) > 3 or not all(isinstance(one, (int, float)) for one in given):
        return None
    start, stop, step = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
    if not step or not all(map(math.isfinite, (start, stop, step))):
        return None
    count = max(0, math.ceil((stop - start) / step))
    few = count <= MOST_VALUES
    return Contents((count,), tuple(start + i * step for i in range(count)) if few else None)


def _eye(ctx: ModuleContext, args: list[ast.expr], steps: int) -> Contents | None:
    shape = sizes(ctx, args)
    if shape is None or len(shape) > 2 or min(shape) < 0:
        return None
    rows, columns = shape[0], shape[-1]
    few = rows * columns <= MOST_VALUES
    return Contents((rows, columns), tuple(i == j for i in range(rows) for j in range(columns)) if few else None)


def _array(ctx: ModuleContext, args: list[ast.expr], steps: int) -> Contents | None:
    reader = written_out if isinstance(args[0], (ast.List, ast.Tuple)) else contents
    return reader(ctx, args[0], steps)


def _reshape(ctx: ModuleContext, args: list[ast.expr], steps: int) -> Contents | None:
    source, shape = contents(ctx, args[0], steps), sizes(ctx, args[1:])
    return None if source is None or shape is None else reshape_constant(source, shape)


MAKERS: dict[str, Callable[[ModuleContext, list[ast.expr], int], Contents | None]] = {
    "array": _array, "asarray": _array, "copy": _array, "arange": _arange, "eye": _eye, "identity": _eye,
    "zeros": _filled(0), "ones": _filled(1), "empty": _filled(None), "full": _filled(None),
    "zeros_like": _like(0), "ones_like": _like(1), "empty_like": _like(None), "reshape": _reshape,
}  # fmt: skip
"""The functions and methods that make an array by constants of the text, by name."""


def parts(ctx: ModuleContext, node: ast.Call) -> tuple[str, list[ast.expr]] | None:
    """The name of NumPy's function or of the method that is called, and what it is called with, the owner first."""
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    atom = v.sole(ctx.fact(node.func))
    if isinstance(atom, v.Numpy):
        return resolve.canonical(atom.name).removeprefix("numpy."), list(node.args)
    if isinstance(node.func, ast.Attribute) and v.only(ctx.fact(node.func.value), "array"):
        return node.func.attr, [node.func.value, *node.args]
    return None


def _call(ctx: ModuleContext, node: ast.Call, steps: int) -> Contents | None:
    found = parts(ctx, node)
    if found is None or not found[1] or any(keyword.arg != "dtype" for keyword in node.keywords):
        return None
    maker = MAKERS.get(found[0])
    made = maker(ctx, found[1], steps) if maker is not None else None
    if made is None or not node.keywords or found[0] not in ("array", "asarray"):
        return made
    return Contents(made.shape)


def _name(ctx: ModuleContext, node: ast.Name, steps: int) -> Contents | None:
    """A name that its function binds once, by a statement that comes before and certainly ran."""
    function = ctx.function(node)
    if function not in ctx.bound:
        ctx.bound[function] = _bound_once(function)
    value = ctx.bound[function].get(node.id)
    if value is None or value.lineno >= node.lineno:
        return None
    found = contents(ctx, value, steps)
    if found is not None and ctx.aliases(node).written_before(node.id, node):
        return Contents(found.shape)
    return found


def _bound_once(function: ast.AST) -> dict[str, ast.expr]:
    stored: Counter[str] = Counter()
    for one in tree_walk(function):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            stored[one.id] += 1
        elif isinstance(one, ast.arg):
            stored[one.arg] += 1
        elif isinstance(one, (ast.Global, ast.Nonlocal)):
            stored.update(one.names)
    bound: dict[str, ast.expr] = {}
    for one in getattr(function, "body", ()) if not isinstance(function, ast.Lambda) else ():
        for target, value in pairs(one.targets[0], one.value) if isinstance(one, ast.Assign) else ():
            is_whole = target is one.targets[0] or value is not one.value
            if isinstance(target, ast.Name) and stored[target.id] == 1 and is_whole:
                bound[target.id] = value
    return bound


def elementwise(values: Callable[..., Any], operands: Iterable[Contents | None]) -> Contents | None:
    """Apply an operator to operands that broadcast; numbers are given only for equal shapes, or beside a number."""
    known = [one for one in operands if one is not None]
    shape = broadcast(*(one.shape for one in known))
    if shape is None or any(one is None for one in operands):
        return None
    many = math.prod(shape)
    if many > MOST_VALUES or any(one.values is None or one.shape not in ((), shape) for one in known):
        return Contents(shape)
    columns = [one.values * many if one.shape != shape else one.values for one in known if one.values is not None]
    try:
        return Contents(shape, tuple(map(values, *columns)))
    except (ArithmeticError, TypeError, ValueError):
        return Contents(shape)


VALUES: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.USub: operator.neg,
}  # fmt: skip


def _operands(ctx: ModuleContext, nodes: Iterable[ast.expr], steps: int) -> list[Contents | None]:
    """The contents of operands, up to the first of which nothing is known: they are no use without one another."""
    found: list[Contents | None] = []
    for node in nodes:
        found.append(contents(ctx, node, steps))
        if found[-1] is None:
            break
    return found


def _unary(ctx: ModuleContext, node: ast.UnaryOp, steps: int) -> Contents | None:
    made = VALUES.get(type(node.op))
    return elementwise(made, [contents(ctx, node.operand, steps)]) if made is not None else None


def _binary(ctx: ModuleContext, node: ast.BinOp, steps: int) -> Contents | None:
    made = VALUES.get(type(node.op))
    return elementwise(made, _operands(ctx, (node.left, node.right), steps)) if made is not None else None


def _compare(ctx: ModuleContext, node: ast.Compare, steps: int) -> Contents | None:
    made = VALUES.get(type(node.ops[0]))
    if made is None or len(node.ops) > 1:
        return None
    return elementwise(made, _operands(ctx, (node.left, *node.comparators), steps))


def index_constant(ctx: ModuleContext, shape: Shape, index: ast.expr) -> Shape | None:
    """The shape of what integers and slices take of an array; None for other indices, and what is out of bounds."""
    items = index.elts if isinstance(index, ast.Tuple) else [index]
    out: list[int] = []
    if len(items) > len(shape):
        return None
    for item, size in zip(items, shape, strict=False):
        if isinstance(item, ast.Slice):
            limits = [None if one is None else v.constant(ctx.fact(one)) for one in (item.lower, item.upper, item.step)]
            given = [one for one in (item.lower, item.upper, item.step) if one is not None]
            if len([one for one in limits if type(one) is int]) < len(given) or limits[2] == 0:
                return None
            out.append(len(range(size)[slice(*limits)]))
        else:
            at = v.constant(ctx.fact(item))
            if type(at) is not int or not -size <= at < size:
                return None
    return (*out, *shape[len(items) :])


def _subscript(ctx: ModuleContext, node: ast.Subscript, steps: int) -> Contents | None:
    source = contents(ctx, node.value, steps)
    shape = index_constant(ctx, source.shape, node.slice) if source is not None else None
    return None if shape is None else Contents(shape)


READERS: dict[type, Callable[[ModuleContext, Any, int], Contents | None]] = {
    ast.Call: _call, ast.Name: _name, ast.UnaryOp: _unary, ast.BinOp: _binary, ast.Compare: _compare,
    ast.Subscript: _subscript,
}  # fmt: skip
