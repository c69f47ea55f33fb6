"""Values of all passes, and their axes."""

from __future__ import annotations

import ast

import pytest

from np2torch.rules.vectorize.values import (
    Value,
    VectorizeRefusal,
    align,
    constant,
    mixed_kind,
    promoted_kind,
    transpose,
)


def value(*dims: int, kind: str = "f8") -> Value:
    return Value(ast.Name("x"), dims, kind)


@pytest.mark.parametrize(
    ("dims", "against", "text"),
    [
        ((0,), (0, 1), "x[:, None]"), ((1,), (0, 1), "x"), ((1, 0), (0, 1), "x.T"),
        ((0, 2), (0, 1, 2), "x[:, None, :]"), ((), (0, 1), "x"), ((2, 0), (0, 1, 2), "x.T[:, None, :]"),
    ],
)  # fmt: skip
def test_axes_are_aligned(dims: tuple[int, ...], against: tuple[int, ...], text: str):
    assert ast.unparse(align(value(*dims), against)) == text


def test_axes_are_put_in_another_order():
    assert ast.unparse(transpose(ast.Name("x"), [1, 2, 0])) == "x.transpose(1, 2, 0)"


def test_kinds_are_promoted_as_numpy_and_python_have_them():
    assert promoted_kind(value(kind="f8"), value(kind="int")) == "f8"
    assert promoted_kind(value(kind="int"), value(kind="float")) == "float"
    assert mixed_kind(value(kind="f8"), constant(0.0)) == "float"
    with pytest.raises(VectorizeRefusal):
        promoted_kind(value(kind="bool"), value(kind="b1"))
