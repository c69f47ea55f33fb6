"""What other programs run: the hooks of pre-commit and the action of GitHub."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from np2torch_cli import cli
from support.paths import ROOT

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
LIB = "import numpy as np\n\n\ndef _double(x):\n    return np.multiply(x, 2.0)\n"
USE = "import numpy as np\nfrom lib import _double\n\n\ndef _use():\n    return _double(np.ones(3))\n"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.np2torch]\nexclude = ["old.py"]\nclosed = ["**"]\n')
    (tmp_path / "lib.py").write_text(LIB)
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "old.py").write_text(USE)
    return tmp_path


def hook(name: str, *files: str) -> tuple[int, str]:
    """Run a hook as pre-commit does: its entry, and the staged files behind it."""
    program, *arguments = shlex.split(HOOKS[name]["entry"])
    assert program == "np2torch"
    done = CliRunner().invoke(cli, [*arguments, *files])
    return done.exit_code, done.output


def test_the_check_hook(folder):
    code, said = hook("np2torch-check", "lib.py", "old.py")
    assert code == 1 and said.count("lib.py:") >= 1 and "old.py" not in said and "use.py" not in said
    (folder / "pyproject.toml").write_text('[tool.np2torch]\nbaseline = "base.json"\nclosed = ["**"]\n')
    CliRunner().invoke(cli, ["check", ".", "--update-baseline"])
    assert hook("np2torch-check", "lib.py") == (0, "")
    (folder / "lib.py").write_text(f"{LIB}\n\nnew = np.sin(np.ones(3))\n")
    code, said = hook("np2torch-check", "lib.py", "use.py")
    assert code == 1 and [line.split()[2] for line in said.splitlines()] == ["np.sin:", "np.ones:"]


def test_one_staged_file_is_converted_with_all_that_is_known(folder):
    """`_double` is given float64 by the other file alone."""
    code, _ = hook("np2torch-convert", "lib.py")
    assert code == 0
    assert "return torch.multiply(x, 2.0)" in (folder / "lib.py").read_text()
    assert (folder / "use.py").read_text() == USE


def test_hooks_are_offered_stubs(folder):
    (folder / "lib.pyi").write_text("import numpy as np\n\ndef _double(x: np.ndarray) -> np.ndarray: ...\n")
    assert all("pyi" in one["types_or"] for one in HOOKS.values())
    code, said = hook("np2torch-check", "lib.pyi")
    assert code == 1 and "lib.pyi:3:" in said


@pytest.mark.parametrize("sarif", ["", "out.sarif"])
def test_the_action_checks(folder, sarif):
    """The step is run by bash, as on a runner, with the package of this repository."""
    step = ACTION["runs"]["steps"][-1]
    assert set(step["env"]) - {"NP2TORCH_CACHE_DIR"} == {"PATHS", "ARGS", "SARIF"}
    program = folder / "np2torch" / "bin" / "np2torch"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m np2torch "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    environment = {
        **os.environ, "RUNNER_TEMP": str(folder), "PATHS": "lib.py\nuse.py\n", "ARGS": "--ignore\nNPT120,NPT4",
        "SARIF": sarif, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'cli'}",
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
    }  # fmt: skip
    command = ["bash", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "::error file=lib.py,line=5" in done.stdout and "title=NPT120" not in done.stdout
    assert "### np2torch" in (folder / "summary.md").read_text()
    if sarif:
        assert json.loads((folder / sarif).read_text())["version"] == "2.1.0"


def test_the_action_takes_only_inputs_that_it_has():
    text = (ROOT / "action.yml").read_text("utf-8")
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text))
    assert used == set(ACTION["inputs"])
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "values reach a shell by its environment alone"


@pytest.mark.parametrize(
    ("words", "offered"), [("np2torch che", "plain,check"), ("np2torch check --base", "plain,--baseline")]
)
def test_shells_complete(words, offered):
    environment = {
        **os.environ, "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1),
        "_NP2TORCH_COMPLETE": "bash_complete", "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'cli'}",
    }  # fmt: skip
    command = [sys.executable, "-m", "np2torch"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines() == [offered]
