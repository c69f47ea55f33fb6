"""Functions that a call gives back are called in their turn."""

from __future__ import annotations

import numpy as np
import pytest

from np2torch.verify.returned_functions import Answer, with_answers

OLD = """
import numpy as np
def power(n: int):
    def raised(x, y=0.0):
        return np.asarray(x, float) ** n + y
    return (np.sqrt, raised)[min(n, 1)]
"""
NEW = """
import torch
def power(n: int):
    def raised(x, y=0.0):
        return torch.as_tensor(x, dtype=torch.float64) ** {exponent} + y
    return (torch.sqrt, raised)[min(n, 1)]
"""


def linear(factor):
    def times(x):
        return factor * x

    def named(x, *, key):
        return x

    def raising(x):
        raise ValueError

    return times, named, raising, linear


def test_functions_that_are_made_stand_with_their_answers():
    times, named, raising, itself = with_answers(linear(2.0), False)
    assert np.array_equal(times[1][0], [1.5, 3.0, 4.5]) and times[1][1].shape == (3, 3) and times[1][2:] == [1.5, 4.0]
    assert raising[1] == [Answer.NONE] * 4
    assert named.__name__ == "named" and itself is linear
    assert with_answers(3.0, False) == 3.0


@pytest.mark.parametrize("exponent, verdict", [("n", "equal"), ("(n + 1)", "different")])
def test_what_a_returned_function_computes_is_compared(verify, exponent, verdict):
    _, rows = verify(OLD, NEW.format(exponent=exponent))
    assert rows["power"]["verdict"] == verdict
