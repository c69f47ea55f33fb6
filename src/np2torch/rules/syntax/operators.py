"""Operators on arrays: the cast NEP 50 asks for stands at the operand that needs it."""

from __future__ import annotations

import ast
import cmath
from collections.abc import Callable
from typing import NamedTuple

from np2torch.facts import tables
from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter.operators import OPERATORS, accepted_operands, stays_python
from np2torch.facts.objects import is_object
from np2torch.names.tree import dotted_name
from np2torch.rules.casts import descriptors, unify, without_none
from np2torch.rules.handlers import Phase, on
from np2torch.rules.powers import power_trap
from np2torch.rules.rule_arguments import COMPLEX, UNSIGNED, kind_of
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.array_evidence import computed_with
from np2torch.rules.syntax.dtypes import compare_dtypes, identity, is_dtype
from np2torch.rules.syntax.hashing import by_value
from np2torch.rules.syntax.membership import compares_items, contains
from np2torch.rules.syntax.quotients import exact_quotient, inexact_quotient, zero_free
from np2torch.rules.syntax.runtime_dispatch import ORDERING, PYTHON_NAMES, may_meet_ndarray, shim_operator
from np2torch.rules.syntax.sources import dtype_source, element_source
from np2torch.rules.syntax.tensor_operands import float_operand, tensor_operands, without_refused

SMALL = {
    "int64": (-(2**63), 2**63 - 1), "uint8": (0, 255), "int8": (-128, 127), "int16": (-32768, 32767),
    "uint16": (0, 65535), "int32": (-(2**31), 2**31 - 1), "uint32": (0, 2**32 - 1), "uint64": (0, 2**63 - 1),
}  # fmt: skip
"""The range of each integer dtype; for uint64 only what torch can be given."""
ARRAYS = ("array", "scalar")
PYTHONS = ("text", "none", "sequence")


def involves_arrays(*facts: v.Fact) -> bool:
    """Tell whether an operand is known to be an array or NumPy scalar, and none an array that stays on NumPy."""
    foreign = any(v.known_to_include(f, "foreign") for f in facts)
    return not foreign and any(v.known_to_include(f, *ARRAYS) for f in facts)


def may_mix(ctx: ModuleContext, *facts: v.Fact) -> bool:
    """Tell whether an operand may be a tensor or stay on NumPy, so that the operator is decided at run time."""
    stay = [f for f in facts if v.known_to_include(f, "foreign")]
    if any(v.only(f, "foreign") for f in stay):
        return False  # what it meets goes over
    both = any(v.known_to_include(f, *ARRAYS) for f in stay)
    anything = any(v.known_to_include(f, "unknown") for f in stay)  # a number, an object, an array of either
    masked = ctx.engine.lookalikes.masked and any(v.known_to_include(f, "unknown") for f in facts)
    meets = (anything or masked) and any(v.known_to_include(f, *ARRAYS) for f in facts)
    return (both or meets) and not ctx.converted_already()


def fits(name: str, array: v.Fact, number: v.Fact) -> bool:
    """Tell whether a Python integer operand fits every small integer dtype that the other may have."""
    if not any(isinstance(a, v.Num) and a.type == "int" for a in number):
        return True
    dtypes = v.dtypes_of(array) or (DOMAIN.unknown if v.known_to_include(array, *ARRAYS) else ())
    small = [SMALL[d] for d in dtypes if d in SMALL]
    value = v.constant(number)
    if not small or value is None and len(small) == 1 and small[0] == SMALL["int64"]:
        return True
    return isinstance(value, int) and all(low <= value <= high for low, high in small)


def operator_trap(name: str, left: v.Fact, right: v.Fact) -> str | None:
    """Name the difference between NumPy and torch that may happen here: integers divided by zero, and powers."""
    if name == "power" and (trap := power_trap(left, right)) is not None:
        return trap
    if not zero_free(name, left, right) and whole(left) and whole(right):
        return "NumPy has 0 where an integer is divided by 0"
    return None


Casts = tuple[str | None, str | None]
"""The dtypes that the two operands are cast to, if they are."""


def binary_casts(
    ctx: ModuleContext, node: ast.expr, name: str, left: v.Fact, right: v.Fact, alike: bool = False
) -> Casts | None:
    """Casts of the two operands, `alike` if of one dtype, or None where only run time can tell."""
    if not fits(name, left, right) or not fits(name, right, left):
        return None
    if _spreads(ctx, node, name, left, right) or operator_trap(name, left, right) is not None:
        return None
    if name in COMPARISONS and (exact := _comparison_casts(left, right)) is not None:
        return exact
    casts = unify(name, [left, right], exact_zero=not zero_free(name, left, right), alike=alike)
    if casts is None or casts.result is not None:
        return None
    return casts.operands[0], casts.operands[1]


COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


def whole(fact: v.Fact) -> bool:
    """Tell whether it is of integers for sure."""
    if v.only(fact, "number"):
        return all(isinstance(a, v.Num) and a.type in ("int", "bool") for a in fact)
    dtypes = v.dtypes_of(fact)
    return v.only(fact, *ARRAYS) and dtypes is not None and all(d == "bool" or d[0] in "iu" for d in dtypes)


def _spreads(ctx: ModuleContext, node: ast.expr, name: str, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether a complex sum may show that torch multiplies an operand by 1 first.

    This spreads infinities and NaN to both parts. All other sums are NumPy's, so it counts only if the code mentions
    infinities or NaN.
    """
    is_complex = any((v.dtypes_of(side) or {""}) <= COMPLEX for side in (left, right))
    if name not in ("add", "subtract") or not is_complex or not ctx.names_infinity(node):
        return False
    numbers = [v.constant(side) for side in (left, right) if v.only(side, "number")]
    finite = any(isinstance(number, (int, float, complex)) and cmath.isfinite(number) for number in numbers)
    return name == "subtract" or not finite


def _comparison_casts(left: v.Fact, right: v.Fact) -> Casts | None:
    """An array compared with a 0-D tensor of a wider dtype: torch would narrow the scalar first."""
    for index, (one, other) in enumerate(((left, right), (right, left))):
        if v.only(one, "array") and v.only(other, "scalar") and v.rank_of(one) != 0:
            mine, theirs = v.dtype_of(one), v.dtype_of(other)
            wide = tables.promote(mine, theirs) if mine and theirs else None
            if wide is not None and wide != mine:
                return (wide, None) if index == 0 else (None, wide)
    return None


class Operation(NamedTuple):
    """A binary operator and what its operands may be.

    Attributes
    ----------
    operands
        The facts of both sides, as they stand in the text.
    left, right
        What of these decides.
    mixed
        Whether an operand may be an array that stays on NumPy.
    related
        Whether both sides are made from the same value.
    """

    node: ast.BinOp
    operands: dict[ast.expr, v.Fact]
    left: v.Fact
    right: v.Fact
    mixed: bool
    related: bool

    @property
    def name(self) -> str:
        """NumPy's function for the operator."""
        return OPERATORS[type(self.node.op)]

    def includes(self, *kinds: str) -> bool:
        """Tell whether an operand may be of one of these kinds."""
        return v.known_to_include(self.left, *kinds) or v.known_to_include(self.right, *kinds)

    def at_run_time(self, ctx: ModuleContext) -> Edit | None:
        """Let the shim decide."""
        return shim_operator(ctx, self.node, self.node.op, self.node.left, self.node.right)


@on(Phase.NUMPY, ast.BinOp)
def binary(ctx: ModuleContext, node: ast.BinOp) -> Edit | None:
    """`a + b` and the like."""
    left, right = without_none(ctx.fact(node.left)), without_none(ctx.fact(node.right))
    left, right = accepted_operands(type(node.op), left, right)
    if _are_elements(ctx, node, left, right):
        return None
    operands = {node.left: left, node.right: right}
    found = Operation(node, operands, left, right, may_mix(ctx, left, right), _one_make(ctx, node.left, node.right))
    if found.mixed:
        if not found.related and not v.only(left, "number") and not v.only(right, "number"):
            return found.at_run_time(ctx)
        left, right = v.without(left, "foreign"), v.without(right, "foreign")  # on NumPy nothing changes
    if any(map(is_object, left | right)):
        return _beside_object(ctx, node, node.op, {node.left: left, node.right: right})
    if isinstance(node.op, ast.MatMult):
        left, right = map(_with_axes, (left, right))
    if not involves_arrays(left, right):
        return _unknown_operands(ctx, node, left, right)
    if isinstance(node.op, ast.Mult):
        left, right = without_refused(left, right), without_refused(right, left)
    if isinstance(node.op, ast.Mod) and v.known_to_include(left, "text"):
        return None
    left, right = _beside_number(left, right), _beside_number(right, left)
    found = found._replace(left=left, right=right)
    return next((decide(ctx, found) for meets, decide in OPERATIONS if meets(found)), None)


def _are_elements(ctx: ModuleContext, node: ast.BinOp | ast.Compare, left: v.Fact, right: v.Fact) -> bool:
    """Tell elements of one thing, of whatever dtype that is: `m[0, 1] - m[1, 0]` is the same in torch."""
    unsure = v.known_to_include(left, "unknown", "foreign") or v.known_to_include(right, "unknown", "foreign")
    return unsure and element_source(ctx, node) is not None


OBJECTS = ("opaque", "instance", "mapping", "dtype", "method", "function", "class", "module")
"""What has operators of its own, or none at all."""


def _meets_unknown(found: Operation) -> bool:
    return not found.includes("array") and found.includes("unknown", "instance", "opaque")


def _beside_unknown(ctx: ModuleContext, found: Operation) -> Edit | None:
    """A scalar beside what nobody knows: the same in torch, but for float32, integers and lists."""
    node, left, right = found.node, found.left, found.right
    unsure = "float32" in DOMAIN.dtypes or _takes_integers(node, left, right)
    unsure = unsure or _is_numpys_of_lists(node.op, left, right)
    unsure = unsure or _meets_integer(left, right) or _meets_integer(right, left)
    return None if ctx.converted_already() or not unsure else found.at_run_time(ctx)


def _beside_list(ctx: ModuleContext, found: Operation) -> Edit | None:
    """A list that is written as a tensor where its dtype is known."""
    may_be = not found.mixed and not ctx.converted_already()
    made = tensor_operands(ctx, found.node, found.name, found.left, found.right) if may_be else None
    return made or found.at_run_time(ctx)


def _opaque_operands(ctx: ModuleContext, found: Operation) -> Edit | None:
    """A sparse matrix, a Fraction; or what may be one, which is left where arrays need no cast."""
    if any(v.only(one, "opaque") for one in (found.left, found.right)) and not ctx.converted_already():
        return found.at_run_time(ctx)
    return _beside_objects(ctx, found)


def _beside_objects(ctx: ModuleContext, found: Operation) -> Edit | None:
    """Operands that may be objects with operators of their own: left as they are where arrays need no cast."""
    left, right = _without_objects(found.left), _without_objects(found.right)
    if ctx.converted_already() or not left or not right or stays_python(left) and stays_python(right):
        return None
    needless = binary_casts(ctx, found.node, found.name, left, right) == (None, None)
    return None if needless else found.at_run_time(ctx)


def _without_objects(fact: v.Fact) -> v.Fact:
    """Leave out what decides for itself, or is refused."""
    return v.keep(fact, lambda atom: atom.kind not in OBJECTS)


def _left_alone(ctx: ModuleContext, found: Operation) -> Edit | None:
    """The operator as it stands."""
    return None


def _arrays(ctx: ModuleContext, found: Operation) -> Edit | None:
    """Two operands of known dtypes: casts, if there are any, or the shim."""
    node, left, right = found.node, found.left, found.right
    source = dtype_source(ctx, node.left)
    alike = found.related or source is not None and source == dtype_source(ctx, node.right)
    casts = binary_casts(ctx, node, found.name, left, right, alike=alike)
    if casts is not None and isinstance(node.op, ast.Div) and inexact_quotient(left, right):
        if found.mixed:
            return shim_operator(ctx, node, node.op, *found.operands)
        if not ctx.converted_already():
            return exact_quotient(ctx, node, found.operands, casts)
    if casts is None and not found.mixed and not ctx.converted_already():
        if (made := float_operand(ctx, node, found.name, left, right)) is not None:
            return made
    return _cast_or_shim(ctx, node, node.op, found.operands, casts)


OPERATIONS: tuple[tuple[Callable[[Operation], bool], Callable[[ModuleContext, Operation], Edit | None]], ...] = (
    (_meets_unknown, _beside_unknown),
    (lambda found: found.includes("sequence", "text", "none"), _beside_list),
    (lambda found: found.includes("opaque"), _opaque_operands),
    (lambda found: found.includes("instance"), _beside_objects),
    (lambda found: stays_python(found.left) and stays_python(found.right), _left_alone),
    (lambda found: True, _arrays),
)
"""The decisions on an operator, by its operands: the first test that fits decides."""


def _beside_object(ctx: ModuleContext, node: ast.expr, op: ast.AST, operands: dict[ast.expr, v.Fact]) -> Edit | None:
    """A fraction, a decimal or an expression beside what may be a tensor, which it knows nothing of."""
    if ctx.converted_already() or not any(v.known_to_include(fact, *ARRAYS) for fact in operands.values()):
        return None
    scalars = [operand for operand, fact in operands.items() if v.only(fact, "scalar") and v.is_tensor(fact)]
    if not scalars:
        return shim_operator(ctx, node, op, *operands)
    for operand in scalars:
        by_value(ctx, operand, "an object that knows Python's numbers")
    return None


def _with_axes(fact: v.Fact) -> v.Fact:
    """Give what may be an operand of `@`: NumPy refuses numbers and arrays without axes."""
    out = v.BOTTOM
    for atom in v.without(v.without(fact, "scalar"), "number"):
        if isinstance(atom, v.Array) and atom.ranks is not None and atom.ranks - {0}:
            atom = atom._replace(ranks=atom.ranks - {0})
        out = v.join(out, v.one(atom))
    return out or fact


def _beside_number(side: v.Fact, other: v.Fact) -> v.Fact:
    """An operand beside a Python number: text, lists and None answer as before, so that arrays decide."""
    return v.keep(side, lambda atom: atom.kind not in PYTHONS) or side if v.only(other, "number") else side


def _one_make(ctx: ModuleContext, left: ast.expr, right: ast.expr) -> bool:
    """Tell whether they are parts of one array, so that both are tensors or both stay on NumPy, and of one dtype."""
    whole = [_whole(side) for side in (left, right)]
    name = dotted_name(whole[0])
    return name is not None and name == dotted_name(whole[1]) and v.only(ctx.fact(whole[0]), "foreign", *ARRAYS)


def _whole(node: ast.expr) -> ast.expr:
    """Give what a subscript, or the negative of one, is a part of."""
    while isinstance(node, ast.Subscript) or isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.value if isinstance(node, ast.Subscript) else node.operand
    return node


def _cast_or_shim(
    ctx: ModuleContext, node: ast.expr, op: ast.AST, operands: dict[ast.expr, v.Fact], casts: Casts | None
) -> Edit | None:
    """Cast the operands; where that cannot be, the operator is decided at run time."""
    if casts is None:
        return None if ctx.converted_already() else shim_operator(ctx, node, op, *operands)
    wanted = [(operand, cast) for operand, cast in zip(operands, casts, strict=True) if cast is not None]
    if not all(v.is_tensor(operands[operand]) for operand, _ in wanted):
        return shim_operator(ctx, node, op, *operands)
    for operand, cast in wanted:
        ctx.cast(operand, cast)
    return None


def _takes_integers(node: ast.BinOp, *sides: v.Fact) -> bool:
    """Tell whether torch may cast integer operands to float32: in a quotient, or beside a Python float."""
    if not isinstance(node.op, SENSITIVE):
        return False
    floats = any(isinstance(a, v.Num) and a.type == "float" for side in sides for a in side)
    if not floats and not isinstance(node.op, ast.Div):
        return False
    return not any(v.only(side, "array", "scalar") and _of_floats(side) for side in sides)


def _of_floats(fact: v.Fact) -> bool:
    dtypes = v.dtypes_of(fact)
    return dtypes is not None and dtypes <= {"float64", "complex128"}


def _unknown_operands(ctx: ModuleContext, node: ast.BinOp, left: v.Fact, right: v.Fact) -> Edit | None:
    """Operands of which nothing is known may be integer arrays, which torch would take to float32.

    Two such, one beside a Python float, and any quotient are the shim's: the rest is alike for tensors and numbers.
    """
    sides = (left, right)
    is_met = ctx.meets_arrays(node) and not ctx.converted_already()
    if not is_met or not any(v.known_to_include(f, "unknown") for f in sides):
        return None
    if _is_numpys_of_lists(node.op, left, right):
        return shim_operator(ctx, node, node.op, node.left, node.right)
    if not isinstance(node.op, SENSITIVE):
        return None
    if not all(v.known_to_include(side, "unknown", "number") for side in sides) or any(map(_may_be_opaque, sides)):
        return None
    if DOMAIN.likely & UNSIGNED:
        return shim_operator(ctx, node, node.op, node.left, node.right)
    both = all(v.known_to_include(side, "unknown") for side in sides)
    if both or isinstance(node.op, ast.Div) or _beside_float(left, right) or _beside_float(right, left):
        return shim_operator(ctx, node, node.op, node.left, node.right)
    return None


def _may_be_opaque(fact: v.Fact) -> bool:
    """Tell whether it may be an object of a library, whose operators are its own."""
    return v.known_to_include(fact, "opaque")


def _is_numpys_of_lists(op: ast.operator, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether an operand may be a list that NumPy's arrays take here, and tensors do not.

    It is one for operators that lists lack. A product may repeat it; hardly where it has several numbers.
    """
    sides = [atom for side in (left, right) for atom in side if isinstance(atom, v.Sequence)]
    lists = [atom for atom in sides if atom.type in ("list", "tuple")]
    return any(map(_has_numbers, lists)) if isinstance(op, ast.Mult) else bool(lists) and not isinstance(op, ast.Add)


def _has_numbers(atom: v.Sequence) -> bool:
    """Tell whether it may have more than one item, and these are numbers."""
    lengths = atom.lengths if atom.items is None else {len(atom.items)}
    return (lengths is None or max(lengths, default=0) > 1) and v.only(v.elements(atom), "number")


def _beside_float(one: v.Fact, other: v.Fact) -> bool:
    """Tell whether one operand may be an array of integers and the other a Python float."""
    return v.known_to_include(one, "unknown") and any(isinstance(a, v.Num) and a.type == "float" for a in other)


def _meets_integer(one: v.Fact, other: v.Fact) -> bool:
    """Tell whether a Python float may meet a 0-D tensor of integers here, which gives float32 in torch."""
    dtypes = v.dtypes_of(other)
    integers = dtypes is not None and any(kind_of(dtype) in "biu" for dtype in dtypes)
    return v.known_to_include(one, "unknown") and v.known_to_include(other, "scalar") and integers


SENSITIVE = (ast.Div, ast.Mult, ast.Add, ast.Sub, ast.Pow)


@on(Phase.NUMPY, ast.Compare)
def compare(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    """`a < b`: integers out of range and mixed kinds compare otherwise in torch, but not elements of one array."""
    return None if _are_elements(ctx, node, ctx.fact(node.left), ctx.fact(node.comparators[0])) else _compare(ctx, node)


def _compare(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    second, op = node.comparators[0], node.ops[0]
    left, right = ctx.fact(node.left), ctx.fact(second)
    if len(node.ops) == 1 and isinstance(op, (ast.Is, ast.IsNot)):
        return identity(ctx, node, left, right)
    if any(is_dtype(ctx, side) for side in (node.left, second)):
        return compare_dtypes(ctx, node)
    if len(node.ops) != 1 or type(op) not in PYTHON_NAMES:
        return contains(ctx, node)
    left, right = accepted_operands(type(op), left, right)
    operands = {node.left: left, second: right}
    if any(map(is_object, left | right)):
        return _beside_object(ctx, node, op, operands)
    if may_mix(ctx, left, right):
        if not v.only(left, "number") and not v.only(right, "number"):
            return shim_operator(ctx, node, op, node.left, second)
        left, right = v.without(left, "foreign"), v.without(right, "foreign")
    if _is_compared_at_run_time(ctx, node, left, right):
        return shim_operator(ctx, node, op, node.left, second)
    if _is_pythons(op, left, right):
        return _beside_wide_number(ctx, node, second)
    left, right = _beside_number(left, right), _beside_number(right, left)
    if any(v.known_to_include(f, "sequence", "text", "none") for f in (left, right)):
        return shim_operator(ctx, node, op, node.left, second)
    left, right = _without_objects(left), _without_objects(right)
    if not involves_arrays(left, right) or descriptors(left) is None or descriptors(right) is None:
        return None
    if isinstance(op, ORDERING):
        left, right = _ordered(left), _ordered(right)
    casts = binary_casts(ctx, node, OPERATORS[type(op)], left, right)
    return _cast_or_shim(ctx, node, op, operands, casts)


def _is_compared_at_run_time(ctx: ModuleContext, node: ast.Compare, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether only values can tell how two sides are compared."""
    is_either = _may_be_ndarray_beside_any(ctx, left, right) or may_meet_ndarray(ctx, node.ops[0], left, right)
    is_either = is_either or _may_be_list_beside_array(ctx, node.ops[0], left, right)
    return is_either or compares_items(ctx, node, left, right)


def _may_be_list_beside_array(ctx: ModuleContext, op: ast.cmpop, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether an array may equal a list, a text or None: NumPy answers by elements, a tensor False."""
    if not isinstance(op, (ast.Eq, ast.NotEq)) or ctx.converted_already():
        return False
    return any(v.only(a, "array") and v.known_to_include(b, "unknown") for a, b in ((left, right), (right, left)))


def _may_be_ndarray_beside_any(ctx: ModuleContext, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether what may stay on NumPy meets what may be a tensor: `ndarray != tensor` is True whatever they are."""
    if ctx.converted_already() or v.only(left, "foreign") or v.only(right, "foreign"):
        return False
    pairs = ((left, right), (right, left))
    return any(v.known_to_include(a, "foreign") and v.known_to_include(b, "unknown") for a, b in pairs)


def _beside_wide_number(ctx: ModuleContext, node: ast.Compare, second: ast.expr) -> Edit | None:
    """Order what may be an array by the shim: small integers beside a number that they do not hold, which torch wraps,
    and wide unsigned ones, which torch does not order."""
    sides = ((node.left, second), (second, node.left))
    others = [ctx.fact(other) for one, other in sides if ctx.is_open(one)]
    wide = (type(v.constant(one)) is int and not fits("less", v.ARRAY, one) for one in others)
    if not isinstance(node.ops[0], ORDERING) or not (others and DOMAIN.likely & UNSIGNED or any(wide)):
        return None
    is_meant = any(computed_with(ctx, one) for one, _ in sides)
    return shim_operator(ctx, node, node.ops[0], node.left, second) if is_meant else None


def _is_pythons(op: ast.cmpop, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether a comparison is the same for tensors, as no number and no 0-D tensor equals a text or None."""
    if not involves_arrays(left, right) or stays_python(left) and stays_python(right):
        return True
    sides = ((left, right), (right, left)) if isinstance(op, (ast.Eq, ast.NotEq)) else ()
    return any(v.only(a, "text", "none") and v.only(b, "scalar", "number", "text", "none") for a, b in sides)


def _ordered(fact: v.Fact) -> v.Fact:
    """Leave out dtypes that torch cannot order: complex ones, and unsigned ones that the project does not mention."""
    if v.dtypes_of(fact) is not None or not v.only(fact, *ARRAYS) or not DOMAIN.unknown & COMPLEX:
        return fact
    real = DOMAIN.unknown - COMPLEX - (UNSIGNED & DOMAIN.unspoken)
    return frozenset(atom._replace(dtypes=real) if isinstance(atom, (v.Array, v.Scalar)) else atom for atom in fact)
