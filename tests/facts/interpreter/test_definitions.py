# ruff: noqa: E501 (tables of source texts)
"""Classes of the project, as they make their objects."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one


@pytest.mark.parametrize("base", ["", "(object)"])
def test_a_class_made_from_object_is_known_whole(base):
    fact = one(f"""
        class Grid{base}:
            def __init__(self): self.cells = np.zeros((2, 2))
        def see(x):
            if isinstance(x, Grid):
                show(x.cells)
        Grid()
        """)
    assert fact == v.array("float64", 2)


def test_new_is_passed_its_class_once():
    texts = one("""
        class Base(np.ndarray):
            def __new__(cls, x, scale=1.0):
                show(x)
                return np.asarray(x).view(cls)
            def __array_ufunc__(self, ufunc, method, *inputs, **options):
                return NotImplemented
        class Own(Base):
            def __new__(cls, x):
                return super().__new__(cls, x)
        Own(np.zeros(3))
    """)
    assert texts == v.array("float64", 1)


def test_a_class_that_makes_its_objects_is_known_where_nobody_calls_it():
    assert v.kinds(one("class Own:\n    def __new__(cls, x):\n        show(cls)\n        return object.__new__(cls)\n")) == {"class"}


@pytest.mark.parametrize(
    ("head", "body", "is_tensor"),
    [
        ("self, array, context=None, return_scalar=False", "return array", True),
        ("self, array, context=None, return_scalar=False", "return super().__array_wrap__(array, context, return_scalar)", True),
        ("self, array, context=None, return_scalar=False", "return array if context else self", False),
        ("self, array, context=None", "return array", False),
    ],
)
def test_a_class_may_say_what_becomes_of_results_by_their_values(head, body, is_tensor):
    fact = one(f"""
        class Own(np.ndarray):
            def __array_wrap__({head}):
                {body}
            def kept(self):
                data = self.copy()
                return data
        show(np.zeros(3).view(Own))
        """)
    assert (v.kinds(fact) == {"instance"}) == is_tensor
