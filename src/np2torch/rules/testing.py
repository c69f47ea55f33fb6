"""`numpy.testing` on tensors of one dtype and rank: `torch.testing.assert_close` with NumPy's tolerances."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.results import always
from np2torch.rules.arraylike import loosen
from np2torch.rules.core import Body, rule
from np2torch.rules.pieces import Decline, Emit, Operand, Piece, Refused, Value, function

EXACT = frozenset({"bool", "int64", "int32", "uint8"})
COMPARED = EXACT | {"float64", "float32", "complex128"}
NONE = always(v.NONE)


def _alike(actual: Piece, desired: Piece) -> tuple[Piece, Piece]:
    """Two tensors of one rank, cast to one dtype: NumPy broadcasts scalars and promotes, torch refuses both."""
    if not actual.is_tensor and not desired.is_tensor:
        raise Decline("numbers, or a shape")
    pair = (loosen(actual), loosen(desired))
    if not all(piece.is_tensor for piece in pair) or not _of_one_shape(*pair):
        raise Decline("not two tensors of one shape for sure")
    dtypes = [piece.dtypes() for piece in pair]
    if dtypes[0] == dtypes[1] and pair[0].dtype in COMPARED:
        return pair
    if all(one <= EXACT | {"float64"} for one in dtypes) and frozenset({"float64"}) in dtypes:
        return pair[0].to("float64"), pair[1].to("float64")
    raise Decline("dtypes differ")


def _of_one_shape(left: Piece, right: Piece) -> bool:
    """Would NumPy refuse any other shape? It broadcasts scalars, and nothing else."""
    ranks = [v.ranks_of(piece.fact) for piece in (left, right)]
    if ranks[0] is None or ranks[1] is None:
        return False
    return 0 not in ranks[0] | ranks[1] or ranks[0] == ranks[1] == {0}


def _close(actual: Piece, desired: Piece, rtol: Piece | str, atol: Piece | str, equal_nan: Piece | str) -> Emit:
    pair = _alike(actual, desired)
    exact = pair[0].dtype in EXACT  # integers and bools have no NaN
    return function(
        "torch.testing.assert_close", *pair, rtol=rtol, atol=atol, equal_nan=None if exact else equal_nan
    )  # fmt: skip


def _tolerance(given: Piece, default: str) -> Piece | str:
    if given.given and not v.only(given.fact, "number"):
        raise Decline("the tolerance is not a number for sure")
    return given if given.given else default


@rule("testing.assert_allclose", returns=NONE, code="NPT171")
def assert_allclose(
    actual: Operand, desired: Operand, rtol: Value = 1e-07, atol: Value = 0, equal_nan: Value = True,
    err_msg: Refused = "", verbose: Refused = True, strict: Refused = False,
) -> Emit:  # fmt: skip
    """The same formula; torch's own tolerances are looser for float32 and its NaN are never equal."""
    nan = equal_nan if equal_nan.given else "True"
    return _close(actual, desired, _tolerance(rtol, "1e-7"), _tolerance(atol, "0.0"), nan)


def _equal(
    actual: Operand, desired: Operand, err_msg: Refused = "", verbose: Refused = True, strict: Refused = False
) -> Emit:
    """Without tolerance, NaN equal to NaN; of 0-D ones NumPy also looks at the sign of zero."""
    if actual.rank == 0:
        raise Decline("the sign of a zero counts")
    return _close(actual, desired, "0.0", "0.0", "True")


for _name in ("assert_array_equal", "assert_equal"):
    rule(f"testing.{_name}", returns=NONE, code="NPT171")(_equal)


def _almost(default: int) -> Body:
    def body(
        actual: Operand, desired: Operand, decimal: Value = default, err_msg: Refused = "", verbose: Refused = True
    ) -> Emit:
        places = decimal.constant
        if not isinstance(places, int):
            raise Decline("decimal unknown")
        return _close(actual, desired, "0.0", f"1.5e-{places}" if places > 0 else repr(1.5 * 10.0**-places), "True")

    body.__doc__ = "|a - b| within 1.5 units of a decimal place; NumPy's bound itself is not within."
    return body


for _name, _decimal in {"assert_almost_equal": 7, "assert_array_almost_equal": 6}.items():
    rule(f"testing.{_name}", returns=NONE, code="NPT171")(_almost(_decimal))
