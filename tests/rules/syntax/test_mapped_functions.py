"""Functions that `map` calls are torch's where all items are tensors that it takes as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.conversions import convert_text
from support.guards import both, is_equal, outcome, tensors
from support.handlers import agree

HEAD = "import numpy as np\nx, y, n = np.zeros(3), np.ones(2), np.arange(3)\n"
TURNED = """def turned(lat, lon, r=2.0):
    lat, lon = map(np.radians, (lat, lon))
    return r * np.sin(lat) + np.cos(lon)
"""
ARRAY = np.array([0.5, -1.25, 3.0])


def test_of_tensors():
    agree(
        """
        def turned(x, y):
            x, y = map(np.radians, (x, y))
            return x, y, list(map(np.sin, [x, y]))


        r = turned(np.ones(3), np.array([[0.5, -2.0]]))
        """,
        """
        def turned(x, y):
            x, y = map(torch.deg2rad, (x, y))
            return x, y, list(map(torch.sin, [x, y]))


        r = turned(torch.ones(3, dtype=torch.float64), torch.tensor([[0.5, -2.0]], dtype=torch.float64))
        """,
    )


@pytest.mark.parametrize("items", ["(x, n)", "(x, 2.0)", "[*x, y]", "x", "(x, [1.0])"])
def test_of_others_the_shim_decides(items: str) -> None:
    assert "map(shim.sqrt, " in convert_text(f"{HEAD}r = list(map(np.sqrt, {items}))\n")


@pytest.mark.parametrize(
    "given", [(ARRAY, ARRAY), (2.5, 3), (ARRAY, 0.5), ([0.5, 1.0, 2.0], 1), (ARRAY.astype("f4"), ARRAY.astype("f4"))]
)
def test_behind_a_guard(given: tuple[Any, ...]) -> None:
    old, new, after = both(TURNED, "turned")
    assert "map(torch.deg2rad, (lat, lon))" in after
    expected, found = outcome(old, list(given)), outcome(new, list(map(tensors, given)))
    assert expected is not None and found is not None and is_equal(expected[0], found[0])
