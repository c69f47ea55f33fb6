"""How an expression is used says whether a guard may make a tensor of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from support.guards import both, is_equal, outcome, tensors

DECAY = '''class Decay:
    def __init__(self, rate, start):
        """Begin somewhere.

        Parameters
        ----------
        rate : float
        start : array
        """
        self.rate = rate
        self.start = np.asarray(start, dtype=float)

    def at(self, times):
        rate = self.rate
        times = np.asarray(times, dtype=float)
        return self.start * np.exp(-rate * times)
'''


def test_a_parameter_is_used_as_the_names_are_that_its_attribute_is_given() -> None:
    old, new, text = both(DECAY, "Decay")
    assert "rate, start = shim." in text and "shim.operator" not in text
    times = np.linspace(0.0, 2.0, 5)
    for rate in (2, 0.25, np.array([1.0, 2.0, 3.0, 4.0, 5.0])):
        passed = torch.from_numpy(rate) if isinstance(rate, np.ndarray) else rate
        np.testing.assert_allclose(new(passed, 3).at(torch.from_numpy(times)), old(rate, 3).at(times), rtol=1e-12)


def test_attributes_and_names_that_are_given_each_other_end() -> None:
    ring = """class Ring:
    def __init__(self, a):
        self.a = a

    def turn(self):
        b = self.a
        self.c = b
        d = self.c
        self.a = d
        return np.abs(d)
"""
    old, new, _ = both(ring, "Ring")
    assert new(torch.tensor([-1.0])).turn().tolist() == old(np.array([-1.0])).turn().tolist()


def test_a_parameter_that_only_begins_a_name_is_used_as_that_name_is():
    text = """def root(f, df, x0: float, tol: float = 1e-12, n=20):
    x = x0
    for _ in range(n):
        step = f(x) / df(x)
        x = x - step
        if np.max(np.abs(step)) < tol:
            break
    return x
"""
    _, new, after = both(text, "root")
    assert "x0, " in after and "shim.operator" not in after
    given = new(lambda x: x**2 - 2, lambda x: 2 * x, torch.tensor([1.0, 2.0], dtype=torch.float64))
    np.testing.assert_allclose(given.numpy(), 2**0.5, rtol=1e-12)


TRAPEZES = """def trapz(y, x=None, dx=1.0):
    y = np.asarray(y)
    d = dx if x is None else np.diff(x)
    return np.sum(d * (y[1:] + y[:-1]) / 2.0)
"""
POINTS = np.array([0.5, -1.25, 3.0])


@pytest.mark.parametrize("given", [(POINTS,), (POINTS, [0, 1, 3]), (POINTS, None, 2), ([1, 2, 4],), (POINTS, POINTS)])
def test_one_of_two_values_is_used_as_the_name_that_it_is_given(given: tuple[Any, ...]) -> None:
    old, new, after = both(TRAPEZES, "trapz")
    assert "y, x, dx = shim." in after and "shim.operator" not in after
    expected, found = outcome(old, list(given)), outcome(new, list(map(tensors, given)))
    assert expected is not None and found is not None and is_equal(expected[0], found[0])


ORDER = "def order(a, b):\n    return (a > b) - (a < b)\n"


def test_what_is_only_put_in_order_may_be_a_version() -> None:
    old, new, after = both(ORDER, "order")
    assert "shim.floating(" not in after
    for one, other in (((1, 2), (1, 3)), ("b", "a"), (2.5, 2.5)):
        assert new(one, other) == old(one, other)


GREAT_CIRCLE = """def distance(lat1, lon1, lat2, lon2):
    lat1, lon1, lat2, lon2 = np.radians([lat1, lon1, lat2, lon2])
    a = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 2 * np.arcsin(np.sqrt(a))
"""


def test_what_a_function_of_another_name_is_given_beside_others_is_an_array() -> None:
    """`np.radians` is `np.deg2rad`."""
    old, new, text = both(GREAT_CIRCLE, "distance")
    assert "torch.deg2rad(torch.stack([lat1, lon1, lat2, lon2]))" in text and "shim.operator" not in text
    places = np.array([[10.0, -20.5, 90.0], [0.0, 5.25, 17.0]])
    for call in ([10, 20.5, 30, 40], [*places, *places[::-1]], [*places.astype(int), *places[::-1].astype(int)]):
        found, expected = new(*map(tensors, call)), old(*call)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
