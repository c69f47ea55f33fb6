"""Fields of dataclasses and named tuples: callers nobody sees fill them, and nobody checks their annotations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.guards import both, convert, is_equal, plain, tensors

BELL = """from dataclasses import dataclass, field


@dataclass
class Bell:
    mu: float = 0.0
    n: int = 2
    log: list = field(default_factory=list)

    def value(self, x: np.ndarray):
        return (x - self.mu) / self.n, 1 / self.n, np.sqrt(self.n), self.mu / 3
"""
PAIR = """from typing import NamedTuple


class Bell(NamedTuple):
    mu: float
    n: int = 2

    def value(self, x: np.ndarray):
        return (x - self.mu) / self.n, 1 / self.n, np.sqrt(self.n), self.mu / 3
"""
VALUES = [0.5, 2, np.float32(0.5), np.float64(0.5), np.int64(2), np.array([1, 2, 3]), np.ones(3, np.float32)]


@pytest.mark.parametrize("text", [BELL, PAIR])
@pytest.mark.parametrize("mu", VALUES)
@pytest.mark.parametrize("n", [2, np.int64(3)])
def test_unseen_callers_fill_fields_with_more_than_is_stated(text: str, mu: Any, n: Any) -> None:
    old, new, _ = both(text, "Bell")
    x = np.array([0.5, -1.25, 3.0], np.float32)
    for one, other in zip(old(mu, n).value(x), new(tensors(mu), tensors(n)).value(tensors(x)), strict=True):
        assert is_equal(plain(one), plain(other)) or type(one) is float and float(other) == one


def test_fields_that_no_caller_fills_are_what_the_class_makes() -> None:
    text = BELL.replace("n: int = 2", "n: int = field(default=2, init=False)").replace("mu: float = 0.0\n", "")
    text = text.replace("(x - self.mu) / self.n, ", "").replace(", self.mu / 3", "")
    assert "1 / self.n" in convert(text).after


def test_a_constructor_that_is_written_out_decides_itself() -> None:
    text = BELL.replace("    def value", "    def __init__(self):\n        self.mu, self.n = 0.5, 2\n\n    def value")
    assert "1 / self.n" in convert(text).after and "self.mu / 3" in convert(text).after
