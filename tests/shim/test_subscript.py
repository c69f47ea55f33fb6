"""Indexing: every index is read and written on both sides, over several layouts and dtypes."""

from __future__ import annotations

import copy
import itertools
import warnings
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim.subscript import getitem, setitem
from np2torch.verify.compare import difference

nan = np.nan
i8, u1 = np.array([0, 1]), np.array([1, 0], dtype="u1")
COLUMN = np.arange(2)[:, None]
rng = np.random.default_rng(0)

INDICES: list[Any] = [
    0, -1, 5, -3, (), Ellipsis, None, True, False, np.True_, np.int64(1), np.uint8(1), np.array(1), np.array(True),
    1.0, "x",
    slice(None), slice(1, None), slice(None, None, -1), slice(5, 0, -2), slice(-1, -9, -1), slice(2, 1), slice(0, 1,
    -1),
    (slice(np.int64(0), 2, 1), np.int64(1)),
    slice(None, None, 2), slice(np.int64(0), np.int64(1)), slice(0, 2, 0), slice(1, 100, 3), slice(-100, 100),
    [0, 1], [1, -1, 0], [], [5], [-3], [True, False], [[0, 1], [1, 0]], (0, 1), (0, 1, 2),
    (0, 0, 0, 0), [0.5], (0.5, 1),
    i8, u1, u1.astype("i4"), u1.astype("u2"), np.array([], dtype=int), np.array([]), COLUMN, range(2),
    (slice(None), 0), (slice(None), slice(None, None, -1)), (slice(None, None, -1), slice(None), slice(None, None, -2)),
    (Ellipsis, 0), (0, Ellipsis), (0, Ellipsis, 0), (0, 0, Ellipsis, 0), (Ellipsis, None), (None, 0, None),
    (Ellipsis, Ellipsis),
    (0, slice(None), [0, 1]), ([0, 1], slice(None), [0, 1]), ([0, 1], slice(None), 1), (slice(None), 0, [0, 1]),
    ([0, 1], 1),
    (slice(None), [0, 1]), (slice(None), [0, 2], [1, 0]), (slice(None), i8, None, i8), ([0, 1], Ellipsis, [0, 1]),
    (0, Ellipsis, [0]), ([0], None, [0]), ([0, 1], [0, 1], Ellipsis, [0, 1]), ([0, 1], [0, 1], [0, 1], Ellipsis),
    (COLUMN, np.arange(3)), (COLUMN, slice(None), np.arange(3)), (slice(None, None, -1), [0, 1]),
    ([0, 1], slice(None, None, -1)),
    (slice(None), slice(None, None, -1), [1, 0]), ([1, 0], slice(2, None, -1), [0, 1, 1][:2]), ([0, 1], [0, 1, 2]),
    np.ones((2, 3), bool), np.eye(2, 3, dtype=bool), np.zeros((2, 3, 4), bool), np.ones((2, 2), bool),
    rng.random((2, 3, 4)) > 0.5, (0, np.eye(3, 4, dtype=bool)), (slice(None), np.eye(3, 4, dtype=bool)),
    (np.array([True, False]), slice(None), [0, 1]), (np.array([True, True]), [0, 1]),
    (slice(None), [True, False, True]),
    (np.True_, [0, 1]), (0, True), (True, False), (slice(None), True, [0, 1]), (True, slice(None), [0, 1]), ([0], True),
    ([[True, False, True], [False, True, False]],),
    (slice(None, None, -1), np.eye(3, 4, dtype=bool)), np.nonzero(np.eye(2, 3)),
    (slice(0, 0), [0, 5]), (slice(None), [-4, 0], slice(0, 0)), (slice(0, 0), [], slice(None)),
    slice(None, None, np.int64(-1)),
]  # fmt: skip
BASES: dict[str, Any] = {
    "float64": lambda: np.arange(24.0).reshape(2, 3, 4),
    "strided": lambda: np.arange(96.0).reshape(4, 6, 4)[::2, ::2].transpose(0, 1, 2),
    "transposed": lambda: np.arange(24, dtype="i4").reshape(4, 3, 2).T,
    "bool": lambda: np.arange(24).reshape(2, 3, 4) % 3 == 0,
    "uint16": lambda: np.arange(24, dtype="u2").reshape(2, 3, 4),
    "vector": lambda: np.arange(3.0),
    "empty": lambda: np.zeros((0, 3, 4)),
    "scalar": lambda: np.array(5.0),
    "complex64": lambda: np.arange(24).reshape(2, 3, 4).astype("c8"),
}


def to_torch(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        found = torch.empty(x.shape, dtype=getattr(torch, x.dtype.name))
        if x.size and x.ndim == 3:  # another memory layout
            found = torch.empty([2 * n for n in x.shape[::-1]], dtype=found.dtype)[::2, ::2, ::2].permute(2, 1, 0)
        return found.copy_(torch.from_numpy(np.ascontiguousarray(x)).reshape(x.shape))
    if isinstance(x, np.generic):
        return torch.tensor(x)
    if isinstance(x, slice):
        return slice(to_torch(x.start), to_torch(x.stop), to_torch(x.step))
    return type(x)(to_torch(item) for item in x) if isinstance(x, (tuple, list)) else x


def run(function: Any, *args: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args)
        except Exception as error:
            return type(error)


def np_set(x: Any, index: Any, value: Any) -> Any:
    x[index] = value
    return x


def torch_set(x: Any, index: Any, value: Any) -> Any:
    setitem(x, index, value)
    return x


@pytest.mark.parametrize("base", BASES)
def test_read(base: str) -> None:
    wrong = []
    for index in INDICES:
        x = BASES[base]()
        old, new = run(lambda i, x=x: x[i], index), run(getitem, to_torch(x), to_torch(index))
        if isinstance(old, type) or isinstance(new, type):
            found = None if old is new else f"{old} became {new}"
        else:
            found = difference(old, new)
        wrong += [f"{index!r}: {found}"] if found else []
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("kind", ["number", "row", "full", "broadcast", "leading"])
def test_write(base: str, kind: str) -> None:
    wrong = []
    for index in INDICES:
        x = BASES[base]()
        if kind == "leading" and (base == "scalar" or (base == "bool" and repr(index) == "(0, 1, 2)")):
            continue  # NumPy stores truth values of arrays, and refuses some extra axes
        target = run(lambda i, x=x: np.asarray(x[i]), index)
        shape = target.shape if isinstance(target, np.ndarray) else (2,)
        values = np.arange(50.0, 50 + np.prod(shape)).reshape(shape)
        value = {
            "number": lambda: 7,
            "row": lambda v=values: v[(0,) * (v.ndim - 1)].tolist() if v.ndim and v.size else 1.5,
            "full": lambda v=values: v,
            "broadcast": lambda v=values: v[..., :1].astype("f4") if v.ndim else np.float32(3),
            "leading": lambda v=values: v[None, None],
        }[kind]()
        old, new = (
            run(np_set, copy.deepcopy(x), index, value),
            run(torch_set, to_torch(x), to_torch(index), to_torch(value)),
        )
        if isinstance(old, type) or isinstance(new, type):
            found = None if old is new else f"{old} became {new}"
        else:
            found = difference(old, new)
        wrong += [f"{index!r} = {value!r}: {found}"] if found else []
    assert not wrong, "\n".join(wrong)


VALUES: list[Any] = [
    nan, np.inf, 1.7, -1, 300, 2**40, 2**70, True, 1j, None, 256.0, [1, 2], [300, 1], [nan, 1], [1.5, -2.5], [],
    np.array([]),
    np.float32(1.5), np.array(300), np.array([300, -1]), np.array([1.5]), np.array([1j, 2]), np.complex128(2j),
    np.int64(3),
    np.array([[[1.0, 2.0]]]), [[1.0, 2.0]], [np.int64(1), 2], [True, False],
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i4", "u1", "u2", "u4", "u8", "?", "c8", "c16"])
def test_values_are_cast_as_numpy_casts(dtype: str) -> None:
    wrong = []
    for value, index in itertools.product(VALUES, (0, slice(0, 2), [0, 1], np.array([True, True, False, False]))):
        if dtype == "?" and type(index) is int and np.ndim(value):
            continue  # NumPy stores the truth value of the list; here it is an error
        x = np.ones(4, dtype)
        old, new = (
            run(np_set, x.copy(), index, value),
            run(torch_set, torch.tensor(x), to_torch(index), to_torch(value)),
        )
        if isinstance(old, type) or isinstance(new, type):
            found = None if old is new else f"{old} became {new}"
        else:
            found = difference(old, new)
        wrong += [f"[{index!r}] = {value!r}: {found}"] if found else []
    assert not wrong, "\n".join(wrong)


def test_overlap() -> None:
    for target, source in [((slice(None), slice(1, None)), (slice(None), slice(None, -1))),
    (slice(1, None), slice(None, -1)),
                           (slice(None, None, -1), slice(None)), ([1, 0], slice(None))]:  # fmt: skip
        a = np.arange(16.0).reshape(2, 8) if target == [1, 0] else np.arange(16.0).reshape(4, 4)
        b = torch.tensor(a)
        a[target] = a[source]
        setitem(b, target, getitem(b, source))
        assert difference(a, b) is None


def test_memory() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    setitem(getitem(x, (slice(None), 1)), 0, 9.0)
    assert x[0, 1] == 9
    element = getitem(x, (0, 0))
    element += 5
    assert x[0, 0] == 0
    for index in ([0], slice(None, None, -1), torch.tensor([True, False])):
        getitem(x, index).fill_(-1)
        assert x[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        setitem(torch.ones(3).expand(2, 3), 0, 1)


@pytest.mark.parametrize("index", [..., (), slice(None), (slice(None), ...), (..., slice(0, 3)), (None,)])
def test_all_of_an_array_is_a_view_of_its_own(index: Any) -> None:
    array, tensor = np.arange(3.0), torch.arange(3.0, dtype=torch.float64)
    for x, found in ((array, array[index]), (tensor, shim.operator.getitem(tensor, index))):
        assert found is not x and not shim.attribute(found, "flags").owndata
        found[...] = 5
        assert x[0] == 5 and shim.attribute(x, "flags").owndata


def test_gradients_flow() -> None:
    x = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    y = getitem(x, ([0, 1], slice(None, None, -1)))
    setitem(y, (0, 0), 5.0)
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [[1, 1, 0], [1, 1, 1]]


def test_other_containers() -> None:
    assert getitem([1, 2, 3], torch.tensor(1)) == 2
    assert getitem([1, 2, 3], slice(torch.tensor(1), None)) == [2, 3]
    assert getitem({2.5: "a", (1, 2): "b"}, torch.tensor(2.5)) == "a"
    assert getitem({(1, 2): "b"}, (torch.tensor(1), 2)) == "b"
    assert getitem(np.arange(3), torch.tensor([0, 2])).tolist() == [0, 2]
    found: dict[Any, Any] = {}
    setitem(found, torch.tensor(3), 1)
    assert found == {3: 1}


def test_an_index_beyond_64_bits_is_an_index_error():
    for index in (1 << 64, (0, 1 << 70), -(1 << 70)):
        with pytest.raises(IndexError):
            getitem(torch.zeros(2, 2), index)


def test_an_index_may_lie_in_what_is_written() -> None:
    x = torch.arange(5)
    setitem(x[2:], x[:-2], 3)
    assert x.tolist() == [0, 1, 3, 3, 3]


@pytest.mark.parametrize("index", [
    True, False, [True, True], None, (1, 2), [1.0, 2.0], np.array([1.0]), 1.5, (None,), [[0, 1]], (), ..., (...,), (0,),
    "a", (slice(None),), np.array(True), np.array(2), [], (True,), np.zeros(10, bool), np.zeros((3, 3), bool), (..., 0),
])  # fmt: skip
def test_flat_takes_the_indices_that_flat_iterators_take(index):
    def outcome(flat, index, write):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                if write:
                    flat[index] = 50
                found = None if write else flat[index].tolist()
            except Exception as error:
                found = type(error)
        return found, [one.category for one in told]

    inner = torch.from_numpy(index) if isinstance(index, np.ndarray) else index
    for write in (False, True):
        old, new = np.arange(9).reshape(3, 3), torch.arange(9).reshape(3, 3)
        assert outcome(old.flat, index, write) == outcome(shim.attribute(new, "flat"), inner, write)
        assert old.tolist() == new.tolist()


def test_bounds_of_slices_and_lengths_are_integers():
    one, many = torch.tensor([1]), torch.ones((1,) * 64)
    with pytest.raises(TypeError):
        shim.operator.getitem(one, slice(one, None))
    with pytest.raises(IndexError):
        shim.operator.getitem(many, (torch.tensor([0]),) * 64)
    with pytest.raises(IndexError):
        shim.operator.getitem(torch.ones(1), (True,) * 64)
    for shape in ((True, 1), (one, 1), True):
        with pytest.raises(TypeError):
            shim.zeros(shape)
