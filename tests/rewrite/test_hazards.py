"""What will be slow is listed, what is not is left in peace."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.report.formats import lines
from np2torch.report.summary import summary_lines
from np2torch.report.tally import Tally
from np2torch.report.verdict import judge_check
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Settings, SourceFile

HEADER = """import numpy as np

x = np.linspace(0, 1, 9)
table = np.ones((3, 4))
whole = np.arange(5)
"""
SLOW = {
    "for i in range(9):\n    x[i] = x[i] * 2": {"NPT601": 6},
    "for i in range(3):\n    for j in range(4):\n        table[i, j] += 1": {"NPT601": 7},
    "for value in x:\n    y = value * 2": {"NPT601": 6},
    "for i, value in enumerate(x):\n    print(i)": {"NPT601": 6},
    "for a, b in zip(x, [1, 2]):\n    print(b)": {"NPT601": 6},
    "i = 0\nwhile i < 9:\n    y = x[i] + 1\n    i += 1": {"NPT601": 7},
    "y = [x[i] * 2 for i in range(9)]": {"NPT601": 6, "NPT604": 6},
    "y = sum(v * v for v in x)": {"NPT601": 6},
    "for k in range(3):\n    y = np.array([k, 2.0, 3.0]) * 2": {"NPT602": 7},
    "for k in range(3):\n    y = np.array([[1, k], [k, 1]])": {"NPT602": 7},
    "while True:\n    y = np.zeros(3)\n    break": {"NPT602": 7},
    "for k in range(3):\n    y = table.sum().item()": {"NPT603": 7},
    "y = []\nfor k in range(3):\n    y.append(table[k].max())": {"NPT604": 8},
    "y = [row.mean() for row in table]": {"NPT604": 6},
}
FAST = [
    "y = [f'{v:.2f}' for v in x], any(v > 2 for v in whole)",
    "for row in table:\n    y = row.sum() > 1",
    "for k in range(3):\n    table[k] = table[k] * 2",
    "for k in range(3):\n    y = table[:, k] + x[0]",
    "for k in range(3):\n    y = np.zeros((100, 100)) + np.ones(500)",
    "for k in [1, 2, 3]:\n    y = [1, 2, 3][k - 1]",
    "y = np.array([1, 2, 3]) * x[0] + table[0, 0]",
    "for k in np.array([1, 2]).tolist():\n    print(k)",
    "y = []\nfor k in range(3):\n    y.append(table[k])\n    y.append(k)",
    "for k in range(3):\n    def f():\n        return np.array([1, 2])",
    "def f(values):\n    for value in values:\n        print(value)",
    "y = float(x.sum())",
]


def convert(text: str, **settings: object) -> Converted:
    file = SourceFile(Path("m.py"), "m.py", HEADER + text + "\n")
    return next(iter(convert_project([file], Settings(**{"loops": "tensor", **settings}))))  # type: ignore[arg-type]


def hazards(text: str, **settings: object) -> dict[str, int]:
    """The line of the first hazard of each code."""
    found: dict[str, int] = {}
    for remark in convert(text, **settings).remarks:
        if remark.code.startswith("NPT6"):
            found.setdefault(remark.code, remark.line)
    return found


@pytest.mark.parametrize("text", SLOW)
def test_what_is_slow_is_listed(text: str) -> None:
    assert hazards(text) == SLOW[text]


@pytest.mark.parametrize("text", FAST)
def test_what_is_fast_is_not(text: str) -> None:
    assert hazards(text) == {}


def test_numbers_for_keys_in_loops_are_items() -> None:
    assert "NPT603" in hazards("seen = {}\nfor k in range(3):\n    seen[whole[k]] = k")


def test_they_can_be_ignored() -> None:
    text = next(iter(SLOW))
    assert hazards(text, ignore=("NPT6",)) == {} and hazards(text, ignore=("NPT602",)) == {"NPT601": 6}


def test_they_are_in_the_summary_and_in_check() -> None:
    tally = Tally(total=1)
    tally.add(convert("for i in range(9):\n    x[i] = x[i] * 2\n    y = np.array([1, i])"))
    text = "\n".join(summary_lines(tally))
    assert "slow: element by element (NPT601): 1 place" in text and "m.py:6:1: NPT601 `x[i]` is one element" in text
    assert "work on whole tensors" in text and "slow: tiny tensors in loops (NPT602): 1 place" in text
    check = judge_check(tally, Settings(), Path())
    assert sum("NPT60" in line for line in lines(check, "text")) == 2
    start = "::warning file=m.py,line=6,col=1,title=NPT601::"
    assert any(line.startswith(start) for line in lines(check, "github"))
