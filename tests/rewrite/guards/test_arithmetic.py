"""Lists that are repeated and numbers that are divided, where a guard would make arrays of them."""

from __future__ import annotations

import ast
import itertools

import numpy as np
import pytest

from np2torch.facts import values as v
from np2torch.rewrite.guards.arithmetic import divides_numbers, equates, is_remainder_in_double, is_whole_power, repeats
from support.guards import both, is_equal, outcome, tensors

LIST = v.one(v.Sequence("list", None, v.FLOAT))
ARRAY = v.array("float64")
Facts = dict[ast.AST, v.Fact]


def operation(text: str, left: v.Fact, right: v.Fact, whole: v.Fact) -> tuple[Facts, Facts]:
    """The facts of an operation, and those where all of it are arrays."""
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.BinOp)
    parts = (node, node.left, node.right)
    return dict(zip(parts, (whole, left, right), strict=True)), dict.fromkeys(parts, ARRAY)


@pytest.mark.parametrize(
    ("times", "expected"), [(v.INT, True), (v.scalar("int64"), True), (v.scalar("float64"), False), (v.FLOAT, False)]
)
def test_a_list_is_repeated_by_whole_numbers(times: v.Fact, expected: bool) -> None:
    assert repeats(*operation("xs * n", LIST, times, LIST)) is expected


@pytest.mark.parametrize(
    ("text", "right", "expected"),
    [
        ("x / y", v.FLOAT, True), ("x ** y", v.INT, True), ("x / 2", v.number(2), False), ("x / y", ARRAY, False),
        ("x * y", v.FLOAT, False), ("x % n", v.number(6.5), False), ("x / n", v.number(0), True),
    ],
)  # fmt: skip
def test_numbers_are_divided(text: str, right: v.Fact, expected: bool) -> None:
    facts, guarded = operation(text, v.FLOAT, right, v.FLOAT)
    assert divides_numbers(facts, guarded, facts) is expected
    assert not divides_numbers(facts, guarded, ())  # what is the same behind the guard


@pytest.mark.parametrize(
    ("text", "right", "expected"),
    [("x == n", v.INT, True), ("x != n", v.FLOAT, True), ("x == n", ARRAY, False), ("x < n", v.INT, False)],
)
def test_a_list_is_compared_whole_with_a_number(text: str, right: v.Fact, expected: bool) -> None:
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Compare)
    parts = (node, node.left, *node.comparators)
    assert equates(dict(zip(parts, (v.BOOL, LIST, right), strict=True)), dict.fromkeys(parts, ARRAY)) is expected


@pytest.mark.parametrize(
    ("text", "exponent", "expected"),
    [
        ("x ** 2", v.number(2), True), ("x ** n", v.INT, True), ("x ** n", v.array("int64"), True),
        ("x ** n", v.number(-1), False), ("x ** n", v.FLOAT, False), ("x ** n", v.array("float64"), False),
        ("x ** n", v.TOP, False), ("x * n", v.INT, False),
    ],
)  # fmt: skip
def test_whole_numbers_have_powers(text: str, exponent: v.Fact, expected: bool) -> None:
    facts, _ = operation(text, v.INT, exponent, v.INT)
    node = next(one for one in facts if isinstance(one, ast.BinOp))
    assert is_whole_power(facts, node) is expected


COMPOUND = """def compound(rate, periods, payment):
    grown = (1 + rate) ** periods
    return np.where(rate == 0, periods, payment * (grown - 1)) / 7
"""


def test_powers_of_whole_numbers_are_as_exact_in_double_precision() -> None:
    old, new, after = both(COMPOUND, "compound")
    assert "shim.operator" not in after and after.count("shim.") == 1
    whole = [0, 1, 3, 12, np.arange(5), np.int64(2), np.array([7, 8, 9, 11, 0])]
    floats = [0.05, np.linspace(0, 2, 5), np.array([-0.5, 0.0, 1.0, 2.0, 9.5])]
    counted = 0
    for call in itertools.product([*whole, *floats], repeat=3):
        before, answer = outcome(old, list(call)), outcome(new, list(map(tensors, call)))
        if before is not None and answer is not None and before[0][0][-2:] != "()":
            assert all(map(is_equal, before, answer)), (call, before, answer)
            counted += 1
    assert counted > 400


@pytest.mark.parametrize(
    ("text", "right", "whole", "expected"),
    [
        ("x % 7", v.number(7), v.INT, True), ("x // 4", v.number(4), v.array("int64"), True),
        ("x % n", v.INT, v.INT, False), ("x // n", v.array("int64"), v.array("int64"), False),
        ("x % 0", v.number(0), v.array("int64"), False), ("x % y", v.FLOAT, v.FLOAT, True),
        ("x % y", v.array("float64"), v.array("float64"), True), ("x % y", v.TOP, v.TOP, False),
        ("x * 7", v.number(7), v.INT, False),
    ],
)  # fmt: skip
def test_remainders_that_double_precision_has_too(text: str, right: v.Fact, whole: v.Fact, expected: bool) -> None:
    facts, _ = operation(text, v.INT, right, whole)
    node = next(one for one in facts if isinstance(one, ast.BinOp))
    assert is_remainder_in_double(facts, node) is expected


WRAPPED = """def wrapped(lon, step):
    turn = lon % (2 * np.pi)
    return np.where(turn > np.pi, turn - 2 * np.pi, turn) * np.cos(step) + lon % 7 - lon // 4 * 0.5 + step % 1.5
"""


def test_remainders_are_as_exact_in_double_precision() -> None:
    old, new, after = both(WRAPPED, "wrapped")
    assert "shim.operator" not in after and "numbers=" not in after
    given = [0, -5, 9, 2.5, -0.75, np.arange(-9, 9), np.linspace(-8, 8, 18), np.int64(-30), np.float64(7), [1.5] * 18]
    counted = 0
    for call in itertools.product(given, repeat=2):
        before, answer = outcome(old, list(call)), outcome(new, list(map(tensors, call)))
        if before is not None and answer is not None and before[0][0][-2:] != "()":
            assert all(map(is_equal, before, answer)), (call, before, answer)
            counted += 1
    assert counted > 30
