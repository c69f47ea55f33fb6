"""Attributes of objects in calls of their class that are expected to raise, for bodies behind a guard.

The class is tried with something else than its objects hold, lists of numbers for arrays above all. A body behind a
guard is run apart, with what the objects hold; what was tried has to work there as well, as far as the error.
"""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.guards import World
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.rewrite.guards.attributes import read_paths
from np2torch.rewrite.guards.texts import uses_of
from np2torch.rules.site import ModuleContext


def attempted_attributes(ctx: ModuleContext, definition: FunctionDefinition) -> World:
    """Give the attributes that a method only reads, and that were lists in such a call where it reads them last."""
    class_ = definition.owner
    if class_ is None or isinstance(definition.node, ast.Lambda):
        return {}
    found: dict[str, v.Fact] = {}
    for path, name in read_paths(definition).items():
        if any(name in one.attempted for one in class_.lineage()):
            uses = sorted(uses_of(definition.node, path), key=lambda one: (one.lineno, one.col_offset))
            facts = [ctx.engine.facts.get(one, v.BOTTOM) for one in uses]
            is_read = all(isinstance(one.ctx, ast.Load) for one in uses)
            if is_read and facts and v.known_to_include(facts[-1], "sequence"):
                found[path] = v.join(v.BOTTOM, *facts)
    return found
