"""Documented differences are named and not counted; all others are."""

from __future__ import annotations

from decimal import Decimal

import pytest

from np2torch.verify.calls import Call, Observed, Raised, Step
from np2torch.verify.encode import pack
from np2torch.verify.known import NEGATIVE_RANGE, known
from support.observed import seen
from support.trees import NEW, OLD


def call(*values):
    return Call((Step("f", None, len(values)),), pack(values, is_layout_kept=True))


def raised(name: str, message: str = "") -> Observed:
    return Observed(raised=Raised(name, (name, "Exception"), message, "outside", 0))


@pytest.mark.parametrize(
    ("made", "old", "new", "said"),
    [
        (call([Decimal(1)]), seen(1), raised("TypeError"), "Decimal"),
        (call(Decimal(1)), raised("TypeError"), raised("TypeError"), ""),
        (call(1.0), seen(1), raised("TypeError"), ""),
        (call(-1), seen(1), raised("RuntimeError", NEGATIVE_RANGE), "negative"),
        (call(-1), seen(1), raised("RuntimeError", "another"), ""),
        (call([1j]), raised("ValueError"), seen(1), "complex"),
        (call([1.0]), raised("ValueError"), seen(1), ""),
        (call([1j]), seen(1), seen(2), ""),
    ],
)
def test_documented_differences_are_told_by_both_sides(made, old, new, said):
    found = known(made, old, new)
    assert said in found and bool(said) == bool(found)


RAISING = (
    "def f(x: float):\n    x = np.float64(x)\n    try:\n        with np.errstate(divide='raise'):\n"
    "            1 / (x * 0)\n    except FloatingPointError:\n        return -1.0\n    return float(x)\n"
)
NOTE = "# TODO(np2torch): NPT310 torch neither warns nor raises where a result is not finite\n"


def test_an_error_of_arithmetic_that_torch_does_not_raise_is_known_where_a_note_says_so(verify):
    new = NEW + "def f(x):\n    torch.as_tensor(x) / 0\n    return float({})\n"
    _, rows = verify(OLD + RAISING, NOTE + new.format("x"))
    assert rows["f"]["known"] == ["torch raises no FloatingPointError, as a note in the code says"]
    assert rows["f"]["verdict"] != "different" and not [name for name in rows["f"]["counts"] if "differs" in name]
    _, rows = verify(OLD + RAISING, NOTE + new.format("x + 1"))
    assert rows["f"]["verdict"] == "different"
