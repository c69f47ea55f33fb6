# ruff: noqa: E501 (tables of source texts)
"""What functions and methods make: of lists that may hold text, of ufuncs by their methods, Python's lists and numbers."""

from __future__ import annotations

import numpy as np
import pytest
from test_facts import one

from np2torch.facts import values as v


def held(value):
    """The fact of a value of NumPy's."""
    if isinstance(value, np.ndarray):
        return v.array(value.dtype.name, value.ndim)
    return v.scalar(value.dtype.name)


@pytest.mark.parametrize("make", ["np.array", "np.copy", "np.asarray"])
def test_a_list_of_text_beside_an_array_is_an_array_of_text(make):
    fact = one(f"def f(x):\n    show({make}(x))\n\nf(np.zeros(3))\nf(['a', 1.0])\nf(['a', 'b', 'c'])\n")
    assert v.known_to_include(fact, "foreign")
    assert v.known_to_include(fact, "array")


def test_a_list_of_text_made_an_array_of_numbers_is_one():
    fact = one("def f(x):\n    show(np.array(x, dtype=float))\n\nf(np.zeros(3))\nf(['1', '2'])\n")
    assert v.only(fact, "array")


@pytest.mark.parametrize(
    "call",
    [
        "np.add.outer(np.zeros(3), np.arange(2))", "np.add.outer(np.zeros(3, np.float32), 2.0)",
        "np.equal.outer(np.arange(3), np.eye(3))", "np.subtract.outer(1, 2)", "np.add.reduce(np.eye(3))",
        "np.add.reduce(np.arange(3).astype(np.int8))", "np.add.reduce(np.arange(3) > 1)",
        "np.subtract.reduce(np.arange(3).astype(np.int8))", "np.add.reduce(np.eye(3), axis=None)",
        "np.maximum.reduce([np.zeros(3), np.ones(3)])", "np.add.reduce(np.eye(3), axis=(0, 1))",
        "np.add.reduce(np.eye(3), keepdims=True)", "np.logical_and.reduce([[0, 1], [1, 1]])",
        "np.add.accumulate(np.arange(3).astype(np.int8))", "np.multiply.accumulate(np.eye(3), 1)",
        "np.add.reduce(np.eye(3), dtype=np.float32)",
    ],
)  # fmt: skip
def test_methods_of_ufuncs(call):
    assert one(f"show({call})") == held(eval(call))


@pytest.mark.parametrize(
    "call", ["np.exp.outer(np.eye(2))", "np.add.reduce(np.eye(3), out=x)", "np.add.reduceat(x, [0, 1])"]
)
def test_methods_of_ufuncs_of_which_nothing_is_said(call):
    assert v.known_to_include(one(f"x = np.zeros(3)\nshow({call})"), "unknown")


def test_the_element_of_an_array_of_any_dtype_is_a_number():
    assert v.only(one("def f(x):\n    show(np.asarray(x).item())\n"), "number")


def test_the_lists_of_an_array_are_as_deep_as_it_has_dimensions():
    fact = one("show(np.eye(3).tolist())")
    assert v.elements(v.sole(v.elements(v.sole(fact)))) == v.FLOAT
    assert one("show(np.zeros(3).sum().tolist())") == v.FLOAT


def test_what_is_appended_to_the_list_of_an_array_is_in_it():
    text = "class C:\n    def __init__(self):\n        self.x = np.arange(3).tolist()\n    def add(self):\n        self.x.append('end')\n    def get(self):\n        for one in self.x:\n            show(one)\n\nc = C()\nc.add()\nc.get()\n"
    assert v.known_to_include(one(text), "text")


def test_the_copy_of_a_scalar_is_one():
    assert one("show(np.zeros(3).sum().copy())") == v.scalar("float64")
    assert one("show(np.copy(np.zeros(3).sum()))") == v.array("float64", 0)
