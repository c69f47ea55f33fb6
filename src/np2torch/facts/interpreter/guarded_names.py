"""Guards that stand between the statements of a function: `q = shim.inexact(q)` below `q = as_vector(q)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from np2torch.facts import values as v
from np2torch.facts.guards import ABOVE, behind, plain_name, position_of
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.protocols import Frame


def statements(frame: Frame, function: FunctionDefinition) -> Iterable[ast.stmt]:
    """Yield the statements of a body, and change the facts of names at the guard between statements."""
    assert not isinstance(function.node, ast.Lambda)
    inner = [name for name in function.held if ABOVE in name]
    body = function.node.body
    return _with_guard(frame, function, inner, body) if inner else body


def _with_guard(
    frame: Frame, function: FunctionDefinition, inner: list[str], body: list[ast.stmt]
) -> Iterator[ast.stmt]:  # fmt: skip
    position = position_of(inner[0])
    for number, statement in enumerate(body):
        for name in inner if number == position else ():
            frame.bind(plain_name(name), _behind(frame, function, name))
        yield statement


def _behind(frame: Frame, function: FunctionDefinition, name: str) -> v.Fact:
    """Give what a world says of a name, else what the guard makes of what it is."""
    supposed = frame.env.get(name, v.BOTTOM)
    if supposed or function.guard is None:
        return supposed or v.TOP
    return behind(function.guard, name, frame.env.get(plain_name(name), v.TOP))
