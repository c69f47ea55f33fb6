# ruff: noqa: E501 (tables of source texts)
"""What functions and methods make: of lists that may hold text, of ufuncs by their methods, Python's lists and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.domain import Domain
from support.conversions import convert_text
from support.facts import one, shown


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


@pytest.mark.parametrize("call", ["np.array(range(3))", "np.asarray(range(1, 3)) / 2.0"])
def test_an_array_of_a_range(call):
    assert one(f"show({call})") == held(eval(call))


def test_an_array_of_a_range_that_may_be_empty():
    assert one("def f(n):\n    show(np.array(range(n)))\n\nf(0)\nf(3)\n") == v.array({"int64", "float64"}, 1)


@pytest.mark.parametrize(
    "call",
    [
        "np.block([[np.eye(2), np.ones((2, 1))]])", "np.block([[1, 2], [3, 4]])", "np.block([np.ones(2, np.float32), 1])",
        "np.block([[np.ones((1, 2, 2), int)]])", "np.mgrid[0:3, 0:2]", "np.mgrid[0:3.0, 0:2]", "np.mgrid[0:3:5j]",
        "np.gradient(np.arange(4))", "np.gradient(np.eye(3), axis=0)", "np.gradient(np.ones(3, np.float32), 2.0)",
        "np.ogrid[0:3]", "np.ogrid[0:3, 0:2.0][1]", "np.gradient(np.eye(3), axis=(0, 1))[1]", "np.gradient(np.eye(3))[0]",
        "np.polyfit(np.arange(4), np.arange(4), 1)", "np.polyfit(range(4), np.ones((4, 2), np.float32), 1)",
        "np.polyfit(np.arange(4) * 1j, np.arange(4), 1)",
    ],
)  # fmt: skip
def test_grids_blocks_slopes_and_fits(call):
    assert one(f"show({call})") == held(eval(call))


def test_a_fit_of_anything_has_one_or_two_dimensions():
    assert v.ranks_of(one("def f(x, y):\n    show(np.polyfit(x, y, 1))\n")) == {1, 2}


@pytest.mark.parametrize("call", ["np.identity(2, dtype=dtype)", "np.zeros((2, 2), dtype)", "np.array([[x, 1], [2, x]], dtype=dtype)"])
def test_a_dtype_that_may_be_none(call):
    text = f"def f(x, dtype=None):\n    show({call})\n\nf(2.0)\nf(3.0)\nf(4.0, 'f4')\nf(5.0, 'f4')\n"
    assert one(text) == v.array({"float32", "float64"}, 2)


@pytest.mark.parametrize("call", ["np.sum(x)", "np.sin(x)", "np.real(x)"])
def test_what_numpy_makes_of_an_object_is_not_known(call):
    assert one(f"class Own:\n    def sum(self, **options):\n        return self\nx = Own()\nshow({call})\n") == v.TOP


def test_densities_of_vectors_have_fewer_dimensions():
    assert one("from scipy.stats import multivariate_normal\nshow(multivariate_normal.logpdf(np.zeros((3, 2)), np.zeros(2)))") != v.array("float64", 2)


@pytest.mark.parametrize("function", ["np.unique(a)", "np.sort(a)", "np.flip(a)", "np.repeat(a, 2)"])
def test_what_may_be_an_array_of_text_stays_one_where_it_is_arranged(function):
    found = one(f"""
        def f(lines, told):
            names = []
            for line in lines:
                names.append(line if told else "?")
            a = np.array(names)
            show({function})
    """)
    assert v.kinds(found) == {"array", "foreign"}


def test_what_was_divided_in_place_is_inexact():
    Domain(frozenset({"bool", "int64", "float64", "float32", "complex128"})).activate()
    text = "def f(q, n):\n    q = np.copy(q)\n    q /= n\n    show(q)\n"
    assert v.dtypes_of(one(text)) == {"float64", "float32", "complex128"}
    assert v.dtypes_of(one("def f(q):\n    q = np.zeros(3, dtype=np.float32)\n    q /= 2\n    show(q)\n")) == {"float32"}


def test_results_that_cannot_be_integers_keep_their_dtypes():
    Domain(frozenset({"bool", "int64", "float64", "float32"})).activate()
    sine, added = shown("def f(x):\n    x = np.asarray(x)\n    show(np.sin(x), x + 1)\n")
    assert v.dtypes_of(sine) == {"float64", "float32"} and v.dtypes_of(added) is None


def test_a_list_of_what_may_be_none_makes_an_array_or_objects():
    text = "def f(x):\n    return None if x > 2 else np.zeros(3)\n\nshow(np.array([f(x) for x in (1, 2, 3)]))\n"
    assert one(text) == v.join(v.OBJECTS, v.array("float64", 2))


def test_a_list_with_none_in_it_makes_objects():
    assert one("show(np.array([None, 1.0]))") == v.OBJECTS


WEIGHED = """import numpy as np


class Weighed:
    def __init__(self, weights, others):
        self.weights = np.atleast_1d(weights).astype(float)
        self.held = self.weights
        self.weights /= np.sum(self.weights)
        self.rows = np.atleast_2d(others).astype(float)
        self.rows *= 2.0


def weighed(weights, others):
    made = Weighed(weights, others)
    return made.weights, made.held, made.rows
"""


def test_what_has_some_axes_is_an_array_that_is_changed_in_place():
    after = convert_text(WEIGHED)
    assert "self.weights /= torch.sum(self.weights)" in after and "self.rows *= 2.0" in after
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(WEIGHED, old)
    exec(after, new)
    for weights in (3, 2.5, [1, 2], np.array([1.0, 4.0]), np.array(3.0), np.ones((2, 1))):
        others = np.ones((2, 2)) if np.ndim(weights) == 2 else [1.0]
        sides = old["weighed"], new["weighed"]
        given = (weights, others), tuple(torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in (weights, others))
        for before, found in zip(*(side(*args) for side, args in zip(sides, given, strict=True)), strict=True):
            assert found.dtype == torch.float64 and found.shape == before.shape
            np.testing.assert_allclose(found.numpy(), before, rtol=1e-12)


def test_the_fewest_axes_are_known_and_the_most_are_not():
    assert v.ranks_of(one("def f(a: np.ndarray):\n    show(np.atleast_2d(a))\n")) == results.at_least(2)
    assert results.has_no_most(results.at_least(2)) and not results.has_no_most(frozenset({1, 2}))
    text = "import numpy as np\n\n\ndef f(a: np.ndarray, b: np.ndarray):\n    a = np.atleast_2d(a).astype(float)\n"
    assert "multi_dot" in convert_text(f"{text}    return np.dot(a, np.atleast_1d(b).astype(float))\n")
