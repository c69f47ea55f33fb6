"""Arrays that loops and comprehensions go through as lists of Python's numbers."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from np2torch.verify.compare import difference

HEAD = """\
import math
import numpy as np


def run(n):
    x = np.linspace(-1.0, 2.0, n) ** 2
    k = np.arange(n) * 3
    found = []
"""


def sections(text: str) -> dict[str, str]:
    """The bodies of functions in a text, by the titles above them."""
    parts = (one.partition("\n") for one in text.split("## ")[1:])
    return {title: textwrap.indent(body, "    ") for title, _, body in parts}


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


LISTED = sections("""\
## text
for v in x:
    found.append(f'{v:.3f} {v}')
## math
found += [math.sin(v) for v in x]
## float
found += [float(v) for v in x if v > 0.5]
## indices
for i in np.argsort(x):
    found.append(str(k[i]))
    found.append(k[i] * 2)
## nonzero
for i in np.nonzero(x > 0.5)[0]:
    found.append(str(x[i - 1]))
## masks
for e in np.unique(k):
    found.append(x[k == e])
## keys
d, s = {}, set()
for e, i in zip(k, np.argsort(x)):
    d[e] = d.get(i, 0)
    s.add((e, i))
found += [sorted(d), sorted(s)]
## any
found += [any(v > 1.5 for v in x), all(e < 9 for e in k)]
## join
found.append(','.join(str(e) for e in k))
## same names
found += [[str(v) for v in x], [str(v) for v in k], [int(v) for v in k]]
## nested
found += [[str(v) for v in k if v > w] for w in range(3)]
## enumerate
for i, v in enumerate(x):
    found.append('%d %.2f' % (i, v))
## grids
for t in np.linspace(0, 1, 4):
    found.append(x * t + t * 2)
## named grids
t = np.arange(0, 1, 0.25)
for e in t:
    found.append(x * (e + 0.5))
## mapped
found += [list(map(int, x * 9)), sum(map(float, k)), sorted(map(int, np.isnan(x)))]
## counted
for i in range(3):
    found.append(str(i))
for i in k:
    found.append(f'{i:d}')
## break
for v in x:
    if v < 0.3:
        found.append('small')
        break
found.append(str(v))
## rows
for i, j in np.argwhere(np.outer(x, x) > 0.5):
    found.append(f'{i + 1} {x[j]}')
## rows in part
for e, _ in np.stack([k, k], axis=1):
    found.append(str(e))
## numbered rows
d = {}
for i, (e, f) in enumerate(np.stack([k, k], axis=1)):
    d[e, f] = i
found.append(sorted(d))
## own names
v = x[1]
found += [str(v) for v in k]
x[1] = 9
found.append(v * 2)
## printed
for v in x:
    print(v)
## written before
x[0] = 7
for v in x:
    found.append(str(v))
x[1] = 8
""")


@pytest.mark.parametrize("name", LISTED)
def test_elements_that_are_only_asked_for_their_values_are_numbers(name: str) -> None:
    after = agree(LISTED[name])
    assert ".tolist()" in after, after


KEPT = sections("""\
## kept
found += [v for v in x]
## appended
for e in k:
    found.append(e)
## written
for v in x:
    x[1] = 7
    found.append(f'{v}')
## written by another name
y = x[1:]
for v in x:
    y[0] = 7
    found.append(f'{v}')
## written grids
t = np.arange(0, 1, 0.25)
t[1] = x[2]
for e in t:
    found.append(x * e)
## mapped later
g = map(int, k)
k[1] = 9
found += list(g)
## generator
g = (str(v) for v in x)
x[2] = 9
found += list(g)
## single precision
for v in x.astype(np.float32):
    found.append(str(v * 0.1))
## unsigned
for v in k.astype(np.uint8):
    found.append(str(v * 100))
## rows as wholes
for row in np.outer(x, x):
    found.append(str(row[0]))
## rows kept in part
for e, f in np.stack([k, k], axis=1):
    found += [e, str(f)]
## rows of two kinds
for e, f in np.stack([x, x], axis=1).astype(np.float32):
    found.append(str(e * 0.1))
## wraps
k[0] = 2**62
found += [str(e * 2) for e in k]
## wraps in a loop
k[0] = 2**62
for e in k:
    e += 2**62
    found.append(str(e))
## divides
with np.errstate(all='ignore'):
    found += [str(1 / (v - x[0])) for v in x]
## single beside
found += [x.astype(np.float32) * v for v in x]
## class
found += [type(v).__name__ for v in x]
## attribute
found += [v.dtype.name for v in k]
## lambda
found += sorted(k, key=lambda e: -e)
""")
"""Loops whose elements stay what they were, in all or in part."""


@pytest.mark.parametrize("name", KEPT)
def test_elements_of_which_more_is_asked_stay_scalars(name: str) -> None:
    agree(KEPT[name])


PROVED_NOT = (
    "kept", "written grids", "mapped later", "appended", "written", "generator", "rows as wholes", "rows kept in part",
    "wraps", "class",
)  # fmt: skip


@pytest.mark.parametrize("name", PROVED_NOT)
def test_arrays_are_listed_only_where_it_is_proved_that_nobody_can_tell(name: str) -> None:
    assert ".tolist()" not in converted(KEPT[name])


def test_a_name_of_a_comprehension_is_not_handed_over_for_the_one_outside() -> None:
    """A loop in NumPy, in which a comprehension has a number of the same name as a tensor of the function."""
    body = """
s = x[1]
found.append(s * x)
for i in range(1, 4):
    for j in range(1, 4):
        found.append([str(s) for s in x])
        found.append(f'{x[j] / x[i]:.3g}')
found.append(str(s))
"""
    assert "shim.numpy_view" in agree(textwrap.indent(body, "    "), loops="numpy")


def test_a_range_counts_for_the_integers_that_a_name_may_be() -> None:
    """A number that is small in one loop is no bound for the other."""
    first = "    for i in range(3):\n        found.append(str(i * 2**40))\n"
    agree(first + "    for i in k:\n        found.append(str(i * 2**60))\n")


SQUARES = """\
import numpy as np


def run(x):
    x = x * 1.0
    s = np.zeros(3)
    for v in x:
        s = s + v * v
    return s


run(np.ones(3))
"""


def test_no_gradient_is_cut_off() -> None:
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", SQUARES)], Settings(closed=("*",), loops="tensor"))
    made: dict[str, object] = {}
    exec(compile(done.after, "m.py", "exec"), made)
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    made["run"](x).sum().backward()  # type: ignore[operator]
    assert x.grad is not None and np.allclose(x.grad.numpy(), [6.0, 12.0, 18.0])


def test_a_comment_keeps_the_array() -> None:
    assert ".tolist()" not in converted("    for v in x:  # np2torch: skip[NPT525]\n        found.append(f'{v}')\n")
