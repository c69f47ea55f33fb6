"""Guards and the world around a function: what it calls, what objects hold, what callers pass together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from support.guards import HALF, HEAD, both, convert

UNIT = """def unit(v):
    v = np.asarray(v)
    return v / np.sqrt(np.sum(v ** 2))


def spread(x, y):
    return np.subtract(x, y) * np.exp(unit(x)) / unit(y)
"""


def test_a_guard_follows_what_is_passed_to_other_functions() -> None:
    old, new, text = both(UNIT, "spread")
    assert "x, y = shim." in text and "shim." not in text.split("def spread")[1].replace("= shim.", "")
    for x in ([1.0, 2.0], (3, 4), np.array([1.0, 2.0])):
        np.testing.assert_allclose(new(to_torch(x), [1, 3]).numpy(), old(x, [1, 3]), rtol=1e-12)


def test_what_another_function_asks_of_it_counts() -> None:
    kind = "def kind(v):\n    return 1.0 if isinstance(v, list) else 2.0\n\n\n"
    old, new, _ = both(kind + "def f(x):\n    return np.exp(x) + kind(x)\n", "f")
    for x in ([1.0, 2.0], np.array([1.0, 2.0])):
        assert answers_alike(old, new, x)


def test_an_error_that_is_caught_counts() -> None:
    size = "    try:\n        n = x.shape[0]\n    except AttributeError:\n        n = 7\n"
    old, new, _ = both(f"def f(x):\n{size}    return np.exp(x) * n\n", "f")
    for x in ([1.0, 2.0], np.array([1.0, 2.0])):
        assert answers_alike(old, new, x)


def test_an_operation_of_one_branch_makes_no_error_of_all() -> None:
    old, new, _ = both("def f(x, half):\n    y = x / 2 if half else 3 * x\n    return np.exp(y)\n", "f")
    for x in ([1.0, 2.0], np.array([1.0, 2.0])):
        assert answers_alike(old, new, x, False)


def test_lists_of_a_function_hold_what_is_put_in_behind_the_guard() -> None:
    rows = "def rows(x):\n    out = []\n"
    rows += "    for k in range(3):\n        out.append(np.exp(x) * k)\n    return np.array(out)\n"
    old, new, text = both(rows, "rows")
    assert "shim." not in text.replace("= shim.", "")
    np.testing.assert_allclose(new([1, 2]).numpy(), old([1, 2]), rtol=1e-12)


def test_constructors_take_numbers_and_doubles_for_what_is_a_number_by_default() -> None:
    text = (
        "class Filter:\n    def __init__(self, rate=0.1):\n        self.rate = rate\n\n"
        "    def step(self, x):\n        return self.rate * np.asarray(x, dtype=float)\n"
    )
    old, new, after = both(text, "Filter")
    assert 'rate = shim.tensor(rate, kinds="fi", numbers=True, lists=False, single=False)' in after
    for rate in (0.5, 2, np.array([0.5, 2.0]), np.array(0.5), np.array([1, 2])):
        np.testing.assert_allclose(new(to_torch(rate)).step([1, 2]).numpy(), old(rate).step([1, 2]), rtol=1e-12)
    for rate in (np.array([1, 2], np.int32), np.array([0.5, 2.0], np.float32), [0.5, 2.0]):
        with pytest.raises(TypeError, match=r"shim\.tensor: the argument"):
            new(to_torch(rate))


def test_constructors_refuse_no_dtypes_of_data() -> None:
    text = (
        "class Table:\n    def __init__(self, rows):\n        self.rows = rows\n\n"
        "    def scaled(self, x):\n        return self.rows * np.asarray(x, dtype=float)\n"
    )
    old, new, after = both(text, "Table")
    assert "rows = shim." not in after
    for rows in (0.5, np.array([1, 2]), np.array([0.5, 2.0], np.float32)):
        np.testing.assert_allclose(new(to_torch(rows)).scaled([1, 2]).numpy(), old(rows).scaled([1, 2]), rtol=1e-12)


def test_what_counts_things_is_left_alone() -> None:
    text = "def f(sizes, x):\n    return np.zeros(sizes[0] + 1) + np.exp(x)\n"
    after = convert(text).after
    assert "sizes = " not in after and "sizes, x = " not in after


def test_several_numbers_at_once_are_numbers() -> None:
    old, new, _ = both("def f(x, y):\n    t = x if np.all(np.asarray(x) > 0) else np.exp(x)\n    return t * y\n", "f")
    assert answers_alike(old, new, 2.5, 3)


def test_a_number_of_numpy_repeats_a_list() -> None:
    old, new, _ = both("def f(x, y=3):\n    return np.sqrt((x - 1) ** 2 + 4 * x * y)\n", "f")
    assert answers_alike(old, new, np.array(3), [1, 2, 4])


def test_single_precision_beside_a_literal_stays_apart() -> None:
    old, new, _ = both("def f(x, y):\n    return np.where(x < 0.1, x, y) * 2.0\n", "f")
    assert answers_alike(old, new, np.array([0.1, 0.2], np.float32), np.array([1.0, 2.0]))


def test_masked_arrays_keep_guards_off_what_they_may_reach() -> None:
    masked = "import numpy as np\n\nfrom lib import half\n\n\ndef f(x):\n    return half(np.ma.masked_less(x, 0))\n"
    alone = "import numpy as np\n\n\ndef g(x):\n    return np.ma.masked_less(x, 0)\n"
    for text, is_guarded in ((masked, False), (alone, True)):
        files = [SourceFile(Path("lib.py"), "lib.py", HEAD + HALF), SourceFile(Path("other.py"), "other.py", text)]
        assert bool(next(iter(convert_project(files, Settings()))).guards) == is_guarded


def test_functions_apart_from_masked_arrays_have_guards_beside_them() -> None:
    text = HALF + "\n\ndef g(x):\n    return np.ma.masked_less(third(x), 0)\n\n\ndef third(x):\n    return x / 3\n"
    (done,) = convert_project([SourceFile(Path("lib.py"), "lib.py", HEAD + text)], Settings())
    assert [guard.function for guard in done.guards] == ["half", "third"]


def test_arrays_of_subclasses_are_refused() -> None:
    _, new, text = both("def f(x):\n    return np.sqrt(x * x)\n", "f")
    own = np.ones((2, 2)).view(type("Own", (np.ndarray,), {"__mul__": lambda self, other: 1.0}))
    assert "shim.inexact" in text
    with pytest.raises(TypeError, match=r"x.*Own"):
        new(own)


SHAPES = """def same_shapes(a, b):
    for one in [a, b]:
        if not isinstance(one, (list, tuple, np.ndarray)):
            raise TypeError(f"{one} is no array")
    a, b = np.array(a), np.array(b)
    if a.shape != b.shape:
        raise ValueError("of different shapes")
    return np.sqrt(a) + b
"""


def test_what_the_function_checks_reaches_the_check() -> None:
    old, new, text = both(SHAPES, "same_shapes")
    assert "shim.inexact" in text
    for function in (old, new):
        with pytest.raises(ValueError, match="different shapes"):
            function([1, 2, 3], [1, 2])
        with pytest.raises(TypeError):
            function(1.5, [1, 2])
    assert answers_alike(old, new, [1, 2], (3.5, 1))
    assert answers_alike(old, new, np.array([1.0, 2.0], np.float32), np.array([1, 2], np.int32))


@pytest.mark.parametrize("use", ["m[1][0]", "m[k][0]", "m[1:][0]", "m[k]"])
def test_subscripts_of_subscripts_name_axes_too(use: str) -> None:
    old, new, _ = both(f"def f(m, k=1):\n    return np.dot(m, m) * {use} + np.exp({use})\n", "f")
    matrix = np.array([[1.5, 2.0], [0.5, 3.0]])
    assert np.allclose(new(torch.from_numpy(matrix)).numpy(), old(matrix), rtol=1e-12)


@pytest.mark.parametrize("value", [2.5, 3, np.array([0.5, 2], np.float32), np.array([1, 2]), np.array(2, np.float32)])
def test_a_float_in_an_annotation_is_a_hint(value: Any) -> None:
    old, new, _ = both("def f(x: float) -> float:\n    return 0.5 * np.sqrt(x) + x\n", "f")
    assert answers_alike(old, new, value)


def to_torch(x: Any) -> Any:
    return torch.from_numpy(x) if isinstance(x, np.ndarray) else x


def answers_alike(old: Any, new: Any, *arguments: Any) -> bool:
    """Is the answer equal, kind and dtype too, or does the converted function refuse?"""
    try:
        found = new(*map(to_torch, arguments))
    except (TypeError, ValueError, RuntimeError):
        return True
    expected = old(*arguments)
    if isinstance(expected, (np.ndarray, np.generic)):
        return str(found.dtype)[6:] == str(expected.dtype) and np.allclose(found.numpy(), expected, rtol=1e-12)
    return type(found) is type(expected) and bool(found == expected)


def test_a_private_function_is_given_integers_of_the_project_where_nothing_says_otherwise() -> None:
    text = """def design(levels, tables):
    return [_chosen(levels, np.asarray(table)) for table in tables]


def _chosen(levels, table):
    assert len(levels) == table.max() + 1
    return np.vstack([[levels[place] for place in row] for row in table])
"""
    old, new, after = both(text, "design")
    assert "_chosen" in after
    for table in ([[0, 1], [1, 0]], np.array([[1, 0, 1]])):
        (mine,), (theirs,) = new([5.0, 7.0], [to_torch(table)]), old([5.0, 7.0], [table])
        np.testing.assert_array_equal(mine.numpy(), theirs)
