# ruff: noqa: E501 (tables of source texts)
"""What statements do to names and containers."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one


def test_branches_join():
    fact = one("def f(c):\n    if c:\n        x = np.arange(3)\n    else:\n        x = np.zeros((3, 3))\n    show(x)\n")
    assert fact == v.array({"int64", "float64"}, {1, 2})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("xs = [np.zeros(3) for _ in range(2)]\nshow(xs[0])", v.array("float64", 1)),
        ("xs = []\nfor i in range(3):\n    xs.append(np.arange(i))\nshow(xs[-1])", v.array("int64", 1)),
        ("show(np.array([row.sum() for row in np.zeros((2, 3))]))", v.array("float64", 1)),
        ("show(np.array([[i * 0.5 for i in range(3)] for _ in range(2)]))", v.array("float64", 2)),
        ("d = {k: np.zeros(2) for k in 'ab'}\nshow(d['a'])", v.array("float64", 1)),
        ("d = {}\nd['a'] = np.arange(2)\nshow(d['a'])", v.array("int64", 1)),
        ("for i, row in enumerate(np.zeros((2, 3))):\n    show(row)", v.array("float64", 1)),
        ("for a, b in zip(np.zeros(2), np.arange(2)):\n    show(a)", v.scalar("float64")),
        ("for a in np.zeros((2, 2)):\n    for b in a:\n        show(b)", v.scalar("float64")),
        ("a, b = np.zeros((2, 3))\nshow(b)", v.array("float64", 1)),
        ("(a, *rest), c = (np.zeros(1), np.arange(2)), 3\nshow(a)", None),
        ("show(next(iter(np.zeros((2, 3)))))", v.array("float64", 1)),
        ("show((lambda x: x * 2)(np.arange(3)))", v.array("int64", 1)),
        ("def g():\n    yield np.zeros(2)\n\nfor x in g():\n    show(x)", v.array("float64", 1)),
        ("x = y = np.zeros(2)\nshow(y)", v.array("float64", 1)),
        ("if (x := np.arange(2)).any():\n    show(x)", v.array("int64", 1)),
        ("x = np.zeros(2) if show else np.arange(2)\nshow(x)", v.array({"float64", "int64"}, 1)),
        ("try:\n    x = np.zeros(2)\nexcept ValueError:\n    x = np.arange(2)\nshow(x)", v.array({"float64", "int64"}, 1)),
        ("with np.errstate(all='ignore'):\n    x = np.zeros(2)\nshow(x)", v.array("float64", 1)),
        ("global_ = np.zeros(2)\ndef f():\n    show(global_)\n", v.array("float64", 1)),
        ("def f():\n    x = np.zeros(2)\n    def g():\n        show(x)\n    g()\n\nf()\n", v.array("float64", 1)),
        ("x = np.array(['a'])\nshow(x)", v.OBJECTS),
        ("x = np.datetime64('now')\nshow(x)", v.FOREIGN),
        ("x = np.zeros(2)\nx += 1\nshow(x)", v.array("float64", 1)),
        ("x = 0\nx += np.arange(3)\nshow(x)", v.array("int64", 1)),
        ("n = 3\nx = np.zeros((n,) * 2)\nshow(x)", v.array("float64", 2)),
        ("shape = (2, 3)\nx = np.zeros(shape + (4,))\nshow(x)", v.array("float64", 3)),
    ],
)  # fmt: skip
def test_containers_and_statements(text, expected):
    fact = one(text)
    if expected is None:
        assert v.known_to_include(fact, "array", "unknown")
    else:
        assert fact == expected


def test_what_is_added_to_an_item_in_place_is_in_the_list():
    text = "def f(a):\n    sums = [0] * 3\n    for i in range(3):\n        sums[i] += a[i]\n    show(sums[0])\n\nf(np.zeros(3))\n"
    assert v.known_to_include(one(text), "scalar")


def test_what_is_added_to_a_value_in_place_is_in_the_dict():
    text = "def f(a):\n    sums = {'x': 0}\n    sums['x'] += a\n    show(sums['x'])\n\nf(np.zeros(3))\n"
    assert v.known_to_include(one(text), "array")


def test_what_is_assigned_to_a_slice_of_a_list_is_in_it():
    fact = one("parts = [0.0, 0.0]\nparts[1:] = np.zeros(1)\nshow(parts[1])\n")
    assert v.known_to_include(fact, "scalar")
    assert not v.known_to_include(fact, "array", "unknown")
