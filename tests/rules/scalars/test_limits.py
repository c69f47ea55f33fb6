"""The limits of dtypes: Python numbers in torch, and beside those that were taken out of tensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

SOURCE = """\
import numpy as np


def check_axis(axis):
    near = 10.0 * np.finfo(float).eps
    length = np.linalg.norm(axis[:3])
    if abs(length - 1.0) > near and abs(length) > np.finfo(float).eps:
        raise ValueError("The length is %g." % length)
    return near, length


def sums():
    return np.zeros(2, dtype=np.float32) + np.finfo(float).eps


check_axis(np.ones(6) / np.sqrt(3))
"""


def test_limits_beside_numbers_that_were_taken_out():
    """They were taken out as well, of a float; single precision elsewhere made a tensor of that."""
    (result,) = convert_project([SourceFile(Path("axes.py"), "axes", SOURCE)], Settings())
    assert "eps.item()" not in result.after
    before: dict[str, object] = {}
    after: dict[str, object] = {}
    exec(SOURCE, before)
    exec(result.after, after)
    axis = [0.6, 0.8, 0.0, 1.0, 2.0, 3.0]
    expected = before["check_axis"](np.array(axis))  # type: ignore[operator]
    got = after["check_axis"](torch.tensor(axis, dtype=torch.float64))  # type: ignore[operator]
    assert [float(one) for one in got] == [float(one) for one in expected]
    assert str(after["sums"]().dtype) == f"torch.{before['sums']().dtype}"  # type: ignore[operator]
