"""Proofs that an array is not written while a name holds an element of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from np2torch.facts import values as v
from np2torch.facts.alias_analysis import Aliases
from np2torch.facts.stores import SWITCHING, Store
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.scalars.destinations import destination
from np2torch.rules.site import BODIES, ModuleContext

INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)


def uses_of(ctx: ModuleContext, name: str, body: ast.AST) -> list[ast.Name] | None:
    """Give where a local name is read; None where others may read it: it is global, or an inner function's as well."""
    found: list[ast.Name] = []
    for node in tree_walk(body):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return None
        if not isinstance(node, ast.Name) or node.id != name:
            continue
        around = ctx.function(node)
        if around is not (body if isinstance(body, BODIES) else ctx.function(body)):
            if isinstance(body, ast.Module) and name in ctx.project.own_names(around):
                continue  # a local name of a function
            return None
        if isinstance(node.ctx, ast.Load):
            found.append(node)
        elif isinstance(ctx.parents.get(node), ast.AugAssign) and not v.only(ctx.fact(node), "scalar", "number"):
            return None  # it may be changed in place
    return found


def may_stay_view(ctx: ModuleContext, source: ast.expr, names: Iterable[ast.Name]) -> bool:
    """Tell whether names may hold views of elements: they are only consumed, and nothing writes the array meanwhile.

    Parameters
    ----------
    source
        The expression that reads the elements.
    names
        All the names that are bound to them.
    """
    body = ctx.function(source)
    if isinstance(body, ast.Module) and ctx.is_imported():
        return False
    reads: list[ast.Name] = []
    for name in names:
        found = uses_of(ctx, name.id, body)
        if found is None or any(destination(ctx, one).is_kept for one in found):
            return False
        reads += found
    return not any(may_hit(ctx, store, source) for store in stores_between(ctx, source, reads))


def is_quiet_within(ctx: ModuleContext, source: ast.expr, node: ast.AST) -> bool:
    """Tell whether a statement or expression never writes the array that elements are read from."""
    inside = set(tree_walk(node))
    stores = ctx.stores.of(ctx.function(source))
    return not any(store.node in inside and may_hit(ctx, store, source) for store in stores)


def is_written_before(ctx: ModuleContext, source: ast.expr, consumer: ast.AST) -> bool:
    """Tell whether a call evaluated between an element and its consumer may write the array: `a[0] - grown(a)`."""
    calls = [one for one in ctx.stores.of(ctx.function(source)) if isinstance(one.node, (ast.Call, *SWITCHING))]
    first, last = source.lineno, getattr(consumer, "end_lineno", None) or source.lineno
    nearby = {one.node: one for one in calls if one.first <= last and one.last >= first}
    if not nearby:
        return False
    child: ast.AST = source
    while child is not consumer:
        parent = ctx.parents[child]
        for other in _evaluated_after(parent, child):
            if any(node in nearby and may_hit(ctx, nearby[node], source) for node in tree_walk(other)):
                return True
        child = parent
    return False


def _evaluated_after(parent: ast.AST, child: ast.AST) -> list[ast.AST]:
    """The parts of a node that are evaluated after one of them."""
    if isinstance(parent, ast.Assign):
        return list(parent.targets) if child is parent.value else []
    if not isinstance(parent, (ast.expr, ast.keyword)):
        return []
    if isinstance(parent, (ast.ListComp, ast.SetComp, ast.DictComp)):
        return [parent]  # all of it, for the next item
    below = children(parent)
    return list(below[below.index(child) + 1 :])


def stores_between(ctx: ModuleContext, source: ast.expr, reads: list[ast.Name]) -> Iterator[Store]:
    """The stores that may happen after the source was read and before the last of these reads."""
    body = ctx.function(source)
    first, last = source.lineno, max((one.lineno for one in reads), default=source.lineno)
    loop = _innermost_loop(ctx, source)
    ends = loop is None
    if loop is not None:
        statement, inside = ctx.statement(source), set(tree_walk(loop))
        ends = all(one in inside and _follows(ctx, statement, one) for one in reads)
        if not ends:
            first = min(first, loop.lineno, *(one.lineno for one in reads))
            last = max(last, loop.end_lineno or last)
    final = {ctx.statement(one) for one in reads if one.lineno == last} if ends else set()
    for store in ctx.stores.of(body):
        if store.last >= first and store.first <= last and not _is_last(ctx, store, final):
            yield store


def _innermost_loop(ctx: ModuleContext, node: ast.AST) -> ast.stmt | None:
    current = ctx.parents.get(node)
    while current is not None and not isinstance(current, INNER):
        if isinstance(current, LOOPS):
            return current
        current = ctx.parents.get(current)
    return None


def _follows(ctx: ModuleContext, statement: ast.stmt | None, use: ast.AST) -> bool:
    """Tell whether a use stands further down in the block of a statement, or in a block inside of that."""
    block = ctx.parents.get(statement) if statement is not None else None
    current: ast.AST | None = use
    while current is not None and ctx.parents.get(current) is not block:
        current = ctx.parents.get(current)
    if current is None or statement is None or not isinstance(current, ast.stmt):
        return False
    return current.lineno > statement.lineno and _same_suite(block, statement, current)


def _same_suite(block: ast.AST | None, one: ast.stmt, other: ast.stmt) -> bool:
    suites = (getattr(block, name, ()) for name in ("body", "orelse", "finalbody"))
    return any(one in suite and other in suite for suite in suites if isinstance(suite, list))


def _is_last(ctx: ModuleContext, store: Store, final: set[ast.stmt | None]) -> bool:
    """Tell whether it is the store of a simple statement whose operands are read before, and never again after it."""
    parent = ctx.parents.get(store.node)
    statement = store.node if isinstance(store.node, ast.AugAssign) else parent
    if isinstance(parent, ast.AugAssign):
        statement = parent
    if statement not in final or len(final) != 1:
        return False
    if isinstance(statement, ast.Assign):
        return statement.targets == [store.node]
    return isinstance(statement, ast.AugAssign)


def may_hit(ctx: ModuleContext, store: Store, source: ast.expr) -> bool:
    """Tell whether a store may write the memory that elements are read from; private arrays share with no others."""
    aliases = ctx.aliases(source)
    roots = aliases.roots(source)
    if not roots:
        return True
    for root in roots:
        if store.name is not None and not aliases.share(store.name, root) and is_private(ctx, store.name, aliases):
            continue
        if is_private(ctx, root, aliases) and (store.name is None or not aliases.share(store.name, root)):
            continue
        return True
    return False


def is_private(ctx: ModuleContext, name: str, aliases: Aliases, may_leave: bool = True) -> bool:
    """Tell whether a name is bound only to arrays made in this function, which no other code can reach.

    Parameters
    ----------
    may_leave
        Allow the result of the function to be or hold them: no other code has them while it runs.
    """
    key = (aliases.node, name, may_leave)
    if key not in ctx.private:
        ctx.private[key] = False  # while it is asked of names that share with it
        group = aliases.names_of([aliases.find(name)])
        ctx.private[key] = all(_is_own(ctx, one, group, aliases, may_leave) for one in group)
    return ctx.private[key]


def _is_own(ctx: ModuleContext, name: str, group: set[str], aliases: Aliases, may_leave: bool) -> bool:
    if not name.isidentifier() or name in aliases.iterated:
        return False
    values = aliases.values_of(name)
    if not values or not all(aliases.is_fresh_array(one) or _rooted_in(aliases, one, group) for one in values):
        return False
    uses = uses_of(ctx, name, aliases.node)
    if uses is None or isinstance(aliases.node, ast.Module) and ctx.is_imported():
        return False
    for use in uses:
        around = ctx.parents.get(use)
        if isinstance(around, ast.Subscript) and use is around.value and v.only(ctx.fact(around), "scalar"):
            continue  # an element alone is never written
        where = destination(ctx, use)
        if where.is_kept and not where.names and not (where.leaves and may_leave):
            return False
    return True


def _rooted_in(aliases: Aliases, value: ast.expr, group: set[str]) -> bool:
    roots = aliases.roots(value)
    return bool(roots) and group.issuperset(roots)
