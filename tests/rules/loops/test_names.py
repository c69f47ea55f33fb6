"""Names that a loop binds: nothing is handed back to what binds the name anew before it reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TEXT = """import numpy as np


def f(x, known):
    {before}
    {around}
        for i in range(1, len(x)):
            v = x[i] + x[i - 1]
            x[i] = v
        {after}
    return x


f(np.ones(3), 1)
"""


@pytest.mark.parametrize(
    ("parts", "in_numpy"),
    [
        ({"after": "v = x.sum(); x[0] = v"}, True), ({"after": "v, w = x.sum(), 1; x[0] = v"}, True),
        ({"after": "x[0] = v"}, True), ({"after": "x[0] = v; v = 1"}, True), ({"after": "x[0] = abs(-v)"}, True),
        ({"after": "x[0] = abs(known) + v"}, False), ({"after": "x[0] = known and v"}, False),
        ({"after": "x[0] = v if known else 1"}, False), ({"after": "x[0] = 1 < known < v"}, False),
        ({"after": "if known: v = x.sum()\n        x[0] = v"}, False),
        ({"after": "x[0] = 1\n    x[0] = v"}, False), ({"after": "v = 2.0\n    x[0] = v"}, False),
    ],
)  # fmt: skip
def test_what_is_bound_anew_does_not_come_back(parts: dict[str, str], in_numpy: bool):
    filled = {"before": "pass", "around": "if known:", **parts}
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", TEXT.format(**filled))], Settings(closed=("*",)))
    assert not done.problems
    assert ("numpy_view" in done.after) is in_numpy


def test_a_read_further_up_in_a_loop_around_sees_it():
    text = TEXT.format(before="v = x[0]", around="while known > 0:\n        yield v", after="v = x[0]")
    source = SourceFile(Path("m.py"), "m.py", text.replace("v = x[0]\n    return", "known -= 1\n    return"))
    (done,) = convert_project([source], Settings(closed=("*",)))
    assert "v = shim.from_numpy(v)" in done.after


def test_a_name_that_no_pass_has_bound_is_the_same_error_when_it_is_read():
    text = TEXT.format(before="pass", around="if known:", after="x[0] = v")
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert "numpy_view" in done.after
    for side, library in ((text, np), (done.after, torch)):
        names: dict[str, Any] = {}
        exec(side, names)
        assert names["f"](library.ones(3), 1)[0] == 3
        with pytest.raises(UnboundLocalError):
            names["f"](library.ones(1), 1)
