"""The functions of a module by their dotted names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def qualified(scope: ast.AST, prefix: str = "") -> Iterator[tuple[Function, str]]:
    """The functions of a scope with their dotted names; of two of one name neither."""
    found: dict[str, list[Function]] = {}
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, FUNCTIONS):
            found.setdefault(prefix + node.name, []).append(node)
        inner = f"{prefix}{node.name}." if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else prefix
        yield from qualified(node, inner)
    yield from ((nodes[0], name) for name, nodes in found.items() if len(nodes) == 1)
