"""Assignments: stores into arrays, element swaps, what is saved and then overwritten."""

from __future__ import annotations

import ast
import math

from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts, may_be_bool
from np2torch.facts.sharing import root_of
from np2torch.rules.arraylike import loosen
from np2torch.rules.pieces import COMPLEX, FOUND_BY_TORCH, Asked, Piece, Template
from np2torch.rules.site import Context, Edit, on, source_of, spelled
from np2torch.rules.syntax.deferred import shim_store as shim_store
from np2torch.rules.syntax.elements import clone_read, element_reads, save_elements, save_items
from np2torch.rules.syntax.hashing import is_vector
from np2torch.rules.syntax.made import FLOATING
from np2torch.rules.syntax.operators import fits
from np2torch.rules.syntax.subscripts import needs_shim

SET = ("shape", "flat", "dtype", "strides")
"""Attributes of arrays that can be set."""


def is_view(node: ast.expr) -> bool:
    """Does the expression share its operand's memory: a slice, `.T`, a reshape?"""
    if isinstance(node, ast.Subscript):
        return True
    if isinstance(node, ast.Attribute):
        return node.attr in ("T", "real", "imag", "mT")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("reshape", "ravel", "transpose", "swapaxes", "view", "squeeze", "diagonal")
    return isinstance(node, ast.Name)


@on(ast.Assign)
def assign(ctx: Context, node: ast.Assign) -> Edit | None:
    """Element swaps, saved elements, stores into arrays."""
    for target in node.targets:
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(node.value, ast.Tuple):
            _swap(ctx, target, node.value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            _unpacked(ctx, node.value)
        elif isinstance(target, (ast.Name, ast.Attribute)) or _stored_in_python(ctx, target):
            save = save_elements
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                if v.known_to_include(ctx.fact(target.value), "unknown"):
                    continue  # a tensor takes no items one by one, and copies what it takes
                save = save_items
            save(ctx, node.value, outlives=not isinstance(target, ast.Name))
    if len(node.targets) != 1:
        return None
    target = node.targets[0]
    if isinstance(target, ast.Subscript):
        return _store(ctx, node, target, node.value)
    if isinstance(target, ast.Attribute) and _needs_setting(ctx, target, node.value):
        template = Template()
        text = f'shim.set_attribute({template.mark(target.value)}, "{target.attr}", {template.mark(node.value)})'
        why = "no such attribute to set in torch"
        return Edit(node, "shim", "NPT153", source_of(target), why, text=text, pieces=template.nodes)
    return None


def _needs_setting(ctx: Context, target: ast.Attribute, value: ast.expr) -> bool:
    if not v.known_to_include(ctx.fact(target.value), "array"):
        return False
    parts = target.attr in ("real", "imag") and not v.only(ctx.fact(value), "number")  # torch wants its dtype and shape
    return target.attr in SET or parts and not ctx.converted_already()


def _stored_in_python(ctx: Context, target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript) and not v.known_to_include(ctx.fact(target.value), "array")


def _swap(ctx: Context, target: ast.Tuple | ast.List, value: ast.Tuple) -> None:
    roots = {root_of(t) for t in target.elts if isinstance(t, ast.Subscript)}
    for item in value.elts:
        for read in element_reads(ctx, item):
            if root_of(read.node) in roots or ctx.written_later(read.node):
                clone_read(ctx, read, "the element is overwritten before it is stored")


def _unpacked(ctx: Context, value: ast.expr) -> None:
    if is_vector(ctx.fact(value)) and root_of(value) and ctx.written_later(value):
        ctx.clone(value, "the elements are views and the array is written later")
    elif isinstance(value, ast.Call):
        save_elements(ctx, value)
    elif v.known_to_include(ctx.fact(value), "unknown", "array"):
        save_items(ctx, value)


def _store(ctx: Context, node: ast.Assign, target: ast.Subscript, value: ast.expr) -> Edit | None:
    owner = ctx.fact(target.value)
    if not v.known_to_include(owner, "array"):
        if v.only(owner, "foreign") and v.only(ctx.fact(value), "array"):
            ctx.wrap(value, "", ".numpy()", "boundary", "NPT401", "stored in an array that stays on NumPy")
        if isinstance(target.slice, ast.Tuple) and v.only(ctx.fact(value), "sequence") and ctx.is_open(target.value):
            return shim_store(ctx, node, target, value, "a sequence is stored in what may be a tensor")
        return None
    if not v.is_tensor(owner):
        if ctx.converted_already():
            return None
        why = "" if v.known_to_include(owner, "foreign") else needs_shim(ctx, target.slice, owner)
        if not why and v.known_to_include(ctx.fact(value), "sequence"):
            why = "a sequence is stored in what may be a tensor"
        return shim_store(ctx, node, target, value, why) if why else None
    source = ctx.fact(value)
    if v.only(source, "sequence") and not needs_shim(ctx, target.slice, owner):
        template = Template(Asked(has_comments=ctx.has_comments))
        piece = loosen(template.of(value, source))
        if made := _made_of_list(piece, v.dtype_of(owner)):
            ctx.wrap(value, *made, "native", "NPT122", "torch stores tensors and numbers")
            return None
        if piece.made_by == "torch.stack" and piece.dtype == v.dtype_of(owner) and len(node.targets) == 1:
            text = f"{template.mark(target)} = {piece}"
            return spelled(node, "native", "NPT122", "torch stores tensors and numbers", template, text)
    why = needs_shim(ctx, target.slice, owner) or _unsuited(ctx, owner, source, target.slice)
    if why:
        return None if ctx.converted_already() else shim_store(ctx, node, target, value, why)
    clone_overlap(ctx, target, value)
    return None


HOLDS = {
    "float64": ("bool", "int64", "float64"), "float32": ("bool", "int64", "float64"), "int64": ("bool", "int64"),
    "complex128": ("bool", "int64", "float64", "complex128"), "bool": ("bool",),
}  # fmt: skip
"""The dtypes of lists that arrays of a dtype take without truncation."""


def _made_of_list(piece: Piece, dtype: str | None) -> tuple[str, str] | None:
    """What stands around a list of numbers or of tensors that is stored in an array of that dtype."""
    if dtype not in HOLDS or not piece.made_by or piece.dtype not in HOLDS[dtype] or piece.written_anew:
        return None
    if piece.made_by == "torch.stack":
        return ("torch.stack(", ")") if piece.dtype == dtype else None
    return "torch.tensor(", f", dtype=torch.{dtype})" if dtype != piece.dtype or dtype not in FOUND_BY_TORCH else ")"


def _unsuited(ctx: Context, owner: v.Fact, source: v.Fact, index: ast.expr) -> str:
    """Why torch would not store this value as NumPy does."""
    if v.known_to_include(source, "sequence", "iterator"):
        return "a sequence is stored"
    if v.known_to_include(source, "text") or v.only(source, "none"):
        return "NumPy makes a number of it"
    if v.known_to_include(source, "unknown", "foreign", "opaque"):
        return "the value is not known to be a tensor"
    mine = v.dtypes_of(owner)
    if v.known_to_include(source, "number") and (why := _unsuited_number(mine, owner, source)):
        return why
    masked = [p for p in index_parts(index) if v.known_to_include(ctx.fact(p), "array", "sequence", "unknown")]
    if masked and not v.only(source, "number"):
        theirs = v.dtypes_of(source)
        if mine is None or theirs != mine or len(mine) != 1:
            return "the dtypes may differ"
        if v.known_to_include(source, "unknown"):
            return "the value is not known"
    theirs = v.dtypes_of(source) if v.only(source, "array", "scalar") else None
    if theirs and mine and theirs & COMPLEX and not mine <= COMPLEX:
        return "complex into real"
    if theirs and mine and (mine & {"uint8", "uint16", "uint32", "uint64"}) and theirs & {"float64", "float32"}:
        return "float into unsigned"
    return ""


def _unsuited_number(mine: v.Names, owner: v.Fact, source: v.Fact) -> str:
    kinds = {a.type for a in source if isinstance(a, v.Num)}
    if mine is not None and mine <= (COMPLEX if "complex" in kinds else FLOATING):
        return ""
    if kinds <= {"int", "bool"} and (mine is None or fits("add", owner, source)):
        return ""
    if mine is not None or "complex" in kinds:
        return "the value does not fit the dtype"
    value = v.constant(source)
    return "" if isinstance(value, float) and math.isfinite(value) else "the dtype is not known"


def clone_overlap(ctx: Context, target: ast.Subscript, value: ast.expr) -> None:
    """Clone a stored value that shares memory with what is written."""
    _clone_index(ctx, target)
    root = root_of(target.value)
    if root is None or not is_view(value) or v.only(ctx.fact(value), "number", "scalar"):
        return
    if isinstance(value, ast.Subscript) and _fancy(ctx, value.slice):
        return
    other = root_of(value)
    aliases = ctx.aliases(value)
    if other is not None and aliases.find(other) == aliases.find(root) and not _disjoint(ctx, target, value):
        ctx.clone(value, "NumPy buffers the overlap")


def _clone_index(ctx: Context, target: ast.Subscript) -> None:
    """Clone an index array that shares memory with what is written."""
    root = root_of(target.value)
    for part in index_parts(target.slice):
        other = root_of(part)
        if root is None or other is None or not is_view(part) or not v.only(ctx.fact(part), "array"):
            continue
        if isinstance(part, ast.Subscript) and _fancy(ctx, part.slice):
            continue
        aliases = ctx.aliases(part)
        if aliases.find(other) == aliases.find(root):
            ctx.clone(part, "torch refuses an index that overlaps what is written")


def _fancy(ctx: Context, index: ast.expr) -> bool:
    return any(v.only(ctx.fact(p), "array", "sequence") for p in index_parts(index) if not isinstance(p, ast.Slice))


def _alike(ctx: Context, one: ast.expr, other: ast.expr) -> bool:
    """Are both the same slice, or both integers?"""
    if isinstance(one, ast.Slice) or isinstance(other, ast.Slice):
        return ast.dump(one) == ast.dump(other)
    facts = ctx.fact(one), ctx.fact(other)
    return all(v.only(fact, "number", "scalar") and not may_be_bool(fact) for fact in facts)


def _disjoint(ctx: Context, target: ast.Subscript, value: ast.expr) -> bool:
    """Are the two apart, or one and the same: by integers in the same places, or different constants in one of them?"""
    if not isinstance(value, ast.Subscript) or ast.unparse(value.value) != ast.unparse(target.value):
        return False
    mine, theirs = index_parts(target.slice), index_parts(value.slice)
    if len(mine) == len(theirs) and all(_alike(ctx, a, b) for a, b in zip(mine, theirs, strict=True)):
        return True
    for a, b in zip(mine, theirs, strict=False):
        if isinstance(a, ast.Slice) and isinstance(b, ast.Slice) and ast.dump(a) != ast.dump(b):
            return False
        if isinstance(a, ast.Slice) or isinstance(b, ast.Slice):
            continue
        x, y = v.constant(ctx.fact(a)), v.constant(ctx.fact(b))
        if isinstance(x, int) and isinstance(y, int) and x != y and (x < 0) == (y < 0):
            return True
    return ast.unparse(target) == ast.unparse(value)
