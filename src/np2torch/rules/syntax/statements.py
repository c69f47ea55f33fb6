"""Statements: assignments into arrays, augmented assignment, element swaps, what is saved and then overwritten."""

from __future__ import annotations

import ast

from np2torch.facts import results, tables
from np2torch.facts import values as v
from np2torch.facts.aliases import root_of
from np2torch.facts.interpreter.operators import OPERATORS
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.casts import unify
from np2torch.rules.pieces import Template
from np2torch.rules.site import Context, Edit, on, source_of
from np2torch.rules.syntax.operators import PYTHON_NAMES, fits
from np2torch.rules.syntax.subscripts import index_text, needs_shim

INPLACE = {kind: f"i{name.rstrip('_')}" for kind, name in PYTHON_NAMES.items()}


def is_view(node: ast.expr) -> bool:
    """Does the expression share its operand's memory: a slice, `.T`, a reshape?"""
    if isinstance(node, ast.Subscript):
        return True
    if isinstance(node, ast.Attribute):
        return node.attr in ("T", "real", "imag", "mT")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("reshape", "ravel", "transpose", "swapaxes", "view", "squeeze", "diagonal")
    return isinstance(node, ast.Name)


def element_reads(ctx: Context, node: ast.expr) -> list[ast.expr]:
    """Expressions in a value that are elements of arrays, which NumPy copies and torch shares."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [e for item in node.elts for e in element_reads(ctx, item)]
    if isinstance(node, ast.Dict):
        return [e for item in node.values for e in element_reads(ctx, item)]
    if isinstance(node, ast.IfExp):
        return element_reads(ctx, node.body) + element_reads(ctx, node.orelse)
    if isinstance(node, ast.Subscript) and v.known_to_include(ctx.fact(node.value), "array"):
        fact = ctx.fact(node)
        maybe = v.only(fact, "array") and v.ranks_of(fact) is None and all(v.only(ctx.fact(p), "number", "scalar") for p in index_parts(node.slice))
        return [node] if v.known_to_include(fact, "scalar") or maybe else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("max", "min"):
        return [node] if v.known_to_include(ctx.fact(node), "scalar") else []
    return []


@on(ast.Assign)
def assign(ctx: Context, node: ast.Assign) -> Edit | None:
    """Element swaps, saved elements, stores into arrays."""
    for target in node.targets:
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(node.value, ast.Tuple):
            _swap(ctx, target, node.value)
        elif isinstance(target, (ast.Name, ast.Attribute)) or isinstance(target, ast.Subscript) and not v.known_to_include(ctx.fact(target.value), "array"):
            _saved(ctx, node.value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            _unpacked(ctx, node.value)
    if len(node.targets) != 1:
        return None
    target = node.targets[0]
    if isinstance(target, ast.Subscript):
        return _store(ctx, node, target, node.value)
    if isinstance(target, ast.Attribute) and target.attr in ("shape", "flat", "dtype", "strides") and v.known_to_include(ctx.fact(target.value), "array"):
        template = Template()
        text = f'shim.set_attribute({template.mark(target.value)}, "{target.attr}", {template.mark(node.value)})'
        return Edit(node, "shim", "NPT153", source_of(target), "no such attribute to set in torch", text=text, pieces=template.nodes)
    return None


def _swap(ctx: Context, target: ast.Tuple | ast.List, value: ast.Tuple) -> None:
    roots = {root_of(t) for t in target.elts if isinstance(t, ast.Subscript)}
    for item in value.elts:
        for read in element_reads(ctx, item):
            if root_of(read) in roots or ctx.written_later(read):
                _clone_element(ctx, read, "the element is overwritten before it is stored")


def _saved(ctx: Context, value: ast.expr) -> None:
    for read in element_reads(ctx, value):
        if ctx.written_later(read):
            _clone_element(ctx, read, "the array is written later; NumPy saved a copy of the element")


def _clone_element(ctx: Context, node: ast.expr, why: str) -> None:
    if v.only(ctx.fact(node), "scalar"):
        ctx.clone(node, why)
    else:
        ctx.wrap(node, "shim.element(", ")", "shim", "NPT202", "a copy if it is an element: " + why)


def _unpacked(ctx: Context, value: ast.expr) -> None:
    if v.only(ctx.fact(value), "array") and v.rank_of(ctx.fact(value)) == 1 and root_of(value) and ctx.written_later(value):
        ctx.clone(value, "the elements are views and the array is written later")


def _store(ctx: Context, node: ast.Assign, target: ast.Subscript, value: ast.expr) -> Edit | None:
    owner = ctx.fact(target.value)
    if not v.known_to_include(owner, "array"):
        if v.only(owner, "foreign") and v.only(ctx.fact(value), "array"):
            ctx.wrap(value, "", ".numpy()", "boundary", "NPT401", "stored in an array that stays on NumPy")
        return None
    if not v.is_tensor(owner):
        return None
    source = ctx.fact(value)
    why = needs_shim(ctx, target.slice, owner) or _unsuited(ctx, owner, source, target.slice)
    if why:
        return None if ctx.converted_already() else shim_store(ctx, node, target, value, why)
    _overlap(ctx, target, value)
    return None


def _unsuited(ctx: Context, owner: v.Fact, source: v.Fact, index: ast.expr) -> str:
    """Why torch would not store this value as NumPy does."""
    if v.known_to_include(source, "sequence", "iterator"):
        return "a sequence is stored"
    if v.known_to_include(source, "unknown", "foreign"):
        return "the value is not known to be a tensor"
    mine = v.dtypes_of(owner)
    if v.known_to_include(source, "number"):
        kinds = {a.type for a in source if isinstance(a, v.Num)}
        if mine is not None and mine <= {"float64", "float32", "complex128", "complex64"} and ("complex" not in kinds or mine <= {"complex128", "complex64"}):
            pass
        elif kinds <= {"int", "bool"} and (mine is None or fits("add", owner, source)):
            pass
        elif mine is None and kinds <= {"float", "int", "bool"}:
            value = v.constant(source)
            if not (isinstance(value, float) and value == value and abs(value) != float("inf")):
                return "" if "float" not in kinds else "the dtype is not known"
        else:
            return "the value does not fit the dtype"
    masked = [p for p in index_parts(index) if v.known_to_include(ctx.fact(p), "array", "sequence", "unknown")]
    if masked and not v.only(source, "number"):
        theirs = v.dtypes_of(source)
        if mine is None or theirs != mine or len(mine) != 1:
            return "the dtypes may differ"
        if v.known_to_include(source, "unknown"):
            return "the value is not known"
    theirs = v.dtypes_of(source) if v.only(source, "array", "scalar") else None
    if theirs and mine and theirs & {"complex128", "complex64"} and not mine <= {"complex128", "complex64"}:
        return "complex into real"
    if theirs and mine and (mine & {"uint8", "uint16", "uint32", "uint64"}) and theirs & {"float64", "float32"}:
        return "float into unsigned"
    return ""


def _overlap(ctx: Context, target: ast.Subscript, value: ast.expr) -> None:
    root = root_of(target.value)
    if root is None or not is_view(value) or v.only(ctx.fact(value), "number", "scalar"):
        return
    if isinstance(value, ast.Subscript) and _fancy(ctx, value.slice):
        return
    other = root_of(value)
    aliases = ctx.aliases(value)
    if other is not None and aliases.find(other) == aliases.find(root) and not _disjoint(ctx, target, value):
        ctx.clone(value, "NumPy buffers the overlap")


def _fancy(ctx: Context, index: ast.expr) -> bool:
    return any(v.only(ctx.fact(p), "array", "sequence") for p in index_parts(index) if not isinstance(p, ast.Slice))


def _disjoint(ctx: Context, target: ast.Subscript, value: ast.expr) -> bool:
    """Do different integer constants in the same place keep the two apart?"""
    if not isinstance(value, ast.Subscript) or ast.unparse(value.value) != ast.unparse(target.value):
        return False
    mine, theirs = index_parts(target.slice), index_parts(value.slice)
    for a, b in zip(mine, theirs, strict=False):
        if isinstance(a, ast.Slice) or isinstance(b, ast.Slice):
            if not (isinstance(a, ast.Slice) and isinstance(b, ast.Slice) and ast.dump(a) == ast.dump(b)):
                if isinstance(a, ast.Slice) and isinstance(b, ast.Slice):
                    return False
            continue
        x, y = v.constant(ctx.fact(a)), v.constant(ctx.fact(b))
        if isinstance(x, int) and isinstance(y, int) and x != y and (x < 0) == (y < 0):
            return True
    return ast.unparse(target) == ast.unparse(value)


def shim_store(ctx: Context, node: ast.stmt, target: ast.Subscript, value: ast.expr, why: str) -> Edit:
    """The store decided at run time."""
    template = Template()
    owner = template.mark(target.value)
    text = f"shim.operator.setitem({owner}, {index_text(target.slice, template)}, {template.mark(value)})"
    return Edit(node, "shim", "NPT152", source_of(target), why, text=text, pieces=template.nodes)


# ---------------------------------------------------------------------------------------- augmented assignment
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
    if not v.known_to_include(left, "array", "scalar"):
        return None
    if v.known_to_include(left, "array"):
        if v.known_to_include(left, "scalar") or not v.only(left, "array", "number"):
            return _inplace(ctx, node, "array or scalar") if v.known_to_include(left, "scalar") else None
        return _inplace_array(ctx, node, v.keep(left, lambda a: a.kind == "array"), right)
    template = Template()
    spelled = f"{template.mark(node.target)} = {template.mark(node.target)} {_sign(node.op)} {template.mark(node.value)}"
    fresh = _augmented_fresh(ctx, node, left, right)
    if fresh:
        return None
    casts = unify(OPERATORS[type(node.op)], [left, right])
    if casts is None or casts.result is not None or casts.operands[0] is not None or isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.Pow)):
        return _inplace(ctx, node, "a NumPy scalar is not changed in place")
    if casts.operands[1] is not None:
        ctx.cast(node.value, casts.operands[1])
    return Edit(node, "cast", "NPT203", source_of(node.target), "a NumPy scalar is not changed in place", text=spelled, pieces=template.nodes)


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
            parent = ctx.parents.get(child)
            if not isinstance(parent, (ast.BinOp, ast.Compare, ast.UnaryOp, ast.Return, ast.AugAssign, ast.FormattedValue)):
                return False
        if isinstance(child, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in child.targets):
            if not v.only(ctx.fact(child.value), "number"):
                return False
        if isinstance(child, ast.arg) and child.arg == name:
            return False
    return True


def _sign(op: ast.operator) -> str:
    return {
        ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
        ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    }[type(op)]  # fmt: skip


def _inplace(ctx: Context, node: ast.AugAssign, why: str) -> Edit:
    template = Template()
    target = template.mark(node.target)
    text = f"{target} = shim.operator.{INPLACE[type(node.op)]}({template.mark(node.target)}, {template.mark(node.value)})"
    return Edit(node, "shim", "NPT152", source_of(node.target), why, text=text, pieces=template.nodes)


def _inplace_array(ctx: Context, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> Edit | None:
    if isinstance(node.op, ast.MatMult):
        return _inplace(ctx, node, "torch has no in-place matrix product")
    if v.known_to_include(right, "sequence", "foreign", "none", "text"):
        return _inplace(ctx, node, "the operand is no tensor")
    if not v.may(right, "array", "scalar", "number"):
        return None
    if _narrows(left, right):
        return _inplace(ctx, node, "NumPy computes in the wider dtype of the scalar")
    casts = unify(OPERATORS[type(node.op)], [left, right], inplace=True, exact_zero=isinstance(node.op, (ast.FloorDiv, ast.Mod)) and not v.only(right, "number"))
    if casts is None or not fits("add", left, right):
        return _inplace(ctx, node, "NumPy would refuse or round the result")
    if casts.operands[1] is not None:
        ctx.cast(node.value, casts.operands[1])
    root = root_of(node.target)
    if is_view(node.value) and not isinstance(node.value, ast.Name) or isinstance(node.value, ast.Name):
        other = root_of(node.value)
        aliases = ctx.aliases(node)
        if root and other and aliases.find(root) == aliases.find(other) and ast.unparse(node.target) != ast.unparse(node.value):
            if v.known_to_include(right, "array") or v.known_to_include(right, "scalar"):
                ctx.clone(node.value, "the operand overlaps what is written")
    return None


def _narrows(left: v.Fact, right: v.Fact) -> bool:
    """Would torch narrow a 0-D operand to the array's dtype before computing?"""
    if not v.known_to_include(right, "scalar"):
        return False
    mine, theirs = v.dtypes_of(left), v.dtypes_of(right)
    if mine is None or theirs is None:
        return bool(results.UNIVERSE.dtypes & {"float32", "float16", "complex64"})
    return any(tables.promote(a, b) != a for a in mine for b in theirs)


def _augmented_item(ctx: Context, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> Edit | None:
    target = node.target
    assert isinstance(target, ast.Subscript)
    owner = ctx.fact(target.value)
    if not v.known_to_include(owner, "array") or not v.is_tensor(owner):
        return None
    why = needs_shim(ctx, target.slice, owner)
    item = v.one(v.Array(v.dtypes_of(owner), v.ranks_of(left)))
    if not why and v.known_to_include(right, "sequence"):
        why = "the operand is no tensor"
    if not why:
        casts = unify(OPERATORS[type(node.op)], [item, right], inplace=True) if v.may(right, "array", "scalar", "number") else None
        if casts is None or not fits("add", item, right):
            why = "NumPy would refuse or round the result"
        elif casts.operands[1] is not None:
            ctx.cast(node.value, casts.operands[1])
    if why:
        if ctx.converted_already():
            return None
        template = Template()
        marks = [template.mark(target.value), index_text(target.slice, template)]
        again = [template.mark(target.value), index_text(target.slice, template)]
        inner = f"shim.operator.{INPLACE[type(node.op)]}(shim.operator.getitem({', '.join(again)}), {template.mark(node.value)})"
        return Edit(node, "shim", "NPT152", source_of(target), why, text=f"shim.operator.setitem({', '.join(marks)}, {inner})", pieces=template.nodes)
    _overlap(ctx, target, node.value)
    for read in element_reads(ctx, node.value):
        if root_of(read) is not None and root_of(read) == root_of(target) and not v.only(left, "scalar"):
            _clone_element(ctx, read, "the element is changed while it is used")
    return None


# -------------------------------------------------------------------------------------- elements that get away
@on(ast.Call)
def stored_element(ctx: Context, node: ast.Call) -> Edit | None:
    """`xs.append(a[i])`: the list must hold a copy where `a` is written later."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "insert", "add", "appendleft") and node.args:
        if not v.known_to_include(ctx.fact(node.func.value), "array"):
            value = node.args[-1]
            _saved(ctx, value)
            if isinstance(value, ast.Name) and v.only(ctx.fact(value), "scalar") and ctx.written_later(value):
                ctx.clone(value, "the scalar is changed later")
    return None


@on(ast.Return)
def returned_element(ctx: Context, node: ast.Return) -> Edit | None:
    """`return a[i]` of an array that some method writes in place."""
    if node.value is not None:
        for read in element_reads(ctx, node.value):
            root = root_of(read)
            if root is not None and "." in root and ctx.written_later(read):
                _clone_element(ctx, read, "the array is written later")
    return None
