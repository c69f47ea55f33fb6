"""Quantiles and percentiles: `torch.quantile` takes fractions of 1, in the dtype of the array."""

from __future__ import annotations

import ast
import math

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments, Returns
from np2torch.facts.results import arraylike, make, rank_of_source, reduced_ranks, result_dtypes
from np2torch.rules.core import declare, rule
from np2torch.rules.reductions import AREA, in_averaged_dtype, one_axis, tail
from np2torch.rules.rule_arguments import (
    ArrayLike,
    AxisLike,
    Decline,
    KeepDims,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    text,
    use,
)  # fmt: skip


def _quantile(scale: float, a: RuleArgument, q: RuleArgument, axis: RuleArgument, keepdims: RuleArgument) -> Spelling:
    one_axis(axis)
    if a.dtypes() == {"bool"}:
        raise Decline("NumPy refuses bools")
    if a.dtypes() & {"int8", "int16", "int32"}:
        raise Decline("NumPy subtracts neighbours in their own dtype, where the difference may wrap")
    x = in_averaged_dtype(a)
    literal = q.constant
    levels = [literal] if literal is not None else [v.constant(i) for i in v.items_of(q.fact) or ()]
    if scale == 1.0 and x.changed and all(type(level) is int for level in levels):
        raise Decline("the levels 0 and 1 name elements, which stay integers")
    if any(isinstance(level, float) and not math.isfinite(level) for level in levels):
        raise Decline("NumPy refuses the level")
    spelled = _levels(x, q, literal, levels, scale)
    use(q)
    return text(f"torch.quantile({x}, {spelled}{tail(axis, keepdims)})", cast=x.changed)


def _levels(
    x: RuleArgument, q: RuleArgument, literal: object, levels: list[object], scale: float
) -> str:
    """Spell the levels of quantiles as fractions of 1: one number, or the items of a list that are all known."""
    if isinstance(literal, (int, float)) and not isinstance(literal, bool):
        return repr(literal / scale)
    if _is_level(q.fact, x, whole=scale != 1.0 or not x.changed):
        return f"{q}" if scale == 1.0 else f"{q} / {scale:.0f}"
    fractions = [level / scale for level in levels if isinstance(level, (int, float))]
    if literal is not None or not levels or len(fractions) < len(levels):
        return _computed_levels(x, q, scale)
    if x.may_have_dtype(frozenset({"float32"})):
        raise Decline("torch wants levels of the array's dtype, where NumPy's are float64")
    return f"torch.tensor({fractions!r}, dtype=torch.float64)"


def _is_level(fact: v.Fact, x: RuleArgument, whole: bool = True) -> bool:
    """Tell a Python number, perhaps a whole one; beside double precision a scalar of it, too."""
    types = {"int", "float"} if whole else {"float"}
    scalars = v.keep(fact, lambda atom: isinstance(atom, v.Scalar))
    numbers = v.keep(fact, lambda atom: isinstance(atom, v.Num) and atom.type in types)
    is_double = not scalars or v.dtypes_of(scalars) == x.dtypes() == {"float64"}
    return bool(fact) and is_double and v.join(scalars, numbers) == fact


def _computed_levels(x: RuleArgument, q: RuleArgument, scale: float) -> str:
    """Spell levels that are a list of numbers, or a vector, of which the values are not known."""
    items = v.items_of(q.fact) or ()
    numbers = bool(items) and all(_is_level(item, x) for item in items) and isinstance(q.node, (ast.List, ast.Tuple))
    is_vector = q.is_tensor and q.rank == 1 and q.dtypes() == {"float64"}
    if not numbers and not is_vector:
        raise Decline("q unknown")
    if x.dtypes() != {"float64"}:
        raise Decline("torch wants levels of the array's dtype, where NumPy's are float64")
    levels = f"{q}" if is_vector else f"torch.tensor({q.raw}, dtype=torch.float64)"
    return levels if scale == 1.0 else f"{levels} / {scale:.0f}"


def _quantile_fact(elements: bool) -> Returns:
    """The dtype of a mean of two; with a `method`, or where whole levels name elements, that of the elements too."""

    def returns(bound: BoundArguments) -> v.Fact:
        part, levels = (arraylike(bound[name].fact, weak=False) for name in ("a", "q"))
        extra = rank_of_source("q")(bound)
        base = reduced_ranks(bound)
        ranks = None if base is None or extra is None else frozenset(a + b for a in base for b in extra)
        found = result_dtypes("median", [part[0]]) if part else None
        if part is None or found is None or part[0] is None:
            return make(None, ranks)
        if not all(isinstance(atom, v.Num) for atom in bound["q"].fact):  # levels of a list or an array are float64
            found |= {"float64"}
        whole = levels is None or levels[0] is None or any("int" in name or name == "bool" for name in levels[0])
        return make(found | part[0] if bound.is_given("method") or elements and whole else found, ranks)

    return returns


@rule("percentile", returns=_quantile_fact(False), code="NPT113")
def percentile(
    a: ArrayLike, q: Value, axis: AxisLike = None, out: Refused = None, overwrite_input: Refused = False,
    method: Refused = "linear", keepdims: KeepDims = False, weights: Refused = None,
) -> Spelling:  # fmt: skip
    """`torch.quantile` takes fractions."""
    return _quantile(100.0, a, q, axis, keepdims)


@rule("quantile", returns=_quantile_fact(True), code="NPT113")
def quantile(
    a: ArrayLike, q: Value, axis: AxisLike = None, out: Refused = None, overwrite_input: Refused = False,
    method: Refused = "linear", keepdims: KeepDims = False, weights: Refused = None,
) -> Spelling:  # fmt: skip
    """Equal for the default method."""
    return _quantile(1.0, a, q, axis, keepdims)


_QUANTILE = "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False"
declare(AREA, {
    f"nanpercentile({_QUANTILE})": _quantile_fact(False),
    f"nanquantile({_QUANTILE})": _quantile_fact(True),
})  # fmt: skip
