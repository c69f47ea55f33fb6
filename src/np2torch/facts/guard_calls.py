"""Guards as they stand in the text of a file that was converted before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts.guards import CONTRACT, GUARDS, Function
from np2torch.facts.notation import PYTHON
from np2torch.names.tree import dotted_name


def is_guard(node: ast.expr | None) -> bool:
    """Tell whether it is a call of a guard, by its text."""
    return isinstance(node, ast.Call) and _of_shim(node.func) in GUARDS


def guard_lines(function: Function) -> Iterator[ast.stmt | ast.expr]:
    """The guards of a function: its contract, and statements of its body that bind what a guard gives."""
    yield from (one for one in function.decorator_list if isinstance(one, ast.Call) and _of_shim(one.func) == CONTRACT)
    yield from (one for one in function.body if isinstance(one, (ast.Assign, ast.Expr)) and is_guard(one.value))


def contracts(function: Function) -> Iterator[tuple[str, str, int]]:
    """The parameters that a contract speaks of: name, type as pragmas spell it, line."""
    for call in guard_lines(function):
        for keyword in call.keywords if isinstance(call, ast.Call) else ():
            if keyword.arg and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
                yield keyword.arg, _as_pragma(keyword.value.value), keyword.value.lineno


def _as_pragma(text: str) -> str:
    """The type in the spelling of pragmas, where a dtype without brackets is a scalar: here it is of any rank."""
    parts = [part.strip() for part in text.split("|")]
    return " | ".join(part if "[" in part or part in PYTHON else f"{part}[...]" for part in parts)


def _of_shim(function: ast.expr) -> str:
    """Find the name of a function of the shim, whatever the shim is called in the file; nothing for any other."""
    module, _, name = (dotted_name(function) or "").rpartition(".")
    return name if module.rpartition(".")[2].endswith("shim") else ""
