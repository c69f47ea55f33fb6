"""How many elements arrays have at most, as far as a program says so."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

from np2torch.facts import extents
from np2torch.rewrite.convert import analyse
from np2torch.source.model import Settings, SourceFile


def asked(text: str) -> tuple[int | None, int | None]:
    """The elements of the argument of `ask(...)` in a program, and the passes of a loop over it."""
    file = SourceFile(Path("m.py"), "m.py", f"import numpy as np\n\ndef ask(x):\n    pass\n\n{text}")
    return answer([file], Settings(closed=("*",)))


def answer(files: Sequence[SourceFile], settings: Settings) -> tuple[int | None, int | None]:
    """The elements of the argument of `ask(...)` in the first of some files, and the passes of a loop over it."""
    work, file = analyse(files, settings), files[0]
    info = work.infos[file.path]
    ctx = work.context(file, info)
    calls = (one for one in ast.walk(info.tree) if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "ask")
    call = next(calls)
    body = ctx.function(call)
    return ctx.extents.elements(call.args[0], body), ctx.extents.passes(call.args[0], body)


@pytest.mark.parametrize(
    ("made", "elements"),
    [
        ("np.zeros(n)", 20), ("np.zeros((n, 3))", 60), ("np.empty(shape=(2, n))", 40), ("np.eye(n)", 400),
        ("np.linspace(0, 1, n)", 20), ("np.linspace(0, 1)", 50), ("np.arange(n)", 20), ("np.arange(0, 1, 0.1)", 10),
        ("np.arange(-n, n + 1)", 41), ("np.array([[1, 2], [3, 4]])", 4), ("np.array([i for i in range(n)])", 20),
        ("np.zeros_like(u)", 20), ("u.copy()", 20), ("u.astype(int)", 20), ("u[1:]", 20), ("u[:5]", 5),
        ("u[:, None] - u[None, :]", 400), ("u[:, np.newaxis] * u", 400), ("u[3]", 1), ("u[u > 0]", 20), ("m[0]", 30),
        ("m.T", 600), ("m.sum(axis=0)", 30), ("m @ m.T", 400), ("m.T @ u", 30), ("np.outer(u, u)", 400),
        ("np.sin(u) + 1", 20), ("np.maximum(u, 0)", 20), ("np.where(u > 0, u, 0)", 20), ("np.where(u > 0)[0]", 20),
        ("np.concatenate([u, u])", 40), ("np.stack([u, u], axis=1)[0]", 2), ("np.column_stack([u, u])[0]", 2),
        ("np.vstack([m, m])[0]", 30), ("np.hstack([m, m])[0]", 60), ("np.concatenate([m, m], axis=1)[0]", 60),
        ("np.vstack([u, u])[0]", 20), ("np.zeros(u.shape)", 20), ("np.zeros(len(m))", 20),
        ("np.zeros(m.shape[1])", 30), ("np.zeros(n // 2 + 1)", 11),
        ("np.random.default_rng(1).normal(size=n)", 20), ("np.random.rand(n, 2)", 40),
        ("np.random.default_rng(1).uniform(0, 1, (n, 2))", 40), ("np.repeat(u, 3)", None), ("np.load('x.npy')", None),
        ("u if n else m", 600), ("np.meshgrid(u, u)[0]", None), ("np.sqrt(2.0)", 1),
        ("np.fft.rfftfreq(n, d=0.1)", 20), ("np.fft.irfft(np.fft.rfft(u), n=n)", 20), ("np.fft.irfft(u)", None),
        ("np.arange(stop=3)", None), ("np.arange(0, np.inf, 1)", None), ("np.eye(N=3)", None), ("np.zeros(shape=3)", 3),
        ("np.dot()", None), ("np.arange(*[3])", None),
        ("np.bincount(m.astype(int)[0], minlength=n)", 20), ("np.bincount(u.astype(int))", None), ("np.hanning(n)", 20),
    ],
)  # fmt: skip
def test_the_elements_of_what_functions_make(made: str, elements: int | None):
    text = f"def main(n):\n    u, m = np.ones(n), np.ones((n, 30))\n    ask({made})\n\nmain(20)\n"
    assert asked(text)[0] == elements


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("def f(u):\n    ask(u)\n\nf(np.zeros(3))\nf(np.zeros(8))\n", 8),
        ("def f(u, n=4):\n    ask(np.ones(n))\n\nf(1)\nf(1, n=9)\n", 9),
        ("def f(u):\n    ask(u)\n\nf(*[np.zeros(3)])\n", None),
        ("def f(n):\n    ask(np.ones(n) + n)\n\ndef g():\n    f(9)\n", 9), ("def f(u):\n    ask(u)\n", None),
        ("def make(n):\n    return np.zeros(n), 1\n\nu, _ = make(7)\nask(u)\n", 7),
        ("u = np.zeros(5)\nfor _ in range(9):\n    u = u[1:] + u[:-1]\n    u *= 2\nask(u)\n", 5),
        ("u = np.zeros(5)\nfor i in range(9):\n    u = np.concatenate([u, [i]])\nask(u)\n", None),
        ("m = np.zeros((5, 4))\nfor i, row in enumerate(m):\n    ask(row)\n", 4),
        ("a, b = np.meshgrid(np.zeros(5), np.zeros(4))\nask(a)\n", 20),
        ("class A:\n    def __init__(self, n):\n        self.u = np.zeros(n)\n\n    def f(self):\n        ask(self.u)"
         "\n\nA(6).f()\n", 6),
        ("N = 8\n\ndef f():\n    ask(np.zeros(N))\n\nf()\n", 8),
        ("n = 2\nfor _ in range(9):\n    n = n * 2\nask(np.zeros(n))\n", None),
        ("_, a = np.linalg.eigh(np.ones((5, 5)))\nask(a)\n", 25),
        ("with open('x') as u:\n    ask(u)\n", None),
        ("u0 = np.zeros(4)\n" + "".join(f"u{i + 1} = u{i} + 1\n" for i in range(400)) + "ask(u400)\n", None),
    ],
)  # fmt: skip
def test_the_elements_of_what_comes_from_elsewhere(text: str, elements: int | None):
    assert asked(text)[0] == elements


@pytest.mark.parametrize(
    ("over", "passes"),
    [
        ("range(n)", 20), ("range(2, n)", 20), ("range(n - 1, -1, -1)", 20), ("enumerate(np.ones((n, 2)))", 20),
        ("[1, 2, 3]", 3), ("zip(np.ones(4), 'abcd')", 4), ("open('x')", None),
    ],
)  # fmt: skip
def test_the_passes_of_loops(over: str, passes: int | None):
    assert asked(f"def main(n):\n    ask({over})\n\nmain(20)\n")[1] == passes


@pytest.mark.parametrize(("name", "elements"), [("test_lib.py", None), ("use.py", 3)])
def test_tests_do_not_say_how_long_arrays_of_a_library_are(name: str, elements: int | None):
    library = "import numpy as np\n\n\ndef ask(x):\n    pass\n\n\ndef f(u):\n    ask(u)\n"
    caller = "import numpy as np\n\nfrom lib import f\n\n\ndef test_f():\n    f(np.zeros(3))\n"
    files = [SourceFile(Path("lib.py"), "lib.py", library), SourceFile(Path(name), name, caller)]
    assert answer(files, Settings())[0] == elements


def test_no_more_is_looked_for_where_one_is_not_known():
    several = iter([1, None, 2])
    assert extents._all_known(several) is None and next(several) == 2
    assert extents._all_known([1, 2]) == [1, 2]
