# ruff: noqa: E501 (tables of source texts)
"""Facts of lists that functions and methods change in place: their lengths, and the order of their items."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one

MIXED = v.join(v.FLOAT, v.array("float64", 1))


@pytest.mark.parametrize("call", ["heapq.heappush(xs, 2.0)", "bisect.insort(xs, 2.0)", "bisect.insort_left(xs, 2.0)"])
def test_an_item_is_inserted(call):
    fact = one(f"import heapq, bisect\n\ndef f():\n    xs = [1.0]\n    {call}\n    show(len(xs))\n\nf()\n")
    assert v.kinds(fact) == {"number"} and v.constant(fact) is None


@pytest.mark.parametrize("call", ["xs.reverse()", "xs.sort(key=len)", "random.shuffle(xs)", "heapq.heapify(xs)"])
def test_items_change_places(call):
    text = f"import heapq, random\n\ndef f():\n    xs = [1.5, np.ones(3)]\n    {call}\n    show(xs[0])\n\nf()\n"
    assert v.kinds(one(text)) == {"number", "array"}
    assert v.lengths_of(one(text.replace("xs[0]", "xs"))) == {2}


def test_items_put_in_front_are_items():
    made = "from collections import deque\n\ndef f():\n    xs = deque([1.5])\n"
    fact = one(f"{made}    xs.extendleft(np.ones((2, 3)))\n    show(xs[0])\n\nf()\n")
    assert v.kinds(fact) == {"number", "array"}


def test_a_scalar_squeezed_stays_one():
    text = "def f(x):\n    y = np.abs(x)\n    show(y.squeeze())\n\nf(np.zeros((1, 3)))\nf(np.zeros(3).sum())\n"
    assert one(text) == v.join(v.array("float64", {0, 1, 2}), v.scalar("float64"))


def test_an_array_squeezed_may_have_no_dimension_left():
    assert one("show(np.zeros((1, 1)).squeeze())\n") == v.array("float64", {0, 1, 2})


def test_what_is_appended_to_the_lists_of_a_defaultdict_is_in_them():
    fact = one("import collections\nfound = collections.defaultdict(list)\nfound[3].append(np.zeros(3))\nshow(found[3][0])\n")
    assert fact == v.array("float64", 1)


def test_the_lists_of_an_array_are_as_deep_as_it_has_dimensions():
    fact = one("show(np.eye(3).tolist())")
    assert v.elements(v.sole(v.elements(v.sole(fact)))) == v.FLOAT
    assert one("show(np.zeros(3).sum().tolist())") == v.FLOAT


def test_what_is_appended_to_the_list_of_an_array_is_in_it():
    text = "class C:\n    def __init__(self):\n        self.x = np.arange(3).tolist()\n    def add(self):\n        self.x.append('end')\n    def get(self):\n        for one in self.x:\n            show(one)\n\nc = C()\nc.add()\nc.get()\n"
    assert v.known_to_include(one(text), "text")


def test_what_is_appended_to_a_list_made_of_others_is_in_it():
    text = "xs = [np.asarray(one) for one in (np.eye(2), [1])]\nxs.append(2.5)\nshow({})\n"
    assert v.known_to_include(one(text.format("xs[1]")), "number")
    assert v.known_to_include(one("xs = [i * 2 for i in (1, 2)]\nxs.append('a')\nshow(xs[1])\n"), "text")


def test_what_is_sorted_may_stand_anywhere():
    assert {atom.type for atom in one("xs = sorted((2.5, 1))\nshow(xs[0])")} == {"int", "float"}


NEW = """
class Box:
    data: np.ndarray

    @classmethod
    def of(cls, x):
        box = {made}.__new__(cls)
        box.data = x
        return box

    def __new__(cls, *args):
        raise TypeError("use Box.of")

def refused():
    try:
        Box([1, 2])
    except TypeError:
        pass

def f(box: Box):
    show(box.data)

f(Box.of(np.ones(3)))
refused()
"""


@pytest.mark.parametrize("made", ["super()", "object"])
def test_an_object_made_past_its_class_is_one_and_what_new_refuses_sets_nothing(made):
    """Before, what such an object held was not seen, and what the call was passed that fails was taken for its fields."""
    assert one(NEW.format(made=made)) == v.array("float64", 1)


def test_what_new_stores_is_held():
    text = "class Box:\n    def __new__(cls, x):\n        box = super().__new__(cls)\n        box.data = x\n        return box\n"
    assert one(f"{text}\nshow(Box(np.ones(3)).data)\n") == v.array("float64", 1)
