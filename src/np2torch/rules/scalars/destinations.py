"""Destinations of the value of an expression: consumed at once, bound to names, or kept."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from np2torch.facts import values as v
from np2torch.facts.access_paths import GOING_THROUGH, VIEW_ATTRIBUTES, VIEW_FUNCTIONS, VIEW_METHODS, passed_for
from np2torch.facts.bindings import single_bindings
from np2torch.facts.interpreter.operators import is_set
from np2torch.facts.libraries import library
from np2torch.facts.retention import CHOOSING, CONSUMING, CONSUMING_MODULES, COPYING, SET_METHODS
from np2torch.names.tree import called_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import ModuleContext

FOLDING = ("sum",)
"""Python's functions whose result may hold what the items of their arguments hold: `sum([[x[0]]], [])`."""
ASKING_METHODS = frozenset(
    "count index keys isdisjoint issubset issuperset __len__ __contains__ __str__ __repr__".split()
)
"""Methods of containers whose result holds none of their items but keys."""


KEYED = ("get", "pop", "setdefault")
"""Methods of mappings whose first argument is a key."""
DISPLAYS = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)
"""Expressions that make a sequence, of which NumPy makes an array of its own."""


HOLDING = (*DISPLAYS, ast.Dict, ast.DictComp, ast.Starred)
"""Expressions whose value holds the values of their parts."""


class Destination(NamedTuple):
    """The destination of a value.

    Attributes
    ----------
    is_kept
        Whether it may be held after the expression is evaluated.
    names
        The local names it is bound to, and nothing else; empty where it is kept elsewhere.
    leaves
        Whether it leaves the function as its result.
    consumer
        The node that consumes it, if there is one.
    """

    is_kept: bool
    names: tuple[ast.Name, ...] = ()
    leaves: bool = False
    consumer: ast.AST | None = None


CONSUMED = Destination(False)
KEPT = Destination(True)
RETURNED = Destination(True, leaves=True)
Step = Callable[[ModuleContext, Any, ast.AST], Destination | None]
"""Say where a parent node puts the value of a child; None where the parent's own value is or holds it."""


def destination(ctx: ModuleContext, node: ast.expr) -> Destination:
    """Follow the value of an expression to where it is consumed or kept."""
    child: ast.AST = node
    path: list[ast.AST] = [node]
    is_held = False
    while (parent := ctx.parents.get(child)) is not None:
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            return _assigned(ctx, parent, path)
        is_held = is_held or isinstance(child, HOLDING)
        step = (STEPS | OF_HOLDERS if is_held else STEPS).get(type(parent), _keep)
        found = step(ctx, parent, child)
        if found is not None:
            return found if found.is_kept else Destination(False, consumer=found.consumer or parent)
        child = parent
        path.append(child)
    return KEPT


def _keep(ctx: ModuleContext, parent: ast.AST, child: ast.AST) -> Destination | None:
    return KEPT


def _consume(ctx: ModuleContext, parent: ast.AST, child: ast.AST) -> Destination | None:
    return CONSUMED


def _hand_on(ctx: ModuleContext, parent: ast.AST, child: ast.AST) -> Destination | None:
    return None


def _leave(ctx: ModuleContext, parent: ast.AST, child: ast.AST) -> Destination | None:
    return RETURNED


def _lambda(ctx: ModuleContext, parent: ast.Lambda, child: ast.AST) -> Destination | None:
    """`key=lambda e: e[0]`: what sorts by it drops it."""
    return CONSUMED if getattr(ctx.parents.get(parent), "arg", "") == "key" else RETURNED


def _operator(ctx: ModuleContext, parent: ast.BinOp, child: ast.AST) -> Destination | None:
    """`[x[0]] * 2` holds the element, `x[0] * 2` is a new value."""
    if v.only(ctx.fact(parent.left), "text"):
        return CONSUMED
    return None if _is_list(ctx, child) or isinstance(child, (ast.Dict, ast.DictComp)) else CONSUMED


def _is_list(ctx: ModuleContext, node: ast.AST) -> bool:
    return v.known_to_include(ctx.fact(node), "sequence")


def _unary(ctx: ModuleContext, parent: ast.UnaryOp, child: ast.AST) -> Destination | None:
    return None if isinstance(parent.op, ast.UAdd) else CONSUMED


def _conditional(ctx: ModuleContext, parent: ast.IfExp, child: ast.AST) -> Destination | None:
    return CONSUMED if child is parent.test else None


def _subscript(ctx: ModuleContext, parent: ast.Subscript, child: ast.AST) -> Destination | None:
    """Follow a value into a subscript: an index is consumed, what is subscripted hands on a part of itself."""
    if child is parent.slice:
        return CONSUMED
    return None if _may_hand_on(ctx, parent) else CONSUMED


def _may_hand_on(ctx: ModuleContext, part: ast.expr) -> bool:
    """Tell whether this part of an expression may be or hold the value that is followed."""
    return v.may(ctx.fact(part), "array", "scalar", "sequence", "mapping", "iterator")


def _attribute(ctx: ModuleContext, parent: ast.Attribute, child: ast.AST) -> Destination | None:
    """`x.T` shares with `x`; what an object hands out may be the element that it was made of."""
    is_called = getattr(ctx.parents.get(parent), "func", None) is parent
    if parent.attr in (VIEW_METHODS if is_called else VIEW_ATTRIBUTES):
        return None
    is_object = v.known_to_include(ctx.fact(parent.value), "instance")
    return None if is_object and _may_hand_on(ctx, parent) else CONSUMED


def _holder_attribute(ctx: ModuleContext, parent: ast.Attribute, child: ast.AST) -> Destination | None:
    """`[x[0]].copy()`, `{"p": x[0]}.values()` hold the element too."""
    return CONSUMED if parent.attr in ASKING_METHODS else None


def _holder_call(ctx: ModuleContext, parent: ast.Call, child: ast.AST) -> Destination | None:
    """`sum([[x[0]], [x[1]]], [])` is a list that holds the elements."""
    return None if _is_folding(ctx, parent) else _call(ctx, parent, child)


def _is_folding(ctx: ModuleContext, call: ast.Call) -> bool:
    has_start = len(call.args) + len(call.keywords) > 1
    return has_start and v.only(ctx.fact(call.func), "builtin") and getattr(call.func, "id", "") in FOLDING


def _merge(ctx: ModuleContext, parent: ast.AugAssign, child: ast.AST) -> Destination | None:
    """`d |= {"p": x[0]}`; an array takes the values."""
    return CONSUMED if v.only(ctx.fact(parent.target), "array") else KEPT


def _gone_through(ctx: ModuleContext, parent: ast.comprehension, child: ast.AST) -> Destination | None:
    """`[f(e) for e in (x[0], x[1])]`: the elements are bound to names."""
    outer = ctx.parents[parent]
    if child is not parent.iter:
        return CONSUMED
    if isinstance(outer, ast.GeneratorExp) or not all(map(partial(_is_consumed, ctx), _bound_in(outer, parent.target))):
        return KEPT
    return Destination(False, consumer=outer)


def _bound_in(outer: ast.AST, target: ast.expr) -> Iterator[ast.expr]:
    """The parts of a comprehension's target that are no names, and where the names are read."""
    names = set()
    for part in tree_walk(target):
        if isinstance(part, ast.Name):
            names.add(part.id)
        elif not isinstance(part, (ast.Tuple, ast.List, ast.Store)):
            yield part  # type: ignore[misc]
    for node in tree_walk(outer):
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
            yield node


def _is_consumed(ctx: ModuleContext, node: ast.expr) -> bool:
    where = destination(ctx, node)
    return not where.is_kept and not isinstance(where.consumer, ast.comprehension)


def _dict(ctx: ModuleContext, parent: ast.Dict, child: ast.AST) -> Destination | None:
    return CONSUMED if child in parent.keys else None  # a key is taken by value


def _dict_comprehension(ctx: ModuleContext, parent: ast.DictComp, child: ast.AST) -> Destination | None:
    return CONSUMED if child is parent.key else None


def _augmented(ctx: ModuleContext, parent: ast.AugAssign, child: ast.AST) -> Destination | None:
    if not v.known_to_include(ctx.fact(parent.target), "sequence", "unknown"):
        return CONSUMED
    return CONSUMED if isinstance(child, (ast.Subscript, ast.Name, ast.BinOp)) and not _is_list(ctx, child) else KEPT


def _keyword(ctx: ModuleContext, parent: ast.keyword, child: ast.AST) -> Destination | None:
    return None


def _call(ctx: ModuleContext, parent: ast.Call, child: ast.AST) -> Destination | None:
    if child is parent.func:  # a method's result may share with its object
        return None if isinstance(child, ast.Attribute) else CONSUMED
    function = ctx.fact(parent.func)
    name = called_name(parent)
    if v.only(function, "numpy"):
        shares = name in VIEW_FUNCTIONS and child is parent.args[0] and not isinstance(child, DISPLAYS)
        return None if shares else CONSUMED
    if v.only(function, "builtin"):
        rows = _is_folding(ctx, parent) and v.may(ctx.fact(parent), "sequence")
        return None if rows else _builtin(function, name)
    if isinstance(parent.func, ast.Attribute) and not v.known_to_include(function, "function", "class"):
        return _method(ctx, parent.func, child in parent.args[:1])
    if library(function):
        return CONSUMED
    callees = ctx.engine.callees.get(parent, ())
    argument = child.value if isinstance(child, (ast.keyword, ast.Starred)) else child
    if callees and v.only(function, "function") and all(_only_looks(ctx, parent, one, argument) for one in callees):
        return CONSUMED
    return KEPT


def _builtin(function: v.Fact, name: str) -> Destination | None:
    names = {atom.name for atom in function if isinstance(atom, v.Builtin)}
    if all(one in CONSUMING or one.partition(".")[0] in CONSUMING_MODULES for one in names):
        return CONSUMED
    return None if name in (*CHOOSING, *GOING_THROUGH) else KEPT


def _method(ctx: ModuleContext, function: ast.Attribute, is_first: bool) -> Destination | None:
    owner = ctx.fact(function.value)
    if v.only(owner, *COPYING):
        return CONSUMED
    if function.attr in KEYED and is_first:
        return CONSUMED
    return CONSUMED if function.attr in SET_METHODS and (is_set(owner) or function.attr != "add") else KEPT


def _only_looks(ctx: ModuleContext, call: ast.Call, callee: Any, argument: ast.AST) -> bool:
    """Tell whether a function of the project neither keeps nor returns this argument, and writes nothing."""
    given = callee.node.args
    open_ended = given.vararg is not None or given.kwarg is not None
    if open_ended or callee.closed_over or not ctx.stores.is_quiet(callee):
        return False
    return argument not in passed_for(call, callee, ctx.project.retention.of(callee))


STEPS: dict[type[ast.AST], Step] = {
    ast.BinOp: _operator, ast.UnaryOp: _unary, ast.Compare: _consume, ast.BoolOp: _hand_on, ast.IfExp: _conditional,
    ast.Subscript: _subscript, ast.Slice: _consume, ast.Attribute: _attribute, ast.Call: _call, ast.keyword: _keyword,
    ast.Starred: _hand_on, ast.List: _hand_on, ast.Tuple: _hand_on, ast.Set: _consume, ast.Dict: _dict,
    ast.ListComp: _hand_on, ast.GeneratorExp: _hand_on, ast.SetComp: _consume, ast.DictComp: _dict_comprehension,
    ast.comprehension: _consume, ast.FormattedValue: _consume, ast.AugAssign: _augmented, ast.Return: _leave,
    ast.Yield: _keep, ast.Lambda: _lambda, ast.Expr: _consume, ast.If: _consume, ast.While: _consume,
    ast.Assert: _consume, ast.Raise: _consume, ast.Delete: _consume, ast.Await: _hand_on,
}  # fmt: skip

OF_HOLDERS: dict[type[ast.AST], Step] = {
    ast.Attribute: _holder_attribute, ast.Call: _holder_call, ast.comprehension: _gone_through,
    ast.AugAssign: _merge,
}  # fmt: skip
"""The steps from a child that holds the value, if they differ from those from the value itself."""


def _assigned(ctx: ModuleContext, node: ast.Assign | ast.AnnAssign, path: list[ast.AST]) -> Destination:
    """Give where an assignment puts a value: the targets that the parts of its right-hand side on this path are for."""
    if node.value is None:
        return CONSUMED
    every = list(single_bindings(node))
    names: list[ast.Name] = []
    if _is_in_class(ctx, node) and any(value in path for _, value in every):
        return KEPT  # the names are attributes
    for number, (target, value) in enumerate(every):
        if value not in path:
            continue
        target = target.value if isinstance(target, ast.Starred) else target
        if isinstance(target, ast.Name):
            if any(isinstance(one, HOLDING) for one in path[: path.index(value) + 1]):
                return KEPT  # the name is that of a container
            names.append(target)
        elif not _is_copied(ctx, target) or number:
            return KEPT  # stored elsewhere, or only after another store
    return Destination(True, tuple(names)) if names else Destination(False, consumer=node)


def _is_in_class(ctx: ModuleContext, node: ast.AST | None) -> bool:
    """Tell whether a statement stands in the body of a class."""
    while node is not None and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        node = ctx.parents.get(node)
    return isinstance(node, ast.ClassDef)


def _is_copied(ctx: ModuleContext, target: ast.expr) -> bool:
    """Tell whether storing to a target copies the value, as storing into an array does."""
    return isinstance(target, ast.Subscript) and v.only(ctx.fact(target.value), "array")
