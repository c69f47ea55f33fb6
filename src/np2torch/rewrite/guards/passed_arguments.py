"""The arguments that a function is known to get: those of the project's own calls, and those that traces saw."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import dropwhile

from np2torch.facts import values as v
from np2torch.facts.guards import World, result_of
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.interpreter.raising_calls import expects_error
from np2torch.facts.passed_objects import calculable
from np2torch.facts.reaching_values import passed_arguments
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.callbacks import calls_of
from np2torch.rules.site import ModuleContext


def known_arguments(ctx: ModuleContext, definition: FunctionDefinition) -> list[World]:
    """Give the arguments of the project's own calls, but where it waits for an error, and what traces saw.

    The last give one parameter alone, or what functions give that are passed.
    """
    runs = [run for run in definition.active.values() if not run.failing]
    passed = [dict(zip(definition.inputs, run.parameters, strict=True)) for run in runs]
    called = {result_of(name): calls_of(definition.node, name) for name in definition.parameters}
    given = {name: v.join(v.BOTTOM, *map(ctx.fact, calls)) for name, calls in called.items()}
    shared = [*definition.general.items(), *definition.plain.items()]
    passed += [dict(zip(definition.inputs, one.passed, strict=True)) for (failing, *_), one in shared if not failing]
    seen = [{name: one.trace_fact} for name, one in definition.evidence.items() if one.trace_fact]
    return [*passed, given, *seen, *_handed_to_decorators(ctx, definition)]


def _handed_to_decorators(ctx: ModuleContext, definition: FunctionDefinition) -> Iterator[World]:
    """Give what calls pass where decorators may pass on something else: a run knows nothing of its parameters then."""
    if not definition.altered.given:
        return
    raising = ctx.engine.once(_expected_to_raise)
    for call in ctx.project.calls(definition):
        if call not in raising:
            unsure = list(dropwhile(lambda one: not isinstance(one, ast.Starred), call.args))
            passed = passed_arguments(call, definition)
            yield {name: ctx.fact(value) for name, value in passed if value not in unsure}


def _expected_to_raise(engine: Interpreter) -> set[ast.AST]:
    """The nodes in the blocks of `pytest.raises` and its kin."""
    nodes = (node for module in engine.modules.values() for node in tree_walk(module.tree))
    blocks = (node for node in nodes if isinstance(node, ast.With))
    raising = (block.body for block in blocks if any(expects_error(item.context_expr) for item in block.items))
    return {node for body in raising for statement in body for node in tree_walk(statement)}


def calculable_arguments(ctx: ModuleContext, definition: FunctionDefinition) -> list[World]:
    """The same without what joins of other arguments have added; a default is certain."""
    defaults = definition.defaults
    worlds = known_arguments(ctx, definition)
    return [{n: calculable(fact) | fact & defaults.get(n, v.BOTTOM) for n, fact in one.items()} for one in worlds]
