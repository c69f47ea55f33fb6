"""Calls whose result does not hang on the numbers in arrays come after others, and more of these are searched for."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from np2torch.verify.children import Child, Limits
from np2torch.verify.drawn_values import Inputs, cost
from np2torch.verify.effect import with_other_numbers, without_effect
from np2torch.verify.explore import LEAST_GOOD, Explorer
from np2torch.verify.hints import hints
from np2torch.verify.pairs import functions, place_of
from np2torch.verify.target import Target

TEXT = """
def f(x, lag):
    if lag >= len(x):
        return 1.0, lag
    return float(x[lag:].sum()), lag
"""


@pytest.mark.parametrize(
    ("value", "other"),
    [(np.array([1, 2]), [3, 5]), (np.array([0.5]), [2.0]), (np.array([1j]), [1 + 2j])],
)
def test_all_arrays_of_numbers_are_changed(value, other):
    changed = with_other_numbers(Inputs((value, "a", value[:0], 3), ()))
    assert changed is not None and changed.values[0].tolist() == other and changed.values[0].dtype == value.dtype
    assert changed.values[1:2] == ("a",) and not changed.values[2].size and changed.values[3] == 3
    assert with_other_numbers(Inputs((value[:0], [1.0], 2), ())) is None


def test_complex_numbers_and_arrays_of_one_element_are_varied_last():
    alone, several, imaginary = (
        Inputs((0.5, one), ("float", "array n")) for one in (np.ones(1), np.ones(3), np.full(3, 1j))
    )
    assert sorted([imaginary, alone, several], key=cost) == [several, alone, imaginary]


@pytest.fixture
def opened(tmp_path):
    (tmp_path / "m.py").write_text(TEXT)
    (function,) = functions(tmp_path / "m.py")
    with Child("old", Limits(5.0)) as old:
        old.open(place_of(tmp_path / "m.py"))
        yield Target(function, {}, hints(ast.parse(TEXT))), lambda calls: old.run(calls, is_shared=True)


def test_a_call_is_idle_where_no_number_counts(opened):
    target, run = opened
    x = np.array([0.5, 0.25, 2.0])
    inputs = {name: Inputs(values, ()) for name, values in {"a": (x, 5), "b": (x, 1), "c": (np.ones(0), 1)}.items()}
    assert without_effect(inputs, target, run) == {"a", "c"}


def test_a_call_is_idle_that_gives_back_what_it_was_given(tmp_path):
    text = "def f(x, y, z):\n    if z is None:\n        return x, y\n    return x + z, y\n"
    (tmp_path / "m.py").write_text(text)
    (function,) = functions(tmp_path / "m.py")
    x, y = np.array([0.5, 2.0]), np.eye(2)
    inputs = {"a": Inputs((x, y, None), ()), "b": Inputs((x, y, 1.0), ())}
    with Child("old", Limits(5.0)) as old:
        old.open(place_of(tmp_path / "m.py"))
        target = Target(function, {}, hints(ast.parse(text)))
        assert without_effect(inputs, target, lambda calls: old.run(calls, is_shared=True)) == {"a"}


def test_calls_are_searched_for_in_which_numbers_count(opened):
    target, run = opened
    explorer = Explorer(target, 0)
    explorer.search(run)
    good = [one for key, one in explorer.answered.items() if key not in explorer.idle]
    assert len(good) >= LEAST_GOOD
    first = next(one for one in explorer.adversarial() if one.note.startswith("x: "))
    assert first.values[1] < len(first.values[0])
