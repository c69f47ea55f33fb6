"""Python's `pow(a, b)`, which is the operator `a ** b`: one kind of node, so that one set of rules holds for both."""

from __future__ import annotations

import ast
import re
from typing import Any

POWER = "pow"
CALLED = re.compile(rf"\b{POWER}\s*\(")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def as_operators(tree: ast.Module, text: str) -> ast.Module:
    """Let calls `pow(a, b)` in a tree be powers; the places of nodes stay.

    A module that gives the name another meaning anywhere keeps its calls. The tree changes here, so that nothing is
    kept with its nodes before (`names/tree.py`).
    """
    if CALLED.search(text) and not any(map(_rebinds, nodes := list(ast.walk(tree)))):
        for node in nodes:
            for name, value in ast.iter_fields(node):
                if isinstance(value, list):
                    value[:] = map(_as_power, value)
                else:
                    setattr(node, name, _as_power(value))
    return tree


def _as_power(node: Any) -> Any:
    """Give the power that a call is; anything else is given back."""
    match node:
        case ast.Call(ast.Name(id=name), [left, right], []) if name == POWER:
            if not any(isinstance(one, (ast.Starred, ast.GeneratorExp)) for one in (left, right)):
                return ast.copy_location(ast.BinOp(left, ast.Pow(), right), node)
    return node


def _rebinds(node: ast.AST) -> bool:
    """Tell whether a node may give the name another meaning."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return name == POWER
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return any((one.asname or one.name) in (POWER, "*") for one in names)
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name == POWER
        case ast.Global(names=given) | ast.Nonlocal(names=given):
            return POWER in given
    return isinstance(node, DEFINITIONS) and node.name == POWER
