"""`shim.on_numpy`: functions and classes on NumPy amid code on tensors, each side with its own kind of array."""

from __future__ import annotations

import contextlib
import importlib
import sys
import types
from collections import OrderedDict, defaultdict, deque
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim.random.shared import Shared

PROGRAM = '''
import contextlib
import random

import numpy as np
import torch
from np2torch import shim

SEEN = []
LEVEL = torch.tensor([1.0, 2.0], dtype=torch.float64)


def tensors(*values):
    assert all(isinstance(value, torch.Tensor) for value in values), values


def arrays(*values):
    assert all(isinstance(value, (np.ndarray, np.generic)) for value in values), values


@shim.on_numpy
def scaled(x, by=2, out=None):
    arrays(x)
    if out is not None:
        arrays(out)
        out[...] = x * by
        return out
    return np.multiply(x, by)


@shim.on_numpy
def twice_scaled(x):
    y = scaled(scaled(x))
    arrays(y)
    z = doubled(y)
    arrays(z)
    return {"y": [y], "z": (z, None), "n": y.shape[0], "type": y.dtype}


@shim.public
def doubled(x):
    tensors(x)
    return x + x


class Signals(dict):
    @shim.on_numpy
    def put(self, key, value):
        self[key][...] = value


class Fixed(dict):
    """Nothing new can be put in by its own method."""

    def __setitem__(self, key, value):
        self[key][...] = value


@shim.public
def filled(held, value):
    tensors(*dict.values(held))
    held["level"] = value
    return held


@shim.on_numpy
def filled_by_numpy(held):
    arrays(*dict.values(held))
    assert filled(held, np.array([3.0, 4.0])) is held
    arrays(*dict.values(held))
    return held["level"].sum()


@shim.public
def halved(x):
    x /= 2
    return x


@shim.public
def drawn_by(stream):
    SEEN.append(stream)
    return stream.normal()


@shim.on_numpy
def drawn_inside(stream):
    return stream.normal(), drawn_by(stream), stream


@shim.on_numpy
def gathered(into, table):
    arrays(*into)
    into.append(np.ones(2))
    table["new"] = np.zeros(3)
    return into


@shim.on_numpy
def steps(x):
    for i in range(2):
        arrays(x)
        got = yield x + i
        if got is not None:
            arrays(got)
            x = got


@contextlib.contextmanager
@shim.on_numpy
def lent(x):
    try:
        yield x * 1
    except ZeroDivisionError:
        SEEN.append("seen")
        yield_error = True


@shim.on_numpy
def solved(a):
    return np.linalg.inv(a)


@shim.on_numpy
def applied(function, x):
    y = function(x)
    arrays(y)
    return y


@shim.on_numpy
def handed(x):
    return applied_here(lambda y: (arrays(y), np.add(y, 1))[1], x)


@shim.public
def applied_here(function, x):
    y = function(x)
    tensors(x, y)
    return y


class Half:
    """One method stays on NumPy."""

    def __init__(self, x):
        tensors(x)
        self.x, self.items, self.total = x, [x], 0

    @shim.on_numpy
    def grow(self, by):
        arrays(self.x, by, *self.items)
        self.x += 1
        self.items.append(self.x * 2)
        self.y = np.add(self.x, by)
        z = self._inner(self.y)
        arrays(z)
        self.total += len(self.items)
        return self

    def _inner(self, y):
        tensors(y, self.y, *self.items)
        return y * 2

    @property
    @shim.on_numpy
    def mean(self):
        return np.mean(self.x)

    def seen(self):
        tensors(self.x, self.y, *self.items, self.mean)
        return self.y


@shim.on_numpy
class Whole:
    """All methods stay on NumPy."""

    def __init__(self, x):
        arrays(x)
        self.x, self.rows = x, {"a": x}

    def add(self, other):
        arrays(other, self.x, *self.rows.values())
        self.x = self.x + other
        return self

    def __matmul__(self, other):
        arrays(other, self.x)
        return self.x @ other

    @staticmethod
    def unit(n):
        return Whole(np.eye(n))

    @property
    def size(self):
        return np.sum(self.x)


class Heir(Whole):
    def plus(self, other):
        tensors(self.x, other, self.size)
        self.x = self.x + other
        self.rows["b"] = other
        self.add(other)
        tensors(self.x, *self.rows.values())
        return self.x


class Vector(shim.ndarray):
    def __new__(cls, x):
        return torch.as_tensor(x, dtype=torch.float64).as_subclass(cls)

    @property
    def first(self):
        return self[..., :1].as_subclass(torch.Tensor)

    def doubled(self, by):
        tensors(by)
        return (self * by).as_subclass(torch.Tensor)


@shim.on_numpy
def asked(vector):
    arrays(vector.first, vector.doubled(np.full(2, 2.0)))
    return vector.first == [1.0]


@shim.on_numpy
def drawn(n):
    return np.random.rand(n)


@shim.on_numpy
def generator():
    return np.random.default_rng(3)


@shim.on_numpy
async def awaited(x):
    arrays(x)
    return x + 1
'''


@pytest.fixture(scope="module")
def program() -> Any:
    module = types.ModuleType("mixed_program")
    sys.modules["mixed_program"] = module
    exec(compile(PROGRAM, "mixed_program.py", "exec"), vars(module))
    yield module
    del sys.modules["mixed_program"]
    Shared.is_mixed = False


def test_a_function_shares_memory_both_ways(program):
    x = torch.arange(3.0, dtype=torch.float64)
    out = torch.zeros(3, dtype=torch.float64)
    assert program.scaled(x, out=out) is out
    assert out.tolist() == [0.0, 2.0, 4.0]
    made = program.twice_scaled(x)
    assert made["y"][0].tolist() == [0.0, 4.0, 8.0] and made["z"][0].tolist() == [0.0, 8.0, 16.0]
    assert made["n"] == 3 and made["type"] is torch.float64


def test_containers_are_changed_for_the_caller(program):
    first = torch.ones(2)
    into, table = [first], {}
    program.gathered(into, table)
    assert into[0] is first and isinstance(into[1], torch.Tensor) and table["new"].tolist() == [0, 0, 0]


def test_generators_context_managers_and_coroutines(program):
    import asyncio

    found = program.steps(torch.zeros(2))
    assert next(found).tolist() == [0, 0] and found.send(torch.ones(2)).tolist() == [2, 2]
    with program.lent(torch.ones(2)) as x, contextlib.suppress(RuntimeError):
        assert isinstance(x, torch.Tensor)
        raise ZeroDivisionError
    assert program.SEEN == ["seen"]
    assert asyncio.run(program.awaited(torch.ones(2))).tolist() == [2, 2]


def test_errors_are_those_that_converted_code_waits_for(program):
    with pytest.raises(torch.linalg.LinAlgError):
        program.solved(torch.zeros(2, 2))


def test_functions_go_over_both_ways(program):
    x = torch.ones(2)

    def plus(y):
        program.tensors(y)
        return torch.add(y, 1)

    assert program.applied(plus, x).tolist() == [2, 2]
    assert program.handed(x).tolist() == [2, 2]


def test_state_of_a_class_with_one_method_on_numpy(program):
    x = torch.ones(2, dtype=torch.float64)
    half = program.Half(x)
    assert half.grow(torch.ones(2)) is half
    assert half.seen().tolist() == [3, 3] and x.tolist() == [2, 2] and half.total == 2
    half.grow(torch.ones(2))
    assert half.x.tolist() == [3, 3] and len(half.items) == 3 and half.mean.item() == 3


def test_a_class_on_numpy_and_one_on_tensors_that_derives_from_it(program):
    x = torch.eye(2, dtype=torch.float64)
    whole = program.Whole(x).add(x)
    assert isinstance(whole.x, torch.Tensor) and torch.equal(whole @ x, 2 * x)
    assert isinstance(program.Whole.unit(2).x, torch.Tensor)
    heir = program.Heir(x)
    assert torch.equal(heir.plus(x), 3 * x) and heir.size.item() == 6


def test_objects_that_are_tensors_of_a_class(program):
    assert program.asked(program.Vector([1.0, 2.0])).tolist() == [True]


def test_an_array_without_axes_stays_an_array(program):
    """Before, it crossed as a scalar, into which nothing can be written."""
    array = shim.array_0d(torch.tensor(1.0, dtype=torch.float64))
    signals = program.Signals(level=array)
    signals.put("level", 3.0)
    assert array.item() == 3.0 and isinstance(dict.__getitem__(signals, "level"), torch.Tensor)
    with pytest.raises(TypeError):
        program.Signals(level=torch.tensor(1.0)).put("level", 3.0)  # that is a scalar, and NumPy has the same error


def test_a_mapping_of_the_project_crosses_back_as_itself(program):
    """Before, it was copied by its own methods on the way from NumPy to tensors: a KeyError where these refuse."""
    held = program.Fixed(level=torch.ones(2, dtype=torch.float64))
    level = dict.__getitem__(held, "level")
    assert program.filled_by_numpy(held) == 7
    assert dict.__getitem__(held, "level") is level and level.tolist() == [3, 4]


def test_an_array_without_axes_is_shared_with_callers(program):
    array = np.array(6.0)
    assert program.halved(array) is array and array == 3.0
    assert isinstance(program.halved(np.float64(6)), np.float64)


@pytest.mark.parametrize("make", ["RandomState", "default_rng"])
def test_a_stream_that_crosses_to_and_fro_is_the_same(program, make):
    """Before, one whose words NumPy drew from ours could not come back."""
    ours, numpys = getattr(shim.random, make)(5), getattr(np.random, make)(5)
    first, second, back = program.drawn_inside(ours)
    assert program.SEEN.pop() is ours is back
    assert [float(first), float(second), float(ours.normal())] == numpys.normal(size=3).tolist()


def test_random_numbers_are_one_stream(program):
    from np2torch import shim

    shim.random.seed(4)
    found = [*shim.random.rand(2).tolist(), *program.drawn(2).tolist(), *shim.random.rand(2).tolist()]
    assert found == np.random.RandomState(4).rand(6).tolist()
    stream, expected = program.generator(), np.random.default_rng(3)
    assert torch.equal(stream.normal(size=3), torch.from_numpy(expected.normal(size=3)))
    assert stream.integers(9) == expected.integers(9)


HOLDER = '''
import numpy as np
import torch
from np2torch import shim


@shim.on_numpy
class Holder:
    def __init__(self, x):
        self.x = x
        self.items = [x]

    def has(self, x):
        return self.x is x and self.items[0] is x


@shim.on_numpy
class Point:
    def __init__(self, place):
        self.place = np.array(place)

    @property
    def seen(self):
        return Seen(self)


@shim.on_numpy
class Seen(np.ndarray):
    def __new__(cls, point):
        return np.empty(2).view(cls)

    def __init__(self, point):
        self.point = point
        self.plain()[:] = point.place

    def plain(self):
        return self.view(np.ndarray)

    def __setitem__(self, index, value):
        self.plain()[index] = value
        self.point.place[:] = self

    def __array_wrap__(self, found, context=None, return_scalar=None):
        return found.view(np.ndarray)


@shim.on_numpy
def moved(point):
    point.seen[0] = 7
    assert type(point.seen == 7) is np.ndarray and (point.seen == [7, 2]).all()
    return point.place


@shim.on_numpy
def same(x, y):
    return x is y


@shim.public
def passed(x, out=None):
    assert isinstance(x, torch.Tensor)
    return x


@shim.public
def writes(x):
    x[0] = 7


class Keeper:
    def __init__(self, x):
        self.x = x

    @shim.on_numpy
    def crossed(self):
        return passed(self.x)


@shim.on_numpy
def of_numpy(how):
    import numpy as np

    array = np.frombuffer(b"\\\\1\\\\2\\\\3\\\\4" * 4, "i4") if how == "read-only" else np.arange(4, dtype=how)
    return Keeper(array), array


@shim.on_numpy
def curves(*given):
    for one in given:
        assert type(one).__module__.partition(".")[0] == "numpy" and type(one.coef) is np.ndarray
        one.coef[0] += 1
    return [*given, np.poly1d([1.0, 2.0], variable="z"), np.polynomial.Polynomial([1.0, 2.0], [0, 4], symbol="t")]


@shim.public
def slope(curve):
    assert isinstance(curve.coef, torch.Tensor)
    return curve.deriv()


@shim.on_numpy
def of_arrays(keeper):
    return all(type(value).__name__ == "ndarray" for value in vars(keeper).values())


def of_tensors(keeper):
    import torch

    return all(isinstance(value, torch.Tensor) for value in keeper.__dict__.values())


@shim.on_numpy
def is_kept(keeper, array):
    return keeper.x is array and keeper.crossed() is array and array.dtype.str == keeper.x.dtype.str
'''


@pytest.fixture(scope="module")
def holder() -> Any:
    module = types.ModuleType("holder_program")
    sys.modules["holder_program"] = module
    exec(compile(HOLDER, "holder_program.py", "exec"), vars(module))
    yield module
    del sys.modules["holder_program"]
    Shared.is_mixed = False


def test_an_array_is_the_same_object_whenever_it_crosses(holder):
    """Also in another call, from an attribute or a list in one, whichever side it was made on."""
    x = torch.arange(3.0)
    one = holder.Holder(x)
    assert one.has(x) and one.x is x and one.items[0] is x
    assert holder.same(x, x) and not holder.same(x, x.clone()) and not holder.same(x, x[:])
    x.unsqueeze_(0)  # now it has another shape: the ndarray is another one
    assert tuple(one.x.shape) == (3,) and not one.has(x)


def test_the_dict_of_an_object_has_what_its_reader_uses(holder):
    """It stays one dict: what is written into it is an attribute."""
    keeper = holder.Keeper(torch.arange(3.0))
    keeper.crossed()
    assert holder.of_arrays(keeper) and holder.of_tensors(keeper) and holder.of_arrays(keeper)
    vars(keeper)["x"] = 5
    assert keeper.x == 5


def test_classes_that_derive_from_numpys_are_on_numpy_with_all_their_methods(holder):
    point = holder.Point([1.0, 2.0])
    assert isinstance(point.seen, np.ndarray)  # an object that converted code looks at first
    assert holder.moved(point).tolist() == [7, 2]


@pytest.mark.parametrize("how", ["f8", ">f8", ">i2", "read-only"])
def test_what_torch_cannot_hold_is_itself_again_on_numpy(holder, how):
    keeper, x = holder.of_numpy(how)
    assert isinstance(x, torch.Tensor) and isinstance(keeper.x, torch.Tensor)
    assert holder.is_kept(keeper, x)


def test_a_copy_that_was_written_to_is_an_array_of_its_own(holder):
    keeper, x = holder.of_numpy(">f8")
    x[0] = 9
    assert not holder.is_kept(keeper, x) and x[0] == 9


def test_read_only_arrays_are_not_written_to(holder):
    x = np.arange(3.0)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        holder.writes(x)
    assert x.tolist() == [0, 1, 2] and holder.passed(x) is x


def test_polynomials_cross_with_their_coefficients(holder):
    """Those of either side are the other's there; what is written to their coefficients is seen by both."""
    flat, series = shim.poly1d([1.0, 2.0, 3.0]), shim.polynomial.Polynomial([1.0, 2.0, 3.0])
    first, second, made, scaled = holder.curves(flat, series)
    assert type(first) is type(flat) is type(made) and type(second) is type(series) is type(scaled)
    assert flat.coef.tolist() == first.coef.tolist() == [2, 2, 3] == series.coef.tolist() == second.coef.tolist()
    assert made.variable == "z" and made(2.0) == 4 and scaled.symbol == "t" and scaled(0.0) == -1
    slope = holder.slope(np.poly1d([1.0, 2.0, 3.0]))
    assert type(slope) is np.poly1d and slope.coef.tolist() == [2, 2]
    assert type(holder.slope(np.polynomial.Polynomial([1.0, 2.0]))) is np.polynomial.Polynomial


def test_nothing_is_held_on_to_by_having_crossed(holder):
    import gc
    import weakref

    from np2torch.shim import _twins

    gc.collect()
    before = len(_twins._PAIRS)
    x = torch.arange(5.0)
    one = holder.Holder(x)
    ends = weakref.ref(x), weakref.ref(one)
    keeper, big = holder.of_numpy(">f8")
    del x, one, keeper, big
    gc.collect()
    assert ends[0]() is None and ends[1]() is None
    assert len(_twins._PAIRS) == before


def test_types_of_scalars_cross_as_numpys():
    names = {"__name__": "project_of_types", "shim": shim, "np": np}
    exec("@shim.on_numpy\ndef size(kind):\n    return isinstance(kind, type) and np.dtype(kind).itemsize\n", names)
    assert names["size"](shim.float32) == 4 and names["size"](shim.uint64) == 8


@pytest.mark.parametrize("kind", [list, dict, deque])
def test_a_container_that_holds_itself_crosses(kind):
    """Also as an attribute; where it is found in itself it stays as it is."""
    names = {"__name__": "project_in_itself", "shim": shim}
    exec(
        "class Holder: pass\n"
        "@shim.on_numpy\ndef first(items):\n    return items[0]\n"
        "@shim.on_numpy\ndef held(holder):\n    return holder.items[0]\n",
        names,
    )
    x = torch.tensor([1.0, 2.0])
    items: Any = {0: x} if kind is dict else kind([x])
    if kind is dict:
        items[1] = items
    else:
        items.append(items)
    assert names["first"](items) is x and items[0] is x and items[1] is items
    holder = names["Holder"]()
    holder.items = items
    assert names["held"](holder) is x and holder.items is items and items[1] is items
    assert np.array_equal(shim.to_numpy(items)[0], x.numpy())


@pytest.mark.parametrize("kind", [list, dict, deque])
def test_containers_of_a_class_of_the_project_stay_the_same_objects(kind):
    """In an attribute and as an argument; nothing of their class is called for it, what is written into them stays."""
    names = {"__name__": "project_of_containers", "shim": shim, "np": np, "kind": kind}
    exec(
        "class Own(kind):\n"
        "    calls = 0\n"
        "    def __setitem__(self, key, value):\n        Own.calls += 1\n        super().__setitem__(key, value)\n"
        "    def items(self): raise AssertionError\n"
        "    __reduce_ex__ = None\n"
        "class Holder: pass\n"
        "@shim.on_numpy\ndef write(own):\n    assert isinstance(own[0], np.ndarray)\n    own[1] = own[0] * 2\n"
        "@shim.on_numpy\ndef write_held(holder):\n    write(holder.own)\n    return holder.own\n",
        names,
    )
    own: Any = names["Own"]()
    own.update({0: torch.ones(2), 1: 0}) if kind is dict else own.extend([torch.ones(2), 0])
    names["write"](own)
    assert torch.equal(own[1], torch.full((2,), 2.0)) and isinstance(own[0], torch.Tensor)
    holder = names["Holder"]()
    holder.own = own
    own[1] = 0
    assert names["write_held"](holder) is own and holder.own is own
    assert torch.equal(own[1], torch.full((2,), 2.0)) and names["Own"].calls == 3


@shim.on_numpy
class TestOnNumpy:
    """A class of tests on NumPy: pytest asks the code of its functions how many arguments they take."""

    def setup_class(cls):
        cls.made = [cls.__name__]

    def setup_method(self, method):
        self.made.append(method.__name__)

    def teardown_method(self):
        self.made.append("")

    def test_what_pytest_calls_gets_its_arguments(self):
        assert self.made == ["TestOnNumpy", "test_what_pytest_calls_gets_its_arguments"]


def test_a_border_takes_arguments_by_name_as_well():
    @shim.on_numpy
    def f(x, y=1, z=2):
        return x, y, z

    assert f(1) == (1, 1, 2) and f(y=3, x=0) == (0, 3, 2) and f(1, z=4) == (1, 1, 4) and f(1, 2, 3) == (1, 2, 3)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        f()


def test_scalar_types_out_of_tables_are_numpys_for_code_on_numpy():
    kinds = [getattr(shim, name) for name in ("int8", "float32", "complex64")]

    @shim.on_numpy
    def made():
        return [(np.dtype(kind).name, type(kind(3)).__name__, np.zeros(1, kind).dtype.name) for kind in kinds]

    assert made() == [(name, name, name) for name in ("int8", "float32", "complex64")]
    assert kinds[0].dtype is torch.int8 and type(kinds[0](3)) is torch.Tensor


def test_a_function_of_the_other_side_shows_what_it_takes():
    @shim.public
    def taken(function):
        return function.__code__.co_argcount

    @shim.on_numpy
    def caller():
        return taken(lambda x, y: x)

    assert caller() == 2


def test_a_scalar_type_is_equal_to_numpys_dtype():
    assert shim.uint8 == np.dtype("u1") and shim.uint8 != np.dtype("i1") and shim.int32 != np.dtype(">i4")
    assert shim.uint8 == torch.uint8 and shim.uint8 != "nothing"


class Sized(Protocol):
    def size(self) -> int: ...


@runtime_checkable
class Shown(Sized, Protocol):
    def show(self) -> str: ...


class Item(Shown):
    def __init__(self):
        self.x = torch.ones(2)

    def size(self):
        return len(self.x)

    def show(self):
        return ""


class Other:
    def size(self):
        return 1

    def show(self):
        return ""


def test_protocols_ask_for_no_more_than_they_say():
    @shim.on_numpy
    def asked(item):
        return type(item.x).__name__, item.size()

    assert asked(Item()) == ("ndarray", 2)
    assert issubclass(Item, Shown) and issubclass(Other, Shown) and isinstance(Other(), Shown)


def test_properties_that_say_something_of_a_class_stay():
    """A proxy answers for what it stands for: its name, its class and its attributes are no arrays."""

    class Proxy:
        def __init__(self, wrapped):
            object.__setattr__(self, "wrapped", wrapped)

        __name__ = property(lambda self: self.wrapped.__name__)
        __class__ = property(lambda self: type(self.wrapped))
        __module__ = property(lambda self: self.wrapped.__module__)
        __doc__ = property(lambda self: self.wrapped.__doc__)

        @property
        def dtype(self):
            return np.zeros(1).dtype

    shown = Proxy.__name__
    kept = shim.on_numpy(Proxy)
    one = kept(len)
    assert (one.__name__, one.__class__, one.__module__) == ("len", type(len), "builtins")
    assert one.__doc__ == len.__doc__ and shown == Proxy.__name__
    assert one.dtype is torch.float64


@pytest.mark.parametrize("kind", [list, dict])
def test_methods_of_a_container_on_numpy_find_arrays_in_it(kind: type) -> None:
    """Before, they found the tensors that an attribute had been read as: `self[0][...] = array` was a TypeError."""
    names: dict[str, Any] = {"__name__": "project_of_kept_containers", "shim": shim, "np": np, "kind": kind}
    exec(
        "@shim.on_numpy\nclass Signals(kind):\n"
        "    def reset(self):\n"
        "        assert type(self[0]) is np.ndarray\n"
        "        self[0][...] = np.arange(2.0)\n"
        "        return self[0]\n"
        "@shim.public\nclass Holder:\n"
        "    def reset(self):\n"
        "        found = self.own.reset()\n"
        "        return found, self.own[0], self.own\n",
        names,
    )
    own = names["Signals"]({0: np.ones(2), 1: "text"} if kind is dict else [np.ones(2), "text"])
    holder = names["Holder"]()
    holder.own = own
    for _ in range(2):
        found, first, same = holder.reset()
        assert found is first and same is own and first.tolist() == [0, 1]
    assert own.reset() is found


def test_items_that_the_reader_uses_as_they_are_are_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mapping of all signals is read at each step of a simulation."""
    visit: Any = importlib.import_module("np2torch.shim.on_numpy").Visit
    names: dict[str, Any] = {"__name__": "project_of_many_signals", "shim": shim, "np": np}
    exec(
        "class Own(dict): pass\n"
        "class Item: pass\n"
        "@shim.on_numpy\nclass Holder: pass\n"
        "@shim.public\ndef read(holder):\n    return holder.own\n",
        names,
    )
    holder, walked = names["Holder"](), []
    holder.own = names["Own"]({i: np.ones(1) if i % 2 else names["Item"]() for i in range(100)})
    inward = visit.inward

    def counted(self: Any, x: Any) -> Any:
        walked.append(x)
        return inward(self, x)

    counted.__name__ = "inward"
    monkeypatch.setattr(visit, "inward", counted)
    assert type(names["read"](holder)[1]) is torch.Tensor
    assert len(walked) >= 50
    walked.clear()
    names["read"](holder)
    assert len(walked) < 10


def test_attributes_of_a_class_that_both_sides_use_have_one_border() -> None:
    """The border of `public` behind that of code on NumPy saw nobody but that, at the cost of another call."""
    names: dict[str, Any] = {"__name__": "project_of_two_borders", "shim": shim, "np": np, "sys": sys, "FRAMES": []}
    exec(
        "@shim.public\nclass Held:\n"
        "    def __init__(self, x):\n        self.x = x\n"
        "    def __getattribute__(self, name):\n"
        "        frame = sys._getframe(1)\n"
        "        if name == 'x':\n"
        "            FRAMES.append((frame.f_code.co_name, frame.f_back.f_code.co_name))\n"
        "        return super().__getattribute__(name)\n"
        "@shim.on_numpy\ndef kind(held):\n    return type(held.x).__name__\n",
        names,
    )
    assert names["kind"](names["Held"](torch.ones(2))) == "ndarray"
    assert names["FRAMES"] == [("__getattribute__", "kind")]


PROXY = """
class Decorated:
    def __init__(self, function, instance=None):
        self.__wrapped__, self.instance = function, instance

    @property
    def __class__(self):
        return type(self.__wrapped__)

    def __getattr__(self, name):
        return getattr(self.__wrapped__, name)

    def __get__(self, instance, owner):
        return Decorated(self.__wrapped__.__get__(instance, owner), instance)

    def __call__(self, *args):
        assert self.instance is not None
        return self.__wrapped__(*args)


@BORDER
class Held:
    def __init__(self, x):
        self.x = x

    @Decorated
    def scaled(self, by):
        return self.x * by


@shim.on_numpy
def asked(held, by):
    return held.scaled(by)
"""


@pytest.mark.parametrize("border", ["shim.on_numpy", "shim.public", "(lambda cls: cls)"])
def test_methods_that_a_decorator_makes_objects_of_are_bound(border: str) -> None:
    """Such an object passes for a function (`wrapt`): called as one, it never learned of the instance."""
    names: dict[str, Any] = {"__name__": f"project_of_decorators_{len(border)}", "shim": shim, "np": np}
    exec(PROXY.replace("BORDER", border), names)
    held = names["Held"](torch.ones(2))
    by = torch.tensor([2.0, 3.0])
    assert torch.equal(names["asked"](held, by), by)
    assert torch.equal(held.scaled(by), by)


@pytest.mark.parametrize("kind", [dict, OrderedDict, lambda held: defaultdict(dict, held)])
def test_mappings_in_attributes_stay_the_same_objects(kind: Any) -> None:
    """What either side writes into one is there for the other; keys are asked for their hash only where one is new.

    Before, a defaultdict was read as a copy where it held arrays, and what was written into that was lost.
    """
    names: dict[str, Any] = {"__name__": "project_of_mappings", "shim": shim, "np": np, "torch": torch, "HASHED": []}
    exec(
        "class Key:\n"
        "    def __hash__(self):\n        HASHED.append(self)\n        return 1\n"
        "@shim.public\nclass Held:\n"
        "    def __init__(self, held):\n        self.held = held\n"
        "    def read(self):\n        return self.held\n"
        "@shim.on_numpy\ndef write(held):\n    held.held['new'] = held.held['old']['x'] * 2\n",
        names,
    )
    given = kind({"old": {"x": torch.ones(2), names["Key"](): "text"}})
    held = names["Held"](given)
    names["HASHED"].clear()
    names["write"](held)
    assert held.read() is given and held.read()["new"].tolist() == [2, 2] and type(given["new"]) is torch.Tensor
    assert held.read()["old"] is given["old"] and type(given["old"]["x"]) is torch.Tensor
    assert not names["HASHED"]
