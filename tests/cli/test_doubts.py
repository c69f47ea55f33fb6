"""What was not looked at is never clean, and what means nothing is never passed over in silence."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from np2torch_cli import VERBS, cli
from support.paths import ROOT

OLD = "import numpy as np\na = np.ones(3)\nb = np.exp(np.zeros(3))\n"
PATHS = os.pathsep.join(str(ROOT / part) for part in ("src", "cli"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATHS, "TERM": "xterm"}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run np2torch in a folder of its own, in which there is a file to convert."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(OLD)

    def invoke(*arguments: str, stdin: bytes | None = None) -> Result:
        result = CliRunner().invoke(cli, arguments, input=stdin)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return invoke


# ------------------------------------------------------------------------------------------------ nothing read
@pytest.mark.parametrize("verb", ["check", "convert"])
@pytest.mark.parametrize("names", [(), ("notes.txt",), ("build/m.py",), ("excluded.py",)])
def test_no_files_are_no_clean_project(run, tmp_path, verb, names):
    folder = tmp_path / "empty"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.np2torch]\nexclude = ['excluded.py']\n")
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(OLD)
    done = run(verb, "empty")
    assert done.exit_code == 0 and "warning: no Python files found under the paths given" in done.stderr
    assert "No convertible NumPy" not in done.stderr
    assert json.loads(run(verb, "--output-format", "json", "empty").stdout)["warnings"]


def test_what_is_no_notebook_is_not_read(run, tmp_path):
    (tmp_path / "nb.ipynb").write_text('{"cells": ["import numpy as np"]}')
    done = run("check", "nb.ipynb")
    assert done.exit_code == 2 and "nb.ipynb: NPT910 not read: not a notebook: it has no nbformat" in done.stdout
    assert "No convertible NumPy left" not in done.stderr


def test_what_could_not_be_handled_is_not_clean(run, tmp_path):
    (tmp_path / "a.py").write_text("import numpy\ndef f(:\n")
    assert "1 could not be handled" in run("check", "a.py").stderr


def test_nothing_that_differs(run, tmp_path):
    git = ["git", "-c", "user.name=n", "-c", "user.email=n@n"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *arguments], cwd=tmp_path, check=True)
    done = run("check", "--since", "HEAD", ".")
    assert done.exit_code == 0
    assert done.stderr == "warning: none of the files given differs from HEAD\nNothing was checked.\n"
    assert run("check", "--since", "nowhere", ".").exit_code == 2


# -------------------------------------------------------------------------------------------- without a meaning
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "--select", "NPT77", "a.py"), "There is no code that begins with NPT77"),
        (("check", "--ignore", "NPT120,NPT19", "a.py"), "There is no code that begins with NPT19"),
        (("check", "--select", "", "a.py"), "'' is no code"),
        (("check", "--trace", "a.py", "a.py"), "a.py: nothing that `np2torch trace` has written"),
        (("check", "--trace", "odd.json", "a.py"), "odd.json: nothing that `np2torch trace` has written"),
        (("check", "--trace", "a.py", "--no-trace", "a.py"), "--trace and --no-trace exclude each other"),
        (("check", "--only", "b.py", "a.py"), "b.py: none of the files that were given"),
        (("check", "--only", "a.py::", "a.py"), "after '::' a function or class"),
        (("check", "a.py::g"), "a.py::g: no function or class of that name"),
        (("check", "--stdin-filename", "x.py", "a.py"), "--stdin-filename names standard input"),
        (("check", "--since", "HEAD", "-"), "--only and --since choose among files"),
        (("check", "--statistics", "--output-format", "json", "a.py"), "--statistics is text"),
        (("check", "--device", "gpu", "a.py"), "'gpu' is no device"),
        (("convrt", "a.py"), "There is no command 'convrt'; did you mean 'convert'?"),
        (("xyz",), "There is no command 'xyz'."),
        (("apis", "np.lnalg"), "NumPy has no public name np.lnalg; did you mean 'linalg'?"),
        (("apis", ""), "NumPy has no public name"),
        (("explain", "NPT999"), "There is no code NPT999"),
        (("explain", "NPT12"), "There is no code NPT12; NPT120, NPT121"),
        (("explain", "NTP120"), "did you mean NPT120?"),
        (("explain", "a.py"), "give a line, a.py:1"),
        (("explain", "a.py:99"), "a.py has 3 lines"),
        (("explain", "NPT120", "a.py"), "takes no PATHS"),
        (("verify", "--timeout", "0", "a.py", "a.py"), "--timeout"),
    ],
)
def test_wrong_usage_says_what_is_wrong(run, arguments, message):
    Path("odd.json").write_text('{"version": 1, "files": {"a.py": {"digest": 3}}}')
    done = run(*arguments)
    assert done.exit_code == 2 and message in done.stderr.replace("\n", " "), done.stderr


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('[tool.np2torch.types]\n"nomod.f.x" = "float64"', "pyproject.toml: types: no module for 'nomod.f.x'"),
        ('[tool.np2torch]\npublic-modules = ["apkg"]', "pyproject.toml: public-modules: no module for 'apkg'"),
    ],
)
def test_settings_for_modules_that_are_not_there(run, settings, message):
    Path("pyproject.toml").write_text(settings)
    done = run("check", "a.py")
    assert done.exit_code == 1 and f"warning: {message}" in done.stderr
    Path("pyproject.toml").write_text(settings.replace("nomod", "other").replace("apkg", "other"))
    Path("other.py").write_text("")  # of the project, only not among the files of this run
    assert "warning" not in run("check", "a.py").stderr


def test_a_type_for_a_name_that_is_not_there_is_reported_by_check(run):
    Path("pyproject.toml").write_text('[tool.np2torch.types]\n"a.f.x" = "float64"')
    assert "NPT504 f.x: nothing of that name is bound in a" in run("check", "a.py").stdout


def test_codes_that_are_none_in_the_settings(run):
    Path("pyproject.toml").write_text('[tool.np2torch]\nignore = ["NPT77"]')
    assert run("check", "a.py").exit_code == 2


def test_what_says_nothing_of_these_files(run):
    Path("trace.json").write_text('{"version": 1, "files": {"x.py": {"digest": "0", "functions": {}}}}')
    assert "warning: --trace trace.json: it says nothing" in run("check", "--trace", "trace.json", "a.py").stderr
    Path("other.toml").write_text("")
    assert "warning: --config other.toml: it has no table" in run("check", "--config", "other.toml", "a.py").stderr


# ------------------------------------------------------------------------------------------------ nearest settings
@pytest.fixture
def tree(tmp_path):
    """A project with settings in two of its folders."""
    for folder in ("one", "two", "two/deep"):
        (tmp_path / folder).mkdir()
        for name in ("m.py", "gone.py"):
            (tmp_path / folder / name).write_text(OLD)
    (tmp_path / "pyproject.toml").write_text('[tool.np2torch]\nselect = ["NPT120"]\nexclude = ["gone.py", "a.py"]\n')
    (tmp_path / "two" / "pyproject.toml").write_text('[tool.np2torch]\nselect = ["NPT101"]\nfloat = "float32"\n')
    (tmp_path / "one" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    return tmp_path


def _found(done: Result) -> set[tuple[str, str]]:
    lines = [line.split(":") for line in done.stdout.splitlines() if "NPT514" not in line]
    return {(line[0], line[3].split()[0]) for line in lines}


def test_the_nearest_settings_decide_on_each_file(run, tree):
    nested = {(f"two/{name}", "NPT101") for name in ("m.py", "gone.py", "deep/m.py", "deep/gone.py")}
    done = run("check", ".")
    assert _found(done) == {("one/m.py", "NPT120"), *nested}
    assert "warning: two/pyproject.toml: float holds for a whole run: pyproject.toml and options decide" in done.stderr
    assert _found(run("check", "one", "two")) == {("one/m.py", "NPT120"), *nested}
    assert _found(run("check", "one/gone.py", "two/gone.py", "--force-exclude")) == {("two/gone.py", "NPT101")}
    assert _found(run("check", "two")) == nested


def test_a_file_by_itself_is_all_that_is_spoken_of(run, tree):
    (tree / "nb.ipynb").write_text("{}")
    assert "nb.ipynb" in run("check", ".").stdout
    done = run("check", "one/m.py")
    assert _found(done) == {("one/m.py", "NPT120")} and "warning" not in done.stderr
    done = run("check", "one/m.py", "two/m.py")
    assert _found(done) == {("one/m.py", "NPT120"), ("two/m.py", "NPT101")} and "two/pyproject.toml" in done.stderr


def test_options_and_a_file_that_is_named_decide_for_all(run, tree):
    assert {code for _, code in _found(run("check", ".", "--select", "NPT101"))} == {"NPT101"}
    assert _found(run("check", ".", "--config", "pyproject.toml")) == {
        ("one/m.py", "NPT120"), ("two/m.py", "NPT120"), ("two/deep/m.py", "NPT120"),
    }  # fmt: skip


# --------------------------------------------------------------------------------------------------- names
def test_one_name_for_the_format(run):
    for verb in VERBS:
        page = run(verb, "--help").stdout
        assert " --format" not in page
        without = ("trace", "annotate", "migrate", "vendor", "server", "clean")
        assert ("--output-format" in page) == (verb not in without)
    assert run("check", "--format", "json", "a.py").stdout == run("check", "--output-format", "json", "a.py").stdout


def test_codes_in_any_case(run):
    assert run("explain", "npt120").stdout == run("explain", "NPT120").stdout != ""
    assert run("check", "--select", "npt120", "a.py").stdout == run("check", "--select", "NPT120", "a.py").stdout


def test_the_package_runs_as_a_module(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "np2torch", "convrt"], capture_output=True, text=True, env=ENVIRONMENT, cwd=tmp_path
    )
    assert done.returncode == 2 and "Usage: np2torch " in done.stderr and "did you mean 'convert'?" in done.stderr


def test_what_is_left_is_explained(run):
    Path("a.py").write_text("import numpy as np\na = np.ones(3)  # np2torch: skip\n")
    done = run("explain", "a.py:2")
    assert done.exit_code == 0 and "a pragma leaves this on NumPy as it is" in done.stdout


def test_broken_settings_below_are_one_line(run):
    Path("below").mkdir()
    Path("below/pyproject.toml").write_text("[tool.np2torch]\nselct = []\n")
    Path("below/b.py").write_text(OLD)
    for arguments in (("check", "."), ("explain", "a.py:2", ".")):
        done = run(*arguments)
        assert done.exit_code == 2 and "unknown key 'selct' in [tool.np2torch]; did you mean 'select'?" in done.stderr


# ------------------------------------------------------------------------------------------------------- the bar
SLOW = """
import time
import np2torch.rewrite.incremental as steps
import np2torch_cli

def slowly(self, progress=None):
    time.sleep(4)
    return iter(())

steps.Steps.run = slowly
np2torch_cli.cli(["check", "a.py"])
"""


@pytest.mark.long
def test_a_bar_appears_before_there_is_progress(run, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execve(sys.executable, [sys.executable, "slow.py"], ENVIRONMENT)
    shown, first, since = b"", None, time.monotonic()
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # the end, on Linux
            break
        shown += data
        if first is None and b"Converting" in shown:
            first = time.monotonic() - since
        if not data:
            break
    os.waitpid(pid, 0)
    assert first is not None and first < 4
    done = subprocess.run([sys.executable, "slow.py"], cwd=tmp_path, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.stdout == "" and done.stderr == "No convertible NumPy left.\n"
