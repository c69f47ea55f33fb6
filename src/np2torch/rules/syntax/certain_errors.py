"""Expressions that certainly fail: they go to the shim, which raises NumPy's errors; torch's are of another class."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from fractions import Fraction

from np2torch.facts import values as v
from np2torch.facts.interpreter.operators import OPERATORS
from np2torch.rules.constant_arrays import (
    Contents,
    Shape,
    broadcast,
    contents,
    index_constant,
    parts,
    reshape_constant,
    sizes,
    written_out,
)
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.site import Edit, ModuleContext, shim_call, source_of, text_edit
from np2torch.rules.syntax.assignments import shim_store
from np2torch.rules.syntax.calls import numpy_name, shim_name
from np2torch.rules.syntax.operators import involves_arrays
from np2torch.rules.syntax.runtime_dispatch import PYTHON_NAMES, shim_operator

WHY = "NumPy raises here for certain, and torch another class of error"
MOST_SORTED = 2**24
"""How many elements torch's `quantile` takes."""


def _fits_no_shape(ctx: ModuleContext, args: list[ast.expr]) -> bool:
    source, shape = contents(ctx, args[0]), sizes(ctx, args[1:])
    return source is not None and shape is not None and reshape_constant(source, shape) is None


def _is_empty(ctx: ModuleContext, args: list[ast.expr]) -> bool:
    source = contents(ctx, args[0])
    return source is not None and not source.size and len(args) == 1


def _is_no_quantile(ctx: ModuleContext, args: list[ast.expr]) -> bool:
    source = contents(ctx, args[0])
    return source is not None and not 0 < source.size <= MOST_SORTED


def _do_not_join(ctx: ModuleContext, args: list[ast.expr]) -> bool:
    items = args[0].elts if isinstance(args[0], (ast.List, ast.Tuple)) else []
    known = [contents(ctx, item) for item in items]
    axis = v.constant(ctx.fact(args[1])) if len(args) > 1 else 0
    shapes = [one.shape for one in known if one is not None]
    if len(shapes) < len(items) or type(axis) is not int or not all(-len(s) <= axis < len(s) for s in shapes):
        return False
    return len({(len(s), s[: axis % len(s)], s[axis % len(s) + 1 :]) for s in shapes}) > 1


def _two_shapes(ctx: ModuleContext, args: list[ast.expr]) -> tuple[Shape, Shape] | None:
    """The shapes of the first two arguments; the second is not looked at where the first has none that is known."""
    left = contents(ctx, args[0])
    right = contents(ctx, args[1]) if left is not None and len(args) > 1 else None
    return None if left is None or right is None else (left.shape, right.shape)


def _do_not_broadcast(ctx: ModuleContext, args: list[ast.expr]) -> bool:
    shapes = _two_shapes(ctx, args)
    return shapes is not None and broadcast(*shapes) is None


def _do_not_multiply(ctx: ModuleContext, args: list[ast.expr]) -> bool:
    left, right = _two_shapes(ctx, args) or ((), ())
    return bool(left and right) and left[-1] != right[-2 if len(right) > 1 else 0]


def _is_singular(ctx: ModuleContext, args: list[ast.expr]) -> bool:
    source = contents(ctx, args[0])
    if source is None or source.values is None or len(source.shape) != 2 or len(set(source.shape)) > 1:
        return False
    if not all(isinstance(one, (int, float)) and math.isfinite(one) for one in source.values):
        return False
    size = source.shape[0]
    rows = [[Fraction(one) for one in source.values[i * size : (i + 1) * size]] for i in range(size)]
    for at in range(size):
        pivot = next((row for row in rows[at:] if row[at]), None)
        if pivot is None:
            return True
        rows.remove(pivot)
        rows.insert(at, pivot)
        for row in rows[at + 1 :]:
            factor = row[at] / pivot[at]
            row[:] = [one - factor * other for one, other in zip(row, pivot, strict=True)]
    return False


FAILS: dict[str, Callable[[ModuleContext, list[ast.expr]], bool]] = {
    "reshape": _fits_no_shape, "concatenate": _do_not_join, "linalg.inv": _is_singular, "linalg.solve": _is_singular,
    **dict.fromkeys(["max", "min", "argmax", "argmin"], _is_empty),
    **dict.fromkeys(["median", "quantile", "percentile"], _is_no_quantile),
    **dict.fromkeys(set(OPERATORS.values()) | {"maximum", "minimum", "arctan2", "hypot"}, _do_not_broadcast),
    **dict.fromkeys(["matmul", "dot"], _do_not_multiply),
}  # fmt: skip
"""Tests for a function that certainly raises (or, for a quantile, that torch's does), by NumPy's name."""


@on(Phase.SPECIAL, ast.Call)
def call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`np.concatenate` of what does not fit, `np.max` of nothing, `x.reshape(4, 2)` of six elements."""
    found = parts(ctx, node)
    if found is None or not found[1] or node.keywords or found[0] not in FAILS or ctx.converted_already():
        return None
    name, args = found
    if not FAILS[name](ctx, args):
        return None
    if (function := numpy_name(ctx.fact(node.func))) is not None:
        target = shim_name(ctx, function, name)
        return shim_call(ctx, node, target, source_of(node.func), WHY) if target is not None else None
    if name == "reshape" and len(args) > 2:
        template = Template()
        owner, *rest = map(template.mark, args)
        return text_edit(node, "shim", "NPT150", WHY, template, f"shim.reshape({owner}, ({', '.join(rest)}))")
    assert isinstance(node.func, ast.Attribute)
    return shim_call(ctx, node, name, f".{name}()", WHY, first=node.func.value)


@on(Phase.REST, ast.BinOp)
def binary(ctx: ModuleContext, node: ast.BinOp) -> Edit | None:
    """`a + b` of shapes that do not fit, `a @ b` of sizes that do not."""
    name = OPERATORS[type(node.op)]
    arrays = involves_arrays(ctx.fact(node.left), ctx.fact(node.right)) and type(node.op) in PYTHON_NAMES
    if arrays and not ctx.converted_already() and FAILS[name](ctx, [node.left, node.right]):
        return shim_operator(ctx, node, node.op, node.left, node.right)
    return None


@on(Phase.REST, ast.Assign)
def store(ctx: ModuleContext, node: ast.Assign) -> Edit | None:
    """`a[0:2] = np.ones(3)`, `a[a > 1] = np.ones(2)` where three are meant."""
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Subscript) or ctx.converted_already():
        return None
    if not v.is_tensor(ctx.fact(target.value)):
        return None
    source, value = contents(ctx, target.value), _stored(ctx, node.value)
    if source is None or value is None:
        return None
    meant, mask = index_constant(ctx, source.shape, target.slice), contents(ctx, target.slice)
    if mask is not None and mask.shape == source.shape and mask.values is not None and _are_bools(mask):
        meant = (sum(mask.values),)
    if meant is None or broadcast(meant, _without_ones(value.shape, len(meant))) == meant:
        return None
    return shim_store(ctx, node, target, node.value, WHY)


def _stored(ctx: ModuleContext, node: ast.expr) -> Contents | None:
    return written_out(ctx, node, 1) if isinstance(node, (ast.List, ast.Tuple)) else contents(ctx, node)


def _are_bools(mask: Contents) -> bool:
    return bool(mask.shape) and all(isinstance(one, bool) for one in mask.values or ())


def _without_ones(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """A shape without the ones in front that are too many, which NumPy drops when it stores."""
    while len(shape) > rank and shape[0] == 1:
        shape = shape[1:]
    return shape


def _has_no_truth(ctx: ModuleContext, node: ast.expr) -> bool:
    if not v.only(ctx.fact(node), "array") or ctx.converted_already():
        return False
    source = contents(ctx, node)
    return source is not None and source.size != 1


@on(Phase.REST, ast.BoolOp, ast.If, ast.While, ast.IfExp, ast.Assert, ast.UnaryOp)
def condition(ctx: ModuleContext, node: ast.AST) -> None:
    """`a and b`, `if a:`, where `a` has several elements."""
    tested = getattr(node, "values", [])[:-1] or [getattr(node, "test", None)]
    if isinstance(node, ast.UnaryOp):
        tested = [node.operand] if isinstance(node.op, ast.Not) else []
    for one in tested:
        if one is not None and _has_no_truth(ctx, one):
            ctx.wrap(one, "shim.truth(", ")", "shim", "NPT152", WHY)
