"""The public API policy: which definitions are public, and a converted package whose users stay on NumPy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from np2torch.names.public import Module, public_definitions
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

INIT = """
from ._core import solve, _hidden
from ._core import helper as _helper
from .other import *

__all__ = ["solve", "_hidden"]
"""
CORE = """
import numpy as np


def solve(a):
    return _hidden(a)


def _hidden(a):
    return np.asarray(a)


def helper(a):
    return a


def unused(a):
    return a


class _Result:
    pass
"""
OTHER = """
from ._core import _Result


class Base(_Result):
    pass


def listed():
    def inner():
        pass


if True:
    def conditional():
        pass


def _private():
    pass
"""


def names(named: tuple[str, ...] = (), **files: str) -> set[str]:
    """The names of what is public."""
    modules = {name: Module(ast.parse(text), name == "pkg") for name, text in files.items()}
    return {getattr(node, "name", "") for node in public_definitions(modules, named)}


def test_public_are_names_without_an_underscore_and_what_is_listed() -> None:
    files = {"pkg": INIT, "pkg._core": CORE, "pkg.other": OTHER}
    everything = {"solve", "_hidden", "helper", "unused", "_Result", "Base", "listed", "conditional"}
    assert names(**files) == everything
    assert names(("pkg.other",), **files) == {"Base", "_Result", "listed", "conditional"}
    handed_on = {"pkg": INIT, "elsewhere": "from pkg import solve\n", "pkg._core": CORE, "pkg.other": OTHER}
    assert names(("elsewhere",), **handed_on) == set()  # only packages hand on
    assert names(("pkg",), **{**files, "pkg2": "def f(): pass\n"}) == everything


def test_a_package_hands_on_what_private_modules_define() -> None:
    found = names(("api",), **{"api": "def run(): pass\n", "pkg": INIT, "pkg._core": CORE, "pkg.other": OTHER})
    assert found == {"run"}
    core = {"pkg": INIT, "lib._core": CORE}
    assert names(("pkg",), **{**core, "pkg": INIT.replace("._core", "lib._core")}) == {"solve", "_hidden"}


@pytest.mark.parametrize("name", ["pkg.tests.helpers", "test_pkg", "pkg_test", "conftest", "pkg.test_more", "setup"])
def test_tests_are_not_public_unless_they_are_named(name: str) -> None:
    assert names(**{name: "def f(): pass\n"}) == set()
    assert names((name,), **{name: "def f(): pass\n"}) == {"f"}
    assert names(**{"pkg.contest": "def f(): pass\n"}) == {"f"}


# -------------------------------------------------------------------------------------------------------- text
def converted(text: str, **settings: object) -> str:
    """A module with the policy on."""
    file = SourceFile(Path("m.py"), "m.py", text)
    chosen = {"public_api": "ndarray", "closed": ("*",), **settings}
    return next(iter(convert_project([file], Settings(**chosen)))).after  # type: ignore[arg-type]


MODULE = """import functools

import numpy as np


# what it is for
@functools.lru_cache  # kept
def first(n):
    return np.zeros(n)


def _second(x):
    return np.exp(x)


class Third:

    def method(self, x): return np.exp(x)

    def _private(self, x):
        return np.exp(x)
"""


def test_the_decorator_stands_on_top() -> None:
    after = converted(MODULE)
    assert "# what it is for\n@shim.public\n@shim.by_value(functools.lru_cache)  # kept\ndef first(n):" in after
    assert "\n\n\n@shim.public\nclass Third:\n\n    def method" in after and after.count("@shim.public") == 2
    assert "from np2torch import shim" in after and converted(after) == after


def test_it_is_not_there_where_it_is_not_wanted() -> None:
    assert "public" not in converted(MODULE, public_modules=("other",))
    assert "public" not in converted(MODULE, ignore=("NPT405",))
    assert "public" not in converted("def f(x):\n    return x\n")
    kept = "class E(Enum):\n    A = 1\n\n\nclass F(np.ndarray):\n    __array_priority__ = 0.0\n"
    assert "public" not in converted("import numpy as np\nfrom enum import Enum\n\n\n" + kept)


def test_callers_outside_may_pass_anything() -> None:
    text = "import numpy as np\n\n\ndef f(x):\n    return x / 2 + np.ones(3)\n\n\ny = f(np.arange(3.0))\n"
    assert "x / 2" not in converted(text, unknown="shim", closed=())  # integers would have to be cast
    assert "x / 2" in converted(text, public_api="tensor")


# ------------------------------------------------------------------------------------------------ the whole way
PACKAGE = {
    "stats/__init__.py": "from .core import Running, centred, outliers\nfrom .shapes import Box\n",
    "stats/core.py": '''
import numpy as np

from ._tools import spread


def centred(points, out=None):
    """Subtract the mean."""
    result = points - np.mean(points, axis=0)
    if out is not None:
        out[...] = result
        return out
    return result


def outliers(points, limit=3.0, key=np.abs):
    scaled = centred(points) / spread(points)
    for row, bad in zip(points, (key(scaled) > limit).any(axis=1)):
        if bad:
            yield row


class Running:
    """A running mean."""

    def __init__(self, size):
        self.total = np.zeros(size)
        self.count = 0

    def add(self, x):
        self.total += x
        self.count += 1
        return self

    @property
    def mean(self):
        return self.total / self.count
''',
    "stats/_tools.py": "import numpy as np\n\n\ndef spread(x):\n    return np.std(x, axis=0)\n",
    "stats/shapes.py": '''
from dataclasses import dataclass, field

import numpy as np

from .core import centred


@dataclass
class Box:
    low: np.ndarray
    high: np.ndarray = field(default_factory=lambda: np.ones(2))

    def sides(self):
        return np.maximum(self.high - self.low, 0)

    def middle(self):
        return centred(np.stack([self.low, self.high]))[1] + self.low
''',
}
USER = '''
import numpy as np
from stats import Box, Running, centred, outliers

x = np.arange(8.0).reshape(4, 2) ** 2
out = np.empty((4, 2))
shown = [centred(x), centred(x[::-1]), centred(x.astype(int)), centred(x, out=out) is out, out]
shown += list(outliers(x, 1.0)) + list(outliers(x, limit=1.0, key=lambda y: np.maximum(y, 0)))
running = Running(2).add(np.ones(2)).add(np.array([3, 5]))
shown += [running.mean, running.total, running.count]
box = Box(np.array([0.0, 2.0]))
shown += [box.sides(), box.middle(), box.high, box.low[0]]
box.low = np.zeros(2)
shown += [box.sides(), Box(low=np.zeros(2), high=x[3]).sides()]
for one in shown:
    print(type(one).__name__, getattr(one, "dtype", ""), one)
'''


def test_users_stay_on_numpy(tmp_path: Path) -> None:
    for name, text in {**PACKAGE, "user.py": USER}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text.lstrip())

    def printed() -> str:
        run = [sys.executable, "user.py"]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    before = printed()
    command = [sys.executable, "-m", "np2torch_cli", "convert", "-q", "--write", "--public-api", "ndarray", "stats"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
    assert "import torch" in (tmp_path / "stats/core.py").read_text()
    assert printed() == before


KEPT = {
    "turns/__init__.py": "from .kept import Turn\nfrom .work import between, joined\n",
    "turns/kept.py": '''
import numpy as np


class Turn(np.ndarray):
    """Stays an ndarray."""

    __array_priority__ = 0.0

    def __new__(cls, values):
        return np.asarray(values, dtype=float).view(cls)

    def back(self):
        return -self
''',
    "turns/work.py": '''
import numpy as np


def between(p: np.ndarray, q: np.ndarray) -> float:
    """The distance of two turns, each an array or a list."""
    for one in (p, q):
        if not isinstance(one, (list, np.ndarray)):
            raise TypeError(type(one).__name__)
    p, q = np.copy(p), np.copy(q)
    return np.linalg.norm(p - q)


def joined(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.asarray(p) @ np.asarray(q) + p
''',
}
ITS_USER = '''
import numpy as np
from turns import Turn, between, joined

p, q = Turn([1, 2, 2]), np.array([0.0, 2.0, 1.0])
print(between(p, q), between(q, p), between(p, p.back()), between(q, [0.0, 2.0, 1.0]))
print(joined(np.eye(3), np.eye(3) * 2))
for wrong in (lambda: between("p", q), lambda: joined(np.ones((2, 3)), np.ones((2, 3))), lambda: between(p, q[:2])):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
'''


def test_arrays_that_stay_may_be_passed_and_errors_are_numpys(tmp_path: Path) -> None:
    for name, text in {**KEPT, "user.py": ITS_USER}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text.lstrip())
    run = [sys.executable, "user.py"]
    before = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    command = [sys.executable, "-m", "np2torch_cli", "convert", "-q", "--write", "--public-api", "ndarray", "turns"]
    subprocess.run(command, cwd=tmp_path, check=False)
    assert "import torch" in (tmp_path / "turns/work.py").read_text()
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == before
