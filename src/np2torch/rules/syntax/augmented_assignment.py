"""Augmented assignment: in place for arrays, a new value for NumPy scalars."""

from __future__ import annotations

import ast
from collections.abc import Callable

from np2torch.facts import tables
from np2torch.facts import values as v
from np2torch.facts.access_paths import STORING, branches, root_of
from np2torch.facts.domain import DOMAIN
from np2torch.facts.dtypes import NARROW
from np2torch.facts.interpreter.operators import OPERATORS
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.names.tree import is_repeatable
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.casts import unify
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.scalars.destinations import destination
from np2torch.rules.scalars.ownership import own
from np2torch.rules.scalars.reads import Read, is_element_read
from np2torch.rules.site import Edit, ModuleContext, source_of, text_edit
from np2torch.rules.syntax.library_objects import MIXED, may_be_object
from np2torch.rules.syntax.operators import fits, operator_trap
from np2torch.rules.syntax.overlaps import clone_overlap, is_view, overlapping, picked_from, selects_slices, share
from np2torch.rules.syntax.quotients import inexact_quotient
from np2torch.rules.syntax.runtime_dispatch import PYTHON_NAMES, index_text
from np2torch.rules.syntax.subscripts import backwards, needs_shim, scatters

INPLACE = {kind: f"i{name.rstrip('_')}" for kind, name in PYTHON_NAMES.items()}
SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
READING = (ast.BinOp, ast.Compare, ast.UnaryOp, ast.Return, ast.AugAssign, ast.FormattedValue)
"""Expressions and statements that read a name and keep no reference to what it names."""
OVERLAPS = "the operand may overlap what is written"
OPERAND_WRITES = "the operand writes the element, of which NumPy has taken a copy"
OF_ARRAYS = frozenset("real imag squeeze reshape ravel flatten transpose swapaxes asarray asanyarray copy view".split())
"""Functions and methods that give an array of an array, and a view or a copy of it."""
HOLDING = (ast.Assign, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Yield, ast.IfExp, ast.BoolOp, ast.NamedExpr)
"""Those that hand on what it names."""


@on(Phase.NUMPY, ast.AugAssign)
def augmented_assignment(ctx: ModuleContext, node: ast.AugAssign) -> Edit | None:
    """`x += y`: in place for arrays, a new value for NumPy scalars."""
    left, right = ctx.fact(node.target), ctx.fact(node.value)
    if v.known_to_include(left, "foreign"):
        return _augmented_foreign(ctx, node, left, right)
    if ctx.converted_already() and not v.only(left, "array"):
        return None
    if isinstance(node.target, ast.Subscript) and _is_list_beside_array(ctx, node, left, right):
        return _inplace(ctx, node, "a slice of a list meets an array")
    if isinstance(node.target, ast.Subscript) and not _is_kept_scalar(ctx, node.target, left):
        return _augmented_item(ctx, node, left, right)
    if v.only(right, "text"):  # to text: arrays refuse it
        return None
    if why := next((why for asks, why in AT_RUN_TIME if asks(ctx, node, left, right)), ""):
        return _inplace(ctx, node, why)
    if isinstance(node.op, ast.Div) and v.only(left, "number"):
        return _quotient(node) if inexact_quotient(left, right) or ctx.is_open(node.value) else None
    if v.known_to_include(left, "array"):
        return _augmented_array(ctx, node, left, right)
    return _augmented_scalar(ctx, node, left, right) if v.known_to_include(left, "scalar") else None


def _augmented_foreign(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> Edit | None:
    """An array that stays on NumPy, or that may: the operand goes over."""
    if v.known_to_include(left, "array", "scalar", "unknown"):
        return _inplace(ctx, node, "an array that stays on NumPy, or a tensor")
    if v.may(right, "array", "scalar") and not v.only(right, "foreign"):
        ctx.wrap(node.value, "shim.to_numpy(", ")", "boundary", "NPT401", "meets an array that stays on NumPy")
    return None


def _is_list_beside_array(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether it may be a list: NumPy's operand makes an array of it, and a tensor is appended item by item."""
    return v.known_to_include(left, "sequence") and v.known_to_include(right, "array", "scalar")


def _is_seen(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> bool:
    return v.known_to_include(left, "unknown") and ctx.meets_arrays(node) and _may_be_seen(ctx, node)


def _may_grow(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> bool:
    return v.only(left, "unknown") and ctx.meets_arrays(node) and v.known_to_include(right, "array", "unknown")


def _may_overlap(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> bool:
    is_shared = is_view(node.value) or bool(picked_from(ctx, node.value))
    return ctx.is_open(node.target) and is_shared and _is_part(ctx, node)


AT_RUN_TIME: tuple[tuple[Callable[[ModuleContext, ast.AugAssign, v.Fact, v.Fact], bool], str], ...] = (
    (_is_list_beside_array, "a list meets an array"),
    (_is_seen, "an array, or a scalar that others hold"),
    (_may_grow, "a scalar takes the shape of the operand, a matrix stays one"),
    (_may_overlap, OVERLAPS),
)
"""The cases of an updated name or attribute that only run time can decide, with their messages."""


def _augmented_array(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> Edit | None:
    """Update what may be an array in place, unless it may be a scalar."""
    if isinstance(node.target, ast.Subscript) and not _are_arrays(left) or _may_be_held(ctx, node.target, left):
        return _inplace(ctx, node, "an array, or a scalar that others hold")
    if isinstance(node.target, ast.Name) and _may_be_element(ctx, node, node.target.id, left):
        return _inplace(ctx, node, "array or scalar")
    if v.known_to_include(left, "scalar") or not v.only(left, "array", "number"):
        return _inplace(ctx, node, "array or scalar") if v.known_to_include(left, "scalar") else None
    return _inplace_array(ctx, node, v.keep(left, lambda a: a.kind == "array"), right)


def _augmented_scalar(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> Edit | None:
    """A NumPy scalar: a new value takes its name."""
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


def _is_kept_scalar(ctx: ModuleContext, target: ast.Subscript, item: v.Fact) -> bool:
    """Tell whether it is a scalar that a container holds: others may hold the same."""
    if v.known_to_include(ctx.fact(target.value), "array", "foreign"):
        return False
    owner = ctx.fact(target.value)
    in_container = v.known_to_include(owner, "mapping", "sequence", "instance") or _is_key(ctx, target)
    unranked = any(isinstance(atom, v.Array) and atom.ranks is None for atom in item)
    return v.known_to_include(item, "scalar") or unranked or in_container and v.known_to_include(item, "unknown")


def _is_key(ctx: ModuleContext, target: ast.Subscript) -> bool:
    """Tell whether it is a text, or for all that is known no index: `for name in table: table[name] *= 2`."""
    return v.only(ctx.fact(target.slice), "text", "unknown") and not isinstance(target.slice, (ast.Slice, ast.Tuple))


def _quotient(node: ast.AugAssign) -> Edit:
    """`n /= x` of a Python number by a tensor."""
    template = Template()
    target, again, value = (template.mark(part) for part in (node.target, node.target, node.value))
    text = f"{target} = shim.operator.truediv({again}, {value})"
    return text_edit(node, "shim", "NPT204", "the exact quotient", template, text)


def _may_be_held(ctx: ModuleContext, target: ast.expr, left: v.Fact) -> bool:
    """Tell whether it is an attribute that may hold a scalar, which others may hold as well."""
    if not isinstance(target, ast.Attribute) or v.known_to_include(ctx.fact(target.value), "array"):
        return False
    return any(isinstance(atom, v.Array) and (atom.ranks is None or 0 in atom.ranks) for atom in left)


def _may_be_element(ctx: ModuleContext, node: ast.AugAssign, name: str, left: v.Fact) -> bool:
    """Tell whether a value of unknown rank may be an element of an array: not made here, nor documented as an array."""
    if not any(isinstance(atom, v.Array) and atom.ranks is None for atom in left):
        return False
    aliases = ctx.aliases(node)
    if (aliases.is_own_by_then(name, node) or aliases.is_always_own(name)) and not _has_other_name(ctx, node, name):
        return False
    values = aliases.values_of(name)
    arrays = bool(values) and all(_makes_array(ctx, value) or _has_axes(ctx, value) for value in values)
    if arrays or _is_subscripted(node.value, name):
        return False
    said = ctx.evidence_of(node.target)
    return said is None or not v.known_to_include(said.fact, "array")


def _is_subscripted(node: ast.expr, name: str) -> bool:
    """Tell whether a name is subscripted there, which a scalar refuses."""
    return any(_is_item(one, name) for one in ast.walk(node))


def _is_item(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=word), slice=ast.Constant(value=place)):
            return word == name and type(place) is int
    return False


def _has_axes(ctx: ModuleContext, value: ast.expr) -> bool:
    """Tell whether it is a slice of an array, or made of one by a function that gives an array of an array."""
    if isinstance(value, ast.Subscript):
        sliced = any(isinstance(part, ast.Slice) for part in index_parts(value.slice))
        return sliced and v.only(ctx.fact(value), "array")
    if isinstance(value, ast.Call):
        atom = v.sole(ctx.fact(value.func))
        if isinstance(atom, v.Method) and isinstance(value.func, ast.Attribute):
            return atom.name in OF_ARRAYS and _has_axes(ctx, value.func.value)
        if isinstance(atom, v.Numpy) and value.args:
            return atom.name.removeprefix("numpy.") in OF_ARRAYS and _has_axes(ctx, value.args[0])
    return isinstance(value, ast.Attribute) and value.attr in ("T", "real", "imag") and _has_axes(ctx, value.value)


MAKING = frozenset("array asarray asanyarray ascontiguousarray zeros ones full empty arange linspace".split())
"""Functions of NumPy's that give no scalar."""


def _makes_array(ctx: ModuleContext, node: ast.expr) -> bool:
    atom = v.sole(ctx.fact(node.func)) if isinstance(node, ast.Call) else None
    return isinstance(atom, v.Numpy) and atom.name.removeprefix("numpy.") in MAKING


def _has_other_name(ctx: ModuleContext, node: ast.AugAssign, name: str) -> bool:
    """Tell whether anything else may hold the value of a name: a name (`q = k`), a container, a closure."""
    body = ctx.function(node)
    for one in tree_walk(body):
        if isinstance(one, (ast.Assign, ast.NamedExpr)) and name in _chained(one):
            return True
        if isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Load):
            where = destination(ctx, one)
            if where.is_kept and not where.leaves or ctx.function(one) is not body:
                return True
    return False


def _chained(node: ast.Assign | ast.NamedExpr) -> set[str]:
    """The names that are bound to what another one is bound to as well."""
    if isinstance(node, ast.NamedExpr):
        return {node.target.id}
    return {one.id for one in node.targets if isinstance(one, ast.Name)} if len(node.targets) > 1 else set()


def _may_be_seen(ctx: ModuleContext, node: ast.AugAssign) -> bool:
    """Tell whether something else holds what is changed: a caller, an object, another name, a container."""
    if not isinstance(node.target, ast.Name):
        return True
    if node.target.id in ctx.aliases(node).iterated:
        return True
    for child in tree_walk(ctx.function(node)):
        if isinstance(child, ast.arg) and child.arg == node.target.id:
            return True
        if isinstance(child, (ast.Global, ast.Nonlocal)) and node.target.id in child.names:
            return True
        if isinstance(child, ast.Name) and child.id == node.target.id and isinstance(child.ctx, ast.Load):
            parent = ctx.parents.get(child)
            stored = isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") in STORING
            if stored or isinstance(parent, HOLDING):
                return True
    return False


def _augmented_fresh(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether `+=` may stay: no other name holds the tensor of a scalar's name, and its dtype is wide enough."""
    if not isinstance(node.target, ast.Name) or not v.known_to_include(left, "number"):
        return False
    casts = unify(OPERATORS[type(node.op)], [v.keep(left, lambda a: a.kind == "scalar"), right], inplace=True)
    if casts is None or any(casts.operands):
        return False
    name = node.target.id
    function = ctx.function(node)
    for child in tree_walk(function):
        if isinstance(child, (ast.Global, ast.Nonlocal)) and name in child.names:
            return False
        if isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Load):
            if not isinstance(ctx.parents.get(child), READING):
                return False
        if isinstance(child, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in child.targets):
            if not v.only(ctx.fact(child.value), "number"):
                return False
        if isinstance(child, ast.arg) and child.arg == name:
            return False
    return True


def _inplace(ctx: ModuleContext, node: ast.AugAssign, why: str) -> Edit:
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


def _inplace_array(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> Edit | None:
    if isinstance(node.op, ast.MatMult):
        return _inplace(ctx, node, "torch has no in-place matrix product")
    if v.known_to_include(right, "sequence", "foreign", "none", "text"):
        return _inplace(ctx, node, "the operand is no tensor")
    if not v.may(right, "array", "scalar", "number"):
        return None
    if _narrows(left, right):
        return _inplace(ctx, node, "NumPy computes in the wider dtype of the scalar")
    name = OPERATORS[type(node.op)]
    if (trap := operator_trap(name, left, right)) is not None:
        return _inplace(ctx, node, trap)
    exact_zero = isinstance(node.op, (ast.FloorDiv, ast.Mod)) and not v.only(right, "number")
    casts = unify(name, [left, right], inplace=True, exact_zero=exact_zero)
    if casts is None or not fits("add", left, right):
        return _inplace(ctx, node, "NumPy would refuse or round the result")
    if casts.operands[1] is not None:
        ctx.cast(node.value, casts.operands[1])
    if v.known_to_include(right, "array", "scalar") and _is_part(ctx, node):
        ctx.clone(node.value, OVERLAPS)
    return None


def _is_part(ctx: ModuleContext, node: ast.AugAssign) -> bool:
    """Tell whether the operand may share memory with the written part, without being the same expression."""
    return share(ctx, node.target, node.value) and ast.unparse(node.target) != ast.unparse(node.value)


def _narrows(left: v.Fact, right: v.Fact) -> bool:
    """Tell whether torch would cast a 0-D operand to the array's narrower dtype before it computes."""
    if not v.known_to_include(right, "scalar"):
        return False
    mine, theirs = v.dtypes_of(left), v.dtypes_of(right)
    if mine is None or theirs is None:
        return bool(DOMAIN.dtypes & NARROW)
    return any(tables.promote(a, b) != a for a in mine for b in theirs)


def _augmented_item(ctx: ModuleContext, node: ast.AugAssign, left: v.Fact, right: v.Fact) -> Edit | None:
    target = node.target
    assert isinstance(target, ast.Subscript)
    owner = ctx.fact(target.value)
    changed = not _are_arrays(left) and _operand_writes(ctx, node)
    if may_be_object(ctx, target.value):
        return _by_calls(ctx, node, target, MIXED, changed)
    if not v.known_to_include(owner, "array") or not v.is_tensor(owner):
        if not ctx.is_open(target.value):
            return None
        overlaps = _may_be_rows(target, node.value) and any(overlapping(ctx, target, node.value))
        why = OPERAND_WRITES if changed else OVERLAPS if overlaps else backwards(ctx, target.slice)
        return _by_calls(ctx, node, target, why, changed) if why else None
    why = OPERAND_WRITES if changed else needs_shim(ctx, target.slice, owner) or scatters(ctx, target.slice, owner)
    why = why or _cast_operand(ctx, node, v.one(v.Array(v.dtypes_of(owner), v.ranks_of(left))), right)
    if why:
        return None if ctx.converted_already() else _by_calls(ctx, node, target, why, changed)
    clone_overlap(ctx, target, node.value)
    if not v.only(left, "scalar"):
        _own_elements_read(ctx, node, target)
    return None


def _cast_operand(ctx: ModuleContext, node: ast.AugAssign, item: v.Fact, right: v.Fact) -> str:
    """Cast the operand to what NumPy computes in; why it cannot be, where it cannot."""
    if v.known_to_include(right, "sequence"):
        return "the operand is no tensor"
    if DOMAIN.supposed and v.ranks_of(item) == frozenset({0}):  # what has axes both refuse, but for one element
        right = frozenset(map(_without_axes, right))
    is_operand = v.may(right, "array", "scalar", "number")
    casts = unify(OPERATORS[type(node.op)], [item, right], inplace=True) if is_operand else None
    if casts is None or not fits("add", item, right):
        return "NumPy would refuse or round the result"
    if casts.operands[1] is not None:
        ctx.cast(node.value, casts.operands[1])
    return ""


def _without_axes(atom: v.Atom) -> v.Atom:
    """Take an array of which no axes are known for one without."""
    return atom._replace(ranks=frozenset({0})) if isinstance(atom, v.Array) and atom.ranks is None else atom


def _own_elements_read(ctx: ModuleContext, node: ast.AugAssign, target: ast.Subscript) -> None:
    """Copy elements that are read of the array that is written."""
    for one in (node.value, *branches(node.value)):
        is_same = root_of(one) is not None and root_of(one) == root_of(target)
        if isinstance(one, ast.Subscript) and is_same and is_element_read(ctx, one):
            own(ctx, Read(one))
        elif v.only(ctx.fact(one), "scalar") and picked_from(ctx, one) and share(ctx, target.value, one):
            ctx.clone(one, OVERLAPS)


def _may_be_rows(target: ast.Subscript, value: ast.expr) -> bool:
    """Tell whether the text allows that more than an element is written: `a[1:] += a[:-1]`, `a[i] /= a[i, i]`."""
    deeper = isinstance(value, ast.Subscript) and len(index_parts(value.slice)) > len(index_parts(target.slice))
    return deeper or selects_slices(target.slice)


def _by_calls(ctx: ModuleContext, node: ast.AugAssign, target: ast.Subscript, why: str, copied: bool) -> Edit:
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
    """Tell whether it is certainly no element."""
    return v.only(fact, "array") and all(isinstance(atom, v.Array) and atom.ranks for atom in fact)


def _operand_writes(ctx: ModuleContext, node: ast.AugAssign) -> bool:
    """Tell whether a call in the operand writes the array that is changed: `a[0] += grown(a)`."""
    aliases = ctx.aliases(node)
    calls = (one for one in tree_walk(node.value) if isinstance(one, ast.Call))
    return any(aliases.written_by(aliases.names_written(call), node.target) for call in calls)
