"""The decisions on the statements of a function in one world."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.worlds import Facts, assuming
from np2torch.rewrite.plan import Plan, plan_of
from np2torch.rules.linalg import OF_ANY_AXES
from np2torch.rules.site import Edit, ModuleContext, Wrap

Signature = tuple[object, ...]
AS_IT_IS = "as it is"
OPEN = ("shim", "todo", "boundary")
"""Outcomes of sites that are no native torch."""
WITHOUT_FACT = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


class StatementDecisions(NamedTuple):
    """The decisions on a statement, and the number of sites in it that are not native.

    Attributes
    ----------
    of_any_axes
        The number of products that would be plainer if the numbers of axes were known.
    """

    signatures: frozenset[Signature]
    left: int
    of_any_axes: int = 0


class Nodes:
    """The nodes of a function: their numbers, the statement of each, and the nodes of each statement."""

    def __init__(self, ctx: ModuleContext, function: ast.AST) -> None:
        self.function = function
        self.order = {node: number for number, node in enumerate(tree_walk(function))}
        self.statement = {node: ctx.statement(node) for node in self.order}
        self.of: dict[ast.stmt, list[ast.AST]] = defaultdict(list)
        for node, statement in self.statement.items():
            if statement is not None and not isinstance(node, WITHOUT_FACT):
                self.of[statement].append(node)


def decide_in(
    ctx: ModuleContext, nodes: Nodes, facts: Facts, statements: Collection[ast.stmt]
) -> dict[ast.stmt, StatementDecisions]:  # fmt: skip
    """Decide on some statements of a function under the given facts."""
    others = {node for statement, parts in nodes.of.items() if statement not in statements for node in parts}
    with assuming(ctx.engine, facts):
        plan = plan_of(ctx.fresh(), nodes.function, others)
    signatures: dict[ast.stmt, set[Signature]] = defaultdict(set)
    left: Counter[ast.stmt] = Counter()
    of_any_axes: Counter[ast.stmt] = Counter()
    for node, made, signature in _made(plan, nodes.order):
        statement = nodes.statement.get(node)
        if statement is not None:
            left[statement] += made.outcome in OPEN
            of_any_axes[statement] += isinstance(made, Edit) and made.text.startswith(OF_ANY_AXES)
            if signature[-1] != AS_IT_IS:
                signatures[statement].add(signature)
    found = ((one, frozenset(signatures.get(one, ()))) for one in statements)
    return {one: StatementDecisions(several, left[one], of_any_axes[one]) for one, several in found}


def _made(plan: Plan, order: Mapping[ast.AST, int]) -> Iterator[tuple[ast.AST, Edit | Wrap, Signature]]:
    """The edits and wraps of a plan, each with what tells it from others."""
    for node, edit in plan.edits.items():
        yield node, edit, ("edit", order.get(node), *_edited(edit, order))
    for node, wraps in plan.wraps.items():
        for wrap in wraps:
            yield node, wrap, ("wrap", order.get(node), wrap.before, wrap.after)


def _edited(edit: Edit, order: Mapping[ast.AST, int]) -> Signature:
    """Give what identifies an edit; an edit that leaves the node as it is has no identity."""
    if not edit.replaces and not edit.decorator and not edit.note:
        return (AS_IT_IS,) if edit.outcome not in OPEN else (edit.outcome,)
    pieces = tuple(order.get(piece, -1) for piece in edit.pieces)
    return edit.text, edit.function, tuple(edit.arguments), pieces, edit.decorator, edit.note
