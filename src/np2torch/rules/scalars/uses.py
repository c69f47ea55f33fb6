"""Uses of a scalar: it is looked at, stored, bound to a name, or anything else."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from np2torch.facts import values as v
from np2torch.facts.bindings import single_bindings
from np2torch.facts.interpreter.operators import is_set
from np2torch.rules.scalars.items import TESTING, is_used_up
from np2torch.rules.scalars.numbers import Alternatives, promotes_alike, stores_alike, taken_alike
from np2torch.rules.site import ModuleContext

AS_REPRESENTED = re.compile(r"%[^%]*?[ra]|\{[^{}]*!(?!s)|\{[^{}]*[.\[]")
"""Template fields that need more than a value's text as a number: its representation, attributes and items."""
MEMBERS = frozenset("add discard remove".split())
"""Methods of sets that take a member."""
KEYED = frozenset("get pop setdefault".split())
"""Methods of mappings that take a key first."""
BESIDE: dict[str, tuple[type[ast.operator], int]] = {
    "numpy.where": (ast.Add, 1), "numpy.maximum": (ast.Add, 0), "numpy.minimum": (ast.Add, 0),
    "numpy.add": (ast.Add, 0), "numpy.subtract": (ast.Sub, 0), "numpy.multiply": (ast.Mult, 0),
    "numpy.divide": (ast.Div, 0), "numpy.true_divide": (ast.Div, 0),
}  # fmt: skip
"""Functions of two operands of which torch takes a Python number for one, as an operator does, and where they stand."""
Kind = Literal["looked at", "stored", "combined", "bound", "any"]


class Use(NamedTuple):
    """One use of a scalar.

    Attributes
    ----------
    kind
        "looked at": only its value is asked, and no gradient flows on; "stored": it becomes an element of an array;
        "combined": an operation with an array; "bound": to local names; "any": who takes it may do anything with it.
    targets
        The names it is bound to, or the array's element that it is stored in.
    takes_number
        Whether a Python number is treated alike.
    """

    kind: Kind
    targets: tuple[ast.expr, ...] = ()
    takes_number: bool = True


LOOKED_AT = Use("looked at")
ANY_USE = Use("any", takes_number=False)
Step = Callable[[ModuleContext, Any, ast.AST, Alternatives], Use | None]
"""Say what a parent node does with the value of a child; None where it hands it on as its own value."""


def use_of(ctx: ModuleContext, node: ast.expr, number: Alternatives) -> Use:
    """Give what is done with the value of an expression that may be these numbers."""
    child: ast.AST = node
    while (parent := ctx.parents.get(child)) is not None:
        found = STEPS.get(type(parent), _any)(ctx, parent, child, number)
        if found is not None:
            return found
        child = parent
    return ANY_USE


def _any(ctx: ModuleContext, parent: ast.AST, child: ast.AST, number: Alternatives) -> Use:
    return ANY_USE


def _look(ctx: ModuleContext, parent: ast.AST, child: ast.AST, number: Alternatives) -> Use:
    return LOOKED_AT


def _assert(ctx: ModuleContext, parent: ast.Assert, child: ast.AST, number: Alternatives) -> Use:
    return LOOKED_AT if child is parent.test else ANY_USE


def _filter(ctx: ModuleContext, parent: ast.comprehension, child: ast.AST, number: Alternatives) -> Use:
    return LOOKED_AT if child in parent.ifs else ANY_USE


def _generate(ctx: ModuleContext, parent: ast.GeneratorExp, child: ast.AST, number: Alternatives) -> Use:
    """`any(x > 0 for x in xs)`."""
    return LOOKED_AT if child is parent.elt and is_used_up(ctx, parent, TESTING) else ANY_USE


def _conditional(ctx: ModuleContext, parent: ast.IfExp, child: ast.AST, number: Alternatives) -> Use | None:
    return LOOKED_AT if child is parent.test else None


def _hand_on(ctx: ModuleContext, parent: ast.AST, child: ast.AST, number: Alternatives) -> Use | None:
    return None


def _unary(ctx: ModuleContext, parent: ast.UnaryOp, child: ast.AST, number: Alternatives) -> Use:
    return LOOKED_AT if isinstance(parent.op, ast.Not) else ANY_USE


def _compare(ctx: ModuleContext, parent: ast.Compare, child: ast.AST, number: Alternatives) -> Use:
    """`x is None`, `x in seen`; with an array it is an operation."""
    if len(parent.ops) != 1:
        return ANY_USE
    other = parent.comparators[0] if child is parent.left else parent.left
    if isinstance(parent.ops[0], (ast.In, ast.NotIn)):
        holds = v.only(ctx.fact(other), "sequence", "mapping") and child is parent.left
        return LOOKED_AT if holds else ANY_USE
    if isinstance(parent.ops[0], (ast.Is, ast.IsNot)):
        return LOOKED_AT if v.only(ctx.fact(other), "none") else ANY_USE
    alike = promotes_alike(type(parent.ops[0]), number, ctx.fact(other), child is parent.left)
    return Use("looked at", takes_number=alike)


def _binary(ctx: ModuleContext, parent: ast.BinOp, child: ast.AST, number: Alternatives) -> Use:
    """An operation with an array; `"%d" % x`."""
    template = ctx.fact(parent.left)
    if isinstance(parent.op, ast.Mod) and child is parent.right and v.only(template, "text"):
        return _written(ctx, parent.left)
    other = parent.right if child is parent.left else parent.left
    alike = promotes_alike(type(parent.op), number, ctx.fact(other), child is parent.left)
    return Use("combined", takes_number=alike)


def _written(ctx: ModuleContext, template: ast.expr) -> Use:
    known = v.constant(ctx.fact(template))
    plain = isinstance(known, str) and not AS_REPRESENTED.search(known.replace("%%", ""))
    return LOOKED_AT if plain else ANY_USE


def _tuple(ctx: ModuleContext, parent: ast.Tuple, child: ast.AST, number: Alternatives) -> Use | None:
    """Part of an index, of the values for a template, or of what is bound to as many names."""
    around = ctx.parents.get(parent)
    if isinstance(around, ast.Subscript) and parent is around.slice:
        return _subscript(ctx, around, parent, number)
    if isinstance(around, ast.BinOp) and parent is around.right and v.only(ctx.fact(around.left), "text"):
        return _written(ctx, around.left)
    if isinstance(around, ast.Assign):
        return _assign(ctx, around, child, number)
    return LOOKED_AT if isinstance(around, ast.Call) and _is_key(ctx, around, parent) else ANY_USE


def _subscript(ctx: ModuleContext, parent: ast.Subscript, child: ast.AST, number: Alternatives) -> Use:
    """An index, or a key."""
    if child is not parent.slice:
        return ANY_USE
    owner, kinds = ctx.fact(parent.value), {one.type for one in number if one.is_scalar}
    if v.only(owner, "mapping"):
        return LOOKED_AT
    return LOOKED_AT if kinds == {"int"} and v.only(owner, "array", "sequence", "text") else ANY_USE


def _slice(ctx: ModuleContext, parent: ast.Slice, child: ast.AST, number: Alternatives) -> Use:
    """A bound."""
    return LOOKED_AT if {one.type for one in number} == {"int"} else ANY_USE


def _formatted(ctx: ModuleContext, parent: ast.FormattedValue, child: ast.AST, number: Alternatives) -> Use:
    bools = parent.format_spec is not None and any(one.type == "bool" for one in number)
    return LOOKED_AT if parent.conversion in (-1, ord("s")) and not bools else ANY_USE


def _is_key(ctx: ModuleContext, call: ast.Call, argument: ast.AST) -> bool:
    """Tell whether a method takes an argument for a key, or a member: `seen.add(x)`, which is taken by value anyway."""
    method = call.func
    if not isinstance(method, ast.Attribute) or call.args[:1] != [argument]:
        return False
    owner = ctx.fact(method.value)
    return method.attr in MEMBERS and is_set(owner) or method.attr in KEYED and v.only(owner, "mapping")


def _call(ctx: ModuleContext, parent: ast.Call, child: ast.AST, number: Alternatives) -> Use:
    """Give what a function of Python's does with an argument."""
    function, atom = parent.func, v.sole(ctx.fact(parent.func))
    if child is function or child not in parent.args:
        return ANY_USE
    if _is_key(ctx, parent, child):
        return LOOKED_AT
    if isinstance(function, ast.Attribute) and function.attr == "format" and v.only(ctx.fact(function.value), "text"):
        return ANY_USE if any(one.type == "bool" for one in number) else _written(ctx, function.value)
    if isinstance(atom, v.Numpy):
        return _beside(ctx, parent, child, number, atom.name)
    if not isinstance(atom, v.Builtin) or atom.name == "round" and len(parent.args) + len(parent.keywords) > 1:
        return ANY_USE
    types = ast.unparse(parent.args[1]) if atom.name == "isinstance" and len(parent.args) == 2 else ""
    return LOOKED_AT if taken_alike(atom.name, number, types) else ANY_USE


def _beside(ctx: ModuleContext, call: ast.Call, child: ast.AST, number: Alternatives, name: str) -> Use:
    """An operation of NumPy's with an array: `np.where(x > 0, x, eps)`, `np.maximum(x, eps)`."""
    if name not in BESIDE or call.keywords:
        return ANY_USE
    op, first = BESIDE[name]
    operands = call.args[first:]
    if len(operands) != 2 or child not in operands:
        return ANY_USE
    other = operands[child is operands[0]]
    alike = v.only(ctx.fact(other), "array") and promotes_alike(op, number, ctx.fact(other), child is operands[0])
    return Use("combined", takes_number=alike)


def _assign(ctx: ModuleContext, parent: ast.Assign | ast.AnnAssign, child: ast.AST, number: Alternatives) -> Use:
    """Follow a value that is bound to names, or stored as an element of an array."""
    assert parent.value is not None
    found = [target for target, value in single_bindings(parent) if value is child]
    if found and all(isinstance(target, ast.Name) for target in found):
        return Use("bound", tuple(found))
    if len(found) == 1 and isinstance(found[0], ast.Subscript) and v.only(ctx.fact(found[0].value), "array"):
        return Use("stored", (found[0],), stores_alike(number, ctx.fact(found[0].value)))
    return ANY_USE


def _augmented(ctx: ModuleContext, parent: ast.AugAssign, child: ast.AST, number: Alternatives) -> Use:
    """`s += x`, `a[i] += x`."""
    if child is not parent.value:
        return ANY_USE
    if isinstance(parent.target, ast.Name):
        return Use("bound", (parent.target,))
    target = parent.target
    if not isinstance(target, ast.Subscript) or not v.only(ctx.fact(target.value), "array"):
        return ANY_USE
    owner = ctx.fact(target.value)
    alike = promotes_alike(type(parent.op), number, owner, is_left=False) and stores_alike(number, owner)
    return Use("stored", (target,), alike)


STEPS: dict[type[ast.AST], Step] = {
    **dict.fromkeys((ast.If, ast.While, ast.Expr), _look), ast.Assert: _assert, ast.BoolOp: _hand_on,
    ast.comprehension: _filter, ast.GeneratorExp: _generate,
    ast.IfExp: _conditional, ast.UnaryOp: _unary, ast.Compare: _compare, ast.BinOp: _binary, ast.Tuple: _tuple,
    ast.Subscript: _subscript, ast.Slice: _slice, ast.FormattedValue: _formatted, ast.Call: _call,
    ast.Assign: _assign, ast.AnnAssign: _assign, ast.AugAssign: _augmented,
}  # fmt: skip
