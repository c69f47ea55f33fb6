"""What Python asks a NumPy scalar, asked of 0-D tensors."""

from __future__ import annotations

import copy
import functools
import numbers
import operator
import pickle
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim import copies, protocols
from np2torch.shim._marks import is_scalar, mark
from np2torch.verify.compare import difference

SCALARS = [np.float64(2.5), np.float32(0.1), np.int64(3), np.uint8(4), np.bool_(True), np.complex128(1j),
np.complex64(1), np.float16(0.1),
           np.float64(1e300), np.float32(1e-8), np.float64("nan"), np.float32(16777216.0), np.float32(1e-4),
           np.float32(1.5e-4), np.float16(2049),
           np.complex64(0.1 - 2j), np.complex64(-0.0), np.float32(-0.0), np.float32(np.inf),
           np.float32(123456)]  # fmt: skip
PYTHON_TYPES = [float, int, complex, bool, str, list, object, numbers.Number, numbers.Real, numbers.Integral,
numbers.Complex,
                numbers.Rational, (int, float), (str, (list, float))]  # fmt: skip


def to_torch(x: Any) -> Any:
    return torch.tensor(x.item(), dtype=getattr(torch, x.dtype.name))


@pytest.mark.parametrize("x", SCALARS, ids=repr)
def test_isinstance(x: Any) -> None:
    for types in PYTHON_TYPES:
        assert protocols.isinstance(to_torch(x), types) == isinstance(x, types), types
    for name in ("float64", "float32", "int64", "uint8", "complex64"):
        assert protocols.isinstance(to_torch(x), getattr(torch, name)) == isinstance(x, getattr(np, name))
    for name in (
        "generic",
        "number",
        "integer",
        "signedinteger",
        "unsignedinteger",
        "inexact",
        "floating",
        "complexfloating",
    ):
        assert protocols.isinstance(to_torch(x), getattr(np, name)) == isinstance(x, getattr(np, name)), name
    assert not protocols.isinstance(to_torch(x), torch.Tensor)
    assert protocols.isinstance(shim.array_0d(to_torch(x)), torch.Tensor)
    assert not protocols.isinstance(shim.array_0d(to_torch(x)), (float, complex, torch.float64))


def test_isinstance_of_others() -> None:
    assert (
        protocols.isinstance(1.5, float)
        and not protocols.isinstance(1.5, int)
        and not protocols.isinstance(1.5, np.floating)
    )
    assert protocols.isinstance(torch.ones(2), torch.Tensor) and not protocols.isinstance(
        torch.ones(2), (float, numbers.Number)
    )
    assert protocols.isinstance([1], (tuple, list)) and not protocols.isinstance(torch.ones(2), torch.float32)


@pytest.mark.parametrize("x", SCALARS, ids=repr)
def test_text_key_and_truth(x: Any) -> None:
    assert protocols.text(to_torch(x)) == str(x)
    if x == x:
        assert {x: 1}[protocols.key(to_torch(x))] == 1
    assert protocols.truth(to_torch(x)) == bool(x)


def test_containers() -> None:
    assert protocols.key((torch.tensor(1), (torch.tensor(2.5), "a"))) == (1, (2.5, "a"))
    assert protocols.key("a") == "a" and protocols.text([1]) == "[1]"
    for bad in (torch.ones(2), torch.ones(0)):
        with pytest.raises(ValueError):
            protocols.truth(bad)
    assert protocols.truth(torch.ones(1, 1)) and not protocols.truth([])


@pytest.mark.parametrize(
    "x", [np.float64(2.567), np.float64(2.5), np.float32(2.567), np.int64(123), np.uint8(5), np.float64(-0.5)], ids=repr
)
def test_round(x: Any) -> None:
    assert difference(round(x), protocols.builtin_round(to_torch(x))) is None
    for digits in (0, 1, -1):
        assert difference(round(x, digits), protocols.builtin_round(to_torch(x), digits)) is None
    assert protocols.builtin_round(2.567, 1) == 2.6
    with pytest.raises(TypeError):
        protocols.builtin_round(torch.ones(2))


# ----------------------------------------------------------------------------------------- as keys, as text
@pytest.mark.parametrize("x", SCALARS, ids=repr)
def test_representation_of_a_scalar(x: Any) -> None:
    assert protocols.representation(to_torch(x)) == repr(x)


def test_representation_inside_containers() -> None:
    def each(one: Any) -> list[Any]:
        return [[one, 1.5], (one,), {"a": [one]}, [], (), {1: (one, "x")}, [[one], {"k"}]]

    for mine, theirs in zip(each(torch.tensor(0.1)), each(np.float32(0.1)), strict=True):
        assert protocols.representation(mine) == repr(theirs)
        assert protocols.text(mine) == str(theirs)
    assert protocols.representation([torch.arange(3)]) == repr([np.arange(3)])


def test_functions_are_handed_to_other_processes_by_name() -> None:
    names = [name for name in dir(np) if isinstance(getattr(np, name), np.ufunc) and name in vars(shim)]
    assert len(names) > 90
    for name in (*names, "mean", "linalg.inv", "fft.fft"):
        function = functools.reduce(getattr, name.split("."), shim)
        assert pickle.loads(pickle.dumps(function)) is function


def test_a_duplicate_has_data_of_its_own() -> None:
    for make in (torch.tensor, np.array):
        x, inner = make([1.0, 2.0]), [make([3.0])]
        copied = (protocols.duplicate if make is torch.tensor else copy.copy)((x, inner)[0])
        held = (protocols.duplicate if make is torch.tensor else copy.copy)(inner)
        x[0] = 7.0
        assert copied[0] == 1.0 and held is not inner and held[0] is inner[0]
    assert protocols.duplicate({"a": 1}) == {"a": 1}


def test_by_value_looks_scalars_up_by_value() -> None:
    def run(cache: Any, scalar: Any) -> Any:
        @cache
        def twice(x: Any, by: Any = 1) -> Any:
            return x * 2 * by

        given = [(scalar(3),), (scalar(3),), (3,), (scalar(4), scalar(2)), (scalar(4), 2), (scalar(3.0),)]
        return [int(twice(*args)) for args in given], twice(by=scalar(1), x=scalar(2)), twice.cache_info(), twice

    cache = functools.lru_cache(maxsize=3)
    mine, theirs = run(protocols.by_value(cache), torch.tensor), run(cache, lambda x: np.asarray(x)[()])
    assert (mine[0], mine[2]) == (theirs[0], theirs[2])
    assert isinstance(mine[1], torch.Tensor) and mine[3].__name__ == "twice"
    with pytest.raises(TypeError, match="unhashable"):
        mine[3](torch.ones(2))


@pytest.mark.parametrize("index", [np.array([1]), np.bool_(True), np.float64(1.0), np.int64(1), np.uint8(1), 1, True])
def test_only_index_refuses_what_lists_refuse(index: Any) -> None:
    mine = torch.from_numpy(np.asarray(index)) if isinstance(index, (np.ndarray, np.generic)) else index
    try:
        expected = [10, 20][index]
    except TypeError:
        with pytest.raises(TypeError):
            copies.only_index(mine)
    else:
        assert [10, 20][copies.only_index(mine)] == expected


class Dual:
    """A number of the user's own."""

    def __init__(self, value: float) -> None:
        self.value = value

    def exp(self) -> tuple[str, float]:
        return "exp", self.value


def test_objects_bring_their_own_functions() -> None:
    x = Dual(2.0)
    assert shim.exp(x) == np.exp(x) == ("exp", 2.0)
    for side in (np, shim):
        with pytest.raises(TypeError):
            side.sin(x)


class Pair(Dual):
    """One that would be a sequence, were it not for what it raises."""

    def __init__(self, value: float, on_length: type[Exception] | None, on_item: type[Exception] | None) -> None:
        super().__init__(value)
        self.on_length, self.on_item = on_length, on_item

    def __len__(self) -> int:
        if self.on_length is not None:
            raise self.on_length("no length")
        return 2

    def __getitem__(self, key: Any) -> Any:
        if self.on_item is not None:
            raise self.on_item("no item")
        return (1.0, 2.0)[key]


@pytest.mark.parametrize("on_length", [None, TypeError, ValueError, AttributeError, RecursionError])
@pytest.mark.parametrize("on_item", [None, KeyError, TypeError, ValueError])
def test_objects_without_a_length_are_no_sequences(
    on_length: type[Exception] | None, on_item: type[Exception] | None
) -> None:
    x = Pair(2.0, on_length, on_item)
    try:
        expected = np.exp(x)  # type: ignore[call-overload]
    except Exception as error:
        with pytest.raises(type(error)):
            shim.exp(x)
    else:
        found = shim.exp(x)
        if torch.is_tensor(found):
            found, expected = found.tolist(), pytest.approx(expected.tolist(), rel=1e-15)
        assert found == expected


TEMPLATES = [
    "%s", "%r", "%d", "%.3f", "%x", "%5s", "{}", "{!r}", "{!s:>9}", "{:.2f}", "{:d}", "{:>9}", "{:e}", "{0.ndim}",
]  # fmt: skip


def filled(template: str, value: Any) -> Any:
    """The text, or the class of the error."""
    try:
        return operator.mod(template, value) if "%" in template else template.format(value)
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("template", TEMPLATES)
def test_templates_get_what_numpy_gives_them(template: str) -> None:
    for x in SCALARS:
        assert filled(template, shim.printable(to_torch(x))) == filled(template, x), x


@pytest.mark.parametrize("template", [*TEMPLATES, "{0.shape} {0[0][1]:.1f}", "{!r:>40}"])
def test_templates_get_arrays(template: str) -> None:
    array, tensor = np.array([[0.1, 2.0]]), torch.tensor([[0.1, 2.0]], dtype=torch.float64)
    assert filled(template, shim.printable(tensor)) == filled(template, array)


def test_templates_get_what_containers_hold() -> None:
    array, tensor = np.array([0.1, 2.0]), torch.tensor([0.1, 2.0], dtype=torch.float64)
    held, mine = ({"a": (x[0], [x[1]]), "b": "text"} for x in (array, tensor))
    assert filled("%(a)s %(b)s", shim.printable(mine)) == filled("%(a)s %(b)s", held)
    assert "{a[1][0]:.3f}".format(**shim.printable(mine)) == "2.000"
    assert shim.operator.mod("%s %.1f", tuple(tensor)) == operator.mod("%s %.1f", tuple(array))
    assert shim.printable("a") == "a" and shim.printable((1, 2)) == (1, 2)


@pytest.mark.parametrize("cls", [np.longdouble, np.clongdouble, np.datetime64, np.str_, np.float64, float])
def test_numpys_own_scalar_classes_are_below_its_abstract_ones(cls):
    for name in protocols.MARKERS:
        ours, theirs = getattr(shim, name), getattr(np, name)
        assert protocols.issubclass(cls, ours) == issubclass(cls, theirs)
        assert protocols.issubclass(cls, (int, theirs)) == issubclass(cls, (int, theirs))


def test_an_element_is_copied_where_it_shows_the_memory_of_an_array():
    held = torch.arange(3.0, dtype=torch.float64)
    with torch.inference_mode():
        inferred = torch.tensor(2.0)
    marked = mark(held[1])
    derived = torch.nn.Parameter(torch.tensor(1.0))
    single, computed = held[1], torch.tensor(1.0)
    for x in (single, held.sum(), held, computed, inferred, marked, derived, held[:1], derived.view(())):
        copied = is_scalar(x) and (x.is_inference() or x._is_view())
        found = copies.element(x)
        assert (found is x) is not copied
        assert type(found) is type(x) or copied
        assert found.dtype is x.dtype and found.shape == x.shape and torch.equal(found, x)
    found = copies.element(single)
    held[1] = 9
    assert (found.item(), single.item()) == (1, 9)
    assert torch.compile(lambda x: copies.element(x[1]) + 1, fullgraph=True, backend="eager")(held).item() == 10
