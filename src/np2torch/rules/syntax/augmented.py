"""Augmented assignment: in place for arrays, a new value for NumPy scalars."""

from __future__ import annotations

import ast

from np2torch.facts import tables
from np2torch.facts import values as v
from np2torch.facts.interpreter.operators import OPERATORS
from np2torch.facts.sharing import STORING, root_of
from np2torch.facts.universe import UNIVERSE
from np2torch.names.tree import is_repeatable
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.casts import unify
from np2torch.rules.pieces import Template
from np2torch.rules.site import Context, Edit, on, source_of
from np2torch.rules.syntax.assignments import clone_overlap, is_view
from np2torch.rules.syntax.deferred import PYTHON_NAMES, index_text
from np2torch.rules.syntax.elements import clone_read, element_reads
from np2torch.rules.syntax.operators import fits, integer_trap
from np2torch.rules.syntax.subscripts import needs_shim

INPLACE = {kind: f"i{name.rstrip('_')}" for kind, name in PYTHON_NAMES.items()}
SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
READING = (ast.BinOp, ast.Compare, ast.UnaryOp, ast.Return, ast.AugAssign, ast.FormattedValue)
"""Expressions and statements that read a name and keep no reference to what it names."""
OPERAND_WRITES = "the operand writes the element, of which NumPy has taken a copy"
HOLDING = (ast.Assign, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Yield, ast.IfExp, ast.BoolOp, ast.NamedExpr)
"""Those that hand on what it names."""


@on(ast.AugAssign)
def augmented(ctx: Context, node: ast.AugAssign) -> Edit | None:
    """`x += y`: in place for arrays, a new value for NumPy scalars."""
    left, right = ctx.fact(node.target), ctx.fact(node.value)
    if v.known_to_include(left, "foreign"):
        if v.known_to_include(left, "array", "scalar", "unknown"):
            return _inplace(ctx, node, "an array that stays on NumPy, or a tensor")
        if v.may(right, "array", "scalar") and not v.only(right, "foreign"):
            ctx.wrap(node.value, "shim.to_numpy(", ")", "boundary", "NPT401", "meets an array that stays on NumPy")
        return None
    if ctx.converted_already() and not v.only(left, "array"):
        return None
    if isinstance(node.target, ast.Subscript):
        return _augmented_item(ctx, node, left, right)
    if v.only(right, "text"):  # to text: arrays refuse it
        return None
    if v.only(left, "sequence") and v.known_to_include(right, "array", "scalar"):
        return _inplace(ctx, node, "a list meets an array")
    if v.known_to_include(left, "unknown") and ctx.mentions_numpy and _may_be_seen(ctx, node):
        return _inplace(ctx, node, "an array, or a scalar that others hold")
    if not v.known_to_include(left, "array", "scalar"):
        return None
    if v.known_to_include(left, "array"):
        if isinstance(node.target, ast.Name) and _may_be_element(ctx, node, node.target.id, left):
            return _inplace(ctx, node, "array or scalar")
        if v.known_to_include(left, "scalar") or not v.only(left, "array", "number"):
            return _inplace(ctx, node, "array or scalar") if v.known_to_include(left, "scalar") else None
        return _inplace_array(ctx, node, v.keep(left, lambda a: a.kind == "array"), right)
    if _augmented_fresh(ctx, node, left, right):
        return None
    why = "a NumPy scalar is not changed in place"
    casts = unify(OPERATORS[type(node.op)], [left, right])
    exact = not isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.Pow)) and is_repeatable(node.target)
    if casts is None or casts.result or casts.operands[0] or not exact:
        return _inplace(ctx, node, why)
    if casts.operands[1] is not None:
        ctx.cast(node.value, casts.operands[1])
    template = Template()
    target, again, value = (template.mark(part) for part in (node.target, node.target, node.value))
    text = f"{target} = {again} {SIGNS[type(node.op)]} {value}"
    return Edit(node, "cast", "NPT203", source_of(node.target), why, text=text, pieces=template.nodes)


def _may_be_element(ctx: Context, node: ast.AugAssign, name: str, left: v.Fact) -> bool:
    """Is it of unknown rank and perhaps an element of an array: neither made here, nor an array as people say?"""
    if not any(isinstance(atom, v.Array) and atom.ranks is None for atom in left):
        return False
    aliases = ctx.aliases(node)
    if aliases.is_own_by_then(name, node) or aliases.is_always_own(name):
        return False
    said = ctx.said(node.target)
    return said is None or not v.known_to_include(said.fact, "array")


def _may_be_seen(ctx: Context, node: ast.AugAssign) -> bool:
    """Does something else hold what is changed: a caller, an object, another name, a container?"""
    if not isinstance(node.target, ast.Name):
        return isinstance(node.target, ast.Attribute)
    if node.target.id in ctx.aliases(node).iterated:
        return True
    for child in tree_walk(ctx.function(node)):
        if isinstance(child, ast.arg) and child.arg == node.target.id:
            return True
        if isinstance(child, ast.Name) and child.id == node.target.id and isinstance(child.ctx, ast.Load):
            parent = ctx.parents.get(child)
            stored = isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") in STORING
            if stored or isinstance(parent, HOLDING):
                return True
    return False


def _augmented_fresh(ctx: Context, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> bool:
    """Is the tensor under a scalar's name nobody else's, and its dtype wide enough, so that `+=` may stay?"""
    if not isinstance(node.target, ast.Name) or not v.known_to_include(left, "number"):
        return False
    casts = unify(OPERATORS[type(node.op)], [v.keep(left, lambda a: a.kind == "scalar"), right], inplace=True)
    if casts is None or any(casts.operands):
        return False
    name = node.target.id
    function = ctx.function(node)
    for child in tree_walk(function):
        if isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Load):
            if not isinstance(ctx.parents.get(child), READING):
                return False
        if isinstance(child, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in child.targets):
            if not v.only(ctx.fact(child.value), "number"):
                return False
        if isinstance(child, ast.arg) and child.arg == name:
            return False
    return True


def _inplace(ctx: Context, node: ast.AugAssign, why: str) -> Edit:
    if not is_repeatable(node.target):
        return _evaluated_once(node, why)
    template = Template()
    target, again, value = (template.mark(part) for part in (node.target, node.target, node.value))
    text = f"{target} = shim.operator.{INPLACE[type(node.op)]}({again}, {value})"
    return Edit(node, "shim", "NPT152", source_of(node.target), why, text=text, pieces=template.nodes)


def _evaluated_once(node: ast.AugAssign, why: str, deferred: bool = False) -> Edit:
    """`a[next(i)] += x` as one call: written out, the place would be evaluated twice.

    A deferred operand is evaluated after the item has been read, as Python does it.
    """
    template = Template()
    target = node.target
    assert isinstance(target, (ast.Subscript, ast.Attribute))
    owner = template.mark(target.value)
    function = f"shim.operator.{INPLACE[type(node.op)]}"
    if isinstance(target, ast.Attribute):
        text = f'shim.operator.augment_attribute({owner}, "{target.attr}", {function}, {template.mark(node.value)})'
    else:
        place = index_text(target.slice, template)
        value = template.mark(node.value)
        text = f"shim.operator.augment({owner}, {place}, {function}, {f'later=lambda: {value}' if deferred else value})"
    return Edit(node, "shim", "NPT152", source_of(target), why, text=text, pieces=template.nodes)


def _inplace_array(ctx: Context, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> Edit | None:
    if isinstance(node.op, ast.MatMult):
        return _inplace(ctx, node, "torch has no in-place matrix product")
    if v.known_to_include(right, "sequence", "foreign", "none", "text"):
        return _inplace(ctx, node, "the operand is no tensor")
    if not v.may(right, "array", "scalar", "number"):
        return None
    if _narrows(left, right):
        return _inplace(ctx, node, "NumPy computes in the wider dtype of the scalar")
    name = OPERATORS[type(node.op)]
    if (trap := integer_trap(name, left, right)) is not None:
        return _inplace(ctx, node, trap)
    exact_zero = isinstance(node.op, (ast.FloorDiv, ast.Mod)) and not v.only(right, "number")
    casts = unify(name, [left, right], inplace=True, exact_zero=exact_zero)
    if casts is None or not fits("add", left, right):
        return _inplace(ctx, node, "NumPy would refuse or round the result")
    if casts.operands[1] is not None:
        ctx.cast(node.value, casts.operands[1])
    if is_view(node.value) and v.known_to_include(right, "array", "scalar"):
        root, other = root_of(node.target), root_of(node.value)
        aliases = ctx.aliases(node)
        itself = ast.unparse(node.target) == ast.unparse(node.value)
        if root and other and not itself and aliases.find(root) == aliases.find(other):
            ctx.clone(node.value, "the operand overlaps what is written")
    return None


def _narrows(left: v.Fact, right: v.Fact) -> bool:
    """Would torch narrow a 0-D operand to the array's dtype before computing?"""
    if not v.known_to_include(right, "scalar"):
        return False
    mine, theirs = v.dtypes_of(left), v.dtypes_of(right)
    if mine is None or theirs is None:
        return bool(UNIVERSE.dtypes & {"float32", "float16", "complex64"})
    return any(tables.promote(a, b) != a for a in mine for b in theirs)


def _augmented_item(ctx: Context, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> Edit | None:
    target = node.target
    assert isinstance(target, ast.Subscript)
    owner = ctx.fact(target.value)
    changed = not _are_arrays(left) and _operand_writes(ctx, node)
    if not v.known_to_include(owner, "array") or not v.is_tensor(owner):
        return _by_calls(ctx, node, target, OPERAND_WRITES, changed) if changed and ctx.is_open(target.value) else None
    why = OPERAND_WRITES if changed else needs_shim(ctx, target.slice, owner)
    item = v.one(v.Array(v.dtypes_of(owner), v.ranks_of(left)))
    if not why and v.known_to_include(right, "sequence"):
        why = "the operand is no tensor"
    if not why:
        casts = None
        if v.may(right, "array", "scalar", "number"):
            casts = unify(OPERATORS[type(node.op)], [item, right], inplace=True)
        if casts is None or not fits("add", item, right):
            why = "NumPy would refuse or round the result"
        elif casts.operands[1] is not None:
            ctx.cast(node.value, casts.operands[1])
    if why:
        if ctx.converted_already():
            return None
        return _by_calls(ctx, node, target, why, changed)
    clone_overlap(ctx, target, node.value)
    for read in element_reads(ctx, node.value):
        if root_of(read.node) is not None and root_of(read.node) == root_of(target) and not v.only(left, "scalar"):
            clone_read(ctx, read, "the element is changed while it is used")
    return None


def _by_calls(ctx: Context, node: ast.AugAssign, target: ast.Subscript, why: str, copied: bool) -> Edit:
    """`a[i] += x` as the calls it stands for, of a copy of the item where the operand writes it."""
    if not is_repeatable(target):
        return _evaluated_once(node, why, copied)
    template = Template()
    place, again = (f"{template.mark(target.value)}, {index_text(target.slice, template)}" for _ in range(2))
    item = f"shim.element(shim.operator.getitem({again}))" if copied else f"shim.operator.getitem({again})"
    value = f"shim.operator.{INPLACE[type(node.op)]}({item}, {template.mark(node.value)})"
    text = f"shim.operator.setitem({place}, {value})"
    return Edit(node, "shim", "NPT152", source_of(target), why, text=text, pieces=template.nodes)


def _are_arrays(fact: v.Fact) -> bool:
    """Is it certainly no element?"""
    return v.only(fact, "array") and all(isinstance(atom, v.Array) and atom.ranks for atom in fact)


def _operand_writes(ctx: Context, node: ast.AugAssign) -> bool:
    """Does a call in the operand write what is changed: `a[0] += grown(a)`?"""
    aliases = ctx.aliases(node)
    calls = (one for one in tree_walk(node.value) if isinstance(one, ast.Call))
    return any(aliases.written_by(aliases.names_written(call), node.target) for call in calls)
