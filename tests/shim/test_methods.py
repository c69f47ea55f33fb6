"""Methods and attributes of ndarrays on tensors."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim.dtypes import dtype
from np2torch.shim.methods import attribute, invoke, set_attribute
from np2torch.verify.compare import difference

ARRAYS = {
    "matrix": np.array([[3.0, 1, 2], [9, 7, 8]]),
    "int": np.array([[3, 1, 2], [9, 7, 8]]),
    "uint8": np.array([[3, 1, 255]], "u1"),
    "bool": np.array([[True, False, True]]),
    "complex": np.array([[1 + 2j, 3, -1j]]),
    "float32": np.array([[1.5, -2, 0.25]], "f4"),
    "vector": np.array([3.0, 1.0, 2.0, np.nan]),
    "one": np.array([[5.0]]),
    "empty": np.zeros((0, 3)),
    "cube": np.arange(24.0).reshape(2, 3, 4),
    "scalar": np.float64(2.5),
    "transposed": np.arange(6.0).reshape(2, 3).T,
}
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    *((name, (), {}) for name in ("all any argmax argmin argsort conj conjugate copy cumprod cumsum flatten "
    "item max mean min "
                                  "nonzero prod ravel round squeeze std sum tolist transpose var sort fill "
                                  "trace diagonal "
                                  "is_integer tobytes view").split()),
    *((name, (0,), {}) for name in ("sum mean max min std var argmax argmin cumsum cumprod any all argsort "
    "sort take item squeeze "
                                    "reshape transpose resize round diagonal repeat").split()),
    *((name, (), {"axis": -1, "keepdims": True}) for name in "sum mean max min std var prod any all argmax".split()),
    ("astype", (float,), {}), ("astype", ("i4",), {}), ("astype", ("f4",), {"copy": False}), ("astype", (bool,), {}),
    ("astype", (int,), {"casting": "safe"}), ("astype", (complex,), {}),
    ("astype", (np.uint8,), {"casting": "same_kind"}),
    ("reshape", (-1,), {}), ("reshape", (3, -1), {}), ("reshape", ((1, -1),), {}),
    ("reshape", (-1,), {"order": "F"}), ("reshape", (5, 5), {}),
    ("transpose", (1, 0), {}), ("transpose", ((1, 0),), {}), ("transpose", (0, 2, 1), {}),
    ("swapaxes", (0, 1), {}), ("flatten", ("F",), {}),
    ("ravel", ("F",), {}), ("copy", ("F",), {}), ("repeat", (2,), {}), ("repeat", (2, 0), {}),
    ("take", ([0, 1],), {}), ("take", ([0], 1), {}),
    ("clip", (1, 2), {}), ("clip", (None, 2), {}), ("clip", (), {"min": 2}), ("round", (1,), {}),
    ("std", (), {"ddof": 1}), ("item", (0, 1), {}),
    ("item", ((0, 1),), {}), ("fill", (7,), {}), ("fill", (1.5,), {}), ("dot", (2,), {}),
    ("searchsorted", (2,), {}), ("partition", (1,), {}),
    ("view", ("i8",), {}), ("view", ("f4",), {}), ("view", (np.uint8,), {}), ("tobytes", ("F",), {}),
    ("byteswap", (), {}), ("setflags", (), {"write": True}),
    ("put", ([0, 1], [7, 8]), {}), ("compress", ([True],), {}), ("compress", ([True], 0), {}), ("nosuch", (), {}),
    ("sum", (), {"dtype": "f4"}),
    ("max", (), {"initial": 100, "axis": 0}), ("mean", (), {"dtype": np.float32}), ("sort", (), {"axis": 0}),
    ("choose", ([1, 2],), {}),
]  # fmt: skip
IN_PLACE = {"sort", "fill", "partition", "put", "resize", "setflags"}


def to_torch(x: Any) -> Any:
    if isinstance(x, np.generic):
        return torch.tensor(x.item(), dtype=getattr(torch, x.dtype.name))
    return (
        torch.tensor(np.ascontiguousarray(x.T)).T
        if x.ndim == 2 and x.flags.f_contiguous and not x.flags.c_contiguous
        else torch.tensor(x)
    )


def run(function: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs)
        except Exception as error:
            return type(error)


def mismatch(old: Any, new: Any) -> str | None:
    if isinstance(old, type) or isinstance(new, type):
        same = isinstance(old, type) and isinstance(new, type)
        return (
            None
            if same and (issubclass(old, new) or issubclass(new, old) or old.__name__ == new.__name__)
            else f"{old} became {new}"
        )
    with np.errstate(all="ignore"):
        return difference(old, new)


@pytest.mark.parametrize("kind", ARRAYS)
def test_methods(kind: str) -> None:
    wrong = []
    for name, args, kwargs in CALLS:
        a = ARRAYS[kind].copy() if kind != "transposed" else ARRAYS[kind].copy(order="K")
        x = to_torch(a)
        if kind == "scalar" and (name in IN_PLACE or name in ("item", "dot", "repeat", "compress")):
            continue  # immutable, or not a method of NumPy's scalars
        if (kind, name) in {("bool", "round"), ("vector", "searchsorted"), ("one", "put")}:
            continue  # refused or undefined in NumPy
        method = getattr(a, name, None)
        old = run(method, *args, **kwargs) if method is not None else AttributeError
        found = mismatch(old, run(invoke, x, name, *args, **kwargs)) or (difference(a, x) if kind != "scalar" else None)
        wrong += [f"{name}{args}{kwargs}: {found}"] if found else []
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong)


@pytest.mark.parametrize("kind", ARRAYS)
def test_attributes(kind: str) -> None:
    a = ARRAYS[kind]
    x = to_torch(a)
    for name in "size T nbytes itemsize real imag ndim strides".split():
        if a.size or name != "strides":
            assert difference(getattr(a, name), attribute(x, name)) is None, name
    assert tuple(attribute(x, "shape")) == a.shape
    for flag in ("c_contiguous", "f_contiguous", "writeable", "aligned"):
        if not isinstance(a, np.generic):
            assert (
                getattr(a.flags, flag) == getattr(attribute(x, "flags"), flag) == attribute(x, "flags")[flag.upper()]
            ), flag
    assert difference(a.sum(), attribute(x, "sum")()) is None


def test_flat() -> None:
    a, x = np.arange(6.0).reshape(2, 3), torch.arange(6.0, dtype=torch.float64).reshape(2, 3)
    for index in (0, -1, slice(1, 4), [0, 2], slice(None, None, -1), np.arange(6) % 2 == 0):
        assert (
            difference(
                a.flat[index], attribute(x, "flat")[torch.tensor(index) if isinstance(index, np.ndarray) else index]
            )
            is None
        )
    for index, value in ((0, 9), (slice(1, 5), [7, 8]), ([0, 5], 3.5), (Ellipsis, [1, 2])):
        a.flat[index] = value
        attribute(x, "flat")[index] = value
        assert difference(a, x) is None
    assert difference(list(a.flat), list(attribute(x, "flat"))) is None and len(attribute(x, "flat")) == 6
    y = x.T
    attribute(y, "flat")[1] = 50
    assert x[1, 0] == 50
    a.flat = [1, 2, 3]
    set_attribute(x, "flat", [1, 2, 3])
    assert difference(a, x) is None


def test_flat_reads_what_was_written_meanwhile() -> None:
    for turned in (False, True):
        a = np.arange(6.0).reshape(2, 3)
        x = torch.tensor(a)
        old, new = (one.T if turned else one for one in (a, x))
        found = []
        for one, other in zip(old.flat, attribute(new, "flat"), strict=True):
            old += 1
            new += 1
            found.append((float(one), other))
        assert [one for one, _ in found] == [other.item() for _, other in found]


def test_set_attributes() -> None:
    x = torch.arange(6.0)
    set_attribute(x, "shape", (2, -1))
    assert x.shape == (2, 3)
    with pytest.raises(ValueError):
        set_attribute(x, "shape", (5,))
    with pytest.raises(AttributeError):
        set_attribute(x.T, "shape", (6,))
    z = torch.zeros(2, dtype=torch.complex128)
    set_attribute(z, "real", 2)
    set_attribute(z, "imag", [1, 2])
    assert z.tolist() == [2 + 1j, 2 + 2j]
    with pytest.raises(TypeError):
        set_attribute(x, "imag", 1)


def test_copies_and_views() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    for name, args in (("copy", ()), ("flatten", ()), ("astype", (torch.float32,))):
        invoke(x, name, *args).fill_(-1)
        assert x[0, 0] == 0
    for name, args in (("view", ()), ("ravel", ()), ("reshape", (-1,)), ("transpose", ()), ("squeeze", ())):
        assert invoke(x, name, *args).data_ptr() == x.data_ptr()
    y = torch.arange(3.0)
    invoke(y, "resize", 5)
    assert y.tolist() == [0, 1, 2, 0, 0]
    assert attribute(y[1:], "base") is y


def test_resize_to_as_many_elements_keeps_the_views():
    x, y = np.arange(4.0), torch.arange(4, dtype=torch.float64)
    p, q = x[:2], y[:2]
    x.resize(2, 2, refcheck=False)
    invoke(y, "resize", 2, 2, refcheck=False)
    x[0, 1], y[0, 1] = 7, 7
    assert y.shape == x.shape and p.tolist() == q.tolist() == [0, 7]


def test_other_objects_keep_their_own() -> None:
    assert (
        invoke([3, 1, 2], "index", 1) == 1
        and invoke({1: 2}, "copy") == {1: 2}
        and invoke("a-b", "split", "-") == ["a", "b"]
    )
    values = [3, 1, 2]
    invoke(values, "sort")
    assert values == [1, 2, 3] and attribute(1 + 2j, "imag") == 2


FIELDS = {"names": ["a", "b"], "formats": ["<i2", ">i2"]}
SPELLINGS = [">i4", "S4", np.dtype(">f4"), np.dtype([("a", "i2"), ("b", "i2")]), [("a", "i2"), ("b", "i2")], FIELDS]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_memory_is_seen_as_what_torch_lacks(spelling):
    """By NumPy, and it stays the same memory."""
    x = torch.arange(3, dtype=torch.int32)
    found, expected = invoke(x, "view", spelling), np.arange(3, dtype="i4").view(spelling)
    assert type(found) is np.ndarray and found.dtype == expected.dtype and found.tobytes() == expected.tobytes()
    found[1] = np.frombuffer(bytes(range(4)), spelling)[0]
    assert x[1] == int.from_bytes(bytes(range(4)), "little")


def test_long_doubles_are_numpys():
    found = invoke(torch.ones(2), "astype", np.longdouble)
    assert type(found) is np.ndarray and found.dtype == np.longdouble


@pytest.mark.parametrize("spelling", ["i2", ">i2", "<f4", ">f8", "?", "g", "S3"])
def test_the_type_of_a_dtype_is_that_of_its_numbers_whatever_their_bytes(spelling):
    for other in (np.int16, np.float32, np.float64, np.bool_, np.longdouble, np.bytes_):
        ours = attribute(np.dtype(spelling), "type") == dtype(other)
        assert ours == (np.dtype(spelling).type == other) or np.dtype(other).char in "gS"
        assert (attribute(np.dtype(spelling), "type") == other) == (np.dtype(spelling).type == other)
    assert attribute(np.dtype("g"), "type") is np.longdouble


def test_what_was_made_in_another_order_of_bytes_is_written_in_it(tmp_path):
    for given in (([3, 4], ">i4"), ([0, 1], ">f8"), ([7],)):
        arrays = [np.array(*given), shim.array(*given)]
        for written in (False, True):
            said = []
            for x, side in zip(arrays, "ab", strict=True):
                if written:
                    x[0] = 5
                invoke(x, "tofile", tmp_path / side)
                said.append((invoke(x, "tobytes"), (tmp_path / side).read_bytes()))
            assert said[0] == said[1]


def test_what_is_moved_keeps_its_order_of_bytes():
    old, new = np.arange(6, dtype=">i2"), shim.arange(6, dtype=np.dtype(">i2"))
    moves = ("reshape", (2, 3)), ("transpose",), ("copy",), ("swapaxes", 0, 1), ("flatten", "F"), ("ravel",)
    for name, *args in moves:
        old, new = getattr(old, name)(*args), invoke(new, name, *args)
        assert invoke(new, "tobytes") == old.tobytes() and new.tolist() == old.tolist()
    new[0] = 7
    assert invoke(invoke(new, "copy"), "tobytes")[:2] == bytes([0, 7])


@pytest.mark.parametrize("name", "add radd or_ rand_ truediv rtruediv rsub lshift rrshift pow rpow lt".split())
def test_the_methods_of_operators_are_the_shims(name):
    """By a name that run time makes: torch has other dtypes for some, and other errors."""
    spelled = f"__{name.rstrip('_')}__"
    for one, other in ((np.array([3, 5]), np.array([2, 1], "u1")), (np.array([3, 5], "i2"), 2)):
        found = shim.getattr(torch.from_numpy(one), spelled)(torch.from_numpy(other) if one.dtype == "i8" else other)
        assert difference(getattr(one, spelled)(other), found) is None
    with pytest.raises(TypeError):
        shim.getattr(torch.ones(2), "__or__")(torch.ones(2))


def test_torch_does_not_warn_of_a_transposed_array_without_two_axes():
    """A suite that makes errors of warnings would fail at the first one: torch warns once in a process."""
    program = "import torch; from np2torch import shim; print([torch.zeros((2,) * n).T.ndim for n in range(4)])"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert done.stdout == "[0, 1, 2, 3]\n", done.stderr


VIEWS: list[Callable[[Any], Any]] = [
    lambda x: x, lambda x: x.reshape((3, 2)), lambda x: x.reshape((3, 2)).T, lambda x: x[1:4], lambda x: x[::2],
    lambda x: x.reshape((3, 2))[:, 1], lambda x: x[2:].reshape((2, 2))[1],
]  # fmt: skip


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", ["i2", "f4", "c8"])
@pytest.mark.parametrize("order", ["<", ">", "="])
def test_views_are_written_in_the_order_of_bytes_that_was_asked_for(
    kind: str, order: str, view: Callable[[Any], Any]
) -> None:
    """Before, a view of torch's was written in the machine's order: 256 for 1 in a file of another machine's."""
    dtype = np.dtype(kind).newbyteorder(order)
    old, new = view(np.arange(6, dtype=dtype)), view(shim.arange(6, dtype=dtype))
    assert isinstance(new, torch.Tensor)
    assert invoke(new, "tobytes") == old.tobytes()
    assert invoke(new, "tobytes", order="F") == old.tobytes(order="F")
    assert invoke(new + 1, "tobytes") == (old + 1).tobytes()
