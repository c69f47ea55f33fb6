"""Parameters that are whole numbers by their use, and the line that makes whole numbers of them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from support.guards import both, convert

KERNEL = """def kernel(size, width):
    at = np.arange(size) - (size - 1) / 2
    return at / width, 1 / size
"""
KEPT = """class Grid:
    def __init__(self, n):
        self.n = n

    def points(self):
        return np.zeros((self.n, 2)) + 1 / self.n, (self.n - 1) / 3


def points(n):
    return Grid(n).points()
"""


@pytest.mark.parametrize("size", [5, 1, np.int64(4), np.int32(3)])
@pytest.mark.parametrize(("text", "name", "more"), [(KERNEL, "kernel", (0.5,)), (KEPT, "points", ())])
def test_whole_numbers_of_any_class_give_double_precision(text, name, more, size):
    old, new, after = both(text, name)
    assert "operator.index(" in after
    given = torch.tensor(int(size), dtype=getattr(torch, size.dtype.name)) if isinstance(size, np.generic) else size
    for one, other in zip(old(size, *more), new(given, *more), strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))
        assert np.asarray(one).dtype == np.asarray(other).dtype


def test_the_length_of_a_range_that_is_no_whole_number_is_refused():
    old, new, _ = both(KERNEL, "kernel")
    assert old(2.5, 1.0)[0].tolist() == [-0.75, 0.25, 1.25]
    with pytest.raises(TypeError, match="integer"):
        new(2.5, 1.0)


@pytest.mark.parametrize(
    "body",
    [
        "return np.arange(n, dtype=x)",  # which may hold numbers with a point
        "return np.arange(n, x)",
        "return np.arange(n) + round(n)",
        "n = n / x\n    return np.arange(n)",
        "return np.arange(n.size)",
        "return np.zeros((n, 3)) + x",  # where NumPy refuses other numbers itself, and nothing is calculated
    ],
)
def test_no_line_where_it_would_refuse_what_is_meant_or_change_nothing(body):
    assert "operator.index" not in convert(f"def f(n, x):\n    {body}\n").after


def test_what_the_project_passes_is_never_refused():
    assert "operator.index" not in convert("def f(n):\n    return np.arange(n) / 2\n", "f(2.5)\n").after


def test_the_module_has_another_name_where_its_own_is_taken():
    text = "def f(n, operator):\n    return np.arange(n) / 2 + operator.bias\n"
    assert "    n = py_operator.index(n)\n" in convert(text).after
    text = "def f(operator):\n    return np.arange(operator) / 2\n"
    assert "    operator = py_operator.index(operator)\n" in convert(text).after


def test_a_second_conversion_changes_nothing():
    after = convert(KERNEL + "\n\n" + KEPT).after
    again = convert(after.partition("\n\n\n")[2])  # below its imports
    assert again.after.count("operator.index(") == after.count("operator.index(") == 2


@pytest.mark.parametrize(
    "body",
    [
        "if n is None:\n        return x\n    return x[:n] / n",
        "if n == 'all':\n        n = 3\n    return np.arange(n) / 2",
        "n = n or 5\n    return np.zeros(n) + 1 / n",
        "if not n:\n        return x\n    return x[:n] + 1 / n",
        "return x[:n] + 1 / n if n else x",
    ],
)
def test_no_line_where_none_or_a_text_is_meant_too(body):
    assert "operator.index" not in convert(f"def f(x, n=4):\n    {body}\n").after


@pytest.mark.parametrize(
    "text",
    [
        "f = lambda n: np.arange(n) / 2\n",
        "def f(n): return np.arange(n) / 2\n",
        "def f(\n    x,\n    n): return np.arange(n) / 2\n",
    ],
)
def test_a_range_stays_in_the_shim_where_there_is_no_line_above_the_body(text):
    done = convert(text)
    assert not done.problems and "shim.arange(n)" in done.after and "operator.index" not in done.after


STATED = {
    "annotation": "def f(x, n: int):\n    return x * n / (n + 0.5), 1 / n\n",
    "docstring": 'def f(x, n):\n    """Scale.\n\n    Parameters\n    ----------\n    n : int\n        Rate.\n    """\n'
    "    return x * n / (n + 0.5), 1 / n\n",
}


@pytest.mark.parametrize("kind", STATED)
@pytest.mark.parametrize("n", [3, 2.5, np.int64(3), np.int32(7), np.uint8(3), np.float64(2.5)])
def test_what_is_stated_to_be_a_whole_number_may_be_a_scalar(kind, n):
    old, new, after = both(STATED[kind], "f")
    assert "    n = shim.python_number(n)\n" in after
    given = torch.tensor(n.item(), dtype=getattr(torch, n.dtype.name)) if isinstance(n, np.generic) else n
    x = np.array([0.5, -1.25, 3.0])
    for one, other in zip(old(x, n), new(torch.from_numpy(x), given), strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))
        assert np.asarray(one).dtype == np.asarray(other).dtype


@pytest.mark.parametrize("body", ["return x[2 * n]", "return np.roll(x, n + 1)", "return x, n"])
def test_no_line_for_a_stated_number_that_is_not_calculated_with(body):
    assert "python_number" not in convert(f"def f(x: np.ndarray, n: int):\n    {body}\n").after
