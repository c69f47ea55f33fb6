"""What hangs on last bits is told by moving all that can be moved: integers too, and each array by itself."""

from __future__ import annotations

import numpy as np
import pytest
from verify.test_check import verdict

from np2torch.verify.decode import unpack
from np2torch.verify.encode import pack
from np2torch.verify.moved_inputs import as_floats, in_memory_apart

X = np.array([0.3, 0.7])


def crossed(x, y):
    """Zero where both are one array, to the last bits that products lose."""
    return x * y[::-1] - y * x[::-1]


def perpendicular(x, y):
    """NaN there."""
    with np.errstate(all="ignore"):
        return crossed(x, y) / np.abs(crossed(x, y)).max()


@pytest.mark.parametrize(("off", "kind"), [(1e-17, "equal"), (1e-9, "different"), (1.0, "different")])
def test_zeros_that_cancel_have_the_size_of_what_cancels(off, kind):
    for values in ((X, X), (X, X.copy())):
        assert verdict(crossed, lambda x, y: crossed(x, y) + off, *values) == kind


def test_zeros_that_come_of_nothing_are_exact():
    assert verdict(lambda x: np.zeros(2), lambda x: np.full(2, 1e-17), X) == "different"
    assert verdict(lambda x: np.minimum(x, 0), lambda x: np.minimum(x, 0) + 1e-17, X) == "different"


def test_what_divides_by_such_zeros_hangs_on_last_bits():
    assert verdict(perpendicular, lambda x, y: np.array([-1.0, 1.0]), X, X) == "equal"
    assert verdict(perpendicular, lambda x, y: 2 * perpendicular(x, y), X, X[::-1].copy()) == "different"


@pytest.mark.parametrize("dtype", ["float64", "int64", "bool"])
def test_vectors_of_matrices_without_full_rank_are_any(dtype):
    def old(x):
        return np.linalg.svd(x - x.mean(axis=0))[2]

    def new(x):
        found = old(x)
        return np.concatenate([found[:1], (found[1:2] - found[2:]) / 2**0.5, (found[1:2] + found[2:]) / 2**0.5])

    x = np.array([[1, 0, 1], [1, 0, 0], [1, 0, 1]], dtype)
    assert verdict(old, new, x, names=("svd",)) == "skipped"


@pytest.mark.parametrize(("dtype", "kind"), [("float16", "skipped"), ("float32", "different")])
def test_an_error_for_a_sum_of_half_precision_may_hang_on_its_bits(dtype, kind):
    def old(x):
        if abs(x.sum() - 2.0) > 1e-5:
            raise ValueError("no parts of the whole")
        return 1.0

    assert verdict(old, lambda x: 1.0, X.astype(dtype), names=("sum",)) == kind
    assert verdict(old, lambda x: 1.0, X.astype(dtype)) == "different"


def test_arrays_are_put_in_memory_of_their_own():
    packed = pack([X, [X[::-1]], 1.0], is_layout_kept=True)
    found = in_memory_apart(packed)
    assert found is not None
    a, (b,), c = unpack(found, False, lambda module, name: None)
    assert a.tolist() == X.tolist() and b.tolist() == X[::-1].tolist() and c == 1.0 and not np.shares_memory(a, b)
    assert in_memory_apart(pack([X, X.copy()], is_layout_kept=True)) is None


def test_bools_are_moved_as_floats():
    found = as_floats(pack([np.array([True, False])], is_layout_kept=True))
    assert found is not None
    assert unpack(found, False, lambda module, name: None)[0].tolist() == [1.0, 0.0]


def test_items_of_lists_are_moved_as_those_of_arrays():
    found = as_floats(pack([[True, 2, 0.5], 3, False]))
    assert found is not None
    assert list(map(repr, unpack(found, False, lambda module, name: None))) == ["[1.0, 2.0, 0.5]", "3", "False"]
    assert as_floats(pack([3, True])) is None and as_floats(pack([3, True]), are_all=True) is not None


@pytest.mark.parametrize(("off", "kind"), [(1e-7, "equal"), (1e-5, "different")])
def test_what_is_single_on_the_way_is_off_by_bits_of_single_precision(off, kind):
    def old(x, y):
        return y * (np.sin(x * 0.0172 - 1.39) + 2)

    assert verdict(old, lambda x, y: old(x, y) * (1 + off), np.array([0.5, 0.25], "float32"), X) == kind
    assert verdict(old, lambda x, y: old(x, y) * (1 + off), np.array([0.5, 0.25]), X) == "different"


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_integers_of_which_half_precision_is_made_count_as_floats(dtype):
    def old(x, y):
        return y * (0.34 - 0.14 * np.sqrt(x))

    def new(x, y):
        return y * (0.34 - (0.14 * np.sqrt(x).astype("float32")).astype("float16"))

    x, y = np.arange(100, 127).astype(dtype), np.linspace(1.0, 2.0, 27)
    assert not np.array_equal(old(x, y), new(x, y)) and verdict(old, new, x, y) == "equal"
    assert verdict(old, lambda x, y: old(x.astype("float64"), y), x, y) == "different"
    assert verdict(lambda x, y: y * (x * 3), lambda x, y: y * (x.astype("float16") * 3), x, y) == "different"


@pytest.mark.parametrize(("off", "kind"), [(1e-9, "equal"), (1e-4, "different")])
@pytest.mark.parametrize("is_single", [True, False])
def test_libraries_may_compute_in_single_precision_with_small_integers(off, kind, is_single):
    def old(x):
        narrow = x.astype("float32" if is_single and x.dtype.itemsize < 4 else "float64") / 3
        return [narrow * 0.1, np.array([float(narrow.sum())])]

    def new(x):
        first, last = old(x)
        return [first, last + off]

    x = np.array([100, 7, 23], "int8")
    assert verdict(old, new, x) == (kind if is_single else "different")


def test_small_integers_that_overflow_allow_nothing():
    def old(x):
        return (x + x).astype("float64") / 3

    assert verdict(old, lambda x: old(x) + 1e-9, np.array([100, 7, 23], "int8")) == "different"
