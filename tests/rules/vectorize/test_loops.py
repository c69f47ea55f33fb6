"""Loops as whole-array code: the text that they become, and the reasons for which others stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.rewrite.vectorizing import vectorize
from np2torch.source.model import Settings, SourceFile

HEAD = """import math

import numpy as np


def f(n, m, c):
    x, y = np.ones(n), np.zeros(n)
    a = np.ones((n, m))
"""


def written(body: str, head: str = HEAD) -> tuple[str, list[str]]:
    text = head + "".join(f"    {line}\n" for line in body.splitlines()) + "    return x, y, a\n\n\n"
    text += "f(4, 5, 0.5)\n" if head is HEAD else ""
    file = SourceFile(Path("m.py"), "m.py", text)
    (new,), found = vectorize([file], Settings(vectorize=True, closed=("*",)))
    return new.text, [remark.message for remark in found[0].remarks] if found else []


BECOMES = {
    "for i in range(n):\n    y[i] = 2 * x[i]": ["y[:] = 2 * x[:]"],
    "for i in range(1, n - 1):\n    y[i] = x[i + 1] - x[i - 1]": ["y[1:-1] = x[2:] - x[:-2]"],
    "for i in range(n - 1, -1, -1):\n    y[i] = x[i]": ["y[:] = x[:]"],
    "for i in range(n):\n    y[i] = x[n - 1 - i]": ["x[:][::-1]"],
    "for i in range(n):\n    y[i] = x[i - 1]": ["y[:] = x[i_all - 1]"],
    "for i in range(n):\n    for j in range(m):\n        a[i, j] = x[i] * j": ["a[:, :] = x[:][:, None] * j_all"],
    "for i in range(n):\n    y[i] = x[i] if x[i] > c else 0.0": ["y[:] = np.where(x[:] > c, x[:], 0.0)"],
    "for i in range(n):\n    if x[i] < 0:\n        continue\n    y[i] = x[i]": ["np.where(~mask, x[:], y[:])"],
    "for i in range(n):\n    for j in range(m):\n        y[i] += a[i, j] * a[i, j]": [
        "y[:] += np.sum(a[:, :] * a[:, :], axis=1)"
    ],
    "b = np.zeros((n, n))\nfor i in range(n):\n    for j in range(n):\n        for k in range(m):\n"
    "            b[i, j] += a[i, k] * a[j, k]": ["b[:, :] += a[:, :] @ a[:, :].T"],
    "s = 0.0\nfor i in range(n):\n    s += x[i]\ny[0] = s": ["s = s + np.cumsum(x[:])[-1]"],
    "s = 0.0\nfor i in range(n):\n    s += x[i] ** 2\ny[0] = s": ["s = s + np.sum(x[:] ** 2)"],
    "k = 0\nfor i in range(n):\n    if x[i] > c:\n        k += 1\ny[0] = k": ["k = k + int(np.sum(mask))"],
    "s = x[0]\nfor i in range(1, n):\n    if x[i] > s:\n        s = x[i]\ny[0] = s": [
        "max(s, np.fmax.reduce(x[1:], axis=0))"
    ],
    "for i in range(1, n):\n    y[i] = y[i - 1] + x[i]": ["y[1:] = np.cumsum(np.concatenate((y[0:1], x[1:])))[1:]"],
    "for i in range(n):\n    y[i] = math.sqrt(x[i] * x[i])": ["y[:] = np.sqrt(x[:] * x[:])"],
    "for i in range(n):\n    y[i] = math.sqrt(x[i])": ["raise ValueError('math domain error')"],
    "for i, v in enumerate(x):\n    y[i] = v + i": ["y[:] = x[:] + i_at"],
    "for i in range(n):\n    t = y[i]\n    y[i] = x[i]\n    x[i] = t": ["t_all = y[:].copy()"],
    "s = 0.0\nfor i in range(n):\n    for j in range(i):\n        s += x[j] * x[j]\ny[0] = s": ["j_all < i_all[:"],
}


@pytest.mark.parametrize("body", BECOMES)
def test_a_loop_becomes_whole_array_code(body: str):
    text, messages = written(body)
    assert [part for part in BECOMES[body] if part not in text] == [], text
    assert "all run at once" in messages[0]


STAYS = {
    "for i in range(1, n):\n    y[i] = 0.5 * y[i - 1] + x[i]": "written to `y`, 1 apart",
    "for i in range(n):\n    y[0] = x[i]": "`y` is stored to at one place",
    "for i in range(n):\n    y[i] = x[i]\nx[0] = i": "`i` is read after the loop",
    "for i in range(n):\n    t = x[i]\n    y[i] = t\nx[0] = t": "`t` is read after the loop",
    "t = 0.0\nfor i in range(n):\n    y[i] = t\n    t = x[i]": "`t` goes from one pass to the next",
    "s = 0.0\nfor i in range(n):\n    s += x[i]\n    y[i] = s": "`s` goes from one pass to the next",
    "s = 0.0\nfor i in range(n):\n    s += x[i]\n    s = max(s, x[i])\ny[0] = s": "in several ways",
    "s = 0.0\nfor i in range(n):\n    s += math.sin(i) * x[i]\ny[0] = s": "last bits",
    "s = 0.0\nfor i in range(n):\n    s += 0.1\n    y[i] = 1\nx[0] = s": "rounding differs",
    "p = 1\nfor i in range(1, n):\n    p *= i\n    y[i] = 1\nx[0] = p": "which have no bound",
    "z = np.ones(n, dtype=np.float32)\nfor i in range(n):\n    y[i] = z[i]": "`z` may be of float32",
    "z = np.zeros(n, dtype=int)\nfor i in range(n):\n    z[i] = x[i]": "a number of another type is stored in `z`",
    "for i in range(n):\n    while x[i] > 1:\n        x[i] -= 1": "while",
    "for i in range(n):\n    y[i] = x[i]\n    if x[i] > 2:\n        break": "break",
    "for i in range(n):\n    a[i] = x[i]": "rows of `a`",
    "for i in range(n):\n    y[i] = print(x[i])": "is called",
    "for i in range(4):\n    y[i] = x[i]": "a few passes only",
    "for i in range(n):\n    if x[i] > 0:\n        t = x[i]\n    y[i] = t": "`t` goes from one pass to the next",
}


@pytest.mark.parametrize("body", STAYS)
def test_a_loop_stays(body: str):
    text, messages = written(body)
    assert "else:" not in text and "_all" not in text
    assert STAYS[body] in messages[0]


def test_what_callers_may_pass_is_tested_at_run_time():
    head = "import numpy as np\n\n\ndef f(x, y):\n    a = 1\n"
    text, _ = written("# why\nfor i in range(len(x)):\n    y[i] = x[i]  # so", head)
    for part in ("isinstance(x, np.ndarray)", "y.ndim == 1", "len(x) <= len(y)", "may_share_memory(x, y)", "# so"):
        assert part in text


def test_a_name_that_hides_a_builtin_keeps_the_loops():
    _, messages = written("for i in range(n):\n    y[i] = x[i]", HEAD.replace("def f", "max = 3\n\n\ndef f"))
    assert "`max` is another one's name here" in messages[0]


def test_a_loop_of_a_module_stays():
    text = "import numpy as np\n\nx = np.ones(99)\nfor i in range(99):\n    x[i] = i\n"
    (new,), found = vectorize([SourceFile(Path("m.py"), "m.py", text)], Settings(vectorize=True))
    assert new.text == text and "in no function" in found[0].remarks[0].message
