"""Powers for which torch has another number than NumPy, or a number where NumPy raises."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.rules.rule_arguments import COMPLEX

SIGNED = frozenset({"int64", "int32", "int16", "int8"})
INTEGERS = SIGNED | {"uint8", "bool"}


def power_trap(base: v.Fact, exponent: v.Fact) -> str | None:
    """Name what torch's `pow` of these may do otherwise, if anything."""
    if _is_negative_of_integers(base, exponent):
        return "NumPy refuses negative powers of integers"
    is_complex = _is_complex(base) or _is_complex(exponent)
    if is_complex and not v.only(exponent, "number") and not v.constant(base):  # a constant other than 0
        return "torch has NaN for the power 0 of a complex 0"
    return None


def _is_negative_of_integers(base: v.Fact, exponent: v.Fact) -> bool:
    """Tell whether it may be `int ** negative int`: it raises in NumPy and gives 0 in torch."""
    if v.known_to_include(base, "array", "scalar"):
        integers = bool((v.dtypes_of(base) or SIGNED) & INTEGERS)
    else:
        integers = any(isinstance(a, v.Num) and a.type == "int" for a in base)
    if not integers:
        return False
    if v.only(exponent, "number"):
        return any(isinstance(a, v.Num) and a.type == "int" and not a.nonnegative for a in exponent)
    return bool((v.dtypes_of(exponent) or SIGNED) & SIGNED)


def _is_complex(fact: v.Fact) -> bool:
    return bool((v.dtypes_of(fact) or frozenset()) & COMPLEX)
