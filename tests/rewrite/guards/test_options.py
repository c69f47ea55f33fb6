"""What guards take and refuse of lists, Python's numbers and integers: what is taken gives what NumPy gives."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from support.guards import both, is_equal, outcome, tensors

TURNED = """def turned(lon, lat, deg=True):
    if deg:
        lat = np.radians(lat)
        lon = np.radians(lon)
    s = np.sin(lat) ** 2
    if deg:
        lon = np.degrees(lon)
    return s, lon
"""
SPAN = """def span(y, thres):
    top = thres * (np.max(y) - np.min(y)) + np.min(y)
    return np.where(y > top)[0]
"""
ROTATED = """def rotated(e, n, heading):
    return np.sin(heading) * e + np.cos(heading) * n, np.cos(heading) * e - np.sin(heading) * n
"""
KNEE = """class Knee:
    def __init__(self, x, y, s=1.0):
        self.x = np.array(x)
        self.y = np.array(y)
        self.top = self.y - s * np.abs(np.diff(self.x).mean())

    def norm(self):
        return (self.x - np.min(self.x)) / (np.max(self.x) - np.min(self.x))


def parts(x, y, s=1.0):
    knee = Knee(x, y, s)
    return knee.x, knee.y, knee.top, knee.norm()
"""
MIRRORED = """def mirrored(x, y):
    '''Do it.

    Args:
        x (numpy.ndarray): first component
        y ((...) :class:`numpy.ndarray`): second component
    '''
    x, y = np.broadcast_arrays(x, y)
    q = np.empty(x.shape + (2,))
    q[..., 0] = x
    q[..., 1] = y
    return q
"""
FLIPPED = """def flipped(q, r, t):
    q = np.atleast_2d(q)
    r = np.array(np.atleast_2d(r))
    r[np.sum(q * r, axis=-1) < 0] *= -1
    return np.sqrt(np.abs(q + t * r))
"""
FRAMED = """def widened(v):
    return np.concatenate((np.zeros(v.shape[:-1] + (1,)), v), axis=-1)


def framed(v, w):
    '''Do it.

    Args:
        v ((..., 3) :class:`numpy.ndarray`): vectors
        w ((..., 4) :class:`numpy.ndarray`): others
    '''
    v = np.asarray(v)
    w = np.asarray(w)
    return widened(v), 2.0 * w
"""
F64, F32 = np.array([0.5, -1.25, 3.0]), np.array([0.5, -1.25, 3.0], dtype=np.float32)
I64, I32, U8 = np.array([1, 2, 4]), np.array([1, 2, 4], np.int32), np.array([200, 100, 7], np.uint8)
ANY = [F64, F32, I64, I32, U8, np.float64(2.5), np.int64(3), 2.5, 3, True, [1.0, 2.0, 4.0], [1, 2, 4], range(1, 4)]
WHOLE = [I64, np.int64(3), 3]


@pytest.mark.parametrize(
    ("text", "name", "calls", "taken"),
    [
        (TURNED, "turned", [[a, b, deg] for a in ANY for b in ANY[::3] for deg in (True, False)], [
            [a, b, deg] for a in [F64, *WHOLE] for b in [F64, I64] for deg in (True, False)
        ]),
        (SPAN, "span", [[y, 0.5] for y in ANY] + [[F64, t] for t in ANY], [[[1.0, 5.0], 0.5], [F64, 0.5], [I64, 1]]),
        (ROTATED, "rotated", [[a, b, h] for a in ANY for b in (F64, 2) for h in ANY[::4]], [
            [[1.0, 2.0, 3.0], I64, F64], [F64, [1, 2, 3], [1, 2, 3]], [2, 2, 2], [F64, F64, 1],
        ]),
        (KNEE, "parts", [[a, b, s] for a in ANY for b in ANY[::3] for s in (1.0, 2)], [
            [[1, 2, 4], [2.0, 3.0, 5.0], 1.0], [range(3), I64, 1], [I64, F64, 0.5], [F64, [1, 2, 3], 1.0],
        ]),
        (MIRRORED, "mirrored", [[a, b] for a in ANY for b in ANY], [
            [[1.0, 2.0, 4.0], F64], [[1, 2, 4], 2.0], [I64, F64],
        ]),
        (FLIPPED, "flipped", [[a, -b, t] for a in ANY[:-3] for b in ANY[:5] for t in ANY[:-2]], [
            [I64, -F64, 0.5], [F64, -I64, F64], [I64, -I64, 0.5], [[1, 2, 4], -F64, np.float64(0.5)],
        ]),
        (FRAMED, "framed", [[a, b] for a in ANY for b in (*ANY, np.ones(4))], [
            [F64, np.ones(4)], [[1.0, 2.0, 4.0], [1, 2, 3, 4]], [[[1, 2, 4]], np.ones(4)],
        ]),
    ],
)  # fmt: skip
def test_what_is_taken_gives_what_numpy_gives(text: str, name: str, calls: list[list[object]], taken: object) -> None:
    old, new, after = both(text, name)
    assert "shim.operator" not in after
    for call in calls:
        before, answer = outcome(old, call), outcome(new, [tensors(one) for one in call])
        assert before is None or answer is None or all(map(is_equal, before, answer)), (call, before, answer)
    for call in taken:  # type: ignore[attr-defined]
        assert outcome(new, [tensors(one) for one in call]) is not None, (call, after)


def test_one_number_for_several_arguments_is_told_apart_by_its_place() -> None:
    text = "def placed(lat, alt, a):\n    return (a / np.sqrt(np.cos(lat) ** 2 + 1) + alt) * np.cos(lat)\n"
    old, new, _ = both(text, "placed")
    for lat, alt, a in itertools.product((0, 1), repeat=3):
        assert all(map(is_equal, outcome(old, [lat, alt, a]), outcome(new, [lat, alt, a])))


STACKED = """def stacked(x, y, z):
    e = np.column_stack((np.atleast_1d(x), np.atleast_1d(y), np.atleast_1d(z)))
    return np.eye(3) @ e.T, np.eye(3) * x
"""
CHOSEN = "def chosen(x, y, z):\n    return np.where(y > 0, x, y) + float(np.max(z)), np.outer(np.ones(2), x)\n"


@pytest.mark.parametrize(("text", "name"), [(STACKED, "stacked"), (CHOSEN, "chosen")])
def test_numbers_that_are_used_in_double_precision_are_not_rounded_to_single(text: str, name: str) -> None:
    old, new, _ = both(text, name)
    for call in itertools.product((3.7, F32[:1], np.float32(3.7)), repeat=3):
        before, answer = outcome(old, list(call)), outcome(new, [tensors(one) for one in call])
        assert before is None or answer is None or all(map(is_equal, before, answer)), (call, before, answer)


SLANTED = """def part(day):
    return day * 0.5


def slanted(day, lat):
    return np.cos(0.85 + 0.3 * lat * np.sin(part(day)) - 0.42 * np.power(lat, 2)),
"""


def test_a_number_takes_the_precision_of_what_it_meets_though_the_result_is_double() -> None:
    old, new, _ = both(SLANTED, "slanted")
    for day, lat in itertools.product((F32, F64), (2, 0.7, F64, I64)):
        before, answer = outcome(old, [day, lat]), outcome(new, [tensors(day), tensors(lat)])
        assert answer is None or all(map(is_equal, before, answer)), (day, lat, before, answer)


ROOTED = """def rooted(values, rate):
    values = np.asarray(values)
    total = np.abs((values * (values > 0)).sum(axis=0))
    if isinstance(rate, complex):
        raise TypeError
    return total ** (1 / (values.size - 1)) * (1 + rate) - 1
"""


def test_lists_have_the_axes_of_what_they_become() -> None:
    old, new, _ = both(ROOTED, "rooted")
    for values in ([1.0, 2.0, 4.0], [1, 2, 4], F64, I64):
        assert all(map(is_equal, outcome(old, [values, 0.5]), outcome(new, [tensors(values), 0.5]))), values


CAUGHT = """def caught(x, y):
    x = np.asarray(x)
    try:
        r = np.sqrt(x**2 + 1) / np.cos(x)
    except ArithmeticError:
        r = 0.0
    return r * y
"""


def test_numbers_are_taken_where_no_error_of_theirs_is_caught() -> None:
    old, new, _ = both(CAUGHT, "caught")
    assert all(map(is_equal, outcome(old, [2, F64]), outcome(new, [2, tensors(F64)])))
    _, dividing, _ = both(CAUGHT.replace("x = np.asarray(x)", "x = 1 / x"), "caught")
    assert outcome(dividing, [0, tensors(F64)]) is None


def test_refusing_integers_saves_several_sites() -> None:
    text = "def scaled(x):\n    return 2 * x, np.sqrt(x), x\n"
    old, new, _ = both(text, "scaled")
    for x in (F64, I64, 3, 2.5):
        assert all(map(is_equal, outcome(old, [x]), outcome(new, [tensors(x)])))


ASKED = """class Filter:
    def __init__(self, x, dt):
        self.x, self.dt = x, dt
        self.y = 0.0 if np.ndim(x) == 0 else np.zeros(len(x))
    def predict(self):
        return self.x * self.dt + self.y

def asked(x, dt):
    return Filter(x, dt).predict()
"""


def test_a_parameter_that_is_asked_whether_it_is_a_number_may_be_one() -> None:
    old, new, _ = both(ASKED, "asked")
    for x in (F64, 2.5):
        assert all(map(is_equal, outcome(old, [x, 0.5]), outcome(new, [tensors(x), 0.5])))


BETWEEN = """MANY = True
def between(x, low, high, strict=False):
    if MANY and strict:
        return low <= np.min(x) and np.max(x) < high
    elif strict:
        return low <= x < high
    return low <= x <= high
"""


def test_a_parameter_between_two_bounds_is_a_number_for_some() -> None:
    old, new, _ = both(BETWEEN, "between")
    for x in ([2.5, True], [2.5, False], [4, False]):
        assert is_equal(outcome(old, [x[0], 0, 3, x[1]])[0], outcome(new, [x[0], 0, 3, x[1]])[0])


def test_real_arrays_beside_complex_ones_stay_real_where_a_sum_of_them_stands_alone() -> None:
    text = "def share(x, y):\n    return np.sum(y - x, axis=0, dtype=np.float64) / np.sum(y)\n\n"
    old, new, after = both(text + "def spectrum(x):\n    return np.fft.fft(x)\n", "share")
    for call in ([F64 * 1j, F64], [F64, F64 * 1j], [F64, I64], [F64 * 1j, F64 + 2j]):
        with np.testing.suppress_warnings() as known:
            known.filter(np.exceptions.ComplexWarning)
            before, answer = outcome(old, call), outcome(new, [tensors(one) for one in call])
        assert answer is None or all(map(is_equal, before, answer)), (call, before, answer, after)
    assert outcome(new, [tensors(F64), tensors(F64 + 2)]) is not None


POWER = """def power(x, fs):
    return np.abs(np.fft.rfft(x - x.mean())) ** 2 / (fs * len(x))
"""


def test_a_transform_of_real_numbers_is_torchs_behind_a_guard_that_takes_complex_ones() -> None:
    """Both raise for these."""
    old, new, text = both(POWER, "power")
    assert "torch.fft.rfft(" in text and "inexact" in text
    for x in (F64, I64, np.arange(7.0)):
        assert is_equal(outcome(old, [x, 2.0])[0], outcome(new, [tensors(x), 2.0])[0])
    assert outcome(old, [F64 * 1j, 2.0]) is None and outcome(new, [tensors(F64 * 1j), 2.0]) is None


PARTS = """def parts(p, q):
    return np.array([p[0] * q[0] - p[1] * q[1], p[0] * q[1] + p[1] * q[0]])
"""
BENT = """def bent(p, q):
    return np.sin(p[0] * q[0]) + np.cos(p[1] * q[1])
"""


@pytest.mark.parametrize(("text", "name"), [(PARTS, "parts"), (BENT, "bent")])
def test_items_of_lists_are_weak_beside_lesser_dtypes(text: str, name: str) -> None:
    """`p[0] * q[0]` has the dtype of `q` where `p` is a list; what is given is that, or nothing."""
    old, new, _ = both(text, name)
    arrays = [np.array([2, 3], kind) for kind in ("uint8", "int16", "int32", "int64", "float32", "float64")]
    taken = 0
    for items, array in itertools.product(([1.5, 2.5], (1, 2)), arrays):
        for arguments in ([items, array], [array, items]):
            found = outcome(new, list(map(tensors, arguments)))
            taken += found is not None
            expected = outcome(old, arguments)
            assert found is None or expected is not None and is_equal(expected[0], found[0])
    assert taken


AREA = """def area(y, x):
    y, x = np.asarray(y), np.asarray(x)
    return np.sum((y[1:] + y[:-1]) * np.diff(x)) / 2
"""


def test_several_precisions_stay_apart_where_arrays_without_axes_are_refused_by_numpy():
    """`y[1:]` and `np.diff(x)` take no array without axes, so that such a one needs no text; lists are taken beside."""
    old, new, after = both(AREA, "area")
    assert "shim.operator" not in after and "mixed" not in after
    arrays = [np.array([1, 2, 4], kind) for kind in ("int64", "float32", "float64")]
    for arguments in itertools.product([*arrays, [0.5, 1, 2.5], np.float64(2)], repeat=2):
        found, expected = outcome(new, list(map(tensors, arguments))), outcome(old, list(arguments))
        assert (found is None) is (expected is None), arguments
        assert found is None or expected is not None and is_equal(expected[0], found[0])


BILINEAR = """def bilinear(image, r, c):
    i, j = int(np.floor(r)), int(np.ceil(c))
    dr, dc = r - i, j - c
    return image[i, j] * (1 - dr) * dc + image[i + 1, j] * dr * dc
"""


def test_what_is_made_a_python_number_may_be_one():
    """No guard refuses numbers for `r` where the function asks for `int(np.floor(r))`."""
    old, new, after = both(BILINEAR, "bilinear")
    assert "math.floor(r)" in after and "math.ceil(c)" in after
    images = [np.array([[2.5, 1, 3], [1, 3.5, 2]]), np.array([[2, 1, 3], [1, 3, 2]], np.float32)]
    for image, r, c in itertools.product(images, (0.25, 0, np.float64(0.5)), (0.5, 1.75, 1)):
        found, expected = outcome(new, [tensors(one) for one in (image, r, c)]), outcome(old, [image, r, c])
        assert found is None or expected is not None and is_equal(expected[0], found[0]), (image, r, c)
    assert outcome(new, [tensors(images[0]), 0.25, 0.5]) and outcome(new, [tensors(images[1]), 0.25, 0.5])


NORMALISED = """def normalised(p):
    p = np.asarray(p, dtype=np.float64)
    p /= p.sum()
    return p
"""


@pytest.mark.parametrize("given", [[1.0, 3.0], [1, 3], np.array([1.0, 3.0]), np.array([1.0, 3.0], dtype=np.float32)])
def test_lists_may_stand_for_what_is_made_an_array_before_it_is_written(given: Any) -> None:
    old, new, after = both(NORMALISED, "normalised")
    assert "lists=False" not in after and "asarray" not in after
    expected, found = outcome(old, [given]), outcome(new, [tensors(given)])
    assert expected is not None and all(map(is_equal, expected, found))


def test_lists_are_refused_where_the_function_writes_into_what_is_passed():
    text = "def marked(p):\n    q = np.exp(p)\n    p[0] = 9.5\n    p = np.asarray(p)\n    return q * p\n"
    assert "lists=False" in both(text, "marked")[2]


STEP = """def step(x, lo=0.0, hi=1.0):
    t = np.clip((x - lo) / (hi - lo), 0.0, 1.0)
    return t * t * (3 - 2 * t)
"""
HUBER = """def huber(r, delta=1.0):
    a = np.abs(r)
    return np.where(a <= delta, 0.5 * r ** 2, delta * (a - 0.5 * delta))
"""
SOME = np.array([0.5, -1.25, 3.0])


@pytest.mark.parametrize("given", [(2.5,), (3,), (SOME,), (SOME.astype("f4"),), (np.float32(0.25),), (SOME, 0, 2)])
def test_numbers_by_default_stay_where_all_may_not(given: Any) -> None:
    old, new, after = both(STEP, "step")
    assert "single=False" not in after and "shim.operator" not in after
    expected, found = outcome(old, list(given)), outcome(new, list(map(tensors, given)))
    assert expected is not None and found is not None and is_equal(expected[0], found[0])


@pytest.mark.parametrize("given", itertools.product([SOME, SOME.astype("f4"), np.array([1, 2, 4]), 2.5, 3], repeat=2))
def test_numbers_are_refused_beside_single_precision_alone(given: Any) -> None:
    old, new, after = both(HUBER, "huber")
    assert "weak=False, mixed=False" in after and "single=False" not in after
    expected, found = outcome(old, list(given)), outcome(new, list(map(tensors, given)))
    assert expected is not None and (found is None or is_equal(expected[0], found[0]))
    precisions = [one.dtype == np.float32 for one in given if isinstance(one, np.ndarray)]
    is_mixed = len(set(precisions)) > 1 or not isinstance(given[0], np.ndarray) and any(precisions)
    assert (found is None) == is_mixed


GEMM = """def gemm(alpha, beta, c, a, b):
    c[:] = alpha * a @ b + beta * c
    return c
"""


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_that_take_the_precision_of_arrays_are_not_refused_beside_single(dtype: Any) -> None:
    old, new, after = both(GEMM, "gemm")
    assert "weak=False" not in after
    given = [1.5, 2, np.ones((2, 2), dtype), np.array([[2.5, 1.0], [1.0, 3.5]], dtype), np.eye(2, dtype=dtype)]
    found = outcome(new, list(map(tensors, given)))
    assert found is not None and is_equal(outcome(old, given)[0], found[0])
