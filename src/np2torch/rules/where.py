"""`np.where`: Python numbers beside tensors, which torch makes tensors of its own default dtypes."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.results import ufunc
from np2torch.rules.casts import Casts, apply_casts, unify
from np2torch.rules.core import Area, rule
from np2torch.rules.rule_arguments import (
    FULL_INEXACT,
    UNSIGNED,
    ArrayLike,
    Decline,
    Operand,
    RuleArgument,
    Spelling,
    function,
    number_kinds,
    text,
)

AREA = Area("elementwise", takes_text=True)


def _where_fact(bound: BoundArguments) -> v.Fact:
    if not bound.is_given("x"):
        ranks = v.ranks_of(bound["condition"].fact)
        item = v.array("int64", 1)
        if ranks is not None and len(ranks) == 1:
            return v.tuple_of(*[item] * max(next(iter(ranks)), 1))
        return v.one(v.Sequence("tuple", None, item))
    if any(v.only(bound[name].fact, "text", "none", "mapping") for name in ("x", "y")):
        return v.FOREIGN  # of text or of objects
    result = ufunc("add", [bound["x"].fact, bound["y"].fact])
    if v.is_anything(result):
        return v.ARRAY
    if result == v.FOREIGN:
        return result
    shape = ufunc("equal", [bound["condition"].fact, result])
    return v.one(v.Array(v.dtypes_of(result), v.ranks_of(shape)))


@rule("where", returns=_where_fact, code="NPT103")
def where(condition: ArrayLike, x: Operand = None, y: Operand = None) -> Spelling:
    """Python floats on both sides would round to torch's default dtype first: one is made a tensor."""
    if not x.given:
        return _indices(condition)
    if condition.dtypes() != {"bool"}:
        raise Decline("condition is not bool")
    branches = BRANCHES[v.only(x.fact, "number"), v.only(y.fact, "number")]
    return branches(condition, x, y)


def _indices(condition: RuleArgument) -> Spelling:
    """Spell where a condition holds."""
    if condition.rank == 0 or (v.dtypes_of(condition.fact) or frozenset()) & UNSIGNED:
        raise Decline("NumPy raises, or torch does")
    return text(f"torch.nonzero({condition}, as_tuple=True)")


def _of_numbers(condition: RuleArgument, x: RuleArgument, y: RuleArgument) -> Spelling:
    """Choose of two Python numbers."""
    kinds = number_kinds(x, y)
    if kinds <= {"float"} or kinds == {"float", "int"}:
        return text(f"torch.where({condition}, torch.tensor({x}, dtype=torch.float64), {y})", cast=True)
    if kinds == {"int"}:
        return function("torch.where", condition, x, y)
    raise Decline("kinds of the branches")


def _beside_number(array: RuleArgument, number: RuleArgument) -> None:
    """Decline a Python number that would change the dtype of the array beside it."""
    kinds = number_kinds(number)
    weak = FULL_INEXACT | {"int64"} if kinds <= {"int"} else FULL_INEXACT
    wide = array.dtypes() <= weak and kinds <= {"int", "float"}
    if not array.is_tensor or not wide or array.rank == 0:
        raise Decline("dtype or axes unknown")


def _number_first(condition: RuleArgument, x: RuleArgument, y: RuleArgument) -> Spelling:
    """Choose of a Python number and an array."""
    _beside_number(y, x)
    return function("torch.where", condition, x, y)


def _number_last(condition: RuleArgument, x: RuleArgument, y: RuleArgument) -> Spelling:
    """Choose of an array and a Python number."""
    _beside_number(x, y)
    return function("torch.where", condition, x, y)


def _of_arrays(condition: RuleArgument, x: RuleArgument, y: RuleArgument) -> Spelling:
    """Choose of two arrays, in the dtype that NumPy promotes them to."""
    casts = Casts((None, None)) if x.dtype is not None and x.dtype == y.dtype else unify("add", [x.fact, y.fact])
    if not (x.is_tensor and y.is_tensor) or casts is None or casts.result is not None:
        raise Decline("dtypes differ")
    return function("torch.where", condition, *apply_casts(casts, [x, y]))


BRANCHES = {
    (True, True): _of_numbers, (True, False): _number_first, (False, True): _number_last, (False, False): _of_arrays,
}  # fmt: skip
"""How branches are spelled, by whether each of them is a Python number."""
