"""What plotting libraries look at as colours and numbers is no tensor."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import torch

from np2torch.verify.compare import difference
from support.conversions import convert_text
from support.guards import both

FIGURE = '''
import numbers

import numpy as np


class Axes:
    """It asks for the class of colours and of transparency, and makes arrays of the rest, as matplotlib's does."""

    def plot(self, *data, color=None, alpha=None, **others):
        seen = [np.asarray(one).shape for one in data]
        if not isinstance(color, (str, tuple, list, np.ndarray)):
            raise ValueError(f"{color!r} is not a valid value for color")
        if not isinstance(alpha, (numbers.Real, type(None))):
            raise TypeError("alpha must be numeric or None")
        return seen, [float(one) for one in color], float(alpha)

    def text(self, x, y, s, label=""):
        return f"{s} {label}"

    def set_yticklabels(self, labels):
        return [f"{one}" for one in labels]

    def set_alpha(self, alpha):
        return self.plot(color=[], alpha=alpha)

    def hist(self, x, bins=10, range=None):
        return [float(one) for one in np.histogram(x, bins, range)[0]]


def subplot(rows):
    if not isinstance(rows, numbers.Integral):
        raise ValueError("Number of rows must be a positive integer")
    return Axes()
'''
DRAWN = """
import matplotlib.pyplot as plt
import numpy as np

counts = np.array([3, 2, 2])
ax = plt.subplot(counts[1])
x = np.linspace(0, 1, 4)
rgb = np.array([0.5, 0.25, 1.0])
seen = [ax.plot(x, x * 2, color=colour, alpha=strength, lw=x[1]) for colour, strength in zip(np.eye(3) / 2, rgb)]
seen.append(ax.plot(x, color=rgb, alpha=rgb.min()))
seen.append(ax.set_alpha(rgb[0]))
seen.append(ax.text(x[0], x[1], rgb.max(), label=counts[0]))
seen.append(ax.set_yticklabels(counts))
seen.append(ax.hist(counts, 4, range=(x[0], counts[0])))


def histogram(axes, bounds=None):
    return axes.hist(np.linspace(0, 3, 4), 2, range=bounds)


seen += [histogram({"": ax}[""], [x[0], counts[0]]), histogram({"": ax}[""])]
"""


def test_styles_are_no_tensors_and_data_goes_as_it_is(convert, monkeypatch):
    library, drawing = ModuleType("matplotlib"), ModuleType("matplotlib.pyplot")
    exec(FIGURE, vars(drawing))
    library.pyplot = drawing  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "matplotlib", library)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", drawing)
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    exec(DRAWN, before)
    text = convert(DRAWN)
    exec(text, after)
    assert after["seen"] == before["seen"]
    assert "ax.plot(x, x * 2, color" in text


SHAPES = '''
import numpy as np


class Path:
    """It asks what it is given for what arrays have."""

    def __init__(self, vertices, codes=None):
        self.vertices = vertices.copy()
        self.codes = None if codes is None else codes.astype(np.uint8)

    def get_width(self):
        return np.array([np.ptp(self.vertices[:, 0])])
'''
MEASURED = """
import numpy as np
from matplotlib.path import Path


def measure(corners):
    path = Path(corners.T * 1.0, codes=np.ones(3))
    columns = path.vertices.T
    lowest = path.vertices.min(axis=0)
    return columns.copy(), lowest * 2.0, path.vertices.shape, path.get_width().astype(int), path.codes.astype(float)


seen = measure(np.arange(6.0).reshape(2, 3))
"""


def test_classes_of_plotting_libraries_get_arrays_and_what_is_read_of_them_are_tensors(convert, monkeypatch):
    library, module = ModuleType("matplotlib"), ModuleType("matplotlib.path")
    exec(SHAPES, vars(module))
    library.path = module  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "matplotlib", library)
    monkeypatch.setitem(sys.modules, "matplotlib.path", module)
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    exec(MEASURED, before)
    exec(convert(MEASURED), after)
    for one, other in zip(before["seen"], after["seen"], strict=True):
        assert other == one if isinstance(one, tuple) else other.tolist() == one.tolist()


def test_an_array_of_what_may_be_objects_may_stay_on_numpy(convert):
    text = convert(
        "import numpy as np\nfrom sympy import Matrix, symbols\n\n"
        "sx, sy = symbols('sx sy')\nZ = Matrix(np.diag([sx, sy]))\nY = Matrix(np.diag([1.0, 2.0]))\n"
    )
    assert "Z = Matrix(shim.to_numpy(shim.diag([sx, sy])))" in text
    assert "shim.to_numpy" not in text.partition("Y = ")[2]


def test_the_class_of_scalars_of_a_dtype_is_numpys_in_an_array_that_stays_there():
    """Long doubles stay on NumPy, and what is made beside them of a dtype's own class."""
    text = """
def spread(kind):
    kind = np.dtype(kind).type
    return kind(3) + np.array([-2, 1], dtype=kind)

found = spread(np.longdouble)
"""
    old, new, _ = both(text, "spread")
    assert new(torch.float16).tolist() == old(np.float16).tolist() and new(torch.float16).dtype == torch.float16
    assert new(np.longdouble).dtype == np.longdouble


def test_an_array_is_asked_for_its_array():
    """A tensor's own method takes no such keywords."""
    text = """
def asked(x):
    return np.array([1, 2]).__array__(copy=None), np.asarray(x).__array__(dtype=np.float32, copy=True) + 1
"""
    old, new, _ = both(text, "asked")
    assert difference(old(np.array([1.5])), new(torch.tensor([1.5], dtype=torch.float64))) is None


def test_what_numpy_asks_an_object_for_is_an_ndarray():
    """A library that calls `np.asarray` of it gets one; converted code gets a tensor."""
    text = """
class Proxy:
    def __init__(self, data):
        self.data = np.asarray(data)

    def __array__(self, dtype=None, copy=None):
        return self.data * 2

def use(values):
    proxy = Proxy(values)
    return proxy, np.asarray(proxy) + 1, proxy.__array__() * 2
"""
    old, new, _ = both(text, "use")
    proxy, *found = new([1.0, 2.0])
    assert difference(list(old([1.0, 2.0])[1:]), found) is None and isinstance(found[0], torch.Tensor)
    assert isinstance(np.asarray(proxy), np.ndarray) and np.asarray(proxy).tolist() == [2.0, 4.0]


def test_a_class_of_errors_that_a_library_is_given_is_no_tensor(monkeypatch):
    """`assert_raises(ValueError, f, x)`, as test frameworks have it."""
    library = ModuleType("frames")
    exec("def raises(expected, call, *given):\n    try:\n        call(*given)\n    except expected as error:\n"
         "        return type(error).__name__\n", library.__dict__)  # fmt: skip
    monkeypatch.setitem(sys.modules, "frames", library)
    text = """
def refused(x):
    from frames import raises
    return raises(ValueError, checked, np.sqrt(x)), raises((KeyError, UserWarning), checked, {})

def checked(x):
    if len(x) > 1:
        raise ValueError("too many")
    raise KeyError("none")
"""
    old, new, after = both(text, "refused")
    assert "to_numpy(ValueError" not in after and "to_numpy((KeyError" not in after
    x = np.array([1.0, 4.0])
    assert new(torch.from_numpy(x)) == old(x) == ("ValueError", "KeyError")


SOLVED = """
import sys

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import cg


class Stepper:
    def __init__(self, matrix, solve):
        self.matrix = csr_matrix(matrix)
        self.solve = solve

    def step(self, u):
        x, info = self.solve(self.matrix, self.matrix.dot(u.reshape(-1)))
        return x


def stepped(solve):
    stepper, u = Stepper(np.eye(2) * 2, solve), np.array([1.0, 2.0])
    for _ in range(2):
        u = stepper.step(u)
    return np.asarray(u) * 2


found = stepped(getattr(sys.modules["scipy.sparse.linalg"], "".join(["c", "g"])))
"""


def test_what_a_method_gives_of_what_may_be_an_ndarray():
    """`u.reshape(-1)` counted as a tensor by that use alone, and `u` may be what a solver of SciPy's gave."""
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(SOLVED, old)
    exec(after := convert_text(SOLVED), new)
    assert "self.matrix.dot(shim.to_numpy(u.reshape(-1)))" in after
    assert difference(old["found"], new["found"]) is None
