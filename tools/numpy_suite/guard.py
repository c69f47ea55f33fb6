"""Parameters of tests that cannot be made fail the tests they are for, not the collection of the whole file."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any


class Unavailable:
    """Stands for a parameter whose expression raised; every use of it raises that again."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise self._error


def made(expression: Callable[[], Any]) -> Any:
    """The value of an expression, or what stands for it."""
    try:
        return expression()
    except Exception as error:
        return Unavailable(error)


def items(expression: Callable[[], Iterable[Any]]) -> list[Any]:
    """The values of an iterable; where it raises, what stands for the next and all behind it."""
    found: list[Any] = []
    try:
        found.extend(expression())
    except Exception as error:
        found.append(Unavailable(error))
    return found


def guarded(text: str) -> str:
    """The file with every value in the lists of `pytest.mark.parametrize` made under guard."""
    tree = ast.parse(text)
    found: list[tuple[ast.expr, str]] = []
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    local = {id(node): _bound(owner) for owner in classes for node in owner.body}
    inside: dict[int, frozenset[str]] = {}  # by the value: the names of the class around it that it reads
    for node in ast.walk(tree):
        for values in _parametrized(node):
            inside |= {id(one): local.get(id(node), frozenset()) & _read(one) for one in ast.walk(values)}
            found += _made(values)
    lines = text.splitlines(keepends=True)
    for value, how in sorted(found, key=lambda one: (one[0].lineno, one[0].col_offset), reverse=True):
        if isinstance(value, (ast.Constant, ast.Starred)) or value.end_lineno is None or value.end_col_offset is None:
            continue
        kept = ", ".join(f"{name}={name}" for name in sorted(inside[id(value)]))  # a lambda sees no names of a class
        for line, column, word in (
            (value.end_lineno, value.end_col_offset, "))"),
            (value.lineno, value.col_offset, f"_guard.{how}(lambda {kept}: (".replace(" :", ":")),
        ):
            raw = lines[line - 1].encode()
            lines[line - 1] = (raw[:column] + word.encode() + raw[column:]).decode()
    return "".join(_imported(lines))


def _parametrized(node: ast.AST) -> Iterator[ast.expr]:
    """The values with which a function or class is parametrized."""
    for mark in getattr(node, "decorator_list", []):
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("parametrize") and len(mark.args) > 1:
            yield mark.args[1]


def _made(values: ast.expr) -> list[tuple[ast.expr, str]]:
    """The expressions that make values, each with the function that guards it."""
    if isinstance(values, (ast.List, ast.Tuple)):
        return [(value, "made") for value in values.elts]
    if isinstance(values, (ast.ListComp, ast.GeneratorExp)):
        return [(values.elt, "made")]
    return [(values, "items")] if isinstance(values, ast.Call) else []


def _bound(owner: ast.ClassDef) -> frozenset[str]:
    """The names that the body of a class binds."""
    named = {node.name for node in owner.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    stored = {node.id for part in owner.body if isinstance(part, (ast.Assign, ast.AnnAssign))
              for node in ast.walk(part) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
    return frozenset(named | stored)


def _read(value: ast.AST) -> frozenset[str]:
    """The names that an expression reads."""
    return frozenset(node.id for node in ast.walk(value) if isinstance(node, ast.Name))


def _imported(lines: list[str]) -> list[str]:
    """The import, in front of the first other one at the top level, where no docstring or `__future__` follows."""
    at = next(n for n, line in enumerate(lines) if line.startswith(("import ", "from ")) and "__future__" not in line)
    return [*lines[:at], "from numpy_suite import guard as _guard; " + lines[at], *lines[at + 1 :]]
