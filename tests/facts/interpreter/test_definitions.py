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
            def __array_wrap__(self, array, context=None, return_scalar=False):
                return array
        class Own(Base):
            def __new__(cls, x):
                return super().__new__(cls, x)
        Own(np.zeros(3))
    """)
    assert texts == v.array("float64", 1)


def test_a_class_that_makes_its_objects_is_known_where_nobody_calls_it():
    assert v.kinds(one("class Own:\n    def __new__(cls, x):\n        show(cls)\n        return object.__new__(cls)\n")) == {"class"}
