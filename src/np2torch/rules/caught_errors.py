"""Code whose errors are caught: what torch refuses there is not loud, another value takes its place."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from np2torch.names.tree import called_name, walk

REFUSALS = frozenset(("Exception", "BaseException", "RuntimeError", "NotImplementedError", "TypeError", "ValueError"))
"""The classes that catch what torch raises for a dtype, ValueError since handlers of it are widened."""


def caught_nodes(nodes: Iterable[ast.AST]) -> frozenset[ast.AST]:
    """Give all that stands in the body of a `try`, or below `suppress`, which goes on after an error of torch's."""
    caught = (one for one in nodes if isinstance(one, (ast.Try, ast.With)) and _is_caught(one))
    return frozenset(node for one in caught for part in one.body for node in walk(part))


def _is_caught(statement: ast.Try | ast.With) -> bool:
    if isinstance(statement, ast.Try):
        return any(map(_goes_on, statement.handlers))
    calls = (item.context_expr for item in statement.items)
    return any(isinstance(one, ast.Call) and _suppresses(one) for one in calls)


def _suppresses(call: ast.Call) -> bool:
    """Tell whether it is `contextlib.suppress(...)` of errors of torch's."""
    name = called_name(call)
    return name == "suppress" and any(map(_is_refusal, call.args))


def _is_refusal(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in REFUSALS


def _goes_on(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler may take an error of torch's, and does not end with one."""
    if isinstance(handler.body[-1], ast.Raise):
        return False
    if handler.type is None:
        return True
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(map(_is_refusal, named))
