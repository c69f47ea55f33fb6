"""The house rules that no other tool holds: what is imported when, and how large a room may be."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.paths import ROOT

HEAVY = {"numpy", "torch", "scipy"}
LONGEST_MODULE = 500


def imported_by(code: str) -> set[str]:
    """Top-level names of all modules that a fresh interpreter imports for some code."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("src", "cli"))}
    command = [sys.executable, "-X", "importtime", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    assert len(lines) > 10, done.stderr
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def test_the_command_line_imports_nothing_heavy():
    found = imported_by("import np2torch_cli")
    assert "click" in found
    assert not found & (HEAVY | {"libcst", "rich", "pathspec"})


def test_converting_imports_neither_numpy_nor_torch(tmp_path):
    """Not even when it converts: the facts about both come from a table."""
    (tmp_path / "a.py").write_text("import numpy as np\n\n\ndef f(x):\n    return np.exp(np.zeros(3)) + x\n")
    convert = f"import np2torch_cli\ntry:\n    np2torch_cli.cli(['convert', {str(tmp_path)!r}])\n"
    found = imported_by(convert + "except SystemExit as done:\n    assert done.code == 1, done.code\n")
    assert "libcst" in found
    assert not found & HEAVY


@pytest.mark.parametrize("package", ["src", "cli"])
def test_no_module_is_too_long(package):
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for path in (ROOT / package).rglob("*.py")
        if (lines := len(path.read_text("utf-8").splitlines())) > LONGEST_MODULE
    }
    assert not long


def test_every_problem_code_is_documented():
    from np2torch.source.model import PROBLEM_CODES

    page = (ROOT / "docs" / "codes.md").read_text("utf-8")
    assert [code for code in PROBLEM_CODES if code not in page] == []
