"""The registry of handlers: who is asked about a node, phase by phase.

The first handler that answers wins. A phase says who comes before whom; within a phase no order counts, so that a new
handler states its phase and nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import IntEnum
from typing import Any

from np2torch.rules.site import Edit, ModuleContext

Handler = Callable[[ModuleContext, Any], Edit | None]


class Phase(IntEnum):
    """The phases in which handlers are asked, in this order.

    Attributes
    ----------
    SCALARS
        How scalars are represented and who owns an element: settled before anything asks for the text.
    KEPT
        What stays on NumPy: annotations, objects and questions that keep NumPy's meaning.
    BOUNDARY
        Calls, attributes and operators of other libraries.
    PYTHON
        Python's own functions, statements and types, where they meet arrays.
    SPECIAL
        Uses of NumPy that no rule may decide: errors that are certain, random numbers of torch.
    NUMPY
        Functions, names, operators, subscripts and stores of NumPy.
    REST
        What nobody before took.
    """

    SCALARS = 1
    KEPT = 2
    BOUNDARY = 3
    PYTHON = 4
    SPECIAL = 5
    NUMPY = 6
    REST = 7


class Handlers:
    """Handlers by kind of node and phase; the same handler twice is refused."""

    def __init__(self) -> None:
        self.registered: dict[type[ast.AST], dict[Phase, list[Handler]]] = {}
        self._in_order: dict[type[ast.AST], tuple[Handler, ...]] = {}

    def add(self, phase: Phase, handler: Handler, *kinds: type[ast.AST]) -> None:
        """Register a handler for kinds of nodes."""
        for kind in kinds:
            phases = self.registered.setdefault(kind, {})
            if any(handler in handlers for handlers in phases.values()):
                raise ValueError(f"{handler} is registered twice for {kind.__name__}")
            phases.setdefault(phase, []).append(handler)
            self._in_order.pop(kind, None)

    def of(self, kind: type[ast.AST]) -> tuple[Handler, ...]:
        """Give the handlers of a kind of node, in the order of asking."""
        if (found := self._in_order.get(kind)) is None:
            phases = self.registered.get(kind, {})
            found = self._in_order[kind] = tuple(handler for phase in Phase for handler in phases.get(phase, ()))
        return found


HANDLERS = Handlers()


def on(phase: Phase, *kinds: type[ast.AST]) -> Callable[[Handler], Handler]:
    """Register a handler for kinds of nodes, in a phase."""

    def register(handler: Handler) -> Handler:
        HANDLERS.add(phase, handler, *kinds)
        return handler

    return register
