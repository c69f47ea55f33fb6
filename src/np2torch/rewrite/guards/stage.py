"""The stage between inferring and deciding: guards are chosen, and bodies that several contexts run are settled."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from np2torch.facts.domain import supposing
from np2torch.facts.guards import GuardLine, World
from np2torch.facts.interpreter.border import stays_numpy
from np2torch.facts.interpreter.budget import BudgetSpentError
from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.environment import Place
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.names import keeping
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.already_converted import settle_converted
from np2torch.rewrite.guards.answering import answered_functions
from np2torch.rewrite.guards.attempted_attributes import attempted_attributes
from np2torch.rewrite.guards.attributes import given_attributes, read_paths
from np2torch.rewrite.guards.bodies import Body
from np2torch.rewrite.guards.inner import choose
from np2torch.rewrite.guards.runs import Choice, budget_for
from np2torch.rewrite.guards.worlds import Facts, facts_of, found_of, join_worlds, nodes_of, outline, run_in
from np2torch.rules.site import ModuleContext
from np2torch.source.model import Remark

UNKNOWN = "NPT538"
MOST_AGAIN, FEW_AGAIN = 200_000, 4_000
"""So many nodes are run once more to know more of a function, and of one that gains nothing by what is known of it."""
MOST_RUNS = 40
"""A function that is run in more contexts than this is decided by what holds in all of them."""


class Choices(NamedTuple):
    """The guards of the functions of a project, and of each function why it has this one or none.

    Attributes
    ----------
    is_whole
        Whether closed functions, and open ones without a guard, have been decided too; what they are passed, and what
        objects hold, is known behind the guards of the others.
    outlines
        Of open functions without a guard, what the choice rested on: they are asked again where this has changed.
    """

    guards: Mapping[Place, GuardLine] = MappingProxyType({})
    reasons: Mapping[Place, str] = MappingProxyType({})
    is_whole: bool = False
    outlines: Mapping[Place, int] = MappingProxyType({})


def choose_all(
    contexts: Iterable[ModuleContext], asked: Container[ast.AST], without: Sequence[str], before: Choices | None
) -> Choices:  # fmt: skip
    """Choose a guard for each function that is better off with one.

    Parameters
    ----------
    asked
        The functions to choose for.
    without
        Functions that get none, as the setting `unguarded` names them.
    before
        What was chosen for open functions; None where these are the ones asked for.
    """
    guards: dict[Place, GuardLine] = {}
    reasons: dict[Place, str] = {}
    outlines: dict[Place, int] = {}
    for ctx, definition, choice in _choices(contexts, asked, without, before):
        reasons[definition.place] = choice.reason
        if choice.trial is not None:
            guards[definition.place] = choice.trial.guard
        elif before is None:
            outlines[definition.place] = _outline(ctx.engine, definition)
    earlier = before or Choices()
    return Choices({**earlier.guards, **guards}, {**earlier.reasons, **reasons}, before is not None, outlines)


def _choices(
    contexts: Iterable[ModuleContext], asked: Container[ast.AST], without: Sequence[str], before: Choices | None
) -> Iterator[tuple[ModuleContext, FunctionDefinition, Choice]]:  # fmt: skip
    several = list(contexts)
    answering = answered_functions(several)
    named = unguarded_functions(without, [ctx.module for ctx in several], several[0].engine.also) if several else set()
    given: dict[ClassDefinition, World] = {}
    for ctx, definition in sorted(_functions(several), key=lambda pair: pair[1].name != "__init__"):
        if definition.node not in asked or definition.node in answering:
            continue
        if before is not None and definition.place in before.reasons:
            known = before.outlines.get(definition.place)
            if known is None or known == _outline(ctx.engine, definition):
                continue
        if definition.place in named:
            yield ctx, definition, Choice(None, "the setting `unguarded` names it")
        elif stays_numpy(definition):
            yield ctx, definition, Choice(None, "it stays on NumPy")
        else:
            choice = choose(ctx, definition, attempted_attributes(ctx, definition) | _given(given, definition))
            if choice.trial is not None and definition.owner is not None:
                given.setdefault(definition.owner, {}).update(given_attributes(ctx, choice.trial.guard, definition))
            yield ctx, definition, choice


def _functions(contexts: Iterable[ModuleContext]) -> Iterator[tuple[ModuleContext, FunctionDefinition]]:
    """The functions of modules, but for those that an earlier conversion has left."""
    for ctx in contexts:
        done = settle_converted(ctx)
        earlier = done.left | done.calls_only
        yield from ((ctx, one) for one in ctx.module.functions if one.node not in earlier)


def _given(given: Mapping[ClassDefinition, World], definition: FunctionDefinition) -> World:
    """Give what attributes that a method reads are, where the guard of a constructor sees to that."""
    lineage = definition.owner.lineage() if definition.owner is not None and definition.name != "__init__" else ()
    of = {name: fact for class_ in reversed(lineage) for name, fact in given.get(class_, {}).items()}
    return {path: of[name] for path, name in read_paths(definition).items() if name in of}


def _outline(engine: Interpreter, definition: FunctionDefinition) -> int:
    """Give what tells whether a choice has to be made again: what is known of parameters and in the body."""
    facts = [*found_of(definition).values(), *(engine.facts.get(node) for node in nodes_of(definition.node))]
    return hash(tuple(map(outline, facts)))


def having_one(engine: Interpreter) -> set[ast.AST]:
    """The functions that have a guard."""
    return {node for node, function in engine.functions.items() if function.guard is not None}


def unguarded_functions(entries: Iterable[str], infos: Iterable[ModuleInfo], also: Mapping[str, str]) -> set[Place]:
    """The functions that the setting of that name leaves without a guard."""
    modules = {info.name: info for info in infos}
    found: set[Place] = set()
    paths = {Path(info.path): name for name, info in modules.items()}
    for module, names in keeping.shared_out(entries, paths, also).items():
        info = modules[module]
        named = keeping.find_kept_nodes(info.tree, names)
        nodes = {below for one in named.definitions for below in tree_walk(one)}
        found.update(definition.place for definition in info.functions if definition.node in nodes)
    return found


def check(info: ModuleInfo, entries: Iterable[str], also: Mapping[str, str]) -> None:
    """Remark what the setting names in a module that does not have it."""
    names = keeping.shared_out(entries, {Path(info.path): info.name}, also).get(info.name, ())
    unknown = keeping.find_kept_nodes(info.tree, names).unknown if names else ()
    info.remarks.extend(Remark(1, 1, UNKNOWN, f"unguarded: {info.name} has no {name!r}") for name in unknown)


def settle_all(contexts: Iterable[ModuleContext]) -> Facts:
    """The facts of the bodies that several contexts run and decide alike, taken from one of these."""
    facts: Facts = {}
    for ctx in contexts:
        for definition in ctx.module.functions:
            facts |= _settled(ctx, definition)
    return facts


def _settled(ctx: ModuleContext, definition: FunctionDefinition) -> Facts:
    """The facts of a body, where those that its contexts have together leave more sites; behind a guard always."""
    if not isinstance(ctx.function(definition.node), ast.Module):
        return {}
    if definition.guard is not None:
        return _settled_behind(ctx, definition, definition.guard)
    rows = ctx.engine.widest.get(definition, {})
    failing = (one.parameters for one in definition.active.values() if one.failing)
    if not rows or len(rows) > MOST_RUNS or any(row in rows for row in failing):
        return {}
    body = Body(ctx, definition.node)
    plain = body.score()
    if not plain:
        return {}
    found, score = body.merge_facts([join_worlds(met) for met in rows.values()])
    at_most = min(budget_for(ctx.engine, plain), MOST_AGAIN if score < plain else FEW_AGAIN)
    with suppress(BudgetSpentError), ctx.engine.trial_budget.limit(at_most):
        worlds = [dict(zip(definition.inputs, row, strict=True)) for row in rows]
        apart, least = body.merge_facts(_run_in(ctx, definition, worlds, body))
        found, score = (apart, least) if least < score else (found, score)
    return found if score < plain else {}


def _settled_behind(ctx: ModuleContext, definition: FunctionDefinition, guard: GuardLine) -> Facts:
    body = Body(ctx, definition.node)
    tried = attempted_attributes(ctx, definition)
    with supposing():
        facts, _ = body.merge_facts(_run_in(ctx, definition, [tried | world for world in guard.worlds], body))
    ctx.engine.supposed.update(_behind_guard(body, definition))
    return facts


def _run_in(
    ctx: ModuleContext, definition: FunctionDefinition, worlds: Iterable[World], body: Body
) -> list[Facts]:  # fmt: skip
    """Give the facts of a body in each of these worlds, run apart from all others."""
    found = found_of(definition)
    return [facts_of(run_in(ctx.engine, definition, found, world), body.nodes.order) for world in worlds]


def _behind_guard(body: Body, definition: FunctionDefinition) -> Iterator[ast.AST]:
    """Give the nodes of a function that its guard stands above."""
    position = definition.guard.position if definition.guard is not None else 0
    before = {node for one in getattr(definition.node, "body", ())[:position] for node in tree_walk(one)}
    return (node for node in body.nodes.order if node not in before)
