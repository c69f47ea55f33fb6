"""Bugs that are planted change one place, and the text beside them stops there."""

from __future__ import annotations

import random

import bugs

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
