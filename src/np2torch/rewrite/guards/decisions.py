"""What is decided for a function's body in one world, and whether the decisions of several worlds are one."""

from __future__ import annotations

import ast
import copy
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.worlds import Facts, assuming
from np2torch.rewrite.plan import make_plan
from np2torch.rules.site import Context, Edit, Wrap

Signature = tuple[object, ...]
OPEN = ("shim", "todo", "boundary")
"""Outcomes of sites that are no native torch."""


@dataclass(slots=True)
class Decisions:
    """By statement, what becomes of it and how many sites in it are not native."""

    of: dict[ast.stmt, list[Signature]] = field(default_factory=lambda: defaultdict(list))
    left: dict[ast.stmt, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def score(self) -> int:
        """How many sites of the function are not native."""
        return sum(self.left.values())


def fresh(ctx: Context, function: ast.AST) -> Context:
    """The same module with nothing decided, of which one function is to be planned."""
    other = copy.copy(ctx)
    other.kept_names, other.assumed, other.reading, other.reading_traced = set(), {}, [], []
    other.rests, other.bound, other.edits, other.refused = {}, {}, {}, {}
    other.unwanted_wraps, other.wrapped, other.wraps, other.private = {}, [], {}, {}
    other.parts = frozenset([function])
    return other


def decide_in(ctx: Context, function: ast.AST, facts: Facts) -> Decisions:
    """What is decided for a function where its facts are these."""
    with assuming(ctx.engine, facts):
        mine = fresh(ctx, function)
        plan = make_plan(mine)
    found = Decisions()
    order = {node: number for number, node in enumerate(tree_walk(function))}
    for node, edit in plan.edits.items():
        _take(found, mine, node, edit, ("edit", order.get(node), *_edited(edit, order)))
    for node, wraps in plan.wraps.items():
        for wrap in wraps:
            _take(found, mine, node, wrap, ("wrap", order.get(node), wrap.before, wrap.after))
    return found


def _take(found: Decisions, ctx: Context, node: ast.AST, made: Edit | Wrap, signature: Signature) -> None:
    statement = ctx.statement(node)
    if statement is not None:
        found.of[statement].append(signature)
        found.left[statement] += made.outcome in OPEN


def _edited(edit: Edit, order: Mapping[ast.AST, int]) -> Signature:
    """What tells an edit from others; one that leaves the node as it is says nothing."""
    if not edit.replaces and not edit.decorator and not edit.note:
        return ("as it is",) if edit.outcome not in OPEN else (edit.outcome,)
    pieces = tuple(order.get(piece, -1) for piece in edit.pieces)
    return edit.text, edit.function, tuple(edit.arguments), pieces, edit.decorator, edit.note


def agree(statement: ast.stmt, several: Sequence[Decisions]) -> bool:
    """Is one thing decided for a statement in all of these?"""
    rows = {tuple(sorted((row for row in one.of.get(statement, ()) if row[-1] != "as it is"), key=repr)) for one in several}
    return len(rows) == 1
