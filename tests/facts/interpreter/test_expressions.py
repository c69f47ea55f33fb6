"""Facts of expressions, by kind of node."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import F64, one


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("np.zeros(3)", v.array("float64", 1)),
        ("np.zeros((3, 4), dtype=np.int32)", v.array("int32", 2)),
        ("np.arange(3)", v.array("int64", 1)),
        ("np.arange(3.0)", v.array("float64", 1)),
        ("np.array([[1, 2], [3, 4.5]])", v.array("float64", 2)),
        ("np.array([True])", v.array("bool", 1)),
        ("np.zeros((2, 3))[0]", v.array("float64", 1)),
        ("np.zeros((2, 3))[0, 0]", v.scalar("float64")),
        ("np.zeros((2, 3))[0, 0][..., np.newaxis]", v.array("float64", 1)),
        ("np.zeros((2, 3))[0, 0][...]", v.array("float64", 0)),
        ("np.zeros((2, 3))[0, 0][()]", v.scalar("float64")),
        ("np.zeros((2, 3))[:, None, 0]", v.array("float64", 2)),
        ("np.zeros((2, 3))[np.zeros((2, 3)) > 0]", v.array("float64", 1)),
        ("np.arange(3) / 2", v.array("float64", 1)),
        ("np.arange(3) + 1", v.array("int64", 1)),
        ("np.arange(3) > 1", v.array("bool", 1)),
        ("np.zeros((2, 3)) @ np.zeros((3, 4))", v.array("float64", 2)),
        ("np.zeros((2, 3)) @ np.zeros(3)", v.array("float64", 1)),
        ("np.zeros(3) @ np.zeros(3)", v.scalar("float64")),
        ("np.zeros((2, 3)).sum(axis=0)", v.array("float64", 1)),
        ("np.zeros((2, 3)).sum()", v.scalar("float64")),
        ("np.zeros((2, 3)).sum(axis=0, keepdims=True)", v.array("float64", 2)),
        ("np.arange(3).mean()", v.scalar("float64")),
        ("np.arange(6).reshape(2, 3).T", v.array("int64", 2)),
        ("np.zeros(3).astype(np.float32) * 2", v.array("float32", 1)),
        ("np.zeros(3).astype(np.float32) * np.arange(3)", v.array("float64", 1)),
        ("np.zeros(3).astype(np.float32) * np.zeros(3).sum()", v.array("float64", 1)),
        ("np.ones(3, dtype=np.uint8) + 1", v.array("uint8", 1)),
        ("np.zeros((2, 3)).shape", v.tuple_of(v.SIZE, v.SIZE)),
        ("np.zeros((2, 3)).ndim", v.number(2)),
        ("np.zeros(3).dtype", v.one(v.DType(F64))),
        ("len(np.zeros(3))", v.SIZE),
        ("np.zeros(3).tolist() and None", None),
        ("np.sort(np.arange(3))[::-1]", v.array("int64", 1)),
        ("np.concatenate([np.zeros(2), np.arange(2)])", v.array("float64", 1)),
        ("np.stack([np.zeros(2), np.zeros(2)])", v.array("float64", 2)),
        ("np.pi", None),
    ],
)  # fmt: skip
def test_an_expression(expression, expected):
    fact = one(f"show({expression})")
    if expected is not None:
        assert fact == expected
