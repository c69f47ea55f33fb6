"""The guards of a module, as they are put into its plan and listed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from np2torch.facts.guards import GuardLine
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.rewrite.guards.texts import first_of
from np2torch.rewrite.plan import Plan
from np2torch.rules.site import ModuleContext
from np2torch.source.model import Guard


def _guarded(ctx: ModuleContext) -> Iterator[tuple[FunctionDefinition, GuardLine]]:
    """The functions of a module that get a guard, but for those that stay as they are."""
    for function in ctx.module.functions:
        if function.guard is not None and function.node not in ctx.left_nodes and ctx.is_wanted(function.node):
            yield function, function.guard


def choose_guards(ctx: ModuleContext) -> Iterator[Guard]:
    """The guards that the functions of a module get."""
    for function, line in _guarded(ctx):
        where = (Path(ctx.module.path), function.node.lineno, qualified_name(function))
        yield Guard(*where, line.texts("shim"), line.reason)


def qualified_name(function: FunctionDefinition) -> str:
    """The name of a function, behind that of its class."""
    return f"{function.owner.node.name}.{function.name}" if function.owner is not None else function.name


def put(ctx: ModuleContext, plan: Plan) -> None:
    """Put the guards above the first statements of their functions."""
    for function, line in _guarded(ctx):
        assert not isinstance(function.node, ast.Lambda)
        first = first_of(function.node, line.position)
        if first is not None:
            plan.above.setdefault(first, []).extend(line.lines)
            plan.needs.setdefault(first, set()).add("shim")
            plan.running.add("shim")
