"""`numpy.testing` on tensors of one dtype and rank: `torch.testing.assert_close` with NumPy's tolerances."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.ndarray_subclasses import is_one, objects
from np2torch.facts.results import always
from np2torch.names.tree import dotted, walk
from np2torch.rules.arraylike import WEAKLY_SAFE, loosen
from np2torch.rules.core import Body, rule
from np2torch.rules.rule_arguments import Decline, Operand, Refused, RuleArgument, Spelling, Value, function

EXACT = frozenset({"bool", "int64", "int32", "uint8"})
FLOAT = frozenset({"float64"})
COMPARED = EXACT | {"float64", "float32", "complex128"}
NONE = always(v.NONE)


def _alike(actual: RuleArgument, desired: RuleArgument) -> tuple[RuleArgument, RuleArgument]:
    """Two tensors of one rank, cast to one dtype: NumPy broadcasts scalars and promotes, torch refuses both."""
    _take_objects_for_arrays(actual, desired)
    if not actual.is_tensor and not desired.is_tensor:
        raise Decline("numbers, or a shape")
    pair = _spread(actual, desired) or _spread(desired, actual)
    if pair is not None:
        return pair if pair[0] is actual else (pair[1], pair[0])
    pair = (loosen(actual), loosen(desired))
    if not all(piece.is_tensor for piece in pair) or not _of_one_shape(*pair):
        raise Decline("not two tensors of one shape for sure")
    dtypes = [piece.dtypes() for piece in pair]
    if dtypes[0] == dtypes[1] and pair[0].dtype in COMPARED:
        return pair
    known = all(v.dtypes_of(piece.fact) for piece in pair)
    if known and all(one <= EXACT | FLOAT for one in dtypes) and FLOAT in dtypes:
        return pair[0].to("float64"), pair[1].to("float64")
    if all(one <= WEAKLY_SAFE for one in dtypes) or FLOAT in dtypes:  # beside float64 both promote alike
        return pair
    raise Decline("dtypes differ")


def _take_objects_for_arrays(*pieces: RuleArgument) -> None:
    """Objects of a class of tensors are compared as the tensors they are; torch refuses those of two classes."""
    classes = {atom.definition for piece in pieces for atom in objects(piece.fact) if isinstance(atom, v.Instance)}
    for piece in pieces if len(classes) == 1 else ():
        if objects(piece.fact):
            piece.assume(v.join(v.keep(piece.fact, lambda atom: not is_one(atom)), v.one(v.Array(None, None))))


def _spread(tensor: RuleArgument, number: RuleArgument) -> tuple[RuleArgument, RuleArgument] | None:
    """A tensor that can be written twice and, of its shape, the number all of its elements are compared with."""
    kinds = {atom.type for atom in number.fact if isinstance(atom, v.Num)}
    whole = tensor.dtype == "int64" and kinds == {"int"}
    if tensor.rank == 0 or not v.only(number.fact, "number") or not whole and tensor.dtype != "float64":
        return None
    if not tensor.is_tensor or not kinds <= {"int", "float"} or tensor.node is None or not _is_plain(tensor.node):
        return None
    zero = number.constant == 0
    made = f"torch.zeros_like({tensor})" if zero else f"torch.full_like({tensor}, {number})"
    return tensor, number.spelled(made, tensor.dtype)


def _is_plain(node: ast.expr) -> bool:
    """Tell whether it is a name, an attribute or a part of one, which costs nothing to write twice."""
    if isinstance(node, ast.Subscript):
        return _is_plain(node.value) and not any(isinstance(one, (ast.Call, ast.NamedExpr)) for one in walk(node.slice))
    return dotted(node) is not None


def _of_one_shape(left: RuleArgument, right: RuleArgument) -> bool:
    """Tell whether NumPy would refuse any other shape: it broadcasts scalars only.

    If scalars are possible, torch raises for one beside an array.
    """
    ranks = [v.ranks_of(piece.fact) for piece in (left, right)]
    if ranks[0] is None or ranks[1] is None:
        return frozenset({0}) not in ranks
    return bool(ranks[0] & ranks[1] - {0}) or ranks[0] == ranks[1] == {0}


def _close(
    actual: RuleArgument,
    desired: RuleArgument,
    rtol: RuleArgument | str,
    atol: RuleArgument | str,
    equal_nan: RuleArgument | str,
) -> Spelling:
    for piece in (actual, desired):  # None and an empty list are no tensors: with one of these torch raises
        piece.assume(v.keep(piece.fact, lambda atom: not _is_nothing(atom)) or piece.fact)
    numbers = _types_of_numbers(actual) | _types_of_numbers(desired)
    if None not in numbers:
        return function(
            "torch.testing.assert_close", actual, desired, rtol=rtol, atol=atol,
            equal_nan=equal_nan if "float" in numbers else None, check_dtype=None if len(numbers) == 1 else "False",
        )  # fmt: skip
    pair = _alike(actual, desired)
    dtypes = pair[0].dtypes() | pair[1].dtypes()
    return function(
        "torch.testing.assert_close", *pair, rtol=rtol, atol=atol,
        equal_nan=None if dtypes <= EXACT else equal_nan,  # integers and bools have no NaN
        check_dtype=None if len(dtypes) == 1 else "False",
    )  # fmt: skip


def _is_nothing(atom: v.Atom) -> bool:
    return atom.kind == "none" or isinstance(atom, v.Sequence) and atom.items == ()


def _types_of_numbers(piece: RuleArgument) -> set[str | None]:
    """The types of a Python number, int or float; None for anything else it may be."""
    types = {
        atom.type if isinstance(atom, v.Num) else "float" if isinstance(atom, v.Scalar) and atom.python else None
        for atom in piece.fact
    }
    return {one if one in ("int", "float") else None for one in types} or {None}


def _tolerance(given: RuleArgument, default: str) -> RuleArgument | str:
    if given.given and not v.only(given.fact, "number"):
        raise Decline("the tolerance is not a number for sure")
    return given if given.given else default


@rule("testing.assert_allclose", returns=NONE, code="NPT171")
def assert_allclose(
    actual: Operand, desired: Operand, rtol: Value = 1e-07, atol: Value = 0, equal_nan: Value = True,
    err_msg: Refused = "", verbose: Refused = True, strict: Refused = False,
) -> Spelling:  # fmt: skip
    """The same formula; torch's own tolerances are looser for float32 and its NaN are never equal."""
    nan = equal_nan if equal_nan.given else "True"
    return _close(actual, desired, _tolerance(rtol, "1e-7"), _tolerance(atol, "0.0"), nan)


def _same(sign_counts: bool) -> Body:
    def body(
        actual: Operand, desired: Operand, err_msg: Refused = "", verbose: Refused = True, strict: Refused = False
    ) -> Spelling:
        ranks = v.ranks_of(actual.fact)
        if sign_counts and (ranks is None or 0 in ranks) and not desired.constant:
            raise Decline("the sign of a zero counts")
        return _close(actual, desired, "0.0", "0.0", "True")

    body.__doc__ = "Without tolerance, NaN equal to NaN" + "; of 0-D ones the sign of zero counts." * sign_counts
    return body


for _name, _sign in {"assert_array_equal": False, "assert_equal": True}.items():
    rule(f"testing.{_name}", returns=NONE, code="NPT171")(_same(_sign))


def _almost(default: int) -> Body:
    def body(
        actual: Operand, desired: Operand, decimal: Value = default, err_msg: Refused = "", verbose: Refused = True
    ) -> Spelling:
        places = decimal.constant
        if isinstance(places, int):
            within = f"1.5e-{places}" if places > 0 else repr(1.5 * 10.0**-places)
        elif any(not isinstance(atom, v.Num) or atom.type != "int" for atom in decimal.fact):
            raise Decline("decimal unknown")
        else:
            within = f"1.5 * 10.0 ** -{decimal}"
        return _close(actual, desired, "0.0", within, "True")

    body.__doc__ = "|a - b| within 1.5 units of a decimal place; NumPy's bound itself is not within."
    return body


for _name, _decimal in {"assert_almost_equal": 7, "assert_array_almost_equal": 6}.items():
    rule(f"testing.{_name}", returns=NONE, code="NPT171")(_almost(_decimal))
