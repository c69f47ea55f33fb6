"""Objects of libraries that compute on ndarrays, such as SciPy's sparse matrices: items, stores, operators."""

from __future__ import annotations

import ast

from np2torch.facts import models
from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.facts.libraries import computes, library
from np2torch.facts.passed_objects import may_draw_arrays
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext, source_of
from np2torch.rules.syntax.foreign import goes_back, holds_tensor, is_called, may_hold_any, to_numpy
from np2torch.rules.syntax.runtime_dispatch import shim_getitem, shim_operator, shim_store

MIXED = "an object of a library, or a tensor"
OPERANDS = ("array", "scalar", "unknown")
"""Operands that are, or may be, tensors."""


def _is_one(atom: v.Atom) -> bool:
    return isinstance(atom, v.Opaque) and atom.origin.endswith("()") and computes(atom)


def is_object(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is an object of such a library, whatever it is among them."""
    fact = v.without(ctx.fact(node), "none")
    return bool(fact) and all(map(_is_one, fact)) and not ctx.converted_already()


def may_be_object(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it may be such an object; not in a module that uses torch."""
    return any(map(_is_one, ctx.fact(node))) and not ctx.converted_already()


@on(Phase.BOUNDARY, ast.Subscript)
def item(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`matrix[rows, columns]`: the index goes over, an element comes back."""
    parts = index_parts(node.slice)
    if not is_object(ctx, node.value):
        return _item_of_mixed(ctx, node, parts)
    before = len(ctx.wraps)
    several = sum(not isinstance(part, ast.Slice) and not v.only(ctx.fact(part), "number", "scalar") for part in parts)
    for part in parts:
        if not isinstance(part, ast.Slice):
            alone = len(parts) == 1 and v.known_to_include(ctx.fact(part), "sequence", "unknown")  # a tuple of several
            _index(ctx, part, owned=alone or several > 1)
    if isinstance(node.ctx, ast.Load):
        _take_back(ctx, node)
    return Edit(node, "boundary", "NPT401", source_of(node), "runs on ndarrays") if len(ctx.wraps) > before else None


def _item_of_mixed(ctx: ModuleContext, node: ast.Subscript, parts: list[ast.expr]) -> Edit | None:
    """An item of what may be such an object, or a tensor."""
    if not isinstance(node.ctx, ast.Load) or not may_be_object(ctx, node.value):
        return None
    if _goes_over(ctx, parts):
        return shim_getitem(ctx, node, MIXED)
    _take_back(ctx, node)
    return None


def _may_be_sparse(ctx: ModuleContext, target: ast.Subscript, parts: list[ast.expr]) -> bool:
    """Tell whether tensors index what nobody knows, in a project with sparse matrices: SciPy reads their dtype."""
    facts = [ctx.fact(part) for part in parts if not isinstance(part, ast.Slice)]
    if not v.only(ctx.fact(target.value), "unknown") or not any(map(holds_tensor, facts)) or ctx.converted_already():
        return False
    return any("sparse" in module.text for module in ctx.engine.modules.values())


def _take_back(ctx: ModuleContext, node: ast.Subscript) -> None:
    """Make a tensor of an item that may be an ndarray."""
    if _may_be_array(ctx, ctx.fact(node)) and not _is_left(ctx, node):
        ctx.wrap(node, "shim.from_numpy(", ")", "boundary", "NPT403", "an ndarray may come back")


def _is_left(ctx: ModuleContext, node: ast.Subscript) -> bool:
    """Tell whether it goes back to a library, or an item is read of it that is looked at itself."""
    parent = ctx.parents.get(node)
    is_read = isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.ctx, ast.Load)
    return goes_back(ctx, node) or is_read and may_be_object(ctx, node)


def _index(ctx: ModuleContext, part: ast.expr, owned: bool) -> None:
    """Make an entry of an index one of NumPy's; a copy where SciPy broadcasts it and makes the result writeable."""
    fact = ctx.fact(part)
    if not owned or v.only(fact, "scalar") or not _goes_over(ctx, [part]):
        to_numpy(ctx, part)
    elif v.only(fact, "array"):
        ctx.wrap(part, "", ".numpy().copy()", "boundary", "NPT401", "a tensor goes to a library of ndarrays")
    else:
        ctx.wrap(part, "shim.to_numpy(", ", copy=True)", "boundary", "NPT401", "may be a tensor")


def _goes_over(ctx: ModuleContext, parts: list[ast.expr]) -> bool:
    """Tell whether anything may of an index be a tensor."""
    facts = [ctx.fact(part) for part in parts if not isinstance(part, ast.Slice)]
    return any(holds_tensor(fact) or may_hold_any(ctx, fact) for fact in facts)


def _may_be_array(ctx: ModuleContext, made: v.Fact) -> bool:
    return holds_tensor(made) or may_hold_any(ctx, made) and not models.stays(made)


@on(Phase.BOUNDARY, ast.Assign)
def stored_value(ctx: ModuleContext, node: ast.Assign) -> Edit | None:
    """`matrix.data = x`, `matrix[index] = x`: what belongs to an object of SciPy's is an ndarray."""
    for target in node.targets:
        if isinstance(target, (ast.Attribute, ast.Subscript)) and is_object(ctx, target.value):
            to_numpy(ctx, node.value)
    target = node.targets[0]
    if len(node.targets) == 1 and isinstance(target, ast.Subscript) and not is_object(ctx, target.value):
        parts = index_parts(target.slice)
        is_mixed = may_be_object(ctx, target.value) and _goes_over(ctx, [*parts, node.value])
        if is_mixed or _may_be_sparse(ctx, target, parts):
            return shim_store(ctx, node, target, node.value, MIXED)
    return None


@on(Phase.BOUNDARY, ast.AugAssign)
def augmented_object(ctx: ModuleContext, node: ast.AugAssign) -> Edit | None:
    """`matrix += x`, `matrix[index] += x`, `matrix.data += x`."""
    target = node.target
    inside = isinstance(target, (ast.Attribute, ast.Subscript)) and is_object(ctx, target.value)
    if not inside and not is_object(ctx, target):
        return None
    to_numpy(ctx, node.value)
    return Edit(node, "boundary", "NPT401", source_of(target), "runs on ndarrays")


@on(Phase.BOUNDARY, ast.BinOp)
def operand(ctx: ModuleContext, node: ast.BinOp) -> Edit | None:
    """`matrix @ x`: SciPy's operators take ndarrays, so that what may be a tensor is looked at at run time."""
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if may_be_object(ctx, one) and v.known_to_include(ctx.fact(other), *OPERANDS):
            return shim_operator(ctx, node, node.op, node.left, node.right)
    if is_object(ctx, node.left) and holds_tensor(ctx.fact(node)):
        ctx.wrap(node, "shim.from_numpy(", ")", "boundary", "NPT403", "an ndarray may come back")
    return None


@on(Phase.BOUNDARY, ast.Compare)
def compared_object(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    """`matrix > x`."""
    sides = (node.left, node.comparators[0])
    if len(node.ops) != 1 or not any(is_object(ctx, side) for side in sides):
        return None
    for side in sides:
        if v.known_to_include(ctx.fact(side), *OPERANDS) and not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            to_numpy(ctx, side)
    return None


@on(Phase.BOUNDARY, ast.Attribute)
def of_a_module(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """`xp.zeros(n)`, where `xp` may be NumPy or another module like it, as a library of several backends has it."""
    if not isinstance(node.ctx, ast.Load) or ctx.converted_already():
        return None
    if _makes_arrays(ctx, node.value):
        ctx.wrap(node.value, "shim.namespace(", ")", "shim", "NPT150", "it is asked for arrays as NumPy is")
    if not _may_be_numpy(ctx, node.value):
        return None
    inner = isinstance(node.value, ast.Attribute) and _may_be_numpy(ctx, node.value.value)
    if not inner and not (is_called(ctx, node) and library(ctx.fact(node))):
        ctx.wrap(node.value, "shim.namespace(", ")", "shim", "NPT150", "NumPy, or another module")
    return None


def _makes_arrays(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether an unknown object is asked for arrays as NumPy is (`xp = get_namespace(x)`)."""
    return v.only(ctx.fact(node), "unknown") and ast.unparse(node) in ctx.asked_for_arrays


def _may_be_numpy(ctx: ModuleContext, node: ast.expr) -> bool:
    fact, said = v.without(ctx.fact(node), "none"), ctx.evidence_of(node)
    if said is not None and may_draw_arrays(said):
        return False  # it is made a generator of ours at the entry
    return len(fact) > 1 and any(isinstance(atom, v.Module) and atom.name.split(".")[0] == "numpy" for atom in fact)
