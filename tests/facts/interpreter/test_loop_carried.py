"""Which passes a loop needs: another one wherever the pass before may have changed what is read."""

from __future__ import annotations

import ast
import textwrap

import pytest

from np2torch.facts.interpreter.loop_carried import carried_names
from support.facts import F64, one  # the interpreter on a text, with the fact of what it shows

CHANGED = [
    # read before it is bound
    "for _ in range(3):\n    y = x\n    x = np.zeros(2)\n",
    # bound on one arm only
    "for i in range(3):\n    if i:\n        z = x\n    else:\n        z = 0\n    y = z\n    x = np.zeros(2)\n",
    "for i in range(3):\n    if i:\n        z = 0\n    y = z\n    z = np.zeros(2)\n",
    # by the test of a while, by an inner loop, in a try, by a walrus
    "while (y := x) is not None:\n    x = np.zeros(2)\n",
    "for i in range(3):\n    for x in [x]:\n        y = x\n    x = np.zeros(2)\n",
    "for i in range(3):\n    try:\n        z = int(i)\n    except ValueError:\n        z = 1\n"
    "    y = x\n    x = np.zeros(z)\n",
    "for i in range(3):\n    y = x if i else 0\n    x += np.zeros(2)\n",
    # by a function defined outside
    "def read():\n    return x\nfor i in range(3):\n    y = read()\n    x = np.zeros(2)\n",
    # an attribute
    "class C: pass\nc = C()\nc.x = 0\nfor i in range(3):\n    y = c.x\n    c.x = np.zeros(2)\n",
    # two passes on
    "for i in range(3):\n    y = w\n    w = x\n    x = np.zeros(2)\n",
]


@pytest.mark.parametrize("loop", CHANGED)
def test_what_a_pass_leaves_behind_is_seen(loop: str) -> None:
    body = "x = 0\ny = 0\nz = 0\nw = 0\n" + loop + "show(y)\n"
    fact = one("def f():\n" + textwrap.indent(body, "    ") + "\nf()\n")
    assert any(atom.kind == "array" and atom.dtypes == F64 for atom in fact), fact


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("y = x\nx = 1\n", {"x"}),
        ("x = 1\ny = x\n", set()),
        ("y = i\n", set()),
        ("total += i\n", {"total"}),
        ("if c:\n    a = 1\nelse:\n    a = 2\nb = a\n", {"c"}),
        ("if c:\n    a = 1\nb = a\n", {"a", "c"}),
        ("with f() as g:\n    a = g\nb = a\n", {"f"}),
        ("try:\n    a = 1\nexcept E:\n    pass\nb = a\n", {"E", "a"}),
        ("for j in i:\n    a = j\nb = a\n", {"a"}),
        ("s.x = i\nb = s.x\n", {"s"}),
        ("b = s.x\ns.x = i\n", {"s", "s.x"}),
        ("a[i] = 1\n", {"a"}),
        ("(p, *q), r = i\nb = p + q + r\n", set()),
    ],
)
def test_reads_of_the_pass_before(body: str, found: set[str]) -> None:
    loop = ast.parse("for i in n:\n" + textwrap.indent(body, "    ")).body[0]
    assert isinstance(loop, ast.For)
    assert carried_names(loop.body, [loop.target]) == found
