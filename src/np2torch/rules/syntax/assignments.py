"""Assignments: stores into arrays, element swaps, what is saved and then overwritten."""

from __future__ import annotations

import ast
import math

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.rules.arraylike import loosen
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import COMPLEX, FOUND_BY_TORCH, UNSIGNED, CallSite, RuleArgument, Template
from np2torch.rules.site import Edit, ModuleContext, source_of, text_edit
from np2torch.rules.syntax.operators import fits
from np2torch.rules.syntax.overlaps import clone_overlap, is_fancy, overlapping, selects_slices, share
from np2torch.rules.syntax.runtime_dispatch import shim_store as shim_store
from np2torch.rules.syntax.stores import is_element
from np2torch.rules.syntax.subscripts import backwards, needs_shim, scatters
from np2torch.rules.syntax.tensor_operands import FLOATING

SET = ("shape", "flat", "dtype", "strides")
"""Attributes of arrays that can be set, and of tensors cannot."""
PARTS = ("real", "imag")
"""Those that can be set on both sides."""
NO_TENSOR = "the value is not known to be a tensor"
SEQUENCE = "a sequence is stored in what may be a tensor"
OVERLAP = "what may be a tensor may overlap itself"
TENSORS_ONLY = "torch stores tensors and numbers"
"""What torch does otherwise when it stores."""


@on(Phase.NUMPY, ast.Assign)
def assign(ctx: ModuleContext, node: ast.Assign) -> Edit | None:
    """Element swaps, saved elements, stores into arrays."""
    if len(node.targets) != 1:
        return None
    target = node.targets[0]
    if isinstance(target, ast.Subscript):
        return _store(ctx, node, target, node.value)
    if isinstance(target, ast.Attribute) and _needs_setting(ctx, target, node.value):
        template = Template()
        text = f'shim.set_attribute({template.mark(target.value)}, "{target.attr}", {template.mark(node.value)})'
        return Edit(node, "shim", "NPT153", source_of(target), NOT_SET, text=text, pieces=template.nodes)
    return None


NOT_SET = "no such attribute to set in torch"


@on(Phase.NUMPY, ast.Attribute)
def set_elsewhere(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """`a.shape = b.shape = n`, `for z.real in rows`, `a.shape += (1,)`: attributes of arrays as targets of any kind."""
    if isinstance(node.ctx, ast.Store):
        parent = ctx.parents.get(node)
        value = parent.value if isinstance(parent, ast.Assign) else None
        in_place = isinstance(parent, ast.AugAssign) and node.attr in PARTS  # torch sets what it has changed
        if not in_place and _needs_setting(ctx, node, value):
            ctx.wrap(node.value, "shim.settable(", ")", "shim", "NPT153", NOT_SET)
    return None


@on(Phase.NUMPY, ast.Call)
def set_by_name(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`setattr(a, "shape", n)`."""
    if v.sole(ctx.fact(node.func)) != v.Builtin("setattr") or len(node.args) != 3 or node.keywords:
        return None
    name = ctx.fact(node.args[1])
    known, word = v.known_to_include(ctx.fact(node.args[0]), "array"), v.constant(name)
    if word in (*SET, *PARTS) and (known or ctx.is_open(node.args[0])) or known and word is None:
        template = Template()
        text = f"shim.set_attribute({', '.join(map(template.mark, node.args))})"
        return text_edit(node, "shim", "NPT153", NOT_SET, template, text)
    return None


def _needs_setting(ctx: ModuleContext, target: ast.Attribute, value: ast.expr | None) -> bool:
    """Tell whether it is an attribute that torch cannot set, or not to such a value, of what is or may be an array."""
    known, is_open = v.known_to_include(ctx.fact(target.value), "array"), ctx.is_open(target.value)
    if target.attr in SET:
        return known or is_open
    if target.attr not in PARTS or ctx.converted_already():
        return False
    is_number = value is not None and v.only(ctx.fact(value), "number")  # torch wants its own dtype and shape
    return (known or is_open) and not is_number or is_open and target.attr == "imag"


def _store(ctx: ModuleContext, node: ast.Assign, target: ast.Subscript, value: ast.expr) -> Edit | None:
    owner, source = ctx.fact(target.value), ctx.fact(value)
    if not v.known_to_include(owner, "array"):
        if v.only(owner, "foreign") and v.only(source, "array"):
            ctx.wrap(value, "", ".numpy()", "boundary", "NPT401", "stored in an array that stays on NumPy")
        why = _differs_in_open(ctx, target, value) if ctx.is_open(target.value) else ""
        return shim_store(ctx, node, target, value, why) if why else None
    if not v.is_tensor(owner):
        why = "" if ctx.converted_already() else _may_differ(ctx, target, value)
        return shim_store(ctx, node, target, value, why) if why else None
    if (why := _refused(ctx, target, owner, source)) and not ctx.converted_already():
        return shim_store(ctx, node, target, value, why)
    if v.only(source, "sequence") and not needs_shim(ctx, target.slice, owner):
        is_stored, edit = _store_items(ctx, node, target, value)
        if is_stored:
            return edit
    why = needs_shim(ctx, target.slice, owner) or scatters(ctx, target.slice, owner)
    why = why or _unsuited(ctx, owner, source, target.slice)
    if why:
        return None if ctx.converted_already() else shim_store(ctx, node, target, value, why)
    clone_overlap(ctx, target, value)
    return None


def _differs_in_open(ctx: ModuleContext, target: ast.Subscript, value: ast.expr) -> str:
    """Give the reason for which a store may differ in torch that by its text alone may be one into an array."""
    if ctx.is_object(target.slice):
        return ""  # the key of a mapping
    if why := backwards(ctx, target.slice):
        return why
    made = v.known_to_include(ctx.fact(value), "sequence", "iterator", "none")
    if getattr(target.slice, "value", None) is Ellipsis and (made or ctx.is_open(value)):
        return SEQUENCE  # only arrays have all of their elements set so
    if selects_slices(target.slice):
        if isinstance(target.slice, ast.Tuple) and v.only(ctx.fact(value), "sequence"):
            return SEQUENCE
        if any(overlapping(ctx, target, value)):
            return OVERLAP
    if any(share(ctx, target.value, part) for part in index_parts(target.slice)):
        return "torch refuses an index that overlaps what is written"
    return _by_array(ctx, target)


def _by_array(ctx: ModuleContext, target: ast.Subscript) -> str:
    """Give the reason for which torch may not store at an array of indices, into what may be no tensor."""
    is_one = any(v.known_to_include(ctx.fact(part), "array") for part in index_parts(target.slice))
    return scatters(ctx, target.slice, ctx.fact(target.value)) if is_one else ""


def _may_differ(ctx: ModuleContext, target: ast.Subscript, value: ast.expr) -> str:
    """Give the reason for which a store may differ in torch, into what may be a tensor."""
    owner = ctx.fact(target.value)
    why = "" if v.known_to_include(owner, "foreign") else needs_shim(ctx, target.slice, owner)
    why, source = why or _in_list(ctx, target, value), ctx.fact(value)
    if not why and v.known_to_include(source, "foreign", *["unknown"] * DOMAIN.names_unheld):
        return NO_TENSOR
    why = SEQUENCE if not why and v.known_to_include(source, "sequence") else why
    return why or _by_array(ctx, target)


def _store_items(
    ctx: ModuleContext, node: ast.Assign, target: ast.Subscript, value: ast.expr
) -> tuple[bool, Edit | None]:
    """Store a list of numbers or tensors as a tensor: whether it can be, and the edit that it needs."""
    if isinstance(value, (ast.List, ast.Tuple)) and any(any(overlapping(ctx, target, one)) for one in value.elts):
        return True, shim_store(ctx, node, target, value, "NumPy stores the items of a list one after the other")
    template, dtype = Template(CallSite(has_comments=ctx.has_comments)), v.dtype_of(ctx.fact(target.value))
    piece = loosen(template.of(value, ctx.fact(value)))
    if made := _made_of_list(piece, dtype):
        ctx.wrap(value, *made, "native", "NPT122", TENSORS_ONLY)
        return True, None
    if piece.made_by == "torch.stack" and piece.dtype == dtype and len(node.targets) == 1:
        text = f"{template.mark(target)} = {piece}"
        return True, text_edit(node, "native", "NPT122", TENSORS_ONLY, template, text)
    return False, None


def _in_list(ctx: ModuleContext, target: ast.Subscript, value: ast.expr) -> str:
    """Give the reason why a store needs the shim: a list is stored in what may be a tensor, or memory may overlap."""
    if v.only(ctx.fact(value), "sequence") and selects_slices(target.slice):
        return SEQUENCE
    return OVERLAP if any(overlapping(ctx, target, value)) else ""


HOLDS = {
    "float64": ("bool", "int64", "float64"), "float32": ("bool", "int64", "float64"), "int64": ("bool", "int64"),
    "complex128": ("bool", "int64", "float64", "complex128"), "bool": ("bool",),
}  # fmt: skip
"""The dtypes of lists that arrays of a dtype take without truncation."""


def _made_of_list(piece: RuleArgument, dtype: str | None) -> tuple[str, str] | None:
    """Give what stands around a list of numbers or of tensors that is stored in an array of that dtype."""
    if dtype not in HOLDS or not piece.made_by or piece.dtype not in HOLDS[dtype] or piece.written_anew:
        return None
    if piece.made_by == "torch.stack":
        return ("torch.stack(", ")") if piece.dtype == dtype else None
    return "torch.tensor(", f", dtype=torch.{dtype})" if dtype != piece.dtype or dtype not in FOUND_BY_TORCH else ")"


def _refused(ctx: ModuleContext, target: ast.Subscript, owner: v.Fact, source: v.Fact) -> str:
    """Give the reason for which NumPy may raise where torch would store a value."""
    if is_element(ctx, target.slice, owner):
        rows = v.only(source, "array") and 0 not in (v.ranks_of(source) or {0})
        if rows or v.only(source, "sequence"):
            return "NumPy stores no array in an element"
    known = v.dtypes_of(source) or frozenset()
    signed = (v.dtypes_of(owner) or frozenset()) & {"int64", "int32", "int16", "int8"}
    if signed and v.only(source, "scalar") and known & FLOATING and not is_fancy(ctx, target.slice):
        return "NumPy refuses to store NaN and infinity in integers"
    return ""


def _unsuited(ctx: ModuleContext, owner: v.Fact, source: v.Fact, index: ast.expr) -> str:
    """Give the reason for which torch would store a value otherwise than NumPy."""
    if v.known_to_include(source, "sequence", "iterator"):
        return "a sequence is stored"
    if v.known_to_include(source, "text", "none"):
        return "NumPy makes a number of it"
    mine = v.dtypes_of(owner)
    source = _stored(ctx, index, owner, source)
    if v.known_to_include(source, "unknown", "foreign", "opaque"):
        return NO_TENSOR
    if v.known_to_include(source, "number") and (why := _unsuited_number(mine, owner, source)):
        return why
    masked = [p for p in index_parts(index) if v.known_to_include(ctx.fact(p), "array", "sequence", "unknown")]
    if masked and not v.only(source, "number"):
        if mine is None or v.dtypes_of(source) != mine or len(mine) != 1:
            return "the dtypes may differ"
        if v.known_to_include(source, "unknown"):
            return "the value is not known"
    is_row = v.only(source, "array") and selects_slices(index)
    return _lossy(mine, source, is_row) if mine and v.only(source, "array", "scalar") else ""


def _lossy(mine: frozenset[str], source: v.Fact, is_row: bool) -> str:
    """Give the reason for which torch would cast stored elements otherwise than NumPy."""
    theirs = v.dtypes_of(source)
    if theirs and theirs <= COMPLEX and not mine <= COMPLEX and not is_row:
        return "complex into real"  # which both sides warn of, or torch refuses
    if theirs and mine & {"uint8", *UNSIGNED} and theirs & {"float64", "float32"}:
        return "float into unsigned"
    return ""


def _stored(ctx: ModuleContext, index: ast.expr, owner: v.Fact, source: v.Fact) -> v.Fact:
    """Leave out what nobody knows of what one floating element takes: both raise for lists, torch for objects."""
    is_unknown = v.known_to_include(source, "unknown") and _is_inexact_element(ctx, index, owner)
    return v.keep(source, lambda atom: atom.kind != "unknown") if is_unknown else source


def _is_inexact_element(ctx: ModuleContext, index: ast.expr, owner: v.Fact) -> bool:
    """Tell whether an index is of one element, on every rank, of an array of floating or complex numbers."""
    has_one_rank = len(v.ranks_of(owner) or ()) == 1
    return has_one_rank and (v.dtypes_of(owner) or {""}) <= COMPLEX | FLOATING and is_element(ctx, index, owner)


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
