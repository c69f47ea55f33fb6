"""A bug that is planted counts where it changes what a call gives, and somebody knows what is right."""

from __future__ import annotations

import numpy as np
import seeded_bugs

from np2torch.verify.calls import Observation, RaisedError
from np2torch.verify.encode import pack


def giving(*numbers):
    return Observation(values=pack([[np.array(numbers)], [[], {}], []]))


RAISED = Observation(raised=RaisedError("AttributeError", ("AttributeError", "Exception"), "no NaN", "outside", 0))


def test_a_bug_counts_where_the_old_side_says_what_is_right():
    assert seeded_bugs._is_changed(giving(1.0), giving(1.0), giving(2.0))
    assert seeded_bugs._is_changed(giving(1.0), giving(1.0), RAISED)
    assert seeded_bugs._is_changed(RAISED, RAISED, giving(1.0))
    assert not seeded_bugs._is_changed(giving(1.0), giving(1.0), giving(1.0 + 1e-15))
    assert not seeded_bugs._is_changed(giving(2.0), giving(1.0), giving(2.0))
    assert not seeded_bugs._is_changed(RAISED, giving(1.0), giving(2.0))


def test_calls_that_cannot_be_made_say_nothing():
    refused = Observation(refused="inputs cannot be given")
    assert not seeded_bugs._is_changed(refused, refused, refused)
    assert not seeded_bugs._is_changed(giving(1.0), refused, refused)
