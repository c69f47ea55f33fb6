"""What callers may pass: beside what nobody knows, that which nobody calculates with says nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch.facts import values as v
from np2torch.facts.passed_objects import calculable
from support.guards import convert

HEAD = "import numpy as np\n\n\n"
CALLED = """class Plain:
    def __init__(self, name):
        self.name = name


class Called:
    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        return self.function(*args)


def _scaled(x, y):
    return np.sqrt(np.sum(x * y)) / np.sum(y)


def _named(one, other):
    return one.name, other


scaled = Called(_scaled)
named = Called(_named)


def both(x, y):
    return scaled(x, y), named(Plain("a"), [Plain("b"), None][1])
"""


def run(text: str) -> Any:
    space: dict[str, Any] = {}
    exec(text, space)
    return space["both"]


def test_arguments_that_pass_through_one_place_do_not_keep_guards_away() -> None:
    after = convert(CALLED).after
    assert "x, y = shim.inexact(" in after and "torch.sqrt(torch.sum(x * y))" in after
    old, new = run(HEAD + CALLED), run(after)
    for x, y in (
        (np.array([1.0, 2.0]), np.array([0.5, 4.0])),
        (np.array([1, 2]), np.array([3, 4])),
        (np.array([1.0, 2.0], np.float32), np.array([0.5, 4.0], np.float32)),
    ):
        (expected, _), (found, name) = old(x, y), new(torch.from_numpy(x), torch.from_numpy(y))
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12 if x.dtype != np.float32 else 1e-6)
        assert found.numpy().dtype == expected.dtype and name == ("a", None)


@pytest.mark.parametrize("sign", ["__add__", "__getitem__", "__array__"])
def test_objects_that_are_used_as_arrays_are_count(sign: str) -> None:
    method = f"def {sign}(self, *more):\n        return 1\n\n    "
    own = CALLED.replace("def __init__(self, name)", f"{method}def __init__(self, name)")
    assert own != CALLED and "shim.inexact(" not in convert(own).after


def test_nothing_is_left_out_of_what_is_known() -> None:
    known = v.join(v.ARRAY, v.TEXT)
    assert calculable(known) == known
    assert calculable(v.join(known, v.TOP)) == v.join(v.ARRAY, v.TOP)


BOUNDED = """class Bounded:
    def __init__(self, scale, gain=0.0, limits=(None, None)):
        self.scale, self.gain = scale, gain
        self.low, self.high = limits
        self.whole = 0

    def __call__(self, error, step=1.0):
        self.whole += error * step
        out = self.scale * error + self.gain * self.whole
        if self.low is not None:
            out = max(out, self.low)
        return out if self.high is None else min(out, self.high)


def both(*args):
    return _drive(globals()["Bounded"], *args)


def _drive(cls, errors):
    one = cls(0.5, 0.1, (-1.0, 1.0))
    return [one(e) for e in errors]
"""


def test_a_default_is_certain() -> None:
    old, new = run(HEAD + BOUNDED), run(convert(BOUNDED).after)
    x = np.array([0.25, 4.0])
    np.testing.assert_allclose([*map(float, new(torch.from_numpy(x)))], old(x), rtol=1e-12)
