"""The comparison of two revisions sees a change of one byte, and nothing where there is none."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT


def compared(one: Path, other: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the tool on two checkouts."""
    command = [sys.executable, "tools/compare_revisions.py", str(one), str(other), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_it_finds_the_differences(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import numpy as np\n\n\ndef main():\n    return np.sort(np.arange(6.0), axis=0)\n")
    other = tmp_path / "other"
    for part in ("src", "cli"):
        shutil.copytree(ROOT / part, other / part, ignore=shutil.ignore_patterns("__pycache__"))
    options = [str(program), "--only", str(program)]
    same = compared(ROOT, other, *options)
    assert same.returncode == 0 and "1 conversions, 1 files, 0 differ" in same.stdout, same.stdout + same.stderr
    rule = next(path for path in (other / "src/np2torch/rules").glob("*.py") if '"sort"' in path.read_text("utf-8"))
    rule.write_text(rule.read_text("utf-8").replace('"sort"', '"no_longer_sort"'), "utf-8")
    changed = compared(ROOT, other, *options)
    assert changed.returncode == 1 and "program.py" in changed.stdout and "1 differ" in changed.stdout, changed.stdout
    assert "+" in changed.stdout and "sort" in changed.stdout
    (other / "cli/np2torch_cli/__init__.py").write_text("raise SystemExit(9)\n")
    assert compared(ROOT, other, *options).returncode == 2
