"""The values that a pass through a loop may read of the pass before; without a change another gives no more."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from np2torch.names.tree import children, dotted_name, item_path
from np2torch.names.tree import walk as tree_walk

Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def carried_names(parts: Sequence[ast.AST], before: Iterable[ast.AST] = ()) -> frozenset[str]:
    """Collect the names and attribute paths (`self.x`) that a loop may read from its previous pass.

    Parameters
    ----------
    parts
        What a pass goes through, in order: the test of a `while`, the statements.
    before
        Targets that are bound when a pass begins.
    """
    found: set[str] = set()
    bound: set[str] = set()
    for target in before:
        _bind(target, found, bound)
    _run(parts, found, bound)
    return frozenset(found)


def closed_over(function: ast.AST) -> frozenset[str]:
    """Names read by the functions defined inside a function: a call may read them at any time."""
    inner = (node for node in tree_walk(function) if isinstance(node, FUNCTIONS) and node is not function)
    return frozenset(name.id for node in inner for name in tree_walk(node) if isinstance(name, ast.Name))


def _run(parts: Sequence[ast.AST], found: set[str], bound: set[str]) -> None:
    for part in parts:
        _part(part, found, bound)


def _part(node: ast.AST, found: set[str], bound: set[str]) -> None:
    """Take in one statement or expression, in the order in which it is run."""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        if node.value is not None:
            _read(node.value, found, bound)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(node, ast.AugAssign):
                _read(target, found, bound)
            _bind(target, found, bound)
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        _read(node.iter, found, bound)
        inside = set(bound)
        _bind(node.target, found, inside)
        _run(node.body, found, inside)
        _run(node.orelse, found, set(bound))
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            _read(item.context_expr, found, bound)
            if item.optional_vars is not None:
                _bind(item.optional_vars, found, bound)
        _run(node.body, found, bound)
    elif isinstance(node, ast.If):
        _read(node.test, found, bound)
        arms = [set(bound), set(bound)]
        _run(node.body, found, arms[0])
        _run(node.orelse, found, arms[1])
        bound |= arms[0] & arms[1]
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        _read(node, found, bound)
        bound.add(node.name)
    elif isinstance(node, (ast.Match, ast.Try, ast.TryStar, ast.While, ast.ExceptHandler, ast.match_case)):
        _run(children(node), found, set(bound))  # what it binds is not certain
    else:
        _read(node, found, bound)


def _read(node: ast.AST, found: set[str], bound: set[str]) -> None:
    """Take in all that is read somewhere in it."""
    for one in tree_walk(node):
        if isinstance(one, ast.Name):
            if one.id not in bound:
                found.add(one.id)
        elif isinstance(one, (ast.Attribute, ast.Subscript)):
            path = item_path(one) or dotted_name(one)
            if path is not None and path not in bound:
                found.add(path)


def _bind(target: ast.AST, found: set[str], bound: set[str]) -> None:
    if isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            _bind(item, found, bound)
    elif isinstance(target, ast.Starred):
        _bind(target.value, found, bound)
    elif isinstance(target, ast.Name):
        bound.add(target.id)
    else:
        for below in children(target):
            _read(below, found, bound)
        if isinstance(target, ast.Attribute) and (path := dotted_name(target)) is not None:
            bound.add(path)
