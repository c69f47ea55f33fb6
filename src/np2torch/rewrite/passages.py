"""Names whose values go from one library of ndarrays to another and nowhere else: they stay ndarrays on the way.

A result is brought back as a tensor where it is made, and handed over as an ndarray where it is used. Where nothing
else happens to it both are left out: `a = pinv(x.numpy())` and then `b = expm(a)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from np2torch.facts.libraries import library
from np2torch.names.scopes import Scopes
from np2torch.rewrite.plan import Plan
from np2torch.rules.site import ModuleContext, Wrap
from np2torch.rules.syntax.foreign import PLOTTING

BACK, OUT = "NPT403", "NPT401"
ON_BOTH_SIDES = ("shape", "ndim")
"""Attributes that ndarrays have as tensors do."""


def settle(ctx: ModuleContext, plan: Plan) -> None:
    """Leave out the boundaries around local names that only go from library to library."""
    found = (_target(ctx, plan, node) for node in plan.wraps)
    targets = [target for target in found if target is not None and ctx.function(target) is not ctx.module.tree]
    if not targets:
        return
    known: set[ast.AST] = set(targets)
    scopes = Scopes(ctx.module.tree, ctx.module.nodes, ctx.parents)
    loads: dict[tuple[ast.AST, str], list[ast.AST]] = {}
    for name in ctx.module.nodes:
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load):
            if (meaning := scopes.meaning(name, name.id)) is not None:
                loads.setdefault((meaning[0], name.id), []).append(name)
    places: list[tuple[ast.AST, str]] = [(ctx.function(target), target.id) for target in targets]
    for scope, word in dict.fromkeys(places):
        bound, read = scopes.binding(scope, word), loads.get((scope, word), [])
        stays = set(bound) <= known and all(_is_handed_over(ctx, plan, one) for one in read)
        if stays and read and bound and all(ctx.function(one) is scope for one in read):
            _leave_out(plan, (_value(ctx, target) for target in bound), BACK)
            _leave_out(plan, read, OUT)


def _value(ctx: ModuleContext, target: ast.AST) -> ast.AST:
    """Give the value that is bound to the target of an assignment."""
    statement = ctx.parents[target]
    assert isinstance(statement, ast.Assign)
    return statement.value


def _target(ctx: ModuleContext, plan: Plan, node: ast.AST) -> ast.Name | None:
    """The one name that what a library gives is bound to, where nothing but the boundary is put around it."""
    statement = ctx.parents.get(node)
    if [wrap.code for wrap in plan.wraps[node]] != [BACK] or not isinstance(statement, ast.Assign):
        return None
    target = statement.targets[0]
    is_one = len(statement.targets) == 1 and isinstance(target, ast.Name) and statement.value is node
    return target if is_one and isinstance(target, ast.Name) and target not in plan.wraps else None


def _is_handed_over(ctx: ModuleContext, plan: Plan, name: ast.AST) -> bool:
    """Tell whether a name is used where an ndarray is wanted or accepted."""
    if _is_rewritten(plan, name):
        return False
    wraps: list[Wrap] = plan.wraps.get(name, [])
    if wraps:
        return [wrap.code for wrap in wraps] == [OUT]
    parent = ctx.parents.get(name)
    if isinstance(parent, ast.Attribute):
        return parent.attr in ON_BOTH_SIDES and not _is_rewritten(plan, parent) and parent not in plan.wraps
    return isinstance(parent, ast.Call) and name in parent.args and library(ctx.fact(parent.func)) in PLOTTING


def _is_rewritten(plan: Plan, node: ast.AST) -> bool:
    return node in plan.edits and bool(plan.edits[node].replaces)


def _leave_out(plan: Plan, nodes: Iterable[ast.AST], code: str) -> None:
    for node in nodes:
        wraps = [wrap for wrap in plan.wraps.get(node, []) if wrap.code != code]
        if wraps:
            plan.wraps[node] = wraps
        else:
            plan.wraps.pop(node, None)
