"""Bugs that are planted change one place, and the text beside them stops there."""

from __future__ import annotations

import random

import bugs
import pytest

TEXT = """
def f(x):
    if x.sum() > 0:
        y = torch.sum(x, dim=0)
    else:
        y = torch.zeros(3)
    return y

def g(x):
    return torch.sum(x, dim=0)
"""


def test_the_statement_with_the_bug_raises_in_the_other_text():
    found = {one.bug: one for one in bugs.planted(TEXT, "f", random.Random(0))}
    one = found["axis ignored"]
    assert "y = torch.sum(x)\n" in one.text and one.text.count("dim=0") == 1
    assert one.reached.count("raise KeyboardInterrupt") == 1 and one.reached.count("dim=0") == 1
    assert "torch.zeros(3)" in one.reached and "if x.sum() > 0" in one.reached


def test_a_test_of_a_condition_belongs_to_its_statement():
    text = "def f(x):\n    y = 1\n    if torch.all(x):\n        y = 2\n    return y\n"
    (one,) = [one for one in bugs.planted(text, "f", random.Random(0)) if one.bug == "all for any"]
    assert "torch.any(x)" in one.text and "y = 2" not in one.reached and "y = 1" in one.reached


@pytest.mark.parametrize(
    ("kind", "was", "becomes"),
    [
        ("stable dropped", "torch.argsort(x, stable=True)", "torch.argsort(x)"),
        ("indexing", "shim.meshgrid(x, y)", "shim.meshgrid(x, y, indexing='ij')"),
        ("indexing", "torch.meshgrid(x, y, indexing='ij')", "torch.meshgrid(x, y, indexing='xy')"),
        ("median for quantile", "shim.median(x)", "torch.median(x)"),
        ("median for quantile", "torch.quantile(x, 0.5)", "torch.median(x)"),
        ("right dropped", "torch.bucketize(x, y, right=True)", "torch.bucketize(x, y)"),
        ("split for tensor_split", "torch.tensor_split(x, 3)", "torch.split(x, 3)"),
        ("pad order", "torch.nn.functional.pad(x, [1, 2])", "torch.nn.functional.pad(x, [2, 1])"),
        ("correction dropped", "torch.std(x, correction=0)", "torch.std(x)"),
        ("float32", "torch.tensor(0.1, dtype=torch.float64)", "torch.tensor(0.1, dtype=torch.float32)"),
    ],
)
def test_a_kind_changes_one_call(kind: str, was: str, becomes: str):
    text = f"def f(x, y):\n    return {was}\n"
    (one,) = [one for one in bugs.planted(text, "f", random.Random(0)) if one.bug == kind]
    assert one.text == f"def f(x, y):\n    return {becomes}"
