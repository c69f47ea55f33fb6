# ruff: noqa: E501 (tables of source texts)
"""Facts of attributes: of instances, classes, functions, arrays."""

from __future__ import annotations

import numpy as np
import pytest

from np2torch.facts import values as v
from support.facts import one, shown
from support.guards import both, is_equal, plain, tensors

CLASS = """
class Model:
    kind = np.arange(3)

    def __init__(self, n, data=None):
        self.weights = np.zeros((n, n))
        self.data = data
        self.items = []

    def update(self, x):
        self.bias = x
        self.items.append(x)
        return self.weights @ x

    @property
    def size(self):
        return self.weights.sum(axis=0)

    @classmethod
    def make(cls):
        return cls(3)

    @staticmethod
    def twice(x):
        return x * 2
"""


def test_attributes():
    text = CLASS + "m = Model(3, np.arange(2))\ny = m.update(np.zeros(3))\nshow(m.weights, m.data, m.bias, y, m.size, m.items[0])\nshow(Model.make().weights, Model.twice(np.zeros(1)), m.kind)\n"
    weights, data, bias, y, size, item, made, twice, kind = shown(text)
    assert weights == made == v.array("float64", 2)
    assert v.keep(data, lambda a: a.kind == "array") == v.array("int64", 1)
    assert bias == y == size == twice == v.array("float64", 1)
    assert item == v.array("float64", 1)
    assert kind == v.array("int64", 1)


def test_inherited_attributes():
    text = CLASS + "class Child(Model):\n    def run(self):\n        show(self.weights)\n\nChild(2).run()\n"
    assert one(text) == v.array("float64", 2)


def test_dataclass_fields():
    text = "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: np.ndarray\n    n: int = 0\n\np = P(np.zeros(3))\nshow(p.x)\n"
    assert v.only(one(text), "array")


def test_a_descriptor_gives_what_its_method_gives():
    text = """
    class Part:
        def __get__(self, owner, kind):
            return owner.data[0:1]
        def __set__(self, owner, value):
            owner.data[0] = value

    class C:
        part = Part()
        def __init__(self):
            self.data = np.zeros(3)

    c = C()
    show(c.part)
    c.part = 5
    show(c.part)
    """
    assert shown(text) == [v.array("float64", 1)] * 2


def test_an_attribute_of_an_element_of_a_matrix_may_be_anything():
    assert v.known_to_include(one("class M(np.matrix):\n    pass\n\nshow(M([[1]])[0, 0].nominal_value)"), "unknown")


def test_the_real_part_of_a_number_is_one():
    assert v.kinds(one("show(np.real(2.5))")) == {"number"}


def test_an_attribute_of_a_function_is_none_of_an_object():
    assert one("def f():\n    return np.zeros(3)\n\nf.version = 1\nshow(f())\n") == v.array("float64", 1)


def test_a_field_nobody_sets_is_what_its_annotation_says():
    text = "from dataclasses import dataclass\n\n@dataclass\nclass A:\n    x: np.ndarray\n\ndef f(a: A):\n    show(a.x)\n"
    assert one(text) == v.ARRAY


def test_attributes_are_what_a_method_left_them():
    text = """
    class A:
        def __init__(self, x):
            self.x = x
            self.check()
            show(self.x)
            self.forget()
            show(self.x)

        def check(self):
            if self.x is None:
                raise ValueError
            self.x = np.asarray(self.x)

        def forget(self):
            self.x = None

    A([1.0, 2.0])
    A(None)
    """
    first, second = shown(text)
    assert first == v.array("float64", 1)
    assert second == v.NONE or v.known_to_include(second, "none")


def test_names_of_what_is_called_are_text():
    text = "def wrapped(f):\n    show(f.__name__, f.__qualname__, f.__doc__, f.names)\n    return f\n\n\nwrapped(unknown)\n"
    name, qualified, doc, other = shown(text)
    assert name == qualified == v.TEXT
    assert doc == v.join(v.TEXT, v.NONE)
    assert v.may(other, "array")


DECORATED = """def reading(f):
    return property(f)


class Pairs:
    def __init__(self, n, pairs=None):
        x, y = np.meshgrid(np.arange(n), np.arange(n))
        below = np.tril_indices(n, -1)
        self.pairs = list(zip(x[below], y[below])) if pairs is None else pairs

    @reading
    def sums(self):
        sums = {}
        for i, j in self.pairs:
            sums[i, j] = i + j
        return sums

    def total(self):
        return sum(self.sums[i, j] for i, j in self.pairs)
"""


def test_a_method_whose_decorator_makes_something_else_of_it_may_be_anything():
    """What is read of it may be a mapping, to which keys go by value."""
    old, new, _ = both(DECORATED, "Pairs")
    assert new(4).total() == old(4).total()


SET = """def set_first(thing, k):
    thing.scale = k
    return thing.value()


class Scaled:
    scale = 1.0

    def __init__(self, data):
        self.data = np.asarray(data)
        self.offset = 0.5

    def value(self):
        return self.data * self.scale


def set_last(thing, k):
    thing.offset = k
    return thing.data * thing.offset
"""


@pytest.mark.parametrize("k", [2, 0.5, np.float64(0.5), np.int64(3), np.float32(0.5), np.array([1, 2])])
@pytest.mark.parametrize("x", [np.array([1, 2]), np.array([0.5, 2.5])])
@pytest.mark.parametrize("name", ["set_first", "set_last"])
def test_what_is_set_on_an_object_nobody_knows_may_be_any_classes(name, k, x):
    (old_class, new_class, _), (old, new, _) = both(SET, "Scaled"), both(SET, name)
    assert is_equal(plain(old(old_class(x), k)), plain(new(new_class(tensors(x)), tensors(k))))
