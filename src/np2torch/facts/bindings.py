"""The targets that a node of the tree binds, each with its value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts.guard_calls import is_guard
from np2torch.names.tree import walk as tree_walk


def bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Give the targets that a node binds by itself, with the values: of assignments, `with` and patterns."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.withitem(optional_vars=ast.expr() as target, context_expr=value):
            yield target, value
        case ast.Match(subject=value, cases=cases):
            for pattern in (one for case in cases for one in tree_walk(case.pattern)):
                if isinstance(pattern, (ast.MatchAs, ast.MatchStar)) and pattern.name is not None:
                    yield ast.copy_location(ast.Name(pattern.name, ast.Store()), pattern), value


def single_bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Give each single target that a node binds with its value: `self.a, self.b = a, b` is two."""
    yield from (pair for target, value in bindings(node) for pair in pairs(target, value))


def pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each single target with what is bound to it, or to it and others."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value
        return
    items = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
    if isinstance(value, ast.Call) and is_guard(value):  # each may be the argument in its place
        items = value.args
    values = items if len(items) == len(target.elts) else [value] * len(target.elts)
    for one, other in zip(target.elts, values, strict=True):
        yield from pairs(one.value if isinstance(one, ast.Starred) else one, other)
