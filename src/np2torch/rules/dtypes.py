"""Questions about dtypes and memory, and text of numbers and arrays."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.results import always
from np2torch.rules.core import declare, rule
from np2torch.rules.rule_arguments import Decline, Refused, RuleArgument, Spelling, Value, text

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


FORMATS = {2: "b", 8: "o", 10: "d", 16: "X"}
"""Python's formats of whole numbers, by their base."""


def _require_int(number: RuleArgument) -> None:
    if not all(isinstance(atom, v.Num) and atom.type in ("int", "bool") for atom in number.fact):
        raise Decline("a Python int is formatted; what this is, is not known")
