"""The functions of a project that one of them calls, these too."""

from __future__ import annotations

import ast

from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.names.tree import walk as tree_walk


class _Calls(dict[ast.AST, tuple[ast.Call, ...]]):
    """The calls of each function of an analysed project, found when first asked for."""

    def __init__(self, engine: Interpreter) -> None:
        super().__init__()

    def __missing__(self, function: ast.AST) -> tuple[ast.Call, ...]:
        found = self[function] = tuple(node for node in tree_walk(function) if isinstance(node, ast.Call))
        return found


def reached_functions(engine: Interpreter, function: FunctionDefinition) -> list[FunctionDefinition]:
    """A function and those of the project that it calls, these too."""
    found, calls = {function: None}, engine.once(_Calls)
    waiting = [function]
    while waiting:
        called = calls[waiting.pop().node]
        for other in (other for call in called for other in engine.callees.get(call, ())):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return list(found)
