"""`shim.public`: a module on tensors whose callers stay on NumPy, and pay nothing inside."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import inspect
import pickle
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim._call_boundary import Border

PACKAGE = '''
import dataclasses
import functools
from collections import namedtuple

import torch
from np2torch import shim

Pair = namedtuple("Pair", "low high")
SEEN = []


@shim.public
def double(x):
    """Twice."""
    SEEN.append(type(x))
    return x * 2


@shim.public
def total(xs, scale=None):
    return sum(double(x) for x in xs), {"scale": scale, "shape": xs[0].shape, "dtype": xs[0].dtype}


@shim.public
def ones(n):
    return torch.ones(n, dtype=torch.float64)


@shim.public
def extent(x):
    return Pair(x.min(), x.max())


@shim.public
def fill(x, value, log, names):
    x[:] = value
    log.append(x)
    names["last"] = x + 0
    return x


@shim.public
def rows(x):
    for row in x:
        sent = yield row
        if sent is not None:
            SEEN.append(type(sent))


@shim.public
def applied(function, x):
    found = function(x)
    SEEN.append(type(found))
    return found


@shim.public
def scaler(x):
    return lambda y: x * y


@shim.public
def solve(a, b):
    return torch.linalg.solve(a, b)


@shim.public
def draw(rng, n):
    return rng.standard_normal(n)


@shim.public
def draw_global(n, between=None):
    first = shim.random.rand(n)
    if between is not None:
        between()
    return first, shim.random.randn(n)


@shim.public
def zeros(n, dtype):
    return torch.zeros(n, dtype=dtype)


@shim.public
async def later(x):
    return x + 1


@shim.public
@functools.lru_cache
def cached(n):
    return torch.arange(n)


@shim.public
def kind_of(f):
    return type(f).__name__


@shim.public
class Model:
    """Keeps an array."""

    table = torch.tensor([1.0, 2.0])
    rule = shim.fmin

    def __init__(self, weights):
        self.weights = weights
        self.count = 0

    def __call__(self, x):
        SEEN.append(type(self.weights))
        return self.weights @ x

    def __getitem__(self, index):
        return self.weights[index]

    @property
    def norm(self):
        return self.weights.norm()

    @norm.setter
    def norm(self, value):
        self.weights = self.weights / self.weights.norm() * value

    @functools.cached_property
    def largest(self):
        return self.weights.max()

    @staticmethod
    def scaled(x, by):
        return x * by

    @classmethod
    def of(cls, x):
        return cls(x)

    def _private(self):
        return self.weights


@shim.public
class Sub(Model):
    def __init__(self, weights):
        super().__init__(weights)
        self.twice = double(self.weights)


@shim.public
@dataclasses.dataclass
class Box:
    low: torch.Tensor
    high: torch.Tensor = dataclasses.field(default_factory=lambda: torch.ones(2))

    def size(self):
        return self.high - self.low

    def moved(self, by):
        return dataclasses.replace(self, low=self.low + by)


shim.public(Pair)
public_of_another = shim.public(3)
AT_IMPORT = ones(2)
'''


@pytest.fixture
def pkg(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    module = types.ModuleType("pkg_on_tensors")
    monkeypatch.setitem(sys.modules, "pkg_on_tensors", module)
    exec(compile(PACKAGE, "pkg_on_tensors.py", "exec"), module.__dict__)
    return module


def caller(pkg: types.ModuleType, text: str, **names: Any) -> Any:
    """What an expression is worth in a module that knows nothing of torch (this one does)."""
    module = {"__name__": "someone_else", "np": np, "pkg": pkg, **names}
    exec(compile(text if "\n" in text or "out =" in text else f"out = {text}", "user.py", "exec"), module)
    return module["out"]


X = np.arange(6.0).reshape(2, 3)


def test_the_kind_that_is_given_comes_back(pkg: types.ModuleType) -> None:
    found = caller(pkg, "pkg.double(x)", x=X)
    assert type(found) is np.ndarray and np.array_equal(found, X * 2) and [torch.Tensor] == pkg.SEEN
    assert type(caller(pkg, "pkg.double(x)", x=torch.ones(2))) is torch.Tensor
    assert caller(pkg, "pkg.double(3)") == 6 and type(caller(pkg, "pkg.double(np.float32(3))")) is np.float32


def test_nested_at_any_depth(pkg: types.ModuleType) -> None:
    found, more = caller(pkg, "pkg.total([x, x], scale={'by': (x, [x])})", x=X)
    assert type(found) is np.ndarray and np.array_equal(found, X * 4)
    assert more["scale"]["by"][0] is X and more["scale"]["by"][1][0] is X  # what came in comes out as itself
    assert more["shape"] == (2, 3) and type(more["shape"]) is tuple and more["dtype"] == np.dtype("float64")
    assert [torch.Tensor] * 2 == pkg.SEEN
    low, high = found = caller(pkg, "pkg.extent(x)", x=X)
    assert type(found) is pkg.Pair and type(low) is np.float64 and high == 5


def test_without_arrays_the_calling_module_decides(pkg: types.ModuleType) -> None:
    assert type(caller(pkg, "pkg.ones(2)")) is np.ndarray
    assert type(pkg.ones(2)) is torch.Tensor  # this module uses torch
    assert type(pkg.double(X)) is np.ndarray
    assert type(pkg.AT_IMPORT) is torch.Tensor and pkg.public_of_another == 3


def test_torch_that_came_with_a_star_is_no_use_of_torch(pkg: types.ModuleType, tmp_path: Path) -> None:
    """A module on NumPy that imports all names of one on tensors has `torch` and `shim` among its own."""
    names = {name: value for name, value in vars(pkg).items() if not name.startswith("_")}
    for number, (text, kind) in enumerate([("", np.ndarray), ("\nimport torch", torch.Tensor)]):
        path = tmp_path / f"user{number}.py"
        path.write_text(f"from pkg_on_tensors import *{text}\n")
        assert type(caller(pkg, "ones(2)", __file__=str(path), **names)) is kind


def test_inside_nothing_is_converted(pkg: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Border] = []
    init = Border.__init__

    def counted(self: Border) -> None:
        made.append(self)
        init(self)

    monkeypatch.setattr(Border, "__init__", counted)
    caller(pkg, "pkg.total([x] * 9)", x=X)
    assert len(pkg.SEEN) == 9 and len(made) == 1
    found = caller(pkg, "sorted([1, 2], key=lambda n: pkg.double(x)[0, 0])", x=X)
    assert found == [1, 2] and len(made) == 3  # the standard library hands on: its caller counts


@pytest.mark.parametrize(
    "x", [X.copy(), X.copy()[::-1], X.copy().astype(">f8"), np.array(3.0), X.copy().T], ids=lambda x: str(x.strides)
)
def test_what_is_written_is_seen(pkg: types.ModuleType, x: Any) -> None:
    log: list[Any] = []
    names: dict[str, Any] = {}
    if not x.ndim:
        found = caller(pkg, "pkg.applied(lambda y: y, x)", x=x)
        assert found == x
        return
    found = caller(pkg, "pkg.fill(x, 7, log, names)", x=x, log=log, names=names)
    assert (x == 7).all() and found is x and log[0] is x
    assert type(names["last"]) is np.ndarray and (names["last"] == 7).all()


def test_generators(pkg: types.ModuleType) -> None:
    rows = caller(pkg, "pkg.rows(x)", x=X)
    assert inspect.isgenerator(rows) and type(next(rows)) is np.ndarray
    assert np.array_equal(rows.send(X), X[1]) and [torch.Tensor] == pkg.SEEN
    assert list(rows) == []
    assert [type(row) for row in caller(pkg, "pkg.rows(x)", x=torch.ones(2, 2))] == [torch.Tensor] * 2
    assert type(caller(pkg, "pkg.double(next(iter([x])))", x=X)) is np.ndarray
    assert caller(pkg, "pkg.applied(list, (y for y in [x]))", x=X)[0] is X


def test_functions_go_over_both_ways(pkg: types.ModuleType) -> None:
    text = "kinds = []\ndef mine(y):\n    kinds.append(type(y))\n    return np.mean(y, axis=0)\n"
    found, kinds = caller(pkg, text + "out = pkg.applied(mine, x), kinds", x=X)
    assert kinds == [np.ndarray] and [torch.Tensor] == pkg.SEEN and found.tolist() == [1.5, 2.5, 3.5]
    for function in (np.sin, np.cumsum, pkg.double):
        assert type(caller(pkg, "pkg.applied(f, x)", f=function, x=X)) is np.ndarray
    seen: list[Any] = []
    caller(pkg, "pkg.applied(f, x)", f=seen.append, x=X)
    assert type(seen[0]) is np.ndarray
    assert caller(pkg, "pkg.applied(len, x)", x=X) == 2


def test_functions_that_come_out_take_arrays(pkg: types.ModuleType) -> None:
    times = caller(pkg, "pkg.scaler(x)", x=X)
    assert type(caller(pkg, "times(x)", times=times, x=X)) is np.ndarray


def test_errors_are_numpys(pkg: types.ModuleType) -> None:
    with pytest.raises(np.linalg.LinAlgError):
        caller(pkg, "pkg.solve(np.zeros((2, 2)), np.ones(2))")


def test_random_streams_go_on(pkg: types.ModuleType) -> None:
    for make in (np.random.default_rng, np.random.RandomState):
        mine, theirs = make(5), make(5)
        for _ in range(3):
            found = caller(pkg, "pkg.draw(rng, 5)", rng=mine)
            assert type(found) is np.ndarray and np.array_equal(found, theirs.standard_normal(5))
            assert mine.uniform() == theirs.uniform()


def test_the_global_stream_is_the_callers(pkg: types.ModuleType) -> None:
    np.random.seed(3)
    expected = np.random.rand(2), np.random.rand(4), np.random.randn(4), np.random.rand(2)
    np.random.seed(3)
    found = np.random.rand(2), *caller(pkg, "pkg.draw_global(4)"), np.random.rand(2)
    assert all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True))
    np.random.seed(3)
    expected = np.random.rand(4), np.random.rand(2), np.random.randn(4)
    np.random.seed(3)
    seen: list[Any] = []
    first, last = caller(pkg, "pkg.draw_global(4, lambda: seen.append(np.random.rand(2)))", seen=seen)
    assert all(np.array_equal(a, b) for a, b in zip(expected, (first, seen[0], last), strict=True))


def test_dtypes_are_numpys_outside(pkg: types.ModuleType) -> None:
    for dtype in (np.float32, np.dtype("int16"), bool, np.int64):
        assert caller(pkg, "pkg.zeros(2, dtype)", dtype=dtype).dtype == dtype


def test_coroutines_and_caches(pkg: types.ModuleType) -> None:
    assert np.array_equal(asyncio.run(caller(pkg, "pkg.later(x)", x=X)), X + 1)
    assert type(caller(pkg, "pkg.cached(3)")) is np.ndarray and caller(pkg, "pkg.cached.cache_info().misses") == 1


def test_classes(pkg: types.ModuleType) -> None:
    model = caller(pkg, "pkg.Model(x)", x=X)
    look = {
        "model.weights": X, "model(np.ones(3))": X @ np.ones(3), "model[0]": X[0], "model.norm": np.linalg.norm(X),
        "model.largest": 5.0, "model.scaled(x, 2)": X * 2, "pkg.Model.of(x).weights": X,
        "pkg.Model.scaled(x, 3)": X * 3,
        "model.table": np.array([1, 2], "f4"), "pkg.Sub(x).twice": X * 2,
    }  # fmt: skip
    for text, expected in look.items():
        found = caller(pkg, text, model=model, x=X)
        assert type(found) is type(expected) or isinstance(found, np.float64), text
        assert np.allclose(found, expected), text
    assert pkg.SEEN[0] is torch.Tensor and type(model.weights) is torch.Tensor  # seen from a module with torch
    assert np.shares_memory(caller(pkg, "model.weights", model=model), X)
    assert caller(pkg, "model.count", model=model) == 0


def test_ufuncs_are_numpys_outside(pkg: types.ModuleType) -> None:
    assert caller(pkg, "pkg.Model(x).rule", x=X) is np.fmin


def test_ufuncs_that_are_passed_are_the_shims_inside(pkg: types.ModuleType) -> None:
    assert caller(pkg, "pkg.kind_of(f)", f=np.add) == "UFunc"
    assert caller(pkg, "pkg.kind_of(f)", f=np.frompyfunc(abs, 1, 1)) != "UFunc"


def test_attributes_are_set_from_outside(pkg: types.ModuleType) -> None:
    model = pkg.Model(torch.ones(2, dtype=torch.float64))
    caller(pkg, "model.weights = x\nout = 1", model=model, x=np.array([3.0, 4.0]))
    assert type(model.weights) is torch.Tensor
    caller(pkg, "model.norm = np.float64(10)\nout = 1", model=model)
    assert caller(pkg, "model.weights", model=model).tolist() == [6, 8]


def test_dataclasses(pkg: types.ModuleType) -> None:
    found = caller(pkg, "pkg.Box(np.zeros(2), high=np.full(2, 3.0))")
    assert caller(pkg, "box.size()", box=found).tolist() == [3, 3] and type(found.low) is torch.Tensor
    assert type(caller(pkg, "box.low", box=found)) is np.ndarray
    assert type(caller(pkg, "box.moved(np.ones(2))", box=found).low) is torch.Tensor
    shown = caller(pkg, "d.asdict(box)", box=found, d=dataclasses)
    assert {type(value) for value in shown.values()} == {np.ndarray}
    assert "low" in {f.name for f in dataclasses.fields(pkg.Box)}


def test_what_stays_as_it_was(pkg: types.ModuleType) -> None:
    assert pkg.double.__doc__ == "Twice." and list(inspect.signature(pkg.double).parameters) == ["x"]
    assert pickle.loads(pickle.dumps(pkg.double)) is pkg.double
    model = pkg.Model(torch.ones(2))
    for copied in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(copied.weights, model.weights) and copied is not model
    again = caller(pkg, "c.deepcopy(model)", c=copy, model=model)
    assert type(again.weights) is torch.Tensor


def test_modules_that_hand_on_are_of_the_side_of_their_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module beside converted ones that speaks of no arrays is on tensors only for those on tensors."""
    public = "import torch\nfrom np2torch import shim\n\n@shim.public\ndef ones(n):\n    return torch.ones(n)\n"
    between = "from whole.core import ones\n\ndef handed(n):\n    return sorted([ones(n)], key=lambda x: x[0])\n"
    use = "from whole.between import handed\nmade = handed(2)[0]\n"
    texts = {"whole": "", "whole.core": public, "whole.between": between, "user": use}
    texts |= {"whole.mine": f"import torch\n{use}", "whole.old": f"import numpy as np\n{use}"}
    for name, text in texts.items():
        module = types.ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        exec(compile(text, f"{name}.py", "exec"), module.__dict__)
    kinds = {name: type(sys.modules[name].made) for name in ("whole.mine", "whole.old", "user")}
    assert kinds == {"whole.mine": torch.Tensor, "whole.old": np.ndarray, "user": np.ndarray}
