"""What is decided for a function's body in one world, and whether the decisions of several worlds are one."""

from __future__ import annotations

import ast
import copy
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from np2torch.rewrite.guards.worlds import Facts, assuming
from np2torch.rewrite.plan import plan_of
from np2torch.rules.site import Context, Edit, Wrap

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


def fresh(ctx: Context) -> Context:
    """The same module with nothing decided."""
    other = copy.copy(ctx)
    other.kept_names, other.assumed, other.reading, other.reading_traced = set(), {}, [], []
    other.rests, other.bound, other.edits, other.refused = {}, {}, {}, {}
    other.unwanted_wraps, other.wrapped, other.wraps, other.private = {}, [], {}, {}
    return other


def decide_in(ctx: Context, function: ast.AST, facts: Facts, order: Mapping[ast.AST, int]) -> Decisions:
    """What is decided for a function where its facts are these; `order` numbers its nodes."""
    with assuming(ctx.engine, facts):
        mine = fresh(ctx)
        plan = plan_of(mine, function)
    found = Decisions()
    for node, edit in plan.edits.items():
        _take(found, mine, node, edit, ("edit", order.get(node), *_edited(edit, order)))
    for node, wraps in plan.wraps.items():
        for wrap in wraps:
            _take(found, mine, node, wrap, ("wrap", order.get(node), wrap.before, wrap.after))
    return found


def _take(found: Decisions, ctx: Context, node: ast.AST, made: Edit | Wrap, signature: Signature) -> None:
    statement = ctx.statement(node)
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
