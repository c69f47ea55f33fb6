"""A call that takes long where NumPy raises is told from one without an end by smaller inputs."""

from __future__ import annotations

import numpy as np
import pytest

from np2torch.verify.calls import Observation, RaisedError
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.slow_calls import ends_when_smaller
from support.observed import seen

RAISED = Observation(raised=RaisedError("ValueError", ("ValueError", "Exception"), "a sequence", "outside", 0))
OWN = RAISED._replace(raised=RAISED.raised._replace(by="own"))
ENDLESS = Observation(ended="hang")


class Side:
    """Gives what a function of the length of the first argument says."""

    def __init__(self, answer):
        self.answer = answer

    def run(self, calls, **_):
        return [self.answer(len(one[0])) for one in calls]


class Called:
    """Stands for a target: the values are the call."""

    def call(self, inputs):
        return inputs.values


@pytest.mark.parametrize(
    ("old", "new", "given", "ends"),
    [
        (lambda n: RAISED, lambda n: seen(n), RAISED, True),
        (lambda n: RAISED, lambda n: ENDLESS, RAISED, False),
        (lambda n: RAISED if n > 3 else seen(n), lambda n: seen(n) if n > 3 else ENDLESS, RAISED, True),
        (lambda n: seen(n), lambda n: seen(n), RAISED, False),
        (lambda n: OWN, lambda n: seen(n), OWN, False),
    ],
)
def test_what_ends_for_smaller_inputs_is_only_slow(old, new, given, ends):
    inputs = Inputs((np.ones((60, 40)), [1.0] * 60, 2), ())
    assert ends_when_smaller(Called(), Side(old), Side(new), inputs, given) == ends
    assert not ends_when_smaller(Called(), Side(old), Side(new), None, given)
