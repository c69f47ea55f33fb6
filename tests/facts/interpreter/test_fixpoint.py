# ruff: noqa: E501 (tables of source texts)
"""Loops and recursion come to rest, and no fact is lost on the way."""

from __future__ import annotations

import time

import pytest

from np2torch.facts import values as v
from support.facts import F64, one


def test_loops_reach_a_fixed_point():
    fact = one("x = np.arange(3)\nfor _ in range(9):\n    x = x / 2\nshow(x)\n")
    assert fact == v.array({"int64", "float64"}, 1)


def test_a_loop_that_grows_the_rank_ends():
    fact = one("x = np.zeros(3)\nwhile len(x) < 5:\n    x = x[None]\nshow(x)\n")
    assert v.only(fact, "array")


def test_recursion_ends():
    text = "def f(n, a):\n    if n == 0:\n        return np.eye(2)\n    return f(n - 1, a) @ a\n\nshow(f(5, np.zeros((2, 2))))\n"
    assert v.only(one(text), "array")
    assert v.dtypes_of(one(text)) == F64


def test_mutual_recursion_and_deep_nesting_end():
    started = time.process_time()
    one("def f(x):\n    return g((x,))\n\ndef g(x):\n    return f([x])\n\nshow(f(np.zeros(2)))\n")
    one("def f(x):\n    y = [x]\n    while y:\n        y = [y, y]\n    show(y)\n\nf(np.zeros(2))\n")
    assert time.process_time() - started < 5


def test_many_call_sites_end():
    calls = "\n".join(f"f(np.zeros({(1,) * (n % 7 + 1)}), {n})" for n in range(60))
    started = time.process_time()
    fact = one(f"def f(x, n):\n    show(x)\n    return g(x, n + 1)\n\ndef g(x, n):\n    return h(x * n)\n\ndef h(x):\n    return x\n\n{calls}\n")
    assert v.only(fact, "array")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("start", "step", "end"),
    [
        ("np.zeros(3)", "x[None]", v.array("float64")),
        ("(3,)", "x + (1,)", v.one(v.Sequence("tuple", None, v.SIZE))),
        ("0.5", "[x]", v.TOP),
    ],
)
def test_what_grows_in_a_loop_is_no_longer_known(start, step, end):
    """Ten passes make more of it than the analysis goes through."""
    fact = one(f"x = {start}\nfor i in range(10):\n    x = {step}\nshow(x)")
    assert fact >= end and (end == v.TOP or fact == end)
