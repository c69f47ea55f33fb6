"""The scalars of one function body: expressions, and local names with all that is bound to them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from np2torch.facts import values as v
from np2torch.facts.access_paths import single_bindings
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import ModuleContext

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SMALL = 2**16
LOOKING_AT_LOCALS = frozenset("locals vars eval exec".split())
"""Functions of Python's that read the names of the function they stand in."""
LOOKING_AT_NAMES = LOOKING_AT_LOCALS | {"globals"}
"""Functions of Python's that read names by their text."""


@dataclass(slots=True)
class Body:
    """The expressions of a function that stand in no scope inside of it, and the local names bound by assignments.

    Attributes
    ----------
    bindings
        By name, what is bound to it: the value of an assignment, or an augmented assignment.
    targets
        By name, where it is bound.
    loads
        By name, where it is read.
    counters
        Names that are bound by loops over a `range` alone.
    """

    nodes: list[ast.expr] = field(default_factory=list)
    bindings: dict[str, list[ast.expr | ast.AugAssign]] = field(default_factory=dict)
    targets: dict[str, list[ast.Name]] = field(default_factory=dict)
    loads: dict[str, list[ast.Name]] = field(default_factory=dict)
    counters: set[str] = field(default_factory=set)


def body_of(ctx: ModuleContext, scope: ast.FunctionDef | ast.AsyncFunctionDef | ast.Module) -> Body:
    """Give what is in a function or a module; of a module's names others may know, so that it has none here."""
    found, others = Body(), set[str]()
    for statement in scope.body:
        for node in _inside(statement, others):
            if isinstance(node, ast.expr):
                found.nodes.append(node)
            if (bind := BINDINGS.get(type(node))) is not None:
                bind(ctx, node, found, others)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.loads.setdefault(node.id, []).append(node)
    if isinstance(scope, ast.Module) or LOOKING_AT_NAMES & found.loads.keys():
        found.bindings.clear()
        return found
    given = scope.args
    others.update(one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs))
    others.update(one.arg for one in (given.vararg, given.kwarg) if one is not None)
    found.counters -= others | found.bindings.keys()
    for name in (others | found.counters) & found.bindings.keys():
        del found.bindings[name]
    return found


def _inside(node: ast.AST, others: set[str]) -> Iterator[ast.AST]:
    """The nodes below one that stand in the same scope; the names that scopes inside speak of are `others`."""
    if isinstance(node, SCOPES):
        others.update(_names_in(node))
        return
    if isinstance(node, COMPREHENSIONS):
        targets = (part.target for part in node.generators)
        others.update(one.id for target in targets for one in tree_walk(target) if isinstance(one, ast.Name))
    yield node
    for child in children(node):
        yield from _inside(child, others)


def _names_in(node: ast.AST) -> Iterator[str]:
    for one in tree_walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, (ast.Global, ast.Nonlocal)):
            yield from one.names
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield one.name


# What a node binds: names to values that are `found`, or names in a way that is not followed, which go to `others`.
def _bind_assigned(ctx: ModuleContext, node: ast.Assign, found: Body, others: set[str]) -> None:
    """`x = value`, and each part of `x, y = values` by itself."""
    for target, value in single_bindings(node):
        if isinstance(target, ast.Name):
            whole = not isinstance(ctx.parents.get(target), ast.Starred)
            matched = value is node.value and target in node.targets or value is not node.value
            _add(found, target, value) if whole and matched else others.add(target.id)


def _bind_annotated(ctx: ModuleContext, node: ast.AnnAssign, found: Body, others: set[str]) -> None:
    """`x: float = value`."""
    if isinstance(node.target, ast.Name) and node.value is not None:
        _add(found, node.target, node.value)


def _bind_augmented(ctx: ModuleContext, node: ast.AugAssign, found: Body, others: set[str]) -> None:
    """`x += value`, which binds what it computes."""
    if isinstance(node.target, ast.Name):
        _add(found, node.target, node)


def _bind_imported(ctx: ModuleContext, node: ast.Import | ast.ImportFrom, found: Body, others: set[str]) -> None:
    """Names of imports, which are not followed."""
    others.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)


def _bind_stored(ctx: ModuleContext, node: ast.Name, found: Body, others: set[str]) -> None:
    """Names that are bound by anything but an assignment: counters of loops over a `range` are known."""
    if isinstance(node.ctx, ast.Load):
        return
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.For) and node is parent.target and is_range(ctx, parent.iter):
        found.counters.add(node.id)
    elif not isinstance(parent, (ast.AnnAssign, ast.AugAssign)) and not _is_assigned(ctx, node):
        others.add(node.id)


def _bind_otherwise(ctx: ModuleContext, node: ast.AST, found: Body, others: set[str]) -> None:
    """Note names that stand as texts: of `global`, of handlers and of patterns."""
    others.update(getattr(node, "names", ()))
    others.update(name for field in ("name", "rest") if (name := getattr(node, field, None)) is not None)


BINDINGS: dict[type[ast.AST], Callable[[ModuleContext, Any, Body, set[str]], None]] = {
    ast.Assign: _bind_assigned, ast.AnnAssign: _bind_annotated, ast.AugAssign: _bind_augmented, ast.Name: _bind_stored,
    **dict.fromkeys((ast.Import, ast.ImportFrom), _bind_imported),
    **dict.fromkeys(
        (ast.Global, ast.Nonlocal, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping), _bind_otherwise
    ),
}  # fmt: skip
"""How each node binds names."""


def _add(found: Body, target: ast.Name, value: ast.expr | ast.AugAssign) -> None:
    found.bindings.setdefault(target.id, []).append(value)
    found.targets.setdefault(target.id, []).append(target)


def _is_assigned(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether it is among the targets of an assignment."""
    while isinstance(node, ast.expr):
        node = ctx.parents[node]
    return isinstance(node, ast.Assign)


def is_range(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a `range` that starts at and goes by small numbers."""
    if not isinstance(node, ast.Call) or v.sole(ctx.fact(node.func)) != v.Builtin("range"):
        return False
    known = [node.args[0]] if len(node.args) == 2 else node.args[::2] if len(node.args) == 3 else []
    values = [v.constant(ctx.fact(one)) for one in known]
    return all(isinstance(one, int) and abs(one) < SMALL for one in values) and not node.keywords
