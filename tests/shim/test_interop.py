"""The border between tensors and arrays."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import sys
import types
from collections import OrderedDict, deque, namedtuple
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from typing import Any

import numpy as np
import pytest
import torch
from scipy import optimize, stats

from np2torch import shim
from np2torch.shim import interop
from np2torch.shim.interop import callback, from_numpy, to_numpy
from np2torch.verify.compare import difference

Point = namedtuple("Point", "x y")
ARRAYS: list[Any] = [
    np.arange(3.0), np.ones((2, 3), "f4"), np.array([True]), np.zeros((0, 2), "i4"), np.arange(6).reshape(2, 3).T,
    np.array([1 + 1j], "c8"),
    np.arange(5)[::-1], np.arange(3, dtype=">f8"), np.array([1], "u8"), np.float32(0.1), np.int64(2),
    np.bool_(True), np.array(2.5),
]  # fmt: skip


@pytest.mark.parametrize("x", ARRAYS, ids=repr)
def test_round_trip(x: Any) -> None:
    native = x[()] if x.ndim == 0 else x.astype(x.dtype.newbyteorder("="))
    assert difference(native, from_numpy(x)) is None
    back = to_numpy(from_numpy(x))
    assert type(back) is type(native) and back.dtype == native.dtype and np.array_equal(back, native)


def test_memory_is_shared() -> None:
    a = np.arange(3.0)
    x = from_numpy(a)
    x[0] = 9
    to_numpy(x)[1] = 8
    assert a.tolist() == [9, 8, 2]
    grad = torch.ones(2, requires_grad=True)
    assert to_numpy(grad).tolist() == [1, 1]
    assert to_numpy(torch.ones(2, dtype=torch.bfloat16)).dtype == np.float32
    assert to_numpy(torch.tensor([1j]).conj()).tolist() == [-1j]


def _read_only(x: Any) -> Any:
    x.flags.writeable = False
    return x


LAYOUTS = {  # an array as libraries give it back, and whether a tensor can share its memory
    "column by column": (np.arange(6.0).reshape(2, 3).T, True),
    "with steps": (np.arange(7.0)[1::3], True),
    "imaginary parts": (np.array([1 + 2j, 3j]).imag, True),
    "half": (np.ones(3, "f2"), True),
    "backwards": (np.arange(5)[::-1], False),
    "backwards along one element": (np.arange(5.0)[::-1][:1], True),
    "backwards in one dimension": (np.arange(6.0).reshape(2, 3)[:, ::-1], False),
    "read-only": (_read_only(np.arange(3.0)), True),
    "read-only, column by column": (_read_only(np.arange(6.0).reshape(2, 3).T), True),
    "broadcast": (np.broadcast_to(np.arange(3), (2, 3)), True),
    "swapped bytes": (np.arange(3, dtype=">f8"), False),
    "swapped bytes, backwards": (np.arange(3, dtype=">c8")[::-1], False),
    "a field of records": (np.array([(1, 2.5), (3, 4.5)], [("a", "i1"), ("b", "f8")])["b"], False),
    "a field of one record": (
        np.frombuffer(np.zeros(16, "u1"), [("a", "u1"), ("b", "<i4", (3,))], 1, 3)["b"], True,
    ),
    "not aligned": (np.frombuffer(bytearray(b"x" + np.arange(3.0).tobytes()), "u1")[1:].view("f8"), False),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("x", "shared"), LAYOUTS.values(), ids=LAYOUTS)
def test_arrays_of_every_layout_come_back(x: Any, shared: bool) -> None:
    for found in (from_numpy(x), from_numpy({"a": [x]})["a"][0], shim.asarray(x), callback(lambda t: t)(x)):
        assert difference(x.astype(x.dtype.newbyteorder("=")), shim.asarray(found)) is None
    assert np.shares_memory(from_numpy(x).numpy(), x) is shared
    if x.flags.writeable or not shared:  # every other tensor can be written
        from_numpy(x)[0] = 0


def test_containers() -> None:
    one = torch.ones(2)
    nested = {"a": [one, (one, 3)], "p": Point(one, None), "o": OrderedDict(k=one), "s": "text", "n": torch.Size([2])}
    out = to_numpy(nested)
    assert isinstance(out["a"][0], np.ndarray) and isinstance(out["a"][1], tuple) and out["a"][1][1] == 3
    assert isinstance(out["p"], Point) and isinstance(out["o"], OrderedDict) and out["n"] is nested["n"]
    back = from_numpy(out)
    assert isinstance(back["p"].x, torch.Tensor) and isinstance(back["o"]["k"], torch.Tensor)
    untouched = [1, {"a": "b"}]
    assert to_numpy(untouched) is untouched and from_numpy(untouched) is untouched


@pytest.mark.parametrize("x", [np.array(["a"]), np.array([None]), np.array(["2020"], "M8[Y]"), np.zeros(1, [("a",
int)]),
                               np.ma.array([1, 2]), np.longdouble(1), np.str_("a"), 3, None], ids=repr)  # fmt: skip
def test_what_torch_cannot_hold_stays(x: Any) -> None:
    assert from_numpy(x) is x


def test_callback() -> None:
    seen = []

    def area(x: Any, scale: Any = None) -> Any:
        """Doc."""
        seen.append((type(x), type(scale)))
        return (x * 2).sum(), x

    total, same = callback(area)(np.arange(3.0), scale=np.float64(2))
    assert seen == [(torch.Tensor, torch.Tensor)]
    assert isinstance(total, np.float64) and isinstance(same, np.ndarray) and callback(area).__doc__ == "Doc."
    assert callback(area).__code__.co_argcount == 2 and callback(area).__defaults__ == (None,)
    assert not hasattr(callback(area), "__array__") and copy.copy(callback(area)) == callback(area)


class ByDlpack:
    """An object that speaks DLPack and nothing else."""

    def __init__(self, x: torch.Tensor) -> None:
        self.x = x

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.x.__dlpack__(**keywords)

    def __dlpack_device__(self) -> Any:
        return self.x.__dlpack_device__()


class ByArray:
    """An object that NumPy can make an array of."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.arange(3.0)


def read_only() -> Any:
    x = np.arange(3.0)
    x.flags.writeable = False
    return x


FOREIGN: list[Any] = [
    np.arange(3.0), np.arange(3.0)[::-1], np.arange(6.0)[::2], np.arange(6.0).reshape(3, 2).T, read_only(),
    np.broadcast_to(np.arange(3.0), (2, 3)), np.float32(2), np.array(2.0), np.arange(3, dtype=">i4"),
    ByArray(), [1.0, np.float64(2.0), 3], [[np.arange(2.0), np.ones(2)]],
]  # fmt: skip


@pytest.mark.parametrize("x", FOREIGN, ids=range(len(FOREIGN)))
@pytest.mark.parametrize("name", ["sum", "sin", "sort", "cumsum", "ravel", "transpose", "mean", "argmax", "diff"])
def test_functions_take_what_numpy_takes(name: str, x: Any) -> None:
    def outcome(module: Any) -> Any:
        try:
            return getattr(module, name)(x)
        except (ValueError, TypeError) as error:
            return [c.__name__ for c in (ValueError, TypeError) if isinstance(error, c)]

    assert difference(outcome(np), outcome(shim)) is None


@pytest.mark.parametrize("make", [ByDlpack, list, lambda x: [[x, x]], lambda x: (x.numpy(), x), lambda x: [*x, 1.5]])
def test_tensors_in_other_things(make: Any) -> None:
    x = torch.arange(3.0)
    plain = {ByDlpack: x.numpy(), list: x.numpy()}.get(make)
    given = make(x)
    if plain is None:
        plain = np.array(to_numpy(given))
    assert difference(np.cumsum(plain), shim.cumsum(given), rtol=1e-6) is None
    assert difference(np.asarray(plain), shim.asarray(given)) is None


def test_arrays_are_not_copied_to_be_read_and_are_written_in_place() -> None:
    a = np.arange(6.0).reshape(2, 3)
    assert shim.asarray(a).data_ptr() == shim.reshape(a.T, (3, 2)).data_ptr() == a.ctypes.data
    out, whole, single = np.zeros((2, 3)), np.zeros(3), np.array(1.0)
    shim.add(a, 1, out=out)
    shim.sum(a, axis=0, out=whole)
    shim.mean(a, out=single)
    assert out.tolist() == (a + 1).tolist() and whole.tolist() == [3, 5, 7] and single == 2.5
    shim.put(a, [0], 9)
    shim.copyto(a[1], 7.0)
    shim.add.at(whole, [0, 0], 1.0)
    assert a.tolist() == [[9, 1, 2], [7, 7, 7]] and whole.tolist() == [5, 5, 7]


@pytest.mark.parametrize("out", [read_only(), np.zeros(3)[::-1], np.zeros(3, ">f8")], ids=["read", "turned", "swapped"])
def test_what_cannot_be_written_in_place_is_refused(out: Any) -> None:
    before = out.tolist()
    with pytest.raises(ValueError):
        shim.add(np.ones(3), 1, out=out)
    with pytest.raises(TypeError):
        shim.add(np.ones(3), 1, out=[0.0, 0.0, 0.0])
    assert out.tolist() == before


def test_functions_of_numpy_1() -> None:
    assert shim.alen(np.zeros((2, 3))) == 2 and shim.alen(torch.tensor(1)) == 1
    assert shim.asscalar(torch.tensor([2.5])) == 2.5
    assert shim.asfarray([1, 2]).dtype is shim.asfarray(torch.ones(2), np.int32).dtype is torch.float64
    assert shim.asfarray(torch.ones(2), np.float32).dtype is torch.float32
    with pytest.raises(ValueError):
        shim.asscalar(torch.ones(2))


def test_dtypes_go_over() -> None:
    assert shim.to_numpy((torch.float32, [torch.int64])) == (np.dtype("float32"), [np.dtype("int64")])


def test_long_doubles_are_narrowed_only_where_that_is_asked_for() -> None:
    wide = np.array([1.0, np.pi], dtype=np.longdouble)
    for one in (wide, wide[0], [wide[1]], wide + 1j):
        kept = shim.asarray(one)
        assert isinstance(kept, np.ndarray) and kept.dtype == np.asarray(one).dtype and (kept == one).all()
    assert shim.asarray(wide, dtype=torch.float64).dtype is torch.float64
    assert shim.asarray(wide + 1j, dtype="complex128").dtype is torch.complex128


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("dtype", ["float64", "float16", "complex128", "int64", "uint8", "bool"])
@pytest.mark.parametrize(
    "value", [np.longdouble(2.75), np.clongdouble(2.5 + 1j), np.ones(2, np.longdouble) * 1.5], ids=repr
)
def test_a_store_asks_for_long_doubles_to_be_narrowed(value: Any, dtype: str) -> None:
    def stored(x: Any) -> Any:
        shim.operator.setitem(x, slice(None), value)
        return x

    def added(x: Any) -> Any:
        return shim.operator.iadd(x, value)

    for change in (stored, added):
        old = np.ones(2, dtype)
        new = torch.from_numpy(old.copy())
        try:
            change(old)
        except TypeError:
            with pytest.raises(TypeError):
                change(new)
        else:
            change(new)
        assert new.numpy().dtype == old.dtype and (new.numpy() == old).all()


def test_what_torch_cannot_hold_stays_on_numpy() -> None:
    x = torch.arange(3)
    objects = shim.invoke(x, "astype", object)
    assert objects.dtype == object and objects.tolist() == [0, 1, 2]
    assert shim.invoke(x, "astype", "U2").tolist() == ["0", "1", "2"]
    back = shim.invoke(np.diff(objects), "astype", torch.float64)
    assert isinstance(back, torch.Tensor) and back.tolist() == [1.0, 1.0]
    with pytest.raises(TypeError):
        shim.invoke(x, "astype", "nonsense")
    drawn = shim.random.RandomState(3).choice(["red", "green"], 4)
    assert drawn.tolist() == np.random.RandomState(3).choice(["red", "green"], 4).tolist()


def test_numpys_own_scalars_are_numbers() -> None:
    assert shim.arange(np.int32(1), np.int32(5)).tolist() == [1, 2, 3, 4]
    assert shim.arange(np.float64(0.5), np.int8(2)).tolist() == [0.5, 1.5]


class Settings(dict):  # type: ignore[type-arg]
    """A dict whose constructor takes something else."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.name = name


def doubled(x: torch.Tensor) -> torch.Tensor:
    return torch.mul(x, 2)


def test_containers_of_other_classes_stay_what_they_are() -> None:
    given = Settings("mine")
    given["x"] = np.ones(2)
    back = shim.from_numpy(given)
    assert type(back) is Settings and back.name == "mine" and isinstance(back["x"], torch.Tensor)
    found = optimize.root_scalar(lambda x: x - 1, bracket=(0, 3))
    found["root"] = np.float64(found.root)
    assert shim.from_numpy(found).converged and isinstance(shim.from_numpy(found).root, torch.Tensor)


def test_functions_on_tensors_are_called_with_tensors() -> None:
    type("Made", (shim.ndarray,), {})  # from here on the shim's functions look for such objects
    for function in (doubled, [doubled][0], functools.partial(doubled), shim.mean):
        out = shim.to_numpy({"jac": function})["jac"](np.ones(2))
        assert isinstance(out, (np.ndarray, np.floating))
    assert pickle.loads(pickle.dumps(shim.to_numpy(doubled)))(np.ones(2)).tolist() == [2, 2]
    assert shim.to_numpy(len) is len and shim.to_numpy(np.sum) is np.sum
    assert inspect.signature(shim.to_numpy(doubled)) == inspect.signature(doubled)
    assert shim.callback(doubled) == shim.callback(doubled) and hash(shim.callback(doubled)) == hash(doubled)


def test_iterators_stay_lazy_and_views_of_dicts_are_seen_through() -> None:
    drawn: list[int] = []

    def rows() -> Any:
        for i in range(3):
            drawn.append(i)
            yield torch.full((2,), float(i)), i

    over = shim.to_numpy(rows())
    assert drawn == []
    first, number = next(over)
    assert type(first) is np.ndarray and number == 0 and drawn == [0]
    back = list(shim.from_numpy(iter_of := map(np.float64, [1, 2])))
    assert [type(x) for x in back] == [torch.Tensor] * 2 and not list(iter_of)
    held = {"a": torch.ones(2), "b": "text"}
    assert type(shim.to_numpy(held.values())[0]) is np.ndarray
    assert [type(value) for _, value in shim.to_numpy(held.items())] == [np.ndarray, str]
    plain = {"a": 1}.values()
    assert shim.to_numpy(plain) is plain


def test_deques_keep_their_bound() -> None:
    over = shim.to_numpy(deque([torch.ones(2), 1], maxlen=2))
    assert type(over) is deque and over.maxlen == 2 and type(over[0]) is np.ndarray


def test_results_with_further_attributes_keep_them() -> None:
    found = shim.from_numpy(stats.linregress([1.0, 2.0, 4.0], [1.0, 3.0, 4.0]))
    assert type(found.slope) is torch.Tensor and type(found.intercept_stderr) is torch.Tensor
    assert found.slope == found[0]


def test_results_keep_attributes_that_their_classes_do_not_take_by_these_names() -> None:
    found = shim.from_numpy(stats.ttest_ind([1.0, 2.0, 4.0], [1.0, 3.0, 9.0]))
    assert type(found).__name__ == "TtestResult"
    assert [type(one) for one in (found[0], found.pvalue, found.df)] == [torch.Tensor] * 3


def test_what_comes_over_lies_on_the_default_device() -> None:
    with torch.device("meta"):
        assert shim.from_numpy([np.ones(3), np.float64(1), "a"])[0].device.type == "meta"
        assert shim.from_numpy(np.ones(3)).is_meta and shim.from_numpy(np.ones((2, 1))).is_meta
        rng, old = shim.default_rng(0), shim.random.RandomState(0)
        drawn = [rng.normal(size=3), rng.random(40), rng.permutation(4), old.rand(2), shim.random.normal(size=20)]
        assert [x.device.type for x in drawn] == ["meta"] * 5 and type(old.uniform()) is float
        assert rng.random(out=(given := torch.empty(3, dtype=torch.float64, device="cpu"))) is given
    assert shim.from_numpy(np.ones(3)).is_cpu and rng.normal(size=3).is_cpu


def test_what_a_callback_writes_on_another_device_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interop, "elsewhere", lambda: torch.device("cpu"))
    given = np.zeros(2)
    assert shim.callback(lambda x: x.add_(1.0))(given).tolist() == given.tolist() == [1.0, 1.0]


def test_an_ndarray_is_its_own_view():
    array = np.zeros(2, np.longdouble)
    assert shim.numpy_view(array) is array and shim.numpy_view(torch.zeros(2)).shape == (2,)


def test_a_list_of_numbers_is_its_own_view_and_one_of_tensors_has_none():
    numbers = [1, 2.5]
    assert shim.numpy_view(numbers) is numbers and shim.numpy_view(None) is None
    with pytest.raises(TypeError, match="list with tensors"):
        shim.numpy_view([torch.zeros(2)])


def test_numbers_beyond_int64_beside_scalars() -> None:
    for beside in (np.uint8(5), np.uint64(2**63), np.int64(-1), np.float32(1)):
        expected = np.array([2**63, beside])
        assert difference(expected, shim.array([2**63, torch.from_numpy(np.array(beside))])) is None


def test_a_class_whose_module_is_a_property() -> None:
    """A proxy says of each object where it is from: of its class that is no text."""
    proxy = type("Proxy", (), {"__module__": property(lambda self: "elsewhere"), "__call__": lambda self, x: x})()
    assert shim.across(proxy)(torch.ones(2)).tolist() == [1, 1]
    assert shim.to_numpy(proxy) is proxy and shim.element(proxy) is proxy


def test_a_compiled_module_of_a_converted_package_gets_ndarrays(monkeypatch):
    def double(x):
        assert isinstance(x, np.ndarray)
        x *= 2

    name = "converted._fast"
    double.__module__ = name
    package, fast = types.ModuleType("converted"), types.ModuleType(name)
    package.shim = shim
    fast.__spec__ = ModuleSpec(name, ExtensionFileLoader(name, "_fast.so"))
    monkeypatch.setitem(sys.modules, "converted", package)
    monkeypatch.setitem(sys.modules, name, fast)
    x = torch.ones(2)
    shim.across(double)(x)
    assert x.tolist() == [2, 2]
    del package.shim
    with pytest.raises(AssertionError):
        package.torch = torch  # a package that was written for tensors
        shim.across(double)(x)


@pytest.mark.parametrize("dtype", [torch.float64, torch.int64, torch.bool, torch.complex128, torch.float16])
def test_a_tensor_without_axes_is_a_scalar_in_numpy(dtype: torch.dtype):
    found = shim.as_numpy(torch.ones((), dtype=dtype))
    assert isinstance(found, np.generic)
    assert found == 1 and found.dtype.name == str(dtype).removeprefix("torch.")


def test_a_tensor_without_axes_that_needs_a_gradient_has_no_value_in_numpy():
    with pytest.raises(RuntimeError, match="requires grad"):
        shim.as_numpy(torch.ones((), requires_grad=True))


@pytest.mark.parametrize("value", [1, 1.5, True, 1j, "text", None])
def test_pythons_own_values_are_the_same_in_numpy(value: object):
    assert shim.as_numpy(value) is value
    assert shim.as_numpy((value,))[0] is value
