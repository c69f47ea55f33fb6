"""Tensors of literals that are taken out of loops; `fixtures/control_flow/hoisted_numpy.py` executes both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Settings, SourceFile

TEXT = """import numpy as np


def f(x, other):
    {before}
    for i in range(3):
        {line}
    return x


f(np.ones(2), object())
"""


def done(line: str, before: str = "pass", **settings: str) -> Converted:
    source = SourceFile(Path("m.py"), "m.py", TEXT.format(line=line, before=before))
    (found,) = convert_project([source], Settings(closed=("*",), **settings))  # type: ignore[arg-type]
    assert not found.problems
    return found


@pytest.mark.parametrize(
    "line",
    [
        "x = x + np.array([1.0, 2.0])", "x = np.array([1, 2]) * x", "x = x[x > np.array([0.5, 0.5])]",
        "x = x - np.array((1.0, -2.0)) / 2",
    ],
)  # fmt: skip
def test_operands_are_made_before_the_loop(line: str):
    found = done(line)
    before, _, after = found.after.partition("    for i in range(3):")
    assert "    constant = torch.tensor(" in before and "torch.tensor(" not in after.partition("return")[0]
    assert not any(remark.code == "NPT602" for remark in found.remarks)


@pytest.mark.parametrize(
    "line",
    [
        "y = np.array([1.0, 2.0]); y += x", "x = other + np.array([1.0, 2.0])", "x = x + np.array([1.0, i])",
        "x = [np.array([1.0, 2.0])]", "x = np.maximum(x, np.array([1.0, 2.0]))",
        "x = (lambda: x + np.array([1.0, 2.0]))()",
    ],
)  # fmt: skip
def test_what_may_be_kept_or_changes_stays(line: str):
    assert "constant" not in done(line).after


def test_names_and_devices():
    assert "constant_2 = torch.tensor(" in done("x = x + np.array([1.0, 2.0])", "constant = 1").after
    assert "constant" not in done("x = x + np.array([1.0, 2.0])", device="parameter").after
