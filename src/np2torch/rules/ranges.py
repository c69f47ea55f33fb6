"""Points at equal distances: torch refuses bounds in the wrong order, and rounds otherwise."""

from __future__ import annotations

import ast
import math
from typing import Any, NamedTuple

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.domain import DOMAIN
from np2torch.facts.notation import FAMILIES
from np2torch.facts.results import array_with, arraylike, given_dtype, make, rank_of_source
from np2torch.names.tree import dotted_name
from np2torch.rules.bounds import least
from np2torch.rules.core import Area, declare, rule
from np2torch.rules.creation import refuse_wide_unsigned
from np2torch.rules.rule_arguments import (
    COMPLEX,
    Decline,
    DTypeLike,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    function,
    number_kinds,
    text,
)

AREA = Area("creation")


def _arange_dtype(bound: BoundArguments) -> v.Names:
    def default(b: BoundArguments) -> v.Names:
        parts = [
            arraylike(b[n].fact, weak=False) for n in ("start", "stop", "step") if b.is_given(n) and not b[n].is_none
        ]
        known = [p[0] for p in parts if p]
        if not known or any(k is None for k in known):
            return None
        dtypes = known[0]
        for other in known[1:] or known:
            dtypes = results.result_dtypes("add", [dtypes, other])
        return dtypes

    return given_dtype(default)(bound)


def follow_step(values: list[object]) -> bool:
    """Tell whether constant bounds run the way of their step."""
    if not all(isinstance(value, (int, float)) for value in values):
        return False
    start, stop, step = (*values, 1)[:3]
    assert isinstance(start, (int, float)) and isinstance(stop, (int, float)) and isinstance(step, (int, float))
    return step > 0 and stop >= start or step < 0 and stop <= start


def _rises(start: RuleArgument, stop: RuleArgument, step: RuleArgument) -> bool:
    """Tell whether they are integers of which the second is never less than the first: `arange(1, len(x) + 1)`."""
    first = start.constant
    upward = not step.is_passed or isinstance(step.constant, int) and step.constant > 0
    if not isinstance(first, int) or stop.node is None or not upward:
        return False
    return first <= least(stop.node, stop.asked.fact)


def exact(*numbers: object) -> bool:
    """Tell whether they are fractions of few bits, whose sums and multiples are the same however they are computed."""
    return all(
        isinstance(n, (int, float)) and abs(n) < 2**20 and float(n * 2**20).is_integer() for n in numbers
    )  # fmt: skip


def multiples(points: list[object], stop: RuleArgument, step: RuleArgument) -> str:
    """The multiples of a fraction from zero on, rounded as NumPy rounds them; nothing for other points.

    Parameters
    ----------
    points
        The constants `start`, `stop` and `step`, as many as there are.
    stop, step
        What the last two are written as; their names are kept, for these may come to mean something else.
    """
    if (
        len(points) != 3
        or not follow_step(points)
        or points[0] != 0
        or not isinstance(points[2], float)
        or points[2] < 0
    ):
        return ""
    assert isinstance(points[1], (int, float))
    if isinstance(stop.node, ast.Constant) and isinstance(step.node, ast.Constant):
        count = str(math.ceil(points[1] / points[2]))
    elif all(isinstance(piece.node, (ast.Constant, ast.Name)) for piece in (stop, step)):
        count = f"math.ceil({stop} / {step})"
    else:
        return ""
    return f"torch.arange({count}, dtype=torch.float64) * {step}"


class Bounds(NamedTuple):
    """The bounds of a range."""

    start: RuleArgument
    stop: RuleArgument
    step: RuleArgument

    def passed_bounds(self) -> list[RuleArgument]:
        """List those that are passed."""
        return [bound for bound in self if bound.is_passed]

    def kinds(self) -> set[str]:
        """Give the kinds of Python numbers that they may be."""
        return number_kinds(*self.passed_bounds())

    def are_real(self) -> bool:
        """Tell whether they are Python numbers that have an order."""
        numbers = all(v.only(bound.fact, "number") and not bound.is_tensor for bound in self.passed_bounds())
        return numbers and "complex" not in self.kinds()

    def in_order(self) -> list[RuleArgument | str] | None:
        """Give them as torch takes them, the end never before the beginning; None where that is not known."""
        passed = self.passed_bounds()
        alone = passed[0].constant if len(passed) == 1 else None
        if isinstance(alone, (int, float)) and alone < 0:
            return None
        if len(passed) < 2 or follow_step([bound.constant for bound in passed]) or _rises(*self):
            return [*passed]
        return None if "float" in self.kinds() else _bounded(*self)


@rule("arange", returns=array_with(_arange_dtype, 1), code="NPT121")
def arange(start: Value, stop: Value = None, step: Value = None, dtype: DTypeLike = None) -> Spelling:
    """int64 on both sides; floats are float64 here and float32 in torch unless it is said.

    Where the points are no fractions of few bits the last bit of torch's differs: NumPy adds i times the rounded
    difference of the first two.
    """
    bounds = Bounds(start, stop, step)
    if not bounds.are_real():
        raise Decline("bounds unknown")
    in_order = bounds.in_order()
    if in_order is None:
        raise Decline("torch refuses bounds in the wrong order, NumPy gives an empty array")
    return _float_range(bounds, dtype) if "float" in bounds.kinds() else _integer_range(in_order, dtype)


def _float_range(bounds: Bounds, dtype: RuleArgument) -> Spelling:
    """Spell a range of floats whose points are the same however they are computed."""
    passed = bounds.passed_bounds()
    if "int" in bounds.kinds() and any(len(bound.fact) > 1 for bound in passed):
        raise Decline("kinds of the bounds")
    if dtype.given:
        raise Decline("float bounds cast")
    points = [bound.constant for bound in passed]
    if not exact(*points[:1], *points[2:]) and (scaled := multiples(points, bounds.stop, bounds.step)):
        return text(scaled)
    if len(points) > 1 and not exact(bounds.start.constant, *points[2:]):
        raise Decline("torch rounds the points otherwise")
    return function("torch.arange", *passed, dtype="torch.float64")


def _integer_range(bounds: list[RuleArgument | str], dtype: RuleArgument) -> Spelling:
    """Spell a range of integers, of the dtype that is passed."""
    if not dtype.is_passed:
        return function("torch.arange", *bounds)
    refuse_wide_unsigned(dtype)
    if (COMPLEX | {"float16"}) & (results.dtype_names(dtype.fact) or DOMAIN.dtypes):
        raise Decline("torch adds up halves, NumPy multiplies; torch has no complex ranges")
    return function("torch.arange", *bounds, dtype=dtype)


def _bounded(start: RuleArgument, stop: RuleArgument, step: RuleArgument) -> list[RuleArgument | str] | None:
    """Integer bounds with the end never before the beginning, where torch raises and NumPy gives an empty array.

    None where the direction is not known, or the beginning cannot be written twice.
    """
    by = step.constant if step.is_passed else 1
    if not isinstance(by, int) or not by or not _is_path(start.node):
        return None
    steps = [step] if step.is_passed else []
    return [start, f"{'max' if by > 0 else 'min'}({start}, {stop})", *steps]


def _is_path(node: ast.expr | None) -> bool:
    """Tell whether it is a name, a path of attributes or a number, which gives the same when it is read twice."""
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(inner, ast.Constant) or inner is not None and dotted_name(inner) is not None


def _of_bounds(bound: BoundArguments) -> v.Names:
    """The precision of both bounds, of which Python numbers have none; float64 for whole numbers."""
    parts = [arraylike(bound[name].fact) or (None, None) for name in ("start", "stop")]
    found = results.result_dtypes("result_type", [dtypes for dtypes, _ in parts])
    found = DOMAIN.unknown if found is None else found
    return frozenset(name if name in FAMILIES["inexact"] else "float64" for name in found)


def _of_bounds_and_base(bound: BoundArguments) -> v.Names:
    return None if bound.is_given("base") else _of_bounds(bound)


def _linspace_fact(bound: BoundArguments) -> v.Fact:
    if bound.is_given("retstep"):
        return v.TOP
    ranks = results.broadcast(rank_of_source(n)(bound) for n in ("start", "stop"))
    return make(given_dtype(_of_bounds)(bound), None if ranks is None else frozenset(r + 1 for r in ranks))


def _step(first: Any, last: Any, count: int) -> float:
    """The distance of the points, where it is the same all the way; else NaN."""
    step = (last - first) / (count - 1) if count > 1 else 0.0
    return step if step * (count - 1) == last - first or count == 1 else math.nan


@rule("linspace", returns=_linspace_fact, code="NPT121")
def linspace(
    start: Value, stop: Value, num: Value = 50, endpoint: Refused = True, retstep: Refused = False,
    dtype: Refused = None, axis: Refused = 0,
) -> Spelling:  # fmt: skip
    """float64; fifty points unless said otherwise (torch has no default).

    torch works from both ends, NumPy from the start: the last bit differs, but for points that are fractions of few
    bits.
    """
    for bound in (start, stop):
        if not v.only(bound.fact, "number") or any(isinstance(a, v.Num) and a.type == "complex" for a in bound.fact):
            raise Decline("bounds unknown")
    if num.given and not v.only(num.fact, "number"):
        raise Decline("number unknown")
    first, last, count = start.constant, stop.constant, num.constant
    if not exact(first, last) or not isinstance(count, int) or not exact(_step(first, last, count)):
        raise Decline("torch rounds the points otherwise")
    return function("torch.linspace", start, stop, num if num.given else "50", dtype="torch.float64")


declare(AREA, {
    "logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)": array_with(
        given_dtype(_of_bounds_and_base), 1
    ),
    "geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)": array_with(given_dtype(None), 1),
})  # fmt: skip
