# ruff: noqa: E501 (tables of source texts)
"""What the text of a function says of its parameters: annotations, docstrings, use."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.facts import evidence
from np2torch.facts import values as v
from np2torch.rewrite.convert import analyse
from np2torch.rewrite.pipeline.analysed import Assumptions, interpret
from np2torch.rewrite.pipeline.parsed import parse_project
from np2torch.source.model import Settings, SourceFile
from support.facts import one


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x: np.ndarray):\n    show(x)\n", v.ARRAY),
        ("def f(x: 'np.ndarray'):\n    show(x)\n", v.ARRAY),
        ("import numpy.typing as npt\ndef f(x: npt.NDArray[np.float32]):\n    show(x)\n", v.array("float32")),
        ("from typing import Optional\ndef f(x: Optional[np.ndarray]):\n    show(x)\n", v.join(v.ARRAY, v.NONE)),
        ("def f(x: np.ndarray | None):\n    show(x)\n", v.join(v.ARRAY, v.NONE)),
        ("def f(x: str):\n    show(x)\n", v.TEXT),
        ("def f(x):\n    show(x)\n    return x.shape\n", v.ARRAY),
        ("def f(x):\n    show(x)\n    return x @ x\n", v.ARRAY),
        ("def f(x):\n    show(x)\n    return x[:, 0]\n", v.ARRAY),
        ("def f(x):\n    show(x)\n    return isinstance(x, list) or x.shape\n", v.TOP),
        ("def f(x):\n    show(x)\n    return x\n", v.TOP),
        ("def f(x):\n    '''Do.\n\n    Parameters\n    ----------\n    x : ndarray of shape (n, m)\n        It.\n    '''\n    show(x)\n", v.array(None, 2)),
        ("def f(x):\n    '''Do.\n\n    Parameters\n    ----------\n    x : 2-D ndarray\n    '''\n    show(x)\n", v.array(None, 2)),
        ("def f(x):\n    '''Do.\n\n    Args:\n        x (np.ndarray): it.\n    '''\n    show(x)\n", v.ARRAY),
        ("def f(x):\n    '''Do.\n\n    Parameters\n    ----------\n    x : array_like or float\n    '''\n    show(x)\n", v.join(v.ARRAY, v.TOP)),
    ],
)  # fmt: skip
def test_evidence(text, expected):
    assert one(text) == expected


TWICE = """
import numpy as np

def scale(x):
    '''Scale.

    Parameters
    ----------
    x : ndarray
    '''
    return np.exp(x) * 2
"""


def test_what_the_text_says_is_read_once_for_all_runs_of_a_project(monkeypatch):
    read: list[str] = []
    of_function = evidence.of_function

    def counted(node, *rest):
        read.append(node.name)
        return of_function(node, *rest)

    monkeypatch.setattr(evidence, "of_function", counted)
    work = analyse([SourceFile(Path("pkg.py"), "pkg.py", TWICE)], Settings())
    assert work.reasons and work.engine.guards, "it is run again behind a guard"
    assert read == ["scale"]
    (function,) = work.engine.functions.values()
    assert v.may(function.evidence["x"].fact, "array")


def test_what_a_run_finds_is_no_evidence_of_the_next_one():
    parsed = parse_project([SourceFile(Path("pkg.py"), "pkg.py", TWICE)], Settings())
    runs = [interpret(parsed, Assumptions()) for _ in range(2)]
    first, second = (function.evidence["x"] for run in runs for function in run.engine.functions.values())
    assert first.sources is second.sources
    first.settle(v.TEXT)
    assert "text" in v.kinds(first.found) and "text" not in v.kinds(second.found)
