"""Documented differences are named and not counted; all others are."""

from __future__ import annotations

from decimal import Decimal

import pytest

from np2torch.verify.calls import Call, Observation, RaisedError, Step
from np2torch.verify.encode import pack
from np2torch.verify.known_differences import (
    AMBIGUOUS,
    NEGATIVE_RANGE,
    NO_TENSORS,
    OF_OBJECTS,
    REMOVED,
    WITHOUT_AXES,
    find_difference,
)
from support.observed import seen


def call(*values):
    return Call((Step("f", None, len(values)),), pack(values, is_layout_kept=True))


def raised(name: str, message: str = "") -> Observation:
    return Observation(raised=RaisedError(name, (name, "Exception"), message, "outside", 0))


@pytest.mark.parametrize(
    ("made", "old", "new", "said"),
    [
        (call([Decimal(1)]), seen(1), raised("TypeError"), "Decimal"),
        (call(Decimal(1)), raised("TypeError"), raised("TypeError"), ""),
        (call(1.0), seen(1), raised("TypeError"), ""),
        (call(-1), seen(1), raised("RuntimeError", NEGATIVE_RANGE), "negative"),
        (call(-1), raised("ValueError"), raised("RuntimeError", NEGATIVE_RANGE), "negative"),
        (call(-1), seen(1), raised("RuntimeError", "another"), ""),
        (call(0.5), seen(1), raised("RuntimeError", f"multi_dot(): the first {WITHOUT_AXES}"), "axes"),
        (call(0), seen(1), raised("RuntimeError", NO_TENSORS), "stack"),
        (call([]), raised("ValueError"), raised("RuntimeError", NO_TENSORS), "stack"),
        (call(None), seen(1), raised("AttributeError", f"{OF_OBJECTS} 'to'"), "None"),
        (call(1.0), seen(1), raised("AttributeError", f"{OF_OBJECTS} 'to'"), ""),
        (call(1.0), raised("AttributeError", f"`np.float_` {REMOVED} 2.0 release."), seen(1), "no more"),
        (call([1]), raised("ValueError"), raised("RuntimeError", AMBIGUOUS), "truth"),
        (call([1]), seen(1), raised("RuntimeError", AMBIGUOUS), ""),
        (call([1j]), raised("ValueError"), seen(1), "complex"),
        (call([1.0]), raised("ValueError"), seen(1), ""),
        (call([1j]), seen(1), seen(2), ""),
        (call([1.0], 0), raised("ZeroDivisionError"), seen(1), "divided by zero"),
        (call(1.0, 0), raised("ZeroDivisionError"), seen(1), ""),
        (call([1.0], 0), raised("IndexError"), seen(1), ""),
    ],
)
def test_documented_differences_are_told_by_both_sides(made, old, new, said):
    found = find_difference(made, old, new)
    assert said in found and bool(said) == bool(found)
