"""Tensors of a module that functions read which numba compiles: views of them stand below what binds them.

TABLE = torch.tensor([5, 2])
TABLE_np = shim.to_numpy(TABLE)

@njit
def looked_up(i):
    return TABLE_np[i]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts.places import DEFINITIONS
from np2torch.names.scopes import bound_names, free_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.keeping import is_global, is_torchs
from np2torch.rewrite.plan import Handover, Plan, position
from np2torch.rules.site import Edit, ModuleContext
from np2torch.source.model import Site

CODE, MESSAGE = "NPT401", "a tensor of the module's goes into a function that numba compiles"
ALL = "*"
IMPORTS = (ast.Import, ast.ImportFrom)


class Views:
    """The tensors that compiled functions of a module read, by name, and the nodes that name them there.

    Attributes
    ----------
    places
        For each name the statement of the module below which its view stands.
    nodes
        The nodes that are to name a view, and what that is called.
    """

    def __init__(self, ctx: ModuleContext) -> None:
        self.ctx = ctx
        self.places: dict[str, ast.stmt] = {}
        self.nodes: dict[ast.Name, str] = {}
        if not ctx.module.compiled:
            return
        nodes = ctx.module.nodes
        taken = {name for node in nodes for name in bound_names(node)}
        taken |= {node.id for node in nodes if isinstance(node, ast.Name)}
        for number, statement in enumerate(ctx.module.tree.body):
            for node in self._read(statement):
                place = self.places.get(node.id) or self._place(node.id, number)
                if place is not None:
                    self.places[node.id] = place
                    self.nodes[node] = free_name(f"{node.id}_np", taken)

    def _read(self, place: ast.stmt) -> Iterator[ast.Name]:
        """Give the names of tensors in the compiled functions that a statement of the module is or holds."""
        for definition in tree_walk(place):
            if definition in self.ctx.module.compiled:
                for node in tree_walk(definition):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and self._is_tensor(node):
                        yield node

    def _is_tensor(self, node: ast.Name) -> bool:
        return is_torchs(self.ctx.fact(node)) and is_global(self.ctx, node)

    def _place(self, name: str, number: int) -> ast.stmt | None:
        """Give the last statement above a numbered one that binds a name or imports; None where others bind it too."""
        body = self.ctx.module.tree.body
        is_shared = any(isinstance(one, ast.Global) and name in one.names for one in self.ctx.module.nodes)
        if is_shared or any(_bound(one) & {name, ALL} for one in body[number:]):
            return None
        return next((one for one in reversed(body[:number]) if isinstance(one, IMPORTS) or name in _bound(one)), None)


def _bound(statement: ast.stmt) -> set[str]:
    """Give the names that a statement of a module binds; `ALL` for all of another module."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    return {name for node in tree_walk(statement) for name in bound_names(node)}


def hand_over(ctx: ModuleContext, plan: Plan, views: Views) -> None:
    """Put the lines that make the views into the plan."""
    names = {node.id: (node, name) for node, name in reversed(views.nodes.items())}
    for old, place in views.places.items():
        node, name = names[old]
        lines = plan.below
        if isinstance(place, IMPORTS):  # other imports may be added below it
            body = ctx.module.tree.body
            lines, place = plan.above, body[body.index(place) + 1]
        lines.setdefault(place, []).append(Handover(old, "to_numpy", name))
        plan.needs.setdefault(place, set()).add("shim")
        plan.running.add("shim")
        plan.added.append(Site(*position(ctx, node), "boundary", CODE, old, MESSAGE))


def rename(plan: Plan, views: Views) -> None:
    """Have the functions read the views."""
    for node, name in views.nodes.items():
        plan.edits[node] = Edit(node, "boundary", CODE, name, text=name)
