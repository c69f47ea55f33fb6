"""Questions of guards about the text of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts.guards import plain_name
from np2torch.names.tree import walk as tree_walk

DIVISION = frozenset({"ZeroDivisionError", "ArithmeticError"})
"""The errors that catch a division of Python's numbers by zero."""


def body_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt | None:
    """The first statement of a function after its docstring."""
    body = function.body
    first = body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    rest = body[1:] if is_docstring else body
    return rest[0] if rest else None


def uses_of(function: ast.AST, name: str) -> list[ast.Name | ast.Attribute]:
    """Every place in a function where a name stands, or an attribute: `self.x`."""
    owner, _, attribute = plain_name(name).rpartition(".")
    if not owner:
        return [one for one in tree_walk(function) if isinstance(one, ast.Name) and one.id == attribute]
    found = (one for one in tree_walk(function) if isinstance(one, ast.Attribute) and one.attr == attribute)
    return [one for one in found if isinstance(one.value, ast.Name) and one.value.id == owner]


def stored_values(function: ast.AST) -> Iterator[ast.expr]:
    """The values that a method puts into attributes of its object."""
    for node in tree_walk(function):
        if isinstance(node, ast.Assign):
            if any(isinstance(one, ast.Attribute) and getattr(one.value, "id", "") == "self" for one in node.targets):
                yield node.value


def catches_division(function: ast.AST) -> bool:
    """Tell whether it catches the error of a division by zero, which Python's numbers raise and tensors do not."""
    caught = (one.type for one in ast.walk(function) if isinstance(one, ast.ExceptHandler) and one.type is not None)
    return any(isinstance(one, ast.Name) and one.id in DIVISION for node in caught for one in ast.walk(node))
