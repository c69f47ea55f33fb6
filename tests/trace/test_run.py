"""Traces: what is recorded, in which processes, and what a conversion makes of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from np2torch.facts import values as v
from np2torch.facts.trace_evidence import join_observations
from np2torch.rewrite.convert import convert_project
from np2torch.source.folder import digest, find
from np2torch.source.model import Settings, SourceFile
from np2torch.source.read import read_file
from np2torch.source.traces import NAME, FileTrace, load, save
from np2torch.trace.run import trace
from np2torch_cli import cli

LIBRARY = """\
import functools

import numpy as np


def norm(x, axis=None):
    \"\"\"A docstring stays one.\"\"\"
    return np.sqrt((x * x).sum(axis))


class Box:
    def __init__(self, low, high):
        self.low, self.__high = low, high

    @functools.lru_cache
    def size(self, *, pad=0):
        return self.__high - self.low + pad


def fails(x):
    raise ValueError(x)


def rows(x):
    for row in x:
        yield row


def outer(n):
    def inner(k):
        return k, [n]

    return inner(1.5)


half = lambda x: x / 2
"""
PROGRAM = """\
import importlib
import numpy as np

lib = importlib.import_module("lib")


def local(z):
    return z


if __name__ == "__main__":
    assert lib.norm.__doc__ == "A docstring stays one."
    lib.norm(np.arange(3.0))
    lib.norm(np.ones((2, 3), "f4"), 0)
    lib.Box(np.zeros(2), np.ones(2)).size(pad=1)
    try:
        lib.fails(np.array(["a"]))
    except ValueError:
        pass
    list(lib.rows(np.ones((2, 2), bool)))
    lib.outer(3)
    lib.half(np.float32(1))
    local(np.arange(2))
"""


def record(folder: Path, program: str, *arguments: str) -> dict[str, dict[str, list]]:
    """The functions of `lib` after a traced run of a program."""
    (folder / "lib.py").write_text(LIBRARY)
    (folder / "program.py").write_text(program)
    run = trace([sys.executable, *(arguments or ("program.py",))], folder)
    assert run.exit_code == 0
    traces = load(run.path)
    return {name.split(":")[0]: found for file in traces for name, found in traces[file].functions.items()}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("arguments", [("program.py",), ("-m", "program")])
def test_parameters_and_results_are_recorded(project, arguments):
    found = record(project, PROGRAM, *arguments)
    assert found["norm"]["x"] == [["array", "float64", 1], ["array", "float32", 2]]
    assert found["norm"]["axis"] == [["None"], ["int"]]
    assert found["norm"]["return"] == [["scalar", "float64"], ["array", "float32", 1]]
    assert found["Box.__init__"]["low"] == [["array", "float64", 1]]
    assert found["Box.size"] == {"pad": [["int"]], "return": [["array", "float64", 1]]}
    assert found["fails"] == {"x": [["array", "str32", 1]]}  # it gave nothing back
    assert found["rows"] == {"x": [["array", "bool", 2]]}
    assert found["outer.<locals>.inner"]["return"] == [["tuple", [["float"], ["list", [["int"]]]]]]
    assert found["<lambda>"]["return"] == [["scalar", "float32"]]
    if arguments[0] != "-m":
        assert found["local"]["z"] == [["array", "int64", 1]]


def test_processes_add_up_and_need_no_orderly_end(project):
    child = "import lib, os, numpy as np; lib.norm(np.ones((1, 2, 3, 4), 'i4')); os._exit(0)"
    lines = [
        "import os, subprocess, sys, lib, numpy as np",
        f"subprocess.run([sys.executable, '-c', {child!r}], check=True)",
        "if os.fork() == 0:",
        "    lib.norm(np.ones((2, 3, 4), 'u1')); os._exit(0)",
        "os.wait()",
    ]
    ranks = {tuple(one[1:]) for one in record(project, "\n".join(lines))["norm"]["x"]}
    assert ranks == {("int32", 4), ("uint8", 3)}
    record(project, "import lib, numpy as np\nlib.norm(np.int8(2))")
    kinds = {one[0] for file in load(find(project, NAME)).values() for one in file.functions["norm:6"]["x"]}
    assert kinds == {"array", "scalar"}
    trace([sys.executable, "-c", "import lib; lib.half(2.0)"], project, fresh=True)
    assert [list(file.functions) for file in load(find(project, NAME)).values()] == [["<lambda>:36"]]


def test_pytest_and_its_workers_are_recorded(project):
    (project / "lib.py").write_text(LIBRARY)
    (project / "test_lib.py").write_text(
        "import lib, numpy as np\n\n\ndef helper(x):\n    return lib.norm(x)\n\n\n"
        "def test_one():\n    assert helper(np.ones(3)) > 0\n\n\n"
        "def test_two():\n    assert helper(np.ones((3, 1))) > 0\n"
    )
    options = ["-q", "-p", "no:cacheprovider", "-n", "2"]
    run = trace([sys.executable, "-m", "pytest", *options], project)
    assert run.exit_code == 0
    found = {name: one for file in load(run.path).values() for name, one in file.functions.items()}
    both = [["array", "float64", 1], ["array", "float64", 2]]
    assert sorted(found["norm:6"]["x"]) == sorted(found["helper:4"]["x"]) == both


def test_another_sitecustomize_is_still_run(project, monkeypatch):
    (project / "site").mkdir()
    (project / "site" / "sitecustomize.py").write_text("import os\nos.environ['SEEN'] = 'yes'\n")
    monkeypatch.setenv("PYTHONPATH", str(project / "site"))
    run = trace([sys.executable, "-c", "import os, sys; sys.exit(os.environ['SEEN'] != 'yes')"], project)
    assert run.exit_code == 0


def test_the_recorder_brings_nothing_into_the_program(project):
    code = "import sys; sys.exit(any(m.split('.')[0] in ('np2torch', 'numpy', 'click') for m in sys.modules))"
    assert trace([sys.executable, "-c", code], project).exit_code == 0


# --------------------------------------------------------------------------------------------------- evidence
def converted(path: Path, text: str, functions: dict | None, digest_of: str | None = None, **more):
    """A conversion with a trace of these functions, of a file that nobody outside calls."""
    path.write_text(text)
    place = path.parent / ".np2torch" / "trace.json"
    if functions is not None:
        save(place, {path: FileTrace(digest(digest_of or text), functions)})
    file = read_file(path)
    assert isinstance(file, SourceFile)
    settings = Settings(root=path.parent, trace=place if functions is not None else None, unknown="shim")
    settings = replace(settings, **{"closed": ("m.py",), **more})
    return next(iter(convert_project([file], settings)))


HALVE = "import numpy as np\n\n\ndef halve(x, y):\n    return np.mean(x), np.add(y, 1)\n"


def test_a_trace_fills_in_and_what_rests_on_it_is_marked(tmp_path):
    plain = converted(tmp_path / "m.py", HALVE, None)
    assert "shim.mean(x)" in plain.after and not plain.remarks
    traced = converted(tmp_path / "m.py", HALVE, {"halve:4": {"x": [["array", "float64", 2]]}})
    assert "torch.mean(x)" in traced.after and "shim.add(y, 1)" in traced.after
    assert [(remark.line, remark.code) for remark in traced.remarks] == [(5, "NPT505")]
    assert "`x` is float64[n, m]" in traced.remarks[0].message


def test_a_trace_narrows_no_function_that_others_may_call(tmp_path):
    scale = "import numpy as np\n\n\ndef scale(x, by):\n    return np.asarray(x) * by\n"
    seen = {"scale:4": {"x": [["array", "float64", 1]], "by": [["float"]], "return": [["array", "float64", 1]]}}
    for unknown in ("shim", "guard"):
        plain = converted(tmp_path / "m.py", scale, None, closed=(), unknown=unknown)
        traced = converted(tmp_path / "m.py", scale, seen, closed=(), unknown=unknown)
        assert traced.after == plain.after and "shim." in plain.after
    assert "return x * by" in converted(tmp_path / "m.py", scale, seen).after


def test_a_guard_takes_what_a_trace_has_seen(tmp_path):
    total = "import numpy as np\n\n\ndef total(x):\n    x += 1\n    return np.exp(x)\n"
    seen = {"total:4": {"x": [["array", "int32", 1]]}}
    plain = converted(tmp_path / "m.py", total, None, closed=(), unknown="guard")
    traced = converted(tmp_path / "m.py", total, seen, closed=(), unknown="guard")
    assert 'kinds="fc"' in plain.after and 'kinds="fc"' not in traced.after


def test_a_trace_never_overrides_what_the_code_proves(tmp_path):
    called = HALVE + "\n\nhalve(np.arange(3), 1)\n"
    lying = {"halve:4": {"x": [["array", "float64", 1]], "return": [["int"]]}}
    assert converted(tmp_path / "m.py", called, lying).after == converted(tmp_path / "m.py", called, None).after


def test_the_trace_of_another_text_is_not_used(tmp_path):
    stale = converted(tmp_path / "m.py", HALVE, {"halve:4": {"x": [["array", "float64", 2]]}}, "x = 1")
    assert "shim.mean(x)" in stale.after
    assert [remark.code for remark in stale.remarks] == ["NPT506"]


@pytest.mark.parametrize(
    "observations, fact",
    [
        ([["array", "float32", 1], ["None"]], v.array("float32", 1) | v.NONE),
        ([["array", "float32", 1], ["array", "int64", 2]], v.array(["float32", "int64"], [1, 2])),
        ([["array", "datetime64[ns]", 1]], v.FOREIGN),
        ([["scalar", "bool"]], v.scalar("bool")),
        ([["int"]], v.INT),
        ([["tuple", [["int"], ["array", "int64", 0]]]], v.tuple_of(v.INT, v.array("int64", 0))),
        ([["list", []]], v.one(v.Sequence("list", None, v.TOP))),
        ([["array", "float32", 1], ["object"]], v.array("float32", 1) | v.TOP),
    ],
)
def test_observations_become_facts(observations, fact):
    assert join_observations(observations) == fact


# ------------------------------------------------------------------------------------------------ command line
def test_the_verb_runs_a_command_and_convert_finds_the_trace(project):
    (project / "lib.py").write_text(HALVE)
    (project / "pyproject.toml").write_text("[tool.np2torch]\nclosed = ['lib.py']\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "np2torch_cli", "trace", "--", sys.executable, "-c"]
    code = "import lib, numpy, sys; lib.halve(numpy.ones(3), 2); sys.exit(3)"
    done = subprocess.run([*command, code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 3
    assert "traced 1 functions in 1 files" in done.stderr
    assert (project / ".np2torch" / ".gitignore").read_text() == "*\n"
    found = CliRunner().invoke(cli, ["convert", "--diff", "lib.py"])
    assert "torch.mean(x)" in found.output and "resting on the trace 2" in found.output
    plain = CliRunner().invoke(cli, ["convert", "--diff", "--no-trace", "--unknown", "shim", "lib.py"])
    assert "shim.mean(x)" in plain.output
    document = json.loads(CliRunner().invoke(cli, ["convert", "--output-format", "json", "lib.py"]).stdout)
    assert document["summary"]["traced"] == 2
    assert {remark["code"] for remark in document["files"][0]["remarks"]} == {"NPT505"}


def test_a_command_that_cannot_be_started_is_wrong_usage(project):
    found = CliRunner().invoke(cli, ["trace", "--", "no-such-program"])
    assert found.exit_code == 2 and "cannot run no-such-program" in found.output
