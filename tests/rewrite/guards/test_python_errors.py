"""Lists raise errors of their own, so that a guard needs no options for them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from support.guards import both, convert, is_equal, outcome, tensors

WEIGHED = """def weighed(x, w):
    n, m = x.shape
    w = np.asarray(w)
    return np.sqrt(np.abs(x * w)) / (n * m)
"""
POWER = """def power(x, mask):
    n, m = x.shape
    return np.sum(x * mask * 2.5) / (n * m)
"""
SIZED = """def sized(x):
    try:
        n = x.shape[0]
    except AttributeError:
        n = -1
    return n * np.sqrt(np.abs(x))
"""
MATRIX, ROW = np.array([[1.5, -2.0, 3.0], [0.0, 1.0, 2.0]]), np.array([0.5, -1.25, 3.0])
GIVEN = [
    MATRIX, MATRIX.astype(np.float32), MATRIX.astype(np.int64), MATRIX.astype(np.uint8), ROW, ROW.astype(np.float32),
    [1.0, 2.0, 4.0], [1, 2, 4], MATRIX.tolist(), 2.5, 3,
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name", "several"), [(WEIGHED, "weighed", 2), (POWER, "power", 2), (SIZED, "sized", 1)]
)
def test_what_a_guard_takes_gives_what_numpy_gives(text: str, name: str, several: int) -> None:
    old, new, after = both(text, name)
    assert "shim.operator" not in after
    for call in itertools.product(GIVEN, repeat=several):
        before, answer = outcome(old, list(call)), outcome(new, list(map(tensors, call)))
        assert answer is None or before is None or all(map(is_equal, before, answer)), (call, before, answer)
    assert outcome(new, [tensors(MATRIX)] * several) is not None


def test_lists_that_raise_an_error_are_no_option() -> None:
    """`x` has to have a shape and `w` may be a list: nothing is said of either."""
    assert "lists" not in both(WEIGHED, "weighed")[2]


def test_one_word_refuses_lists_where_others_raise_an_error() -> None:
    """A list for `mask` may be repeated; one for `x` raises an error with or without the word."""
    assert "lists=False" in both(POWER, "power")[2]


def test_an_error_that_is_caught_is_told_from_an_answer() -> None:
    assert "lists=False" in both(SIZED, "sized")[2]


def test_the_items_of_a_list_may_be_arrays() -> None:
    text = "def widths(pair: tuple, x):\n    return [np.sqrt(one.reshape(1, -1)) * x for one in pair]\n"
    assert "pair = shim." not in convert(text).after
