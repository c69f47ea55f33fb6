"""What a project is known to do, where the analysis itself goes wrong."""

from __future__ import annotations

import pytest

from np2torch.facts.interpreter import operators
from support.conversions import convert_files

CALLING = """
import numpy as np
from other import halved

print(halved(2 ** 3))
"""
CALLED = """
import numpy as np

def halved(x):
    return np.sqrt(x) / 2

print(halved(np.ones(3)))
"""
RETURNED = "return torch.sqrt(x) / 2"


def test_a_defect_of_the_analysis_leaves_its_file_and_is_said(monkeypatch: pytest.MonkeyPatch):
    """What the file calls is not known by its other callers alone."""
    files = {"calling.py": CALLING, "other.py": CALLED}
    alone = convert_files({"other.py": CALLED})["other.py"]
    assert RETURNED in alone.after

    def fail(*_: object) -> None:
        raise ValueError("a defect")

    monkeypatch.setattr(operators, "_folded", fail)
    found = convert_files(files)
    (problem,) = found["calling.py"].problems
    assert problem.code == "NPT906" and "ValueError in test_analysed.py" in problem.message
    assert not found["calling.py"].is_changed
    assert not found["other.py"].problems and RETURNED not in found["other.py"].after
