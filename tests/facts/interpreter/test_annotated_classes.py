"""Annotations that name numbers and classes of the project, where nobody in the project calls the function."""

from __future__ import annotations

SOLID = """
from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Solid:
    side: float
    sides: int

    def area(self):
        return np.array([self.side**2, 1.0])


class Cut(Solid):
    def area(self):
        return np.array([1, 2])


def scaled(x: np.ndarray, by: float, solid: Solid | None = None):
    if solid is None:
        solid = Solid(1.0, 6)
    return by * solid.side * np.cos(x) / solid.sides


def total(solid: "Solid"):
    return solid.area() / 2
"""


def test_numbers_and_attributes_are_known(convert):
    assert "return by * solid.side * shim.cos(x) / solid.sides\n" in convert(SOLID)


def test_a_class_made_from_the_one_named_may_come(convert):
    """Of `Cut` the area is in int64, which torch would divide to float32."""
    assert "return solid.area() / 2\n" not in convert(SOLID)
    assert "return solid.area() / 2\n" in convert(SOLID.replace("np.array([1, 2])", "np.array([1.0, 2.0])"))


def test_a_protocol_asks_for_no_instance(convert):
    text = SOLID.replace("@dataclass\nclass Solid:", "from typing import Protocol\n\n\nclass Solid(Protocol):")
    assert "return solid.area() / 2\n" not in convert(text.replace("np.array([1, 2])", "np.array([1.0, 2.0])"))


def test_a_cosine_is_not_taken_of_bools(convert):
    text = "import numpy as np\n\n\ndef f(x, y, k: float):\n    return k * np.cos(x) * np.sin(y) + np.sqrt(x) / 2\n"
    assert "return k * shim.cos(x) * shim.sin(y) + shim.sqrt(x) / 2\n" in convert(text)
    assert "return k * shim.cos(x)" not in convert(text + "\n\nh = np.float16(1)\n")
