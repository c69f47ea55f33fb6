"""Shapes of parameters are read from what a function does with them, and calls come to what needs such shapes."""

from __future__ import annotations

import ast
from functools import partial

import pytest

from np2torch.verify.children import Child, Limits
from np2torch.verify.draw import Drawer, with_shapes
from np2torch.verify.explore import OFTEN, Explorer
from np2torch.verify.hints import hints, node_of, reachable_lines
from np2torch.verify.kinds import kinds
from np2torch.verify.linking import link
from np2torch.verify.pairs import functions, place_of
from np2torch.verify.shape_hints import shapes_by_use
from np2torch.verify.target import Target


@pytest.mark.parametrize(
    ("use", "shapes"),
    [
        ("a, b = x.T", ["n,2"]),
        ("a, b, c = np.asarray(x)", ["3", "3,n"]),
        ("n, m = x.shape", ["n,m"]),
        ("[a for a, b in x]", ["n,2"]),
        ("for i, (a, b, c) in enumerate(x): pass", ["n,3"]),
        ("x[:, 0] + x[:, 2]", ["n,3"]),
        ("x[0][2] + x[1, 0]", ["2,3"]),
        ("x[..., 3]", ["4", "n,4"]),
        ("x[:, None] + x[i, ...]", []),
        ("x.shape[1] != 3", ["n,3"]),
        ("x.shape[-1] == 2", ["2", "n,2"]),
        ("x.shape[0] == x.shape[1]", ["n,n"]),
        ("(y.size, 2) != x.shape", ["n,2"]),
        ("x.ndim > 1", ["n,m"]),
        ("len(x.shape) == 3", ["k,n,m"]),
        ("3 < len(x)", ["4", "4,n"]),
        ("x = np.array(y, float)\n    y[:, 1]", ["n,2"]),
        ("x = x", []),
    ],
)
def test_shapes_are_read_from_uses(use, shapes):
    found = shapes_by_use(ast.parse(f"def f(x, y, i):\n    {use}\n"))
    assert found.get("y" if "y[" in use else "x", []) == shapes


def test_what_is_stored_is_the_parameter():
    text = "class A:\n    def __init__(self, x):\n        self.y = np.array(x)\n    def f(self):\n        self.y[:, 1]"
    assert shapes_by_use(ast.parse(text)) == {"x": ["n,2"]}


BOX = """
import numpy as np

def is_box(sides, centre):
    return sides.shape == (centre.size, 2) and bool(np.all(sides[:, 0] <= centre) and np.all(centre <= sides[:, 1]))

class Box:
    def __init__(self, centre, weight, sides=None):
        assert centre.ndim == 1 and centre.size > 1 and weight > 0
        assert sides is None or is_box(sides, centre)
        self.sides = sides

    def holds(self, x):
        if self.sides is None:
            return True
        low = x >= self.sides[:, 0]
        return bool(np.all(low) and np.all(x <= self.sides[:, 1]))
"""


def test_what_is_passed_on_has_the_shapes_of_its_other_uses(tmp_path):
    (tmp_path / "m.py").write_text("def f(q):\n    return q[:, 1]\n\ndef g(x, y):\n    return f(y)\n")
    tree = ast.parse((tmp_path / "m.py").read_text())
    targets = [Target(one, {}, hints(node_of(tree, one.name))) for one in functions(tmp_path / "m.py")]
    link(targets)
    assert targets[1].body.parameters["y"].used == ("n,2",) and "x" not in targets[1].body.parameters


def test_calls_come_to_lines_that_need_pairs_which_are_not_passed_by_default(tmp_path):
    (tmp_path / "m.py").write_text(BOX)
    tree = ast.parse(BOX)
    array = kinds("float64[...] | None")
    contract = {"__init__.centre": array, "__init__.sides": array, "x": kinds("float64[...]")}
    found = {one.name: one for one in functions(tmp_path / "m.py")}
    lines = reachable_lines(node_of(tree, "Box.holds"))
    target = Target(found["holds"], contract, hints(node_of(tree, "Box")), lines=lines)
    with Child("old", Limits(2.0)) as old:
        old.open(place_of(tmp_path / "m.py"))
        explorer = Explorer(target, 0)
        explorer.search(partial(old.run, is_shared=True, is_watched=True))
    inside = [one for one in explorer.answered.values() if max(lines) in one.lines]
    assert len(inside) >= OFTEN, explorer.weights


def test_ends_of_intervals_are_in_order_and_around_zero():
    recipes = with_shapes({"float": 1.0, "default": 2.0}, (), ("n,2",))
    assert set(recipes) == {"float", "default", "array n,2", "intervals n,2"} and recipes["float"] < 1
    drawer = Drawer("a", ())
    for _ in range(9):
        low, high = drawer.by_recipe("intervals n,2", drawer.sizes()).T
        assert (low < 0).all() and (high > 0).all()
