"""The scalars of one function body: expressions, and local names with all that is bound to them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from np2torch.facts import values as v
from np2torch.facts.bindings import single_bindings
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import ModuleContext

LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SMALL = 2**16
LOOKING_AT_LOCALS = frozenset("locals vars eval exec".split())
"""Functions of Python's that read the names of the function they stand in."""
LOOKING_AT_NAMES = LOOKING_AT_LOCALS | {"globals"}
"""Functions of Python's that read names by their text."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """The items of a source, which a loop or comprehension binds to a name one by one; of None counts.

    Attributes
    ----------
    row
        The names that each item is unpacked into, if it is not bound as a whole.
    """

    source: ast.expr | None
    around: ast.For | ast.expr
    row: tuple[str, ...] = ()


Bound = ast.expr | ast.AugAssign | Item
"""What is bound to a name: the value of an assignment, an augmented assignment, or the items of something."""


@dataclass(slots=True)
class Body:
    """The expressions of a function that stand in no scope inside of it, and the local names bound by assignments.

    The names of a comprehension are its own, and are told apart from those of the function by their keys.

    Attributes
    ----------
    bindings
        By name, what is bound to it.
    targets
        By name, where it is bound.
    loads
        By name, where it is read.
    counters
        Names that are bound by loops over a `range` alone.
    keys
        The names of comprehensions where they stand.
    """

    nodes: list[ast.expr] = field(default_factory=list)
    bindings: dict[str, list[Bound]] = field(default_factory=dict)
    targets: dict[str, list[ast.Name]] = field(default_factory=dict)
    loads: dict[str, list[ast.Name]] = field(default_factory=dict)
    counters: set[str] = field(default_factory=set)
    keys: dict[ast.Name, str] = field(default_factory=dict)

    def key(self, node: ast.Name) -> str:
        """The name as it is known here."""
        return self.keys.get(node, node.id)


def body_of(ctx: ModuleContext, scope: ast.FunctionDef | ast.AsyncFunctionDef | ast.Module) -> Body:
    """Give what is in a function or a module; of a module's names others may know, so that it has none here."""
    found, others = Body(), set[str]()
    for statement in scope.body:
        for node in _inside(statement, found, others, {}):
            if isinstance(node, ast.expr):
                found.nodes.append(node)
            if (bind := BINDINGS.get(type(node))) is not None:
                bind(ctx, node, found, others)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.loads.setdefault(found.key(node), []).append(node)
    if LOOKING_AT_NAMES & found.loads.keys():
        found.bindings.clear()
        return found
    if isinstance(scope, ast.Module):
        others.update(found.bindings.keys() - set(found.keys.values()))
    else:
        given = scope.args
        others.update(one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs))
        others.update(one.arg for one in (given.vararg, given.kwarg) if one is not None)
    found.counters -= others
    for name in others & found.bindings.keys():
        del found.bindings[name]
    for name in found.counters & found.bindings.keys():
        if all(isinstance(one, Item) and one.source is None for one in found.bindings[name]):
            del found.bindings[name]
    found.counters -= found.bindings.keys()
    return found


def _inside(node: ast.AST, found: Body, others: set[str], own: dict[str, str]) -> Iterator[ast.AST]:
    """The nodes below one that stand in the same scope or in comprehensions, whose `own` names get keys.

    The names that scopes inside speak of are `others`.
    """
    if isinstance(node, SCOPES):
        others.update(own.get(name, name) for name in _names_in(node))
        return
    if isinstance(node, ast.Name) and node.id in own:
        found.keys[node] = own[node.id]
    yield node
    if not isinstance(node, COMPREHENSIONS):
        for child in children(node):
            yield from _inside(child, found, others, own)
        return
    names = [one.id for part in node.generators for one in tree_walk(part.target) if isinstance(one, ast.Name)]
    inner = own | {name: f"{name}@{node.lineno}:{node.col_offset}" for name in names}
    for part in node.generators:
        yield from _inside(part.iter, found, others, own if part is node.generators[0] else inner)
        for child in (part.target, *part.ifs):
            yield from _inside(child, found, others, inner)
        yield part
    for value in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
        yield from _inside(value, found, others, inner)


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
    """Names that are bound by anything but assignments, loops and comprehensions."""
    parent = ctx.parents.get(node)
    while isinstance(parent, (ast.Tuple, ast.List, ast.Starred)):
        parent = ctx.parents.get(parent)
    is_followed = isinstance(parent, (ast.Assign, ast.AnnAssign, ast.AugAssign, *LOOPS))
    if not isinstance(node.ctx, ast.Load) and not is_followed:
        others.add(node.id)


def _bind_items(
    ctx: ModuleContext, node: ast.For | ast.AsyncFor | ast.comprehension, found: Body, others: set[str]
) -> None:
    """`for x in xs`, `for i, (x, y) in enumerate(zip(xs, ys))`."""
    around = ctx.parents[node] if isinstance(node, ast.comprehension) else node
    is_async = isinstance(node, ast.AsyncFor) or bool(getattr(node, "is_async", 0))
    for target, source in items_bound(ctx, node.target, node.iter):
        row = [one for one in getattr(target, "elts", ()) if isinstance(one, ast.Name)]
        if row and len(row) == len(target.elts) and not is_async:  # type: ignore[attr-defined]
            keys = tuple(map(found.key, row))
            for one in row:
                _add(found, one, Item(source, around, keys))  # type: ignore[arg-type]
            continue
        if not isinstance(target, ast.Name) or is_async:
            others.update(found.key(one) for one in tree_walk(target) if isinstance(one, ast.Name))
            continue
        counts = source is None or is_range(ctx, source)
        if counts:
            found.counters.add(found.key(target))
        _add(found, target, Item(None if counts else source, around))  # type: ignore[arg-type]


def items_bound(
    ctx: ModuleContext, target: ast.expr, source: ast.expr
) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """The parts of a loop's target with what each goes through; None for what counts from a small number."""
    atom = v.sole(ctx.fact(source.func)) if isinstance(source, ast.Call) else None
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    given = source.args if isinstance(source, ast.Call) and not source.keywords else []
    if any(isinstance(one, ast.Starred) for one in (*parts, *given)):
        given = []
    if atom == v.Builtin("enumerate") and len(parts) == 2 and len(given) == 1:
        yield parts[0], None
        yield from items_bound(ctx, parts[1], given[0])
    elif atom == v.Builtin("zip") and len(parts) == len(given) and given:
        for part, one in zip(parts, given, strict=True):
            yield from items_bound(ctx, part, one)
    else:
        yield target, source


def _bind_otherwise(ctx: ModuleContext, node: ast.AST, found: Body, others: set[str]) -> None:
    """Note names that stand as texts: of `global`, of handlers and of patterns."""
    others.update(getattr(node, "names", ()))
    others.update(name for field in ("name", "rest") if (name := getattr(node, field, None)) is not None)


BINDINGS: dict[type[ast.AST], Callable[[ModuleContext, Any, Body, set[str]], None]] = {
    **dict.fromkeys(LOOPS, _bind_items),
    ast.Assign: _bind_assigned, ast.AnnAssign: _bind_annotated, ast.AugAssign: _bind_augmented, ast.Name: _bind_stored,
    **dict.fromkeys((ast.Import, ast.ImportFrom), _bind_imported),
    **dict.fromkeys(
        (ast.Global, ast.Nonlocal, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping), _bind_otherwise
    ),
}  # fmt: skip
"""How each node binds names."""


def _add(found: Body, target: ast.Name, value: Bound) -> None:
    found.bindings.setdefault(found.key(target), []).append(value)
    found.targets.setdefault(found.key(target), []).append(target)


def is_range(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a `range` that starts at and goes by small numbers."""
    if not isinstance(node, ast.Call) or v.sole(ctx.fact(node.func)) != v.Builtin("range"):
        return False
    known = [node.args[0]] if len(node.args) == 2 else node.args[::2] if len(node.args) == 3 else []
    values = [v.constant(ctx.fact(one)) for one in known]
    return all(isinstance(one, int) and abs(one) < SMALL for one in values) and not node.keywords
