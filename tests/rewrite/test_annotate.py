"""`np2torch annotate`: what was seen becomes part of the source, and says there what it said as a trace."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from np2torch.facts import notation
from np2torch_cli import cli
from support.paths import ROOT

LIBRARY = '''\
import functools

import numpy as np


def scale(x, factor=2.0, *, name="a"):
    """Doc."""
    return np.sqrt(x) * factor


class Box:
    def __init__(self, low, high):  # a comment
        self.low = low
        self.high = high

    @functools.lru_cache
    def width(self, unit):
        return (self.high - self.low) / unit

    def size(self, x, *rest):
        def inner(y):
            return y.sum(axis=0) / 2
        return inner(x) + self.low


def annotated(x: np.ndarray, k: int, w: float = 1.0):
    return x * k + w


def stated(x):  # np2torch: x: float64[n, m]
    return x / 3


def one_line(n, x): return x[:n] + np.arange(n) / 2


def optional(
    points_of_the_mesh,
    weights_of_the_points=None,
    *, normalised_by_their_sum_in_the_end=False, offset_of_all=0.5,
) -> "anything":
    x = points_of_the_mesh + offset_of_all
    if weights_of_the_points is not None:
        x = x * weights_of_the_points
    return x / x.sum() if normalised_by_their_sum_in_the_end else np.exp(x)


def either(x):
    return x ** x
'''
CLOSED = "closed = ['lib.py']\n"
PROGRAM = """\
import json
import numpy as np
import lib

def call(name, *args, **kwargs):
    return getattr(lib, "".join(name))(*args, **kwargs)

a = np.asarray(json.loads("[[1.0, 2.0], [3.0, 4.0]]"))
call(["sc", "ale"], a)
box = call("Box", a[0, 0], 2)
getattr(box, "si" + "ze")(a)
getattr(box, "wi" + "dth")(2.0)
call(["anno", "tated"], a, 3)
call(["sta", "ted"], a)
call(["one_", "line"], 2, a[0])
call(["opt", "ional"], a)
call(["opt", "ional"], a, a, normalised_by_their_sum_in_the_end=True)
call(["ei", "ther"], a)
call(["ei", "ther"], 1)
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n\n[tool.np2torch]\njobs = 1\n" + CLOSED)
    (tmp_path / "lib.py").write_text(LIBRARY)
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "cli")])
    command = [sys.executable, "-m", "np2torch_cli", "trace", "-q", "--", sys.executable, "program.py"]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths})
    return tmp_path


def converted(*arguments: str) -> str:
    done = run("convert", "--output-dir", "out", "lib.py", *arguments)
    assert done.exit_code < 2, done.output
    text = re.sub(r" *# np2torch: [^\n]*", "", Path("out/lib.py").read_text())
    return "\n".join(line for line in text.splitlines() if line)


def test_what_was_traced_says_the_same_as_a_statement(project):
    with_trace, without = converted(), converted("--no-trace")
    assert with_trace != without
    assert run("annotate", "--write", "lib.py").exit_code == 0
    assert ast.dump(ast.parse(Path("lib.py").read_text())) == ast.dump(ast.parse(LIBRARY))
    assert converted("--no-trace") == with_trace


def test_settings_say_the_same(project):
    with_trace = converted()
    assert run("annotate", "--settings", "--write", "lib.py").exit_code == 0
    assert Path("lib.py").read_text() == LIBRARY
    types = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["np2torch"]["types"]
    assert types["lib.Box.size.inner.y"] == "float64[n, m]"
    assert types["lib.either.x"] == "float64[n, m] | int"
    assert converted("--no-trace") == with_trace
    again = run("annotate", "--settings", "lib.py")
    assert (again.exit_code, again.stdout) == (0, "")


def test_a_dry_run_writes_nothing_and_a_second_run_finds_nothing(project):
    shown = run("annotate", "lib.py")
    assert shown.exit_code == 1
    assert "+    # np2torch: x: float64[n, m]; factor: float; name: str; return: float64[n, m]\n" in shown.output
    assert Path("lib.py").read_text() == LIBRARY
    assert run("annotate", "--write", "lib.py").exit_code == 0
    text = Path("lib.py").read_text()
    again = run("annotate", "lib.py")
    assert (again.exit_code, again.stdout) == (0, "")
    assert run("annotate", "--write", "lib.py").exit_code == 0
    assert Path("lib.py").read_text() == text


def test_what_is_stated_stays_and_contradictions_are_reported(project):
    changed = PROGRAM + "call(['sta', 'ted'], np.arange(3))\nlib.annotated(a, 'three') if a.size < 0 else None\n"
    Path("program.py").write_text(changed)
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "cli")])
    command = [sys.executable, "-m", "np2torch_cli", "trace", "-q", "--", sys.executable, "program.py"]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths})
    done = run("annotate", "--write", "lib.py")
    assert done.exit_code == 1
    assert "NPT530 x of `stated` is stated otherwise: " in done.output
    assert "int64[n] " in done.output
    assert "NPT530 k of `annotated` is stated otherwise: str was passed" in done.output
    text = Path("lib.py").read_text()
    assert "def stated(x):  # np2torch: x: float64[n, m]\n" in text
    assert "# np2torch: k:" not in text


def test_callers_alone_are_enough(project):
    Path("program.py").write_text("import numpy as np\nimport lib\n\nlib.either(np.zeros((2, 2), np.float32))\n")
    done = run("annotate", "--no-trace", ".")
    assert "+def either(x):  # np2torch: x: float32[n, m]\n" in done.output
    assert "scale" not in [line for line in done.output.splitlines() if line.startswith("+")]


SPELLED = ["float64[n, m]", "array[...]", "float64[]", "bool[n] | None", "int", "float | int", "float64", "str"]


@pytest.mark.parametrize("text", SPELLED)
def test_statements_say_what_they_were_made_of(text):
    assert notation.statement(notation.fact(text)) == text


TABLES = ["", "[tool.np2torch]\njobs = 1\n", "[tool.np2torch.types]\n'a.b' = 'int'\n[tool.x]\ny = 1"]


@pytest.mark.parametrize("text", TABLES)
def test_settings_keep_what_they_had(text):
    from np2torch.rewrite.annotate import Statement, in_settings

    function = ast.parse("def f(x): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    new = tomllib.loads(in_settings(text, [Statement(function, "x", "float64[n]", "m.f.x")]))
    old = tomllib.loads(text)
    assert new["tool"]["np2torch"]["types"].pop("m.f.x") == "float64[n]"
    if "types" not in old.get("tool", {}).get("np2torch", {}):
        new["tool"]["np2torch"].pop("types")
    assert old in (new, {} if new == {"tool": {"np2torch": {}}} else new)


def test_a_stub_says_the_same_to_a_later_run(project):
    inline = converted()
    done = run("annotate", "--stub", "--write", "lib.py")
    assert done.exit_code == 0, done.output
    assert Path("lib.py").read_text() == LIBRARY
    stub = Path("lib.pyi").read_text()
    scale = "def scale(x: NDArray[np.float64], factor: float=..., *, name: str=...) -> NDArray[np.float64]:"
    assert scale in ast.unparse(ast.parse(stub))
    assert "    def size(self, x: NDArray[np.float64], *rest) -> NDArray[np.float64]: ..." in stub
    assert "    low: Any\n    high: Any\n" in stub
    assert "def either(x: NDArray[np.float64] | int) -> NDArray[np.float64] | int: ..." in stub
    plain = converted("--no-trace")
    inner = "def inner(y):"  # a stub has no place for it
    assert plain[: plain.index(inner)] == inline[: inline.index(inner)]
    after = "def annotated"
    assert plain[plain.index(after) :] == inline[inline.index(after) :]
    Path("lib.pyi").unlink()
    assert converted("--no-trace") != plain


def test_a_stub_is_found_complete_by_a_second_run(project):
    assert run("annotate", "--stub", "--write", "lib.py").exit_code == 0
    stub = Path("lib.pyi").read_text()
    again = run("annotate", "--stub", "lib.py")
    assert again.stdout == ""
    assert run("annotate", "--stub", "--write", "lib.py").exit_code == 0
    assert Path("lib.pyi").read_text() == stub


def test_a_stub_that_exists_keeps_its_text(project):
    mine = "import numpy as np\n\ndef scale(x: np.ndarray, factor: int = ..., *, name: str = ...): ...\n"
    Path("lib.pyi").write_text(mine)
    done = run("annotate", "--stub", "--write", "lib.py")
    text = Path("lib.pyi").read_text()
    assert [line for line in text.splitlines() if "# np2torch:" not in line] == mine.splitlines()
    assert "# np2torch: x: float64[n, m]; return: float64[n, m]" in text
    assert "NPT530 factor of `scale` is stated otherwise: float was passed" in done.output


def test_a_stub_says_what_callers_do_not(project):
    Path("pyproject.toml").write_text("[tool.np2torch]\njobs = 1\n")
    before = converted("--no-trace")
    Path("lib.pyi").write_text("from numpy.typing import NDArray\n\ndef either(x: NDArray[np.float32]): ...\n")
    after = converted("--no-trace")
    assert "shim" in before[before.index("def either") :]
    assert "shim" not in after[after.index("def either") :]


def test_a_stub_that_cannot_be_read_is_reported(project):
    Path("lib.pyi").write_text("def either(x: \n")
    done = run("convert", "--no-trace", "--output-format", "json", "lib.py")
    assert "NPT504" in done.output and "the stub lib.pyi is not read" in done.output
