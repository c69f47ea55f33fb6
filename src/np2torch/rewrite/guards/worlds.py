"""Worlds: what the parameters of a function may be together, and what its body is found to be then.

An abstract value says of each parameter alone what it may be. A world says it of all at once: that they have one dtype,
say. What holds in every world holds for the function.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager

from np2torch.facts import values as v
from np2torch.facts.guards import World
from np2torch.facts.interpreter.contexts import CallContext as Run
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter

Facts = dict[ast.AST, v.Fact]


def found_of(function: FunctionDefinition) -> dict[str, v.Fact]:
    """What the analysis found of the parameters, over all calls and callers that nobody sees."""
    rows = [run.parameters for run in function.active.values()]
    columns = zip(*rows, strict=True) if rows else [()] * len(function.parameters)
    return {name: v.join(v.BOTTOM, *column) for name, column in zip(function.parameters, columns, strict=True)}


def facts_in(
    engine: Interpreter, function: FunctionDefinition, found: Mapping[str, v.Fact], world: World,
    own: Container[ast.AST],
) -> Facts:  # fmt: skip
    """The facts of a function's body, its `own` nodes, in a world: the body is run once more.

    Nothing is learnt from it elsewhere: the facts of the project stay what they are.
    """
    passed = tuple(world.get(name, found.get(name, v.TOP)) for name in function.parameters)
    outer = next(iter(run.outer for run in function.active.values()), None)
    run = Run(function.module, function, outer, passed)
    wide, engine.wide = engine.wide, False
    try:
        with engine.isolated(function.module):
            engine.execute(run)
    finally:
        engine.wide = wide
    return facts_of(run, own)


def facts_of(run: Run, own: Container[ast.AST]) -> Facts:
    """What a run found of the nodes of its body, functions defined in it included."""
    facts: Facts = {}
    for one in _runs(run, own, {run}):
        for node, fact in one.facts.items():
            if node in own:
                facts[node] = v.join(facts[node], fact) if node in facts else fact
    return facts


def _runs(run: Run, own: Container[ast.AST], seen: set[Run]) -> Iterator[Run]:
    """A run and those of the functions defined in it."""
    yield run
    for callee in run.calls:
        if callee not in seen and callee.function is not None and callee.function.node in own:
            seen.add(callee)
            yield from _runs(callee, own, seen)


def joined(several: Iterable[Facts]) -> Facts:
    """What holds in all of some worlds."""
    out: Facts = {}
    for facts in several:
        for node, fact in facts.items():
            out[node] = v.join(out[node], fact) if node in out else fact
    return out


@contextmanager
def assuming(engine: Interpreter, facts: Facts) -> Iterator[None]:
    """Let the project's facts be these for a while."""
    missing = object()
    before = {node: engine.facts.get(node, missing) for node in facts}
    engine.facts.update(facts)
    try:
        yield
    finally:
        for node, fact in before.items():
            if fact is missing:
                del engine.facts[node]
            else:
                engine.facts[node] = fact  # type: ignore[assignment]
