"""Operators on every pair of operand kinds, against NumPy."""

from __future__ import annotations

import copy
import itertools
import operator as python
import warnings
from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from np2torch.shim import operator
from np2torch.shim._layout import may_overlap_itself
from np2torch.verify.compare import difference

OPERANDS: list[Any] = [
    2, -1, 0, 2.5, True, 1j, 300, None, "ab", [1, 2, 3], (1, 2), [1.5], object, np.int64(2), np.int8(3),
    np.float64(2.0),
    np.float32(0.1), np.bool_(True), np.complex64(1j), np.uint8(5), np.array([1, 2, 3]), np.array([1.0, np.nan, -2]),
    np.array([1, 0, 200], "u1"), np.array([True, False, True]), np.array([1.5, 2, 3], "f4"), np.ones((2, 3)), np.eye(3),
    np.array([]), np.array([1 + 1j, 2, 3]), np.ones(2, "i4"), np.array([-3, 0, 4], "i2"), np.arange(9).reshape(3, 3).T,
]  # fmt: skip
BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift",
          "eq", "ne", "lt", "le", "gt", "ge", "contains"]  # fmt: skip
INPLACE = ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul", "iand", "ior", "ixor", "ilshift",
           "irshift"]  # fmt: skip


def to_torch(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return torch.tensor(x)
    return torch.tensor(x.item(), dtype=getattr(torch, x.dtype.name)) if isinstance(x, np.generic) else x


def run(function: Any, *args: Any) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args)
        except Exception as error:
            return type(error)


def mismatch(old: Any, new: Any) -> str | None:
    if isinstance(old, type) and isinstance(new, type):
        both = all(
            issubclass(error, (TypeError, ValueError)) for error in (old, new)
        )  # two reasons to fail: either will do
        return None if issubclass(old, new) or both else f"{old} became {new}"
    if isinstance(old, type) or isinstance(new, type):
        return f"{old!r} became {new!r}"
    with np.errstate(all="ignore"):
        return difference(old, new, atol=1e-6 if "complex" in str(getattr(old, "dtype", "")) else 0.0)


def is_quirk(name: str, a: Any, b: Any) -> bool:
    """Object arrays, a Python complex whose operator does not know NumPy's float, formatting without a place.

    A list times a float scalar raises in NumPy, times a 0-D array it does not; a 0-D tensor stands for both.
    """
    empty = any(np.size(x) == 0 for x in (a, b)) and any(x is None or isinstance(x, (str, type)) for x in (a, b))
    strings = any(isinstance(x, str) for x in (a, b)) and name in ("mod", "imod")
    scalar = any(isinstance(x, np.generic) and not isinstance(x, np.integer) for x in (a, b))
    if name in ("mul", "imul") and scalar and any(isinstance(x, (list, tuple)) for x in (a, b)):
        return True
    subclass = isinstance(a, complex) and type(b) is np.float64
    return empty or strings or subclass or (name.endswith("matmul") and any(type(x) is int for x in (a, b)))


@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str) -> None:
    wrong = []
    for a, b in itertools.product(OPERANDS, OPERANDS):
        if not any(isinstance(x, (np.ndarray, np.generic)) for x in (a, b)) or is_quirk(name, a, b):
            continue
        found = mismatch(run(getattr(python, name), a, b), run(getattr(operator, name), to_torch(a), to_torch(b)))
        wrong += [f"{a!r} {name} {b!r}: {found}"] if found else []
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:25])


@pytest.mark.parametrize("name", INPLACE)
def test_inplace(name: str) -> None:
    wrong = []
    for a, b in itertools.product(OPERANDS, OPERANDS):
        if not any(isinstance(x, (np.ndarray, np.generic)) for x in (a, b)) or is_quirk(name, a, b):
            continue
        x, y = copy.deepcopy(a), to_torch(copy.deepcopy(a))
        old, new = run(getattr(python, name), x, b), run(getattr(operator, name), y, to_torch(b))
        found = mismatch(old, new) or mismatch(x, y)
        if not found and isinstance(a, (np.ndarray, list)) and (old is x) != (new is y):
            found = f"identity {old is x} became {new is y}"
        wrong += [f"{a!r} {name} {b!r}: {found}"] if found else []
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:25])


@pytest.mark.parametrize("name", ["neg", "pos", "invert", "abs", "not_"])
def test_unary(name: str) -> None:
    wrong = []
    for a in OPERANDS:
        found = mismatch(run(getattr(python, name), a), run(getattr(operator, name), to_torch(a)))
        wrong += [f"{name} {a!r}: {found}"] if found and isinstance(a, (np.ndarray, np.generic)) else []
    assert not wrong, "\n".join(wrong)


def test_overlap_and_views() -> None:
    a = np.arange(9.0).reshape(3, 3)
    x = torch.tensor(a)
    a += a.T
    operator.iadd(x, x.T)
    assert difference(a, x) is None
    a[1:] *= a[:-1]
    operator.imul(x[1:], x[:-1])
    assert difference(a, x) is None
    for name in ("iadd", "isub", "imul", "itruediv"):  # each element of a window lies in several rows
        b = np.arange(5.0)
        y = torch.tensor(b)
        getattr(python, name)(np.lib.stride_tricks.as_strided(b, (3, 3), (8, 8)), 2.0)
        getattr(operator, name)(y.as_strided((3, 3), (1, 1)), 2.0)
        assert difference(b, y) is None


def test_operands_that_lie_in_what_is_written() -> None:
    for name in ("iadd", "isub", "imul", "itruediv"):
        a = np.arange(1.0, 10.0).reshape(3, 3)
        x = torch.tensor(a)
        for old, new in ((a[::2], x[::2]), (a[1], x[1])):
            same = new
            found = getattr(python, name)(old, a[1, 1]), getattr(operator, name)(new, x[1, 1].clone())
            assert found[1] is same and difference(a, x) is None
            getattr(python, name)(old, old[::-1])
            getattr(operator, name)(new, new.flip(0))
            getattr(python, name)(a[:2], a[1:])
            getattr(operator, name)(x[:2], x[1:])
            assert difference(a, x) is None


def test_columns_are_written_in_place_unless_their_elements_lie_in_one_place() -> None:
    for size, step in itertools.product(range(4), range(4)):
        memory = torch.arange(20.0, dtype=torch.float64)
        x = torch.as_strided(memory, (size,), (step,))
        places = [step * at for at in range(size)]
        overlaps = len(set(places)) < size
        assert may_overlap_itself(x) is overlaps, (size, step)
        if overlaps:
            with pytest.raises(RuntimeError, match="single memory location"):
                operator.iadd(x, 0.5)
            continue
        wanted = memory.numpy().copy()
        view = np.lib.stride_tricks.as_strided(wanted, (size,), (8 * step,))
        view += 0.5
        assert operator.iadd(x, 0.5) is x
        assert memory.tolist() == wanted.tolist(), (size, step)


def test_old_values_that_a_gradient_needs_stay() -> None:
    w = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
    x = operator.imul(operator.imul(w * 1.0, w), 2.0)
    x.sum().backward()
    assert w.grad is not None and w.grad.tolist() == [8.0, 12.0]


@pytest.mark.parametrize("number", [2**31, -(2**31), 2**53 + 1, 16777217, 1e300, 0])
def test_large_numbers_beside_tensors(number: Any) -> None:
    for dtype in ("i8", "i4", "f4", "f8"):
        for name, shape in itertools.product(("add", "sub", "mul", "truediv", "lt", "ge"), ((), (2,))):
            old = np.full(shape, 3, dtype)
            new = torch.tensor(old)
            function, ours = getattr(python, name), getattr(operator, name)
            old = old[()]
            assert mismatch(run(function, old, number), run(ours, new, number)) is None, (dtype, name)
            assert mismatch(run(function, number, old), run(ours, number, new)) is None, (dtype, name)


def test_python_operands_stay_python() -> None:
    assert operator.add([1], [2]) == [1, 2] and operator.mul("ab", 2) == "abab" and operator.eq(None, None) is True
    assert operator.iadd(found := [1], [2]) is found
    assert operator.mod("%s|%.1f", (torch.tensor(2.5), torch.tensor(1.0))) == "2.5|1.0"
    assert operator.contains({2.5: 1}, torch.tensor(2.5)) and operator.contains([torch.ones(()), 3], 3)
    assert operator.getitem([1, 2], torch.tensor(1)) == 2


def test_comparisons_of_what_stays_on_numpy_are_masks() -> None:
    """What may be a tensor or an ndarray (`>i4` of a file) is compared by the shim, and the result used as a tensor."""
    old = np.array([1, 2, 2], dtype=">i4")
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        assert difference(getattr(python, name)(old[1:], old[:-1]), getattr(operator, name)(old[1:], old[:-1])) is None
    assert isinstance(operator.add(old, old), np.ndarray)  # arithmetic stays where it is


def test_lists_times_zero_d_arrays() -> None:
    for count in (np.array(0.5), np.array(2.0), np.array(True)):
        assert difference([3, 4] * count, operator.mul([3, 4], to_torch(count))) is None
        assert difference(count * (3, 4), operator.mul(to_torch(count), (3, 4))) is None


class Near:
    """An object that says itself what it is equal to."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return abs(other - self.value) < 0.1

    __hash__ = None


class Aloof(Near):
    """The same, and NumPy's functions are not to take it apart."""

    __array_ufunc__ = None


@pytest.mark.parametrize("other", [Near(1.0), Aloof(1.0), pytest.approx(1.0, abs=0.1)])
def test_other_objects_say_themselves_what_they_equal(other):
    for value in (1.05, 1.5):
        for theirs, ours in ((python.eq, operator.eq), (python.ne, operator.ne)):
            expected = bool(theirs(np.float64(value), other)), bool(theirs(other, np.float64(value)))
            scalar = torch.tensor(value, dtype=torch.float64)
            assert (bool(ours(scalar, other)), bool(ours(other, scalar))) == expected
    old = np.array([1.05, 2.0]) == Near(1.0)
    assert operator.eq(torch.tensor([1.05, 2.0], dtype=torch.float64), Near(1.0)).tolist() == old.tolist()


def test_a_dtype_is_repeated():
    """A field of several numbers: the dtype stays one of NumPy's."""
    for count in (3, torch.tensor(3)):
        assert operator.mul(torch.int32, count) == np.dtype(np.int32) * 3
        assert operator.mul(count, torch.float64) == np.dtype(np.float64) * 3


@pytest.mark.parametrize("b", [np.array([[1.0, 2.0], [3.0, 4.0]]), [[1.0, 2.0], [3.0, 4.0]]])
def test_what_is_no_tensor_may_be_the_matrix_of_an_in_place_product(b):
    a, found = np.eye(2), torch.eye(2, dtype=torch.float64)
    a @= b
    assert operator.imatmul(found, b) is found and np.array_equal(a, found.numpy())


@pytest.mark.parametrize("name", ["eq", "ne"])
@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix, sparse.coo_array])
def test_sparse_arrays_say_themselves_what_they_are_equal_to(name: str, make: Any) -> None:
    dense = np.array([[1.0, 0.0], [0.0, 2.0]])
    other, function = make(dense), getattr(python, name)
    ours = getattr(operator, name)
    for x in (dense, dense + 1):
        tensor = to_torch(x)
        assert np.asarray(ours(tensor, other)).tolist() == np.asarray(function(x, other)).tolist()
        assert np.asarray(ours(other, tensor)).tolist() == np.asarray(function(other, x)).tolist()
