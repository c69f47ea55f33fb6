"""Assignments whose value shares memory with the target: NumPy buffers an overlap, torch does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import values as v
from np2torch.facts.access_paths import branches, root_of
from np2torch.facts.interpreter.subscripts import index_parts, may_be_bool
from np2torch.rules.site import ModuleContext

PICKING = frozenset({"max", "min", "next"})
"""Builtins that give one of the elements of what they are given."""


def is_view(node: ast.expr) -> bool:
    """Does the expression share its operand's memory: a slice, `.T`, a reshape?"""
    if isinstance(node, ast.Subscript):
        return True
    if isinstance(node, ast.Attribute):
        return node.attr in ("T", "real", "imag", "mT")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("reshape", "ravel", "transpose", "swapaxes", "view", "squeeze", "diagonal")
    return isinstance(node, ast.Name)


def picked_from(ctx: ModuleContext, value: ast.expr) -> list[ast.expr]:
    """Give the arrays of which a builtin picks an element, which is a view of it in torch: `max(x)`."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.func.id not in PICKING:
        return []
    return value.args if v.only(ctx.fact(value.func), "builtin") else []


def clone_overlap(ctx: ModuleContext, target: ast.Subscript, value: ast.expr) -> None:
    """Clone a stored value that shares memory with what is written."""
    clone_index(ctx, target)
    for view in overlapping(ctx, target, value):
        ctx.clone(view, "NumPy buffers the overlap")


def overlapping(ctx: ModuleContext, target: ast.Subscript, value: ast.expr) -> Iterator[ast.expr]:
    """The parts of a stored value that share memory with what is written, other than by being the very same."""
    if isinstance(value, (ast.IfExp, ast.BoolOp)):
        for one in branches(value):
            yield from overlapping(ctx, target, one)
        return
    if isinstance(value, ast.NamedExpr):
        if any(overlapping(ctx, target, value.value)):
            yield value
        return
    if v.only(ctx.fact(value), "number", "scalar") or isinstance(value, ast.Subscript) and is_fancy(ctx, value.slice):
        return
    if share(ctx, target.value, value) and not _disjoint(ctx, target, value):
        yield value


def share(ctx: ModuleContext, array: ast.expr, value: ast.expr) -> bool:
    """Tell whether a value may share memory with an array that is written."""
    if picked := picked_from(ctx, value):
        return any(share(ctx, array, one) for one in picked)
    aliases, root, other = ctx.aliases(value), root_of(array), root_of(value)
    if root is not None and other is not None:
        return (is_view(value) or isinstance(value, ast.Attribute)) and aliases.share(other, root)
    given = isinstance(value, ast.Call) and value in ctx.engine.callees or isinstance(value, ast.Attribute)
    if not (given or is_view(value)) or not v.may(ctx.fact(value), "array", "unknown"):
        return False
    written = aliases.roots(array)
    return any(aliases.share(one, two) for one in aliases.roots(value) for two in written)


def clone_index(ctx: ModuleContext, target: ast.Subscript) -> None:
    """Clone an index array that shares memory with what is written."""
    root = root_of(target.value)
    for part in index_parts(target.slice):
        other = root_of(part)
        if root is None or other is None or not is_view(part) or not v.only(ctx.fact(part), "array"):
            continue
        if isinstance(part, ast.Subscript) and is_fancy(ctx, part.slice):
            continue
        aliases = ctx.aliases(part)
        if aliases.find(other) == aliases.find(root):
            ctx.clone(part, "torch refuses an index that overlaps what is written")


def is_fancy(ctx: ModuleContext, index: ast.expr) -> bool:
    """Tell whether the index holds an array or a list, so that reading by it gives a copy."""
    return any(v.only(ctx.fact(p), "array", "sequence") for p in index_parts(index) if not isinstance(p, ast.Slice))


def selects_slices(index: ast.expr) -> bool:
    """Tell whether the index has a slice or an ellipsis in it."""
    return any(isinstance(part, ast.Slice) or _is_ellipsis(part) for part in index_parts(index))


def _is_ellipsis(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and part.value is Ellipsis


def _is_place(ctx: ModuleContext, part: ast.expr) -> bool:
    """Tell whether it is an integer."""
    fact = ctx.fact(part)
    return not isinstance(part, ast.Slice) and v.only(fact, "number", "scalar") and not may_be_bool(fact)


def _alike(ctx: ModuleContext, one: ast.expr, other: ast.expr) -> bool:
    """Tell whether both are the same slice, or both integers."""
    if isinstance(one, ast.Slice) or isinstance(other, ast.Slice):
        return ast.dump(one) == ast.dump(other)
    return _is_place(ctx, one) and _is_place(ctx, other)


def _disjoint(ctx: ModuleContext, target: ast.Subscript, value: ast.expr) -> bool:
    """Tell whether two subscripts are disjoint or the same: integers in the same positions, or apart along one axis."""
    if not isinstance(value, ast.Subscript) or ast.unparse(value.value) != ast.unparse(target.value):
        return False
    mine, theirs = index_parts(target.slice), index_parts(value.slice)
    if len(mine) == len(theirs) and all(_alike(ctx, a, b) for a, b in zip(mine, theirs, strict=True)):
        return True
    for a, b in zip(mine, theirs, strict=False):
        if _is_ellipsis(a) and _is_ellipsis(b) and len(mine) == len(theirs):
            continue
        if not all(isinstance(part, ast.Slice) or _is_place(ctx, part) for part in (a, b)):
            break  # from here on the entries may stand for different axes
        if _apart(ctx, a, b):
            return True
    return ast.unparse(target) == ast.unparse(value)


def _apart(ctx: ModuleContext, one: ast.expr, other: ast.expr) -> bool:
    """Tell whether two entries for one axis have no position in common, whatever its length."""
    (first, last), (start, stop) = _span(ctx, one), _span(ctx, other)
    return _ends_before(last, start) or _ends_before(stop, first)


def _ends_before(end: int | None, start: int | None) -> bool:
    """Tell whether an end comes before a start, both counted from the same side; an end of 0 is that of the axis."""
    return end is not None and start is not None and (end <= 0) == (start < 0) and end <= start


def _span(ctx: ModuleContext, part: ast.expr) -> tuple[int | None, int | None]:
    """The first place and the one after the last, negative where counted from the end; None if no constant tells."""
    if not isinstance(part, ast.Slice):
        place = v.constant(ctx.fact(part))
        return (place, place + 1) if isinstance(place, int) else (None, None)
    step = v.constant(ctx.fact(part.step)) if part.step is not None else 1
    if not isinstance(step, int) or step < 1:
        return None, None
    first = v.constant(ctx.fact(part.lower)) if part.lower is not None else 0
    last = v.constant(ctx.fact(part.upper)) if part.upper is not None else None
    return first if isinstance(first, int) else None, last if isinstance(last, int) and last else None
