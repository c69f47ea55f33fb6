"""Arrays that loops and comprehensions go through as lists of Python's numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from np2torch.verify.compare import difference

HEAD = "import math\nimport numpy as np\n\n\ndef run(n):\n    x = np.linspace(-1.0, 2.0, n) ** 2\n    k = np.arange(n) * 3\n    found = []\n"
BIG = "    k[0] = 2**62\n"


def converted(body: str, **settings: str) -> str:
    given = {"closed": ("*",), "loops": "tensor", **settings}
    text = HEAD + body + "    return found, x, k\n\n\nrun(5)\n"
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(**given))
    assert not done.problems
    return done.after


def result(text: str) -> object:
    made: dict[str, object] = {}
    exec(compile(text, "m.py", "exec"), made)
    return made["run"](5)  # type: ignore[operator]


def agree(body: str, **settings: str) -> str:
    """Convert, run both sides, and give the new text."""
    after = converted(body, **settings)
    assert difference(result(HEAD + body + "    return found, x, k\n"), result(after), rtol=1e-12) is None
    return after


LISTED = {
    "text": "    for v in x:\n        found.append(f'{v:.3f} {v}')\n",
    "math": "    found += [math.sin(v) for v in x]\n",
    "float": "    found += [float(v) for v in x if v > 0.5]\n",
    "indices": "    for i in np.argsort(x):\n        found.append(str(k[i]))\n        found.append(k[i] * 2)\n",
    "nonzero": "    for i in np.nonzero(x > 0.5)[0]:\n        found.append(str(x[i - 1]))\n",
    "masks": "    for e in np.unique(k):\n        found.append(x[k == e])\n",
    "keys": "    d, s = {}, set()\n    for e, i in zip(k, np.argsort(x)):\n        d[e] = d.get(i, 0)\n        s.add((e, i))\n"
            "    found += [sorted(d), sorted(s)]\n",
    "any": "    found += [any(v > 1.5 for v in x), all(e < 9 for e in k)]\n",
    "join": "    found.append(','.join(str(e) for e in k))\n",
    "same names": "    found += [[str(v) for v in x], [str(v) for v in k], [int(v) for v in k]]\n",
    "nested": "    found += [[str(v) for v in k if v > w] for w in range(3)]\n",
    "enumerate": "    for i, v in enumerate(x):\n        found.append('%d %.2f' % (i, v))\n",
    "grids": "    for t in np.linspace(0, 1, 4):\n        found.append(x * t + t * 2)\n",
    "counted": "    for i in range(3):\n        found.append(str(i))\n    for i in k:\n        found.append(f'{i:d}')\n",
    "break": "    for v in x:\n        if v < 0.3:\n            found.append('small')\n            break\n    found.append(str(v))\n",
    "printed": "    for v in x:\n        print(v)\n",
    "written before": "    x[0] = 7\n    for v in x:\n        found.append(str(v))\n    x[1] = 8\n",
}  # fmt: skip


@pytest.mark.parametrize("name", LISTED)
def test_elements_that_are_only_asked_for_their_values_are_numbers(name: str) -> None:
    after = agree(LISTED[name])
    assert ".tolist()" in after, after


KEPT = {
    "kept": "    found += [v for v in x]\n",
    "appended": "    for e in k:\n        found.append(e)\n",
    "written": "    for v in x:\n        x[1] = 7\n        found.append(f'{v}')\n",
    "written by another name": "    y = x[1:]\n    for v in x:\n        y[0] = 7\n        found.append(f'{v}')\n",
    "generator": "    g = (str(v) for v in x)\n    x[2] = 9\n    found += list(g)\n",
    "single precision": "    for v in x.astype(np.float32):\n        found.append(str(v * 0.1))\n",
    "unsigned": "    for v in k.astype(np.uint8):\n        found.append(str(v * 100))\n",
    "rows": "    for row in np.outer(x, x):\n        found.append(str(row[0]))\n",
    "wraps": BIG + "    found += [str(e * 2) for e in k]\n",
    "wraps in a loop": BIG + "    for e in k:\n        e += 2**62\n        found.append(str(e))\n",
    "divides": "    with np.errstate(all='ignore'):\n        found += [str(1 / (v - x[0])) for v in x]\n",
    "single beside": "    found += [x.astype(np.float32) * v for v in x]\n",
    "class": "    found += [type(v).__name__ for v in x]\n",
    "attribute": "    found += [v.dtype.name for v in k]\n",
    "lambda": "    found += sorted(k, key=lambda e: -e)\n",
}
"""Loops whose elements stay what they were, in all or in part."""


@pytest.mark.parametrize("name", KEPT)
def test_elements_of_which_more_is_asked_stay_scalars(name: str) -> None:
    agree(KEPT[name])


@pytest.mark.parametrize("name", ["kept", "appended", "written", "generator", "rows", "wraps", "class"])
def test_arrays_are_listed_only_where_it_is_proved_that_nobody_can_tell(name: str) -> None:
    assert ".tolist()" not in converted(KEPT[name])


def test_a_range_counts_for_the_integers_that_a_name_may_be() -> None:
    """A number that is small in one loop is no bound for the other."""
    agree("    for i in range(3):\n        found.append(str(i * 2**40))\n    for i in k:\n        found.append(str(i * 2**60))\n")


def test_no_gradient_is_cut_off() -> None:
    text = "import numpy as np\n\n\ndef run(x):\n    x = x * 1.0\n    s = np.zeros(3)\n    for v in x:\n        s = s + v * v\n    return s\n\n\nrun(np.ones(3))\n"
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",), loops="tensor"))
    made: dict[str, object] = {}
    exec(compile(done.after, "m.py", "exec"), made)
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    made["run"](x).sum().backward()  # type: ignore[operator]
    assert x.grad is not None and np.allclose(x.grad.numpy(), [6.0, 12.0, 18.0])


def test_a_comment_keeps_the_array() -> None:
    assert ".tolist()" not in converted("    for v in x:  # np2torch: skip[NPT525]\n        found.append(f'{v}')\n")
