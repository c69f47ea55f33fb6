"""Names that a loop binds: whether they are bound before it, and whether it may read them before it binds them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import BODIES, ModuleContext

Loop = ast.For | ast.While
PLAIN = (ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Slice, ast.Attribute, ast.Tuple, ast.List, ast.Call, ast.keyword)
"""The expressions of which all parts are evaluated, in their order."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def stores(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that are bound in these nodes."""
    return {one.id for node in nodes for one in tree_walk(node) if _is_store(one)}


def _is_store(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def parameters(scope: ast.AST) -> set[str]:
    """The names that a function is given."""
    if not isinstance(scope, FUNCTIONS):
        return set()
    given = scope.args
    found = {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    return found | {one.arg for one in (given.vararg, given.kwarg) if one is not None}


def blocks_above(ctx: ModuleContext, statement: ast.stmt) -> Iterable[Sequence[ast.stmt]]:
    """The statements that have certainly run before one, in its block and in those around it, innermost first."""
    current: ast.AST = statement
    while (parent := ctx.parents.get(current)) is not None:
        for _, part in ast.iter_fields(parent):
            if isinstance(part, list) and current in part:
                yield part[: part.index(current)]
        current = parent
        if isinstance(current, BODIES):
            return


def around(ctx: ModuleContext, node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that one stands in, innermost first, within its function or module."""
    current = ctx.parents.get(node)
    while current is not None and not isinstance(current, BODIES):
        yield current
        current = ctx.parents.get(current)


def target_pairs(statement: ast.AST | None) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment and their values, in `a, b = x, y` each with its own."""
    if not isinstance(statement, ast.Assign):
        return
    value = statement.value
    for target in statement.targets:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            yield from zip(target.elts, value.elts, strict=True)
        else:
            yield target, value


def is_bound_before(ctx: ModuleContext, loop: Loop, name: str) -> bool:
    """Tell whether a name is certainly bound where a loop begins: a parameter, or bound by a statement that has run."""
    scope = ctx.function(loop)
    if name in parameters(scope):
        return True
    for block in blocks_above(ctx, loop):
        for statement in block:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            targets = [statement.target] if isinstance(statement, ast.AnnAssign) and statement.value else targets
            if any(name in stores([target]) for target in targets):
                return True
    outer = (one for one in around(ctx, loop) if isinstance(one, ast.For) and loop not in one.orelse)
    return any(name in stores([one.target]) for one in outer)  # the variables of loops around it


def is_read_next(ctx: ModuleContext, loop: Loop, name: str) -> bool:
    """Tell whether the statement behind a loop reads a name first of all: an error where nothing has bound it."""
    parts = (part for _, part in ast.iter_fields(ctx.parents[loop]) if isinstance(part, list) and loop in part)
    following = [statement for part in parts for statement in part[part.index(loop) + 1 :]][:1]
    values = [one.value for one in following if isinstance(one, (ast.Return, ast.Expr, ast.Assign))]
    return any(value is not None and _is_read(value, name) for value in values)


def _is_read(node: ast.AST, name: str) -> bool:
    """Tell whether an expression reads a name in any case, before it calls anything."""
    if isinstance(node, ast.Name):
        return node.id == name
    surely = {ast.BoolOp: 1, ast.IfExp: 0, ast.Compare: 2}.get(type(node), None if isinstance(node, PLAIN) else 0)
    for part in children(node)[:surely]:
        if _is_read(part, name):
            return True
        if any(isinstance(one, (ast.Call, ast.NamedExpr)) for one in tree_walk(part)):
            return False
    return False


def is_bound_between(ctx: ModuleContext, loop: Loop, node: ast.Name) -> bool:
    """Tell whether a name is certainly bound anew after a loop and before a place that reads it."""
    current: ast.AST = node
    while (parent := ctx.parents.get(current)) is not None:
        for _, part in ast.iter_fields(parent):
            earlier = part[: part.index(current)] if isinstance(part, list) and current in part else []
            for statement in reversed(earlier):
                if loop in tree_walk(statement):
                    return False
                if isinstance(statement, ast.stmt) and binds_surely([statement], node.id):
                    return True
        if isinstance(parent, BODIES) or loop in tree_walk(parent):
            return False
        current = parent
    return False


def is_repeated(ctx: ModuleContext, loop: Loop) -> bool:
    """Tell whether a loop stands in another one."""
    return any(isinstance(one, (ast.For, ast.While, ast.AsyncFor)) for one in around(ctx, loop))


def is_tried(ctx: ModuleContext, loop: Loop) -> bool:
    """Tell whether an error in a loop may be caught where its names are read."""
    return any(isinstance(one, (ast.Try, ast.With)) for one in around(ctx, loop))


def reads_first(loop: Loop, name: str) -> bool:
    """Tell whether a loop may read a name before it binds it."""
    if isinstance(loop, ast.For):
        if _mentions(loop.iter, name):
            return True
        if _binds_alone(loop.target, name):
            return False
        return body_reads(loop.body, name) or body_reads(loop.orelse, name)
    return _mentions(loop.test, name) or body_reads(loop.body, name) or body_reads(loop.orelse, name)


def body_reads(body: Sequence[ast.stmt], name: str) -> bool:
    """Tell whether statements may read a name before one of them has certainly bound it."""
    for statement in body:
        if not _mentions(statement, name):
            continue
        if isinstance(statement, ast.Assign):
            if _mentions(statement.value, name):
                return True
            return not any(_binds_alone(target, name) for target in statement.targets)
        if isinstance(statement, (ast.For, ast.While)):
            if reads_first(statement, name):
                return True
        elif isinstance(statement, ast.If):
            arms = statement.body, statement.orelse
            if _mentions(statement.test, name) or any(body_reads(arm, name) for arm in arms):
                return True
            if all(name in stores(arm) and binds_surely(arm, name) for arm in arms):
                return False
        else:
            return True
    return False


def binds_surely(body: Sequence[ast.stmt], name: str) -> bool:
    """Tell whether an assignment among these statements, not within them, binds a name."""
    assigned = (statement for statement in body if isinstance(statement, ast.Assign))
    return any(_binds_alone(target, name) for one in assigned for target in one.targets)


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in tree_walk(node))


def _binds_alone(target: ast.expr, name: str) -> bool:
    """Tell whether a target binds a name without reading it."""
    named = [one for one in tree_walk(target) if isinstance(one, ast.Name) and one.id == name]
    return bool(named) and all(_is_store(one) for one in named)
