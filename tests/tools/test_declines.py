"""The tool that shows why rules decline."""

from __future__ import annotations

import declines

TEXT = """import numpy as np


def f(x):
    return np.diff(x, prepend=0)


f(np.ones(3))
"""


def test_the_line_the_rule_and_the_reason_are_printed(tmp_path, capsys):
    path = tmp_path / "m.py"
    path.write_text(TEXT)
    declines.main(path)
    assert capsys.readouterr().out == "line 5: numpy.diff: prepend= has no torch spelling\n"
    path.write_text(TEXT.replace(", prepend=0", ""))
    declines.main(path)
    assert capsys.readouterr().out == "no rule declined\n"
