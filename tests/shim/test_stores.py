"""Places that store as NumPy does, and what Python's functions do to the elements of a tensor."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest
import torch

from np2torch import shim

ARRAYS = [
    np.arange(12.0).reshape(3, 4),
    np.arange(12).reshape(3, 4)[:, ::2],
    np.asfortranarray(np.arange(12.0, dtype=np.float32).reshape(3, 4)),
    np.arange(16.0).reshape(4, 4).T,
]
STORES = {
    "columns": lambda a, place: place(a).__setitem__((slice(None), slice(1, None)), a[:, :-1]),
    "rows": lambda a, place: place(a).__setitem__(slice(1, None), a[:-1]),
    "a number": lambda a, place: place(a).__setitem__((0, 1), 7),
    "a list": lambda a, place: place(a).__setitem__(0, [3] * a.shape[1]),
    "rows in a list": lambda a, place: place(a).__setitem__(slice(None), [*a[1:], a[0]]),
    "rows in a list, backwards": lambda a, place: place(a).__setitem__(
        slice(None), [a[i] for i in range(len(a))][::-1]
    ),
    "what was read": lambda a, place: place(a).__setitem__(0, place(a)[1]),
}


def same(old: np.ndarray, new: torch.Tensor) -> None:
    assert new.numpy().dtype == old.dtype
    assert np.array_equal(old, new.numpy())


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("array", ARRAYS, ids=str)
def test_a_target_stores_as_numpy_does(array: np.ndarray, store: str):
    old, new = array.copy(order="K"), torch.from_numpy(array.copy(order="K"))
    STORES[store](old, lambda a: a)
    STORES[store](new, shim.target)
    same(old, new)


def test_what_is_no_tensor_is_its_own_target():
    for one in ([1, 2], {"a": 1}, "text", None):
        assert shim.target(one) is one
        assert shim.items(one) is one
        assert shim.elements(one) is one
        assert shim.numbers(one) is one


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.uint8, np.int32, np.bool_, np.complex128])
@pytest.mark.parametrize("size", [0, 1, 2, 17])
def test_shuffle(dtype: type, size: int):
    old = np.arange(size).astype(dtype)
    new = torch.from_numpy(old.copy())
    random.Random(5).shuffle(old)
    assert shim.on_elements(random.Random(5).shuffle, new) is None
    same(old, new)


def test_shuffled_rows_are_views_on_both_sides():
    old = np.arange(12.0).reshape(6, 2)
    new = torch.from_numpy(old.copy())
    random.seed(2)
    random.shuffle(old)
    random.seed(2)
    shim.on_elements(random.shuffle, new)
    same(old, new)


def test_other_functions_are_called_with_what_is_given():
    x = torch.arange(3)
    assert shim.on_elements(copy.copy, x).equal(x)
    assert shim.on_elements(len, [1, 2]) == 2


def test_items_and_elements():
    grid, line = torch.arange(4.0).reshape(2, 2), torch.arange(3.0)
    shim.items(grid)[0][0] = 9
    assert grid[0, 0] == 9
    shim.elements(grid)[1][1] = 8
    assert grid[1, 1] == 8
    shim.elements(line)[0] = 7
    assert line[0] == 0
    assert shim.numbers([line[1], 2, 3.5]) == [1.0, 2, 3.5]
    assert shim.numbers(line) == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.int8, np.uint8, np.float64])
@pytest.mark.parametrize("value", [np.float64("nan"), np.float64("inf"), np.float64(-1e300), np.float64(2.7)])
@pytest.mark.parametrize("index", [0, slice(0, 2), ..., [0, 1]], ids=str)
def test_a_scalar_that_is_no_integer(dtype: type, value: np.float64, index):
    outcomes = []
    for array, scalar in ((np.zeros(3, dtype), value), (torch.from_numpy(np.zeros(3, dtype)), torch.tensor(value))):
        try:
            with np.errstate(all="ignore"):
                shim.operator.setitem(array, index, scalar) if isinstance(array, torch.Tensor) else array.__setitem__(
                    index, scalar
                )
            outcomes.append(array)
        except (ValueError, OverflowError) as error:
            outcomes.append(type(error))
    old, new = outcomes
    assert (old is new) if isinstance(old, type) else isinstance(new, torch.Tensor)
    if not isinstance(old, type) and np.isfinite(value) and abs(value) < 2**31:
        same(old, new)


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.bool_, np.complex128, np.float32])
@pytest.mark.parametrize(
    "value", ["3", b"4", None, ["1", "2"], ["1", None], [["1"], ["2"]], ("0", 5), ["x", "1"], [1, b"2"]]
)
def test_text_and_none_are_stored_as_the_numbers_they_stand_for(dtype: type, value: object):
    old, new = np.zeros((2, 2), dtype), torch.zeros(2, 2, dtype=getattr(torch, np.dtype(dtype).name.rstrip("_")))
    try:
        old[:] = value
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error)):
            shim.operator.setitem(new, slice(None), value)
    else:
        shim.operator.setitem(new, slice(None), value)
        np.testing.assert_array_equal(old, new.numpy())


@pytest.mark.parametrize("dtype", [">i4", ">i8", "<u2", "<u4", ">u8", "|u1", "|i1", "<i2", "<i8"])
def test_an_ndarray_of_any_integers_is_an_index(dtype: str):
    places = np.array([2, 0, 1], dtype=dtype)
    assert torch.arange(5.0)[shim.index(places)].tolist() == [2.0, 0.0, 1.0]
    assert np.arange(5.0)[shim.index(places)].tolist() == [2.0, 0.0, 1.0]
