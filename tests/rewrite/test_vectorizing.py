"""The stage that makes whole-array code: text, lines and settings."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Settings, SourceFile

TEXT = """import numpy as np


def scaled(x, c):
    y = np.zeros(len(x))

    for i in range(len(x)):
        # all of them
        y[i] = c * x[i]
    return np.sum(y)


def kept(x):
    for i in range(1, len(x)):
        x[i] = 0.5 * x[i - 1]
    return np.mean(x)


scaled(np.ones(5), 2.0)
kept(np.ones(5))
"""


def converted(text: str, **settings: object) -> Converted:
    file = SourceFile(Path("m.py"), "m.py", text)
    return next(iter(convert_project([file], Settings(vectorize=True, **settings))))  # type: ignore[arg-type]


def test_loops_become_torch_code():
    done = converted(TEXT, closed=("*",))
    assert "y[:] = c * x[:]" in done.after and "# all of them" in done.after
    assert done.before == TEXT
    space: dict[str, object] = {}
    exec(compile(done.after, "m.py", "exec"), space)
    assert space["scaled"](torch.ones(3, dtype=torch.float64), 2.0) == 6  # type: ignore[operator]


@pytest.mark.parametrize("closed", [("*",), ()])
def test_lines_are_those_of_the_text_before(closed: tuple[str, ...]):
    done = converted(TEXT, closed=closed)
    lines = TEXT.split("\n")
    for site in done.sites:
        if site.text:
            assert site.text.split("(")[0].split("[")[0] in lines[site.line - 1]
    assert [(one.line, one.code) for one in done.remarks if one.code > "NPT604"] == [(7, "NPT605"), (14, "NPT606")]


def test_it_is_off_by_default():
    file = SourceFile(Path("m.py"), "m.py", TEXT)
    done = next(iter(convert_project([file], Settings(closed=("*",)))))
    assert "for i in range(len(x" in done.after


def test_newlines_are_kept():
    done = converted(TEXT.replace("\n", "\r\n"))
    assert done.after.count("\n") == done.after.count("\r\n")


def test_a_loop_beside_other_code_stays():
    text = TEXT.replace('        # all of them\n', "        '''all\n        of them'''\n")
    assert "goes over several lines" in next(one.message for one in converted(text).remarks if one.line == 7)
