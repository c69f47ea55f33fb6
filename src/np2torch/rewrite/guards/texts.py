"""Questions of guards about the text of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts.bindings import single_bindings
from np2torch.facts.guards import plain_name
from np2torch.names.tree import is_of_self
from np2torch.names.tree import walk as tree_walk

DIVISION = frozenset({"ZeroDivisionError", "ArithmeticError"})
"""The errors that catch a division of Python's numbers by zero."""


IMPORTS = (ast.Import, ast.ImportFrom)


def first_of(function: ast.FunctionDef | ast.AsyncFunctionDef, position: int = 0) -> ast.stmt | None:
    """Find the statement that a guard goes above, from a position on: the first behind the docstring and imports.

    An import may go, and may be where the guard's own name comes from.
    """
    for statement in function.body[position:]:
        is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_docstring and not isinstance(statement, IMPORTS):
            return statement
    return None


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
            yield from dict.fromkeys(value for target, value in single_bindings(node) if is_of_self(target))


def catches_division(function: ast.AST) -> bool:
    """Tell whether it catches the error of a division by zero, which Python's numbers raise and tensors do not."""
    caught = (one.type for one in tree_walk(function) if isinstance(one, ast.ExceptHandler) and one.type is not None)
    return any(isinstance(one, ast.Name) and one.id in DIVISION for node in caught for one in ast.walk(node))
