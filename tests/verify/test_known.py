"""Documented differences are named and not counted; all others are."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from np2torch.verify.calls import Call, Observed, Raised, Step
from np2torch.verify.draw import Drawer
from np2torch.verify.encode import pack
from np2torch.verify.known import NEGATIVE_RANGE, known
from np2torch.verify.vary import nudged_above
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


def test_large_inputs_that_do_not_count_allow_nothing(verify, monkeypatch):
    old = "def g(x: float, big: float):\n    return float(x) * 2.0 + 1.0\n"
    new = "def g(x, big):\n    return float(x) * {} + 1.0\n"
    drawn = Drawer._plain
    monkeypatch.setattr(Drawer, "_plain", lambda self, kind: 6378137.0 + drawn(self, kind))
    _, rows = verify(OLD + old, NEW + new.format("(2.0 + 1e-11)"))
    assert rows["g"]["verdict"] == "different"
    _, rows = verify(OLD + old, NEW + new.format("2.0"))
    assert rows["g"]["verdict"] == "equal", rows["g"]["difference"]


def test_large_floats_alone_are_moved():
    rng, x = np.random.default_rng(0), np.array([1.0, 1e9, -1e9, np.nan, np.inf])
    found = nudged_above(x, 10.0, rng)
    assert (found[1:3] != x[1:3]).all() and found[0] == 1.0 and np.isnan(found[3]) and np.isinf(found[4])
    assert nudged_above([1.0, 1e9, 3], 10.0, rng)[::2] == [1.0, 3] and nudged_above(1e9, 10.0, rng) != 1e9
