"""The recorders that find whoever holds an element view run in converted programs, and find who does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import poison

PROGRAM = """\
import numpy as np


def first(x):
    k = x[0]
    return k * 2 + x[1] * x[2]


print(first(np.arange(3.0)))
"""


def test_a_program_is_converted_with_recorders_that_find_a_kept_view(tmp_path: Path) -> None:
    """As it is converted nobody holds a view; where the view of one expression is kept, it is found."""
    (tmp_path / "pyproject.toml").write_text("")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    here = Path(poison.__file__)
    subprocess.run([sys.executable, str(here), "program.py"], cwd=tmp_path, check=True, capture_output=True)

    def findings() -> str:
        found = tmp_path / "findings.txt"
        path = os.pathsep.join([str(here.parent), *filter(None, sys.path)])
        names = {**os.environ, "NP2TORCH_POISON": str(found), "PYTHONPATH": path}
        subprocess.run([sys.executable, "program.py"], cwd=tmp_path, env=names, check=True, capture_output=True)
        said = found.read_text()
        found.unlink()
        return said

    assert findings().startswith("# 0 findings, {'views': 3")
    held = program.read_text().replace('__import__("poison").view(x[2]', '(KEPT := __import__("poison").view(x[2]', 1)
    program.write_text(held.replace('x[2], "program:6")', 'x[2], "program:6"))', 1))
    assert "program:6: still held" in findings()
