"""Functions that run in NumPy as wholes: which are taken, which are refused, and what is written."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

HEAD = "import math\n\nimport numpy as np\n\n"
PRODUCT = """def product(q, r):
    w, x, y = q
    return np.array([w * r[0], x * r[1], y * r[2]])
"""


def text_of(*texts: str, **settings: object) -> str:
    files = [SourceFile(Path(f"m{at}.py"), f"m{at}.py", text) for at, text in enumerate(texts)]
    done = list(convert_project(files, Settings(**{"functions": "numpy", **settings})))  # type: ignore[arg-type]
    assert not any(one.problems for one in done)
    return done[0].after


def test_functions_become_torch_code_unless_numpy_is_asked_for() -> None:
    assert "by_elements" not in text_of(HEAD + PRODUCT, functions="tensor")


def taken(text: str) -> list[str]:
    """The names of the functions that are decorated."""
    lines = text.splitlines()
    marked = (below for line, below in pairwise(lines) if line == "@shim.by_elements")
    return [line.split()[1].partition("(")[0] for line in marked]


def test_the_text_stays():
    after = text_of(HEAD + PRODUCT)
    assert f"@shim.by_elements\n{PRODUCT}" in after and "shim.promote" not in after


@pytest.mark.parametrize(
    ("settings", "in_numpy"),
    [
        ({}, True), ({"loops": "tensor"}, False), ({"device": "cuda"}, False), ({"float": "float32"}, False),
        ({"scalars": "tensor"}, False), ({"scalars": "tensor", "loops": "numpy"}, True),
        ({"ignore": ("NPT576",)}, False),
    ],
)  # fmt: skip
def test_settings_choose(settings: dict[str, object], in_numpy: bool):
    assert bool(taken(text_of(HEAD + PRODUCT, **settings))) is in_numpy


def test_a_second_conversion_changes_nothing():
    use = "\n\ndef g(q):\n    return product(q, AXIS), product(AXIS, q)\n"
    after = text_of(f"{HEAD}AXIS = np.ones(3)\n\n\n{PRODUCT}{use}")
    assert taken(after) == ["product", "g"] and "AXIS_np = shim.numpy_view(AXIS)" in after
    assert text_of(after) == after


@pytest.mark.parametrize(
    "line",
    [
        "LIST.append(q)", "self.kept = q", "yield q", "q = np.random.rand(3)", "helper(q)", "print_(q)",
        "r = lambda: q",
        "global LIST", "import os", "q.update(r)", "r += [q]", "return object()", "return {'q': q}", "return q[::-1]",
        "return np.flip(q)", "return q[::r]", "with open('a') as r: pass", "np.save('a.npy', q)", "LIST[0] = q",
        "return helper",
        "r = [helper(one) for one in q]", "def r(): return q", "del q[0]", "r.shape = 3",
    ],
)  # fmt: skip
def test_what_does_more_than_compute_keeps_tensors(line: str):
    text = f"""{HEAD}from somewhere import print_

LIST = []


def helper(v):
    LIST.append(v)
    return v


def f(q, r, self=None):
    w, x, y = q[0], q[1], q[2]
    {line}
    return np.array([w, x, y])
"""
    assert taken(text_of(text)) == []


def test_the_same_without_that_line_is_taken():
    assert taken(text_of(HEAD + "def f(q):\n    w, x, y = q[0], q[1], q[2]\n    return np.array([w, x, y])\n")) == ["f"]


@pytest.mark.parametrize(
    "body",
    [
        "return (x[1:] - x[:-1]) / 2", "return (x - x.mean()) / x.std()", "return x[0] + x[-1] + x[1]",
        "return np.sqrt(np.dot(x, x))", "n, m, k = x.shape\n    return x.reshape(n * m, k)", "return x[0]",
        "u = np.zeros(5)\n    u[0] = u[-1] = u[1] = x\n    return u",
    ],
)  # fmt: skip
def test_whole_arrays_stay_tensors(body: str):
    assert taken(text_of(f"{HEAD}def f(x):\n    {body}\n")) == []


def test_functions_that_are_called_go_along():
    norm = "\n\ndef norm(q):\n    return np.sqrt(np.dot(q, q))\n"
    text = HEAD + PRODUCT + norm + "\n\ndef unit(q):\n    a, b, c = q / norm(q)\n    return a\n"
    assert taken(text_of(text)) == ["product", "norm", "unit"]
    other = "import numpy as np\nfrom m1 import product\n\n\ndef twice(q):\n    return product(product(q, q), q)\n"
    assert taken(text_of(other, HEAD + PRODUCT)) == ["twice"]


def test_a_loop_calls_what_the_function_is_in_numpy():
    loop = "def g(x):\n    for i in range(len(x)):\n        x[i] = f(x[i])\n\n\ng(np.ones(3))\n"
    text = f"{HEAD}def f(v):\n    return math.sin(v) ** 2\n\n\n{loop}"
    after = text_of(text, closed=("*",))
    assert taken(after) == ["f"]
    assert "    f_np = f.__wrapped__\n" in after and "x_np[i] = f_np(x_np[i])" in after
