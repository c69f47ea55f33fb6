"""`np.r_` and `np.c_`."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from support.guards import both
from support.handlers import agree


def test_rows():
    agree(
        """
        a = np.r_[1.2, 9.4]
        b = np.r_[0:3]
        c = np.r_[0:1:0.25]
        d = np.r_[a, 0.0]
        """,
        """
        a = torch.tensor([1.2, 9.4], dtype=torch.float64)
        b = torch.arange(0, 3)
        c = torch.arange(0, 1, 0.25, dtype=torch.float64)
        d = torch.cat((a, torch.tensor([0.0], dtype=torch.float64)))
        """,
    )


def test_columns():
    agree(
        """
        x, y = np.zeros(3), np.ones(3)
        a = np.c_[x, y]
        b = np.c_[a, x]
        """,
        """
        x, y = torch.zeros(3, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
        a = torch.column_stack((x, y))
        b = torch.column_stack((a, x))
        """,
    )


def test_the_items_of_a_tuple_made_elsewhere_are_the_columns():
    agree(
        """
        places = np.c_[np.nonzero(np.eye(3))]
        pair = (np.zeros(2), np.ones(2))
        a = np.c_[pair]
        """,
        """
        places = shim.c_[torch.nonzero(torch.eye(3, dtype=torch.float64), as_tuple=True)]
        pair = (torch.zeros(2, dtype=torch.float64), torch.ones(2, dtype=torch.float64))
        a = shim.c_[pair]
        """,
    )


@pytest.mark.parametrize("x", [[1.0, 1.0, 2.0], [1.0], [[1.0, 2.0], [1.0, 3.0], [1.0, 3.0]]])
def test_vectors_of_unknown_rank(x):
    old, new, after = both("def f(x: np.ndarray):\n    return np.r_[True, x[1:] != x[:-1]]\n", "f")
    x = np.array(x)
    assert "shim.r_" not in after and "torch.atleast_1d(x" in after
    try:
        expected = old(x)
    except ValueError:
        with pytest.raises(RuntimeError):
            new(torch.from_numpy(x))
    else:
        given = new(torch.from_numpy(x)).numpy()
        assert given.dtype == expected.dtype and np.array_equal(given, expected)
