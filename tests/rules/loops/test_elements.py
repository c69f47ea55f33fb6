"""What a loop computes as wholes: rows cut by its variables, and what is as long as a row, are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TEXT = """import numpy as np


def f(x, m, n):
    rows = np.zeros((n, m.shape[1]))
    losses = np.zeros(n)
    for i in range(n):
        {line}
    return x, rows, losses


f(np.ones({length}), np.ones((4, {length})), 4)
"""
LONG = 9000


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
    source = SourceFile(Path("m.py"), "m.py", TEXT.format(line=line, length=LONG))
    (done,) = convert_project([source], Settings(closed=("*",)))
    assert not done.problems
    assert ("numpy_view" in done.after) is in_numpy


@pytest.mark.parametrize("display", ["np.array([x[0], x[1]])", "np.asarray((x[0], 2.0))"])
def test_a_few_numbers_written_out_are_no_whole_array(display: str):
    text = TEXT.format(line=f"p = {display}; losses[i] = p.sum() * x[i]", length=LONG)
    source = SourceFile(Path("m.py"), "m.py", text)
    (done,) = convert_project([source], Settings(closed=("*",)))
    assert "numpy_view" in done.after


STEPS = """import numpy as np


def f(u, m, rng, steps):
    history = []
    for _ in range(steps):
        {line}
    return u, history


f(np.ones({length}), np.eye({length}), np.random.default_rng(1), {steps})
"""


@pytest.mark.parametrize(
    ("line", "length", "steps", "in_numpy"),
    [
        ("u[1:] = u[1:] - 0.1 * (u[1:] - u[:-1])", 100, 100, True),
        ("u[1:] = u[1:] - 0.1 * (u[1:] - u[:-1])", 9000, 100, False),
        ("u[1:] = u[1:] - 0.1 * (u[1:] - u[:-1])", 100, 3, False),
        ("u = np.maximum(u[:-1], 0.5)", 100, 100, True), ("u = u + 0.1 * u", 100, 100, True),
        ("u = rng.multinomial(9, u / u.sum()); history.append(u)", 3, 100, True),
        ("u = m @ u", 100, 100, False), ("u = np.linalg.solve(m, u)", 100, 100, False),
        ("u = m @ u", 3, 100, True), ("u = m.T.dot(u)", 100, 100, False),
        ("u = m @ u", 60, 100, True), ("u = m.T.dot(u)", 60, 100, True), ("u = np.dot(u, m)", 60, 100, True),
        ("u = (m @ m)[0]", 60, 100, False), ("u = np.linalg.inv(m)[0]", 40, 100, False),
    ],
)  # fmt: skip
def test_a_loop_over_short_arrays_runs_in_numpy(line: str, length: int, steps: int, in_numpy: bool):
    source = SourceFile(Path("m.py"), "m.py", STEPS.format(line=line, length=length, steps=steps))
    (done,) = convert_project([source], Settings())
    assert not done.problems
    assert ("u_np" in done.after or "u = shim.numpy_view(u)" in done.after) is in_numpy


def test_arrays_that_nobody_passes_are_not_short():
    text = STEPS.format(line="u[1:] = u[:-1]", length=3, steps=99)
    source = SourceFile(Path("m.py"), "m.py", text.partition("\n\n\nf(")[0])
    (done,) = convert_project([source], Settings(closed=("*",)))
    assert "numpy_view" not in done.after


def test_a_tuple_that_a_loop_binds_comes_back():
    text = """import numpy as np


def f(x, trials):
    best, model = 0.0, (0.0, 0.0)
    for i in range(trials):
        if x[i] > best:
            best = x[i]
            model = tuple(np.polyfit(x[: i + 2], x[1 : i + 3], 1))
    return model


f(np.ones(20), 12)
"""
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert "numpy_view" in done.after and "model = shim.from_numpy(model)" in done.after


@pytest.mark.parametrize(
    ("line", "in_numpy"),
    [
        ("inside += rng.random() < 0.5", True), ("inside += (rng.random(50) ** 2).sum() < 9", False),
        ("x = rng.normal(0.0, 1.0); inside += x * x < 1", True), ("inside += np.random.rand() < 0.5", True),
        ("inside += other.random() < rng.random()", False),
    ],
)  # fmt: skip
def test_a_loop_that_draws_numbers_one_by_one_runs_in_numpy(line: str, in_numpy: bool):
    text = f"""import numpy as np


def f(n, rng, other):
    inside = 0
    for _ in range(n):
        {line}
    return inside


print(f(500, np.random.default_rng(1), np.random.default_rng(2)))
"""
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert ("numpy_stream" in done.after) is in_numpy


@pytest.mark.parametrize(
    ("other", "in_numpy"), [("", True), ("class Dice:\n    def random(self):\n        return np.ones(())\n", False)]
)
def test_others_may_pass_a_generator_unless_the_project_has_something_like_it(other: str, in_numpy: bool):
    text = f"""import numpy as np

{other}
def flipped(x, rng):
    for i in range(x.shape[0]):
        if rng.random() < 0.5:
            x[i] = -x[i]
    return x


def ones():
    return flipped(np.ones(4), np.random.default_rng(1))
"""
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings())
    assert ("numpy_stream(rng)" in done.after) is in_numpy
