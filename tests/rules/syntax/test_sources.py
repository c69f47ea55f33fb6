"""Expressions of the dtype of one name, and elements of one array, whose dtype need not be known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.guards import both, convert, is_equal, outcome, tensors
from support.handlers import agree


def test_are_of_one_dtype():
    agree(
        """
        def centred(x):
            return x[1:] - x[:-1], x.T + x.T, -x + x


        a = centred(np.arange(3))
        b = centred(np.arange(3.0))
        """,
        """
        def centred(x):
            return x[1:] - x[:-1], x + x, -x + x


        a = centred(torch.arange(3))
        b = centred(torch.arange(3.0, dtype=torch.float64))
        """,
    )


TURNED = """class Held:
    def __init__(self, m):
        self.it = [m]


def turned(held):
    m = held.it[0]
    t = 1 + m[0, 0] - m[1, 1] - m[2, 2]
    return t, -m[0, 1] * 2 + m[1, 0], m[0, 0] > m[1, 1], m[1:, 0] * m[:-1, 1], m[0, 2] != 3
"""
DTYPES = [np.float64, np.float32, np.int64, np.int32, np.uint8, np.int8, np.complex128, np.bool_]


@pytest.mark.parametrize("dtype", DTYPES)
def test_operators_between_elements_of_one_array_stay(dtype: Any) -> None:
    (old_class, new_class, text), (old, new, _) = both(TURNED, "Held"), both(TURNED, "turned")
    assert "shim.operator" not in text
    m = np.array([[5, 120, 3], [2, 7, 1], [250, 4, 9]]).astype(dtype)
    with np.errstate(all="ignore"):
        expected, found = outcome(old, [old_class(m)]), outcome(new, [new_class(tensors(m))])
    if found is None:
        assert expected is None or dtype is np.complex128  # which torch does not order
    else:
        assert expected is not None and all(map(is_equal, expected[:-1], found[:-1]))


OPEN = [
    "m[0, 0] / m[1, 1]", "m[0, 0] * 0.5 - m[1, 1]", "m[0, 0] * 300 - m[1, 1]", "m[0] - m[1]", "m[0, 0] - n[0, 0]",
    "m[0, 0] ** m[1, 1]",
]  # fmt: skip


@pytest.mark.parametrize("expression", OPEN)
def test_what_depends_on_the_dtype_is_decided_at_run_time(expression: str) -> None:
    text = f"def f(held):\n    m, n = held.it\n    np.asarray(m)\n    return {expression}\n"
    assert "shim.operator" in convert(text, unknown="shim").after


def test_items_of_mappings_are_of_several_dtypes() -> None:
    text = "def f(held):\n    m = held.it\n    for k, x in m.items():\n        print(k)\n    return m[0, 0] - m[1, 1]\n"
    assert "shim.operator.sub" in convert(text + "\n\ndef g(x):\n    return np.sum(x)\n", unknown="shim").after
