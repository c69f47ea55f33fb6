"""Lists that are repeated and numbers that are divided, where a guard would make arrays of them."""

from __future__ import annotations

import ast

import pytest

from np2torch.facts import values as v
from np2torch.rewrite.guards.arithmetic import divides_numbers, equates, repeats

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
