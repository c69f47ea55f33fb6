"""Stores where no assignment of one value to one target is: beside others, in a chain, as the target of a loop.

Each target is stored into in its turn, after all values are known, so that a value is copied where it is stored
(`shim.target(a)[1:]`), and where it is evaluated only if nothing is written in between.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.access_paths import iterated_expressions
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.overlaps import clone_index, is_view, overlapping, share
from np2torch.rules.syntax.subscripts import needs_shim


class Store(NamedTuple):
    """One target of a statement.

    Attributes
    ----------
    value
        What is stored in it, or what is unpacked into it and others.
    is_whole
        The value is stored as it is written.
    """

    target: ast.expr
    value: ast.expr
    is_whole: bool


def stores(target: ast.expr, value: ast.expr, is_whole: bool = True) -> Iterator[Store]:
    """The single targets, from left to right, each with its value."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield Store(target, value, is_whole)
        return
    stars = any(isinstance(one, ast.Starred) for one in (*target.elts, *getattr(value, "elts", ())))
    if is_whole and not stars and isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield from stores(one, other)
        return
    for one in target.elts:
        yield from stores(one.value if isinstance(one, ast.Starred) else one, value, is_whole=False)


@on(Phase.NUMPY, ast.Assign)
def several(ctx: ModuleContext, node: ast.Assign) -> Edit | None:
    """`a[1:], a[0] = a[:-1], a[-1]`, `a[1:] = b[:-1] = a[:-1]`."""
    if len(node.targets) > 1 or not isinstance(node.targets[0], ast.Subscript):
        _store_all(ctx, [one for target in node.targets for one in stores(target, node.value)], len(node.targets) > 1)
    return None


@on(Phase.NUMPY, ast.AnnAssign)
def annotated_store(ctx: ModuleContext, node: ast.AnnAssign) -> Edit | None:
    """`a[1:]: Any = a[:-1]`."""
    if node.value is not None:
        _store_all(ctx, [Store(node.target, node.value, True)], False)
    return None


@on(Phase.NUMPY, ast.For, ast.AsyncFor, ast.comprehension)
def loop(ctx: ModuleContext, node: ast.For | ast.AsyncFor | ast.comprehension) -> Edit | None:
    """`for a[1:] in rows:`."""
    for source in iterated_expressions(node.iter):
        parts = source.elts if isinstance(source, (ast.List, ast.Tuple)) else [source]
        _store_all(ctx, [one for part in parts for one in stores(node.target, part, False)], True)
    return None


@on(Phase.NUMPY, ast.With, ast.AsyncWith)
def entered_store(ctx: ModuleContext, node: ast.With | ast.AsyncWith) -> Edit | None:
    """`with part(a) as a[1:]:`."""
    for item in node.items:
        if item.optional_vars is not None:
            given = item.context_expr
            values = [given, *given.args] if isinstance(given, ast.Call) else [given]
            _store_all(ctx, [one for value in values for one in stores(item.optional_vars, value, False)], True)
    return None


def _store_all(ctx: ModuleContext, found: list[Store], is_shared: bool) -> None:
    """Copy what overlaps: where it is evaluated, or where it is stored if it is seen or changed in between."""
    written: list[ast.expr] = []
    for target, value, is_whole in found:
        if not isinstance(target, ast.Subscript) or ctx.converted_already():
            continue
        owner = ctx.fact(target.value)
        if v.known_to_include(owner, "array") or ctx.is_open(target.value) and not _is_single(target):
            in_between = is_shared or not is_whole or any(share(ctx, one, value) for one in written)
            _store_one(ctx, target, value, is_whole, in_between)
        written.append(target.value)


def _store_one(ctx: ModuleContext, target: ast.Subscript, value: ast.expr, is_whole: bool, in_between: bool) -> None:
    owner, source = ctx.fact(target.value), ctx.fact(value)
    if v.is_tensor(owner):
        clone_index(ctx, target)
    if v.known_to_include(owner, "array") and (why := needs_shim(ctx, target.slice, owner)):
        _by_target(ctx, target, why)
    elif is_whole and v.known_to_include(source, "sequence", "iterator", "text"):
        _by_target(ctx, target, "torch stores tensors and numbers")
    elif is_whole:
        views = list(overlapping(ctx, target, value))
        if views and (in_between or not v.is_tensor(owner) or not all(v.only(ctx.fact(one), "array") for one in views)):
            _by_target(ctx, target, "NumPy buffers the overlap")
            return
        for one in views:
            ctx.clone(one, "NumPy buffers the overlap")
    elif not is_element(ctx, target.slice, owner) and (_holds_lists(source) or _may_hold(ctx, target, value)):
        _by_target(ctx, target, "NumPy takes lists, and buffers an overlap")


def _by_target(ctx: ModuleContext, target: ast.Subscript, why: str) -> None:
    ctx.wrap(target.value, "shim.target(", ")", "shim", "NPT206", why)


def _is_single(target: ast.Subscript) -> bool:
    """Tell whether it is one entry that is no slice, a place for all that is known."""
    return not isinstance(target.slice, (ast.Slice, ast.Tuple))


def is_element(ctx: ModuleContext, index: ast.expr, owner: v.Fact) -> bool:
    """Tell whether an index is of a single element of an array, of one of the ranks that are known."""
    parts = index_parts(index)
    known = v.ranks_of(owner) or frozenset()
    return len(parts) in known and all(v.only(ctx.fact(part), "number", "scalar") for part in parts)


def _holds_lists(fact: v.Fact) -> bool:
    """Tell whether there are lists among the items."""
    inside = [v.elements(atom) for atom in fact if isinstance(atom, v.Sequence)]
    return any(v.known_to_include(one, "sequence") for one in inside)


def _may_hold(ctx: ModuleContext, target: ast.Subscript, value: ast.expr) -> bool:
    """Tell whether an unpacked value may be or hold a part of the array."""
    aliases = ctx.aliases(value)
    written = aliases.roots(target.value)
    held = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
    return any(
        aliases.share(one, two) for part in held for one in aliases.roots(part) for two in written
    ) or any(is_view(part) and share(ctx, target.value, part) for part in held)
