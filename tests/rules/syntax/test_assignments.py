"""Stores of what nobody knows into elements: torch stores what NumPy would, or raises."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from support.guards import both
from support.handlers import agree

ELEMENT = "def f(g):\n    y = np.zeros(3)\n    y[1] = g()\n    return y\n"


@pytest.mark.parametrize("value", [2, 0.5, True, np.float32(1 / 3), np.array(2.5), np.array(7, dtype=np.uint8), np.inf])
def test_an_element_takes_what_a_function_gives(value: object) -> None:
    old, new, text = both(ELEMENT, "f")
    assert "setitem" not in text
    given = torch.from_numpy(np.asarray(value)) if isinstance(value, (np.ndarray, np.generic)) else value
    np.testing.assert_array_equal(new(lambda: given).numpy(), old(lambda: value))


@pytest.mark.parametrize("value", [[1.0, 2.0], (1.0, 2.0), 1j, np.ones(2)])
def test_both_refuse_what_is_no_number(value: object) -> None:
    old, new, _ = both(ELEMENT, "f")
    for function, given in ((old, value), (new, torch.from_numpy(value) if isinstance(value, np.ndarray) else value)):
        with pytest.raises((TypeError, ValueError, RuntimeError)):
            function(lambda one=given: one)


STORES = ["y[0:2] = g()", "y = np.zeros(3, dtype=int); y[1] = g()", "y = np.zeros((2, 2)); y[1] = g()"]


@pytest.mark.parametrize("store", STORES)
def test_rows_and_integers_ask_the_shim(store: str) -> None:
    _, _, text = both(f"def f(g):\n    y = np.zeros(3)\n    {store}\n    return y\n", "f")
    assert "shim.operator.setitem(" in text


WHOLE = """def f(held, g):
    output = held["output"]

    def step():
        output[...] = g()
        return output

    return step
"""


@pytest.mark.parametrize("value", [[1.0, 2.0], 3, None, np.array([True, False]), np.float32(2.5)])
def test_all_elements_take_what_a_function_gives(value: object) -> None:
    """Of what is not known but that all its elements are set at once: only arrays are set so."""
    old, new, _ = both(WHOLE, "f")
    given = torch.from_numpy(np.asarray(value)) if isinstance(value, (np.ndarray, np.generic)) else value
    expected = old({"output": np.zeros(2)}, lambda: value)()
    found = new({"output": torch.zeros(2, dtype=torch.float64)}, lambda: given)()
    np.testing.assert_array_equal(found.numpy(), expected)


STEPS = """
class Ramp:
    def make(self):
        return lambda t: [t, 2 * t]


class Rest:
    def make(self):
        return lambda t: None


def run(held, made):
    output = held["output"]
    step = made.make()
    output[...] = step(0.5)


found = []
for made in (Ramp(), Rest()):
    held = {"output": np.zeros(2), "name": "a text"}
    run(held, made)
    found.append(str(held["output"].tolist()))
"""


def test_all_elements_take_what_known_functions_give() -> None:
    """A list or None is of one of them, though not unknown."""
    new = STEPS.replace("output[...] = step(0.5)", "shim.operator.setitem(output, ..., step(0.5))")
    agree(STEPS, new.replace("np.zeros(2)", "torch.zeros(2, dtype=torch.float64)"))
