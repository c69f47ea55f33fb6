"""`np.clip`: of bounds that are Python numbers torch makes the array's dtype, NumPy a dtype that holds both.

Bounds that are tensors have to be of the array's dtype.
"""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.results import ufunc
from np2torch.rules.casts import unify
from np2torch.rules.core import Area, rule
from np2torch.rules.rule_arguments import (
    COMPLEX,
    INTEGERS,
    ArrayLike,
    Decline,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    call,
    number_kinds,
)

AREA = Area("elementwise", takes_text=True)


def _clip_fact(bound: BoundArguments) -> v.Fact:
    fact = bound["a"].fact
    for name in ("a_min", "a_max", "min", "max"):
        if bound.is_given(name) and not bound[name].is_none:
            fact = ufunc("maximum", [fact, bound[name].fact])
    return fact


def _is_float(bound: RuleArgument) -> bool:
    """Tell whether it is a Python float for certain."""
    return all(isinstance(atom, v.Num) and atom.type == "float" for atom in bound.fact)


CLIPPED = frozenset({"bool", "int8", "int16", "int32", "int64", "uint8"})
"""The integers that torch clips, bools as int64 as NumPy does."""


def _fits_all(bound: RuleArgument) -> bool:
    """Tell whether every dtype of integers holds it. NumPy refuses other numbers, torch wraps them around."""
    value = v.constant(bound.fact)
    return isinstance(value, int) and 0 <= value <= 127


def _in_clipped_dtype(a: RuleArgument, bounds: list[RuleArgument]) -> RuleArgument | None:
    """Give the array in the dtype in which NumPy clips it; None where torch takes another."""
    kinds = number_kinds(*bounds)
    if kinds <= {"int", "float"}:
        if a.dtypes_without(COMPLEX) <= {"float16", "float32", "float64"}:
            return a
        if any(map(_is_float, bounds)) and a.dtypes() <= {"bool", "float64"} | INTEGERS:
            return a.to("float64")
    is_held = a.dtypes() <= {"int64"} or a.dtypes() <= CLIPPED and all(map(_fits_all, bounds))
    return a if kinds <= {"int"} and is_held else None


def _are_of_its_dtype(a: RuleArgument, bounds: list[RuleArgument]) -> bool:
    """Tell whether all are tensors that torch compares as they are: it takes numbers beside none."""
    if not bounds or not a.is_tensor or not all(b.is_tensor for b in bounds):
        return False
    casts = (unify("maximum", [a.fact, b.fact]) for b in bounds)
    return all(one is not None and not any((*one.operands, one.result)) for one in casts)


@rule("clip", method="clip", returns=_clip_fact, code="NPT101")
def clip(
    a: ArrayLike, a_min: Value = None, a_max: Value = None, out: Refused = None, min: Value = None, max: Value = None
) -> Spelling:
    """Beside a Python float NumPy computes in float64 where the array has no floats itself."""
    low, high = (a_min if a_min.is_passed else min), (a_max if a_max.is_passed else max)
    bounds = [b for b in (low, high) if b.is_passed]
    clipped = _in_clipped_dtype(a, bounds) if bounds and all(v.only(b.fact, "number") for b in bounds) else None
    if clipped is None and not _are_of_its_dtype(a, bounds):
        raise Decline("bounds are neither plain numbers nor tensors of its dtype")
    clipped = clipped or a
    if a.asked.style == "function" and a_min.given != a_max.given:
        raise Decline("NumPy asks for both bounds")
    if a_min.is_passed and a_max.is_passed:
        return call("clip", clipped, a_min, a_max)
    return call("clip", clipped, min=low, max=high)
