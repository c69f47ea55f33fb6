"""Pasts that change most of an object come first, and variations of what the method itself takes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from np2torch.verify.calls import Observation
from np2torch.verify.drawn_values import Before, Inputs
from np2torch.verify.pasts import by_change, count_changes, own_first
from support.observed import seen


class Ball(SimpleNamespace):
    """An object with attributes."""


def test_what_changes_most_of_the_object_comes_first():
    plain = seen(Ball(a=1, b=np.zeros(2), c="text"), 5)
    one, both = seen(Ball(a=2, b=np.zeros(2), c="text"), 5), seen(Ball(a=1.0, b=np.ones(2), c="other"), 7)
    assert [count_changes(two, plain) for two in (plain, one, both)] == [0, 1, 2]
    assert count_changes(Observation(ended="hang"), plain) == 0
    step = Before(0, (), ())
    steps = zip((3, 2, 1), (plain, plain, both), strict=True)
    pasts = [(Inputs((count,), (), before=(step,) * count), each) for count, each in steps]
    assert [two.values[0] for two in by_change(pasts, [plain] * 3)] == [1, 2, 3]


def test_what_the_method_takes_is_varied_first():
    notes = [Inputs((), (), note) for note in ("start: NaN", "x: NaN", "start: list", "x: list")]
    assert [one.note for one in own_first(notes, ["x"])] == ["x: NaN", "x: list", "start: NaN", "start: list"]
