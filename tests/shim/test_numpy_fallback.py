"""Arrays that no torch dtype holds: the shim's functions give what NumPy's own give, numbers among it as tensors."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim._numpy_fallback import _member, numpys_own
from np2torch.verify.compare import difference
from support.columns import Column


class Point:
    """An object of the user's own, which adds."""

    def __init__(self, x: int) -> None:
        self.x = x

    def __add__(self, other: Any) -> Any:
        return Point(self.x + other.x)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self.x == other.x

    __hash__ = None  # type: ignore[assignment]


P, Q = Point(1), Point(2)
TEXTS = ["b", "a", "b"]

CASES: dict[str, Callable[[Any], Any]] = {
    "text": lambda np: np.array("a"), "texts": lambda np: np.array(TEXTS), "none": lambda np: np.array(None),
    "nones": lambda np: np.asarray([None, 1]), "mixed": lambda np: np.array([1, "a", 2.5]),
    "bytes": lambda np: np.array([b"a"]), "object": lambda np: np.array(P), "objects": lambda np: np.asarray([P, Q]),
    "dict": lambda np: np.asarray({"a": 1}), "huge": lambda np: np.array([2**70, 1]),
    "one huge": lambda np: np.array(2**70), "rows": lambda np: np.array([["a"], ["b"]]),
    "asked": lambda np: np.array([1, 2], dtype=object), "as text": lambda np: np.array([1, 2], "U3"),
    "ragged": lambda np: np.array([[1], [1, 2]], dtype=object), "tuple": lambda np: np.asanyarray(("a", None)),
    "zeros": lambda np: np.zeros(2, dtype=object), "empty": lambda np: np.empty((2, 1), object),
    "full": lambda np: np.full(2, None), "full text": lambda np: np.full((2, 2), "ab"),
    "atleast": lambda np: np.atleast_1d("a"), "ndmin": lambda np: np.array("a", ndmin=2),
    "unique": lambda np: np.unique(TEXTS), "counts": lambda np: np.unique(TEXTS, return_counts=True),
    "sort": lambda np: np.sort(TEXTS), "argsort": lambda np: np.argsort(TEXTS, kind="stable"),
    "where": lambda np: np.where([True, False], "x", "yy"), "isin": lambda np: np.isin(TEXTS, ["a"]),
    "concatenate": lambda np: np.concatenate([TEXTS, ["c"]]), "size": lambda np: np.size(["a"]),
    "stack": lambda np: np.vstack([TEXTS, TEXTS]), "repeat": lambda np: np.repeat(["a", "b"], 2),
    "shape": lambda np: np.shape([["a"]]), "sum": lambda np: np.sum([P, Q]),
    "sum of axis": lambda np: np.sum([[P, Q], [Q, Q]], axis=1), "max": lambda np: np.max([2**70, 1]),
    "array_equiv": lambda np: np.array_equiv(TEXTS, [["b", "a", "b"]] * 2),
    "unequal": lambda np: np.array_equal(TEXTS, [1, 2, 3]), "any": lambda np: np.any([None, 1]),
    "all": lambda np: np.all([None, 1]), "mean": lambda np: np.mean([2**70, 2**70]),
    "equal": lambda np: np.equal([P, Q], [P, P]), "add": lambda np: np.add([P, Q], [Q, Q]),
    "array_equal": lambda np: np.array_equal(TEXTS, TEXTS), "tile": lambda np: np.tile("a", 2),
    "ndim": lambda np: np.ndim("a"), "split": lambda np: np.split(np.array(["a", "b"]), 2),
    "take": lambda np: np.take(TEXTS, [0, 1]), "sqrt of none": lambda np: np.sqrt(None),
    "sum of texts": lambda np: np.sum(TEXTS), "mean of texts": lambda np: np.mean(["a"]),
    "isnan": lambda np: np.isnan([None]), "nonsense": lambda np: np.zeros(2, dtype="nonsense"),
    "into int": lambda np: np.array(["a"], int), "assert": lambda np: np.testing.assert_equal(TEXTS, TEXTS),
}  # fmt: skip


def plain(x: Any) -> Any:
    """Kind, dtype, shape and content, so that both sides can be compared."""
    if isinstance(x, (tuple, list)):
        return [plain(item) for item in x]
    if isinstance(x, torch.Tensor):
        assert x.dtype is not torch.uint8
        return str(x.dtype)[6:], tuple(x.shape), x.tolist()
    if isinstance(x, (np.ndarray, np.generic)):
        return x.dtype.name, x.shape, x.tolist()
    return (type(x).__name__, (), x) if isinstance(x, (bool, int, float)) else x


@pytest.mark.parametrize("name", CASES)
def test_asnumpys_own(name: str) -> None:
    try:
        expected = CASES[name](np)
    except (TypeError, ValueError) as error:
        with pytest.raises((TypeError, ValueError), match=None if isinstance(error, TypeError) else str(error)[:20]):
            CASES[name](shim)
        return
    found = CASES[name](shim)
    assert plain(found) == plain(expected)
    if isinstance(expected, np.ndarray):
        assert isinstance(found, torch.Tensor) == (expected.dtype.kind in "biufc")


def test_masks_are_not_forgotten() -> None:
    masked = np.ma.array([1.0, 2, 4], mask=[0, 1, 0])
    for name in ("sum", "mean", "max", "sqrt", "asanyarray", "any"):
        expected, found = getattr(np, name)(masked), getattr(shim, name)(masked)
        assert np.ma.allequal(expected, found) and np.ma.count(expected) == np.ma.count(found)
    assert isinstance(shim.asarray(masked), torch.Tensor)  # NumPy takes the data as well


def test_operators_and_tensors_beside_objects() -> None:
    texts = shim.array(TEXTS)
    mask = shim.operator.eq(texts, "b")
    assert isinstance(mask, torch.Tensor) and torch.arange(3)[mask].tolist() == [0, 2]
    numbers = shim.array([torch.tensor(1.5), None])
    assert numbers.dtype == object and numbers.tolist() == [1.5, None]
    assert shim.operator.add(torch.tensor([1, 2]), shim.array([2**70, 1])).tolist() == [2**70 + 1, 3]


class Mass:
    """An object that arrays may hold."""

    def __init__(self, kilograms):
        self.kilograms = kilograms


def test_vectorize_over_objects():
    make, weigh = (lambda x: Mass(2 * x)), (lambda mass, more: mass.kilograms * more)
    ours = shim.vectorize(make, otypes=[object])(torch.arange(3.0))
    theirs = np.vectorize(make, otypes=[object])(np.arange(3.0))
    assert type(ours) is np.ndarray and ours.dtype == theirs.dtype == object
    assert [one.kilograms for one in ours] == [one.kilograms for one in theirs] == [0.0, 2.0, 4.0]
    for otypes in (None, [float], ["f4"]):
        expected, found = (one.vectorize(weigh, otypes=otypes)(x, 1.5) for one, x in ((np, theirs), (shim, ours)))
        assert found.tolist() == expected.tolist() and str(found.dtype) == f"torch.{expected.dtype}"


COLUMN = Column([1.0, np.nan, 2.5])


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.sum(COLUMN), lambda m: m.mean(COLUMN), lambda m: m.cumsum(COLUMN), lambda m: m.sqrt(COLUMN),
        lambda m: m.add.reduce(COLUMN), lambda m: m.multiply(m.asarray([1.0, 2.0, 3.0]), COLUMN),
        lambda m: m.isnan(COLUMN), lambda m: m.asarray(COLUMN), lambda m: m.array([COLUMN, COLUMN]),
        lambda m: m.linalg.norm(COLUMN), lambda m: m.nansum(COLUMN),
        lambda m: m.where(m.asarray([True, False, True]), COLUMN, 0),
    ],
)  # fmt: skip
def test_objects_that_answer_themselves(call: Callable[[Any], Any]) -> None:
    expected, found = call(np), call(shim)
    assert isinstance(found, Column if isinstance(expected, Column) else torch.Tensor)
    np.testing.assert_array_equal(np.asarray(expected), np.asarray(found))


HALF = Fraction(1, 2)
OBJECTS = np.array([[HALF, Fraction(2)], [Fraction(1, 3), Fraction(1)]])


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("dot", (OBJECTS, OBJECTS[0])), ("dot", (OBJECTS, np.array([1, 2]))),
        ("matmul", (OBJECTS, np.eye(2, dtype=int))),
        ("tensordot", (OBJECTS, OBJECTS, 1)), ("einsum", ("ij,j->i", OBJECTS, OBJECTS[1])), ("cumsum", (OBJECTS[0],)),
        ("cumprod", (OBJECTS[1],)), ("reshape", (OBJECTS, -1)), ("polyval", (OBJECTS[0], HALF)),
        ("linalg.matrix_power", (OBJECTS, 2)), ("polynomial.polynomial.polyder", (OBJECTS,)),
        ("polynomial.polynomial.polyint", (OBJECTS,)), ("polynomial.polynomial.polyval", (HALF, OBJECTS)),
        ("float64", (OBJECTS,)), ("float64", (HALF,)), ("trace", (OBJECTS,)),
    ],
)  # fmt: skip
def test_products_of_objects(name: str, args: tuple[Any, ...]) -> None:
    theirs, ours = np, shim
    for part in name.split("."):
        theirs, ours = getattr(theirs, part), getattr(ours, part)
    old, new = theirs(*args), ours(*shim.from_numpy(args))
    assert (np.asarray(new) == np.asarray(old)).all() and np.shape(new) == np.shape(old)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "lt", "floordiv"])
@pytest.mark.parametrize("x", [np.array([1.0, 3.0]), np.array([1, 3]), np.float64(1.5), np.int64(3)], ids=repr)
def test_operators_beside_a_fraction(name: str, x: Any) -> None:
    ours, theirs, tensor = getattr(shim.operator, name), getattr(operator, name), shim.from_numpy(x)
    assert difference(theirs(x, HALF), ours(tensor, HALF)) is None
    assert difference(theirs(HALF, x), ours(HALF, tensor)) is None


class Signal(np.ndarray):  # type: ignore[type-arg]
    """A subclass that stays on NumPy and has a say in results."""

    def __array_finalize__(self, obj: Any) -> None:
        """Nothing to hand on."""


@pytest.mark.parametrize("name", [name for name in shim.fft.__all__ if "freq" not in name])
def test_transforms_of_what_stays_on_numpy(name: str) -> None:
    """NumPy's own transform answers, though all transforms of the shim are made by one function."""
    signal = np.arange(12.0).reshape(3, 4).view(Signal)
    assert difference(np.asarray(getattr(np.fft, name)(signal)), getattr(shim.fft, name)(signal)) is None


def test_numpys_functions_are_found_by_their_place() -> None:
    """`polyder` is another function in numpy.polynomial.polynomial than in numpy."""
    for part in ("fft", "linalg", "emath", "polynomial.polynomial", "polynomial.legendre", "lib.stride_tricks"):
        ours, theirs = _member(shim, part), _member(np, part)
        for name in getattr(theirs, "__all__", dir(theirs)):
            found = getattr(ours, name, None)
            if isinstance(found, types.FunctionType) and found is not getattr(shim, name, None):
                assert numpys_own(found, np) is getattr(theirs, name), name
