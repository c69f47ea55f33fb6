"""What loops in NumPy call: functions of functions, lambdas and what they are passed, by default."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TEXT = """import numpy as np


def outer(x, n):
    level = np.ones(3)

    def step(i):
        return {body}

    out = np.zeros(n)
    for i in range(n):
        out[i] = {call}
        {also}
    return out


outer(np.ones(3), 3)
"""
PLAIN = {"body": "x[i] - level[i]", "call": "step(i)", "also": "pass"}


def text_of(text: str, **settings: object) -> str:
    source = SourceFile(Path("m.py"), "m.py", text)
    (done,) = convert_project([source], Settings(**{"closed": ("*",), **settings}))  # type: ignore[arg-type]
    assert not done.problems
    return done.after


@pytest.mark.parametrize("settings", [{}, {"functions": "numpy"}, {"functions": "tensor"}])
def test_a_function_of_a_function_goes_along(settings: dict[str, object]):
    after = text_of(TEXT.format(**PLAIN), **settings)
    goes_along = "step_np = step.__wrapped__" in after and "@shim.by_elements" in after
    assert goes_along is (settings != {"functions": "tensor"})


@pytest.mark.parametrize(
    "parts",
    [{"also": "level = level * 2"}, {"body": "open(x[i])"}, {"also": "step = len"}, {"body": "np.random.rand()"}],
)
def test_what_it_reads_or_does_keeps_tensors(parts: dict[str, str]):
    assert "by_elements" not in text_of(TEXT.format(**PLAIN | parts))


def test_a_lambda_that_is_passed_runs_in_numpy():
    text = """import numpy as np


def mean(f, n):
    total = np.zeros(1)
    for i in range(n):
        total[0] += f(0.5 * i)
    return total / n


mean(lambda t: np.exp(t) * t, 5)
"""
    after = text_of(text)
    assert "f_np = " in after and "mean(shim.by_elements(lambda t: np.exp(t) * t), 5)" in after
    assert text_of(after) == after


def test_functions_that_take_arrays_apart_stay_tensors_by_default():
    text = "import numpy as np\n\n\ndef f(q):\n    a, b, c = q\n    return a * b - c\n\n\nf(np.ones(3))\n"
    assert "by_elements" not in text_of(text) and "by_elements" in text_of(text, functions="numpy")
