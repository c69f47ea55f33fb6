"""What `np.nditer` gives, held against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from np2torch.facts import values as v
from np2torch.facts.interpreter import nditers
from support.facts import one, shown

X = "x = np.arange(6.0).reshape(2, 3)\n"


def test_one_array_gives_arrays_of_one_element():
    fact = one(f"{X}for part in np.nditer(x):\n    show(part)\n")
    assert fact == nditers.ONE
    assert all(part.ndim in v.ranks_of(fact) for part in np.nditer(np.arange(6.0)))


def test_several_give_tuples():
    first, second = shown(f"{X}for a, b in np.nditer([x, x]):\n    show(a)\n    show(b)\n")
    assert first == second == nditers.ONE


@pytest.mark.parametrize(("name", "kind"), [("ndim", "number"), ("finished", "number"), ("multi_index", "sequence")])
def test_attributes(name, kind):
    assert v.only(one(f"{X}it = np.nditer(x, flags=['multi_index'])\nshow(it.{name})\n"), kind)
    held = getattr(np.nditer(np.ones(2), flags=["multi_index"]), name)
    assert isinstance(held, {"number": (int, bool), "sequence": tuple}[kind])


def test_objects_stay_on_numpy():
    text = "x = np.array([None, 'a'], dtype=object)\nfor part in np.nditer(x, flags=['refs_ok']):\n    show(part)\n"
    assert v.only(one(text), "foreign")
