"""Checks of attributes: a method reads them as arrays of float64, and anybody may set them to something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from support.guards import both, convert, is_equal, plain, tensors

KALMAN = """class Kalman:
    def __init__(self, n, m, rate=1.0):
        self.x = np.zeros((n, 1))
        self.P = np.eye(n)
        self.H = np.ones((m, n))
        self.rate = rate

    def predict(self):
        self.x = np.dot(self.P, self.x) * self.rate

    def update(self, z):
        y = z - np.dot(self.H, self.x)
        S = np.dot(np.dot(self.H, self.P), self.H.T) + np.eye(len(self.H))
        K = np.dot(np.dot(self.P, self.H.T), np.linalg.inv(S))
        self.x = self.x + np.dot(K, y)
        self.P = self.P - np.dot(np.dot(K, self.H), self.P)

    def run(self, zs):
        for z in np.asarray(zs, dtype=float):
            self.predict()
            self.update(z)
        return self.x


def smooth(filter, zs):
    filter.x = np.abs(filter.run(zs))
    return filter.x
"""
CHECK = 'shim.floating(self.x, only="double", numbers=False, ndim={1, 2})'


def test_methods_are_native_behind_a_check_of_attributes() -> None:
    old, new, text = both(KALMAN, "Kalman")
    update = text.split("def update")[1].split("def run")[0]
    assert CHECK in update and "shim." not in update.replace(CHECK, "").replace("z = shim.floating(z", "")
    zs = [0.5, 1.0, 1.5]
    np.testing.assert_allclose(new(2, 1).run(zs).numpy(), old(2, 1).run(zs), rtol=1e-12)
    for rate in (2, 0.25):
        np.testing.assert_allclose(new(3, 2, rate).run(zs).numpy(), old(3, 2, rate).run(zs), rtol=1e-12)


def test_what_is_set_from_outside_is_taken_or_refused() -> None:
    old, new, _ = both(KALMAN, "Kalman")
    mine, theirs = new(2, 1), old(2, 1)
    mine.x, theirs.x = torch.tensor([[1.0], [2.0]], dtype=torch.float64), np.array([[1.0], [2.0]])
    mine.update(0.5)
    theirs.update(0.5)
    np.testing.assert_allclose(mine.x.numpy(), theirs.x, rtol=1e-12)
    x = mine.x
    for wrong in (x.float(), x.to(torch.int64), x.to(torch.complex128), [[1.0], [2.0]], 1.0, x[None]):
        mine.x = wrong
        with pytest.raises(TypeError, match=r"shim\.floating"):
            mine.update(0.5)


def test_what_a_constructor_sees_to_is_not_checked_again() -> None:
    text = convert(KALMAN).after
    assert "rate = shim.tensor(rate, " in text
    assert "self.rate" not in "".join(line for line in text.splitlines() if "(self.rate" in line and "shim." in line)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        self.rate = rate\n", "        self.rate = rate\n        self.predict()\n"),  # before all is set
        ("        self.x = np.zeros((n, 1))\n", "        if n:\n            self.x = np.zeros((n, 1))\n"),
        ("class Kalman:", "class Kalman:\n    __slots__ = ('x', 'P', 'H', 'rate')\n"),
        ("    def run", "    @property\n    def x(self):\n        return self.__dict__['x']\n\n    def run"),
    ],
)
def test_attributes_that_may_not_be_there_are_not_read_early(old: str, new: str) -> None:
    predict = convert(KALMAN.replace(old, new)).after.split("def predict")[1].split("def update")[0]
    assert "self.x, only" not in predict and "shim.floating(self.x" not in predict


def test_converting_again_changes_nothing() -> None:
    once = convert(KALMAN).after
    again = next(iter(convert_project([SourceFile(Path("lib.py"), "lib.py", once)], Settings())))
    assert again.after == once


FADING = """class Fading:
    def __init__(self, dt, order):
        self.dt = dt
        self._order = order
        self.reset()

    def reset(self):
        self.n = 0
        self.x = np.zeros(self._order + 1)
        self.K = np.zeros(self._order + 1)

    def update(self, z):
        self.n += 1
        n = self.n
        dt = self.dt
        x = self.x
        K = self.K
        K[0] = 2.0 * (2 * n - 1) / (n * (n + 1))
        K[1] = 6.0 / (n * (n + 1) * dt)
        y = z - x[0] - dt * x[1]
        x[0] += K[0] * y + dt * x[1]
        x[1] += K[1] * y
        return self.x
"""


def test_what_a_constructor_makes_by_other_methods_is_known() -> None:
    old, new, text = both(FADING, "Fading")
    assert "x_np[0] += K_np[0] * y" in text and "shim.operator" not in text
    mine, theirs = new(0.5, 1), old(0.5, 1)
    for z in (1.0, 2.5, 2.0):
        np.testing.assert_allclose(mine.update(z).numpy(), theirs.update(z), rtol=1e-12)


def test_a_method_that_an_heir_has_anew_makes_nothing_for_certain() -> None:
    heir = "\n\nclass Slow(Fading):\n    def reset(self):\n        self.n = 1\n        self.x = self.K = [0, 0]\n"
    assert "x_np[0] += K_np[0] * y" not in convert(FADING + heir).after


SEVERAL = """class Decay:
    def __init__(self, rate=0.1, shift=0.5):
        self.rate, self.shift = rate, shift

    def at(self, t):
        return np.exp(-self.rate * t) - self.shift / 3 * self.rate


def decay(rate, shift, t):
    return Decay(rate, shift).at(t)
"""


@pytest.mark.parametrize("rate", [0.25, 2, np.array([0.5, 1.5]), np.float64(0.7)])
def test_attributes_that_are_set_several_at_once_are_as_those_set_alone(rate: Any) -> None:
    apart = SEVERAL.replace("self.rate, self.shift = rate, shift", "self.rate = rate\n        self.shift = shift")
    old, new, text = both(SEVERAL, "decay")
    assert "rate, shift = shim." in text
    assert text.count("shim.operator.") == both(apart, "decay")[2].count("shim.operator.")
    given = torch.from_numpy(np.array(rate)) if isinstance(rate, (np.ndarray, np.generic)) else rate
    for t in (np.linspace(0, 1, 2), np.float64(1.5)):
        found = new(given, 0.5, torch.from_numpy(np.array(t)))
        np.testing.assert_allclose(found.numpy(), old(rate, 0.5, t), rtol=1e-12)
        assert found.dtype == torch.float64


COUNTED = """class Running:
    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0

    def add(self, x):
        self.n += 1
        d = x - self.mean
        self.mean += d / self.n
        self.m2 += d * (x - self.mean)
"""


@pytest.mark.parametrize("xs", [[1, 2, 4], [0.5, 1.5], [np.float64(0.5), np.float64(2.0)], [np.int64(1), np.int64(4)]])
def test_numbers_that_a_constructor_stores_are_taken_and_stay_numbers(xs: list[Any]) -> None:
    old, new, _ = both(COUNTED, "Running")
    mine, theirs = new(), old()
    for x in xs:
        mine.add(tensors(x))
        theirs.add(x)
    for name in ("mean", "m2"):
        assert isinstance(getattr(mine, name), torch.Tensor) is isinstance(getattr(theirs, name), np.generic)
        assert float(getattr(mine, name)) == float(getattr(theirs, name))


CIRCLE = """class Circle:
    def __init__(self, r):
        self.r = r

    def area(self):
        return np.pi * self.r ** 2
"""


RADII = [2.5, 3, np.float64(2.5), np.float32(1.5), np.int64(3), np.array([1, 2]), np.ones(2, np.float32)]


@pytest.mark.parametrize("r", RADII)
def test_what_the_project_passes_to_a_constructor_narrows_no_attribute(r: Any) -> None:
    old, new, _ = both(CIRCLE, "Circle", "print(Circle(np.arange(3.0)).area())\n")
    given, expected = new(tensors(r)).area(), old(r).area()
    assert is_equal(plain(expected), plain(given))


LINE = """class Line:
    def __init__(self, point, direction):
        self.point = np.asarray(point)
        self.direction = np.asarray(direction) / np.linalg.norm(direction)

    def project(self, other):
        v = np.asarray(other) - self.point
        return self.point + np.dot(v, self.direction) * self.direction
"""


@pytest.mark.parametrize("other", [np.array([0.5, 2.0]), np.array([1, 2]), [1.0, 2.0], [3, 4], np.ones(2, np.float32)])
@pytest.mark.parametrize("point", [np.zeros(2), np.array([1, 2]), [0.5, 1.0]])
def test_what_a_constructor_makes_behind_its_guard_is_known_in_methods(other: Any, point: Any) -> None:
    old, new, text = both(LINE, "Line")
    assert "shim.operator" not in text and "shim.dot" not in text
    expected = old(point, [3, 4]).project(other)
    given = new(tensors(point), [3, 4]).project(tensors(other))
    assert is_equal(plain(expected), plain(given))


SETTER = """class Gain:
    def __init__(self, gain=1):
        self._gain = gain

    @property
    def gain(self):
        return self._gain

    @gain.setter
    def gain(self, value):
        self._gain = value

    @property
    def db(self):
        return 20 * np.log10(self._gain)
"""


@pytest.mark.parametrize("gain", [2.5, 3, np.float64(2.5), np.int64(3), np.array([1, 2]), np.float32(1.5)])
def test_what_others_set_a_property_to_is_not_what_the_constructor_stores(gain: Any) -> None:
    old, new, _ = both(SETTER, "Gain")
    theirs, mine = old(), new()
    theirs.gain = gain
    try:
        mine.gain = tensors(gain)
    except TypeError as error:
        assert getattr(gain, "dtype", None) == "float32" and "double precision" in str(error)
    else:
        assert is_equal(plain(theirs.db), plain(mine.db))
