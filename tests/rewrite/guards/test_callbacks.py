"""Functions that are passed: a guard sees to what they give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from support.guards import both, convert

RK2 = """def rk2(f, y, t, h):
    first = f(t, y)
    second = f(t + h, y + h * first)
    return y + h / 2 * (first + second)
"""
SLOPES = """def slopes(f, x, eps=1e-6):
    return (f(x + eps) - f(x - eps)) / (2 * eps)
"""


@pytest.mark.parametrize("text", [RK2, SLOPES])
def test_the_body_is_plain_torch_behind_one_guard(text: str) -> None:
    after = convert(text).after
    assert after.count("shim.") == 1 and "results=f" in after
    again = next(iter(convert_project([SourceFile(Path("lib.py"), "lib.py", after)], Settings())))
    assert again.after == after


@pytest.mark.parametrize("gives", [
    lambda y: -y, lambda y: 2, lambda y: 0.5, lambda y: y[0], lambda y: [1.0, 2.0, 3.0], lambda y: y > 0,
    lambda y: None,
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128"])
def test_answers_are_equal_or_loud(gives: Any, dtype: str) -> None:
    old, new, _ = both(RK2, "rk2")
    y, h = np.array([1, 2, 4]).astype(dtype), 0.5
    try:
        found = new(lambda t, y: gives(y), torch.from_numpy(y), 0.0, h)
    except (TypeError, NotImplementedError):  # torch's for `>` of complex numbers
        return
    expected = old(lambda t, y: gives(y), y, 0.0, h)
    assert str(found.dtype)[6:] == str(expected.dtype) and found.tolist() == pytest.approx(expected.tolist())


def test_whole_numbers_that_meet_pythons_ints_stay_whole() -> None:
    text = "def moved(f, x, rate):\n    return x - rate * f(x)\n"
    old, new, after = both(text, "moved")
    assert "results=f" in after and old(lambda x: np.arange(3), 3, 1).dtype == np.int64
    with pytest.raises(TypeError, match="depends on that dtype"):
        new(lambda x: torch.arange(3), 3, 1)


def test_what_a_function_keeps_is_not_replaced() -> None:
    text = "def pushed(f, x):\n    g = f(x)\n    g += np.exp(x)\n    return g * 0.5\n"
    old, new, _ = both(text, "pushed")
    own, mine = np.ones(3), torch.ones(3, dtype=torch.float64)
    assert new(lambda x: mine, torch.ones(3, dtype=torch.float64)).tolist() == old(lambda x: own, np.ones(3)).tolist()
    assert mine.tolist() == own.tolist() != [1.0, 1.0, 1.0]
    with pytest.raises(TypeError):
        new(lambda x: torch.ones(3, dtype=torch.int64), torch.ones(3, dtype=torch.float64))


@pytest.mark.parametrize("body", [
    "value, slope = f(x)\n    return 0.5 * value + slope * x",
    "return 0.5 * np.array([f(one) for one in x]) if f is not None else x",
    "def g(y):\n        return f(y) * x\n    return g",
    "return x[f(x)]",
    "f = f or np.exp\n    return 0.5 * f(x)",
])  # fmt: skip
def test_no_guard_sees_to_what_may_be_something_else(body: str) -> None:
    assert "results=" not in convert(f"def applied(f, x):\n    {body}\n").after


def test_what_the_project_passes_is_taken() -> None:
    text = "def ratio(f, x):\n    return f(x) / (0.5 * x)\n"
    assert "results=f" in convert(text, "print(ratio(lambda x: x * x, np.ones(3)))\n").after
    assert "results=f" not in convert(text, "print(ratio(lambda x: x > 0, np.ones(3, dtype='f4')))\n").after
