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

from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.keeping import is_global, is_torchs
from np2torch.rewrite.plan import Handover, Plan, position
from np2torch.rules.site import Edit, ModuleContext
from np2torch.source.model import Site

CODE, MESSAGE = "NPT401", "a tensor of the module's goes into a function that numba compiles"
ALL = "*"
IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


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
        taken = {name for node in ctx.module.nodes for name in _names(node)}
        for number, statement in enumerate(ctx.module.tree.body):
            for node in self._read(statement):
                place = self.places.get(node.id) or self._place(node.id, number)
                if place is not None:
                    self.places[node.id] = place
                    self.nodes[node] = _free(f"{node.id}_np", taken)

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
    binding = (node for node in tree_walk(statement) if not isinstance(getattr(node, "ctx", None), ast.Load))
    return {name for node in binding for name in _names(node)}


def _names(node: ast.AST) -> Iterator[str]:
    """Give the names that a node is or binds."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, DEFINITIONS):
        yield node.name


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def hand_over(ctx: ModuleContext, plan: Plan) -> None:
    """Put the lines that make the views into the plan."""
    views = Views(ctx)
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


def rename(ctx: ModuleContext, plan: Plan) -> None:
    """Have the functions read the views."""
    for node, name in Views(ctx).nodes.items():
        plan.edits[node] = Edit(node, "boundary", CODE, name, text=name)
