"""Masked arrays keep guards off the functions that they reach, and off no other."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import analyse, convert_project
from np2torch.rewrite.guards.masked_flow import MaskedFlow
from np2torch.source.model import Settings, SourceFile

HALF = "import numpy as np\n\n\ndef half(x):\n    return np.sqrt(x) / 2\n\n\n"
BOX = """class Box:
    def __init__(self, kept):
        self.kept = kept

    def scaled(self, x):
        return np.sqrt(self.kept * x)

    def other(self, y):
        return np.sqrt(y)


"""
MASKED = "np.ma.masked_less(x, 0)"


def reached(text: str) -> set[str]:
    """The names of the functions that a masked array may reach."""
    file = SourceFile(Path("lib.py"), "lib.py", HALF + text)
    work = analyse([file], Settings())
    found = MaskedFlow([work.context(file, work.infos[file.path])]).functions()
    return {node.name for node in found if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    "text",
    [
        f"def f(x):\n    return half({MASKED})\n",
        f"def f(x):\n    m = {MASKED}\n    n, o = m, 1\n    return half(n[1:] + o)\n",
        f"def f(x):\n    return g({MASKED})\n\n\ndef g(y):\n    return half(2 * y)\n",
        f"def g(x):\n    return {MASKED}\n\n\ndef f(x):\n    return half(g(x).sum(axis=0))\n",
        f"def f(x):\n    found = []\n    found.append({MASKED})\n    return [half(one) for one in found]\n",
        f"def f(x):\n    found = dict()\n    found['a'] = {MASKED}\n    return half(found['a'])\n",
        f"def f(x):\n    return [*map(half, [{MASKED}])]\n",
        f"def f(x):\n    def inner():\n        return half(m)\n\n    m = {MASKED}\n    return inner()\n",
        f"def f(x):\n    global KEPT\n    KEPT = {MASKED}\n\n\ndef g():\n    return half(KEPT)\n",
        "GAPS = np.ma.array([1.0, 2.0])\n\n\ndef f():\n    return half(GAPS)\n",
        f"def f(x):\n    return half(x=np.asanyarray({MASKED}))\n",
    ],
)
def test_a_masked_array_reaches_a_function(text: str) -> None:
    assert "half" in reached(text)


@pytest.mark.parametrize(
    "text",
    [
        f"def f(x):\n    return half({MASKED}.filled(0.0))\n",
        f"def f(x):\n    m = {MASKED}\n    return half(m.data), m\n",
        f"def f(x):\n    return half(np.asarray({MASKED}))\n",
        f"def f(x):\n    return half(float({MASKED}.sum()))\n",
        f"def f(x):\n    return half(x), {MASKED}\n",
        f"def f(x):\n    m = {MASKED}\n    return half(x[: len(m)])\n",
        f"def f(x):\n    return {MASKED}\n\n\ndef g(x):\n    return half(x)\n",
    ],
)
def test_what_is_no_masked_array_any_more_reaches_it(text: str) -> None:
    assert "half" not in reached(text)


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("pair(x, {0})", {"f", "pair", "second"}),
        ("pair(b={0}, a=x)", {"f", "pair", "second"}),
        ("pair(*[x, {0}])", {"f", "pair", "first", "second"}),
        ("pair(**dict(a={0}))", {"f", "pair", "first", "second"}),
        ("Box(x).pair(x, {0})", {"f", "pair", "second"}),
        ("Box.pair(Box(x), x, {0})", {"f", "pair", "second"}),
        ("pair({0}.filled(), x)", {"f"}),
    ],
)
def test_arguments_reach_their_parameters(call: str, found: set[str]) -> None:
    pair = "def pair({0}a, b=1):\n    return first(a) + second(b)\n\n\n"
    others = "".join(f"def {name}(x):\n    return np.sqrt(x)\n\n\n" for name in ("first", "second"))
    method = "    " + pair.format("self, ").replace("\n    ", "\n        ")
    own = BOX.rstrip() + "\n\n" + method if "Box" in call else pair.format("")
    assert reached(f"{others}{own}def f(x):\n    return {call.format(MASKED)}\n") == found


def test_an_array_takes_the_values_of_a_masked_array() -> None:
    text = "def f(x):\n    out = np.zeros(3)\n    out[:2] = {0}\n    return half(out)\n"
    assert "half" not in reached(text.format(MASKED))
    assert "half" in reached(text.replace("np.zeros(3)", "x").format(MASKED))


def test_attributes_hold_masked_arrays_in_all_objects() -> None:
    found = reached(f"{BOX}def f(x):\n    return Box({MASKED})\n")
    assert found == {"__init__", "scaled", "f"}
    assert reached(f"{BOX}def f(x):\n    return Box(x), {MASKED}\n") == {"f"}


def test_both_sides_are_equal_beside_a_masked_array() -> None:
    text = "def f(x):\n    return np.ma.masked_less(x, 0).mean(axis=1).filled(-1.0), half(x[0])\n"
    (done,) = convert_project([SourceFile(Path("lib.py"), "lib.py", HALF + text)], Settings())
    assert [guard.function for guard in done.guards] == ["half"]
    old: dict[str, object] = {}
    new: dict[str, object] = {}
    exec(HALF + text, old)
    exec(done.after, new)
    x = np.array([[1.0, 2.0, 4.0], [-1.0, -2.0, -3.0], [0.5, -1.0, 3.0]])
    for one, other in zip(old["f"](x), new["f"](torch.from_numpy(x)), strict=True):  # type: ignore[operator]
        np.testing.assert_allclose(np.asarray(other), one, rtol=1e-12)
        assert np.asarray(other).dtype == one.dtype and other.shape == one.shape
