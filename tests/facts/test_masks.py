"""Masks by their text, and what is an array since a mask of it is an index."""

from __future__ import annotations

import ast

import numpy as np
import pytest
import torch

from np2torch.facts.masks import is_mask, left_sides
from support.guards import both


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x > 0", ["x"]),
        ("(x > 0) & ~(y == 2)", ["x", "y"]),
        ("x[i] != y", ["x[i]"]),
        ("x is None", None),
        ("x in y", None),
        ("0 < x < 1", None),  # a bool
        ("x & (y > 0)", None),
        ("i", None),
    ],
)
def test_what_a_mask_is(text: str, names: list[str] | None) -> None:
    node = ast.parse(text, mode="eval").body
    assert is_mask(node) is (names is not None)
    assert [ast.unparse(one) for one in left_sides(node)] == names if names else True


VALUES = [
    np.array([200, 100, 7], dtype=np.uint8), np.array([1, -1, 3], dtype=np.int8), np.array([0.1, 0.5, np.nan], "f4"),
    np.array([], dtype=np.int64), np.array([2**24, 2**24 + 1]), np.array([True, False]), np.array([[1.0, -1.0]]),
]  # fmt: skip


MASKS = ["x == -1", "x > 300", "x > 0.5", "x >= 16777216.5", "x > 0.1", "~(x == 1) & (x < 1000)"]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("value", VALUES, ids=str)
def test_numbers_that_no_dtype_of_the_array_holds(mask: str, value: np.ndarray) -> None:
    """A mask shows that it is an array, which a guard then asks for."""
    old, new, _ = both(f"def f(x):\n    return x[{mask}]\n", "f")
    try:
        found = new(torch.from_numpy(value.copy()))
    except TypeError:
        return  # loud: a guard refuses the dtype
    expected = old(value)
    assert found.numpy().dtype == expected.dtype
    np.testing.assert_array_equal(found.numpy(), expected)
