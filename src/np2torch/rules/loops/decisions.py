"""Decides what runs in NumPy in a project: functions that compute element by element, and loops that do."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops.functions import Computing, body_of, choose_functions, closed_functions, computing_in
from np2torch.rules.loops.region import Region
from np2torch.rules.loops.regions import regions_in
from np2torch.rules.loops.runs import runs_in
from np2torch.rules.site import ModuleContext


def functions_in_numpy(contexts: Iterable[ModuleContext], taken_apart: bool) -> Mapping[ast.AST, Computing]:
    """The functions of a project that run in NumPy: those that such loops call, and those that call themselves.

    Parameters
    ----------
    taken_apart
        Whether those run in NumPy too that take arrays apart.
    """
    several = list(contexts)
    found = closed_functions(one for ctx in several for one in computing_in(ctx))
    if not found:
        return found
    called = {node for ctx in several for region in regions_in(ctx, found) for node in region.calls}
    return choose_functions(found, called, taken_apart)


def decide_loops(ctx: ModuleContext, functions: Mapping[ast.AST, Computing]) -> None:
    """Enter what runs in NumPy into a module: these functions, loops, and statements in a row."""
    own = [one for node, one in functions.items() if node in ctx.parents]
    ctx.run_by_elements(one.node for one in own)
    within = {below for one in own for below in tree_walk(one.node)}
    regions = (region for region in regions_in(ctx, functions) if region.loop not in within)
    ctx.on_numpy.update((region.loop, region) for region in regions)
    for one in own:
        first, *rest = body_of(one.node)
        ctx.on_numpy[first] = one.region
        ctx.on_numpy.update((statement, Region(statement)) for statement in rest)
    for region, statements in runs_in(ctx, functions):
        ctx.on_numpy.update((statement, Region(statement)) for statement in statements)
        ctx.on_numpy[region.loop] = region
