"""The verbs as processes see them: exit codes, streams, files. The engine is a stand-in with a known answer."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from np2torch import __version__
from np2torch.source.model import Converted, Problem, Site
from np2torch_cli import VERBS, cli

OLD = "import numpy as np\r\ny = np.exp(x)\r\n"
NEW = "import torch\r\ny = torch.exp(x)\r\n"
FUNCTION = "def f(x):\n    return x + 1\n"
TODO = "import numpy as np\nt = np.datetime64('2024-01-01')\n"
seen_settings = []


def stand_in(files, settings, progress=None):
    """Turn np.exp into torch.exp, find datetime64 a TODO, and look at no file without NumPy."""
    seen_settings.append(settings)
    for done, file in enumerate(files, 1):
        if not file.mentions_numpy:
            continue
        try:
            ast.parse(file.text)
        except SyntaxError as error:
            problem = Problem(file.path, error.lineno, error.offset, "NPT903", f"syntax error: {error.msg}")
            yield Converted(file.path, file.text, file.text, (), (problem,))
            continue
        after, sites = file.text, []
        if "np.exp" in file.text:
            after = after.replace("import numpy as np", "import torch").replace("np.", "torch.")
            sites.append(Site(2, 5, "native", "NPT101", "np.exp", "torch.exp"))
        if "datetime64" in file.text:
            sites.append(Site(2, 5, "todo", "NPT303", "np.datetime64", "no counterpart"))
        yield Converted(file.path, file.text, after, tuple(sites), ())
        if progress:
            progress(done, len(files))


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run np2torch in a folder of its own."""
    monkeypatch.setattr("np2torch.rewrite.convert.convert_project", stand_in)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)

    def invoke(*arguments: str, stdin: bytes | None = None) -> Result:
        result = CliRunner().invoke(cli, arguments, input=stdin)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    (tmp_path / "a.py").write_bytes(OLD.encode())
    (tmp_path / "plain.py").write_text("x = 1\n")
    return invoke


# ------------------------------------------------------------------------------------------------ convert
@pytest.mark.parametrize("flags", [(), ("--diff",)])
def test_the_diff_is_the_default_and_writes_nothing(run, tmp_path, flags):
    result = run("convert", *flags, ".")
    assert result.exit_code == 1
    assert result.stdout_bytes == (
        b"--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n"
        b"-import numpy as np\r\n-y = np.exp(x)\r\n+import torch\r\n+y = torch.exp(x)\r\n"
    )
    assert "1 file would change, 0 unchanged, 1 skipped (no NumPy)" in result.stderr
    assert "1 site: native 1  cast 0  shim 0  boundary 0  todo 0" in result.stderr
    assert (tmp_path / "a.py").read_bytes() == OLD.encode()


def test_no_diff_exits_with_0(run):
    result = run("convert", "plain.py")
    assert (result.exit_code, result.stdout) == (0, "")


def test_colour_on_request(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert b"\x1b[32m+import torch\x1b[0m\n" in run("convert", ".").stdout_bytes
    monkeypatch.setenv("NO_COLOR", "1")
    assert b"\x1b" not in run("convert", ".").stdout_bytes


def test_writing(run, tmp_path):
    result = run("convert", "--write", ".")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "1 file changed" in result.stderr
    assert (tmp_path / "a.py").read_bytes() == NEW.encode()
    assert (tmp_path / "plain.py").read_text() == "x = 1\n"


def test_written_todos_exit_with_1_unless_told_otherwise(run, tmp_path):
    (tmp_path / "b.py").write_text(TODO)
    result = run("convert", "--write", ".")
    assert result.exit_code == 1
    assert "1 TODO left to you:\n  b.py:2:5: NPT303 np.datetime64: no counterpart\n" in result.stderr
    assert run("convert", "--write", "--exit-zero", ".").exit_code == 0
    assert run("convert", "b.py").exit_code == 0  # nothing to change: no diff


def test_one_bad_file_does_not_stop_the_others(run, tmp_path):
    (tmp_path / "bad.py").write_text("import numpy as np\ndef f(:\n")
    (tmp_path / "worse.py").write_bytes(b"x = '\xff'\n")
    result = run("convert", "--write", "--exit-zero", "--quiet", ".", "missing.py")
    assert result.exit_code == 2
    assert "bad.py:2:7: NPT903 syntax error" in result.stderr
    assert "worse.py:1:6: NPT901 cannot decode" in result.stderr
    assert "missing.py: NPT902 no such file or folder" in result.stderr
    assert len(result.stderr.splitlines()) == 3
    assert (tmp_path / "a.py").read_bytes() == NEW.encode()


def test_an_output_folder_gets_the_whole_tree(run, tmp_path):
    (tmp_path / "pkg" / "sub").mkdir(parents=True)
    (tmp_path / "pkg" / "sub" / "b.py").write_bytes(OLD.encode())
    (tmp_path / "pkg" / "c.py").write_text("x = 1\n")
    assert run("convert", "--output-dir", "out", "pkg").exit_code == 0
    assert (tmp_path / "out" / "sub" / "b.py").read_bytes() == NEW.encode()
    assert (tmp_path / "out" / "c.py").read_text() == "x = 1\n"
    assert (tmp_path / "pkg" / "sub" / "b.py").read_bytes() == OLD.encode()
    assert run("convert", "--output-dir", "both", "pkg", "a.py").exit_code == 0
    assert sorted(p.relative_to(tmp_path / "both").as_posix() for p in (tmp_path / "both").rglob("*.py")) == [
        "a.py", "pkg/c.py", "pkg/sub/b.py",
    ]  # fmt: skip
    assert run("convert", "--output-dir", "out", ".").exit_code == 0  # what lies in out/ is not taken again
    assert not (tmp_path / "out" / "out").exists()


def test_requirements_outside_of_what_is_converted_stay_out_of_the_output_folder(run, tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "b.py").write_bytes(OLD.encode())
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1"\ndependencies = ["numpy"]\n')
    result = run("convert", "--output-dir", "out", "pkg")
    assert result.exit_code == 0 and "warning: pyproject.toml is outside of what is converted" in result.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.py"]


def test_json(run):
    result = run("convert", "--output-format", "json", ".")
    document = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (1, "")
    assert document["files"][0]["path"] == "a.py" and document["files"][0]["diff"].startswith("--- a.py\n")
    assert document["summary"]["outcomes"]["native"] == 1


def test_standard_input_is_filtered_byte_for_byte(run):
    data = b"\xef\xbb\xbf" + OLD.encode()
    result = run("convert", "-", stdin=data)
    assert (result.exit_code, result.stdout_bytes) == (0, b"\xef\xbb\xbf" + NEW.encode())
    assert "1 file changed" in result.stderr
    latin = b"# coding: latin-1\nname = '\xe9'\n"
    assert run("convert", "-q", "-", stdin=latin).stdout_bytes == latin
    assert run("convert", "-q", "-", stdin=b"").stdout_bytes == b""


def test_standard_input_has_a_name(run):
    result = run("convert", "--stdin-filename", "pkg/m.py", "--diff", "-", stdin=OLD.encode())
    assert result.exit_code == 1 and result.stdout.startswith("--- pkg/m.py\n")
    result = run("convert", "--stdin-filename", "m.py", "-", stdin=b"import numpy\ndef f(:\n")
    assert result.exit_code == 2 and "m.py:2:7: NPT903" in result.stderr
    assert result.stdout_bytes == b"import numpy\ndef f(:\n"  # an editor must not lose the text


@pytest.mark.parametrize(
    "arguments",
    [
        ("convert",),
        ("convert", "--write", "--diff", "."),
        ("convert", "--write", "--output-dir", "out", "."),
        ("convert", "--write", "-"),
        ("convert", "-", "a.py"),
        ("convert", "--jobs", "-1", "."),
        ("convert", "--select", "E501", "."),
        ("convert", "--config", "none.toml", "."),
        ("check", "--output-format", "xml", "."),
        ("verify", "a.py"),
        ("verify", "a.py", "none.py"),
        ("transmogrify",),
    ],
)
def test_wrong_usage_exits_with_2(run, arguments):
    result = run(*arguments, stdin=b"")
    assert result.exit_code == 2 and "Error: " in result.stderr and result.stdout == ""


def test_settings_come_from_the_project_and_the_command_line_wins(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.np2torch]\nindirect = true\njobs = 4\nselect = ["NPT1"]\n')
    run("convert", ".")
    assert (seen_settings[-1].indirect, seen_settings[-1].jobs, seen_settings[-1].select) == (True, 4, ("NPT1",))
    run("convert", "--indirect", "-j", "0", "--select", "NPT2,NPT3", "--ignore", "NPT6", ".")
    last = seen_settings[-1]
    assert (last.indirect, last.jobs, last.select, last.ignore) == (True, 0, ("NPT2", "NPT3"), ("NPT6",))
    (tmp_path / "pyproject.toml").write_text("[tool.np2torch]\njosb = 4\n")
    result = run("convert", ".")
    assert result.exit_code == 2 and "unknown key 'josb'" in result.stderr


# ------------------------------------------------------------------------------------------------ check
def test_check_lists_and_never_edits(run, tmp_path):
    (tmp_path / "b.py").write_text(TODO)
    result = run("check", ".")
    assert result.exit_code == 1
    assert result.stdout == "a.py:2:5: NPT101 np.exp: torch.exp\n"  # the TODO is no finding
    assert result.stderr == "Found 1 convertible use of NumPy in 1 file.\n"
    assert (tmp_path / "a.py").read_bytes() == OLD.encode()
    assert run("check", "--exit-zero", ".").exit_code == 0


def test_check_is_clean_where_nothing_is_convertible(run, tmp_path):
    (tmp_path / "b.py").write_text(TODO)
    result = run("check", "plain.py", "b.py")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "No convertible NumPy left.\n")


def test_check_for_machines(run, tmp_path, monkeypatch):
    assert json.loads(run("check", "--output-format", "json", ".").stdout)["summary"]["sites"] == 1
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    result = run("check", "--output-format", "github", ".")
    assert result.stdout.startswith("::error file=a.py,line=2,col=5,title=NPT101::")
    assert "| NPT101 | 1 |" in (tmp_path / "summary.md").read_text()
    assert run("check", "--statistics", "-q", ".").stdout == "     1  NPT101\n"


def test_check_reads_standard_input(run):
    result = run("check", "--stdin-filename", "m.py", "-", stdin=OLD.encode())
    assert result.exit_code == 1 and result.stdout.startswith("m.py:2:5: NPT101")


def test_check_reports_what_it_could_not_read(run, tmp_path):
    (tmp_path / "bad.py").write_text("import numpy as np\ndef f(:\n")
    result = run("check", "--exit-zero", ".")
    assert result.exit_code == 2 and "bad.py:2:7: NPT903" in result.stdout


# ------------------------------------------------------------------------------------------------ verify
def test_verify_end_to_end(run, tmp_path):
    (tmp_path / "old.py").write_text("import numpy as np\nCASES = {'f': [(np.ones(2),)]}\n" + FUNCTION)
    (tmp_path / "new.py").write_text(FUNCTION)
    (tmp_path / "wrong.py").write_text("def f(x):\n    return x.float() + 1\n")
    result = run("verify", "--no-generate", "old.py", "new.py")
    assert result.exit_code == 0 and "1 of 1 comparisons agree" in result.stdout
    result = run("verify", "--output-format", "json", "old.py", "wrong.py")
    assert result.exit_code == 1
    assert json.loads(result.stdout)[0]["difference"] == "dtype float64 became float32"


# ------------------------------------------------------------------------------------------------ the frame
def test_version_and_help(run):
    assert run("--version").stdout == f"np2torch, version {__version__}\n"
    page = run("--help").stdout
    assert all(verb in page for verb in VERBS)
    for verb in VERBS:
        assert run(verb, "--help").exit_code == 0


def test_an_error_of_our_own_is_no_finding(run, monkeypatch, capsys):
    import np2torch_cli

    def broken(files, settings, progress=None):
        raise RuntimeError("broken")
        yield

    monkeypatch.setattr("np2torch.rewrite.convert.convert_project", broken)
    monkeypatch.setattr(sys, "argv", ["np2torch", "check", str(Path("a.py").absolute())])
    with pytest.raises(SystemExit) as caught:
        np2torch_cli.main()
    assert caught.value.code == 2 and "RuntimeError: broken" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------------- types
def test_types_and_assumptions_reach_the_engine(run):
    Path("a.py").write_text(OLD)
    Path("pyproject.toml").write_text('[tool.np2torch.types]\n"a.f.x" = "float64[n]"\n')
    assert run("convert", "--assume", "float", "a.py").exit_code == 1
    assert seen_settings[-1].types == (("a.f.x", "float64[n]"),)
    assert seen_settings[-1].assume == "float"


def test_a_type_that_is_none_is_an_error_in_one_line(run):
    Path("a.py").write_text(OLD)
    Path("pyproject.toml").write_text('[tool.np2torch.types]\n"a.f.x" = "flaot64[n]"\n')
    result = run("check", "a.py")
    assert result.exit_code == 2
    assert "types: a.f.x: 'flaot64' is no dtype" in result.stderr


PROGRAM = """
import atexit, gc, sys
from np2torch_cli import main

class Kept:
    def __del__(self):
        print("taken apart")

kept = Kept()
atexit.register(lambda: print("collecting" if gc.isenabled() else "not collecting"))
main()
"""


@pytest.mark.parametrize(
    ("verb", "printed"), [("check", ["not collecting"]), ("config", ["collecting", "taken apart"])]
)
def test_what_analyses_once_ends_at_once_with_its_output(tmp_path, verb, printed):
    (tmp_path / "old.py").write_text("import numpy as np\ny = np.exp(1.0)\n")
    command = [sys.executable, "-c", PROGRAM, verb, "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == (1 if verb == "check" else 0), done.stderr
    lines = done.stdout.splitlines()
    assert lines[-len(printed) :] == printed
    assert len(lines) > len(printed) and "taken apart" not in lines[: -len(printed)]
