"""The numbers of axes that a guard asks for, by what the function does with a parameter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.guards import both, is_equal, outcome, tensors

RIDGE = """def ridge(X, y, lam=1.0):
    n, d = X.shape
    return np.linalg.solve(X.T @ X + lam * np.eye(d), X.T @ y)
"""
STEP = """def step(g, H):
    return -np.linalg.solve(H, g)
"""
WEIGHTED = """def weighted(X, y, S):
    L = np.linalg.cholesky(S)
    return np.linalg.solve(L, X), np.linalg.solve(L, y)
"""
MATRIX, VECTOR = np.array([[2.5, 1.0], [1.0, 3.5]]), np.array([1.0, 2.0])
STACK = np.stack([MATRIX, 2 * MATRIX])
WHOLE = np.array([[2, 1], [1, 3]])


@pytest.mark.parametrize(
    ("text", "given", "asked"),
    [
        (RIDGE, (MATRIX, VECTOR), "ndim=(2, None, 0)"),
        (RIDGE, (WHOLE, np.array([1, 2]), 2), "ndim=(2, None, 0)"),
        (RIDGE, (MATRIX, [1.0, 2.0], np.float64(0.5)), "ndim=(2, None, 0)"),
        (RIDGE, (MATRIX, np.eye(2), 0), "ndim=(2, None, 0)"),
        (STEP, (VECTOR, MATRIX), "ndim=(None, 2)"),
        (STEP, (np.eye(2), WHOLE), "ndim=(None, 2)"),
        (WEIGHTED, (MATRIX + 1.0, VECTOR, MATRIX), "ndim=(None, None, 2)"),
    ],
)
def test_a_matrix_to_solve_for_has_two(text: str, given: tuple[Any, ...], asked: str) -> None:
    old, new, after = both(text, text[4 : text.index("(")])
    assert asked in after and "shim.linalg" not in after
    expected, found = outcome(old, list(given)), outcome(new, list(map(tensors, given)))
    assert expected is not None and all(map(is_equal, expected, found))


@pytest.mark.parametrize(("text", "given"), [(RIDGE, (STACK, VECTOR)), (STEP, (np.ones((2, 2, 1)), STACK))])
def test_a_stack_of_matrices_is_refused(text: str, given: tuple[Any, ...]) -> None:
    _, new, _ = both(text, text[4 : text.index("(")])
    with pytest.raises((TypeError, ValueError)):
        new(*map(tensors, given))


def test_a_number_by_its_default_has_none_only_where_that_saves_something() -> None:
    _, _, after = both("def scaled(x, k=2.0):\n    return np.exp(x * k)\n", "scaled")
    assert "ndim" not in after


def test_what_least_squares_gives_beside_the_solution_has_a_dtype() -> None:
    text = """def line(x, y):
    X = np.column_stack([np.ones(len(x)), x])
    beta, res, rank, sv = np.linalg.lstsq(X, y, rcond=None)
    return beta
"""
    old, new, after = both(text, "line")
    assert "torch.linalg.lstsq(X, y.to(torch.float64)" in after
    for given in ([VECTOR, np.array([0.5, 2.5])], [np.array([1, 3]), [2, 5]], [VECTOR, np.array([2.5, 3.5], "f4")]):
        expected, found = outcome(old, list(given)), outcome(new, list(map(tensors, given)))
        assert expected is not None and is_equal(expected[0], found[0])


COVARIANCE = """def covariance(x):
    mean = np.mean(x, axis=0)
    return (x - mean).T.dot(x - mean) / (len(x) - 1)
"""
AREA = """def area(x, y):
    return 0.5 * np.abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
"""


SCATTER = """def scatter(x):
    middle = np.mean(x, axis=0)
    apart = x - middle
    return apart.T.dot(apart)
"""


@pytest.mark.parametrize(
    ("text", "name", "number"), [(COVARIANCE, "covariance", 1), (AREA, "area", 2), (SCATTER, "scatter", 1)]
)
def test_products_are_written_plainly_where_the_guard_asks_for_the_axes(text: str, name: str, number: int) -> None:
    """What the function raised for by itself is refused at its entry: `multi_dot` takes vectors and matrices."""
    old, new, after = both(text, name)
    assert "ndim={1, 2}" in after and "multi_dot" not in after
    square = np.array([[1.0, 2.5], [-3.0, 4.0]])
    for x in (square[0], square, square.astype(int)):
        assert is_equal(outcome(old, [x] * number)[0], outcome(new, [tensors(x)] * number)[0])
    assert outcome(new, [tensors(np.ones((2, 2, 2)))] * number) is None
