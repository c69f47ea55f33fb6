"""The lines of guards, and what they weigh."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from np2torch.facts.guards import GuardLine, behind
from support.conversions import convert_text


def test_a_guard_for_attributes_alone_is_weighed():
    guard = GuardLine((), "floating", held=(("self.x", v.array("float64", 1)),))
    assert guard.refusal_weight == GuardLine(("x",), "floating").refusal_weight and len(guard.lines) == 1


def test_what_is_kept_weighs_by_its_share():
    one, half = (GuardLine(names, "floating", kept=("x",)).refusal_weight for names in (("x",), ("x", "y")))
    assert one > half > GuardLine(("x",), "floating").refusal_weight


def test_what_is_unknown_may_be_a_number_that_the_guard_leaves():
    left, made = (behind(GuardLine(("x",), "inexact", options), "x", v.TOP) for options in (("numbers=True",), ()))
    assert v.kinds(left) == {"array", "number"} and v.kinds(made) == {"array"}


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ("", set()), ("numbers=True", {"x", "y"}), ("numbers=(None, True)", {"y"}), ('only="double"', {"x", "y"}),
        ('only="double", numbers=(False, True)', {"y"}),
    ],
)  # fmt: skip
def test_a_guard_in_the_text_says_which_numbers_it_leaves(options, left):
    part = f"def part(x, y):\n    x, y = shim.floating(x, y, {options})\n    return x, y\n"
    caller = "def f(x, y):\n    x, y = part(x, y)\n    return np.cos(x), np.cos(y)\n"
    written = convert_text(f"import numpy as np\nfrom np2torch import shim\n\n\n{part}\n\n{caller}")
    assert {name for name in "xy" if f"torch.cos({name})" not in written} == left
