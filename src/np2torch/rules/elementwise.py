"""Elementwise functions: one table, casts from the generated recipes."""

from __future__ import annotations

import ast
import math

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments, Parameter, Returns, Signature
from np2torch.facts.domain import DOMAIN, union
from np2torch.facts.dtypes import NARROW
from np2torch.facts.results import always, array_with, elementwise, make, perhaps_complex, rank_of_source, same, ufunc
from np2torch.names.tree import is_repeatable
from np2torch.rules.arraylike import beside, loosen
from np2torch.rules.casts import apply_casts, unify, without_none
from np2torch.rules.core import FUNCTIONS, METHODS, Area, Body, Rule, declare, rule
from np2torch.rules.powers import power_trap
from np2torch.rules.rule_arguments import (
    COMPLEX,
    FULL_INEXACT,
    INTEGERS,
    UNSIGNED,
    ArrayLike,
    Decline,
    Flag,
    Operand,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    call,
    function,
    text,
)

AREA = Area("elementwise", takes_text=True)

UNARY = {
    "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log", "log2": "log2", "log10": "log10", "log1p": "log1p",
    "sqrt": "sqrt", "square": "square", "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "arcsin",
    "arccos": "arccos", "arctan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsinh": "arcsinh",
    "arccosh": "arccosh", "arctanh": "arctanh", "absolute": "abs", "fabs": "abs", "negative": "negative",
    "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "round", "deg2rad": "deg2rad", "rad2deg": "rad2deg",
    "isnan": "isnan", "isinf": "isinf", "isfinite": "isfinite", "logical_not": "logical_not", "invert": "bitwise_not",
    "reciprocal": "reciprocal", "signbit": "signbit", "positive": "positive",
}  # fmt: skip
"""NumPy's ufunc and the torch function that does the same."""
NAMES = {"absolute": "abs"}
"""The rules' name where it is not the table's."""
SHIM_UNARY = ("cbrt", "spacing")
SHIM_BINARY = ("gcd", "lcm", "ldexp")
BINARY = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "true_divide": "true_divide",
    "floor_divide": "floor_divide", "remainder": "remainder", "power": "pow", "maximum": "maximum",
    "minimum": "minimum", "fmax": "fmax", "fmin": "fmin", "arctan2": "arctan2", "hypot": "hypot",
    "logaddexp": "logaddexp", "copysign": "copysign", "logical_and": "logical_and", "logical_or": "logical_or",
    "logical_xor": "logical_xor", "bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or",
    "bitwise_xor": "bitwise_xor", "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt",
    "fmod": "fmod", "nextafter": "nextafter", "float_power": "float_power",
    "greater_equal": "ge", "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift",
}  # fmt: skip
NUMBER_ON_THE_RIGHT = frozenset(
    "add subtract multiply true_divide floor_divide remainder power equal not_equal less less_equal greater "
    "greater_equal bitwise_and bitwise_or bitwise_xor fmod float_power".split()
)
NUMBER_ON_THE_LEFT = frozenset("add subtract multiply true_divide".split())
"""Torch functions that take a Python number second, or first; it promotes as in an operator."""
INTEGER_TRAPS = frozenset({"power", "floor_divide", "remainder"})
"""NumPy refuses negative powers of integers and has 0 for divisions by 0: of Python numbers the shim sees to it."""
CLAMPS = {"maximum": "min", "minimum": "max"}
"""With a Python number they are `torch.clamp` with this bound."""

MATH = {
    "sqrt": "sqrt", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan", "arctan": "atan",
    "log10": "log10", "log2": "log2", "deg2rad": "radians", "rad2deg": "degrees",
}  # fmt: skip
"""Functions of one Python number that stay in `math`."""


def python_math(table: str, fact: v.Fact) -> bool:
    """Tell whether `math` computes this function of a Python number as NumPy does, without errors and narrowing.

    NumPy's result is a float64 scalar; a Python float would be weak beside float32 arrays. If the project has such
    arrays, the site goes to the shim.
    """
    if table not in MATH or not v.only(fact, "number") or DOMAIN.dtypes & NARROW:
        return False
    if table == "sqrt":
        return all(isinstance(a, v.Num) and a.nonnegative and a.type in ("int", "float") for a in fact)
    value = v.constant(fact)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or abs(value) > 500:
        return False
    return value > 0 if table.startswith("log") else True


_KEYWORDS = (
    Parameter("out", "Value", None, False),
    *(
        Parameter(name, "Refused", default, False, False)
        for name, default in {"where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True}.items()
    ),
)


def _ufunc_signature(*operands: str) -> Signature:
    return (*(Parameter(name, "Operand", None, True) for name in operands), *_KEYWORDS)


_ONE, _TWO = _ufunc_signature("x"), _ufunc_signature("x1", "x2")


def _unary_fact(table: str) -> Returns:
    general = elementwise(table, "x")

    def returns(bound: BoundArguments) -> v.Fact:
        if python_math(table, bound["x"].fact) and not bound.is_given("out"):
            return v.scalar("float64", python=True)
        return general(bound)

    return returns


def without_none_operand(table: str, operand: RuleArgument) -> RuleArgument:
    """An operand that may be None: computing with that raises a TypeError on both sides, asking its truth does not."""
    if not table.startswith("logical") and table not in ("equal", "not_equal"):
        operand.assume(without_none(operand.fact))
    return operand


def _unary_body(table: str, torch_name: str) -> Body:
    def body(x: RuleArgument, out: RuleArgument, *extra: RuleArgument) -> Spelling:
        if python_math(table, x.fact):
            return text(f"math.{MATH[table]}({x})", message="a Python number stays one")
        if not loosen(without_none_operand(table, x)).is_tensor:
            raise Decline("not known to be an array")
        if table in ("reciprocal", "log1p") and x.dtypes() & {"complex64", "complex128"}:
            raise Decline("complex zeros and tiny values differ")
        casts = unify(table, [x.fact])
        if casts is None or casts.dtype_argument:
            raise Decline("dtype unknown")
        (piece,) = apply_casts(casts, [x])
        if table == "positive" and x.asked.sharing_shows():
            return text(f"{piece}.clone()")
        if out.given and not casts.result and piece is x and _is_itself(x, out):
            return function(f"torch.{torch_name}", piece, out=out)
        emit = call(torch_name, piece)
        if casts.result:
            return text(f"torch.{torch_name}({piece}).to(torch.{casts.result})", cast=True)
        return emit

    return body


def _is_itself(x: RuleArgument, out: RuleArgument) -> bool:
    """Tell whether `out` is the operand itself by name, and of the dtype of the result."""
    names = [one.node.id if isinstance(one.node, ast.Name) else None for one in (x, out)]
    return names[0] is not None and names[0] == names[1] and v.only(out.fact, "array") and x.dtype in IN_PLACE


IN_PLACE = ("float64", "float32")


def _loosened(x1: RuleArgument, x2: RuleArgument) -> bool:
    return beside(x1, x2).is_tensor and beside(x2, x1).is_tensor


def _beside_a_number(table: str, x1: RuleArgument, x2: RuleArgument) -> bool:
    """Tell whether one operand is a Python number that torch takes as it is, and the other is or becomes a tensor."""
    for number, other, takes in ((x2, x1, NUMBER_ON_THE_RIGHT), (x1, x2, NUMBER_ON_THE_LEFT)):
        if v.only(number.fact, "number") and table in takes and not v.only(other.fact, "number"):
            return other.is_tensor or table not in INTEGER_TRAPS and beside(other, number).is_tensor
    return False


def _binary_body(table: str, torch_name: str) -> Body:
    def body(x1: RuleArgument, x2: RuleArgument, out: RuleArgument, *extra: RuleArgument) -> Spelling:
        x1, x2 = without_none_operand(table, x1), without_none_operand(table, x2)
        if not _beside_a_number(table, x1, x2) and not (x1.is_tensor and x2.is_tensor):
            if table in INTEGER_TRAPS or not _loosened(x1, x2):
                raise Decline("operands are not both tensors")
        if table == "power" and (trap := power_trap(x1.fact, x2.fact)) is not None:
            raise Decline(trap)
        casts = unify(table, [x1.fact, x2.fact])
        if casts is None:
            raise Decline("dtype unknown")
        left, right = apply_casts(casts, [x1, x2])
        emit = function(f"torch.{torch_name}", left, right)
        if casts.result:
            return text(f"torch.{torch_name}({left}, {right}).to(torch.{casts.result})", cast=True)
        return emit

    return body


def _clamp_body(table: str, bound: str) -> Body:
    general = _binary_body(table, table)

    def body(x1: RuleArgument, x2: RuleArgument, out: RuleArgument, *extra: RuleArgument) -> Spelling:
        for array, number in ((x1, x2), (x2, x1)):
            if array.is_tensor and _keeps_dtype(array, number):
                return function("torch.clamp", array, **{bound: number})
        return general(x1, x2, out, *extra)

    return body


SMALLEST_LIMIT = 127
"""The largest number that every integer dtype holds."""


def _keeps_dtype(array: RuleArgument, number: RuleArgument) -> bool:
    """Tell whether it is a Python number, not NaN, that keeps every dtype the array may have and is refused by none."""
    if not v.only(number.fact, "number"):
        return False
    kinds = {a.type for a in number.fact if isinstance(a, v.Num)}
    value = v.constant(number.fact)
    if array.dtypes_without(COMPLEX) <= {"float64", "float32"} and kinds <= {"int", "float"}:
        return not isinstance(value, float) or not math.isnan(value)
    if type(value) is not int or array.dtypes() & UNSIGNED:
        return False
    return 0 <= value <= SMALLEST_LIMIT or array.dtypes() == {"int64"} and -(2**63) <= value < 2**63


def _register(
    table: str, code: str, signature: Signature, returns: Returns, body: Body | None = None, doc: str = ""
) -> None:
    name = f"numpy.{NAMES.get(table, table)}"
    FUNCTIONS.add(Rule(name, code, signature, returns, body, doc, (), *AREA), name)


for _table, _name in UNARY.items():
    _doc = f"`torch.{_name}`; integers and bools are cast to the dtype NumPy computes in."
    _register(_table, "NPT101", _ONE, _unary_fact(_table), _unary_body(_table, _name), _doc)
for _table, _name in BINARY.items():
    _doc = f"`torch.{_name}`; operands are cast to the dtype NEP 50 gives where torch would choose another."
    _body = _clamp_body(_table, CLAMPS[_table]) if _table in CLAMPS else _binary_body(_table, _name)
    _register(_table, "NPT102", _TWO, elementwise(_table, "x1", "x2"), _body, _doc)
for _table in SHIM_UNARY:
    _register(_table, "NPT150", _ONE, elementwise(_table, "x"))
for _table in SHIM_BINARY:
    _register(_table, "NPT150", _TWO, elementwise(_table, "x1", "x2"))


def _function_body(name: str) -> Body:
    def body(x: RuleArgument, *out: RuleArgument) -> Spelling:
        if not loosen(x).is_tensor:
            raise Decline("not known to be an array")
        casts = unify(name, [x.fact])
        if casts is None or casts.result:
            raise Decline("dtype unknown")
        (piece,) = apply_casts(casts, [x])
        return function(f"torch.{name}", piece)

    return body


def _sign(x: RuleArgument, *out: RuleArgument) -> Spelling:
    if not x.is_tensor or "bool" in x.dtypes():
        raise Decline("not known to be an array of numbers")
    dtypes = x.dtypes_without(COMPLEX)
    if dtypes <= INTEGERS - UNSIGNED:
        return function("torch.sign", x)
    if not dtypes <= {"float64", "float32"} or x.node is None or not is_repeatable(x.node):
        raise Decline("the sign of NaN is NaN, and 0 in torch")
    return text(f"torch.where(torch.isnan({x}), {x}, torch.sign({x}))")


_register("sign", "NPT101", _ONE, elementwise("sign", "x"), _sign, "Of NaN it is NaN, where torch gives 0.")
_X, _OUT = Parameter("x", "Operand", None, True), Parameter("out", "Refused", None, False)
_MASK = array_with("bool", rank_of_source("x"), decays=True)
for _table, _signature, _returns in (
    ("sinc", (_X,), elementwise("sin", "x")), ("fix", (_X, _OUT), elementwise("floor", "x")),
    ("isposinf", (_X, _OUT), _MASK), ("isneginf", (_X, _OUT), _MASK),
):  # fmt: skip
    _register(_table, "NPT101", _signature, _returns, _function_body(_table), f"`torch.{_table}`.")


def _conj(x: RuleArgument, out: RuleArgument, *extra: RuleArgument) -> Spelling:
    if not loosen(x).is_tensor:
        raise Decline("not known to be an array")
    if x.made_by and "bool" not in x.dtypes():  # nothing to share: a new tensor
        return text(f"torch.conj({x}).resolve_conj()")
    real = DOMAIN.supposed and "bool" not in x.dtypes()
    if real and not x.asked.sharing_shows():  # the array itself, as it is
        return text(f"torch.conj({x}).resolve_conj()")
    if x.dtypes() <= {"complex64", "complex128"}:
        return text(f"torch.conj({x}).resolve_conj()")
    if x.dtypes() & {"complex64", "complex128", "bool"}:
        raise Decline("the dtype is not known")
    return text(f"{x}" if x.asked.style == "method" else f"{x}.clone()")


_CONJ = Rule(
    "numpy.conj", "NPT101", _ONE, elementwise("conjugate", "x"), _conj,
    "A real array comes back as it is from the method, as a copy from the function; torch conjugates lazily.",
    ("conj", "conjugate"), *AREA,
)  # fmt: skip
FUNCTIONS.add(_CONJ, "numpy.conj")
METHODS.add(_CONJ, "conj", "conjugate")


@rule("round", method="round", returns=elementwise("round", "a"), code="NPT101")
def round_(a: ArrayLike, decimals: Value = 0, out: Refused = None) -> Spelling:
    """Both round half to even; NumPy scales by a power of ten, as torch does."""
    if a.dtypes_without(COMPLEX) <= {"float64", "float32"}:
        if decimals.constant == 0:
            return call("round", a)
        return call("round", a, decimals=decimals)
    raise Decline("integers")


def _part_fact(bound: BoundArguments) -> v.Fact:
    fact, parts = bound["val"].fact, {"complex128": "float64", "complex64": "float32"}
    numbers = [v.one(v.Num("float" if a.type == "complex" else a.type)) for a in fact if isinstance(a, v.Num)]
    if numbers and v.only(fact, "number"):
        return v.join(*numbers)  # which Python has
    found = v.dtypes_of(fact)
    made = make(None if found is None else frozenset(parts.get(d, d) for d in found), rank_of_source("val")(bound))
    return v.join(made, *numbers)


def _part_of_array(val: RuleArgument) -> None:
    """Decline Python numbers: their parts are Python numbers."""
    if val.made_by and val.rank != 1 and val.rank != 2:
        raise Decline("may be a number")


@rule("real", returns=_part_fact, code="NPT101")
def real(val: ArrayLike) -> Spelling:
    """A view, as in NumPy."""
    _part_of_array(val)
    return text(f"{val}.real")


@rule("imag", returns=_part_fact, code="NPT101")
def imag(val: ArrayLike) -> Spelling:
    """torch has no imaginary part of a real tensor; only complex ones are native."""
    _part_of_array(val)
    if not val.dtypes() <= {"complex64", "complex128"}:
        raise Decline("may be real")
    return text(f"{val}.imag")


def _in_dtype_of(a: RuleArgument, number: RuleArgument) -> RuleArgument:
    """Make a number a tensor of the dtype of another one, in which NumPy compares with it (NEP 50)."""
    is_real = all(isinstance(atom, v.Num) and atom.type != "complex" for atom in number.fact)
    if not is_real or a.dtype not in FULL_INEXACT or not a.text.isidentifier():
        return number
    return number.with_text(f"torch.tensor({number}, dtype={a}.dtype)", a.dtype, v.array(a.dtype, frozenset({0})))


def _floats(a: RuleArgument, b: RuleArgument, *tolerances: RuleArgument) -> tuple[RuleArgument, RuleArgument]:
    """Two inexact tensors of one dtype, with tolerances that are Python numbers: torch takes no others."""
    if v.only(b.fact, "number") and a.is_tensor and (DOMAIN.supposed or a.dtype == "float32"):
        b = _in_dtype_of(a, b)
    if not _loosened(a, b):
        raise Decline("not two tensors for sure")
    for tolerance in tolerances:
        if tolerance.is_passed and not all(isinstance(atom, v.Num) for atom in tolerance.fact):
            raise Decline("a tolerance may be an array")
    pair = [p.floating() for p in (a, b)]
    if pair[0].dtype != pair[1].dtype or pair[0].dtype not in FULL_INEXACT:
        raise Decline("dtypes differ")
    return pair[0], pair[1]


@rule("allclose", returns=always(v.BOOL), code="NPT101")
def allclose(a: Operand, b: Operand, rtol: Value = 1e-05, atol: Value = 1e-08, equal_nan: Flag = False) -> Spelling:
    """torch wants two tensors of one dtype; the defaults are the same."""
    return function("torch.allclose", *_floats(a, b, rtol, atol), rtol=rtol, atol=atol, equal_nan=equal_nan)


@rule("isclose", returns=lambda b: ufunc("equal", [b["a"].fact, b["b"].fact]), code="NPT101")
def isclose(a: Operand, b: Operand, rtol: Value = 1e-05, atol: Value = 1e-08, equal_nan: Flag = False) -> Spelling:
    """torch wants two tensors of one dtype; the defaults are the same."""
    return function("torch.isclose", *_floats(a, b, rtol, atol), rtol=rtol, atol=atol, equal_nan=equal_nan)


@rule("array_equal", returns=always(v.BOOL), code="NPT101")
def array_equal(a1: Operand, a2: Operand, equal_nan: Refused = False) -> Spelling:
    """Of one dtype, and False where the shapes differ, on both sides; torch refuses two dtypes."""
    left, right = loosen(a1), loosen(a2)
    if not (left.is_tensor and right.is_tensor) or left.dtype is None or left.dtype != right.dtype:
        raise Decline("dtypes differ")
    return function("torch.equal", left, right)


@rule("nan_to_num", returns=elementwise("positive", "x"), code="NPT101")
def nan_to_num(
    x: ArrayLike, copy: Refused = True, nan: Value = 0.0, posinf: Value = None, neginf: Value = None
) -> Spelling:
    """The same defaults, by dtype; a copy of floats alone."""
    if x.asked.sharing_shows() and not x.dtypes_without(COMPLEX) <= {"float64", "float32"}:
        raise Decline("torch gives integers back as they are")
    return function("torch.nan_to_num", x, nan=nan, posinf=posinf, neginf=neginf)


def _twice(returns: Returns) -> Returns:
    return lambda bound: v.tuple_of(returns(bound), returns(bound))


_register("divmod", "NPT150", _TWO, _twice(elementwise("floor_divide", "x1", "x2")))


declare(AREA, {
    "i0(x)": elementwise("sin", "x"),
    "unwrap(p, discont=None, axis=-1)": elementwise("sin", "p"),
    "angle(z, deg=False)": array_with(None, rank_of_source("z"), decays=True),
    "iscomplex(x, out=None)": array_with("bool", rank_of_source("x"), decays=True),
    "isreal(x)": _MASK,
    **dict.fromkeys(("array_equiv(a1, a2)", "isrealobj(x)", "iscomplexobj(x)"), always(v.BOOL)),
    "real_if_close(a, tol=100)": array_with(None, rank_of_source("a")),
    "modf(x, out=None)": _twice(elementwise("floor", "x")),
    "frexp(x, out=None)": lambda bound: v.tuple_of(elementwise("sqrt", "x")(bound), v.ARRAY),
    "heaviside(x1, x2)": elementwise("arctan2", "x1", "x2"), "logaddexp2(x1, x2)": elementwise("logaddexp", "x1", "x2"),
})  # fmt: skip


def _packed_ranks(bound: BoundArguments) -> v.Ranks:
    """Flattened, unless along an axis."""
    return frozenset([1]) if bound["axis"].is_none or not bound.is_given("axis") else rank_of_source("a")(bound)


_MAYBE_COMPLEX = array_with(perhaps_complex("sqrt", "x"), rank_of_source("x"), decays=True)
declare(AREA, {
    **{f"emath.{name}(x)": _MAYBE_COMPLEX for name in "sqrt log log2 log10 arccos arcsin arctanh".split()},
    "emath.logn(n, x)": array_with(lambda bound: union([None, COMPLEX])),
    "emath.power(x, p)": array_with(lambda bound: union([None, COMPLEX])),
    "packbits(a, axis=None, bitorder='big')": array_with("uint8", _packed_ranks),
    "unpackbits(a, axis=None, count=None, bitorder='big')": array_with("uint8", _packed_ranks),
    "from_dlpack(x, *, device=None, copy=None)": same("x"),
})  # fmt: skip
