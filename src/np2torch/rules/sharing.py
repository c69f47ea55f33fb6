"""Proofs that nobody can tell whether an expression shares memory with its source, as it does on one side alone.

A reversed view is a copy in torch, `np.array(x)` is a copy in NumPy. Nobody can tell where neither side is written
while both are in use: this is proved, not taken from the absence of writes that were found.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from np2torch.facts import values as v
from np2torch.facts.access_paths import WRITING_METHODS, origin_of, path_of, root_of, writes_first
from np2torch.facts.alias_analysis import Aliases
from np2torch.rules.scalars.destinations import destination
from np2torch.rules.scalars.lifetimes import may_hit, stores_between, uses_of
from np2torch.rules.site import ModuleContext


def sharing_shows(ctx: ModuleContext, node: ast.expr) -> bool:
    """Report whether memory that an expression shares, on one side or on both, may be written after it was made."""
    aliases, outer = ctx.aliases(node), node
    parent = ctx.parents.get(outer)
    while isinstance(parent, ast.expr) and outer in path_of(parent):
        outer, parent = parent, ctx.parents.get(parent)
    if _is_only_read(ctx, outer, parent):
        return False
    names = _targets(parent)
    sources = node.args if isinstance(node, ast.Call) and v.only(ctx.fact(node.func), "numpy") else []
    bound = [name for name in names if not isinstance(name, ast.Subscript)]
    roots = [root_of(one) for one in (node, *sources, *bound)]
    if any(aliases.may_be_written(root, node) for root in roots):
        return True
    locals_ = [name for name in bound if isinstance(name, ast.Name)]
    if locals_ and locals_ == names and _may_be_written(ctx, node, sources, locals_):
        return True
    escapes = isinstance(parent, ast.Return) or any(map(aliases.may_be_returned, roots))
    return escapes and ctx.project.result_written(ctx.function(node))


def _targets(statement: ast.AST | None) -> list[ast.expr]:
    """List what an assignment binds or stores into, the parts of tuples one by one."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [name for target in targets for name in getattr(target, "elts", [target])]


def _is_only_read(ctx: ModuleContext, node: ast.expr, parent: ast.AST | None) -> bool:
    """Tell a value that is only read where it stands: an operand, the receiver of a method, something copied."""
    if isinstance(parent, ast.Attribute):
        return parent.attr not in WRITING_METHODS
    if isinstance(parent, ast.Call) and node in parent.args:
        function = ctx.fact(parent.func)
        return v.only(function, "numpy") and not writes_first(parent)
    targets = parent.targets if isinstance(parent, ast.Assign) and parent.value is node else []
    stores = [t for t in targets if isinstance(t, ast.Subscript) and v.only(ctx.fact(t.value), "array")]
    return isinstance(parent, (ast.BinOp, ast.Compare)) or len(targets) == 1 and stores == targets


def _may_be_written(ctx: ModuleContext, node: ast.expr, sources: Iterable[ast.expr], names: list[ast.Name]) -> bool:
    """Look for a store or an unknown call, while names are in use, which is not proved to write other memory."""
    reads = _reads_of(ctx, node, names)
    if reads is None:
        return True
    aliases = ctx.aliases(node)
    made_of = [one for one in [*sources] or [node] if not _is_nobodys(aliases, one)]
    stores = stores_between(ctx, node, reads)
    return any(may_hit(ctx, store, one) for store in stores for one in made_of)


def _is_nobodys(aliases: Aliases, node: ast.expr) -> bool:
    """Tell a part of an array that is made there, and that nothing else holds: `np.argsort(x)[::-1]`."""
    origin = origin_of(node)
    return origin is not None and not aliases.roots(node) and aliases.is_fresh_array(origin)


def _reads_of(ctx: ModuleContext, node: ast.expr, names: Iterable[ast.Name]) -> list[ast.Name] | None:
    """Collect the reads of names, and of names bound to parts of their values; None where others may read them."""
    body = ctx.function(node)
    reads: list[ast.Name] = []
    todo, seen = [name.id for name in names], set[str]()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        found = uses_of(ctx, name, body)
        if found is None:
            return None
        reads += found
        for where in (destination(ctx, one) for one in found):
            todo += [one.id for one in where.names]
    return reads
