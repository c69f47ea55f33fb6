"""Inputs on which whole arrays and single passes tend to differ: new text gives what the old one gave, bit by bit.

-0.0 and the types of results count. An error stands for itself by its type.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from np2torch.rewrite.vectorizing import vectorize
from np2torch.source.model import Settings, SourceFile

INF, NAN = math.inf, math.nan


def rewritten(parameters: str, body: str) -> tuple[str, str]:
    text = f"import math\n\nimport numpy as np\n\n\ndef f({parameters}):\n" + "".join(
        f"    {line}\n" for line in body.split("\n")
    )
    (new,), _ = vectorize([SourceFile(Path("m.py"), "m.py", text)], Settings(vectorize=True))
    return text, new.text


def outcome(text: str, arguments: list[Any]) -> Any:
    space: dict[str, Any] = {}
    exec(compile(text, "m.py", "exec"), space)
    given = [np.array(one, dtype=float) if isinstance(one, list) else one for one in arguments]
    given = [given[0] if one is SAME else one for one in given]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return [space["f"](*given), *given]
        except (ArithmeticError, ValueError, IndexError) as error:
            return type(error)


def bits(value: Any) -> Any:
    """Give what can be compared: types, and for floats the sign of zeros; all NaN are one."""
    if isinstance(value, (list, tuple)):
        return [bits(one) for one in value]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), value.shape, [bits(one) for one in value.ravel()]]
    return f"{type(value).__name__} {value!r}"


SAME = object()
"""The first argument once more."""

STORES = {
    "max leaves NaN aside": (
        "x, y",
        "for i in range(len(x)):\n    y[i] = max(x[i], y[i], 0)\nreturn y",
        [[[NAN, 1, 0.0, -0.0], [1, NAN, -0.0, 0.0]]],
    ),
    "np.maximum does not": (
        "x, y",
        "for i in range(len(x)):\n    y[i] = np.maximum(x[i], y[i])\nreturn y",
        [[[NAN, 1], [1, NAN]]],
    ),
    "negative places wrap": (
        "x, y",
        "for i in range(len(x)):\n    y[i] = x[i - 2]\nreturn y",
        [[[1, 2, 3], [0, 0, 0]], [[1], [0]], [[], []]],
    ),
    "ranges of negative numbers": (
        "x, y, k",
        "k = int(k)\nfor i in range(k, len(x)):\n    y[i] = x[i]\nreturn y",
        [[[1, 2, 3], [0, 0, 0], k] for k in (-1, -3, -4, 5)],
    ),
    "one array twice": (
        "x, y",
        "for i in range(len(x) - 1):\n    y[i + 1] = x[i]\nreturn y",
        [[[1, 2, 3], SAME], [[1, 2], [0, 0]]],
    ),
    "arrays by zero": (
        "x, y",
        "for i in range(len(x)):\n    x[i] = x[i] / y[i]\nreturn x",
        [[[1, 0, -1], [0, 0, -0.0]]],
    ),
    "arrays by zero, whole": (
        "x, y",
        "for i in range(len(x)):\n    x[i] = x[i] // y[i]\nreturn x",
        [[[1, 7], [0, -2]]],
    ),
    "numbers by zero": (
        "x, k",
        "k = int(k)\nfor i in range(len(x)):\n    x[i] = i / k + (i - 2) % k\nreturn x",
        [[[1, 2, 3], 0], [[], 0], [[1, 2, 3], -2]],
    ),
    "zero in a branch": ("x", "for i in range(len(x)):\n    x[i] = 1 / i if i != 0 else 7.0\nreturn x", [[[1, 2, 3]]]),
    "sqrt": (
        "x",
        "for i in range(len(x)):\n    x[i] = math.sqrt(x[i])\nreturn x",
        [[[1, -1]], [[NAN, INF, -0.0]], [[-INF]], [[]]],
    ),
    "sqrt in a branch": (
        "x",
        "for i in range(len(x)):\n    if x[i] > 0 and math.sqrt(x[i]) > 1:\n        x[i] = 1.0\nreturn x",
        [[[4, -1]], [[-1]]],
    ),
    "exp": (
        "x",
        "for i in range(len(x)):\n    x[i] = math.exp(x[i])\nreturn x",
        [[[710]], [[INF, NAN, -INF, -800]], [[709.782712893384]], [[709.7827128933841]]],
    ),
    "log": (
        "x",
        "for i in range(len(x)):\n    x[i] = math.log(x[i])\nreturn x",
        [[[0]], [[-1]], [[INF, NAN]], [[-0.0]]],
    ),
    "powers": (
        "x, p",
        "for i in range(len(x)):\n    x[i] = x[i] ** p\nreturn x",
        [[[4, -1], 0.5], [[0], -1.0], [[2], 2]],
    ),
    "float32": (
        "x, y",
        "for i in range(len(x)):\n    y[i] = x[i] * x[i]\nreturn y",
        [[np.full(3, 0.1, np.float32), [0, 0, 0]], [[0.1, 2, 3], np.ones(3, np.float32)]],
    ),
    "bools": ("x, y", "for i in range(len(x)):\n    y[i] = x[i] + x[i]\nreturn y", [[np.array([True, False]), [0, 0]]]),
    "whole numbers over int64": (
        "x, k",
        "k = int(k)\nfor i in range(len(x)):\n    x[i] = i * k\nreturn x",
        [[[0] * 9, 2**62], [[0] * 9, 2**70]],
    ),
    "squares over int64": (
        "x, k",
        "k = int(k)\nfor i in range(k, k + len(x)):\n    x[i - k] = i * i\nreturn x",
        [[[0] * 9, 2**62]],
    ),
    "running sums": (
        "x, y",
        "for i in range(1, len(x)):\n    y[i] = y[i - 1] + x[i]\nreturn y",
        [[[1e16, 1, 1, -1e16], [0, 0, 0, 0]], [[-0.0, -0.0], [-0.0, 0]], [[1, 2, 3], SAME]],
    ),
    "places that are looked up": (
        "k, w",
        "h = np.zeros(3)\nfor i in range(len(k)):\n    h[k[i]] += w[i]\nreturn h",
        [[np.array([0, 0, -1]), [1e16, 1, 2]], [np.array([0, 5]), [1, 2]], [np.array([], int), []], [[0, 1], [1, 2]]],
    ),
    "places that no pass adds to": (
        "k, w",
        "h = np.full(3, -0.0)\nfor i in range(len(k)):\n    if w[i] > 0:\n        h[k[i]] += w[i]\nreturn h",
        [[np.array([0, 1, -1]), [1, -1, 2]], [np.array([1, 99]), [1, -2]], [np.array([1, 1]), [INF, NAN]]],
    ),
    "lists": ("x, y", "for i in range(len(x)):\n    y[i] = 2 * x[i]\nreturn y", [[(1.0, 2), [0, 0]]]),
}

SUMS = {
    "sum from 0.0": (
        "x",
        "s = 0.0\nfor i in range(len(x)):\n    s += x[i]\nreturn s",
        [[[]], [[-0.0]], [[1e16, 1, -1e16]]],
    ),
    "sum from 0": ("x", "s = 0\nfor i in range(len(x)):\n    s += x[i] ** 2\nreturn s", [[[]], [[-0.0]], [[INF, NAN]]]),
    "sum from elsewhere": (
        "x, s",
        "for i in range(len(x)):\n    s += x[i]\nreturn s",
        [[[1, 1, 1, -1e16], 1e16], [[-0.0], -0.0], [[], 2]],
    ),
    "difference": (
        "x, s",
        "for i in range(len(x)):\n    s -= x[i]\nreturn s",
        [[[1, 1, 1, 1e16], 1e16], [[0.0], -0.0]],
    ),
    "squares from below": ("x, s", "for i in range(len(x)):\n    s += x[i] ** 2\nreturn s", [[[1, 1, 1, 1e8], -1e16]]),
    "product": (
        "x",
        "s = 1\nfor i in range(len(x)):\n    s *= x[i]\nreturn s",
        [[[]], [[-0.0, 2]], [[1e300, 1e300, 1e-300]]],
    ),
    "product from elsewhere": (
        "x, s",
        "for i in range(len(x)):\n    s *= x[i]\nreturn s",
        [[[1e-300, 1e-300], 1e300], [[1e300, 1e300], 1e-300]],
    ),
    "sum in some passes": (
        "x",
        "s = 0\nfor i in range(len(x)):\n    if x[i] > 0:\n        s += x[i]\nreturn s",
        [[[-1]], [[]], [[1, -2]]],
    ),
    "sum within a loop": (
        "a",
        "n, m = a.shape\ny = np.zeros(n)\nfor i in range(n):\n    t = 0.0\n    for j in range(m):\n"
        "        t += a[i, j]\n    y[i] = 1 / t if t == 0 else t\nreturn y",
        [[np.full((2, 3), -0.0)], [np.zeros((2, 0))], [np.array([[1e16, 1, 1, -1e16]])]],
    ),
    "sum from an element": (
        "a, x",
        "n, m = a.shape\ny = np.zeros(n)\nfor i in range(n):\n    t = x[i]\n    for j in range(m):\n"
        "        t += a[i, j]\n    y[i] = t\nreturn y",
        [[np.array([[1.0, 1, 1, -1e16]]), [1e16]]],
    ),
    "sum into an element": (
        "a, x",
        "n, m = a.shape\nfor i in range(n):\n    for j in range(m):\n        x[i] -= a[i, j]\nreturn x",
        [[np.array([[1.0, 1, 1, 1e16]]), [1e16]], [np.zeros((2, 0)), [1, 2]], [np.array([[0.0]]), [-0.0]]],
    ),
    "sums into elements that are looked up": (
        "k, a",
        "h = np.zeros(3)\nm = 2\nfor i in range(len(k)):\n    for j in range(m):\n        h[k[i]] += a[i, j]\nreturn h",
        [[np.array([0, 0]), np.array([[1e16, 0], [1.0, 1.0]])]],
    ),
    "triangle": (
        "a",
        "n, m = a.shape\ns = 0.0\nfor i in range(n):\n    for j in range(i):\n        s += a[i, j] ** 2\nreturn s",
        [[np.ones((3, 3))], [np.ones((3, 1))], [np.ones((1, 1))], [np.ones((0, 0))]],
    ),
    "max": (
        "x",
        "s = x[0]\nfor i in range(1, len(x)):\n    s = max(s, x[i])\nreturn s",
        [[[1, NAN, 3]], [[NAN, 1, 2]], [[NAN, NAN]], [[1]], [[]]],
    ),
    "if larger": (
        "x",
        "s = 0.0\nfor i in range(len(x)):\n    if x[i] > s:\n        s = x[i]\nreturn s",
        [[[-1]], [[1, 2]], [[NAN]], [[]]],
    ),
    "truth": (
        "x",
        "c = 0\nfor i in range(len(x)):\n    if x[i]:\n        c += 1\nreturn c",
        [[[0.0, NAN, -0.0, 2]], [[]]],
    ),
}


@pytest.mark.parametrize("name", [*STORES, *SUMS])
def test_a_loop_gives_what_it_gave(name: str):
    parameters, body, inputs = {**STORES, **SUMS}[name]
    old, new = rewritten(parameters, body)
    assert new != old
    for arguments in inputs:
        copies = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
        assert bits(outcome(old, arguments)) == bits(outcome(new, copies)), new


STAY = {
    "whole numbers that become others": (
        "x, s",
        "k = np.full(len(x), 1000)\ns = 1.5\nfor i in range(len(x)):\n    s *= k[i]\n    x[i] = 0\nreturn s",
    ),
    "a variable read after the loop": ("x", "for i in range(len(x)):\n    x[i] = 1.0\nreturn i"),
    "sums by several statements": (
        "x",
        "s = 0.0\nfor i in range(len(x)):\n    if x[i] > 1:\n        s += x[i]\n    else:\n        s -= x[i]\nreturn s",
    ),
    "a `continue` in a branch of a branch": (
        "x, w",
        "for i in range(len(x)):\n    if x[i] > 1:\n        w[i] = 5\n    else:\n"
        "        if x[i] < 0:\n            continue\n    w[i] = x[i]\nreturn w",
    ),
    "a `continue` in the other arm of one": (
        "x, w",
        "for i in range(len(x)):\n    if x[i] > 1:\n        continue\n    else:\n"
        "        if x[i] < 0:\n            continue\n    w[i] = x[i]\nreturn w",
    ),
    "stores that wrap": ("x, y", "for i in range(len(x)):\n    y[i - 1] = x[i]\nreturn y"),
    "bools summed up": ("x", "c = 0\nfor i in range(len(x)):\n    c += x[i] > 0\nreturn c"),
    "elements that are one place": (
        "x",
        "y = np.lib.stride_tricks.as_strided(x, (99,), (0,))\nfor i in range(99):\n    y[i] = y[i] + 1\nreturn x",
    ),
    "several numbers for a place that is looked up": (
        "k, a",
        "h = np.zeros(9)\nfor i in range(len(k)):\n    for j in range(3):\n        h[k[i]] += a[i, j]\nreturn h",
    ),
}


@pytest.mark.parametrize("name", STAY)
def test_a_loop_stays(name: str):
    old, new = rewritten(*STAY[name])
    assert old == new


def test_a_project_that_makes_elements_of_one_place_keeps_stores():
    text = "import numpy as np\n\n\ndef f(x):\n    for i in range(len(x)):\n        x[i] = x[i] + 1\n"
    other = SourceFile(Path("b.py"), "b.py", "from numpy.lib.stride_tricks import as_strided\n")
    (new, _), found = vectorize([SourceFile(Path("a.py"), "a.py", text), other], Settings(vectorize=True))
    assert new.text == text and "several elements of `x` may be one place" in found[0].remarks[0].message
