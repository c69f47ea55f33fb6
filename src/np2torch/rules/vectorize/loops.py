"""The loops of a module that become whole-array code, and the reasons for which others stay."""

from __future__ import annotations

import ast
from typing import NamedTuple

from np2torch.names.tree import children, reads_any
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import ModuleContext
from np2torch.rules.vectorize.statements import Statements
from np2torch.rules.vectorize.values import VectorizeRefusal

FEWEST_PASSES = 32
"""The fewest passes, where their number is written out, that are worth a whole-array operation."""
BUILTINS = frozenset(
    "isinstance int float bool complex abs max min len range ZeroDivisionError ValueError OverflowError".split()
)
"""The names of Python's that the new code may read."""


class VectorizedLoop(NamedTuple):
    """A loop, the statements that take its place, and the conditions under which they may."""

    loop: ast.For
    statements: list[ast.stmt]
    conditions: list[str]
    notes: list[str]


class StayingLoop(NamedTuple):
    """A loop that stays, and why."""

    loop: ast.For
    reason: str


def vectorized_in(ctx: ModuleContext, may_overlap: bool = False) -> list[VectorizedLoop | StayingLoop]:
    """Decide on the loops of a module, from the outside in.

    Parameters
    ----------
    may_overlap
        Does the project make arrays of which several elements are one place in memory?
    """
    found: list[VectorizedLoop | StayingLoop] = []
    numpy = _numpys_name(ctx.module.tree)
    taken = {node.id for node in ctx.module.nodes if isinstance(node, ast.Name)}
    taken |= {node.arg for node in ctx.module.nodes if isinstance(node, ast.arg)}
    taken |= {node.name for node in ctx.module.nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    hides = BUILTINS & _bound(ctx)
    names: dict[ast.AST, set[str]] = {}
    stack: list[tuple[ast.AST, bool]] = [(ctx.module.tree, False)]
    while stack:
        node, is_told = stack.pop()
        if isinstance(node, ast.For) and ctx.is_wanted(node) and _goes_by_elements(node):
            own = names.setdefault(ctx.function(node), set(taken))
            made = _tried(ctx, node, numpy, own, hides, may_overlap)
            if isinstance(made, VectorizedLoop):
                found.append(made)
                continue
            if not is_told:
                found.append(made)
                is_told = True
        if not isinstance(node, ast.expr):
            stack += [(child, is_told) for child in reversed(children(node))]
    return found


def _tried(
    ctx: ModuleContext, loop: ast.For, numpy: str, taken: set[str], hides: frozenset[str], may_overlap: bool
) -> VectorizedLoop | StayingLoop:
    try:
        if not numpy:
            raise VectorizeRefusal("NumPy is not imported as a module by a name of its own")
        if hides:
            raise VectorizeRefusal(f"`{min(hides)}` is another one's name here")
        if isinstance(ctx.function(loop), ast.Module):
            raise VectorizeRefusal("it stands in no function, so that its names may be read anywhere")
        if _passes(loop) < FEWEST_PASSES:
            raise VectorizeRefusal("it has a few passes only")
        nest = Statements(ctx, loop, numpy, taken, may_overlap)
        nest.run()
        if not nest.pays():
            raise VectorizeRefusal("it may be short, within other loops")
    except VectorizeRefusal as refusal:
        return StayingLoop(loop, str(refusal))
    taken |= nest.taken
    lines = [line for line in nest.lines if line is not None]
    return VectorizedLoop(loop, lines, nest.conditions.texts, [*nest.proved])


def _goes_by_elements(loop: ast.For) -> bool:
    """Tell whether a loop reads or writes elements by its variable, or by those of loops within it."""
    names = {one.id for one in tree_walk(loop) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    for node in tree_walk(loop):
        if isinstance(node, ast.Subscript):
            if reads_any(node.slice, names):
                return True
    return False


def _passes(loop: ast.For) -> float:
    """Give the number of passes of a nest, where it is written out; else infinity."""
    total = 1.0
    for node in tree_walk(loop):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            try:
                total *= len(range(*(ast.literal_eval(one) for one in node.iter.args)))
            except (ValueError, TypeError):
                return float("inf")
    return total


def _numpys_name(tree: ast.Module) -> str:
    """Give the name that a module has for NumPy, if nothing else has that name anywhere in it."""
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                if alias.name == "numpy":
                    name = alias.asname or alias.name
                    others = [one for one in tree_walk(tree) if _binds(one, name) and one is not alias]
                    return "" if others else name
    return ""


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.arg):
        return node.arg == name
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name == name
    return isinstance(node, ast.alias) and (node.asname or node.name.split(".")[0]) == name and node.name != "numpy"


def _bound(ctx: ModuleContext) -> frozenset[str]:
    """The names that are bound anywhere in a module, by imports too."""
    found = set()
    for node in ctx.module.nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.update(BUILTINS if node.name == "*" else {(node.asname or node.name).split(".")[0]})
    return frozenset(found)
