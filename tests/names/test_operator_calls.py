"""Calls that are operators by another name."""

from __future__ import annotations

import ast

import pytest

from np2torch.names.parsing import parse_source


def is_power(text: str) -> bool:
    return any(isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) for node in ast.walk(parse_source(text)))


@pytest.mark.parametrize("text", ["y = pow(x, 2)", "f(*pow(x, 2))", "{pow(a, b): [pow(c, d)]}", "x[pow(2, k)] += 1"])
def test_a_call_of_two_is_a_power(text: str) -> None:
    assert is_power(text)


@pytest.mark.parametrize(
    "text",
    [
        "y = pow(x, 2, 3)", "y = pow(*x)", "y = pow(x, exp=2)", "y = math.pow(x, 2)", "f(pow)",
        "from math import pow\ny = pow(x, 2)", "from math import *\ny = pow(x, 2)", "def pow(a, b): ...\npow(x, 2)",
        "def f(pow): return pow(x, 2)", "pow = g\ny = pow(x, 2)", "def f():\n    global pow\n    return pow(x, 2)",
    ],
)  # fmt: skip
def test_another_call_is_none(text: str) -> None:
    assert not is_power(text)


def test_the_place_stays() -> None:
    (statement,) = parse_source("y = 1 + pow(x, 2)").body
    assert isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp)
    assert (statement.value.right.col_offset, statement.value.right.end_col_offset) == (8, 17)
