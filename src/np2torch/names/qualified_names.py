"""The functions of a module by their dotted names."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def qualified_functions(scope: ast.AST, prefix: str = "") -> Iterator[tuple[Function, str]]:
    """The functions of a scope with their dotted names; of two of one name neither."""
    found: dict[str, list[Function]] = {}
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, FUNCTIONS):
            found.setdefault(prefix + node.name, []).append(node)
        inner = f"{prefix}{node.name}." if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else prefix
        yield from qualified_functions(node, inner)
    yield from ((nodes[0], name) for name, nodes in found.items() if len(nodes) == 1)


def enclosing(tree: ast.Module, lines: Iterable[int]) -> dict[int, str]:
    """For some lines of a module the dotted name of the innermost function or class around each; empty for none."""
    found: dict[int, str] = dict.fromkeys(lines, "")
    ordered = sorted(found)

    def visit(scope: ast.AST, prefix: str) -> None:
        for node in ast.iter_child_nodes(scope):
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                for line in ordered[bisect_left(ordered, first) : bisect_right(ordered, node.end_lineno or first)]:
                    found[line] = prefix + node.name
                visit(node, f"{prefix}{node.name}.")
            elif not isinstance(node, ast.expr):
                visit(node, prefix)

    visit(tree, "")
    return found
