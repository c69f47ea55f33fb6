"""Parts of a result that two runs of the old side give differently, and numbers that last bits move."""

from __future__ import annotations

import numpy as np

from np2torch.verify.calls import Observation, RaisedError
from np2torch.verify.steadiness import (
    changes_kind,
    end_alike,
    even_out,
    has_other_precision,
    jumps,
    movement,
    turns_complex_by_rounding,
    unsteady,
)
from support.observed import seen


def test_a_part_that_differs_between_two_runs_is_named():
    steady, drawn = np.array([1.0, 2.0]), np.array([0.25, 0.5])
    found = unsteady(seen((steady, drawn)), seen((steady, drawn + 0.1)))
    assert found is not None and len(found) == 1 and next(iter(found)).endswith("[1]")
    assert unsteady(seen((steady, drawn)), seen((steady, drawn))) == frozenset()


def test_nothing_is_left_of_a_result_that_is_drawn_whole():
    assert unsteady(seen(np.array([0.25])), seen(np.array([0.75]))) is None
    assert unsteady(seen(1.5, printed="0.25"), seen(1.5, printed="0.75")) is None
    error = RaisedError("ValueError", ("ValueError", "Exception", "BaseException"), "", "own", 0)
    assert unsteady(seen(1.5), Observation(raised=error)) is None


def test_another_choice_is_a_jump():
    old, near, far = (seen(np.array([1.0, x])) for x in (2.0, 2.0 + 1e-14, 3.0))
    assert not jumps(old, movement(old, [near])) and jumps(old, movement(old, [near, far]))


def test_an_infinity_with_the_sign_of_last_bits_is_a_jump():
    old, same, other = (seen(np.array([1.0, x])) for x in (np.inf, np.inf, -np.inf))
    assert not jumps(old, movement(old, [same])) and jumps(old, movement(old, [same, other]))


def test_numbers_of_another_shape_say_nothing():
    assert movement(seen(np.ones(2)), [seen(np.ones(3))]) is None
    assert movement(seen(np.array([1, 2])), [seen(np.array([1, 3]))]) is None


def test_a_dtype_of_another_precision_is_told_from_a_complex_one():
    old = seen((np.ones(2), np.arange(2)))
    assert has_other_precision(old, seen((np.ones(2, "float32"), np.arange(2))))
    assert has_other_precision(old, seen((np.ones(2), np.ones(2))))
    assert not has_other_precision(old, seen((np.ones(2, complex), np.arange(2))))
    assert not has_other_precision(old, Observation(ended="hang"))


def test_two_results_or_two_errors_of_a_class_end_alike():
    names = ("TypeError", "TypeError", "ValueError")
    errors = [Observation(raised=RaisedError(one, (one,), "", "own", 0)) for one in names]
    assert end_alike(*errors[:2]) and not end_alike(*errors[1:])
    assert end_alike(seen(1.0), seen(2.0)) and not end_alike(seen(1.0), errors[0])


def test_imaginary_parts_that_are_rounding_turn_eigenvalues_complex():
    old = seen(np.array([2.0, 0.0]))
    assert turns_complex_by_rounding(old, seen(np.array([2.0, 1e-17j])), 1.0)
    assert turns_complex_by_rounding(seen(np.array([2.0, 1e-17j])), old, 1.0)
    for other in (np.array([2.0, 0j]), np.array([2.0, 1e-3j]), np.array([2.0, 0.0]), np.ones(3, complex)):
        assert not turns_complex_by_rounding(old, seen(other), 1.0)
    assert not turns_complex_by_rounding(old, Observation(ended="hang"), 1.0)


def test_numbers_that_become_complex_or_nan_are_of_another_kind():
    old = seen(np.array([1.0, 2.0]))
    for other, changes in ((np.ones(2, complex), True), (np.full(2, np.nan), True), (np.array([1.0, np.nan]), False)):
        assert changes_kind(movement(old, [seen(np.ones(2)), seen(other)])) == changes


def test_numbers_of_a_large_array_may_move_as_far_as_the_median_one():
    x = np.linspace(1.0, 2.0, 200)
    x[-1] = 1e-6
    old, gap = seen(x), np.where(np.arange(200) % 3 == 0, 0.0, 1e-9)
    (path,) = (path for path in movement(old, [old]) if path.startswith("["))
    allowed = even_out(old, {path: gap})[path]
    assert (allowed[1:-1] > 5e-10).all() and allowed[-2] == 1e-9 and even_out(old, {path: gap * 0})[path].max() == 0
    assert allowed[0] > 0 and even_out(seen(x[:50]), {path: gap[:50]})[path][0] == 0
    few = np.where(np.arange(200) % 3 == 0, 1e-9, 0.0)
    few[-1] = 0.0
    assert (even_out(old, {path: few})[path] == few).all()
