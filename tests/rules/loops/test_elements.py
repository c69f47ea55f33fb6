"""What a loop computes as wholes: rows cut by its variables, and what is as long as a row, are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TEXT = """import numpy as np


def f(x, m, n):
    rows = np.zeros((n, 3))
    losses = np.zeros(n)
    for i in range(n):
        {line}
    return x, rows, losses


f(np.ones(3), np.ones((4, 3)), 4)
"""


@pytest.mark.parametrize(
    ("line", "in_numpy"),
    [
        ("losses[i] = x @ m[i]", True), ("losses[i] = np.dot(x, m[i])", True), ("x = x + x; rows[i] = x", True),
        ("x = x * 0.5 + m[i]", True), ("rows[i] = m @ rows[i - 1]", True), ("rows[i] = np.array([x[0], 1, 2])", True),
        ("x = x - 0.1 * (m.T @ (m @ x)); losses[i] = 1", False), ("losses[i] = (m - m[i]).sum()", False),
        ("x = x + 1; losses[i] = 2", False), ("losses[i] = (m[i : i + 2] @ m.T).sum()", False),
    ],
)  # fmt: skip
def test_what_is_as_long_as_a_row_is_no_whole(line: str, in_numpy: bool):
    source = SourceFile(Path("m.py"), "m.py", TEXT.format(line=line))
    (done,) = convert_project([source], Settings(closed=("*",)))
    assert not done.problems
    assert ("numpy_view" in done.after) is in_numpy


@pytest.mark.parametrize("display", ["np.array([x[0], x[1]])", "np.asarray((x[0], 2.0))"])
def test_a_few_numbers_written_out_are_no_whole_array(display: str):
    source = SourceFile(Path("m.py"), "m.py", TEXT.format(line=f"p = {display}; losses[i] = p.sum() * x[i]"))
    (done,) = convert_project([source], Settings(closed=("*",)))
    assert "numpy_view" in done.after
