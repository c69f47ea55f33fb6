"""Lists that a function makes for itself: a loop in NumPy takes them along only where nobody else has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TEXT = """import heapq
from collections import deque
import numpy as np


def f(x, start, kept):
    {made}
    while todo:
        i = {taken}
        x[i] = x[i] + 1
        if x[i] < 3:
            todo.append(i)
    return {result}


f(np.ones(3), np.argmax(np.ones(3)), [])
"""
PLAIN = {"made": "todo = [start]", "taken": "todo.pop()", "result": "x"}


def is_in_numpy(**parts: str) -> bool:
    text = TEXT.format(**PLAIN | parts)
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert not done.problems
    return "todo = shim.as_numpy(todo)" in done.after


@pytest.mark.parametrize(
    "parts",
    [
        {}, {"made": "todo = deque([start])", "taken": "todo.popleft()"}, {"taken": "heapq.heappop(todo)"},
        {"result": "x, len(todo)"}, {"made": "todo = []; todo.append(start)"}, {"taken": "todo.pop(0)"},
        {"made": "todo, more = [start], x"},
    ],
)  # fmt: skip
def test_a_list_of_its_own_goes_along(parts: dict[str, str]):
    assert is_in_numpy(**parts)


@pytest.mark.parametrize(
    "parts",
    [
        {"result": "x, todo"}, {"made": "todo = [start]; other = todo"}, {"made": "todo = kept"},
        {"made": "todo = [start]; kept.append(todo)"}, {"taken": "kept.count(todo)"}, {"made": "todo = [[start]]"},
        {"result": "[x, lambda: todo]"}, {"result": "x, todo[-1]"}, {"made": "todo, more = kept, []"},
        {"made": "(todo, more), x = ([start], 2), x"},
    ],
)  # fmt: skip
def test_a_list_that_others_may_have_stays(parts: dict[str, str]):
    assert not is_in_numpy(**parts)


READ_AFTER = """import numpy as np


def f(x):
    kept = []
    {above}
    for i in range(len(x)):
        {first}
        kept.append(x[i])
    {below}
    return {result}


f(np.ones((3, 2)))
"""
TAKING = {"above": "", "first": "if kept and kept[-1][0] > x[i, 1]: x[i] = kept[-1]", "below": "", "result": "kept"}


@pytest.mark.parametrize(
    ("parts", "comes_back"),
    [
        ({}, True), ({"result": "np.array(kept[1:])"}, True), ({"first": "x[i, 0] = 2"}, False),
        ({"above": "other = kept"}, False), ({"below": "kept = kept[1:]"}, False), ({"result": "lambda: kept"}, False),
    ],
)  # fmt: skip
def test_a_list_that_is_read_after_the_loop_comes_back(parts: dict[str, str], comes_back: bool):
    text = READ_AFTER.format(**TAKING | parts)
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert not done.problems
    assert ("kept = shim.from_numpy(kept)" in done.after) is comes_back


@pytest.mark.parametrize("around", ["for _ in range(2):\n        yield 1", "try:", "with np.errstate(all='ignore'):"])
def test_a_list_of_a_loop_in_a_block_that_goes_on_stays(around: str):
    lines = READ_AFTER.format(**TAKING).splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("    for"))
    inner = "".join("    " + line for line in lines[at : at + 3])
    tail = "    finally:\n        pass\n" if around == "try:" else ""
    text = "".join(lines[:at]) + f"    {around}\n{inner}{tail}" + "".join(lines[at + 3 :])
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert not done.problems
    assert "kept = shim.from_numpy(kept)" not in done.after


def test_a_list_that_only_the_loop_knows_holds_what_numpy_gives():
    text = """import numpy as np


def f(x, out):
    for i in range(len(x)):
        d = [x[i].copy() for _ in range(3)]
        queue = list(x[i])
        d[1] = d[0] * 2
        queue.extend(d[1])
        out[i] = d[1] + len(queue)
    return out


f(np.ones((5, 2)), np.zeros((5, 2)))
"""
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert "        d[1] = d[0] * 2\n        queue.extend(d[1])\n" in done.after and "numpy_view" in done.after


def test_a_list_of_the_loop_that_is_kept_elsewhere_is_not_its_own():
    text = """import numpy as np


def f(x, kept):
    for i in range(len(x)):
        d = kept[i]
        d[0] = x[i] * 2
    return kept


f(np.ones((5, 2)), [[np.zeros(2)] for _ in range(5)])
"""
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert "d[0] = x_np[i] * 2" not in done.after
