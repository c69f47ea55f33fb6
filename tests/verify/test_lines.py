"""The lines that a call comes to are noted, of its own file alone and up to some number."""

from __future__ import annotations

import sys

from np2torch.verify import lines
from np2torch.verify.drawn_values import Inputs, cost
from np2torch.verify.lines import LineWatch

TEXT = """\
def f(n):
    total = 0
    for one in range(n):
        total += one
    return total
"""


def watched(*arguments: int, file: str = "counted.py") -> set[int]:
    namespace: dict = {}
    before = sys.gettrace()
    exec(compile(TEXT, "counted.py", "exec"), namespace)
    with LineWatch(file) as found:
        namespace["f"](*arguments)
    assert sys.gettrace() is before
    return found


def test_the_lines_of_one_file_are_noted():
    assert watched(0) == {2, 3, 5} and watched(2) == {2, 3, 4, 5}
    assert watched(2, file="other.py") == set()


def test_nothing_is_noted_after_some_lines(monkeypatch):
    monkeypatch.setattr(lines, "MOST", 2)
    assert watched(2) == {2, 3}


def test_calls_that_come_to_few_lines_are_varied_last():
    idle = Inputs((0,), ("int",), lines=frozenset({2, 3, 5}))
    full = Inputs(([2],), ("list",), lines=frozenset({2, 3, 4, 5}))
    assert sorted([idle, full], key=lambda one: cost(one, 4)) == [full, idle]
    assert (-2, "4") in full.ways and (-2, "4") not in idle.ways
