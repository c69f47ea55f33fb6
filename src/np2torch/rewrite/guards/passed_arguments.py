"""The arguments that a function is known to get: those of the project's own calls, and those that traces saw."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import values as v
from np2torch.facts.guards import World, result_of
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.interpreter.raising_calls import expects_error
from np2torch.facts.passed_objects import calculable
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
    is_bound = definition.owner is not None and not definition.is_static
    for call in ctx.engine.once(_calls).get(definition, ()):
        starred = next((at for at, one in enumerate(call.args) if isinstance(one, ast.Starred)), len(call.args))
        world = dict(zip(definition.positional[is_bound:], map(ctx.fact, call.args[:starred]), strict=False))
        named = {one.arg: ctx.fact(one.value) for one in call.keywords if one.arg in definition.named_parameters}
        yield world | {name: fact for name, fact in named.items() if name is not None}


def _calls(engine: Interpreter) -> dict[FunctionDefinition, list[ast.Call]]:
    """The calls of each function, but those that are expected to raise."""
    nodes = (node for module in engine.modules.values() for node in tree_walk(module.tree))
    blocks = (node for node in nodes if isinstance(node, ast.With))
    raising = (block.body for block in blocks if any(expects_error(item.context_expr) for item in block.items))
    failing = {node for body in raising for statement in body for node in tree_walk(statement)}
    found: dict[FunctionDefinition, list[ast.Call]] = {}
    for call, callees in engine.callees.items():
        for callee in callees if call not in failing else ():
            found.setdefault(callee, []).append(call)
    return found


def calculable_arguments(ctx: ModuleContext, definition: FunctionDefinition) -> list[World]:
    """The same without what joins of other arguments have added; a default is certain."""
    defaults = definition.defaults
    worlds = known_arguments(ctx, definition)
    return [{n: calculable(fact) | fact & defaults.get(n, v.BOTTOM) for n, fact in one.items()} for one in worlds]
