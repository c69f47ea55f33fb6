"""What is decided for a function's body in one world, and whether the decisions of several worlds are one."""

from __future__ import annotations

import ast
import copy
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.worlds import Facts, assuming
from np2torch.rewrite.plan import plan_of
from np2torch.rules.site import Edit, ModuleContext, Wrap

Signature = tuple[object, ...]
AS_IT_IS = "as it is"
OPEN = ("shim", "todo", "boundary")
"""Outcomes of sites that are no native torch."""


@dataclass(slots=True)
class Decisions:
    """By statement, what becomes of it and how many sites in it are not native."""

    of: dict[ast.stmt, set[Signature]] = field(default_factory=lambda: defaultdict(set))
    left: dict[ast.stmt, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def score(self) -> int:
        """How many sites of the function are not native."""
        return sum(self.left.values())


def fresh(ctx: ModuleContext) -> ModuleContext:
    """The same module with nothing decided."""
    other = copy.copy(ctx)
    other.kept_names, other.assumed, other.reading, other.reading_traced = set(), {}, [], []
    other.rests, other.bound, other.edits, other.refused = {}, {}, {}, {}
    other.unwanted_wraps, other.wrapped, other.wraps, other.private = {}, [], {}, {}
    return other


class Nodes:
    """The nodes of a function: their numbers, the statement of each, and the nodes of each statement."""

    def __init__(self, ctx: ModuleContext, function: ast.AST) -> None:
        self.function = function
        self.order = {node: number for number, node in enumerate(tree_walk(function))}
        self.statement = {node: ctx.statement(node) for node in self.order}
        self.of: dict[ast.stmt, list[ast.AST]] = defaultdict(list)
        for node, statement in self.statement.items():
            if statement is not None:
                self.of[statement].append(node)


def decide_in(
    ctx: ModuleContext, nodes: Nodes, facts: Facts, known: Decisions, alike: Collection[ast.stmt] = ()
) -> Decisions:  # fmt: skip
    """What is decided for a function where its facts are these.

    The statements that are `alike` have the facts that they have in a world of which the decisions are `known`.
    """
    decided = {node for statement in alike for node in nodes.of[statement]}
    with assuming(ctx.engine, facts):
        mine = fresh(ctx)
        plan = plan_of(mine, nodes.function, decided)
    found = Decisions()
    for statement in alike:
        if statement in known.of:
            found.of[statement] = set(known.of[statement])
        found.left[statement] = known.left.get(statement, 0)
    for node, edit in plan.edits.items():
        signature = ("edit", nodes.order.get(node), *_edited(edit, nodes.order))
        _take(found, nodes.statement.get(node), edit, signature)
    for node, wraps in plan.wraps.items():
        for wrap in wraps:
            signature = ("wrap", nodes.order.get(node), wrap.before, wrap.after)
            _take(found, nodes.statement.get(node), wrap, signature)
    return found


def _take(found: Decisions, statement: ast.stmt | None, made: Edit | Wrap, signature: Signature) -> None:
    if statement is not None:
        if signature[-1] != AS_IT_IS:
            found.of[statement].add(signature)
        found.left[statement] += made.outcome in OPEN


def _edited(edit: Edit, order: Mapping[ast.AST, int]) -> Signature:
    """What tells an edit from others; one that leaves the node as it is says nothing."""
    if not edit.replaces and not edit.decorator and not edit.note:
        return (AS_IT_IS,) if edit.outcome not in OPEN else (edit.outcome,)
    pieces = tuple(order.get(piece, -1) for piece in edit.pieces)
    return edit.text, edit.function, tuple(edit.arguments), pieces, edit.decorator, edit.note


def agree(statement: ast.stmt, several: Sequence[Decisions]) -> bool:
    """Is one thing decided for a statement in all of these?"""
    first = several[0].of.get(statement, set())
    return all(one.of.get(statement, set()) == first for one in several[1:])
