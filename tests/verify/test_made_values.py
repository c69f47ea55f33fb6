"""Values that functions of a module give are passed to the others of it, where their contract takes them."""

from __future__ import annotations

import numpy as np

from np2torch.verify.calls import Observation
from np2torch.verify.kinds import kinds
from np2torch.verify.made_values import distinct, given_values, gives_something, made_recipes
from support.observed import seen


def test_arrays_and_lists_of_numbers_are_kept():
    assert [one.tolist() for one in given_values(seen((np.eye(2), 1.0, "text")))] == [[[1.0, 0.0], [0.0, 1.0]]]
    assert list(given_values(seen([1.0, 2]))) == [[1.0, 2]]
    for value in (None, np.array([np.nan]), np.zeros(1000), np.float64(1), "text", []):
        assert not list(given_values(seen(value)))
    assert not list(given_values(Observation(ended="hang")))


def test_few_are_kept_of_one_shape():
    assert [np.shape(one) for one in distinct([np.eye(2)] * 5 + [np.eye(3)])] == [(2, 2), (2, 2), (3, 3)]


def test_what_documentation_names_promises_most():
    made = {name: [np.eye(2)] for name in ("make", "other", "take")} | {"count": [np.arange(3)]}
    found = made_recipes(made, "take", "Undo what ``make`` does, as `take` does.", kinds("float64[n, n]"))
    assert list(found) == ["made make", "made take", "made other"] and found["made make"] > found["made other"]
    assert not made_recipes(made, "take", "make", kinds("int | str"))


def test_a_result_of_nothing_but_zeros_and_nan_tells_little():
    for value in (None, 0.0, np.array([np.nan, 0.0]), ([], [], 0), np.zeros((0, 2)), False):
        assert not gives_something(seen(value))
    for value in ("text", 1, np.array([np.nan, 2.0]), ([], np.ones(2)), True):
        assert gives_something(seen(value))
