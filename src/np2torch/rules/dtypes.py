"""Questions about dtypes and memory, and text of numbers and arrays."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.results import always
from np2torch.rules.core import declare, rule
from np2torch.rules.rule_arguments import COMPLEX, Decline, Refused, RuleArgument, Spelling, Value, text

declare("dtypes", {
    "issubdtype(arg1, arg2)": always(v.BOOL),
    "isscalar(element)": always(v.BOOL),
    "iterable(y)": always(v.BOOL),
    "can_cast(from_, to)": always(v.BOOL),
    "result_type(*arrays)": always(v.one(v.DType())),
    "promote_types(a, b)": always(v.one(v.DType())),
})  # fmt: skip
declare("copies", {"may_share_memory(a, b)": always(v.BOOL), "shares_memory(a, b)": always(v.BOOL)})
declare("testing", {
    "array2string(a)": always(v.TEXT), "array_repr(a)": always(v.TEXT), "array_str(a)": always(v.TEXT),
})  # fmt: skip


@rule("binary_repr", returns=always(v.TEXT), code="NPT100")
def binary_repr(num: Value, width: Refused = None) -> Spelling:
    """Python's binary digits; a width goes to the shim, which raises where it is too small."""
    _require_int(num)
    return text(f'format({num}, "b")')


@rule("base_repr", returns=always(v.TEXT), code="NPT100")
def base_repr(number: Value, base: Value = 2, padding: Refused = 0) -> Spelling:
    """Python's digits in the bases that it knows, without padding."""
    _require_int(number)
    if (letter := FORMATS.get(base.integer_constant())) is None:
        raise Decline("Python has no format of this base")
    return text(f'format({number}, "{letter}")')


@rule("format_float_positional", returns=always(v.TEXT), code="NPT100")
def format_float_positional(
    x: Value, precision: Value = None, unique: Value = True, fractional: Refused = True, trim: Refused = "k",
    sign: Refused = False, pad_left: Refused = None, pad_right: Refused = None, min_digits: Refused = None,
) -> Spelling:  # fmt: skip
    """Python's fixed point where the number of digits is given (`unique=False`)."""
    return _formatted(x, precision, unique, "f")


@rule("format_float_scientific", returns=always(v.TEXT), code="NPT100")
def format_float_scientific(
    x: Value, precision: Value = None, unique: Value = True, trim: Refused = "k", sign: Refused = False,
    pad_left: Refused = None, exp_digits: Refused = None, min_digits: Refused = None,
) -> Spelling:  # fmt: skip
    """Python's exponents where the number of digits is given (`unique=False`)."""
    return _formatted(x, precision, unique, "e")


def _formatted(x: RuleArgument, precision: RuleArgument, unique: RuleArgument, letter: str) -> Spelling:
    if unique.constant is not False:
        raise Decline("the digits that tell a number from its neighbours")
    places = precision.integer_constant()
    if places is None or places < 0:
        raise Decline("precision unknown")
    is_number = all(isinstance(atom, v.Num) and atom.type in ("int", "bool", "float") for atom in x.fact)
    if not is_number and not (x.is_tensor and x.rank == 0 and not x.may_have_dtype(COMPLEX)):
        raise Decline("what this is, is not known")
    return text(f'format({x}, "{"" if places else "#"}.{places}{letter}")')  # NumPy writes the point of `2.` too


FORMATS = {2: "b", 8: "o", 10: "d", 16: "X"}
"""Python's formats of whole numbers, by their base."""


def _require_int(number: RuleArgument) -> None:
    if not all(isinstance(atom, v.Num) and atom.type in ("int", "bool") for atom in number.fact):
        raise Decline("a Python int is formatted; what this is, is not known")
