"""Functions note that they run: the same as Python says of them, and no bodies of modules or classes."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import json
import os
import subprocess
import sys
import textwrap

import pytest

from np2torch.migrate.runner import HOOK

TEXT = '''
    """A module."""
    from __future__ import annotations

    import functools


    def outer(x=(lambda: 3)()):
        """What it says stays."""
        def inner(y):
            return y + x
        return inner


    class Box:
        size = (lambda self: 2)(None)

        def __init__(self):
            self.__parts = [1]

        @property
        def parts(self):
            yield from self.__parts

        @functools.lru_cache
        def last(self): return "in a line"


    def never():
        raise AssertionError


    DOUBLE = lambda x: 2 * x
'''
USE = "assert outer()(2) == 5 and list(Box().parts) == [1] and Box().last() and DOUBLE(2) == 4 and Box.size == 2"
EXPECTED = {
    "outer", "outer.<locals>.inner", "Box.__init__", "Box.parts", "Box.last", "<lambda>", "Box.<lambda>",
}  # fmt: skip


@pytest.fixture
def calls(monkeypatch):
    monkeypatch.syspath_prepend(str(HOOK))
    yield importlib.import_module("np2torch_calls")
    monkeypatch.delitem(sys.modules, "np2torch_calls")


def ran(calls, tmp_path, monkeypatch, is_noted):
    found = calls.Calls(str(tmp_path) + os.sep)
    path = str(tmp_path / "module.py")
    tree = ast.parse(textwrap.dedent(TEXT))
    if is_noted:
        monkeypatch.setattr(builtins, calls.NAME, found._seen.setdefault, raising=False)
        calls.add_notes(tree, path)
    space = {"__name__": "module"}
    code = compile(tree, path, "exec", dont_inherit=True)
    before = sys.gettrace()
    sys.settrace(None if is_noted else found._trace)
    try:
        exec(code, space)
        exec(USE, space)
    finally:
        sys.settrace(before)
    assert inspect.getdoc(space["outer"]) == "What it says stays." and space["__doc__"] == "A module."
    return set(found.take())


def test_what_functions_note_is_what_python_says(calls, tmp_path, monkeypatch):
    noted = ran(calls, tmp_path, monkeypatch, is_noted=True)
    assert noted == ran(calls, tmp_path, monkeypatch, is_noted=False)
    assert noted == {(str(tmp_path / "module.py"), name) for name in EXPECTED}


def test_a_run_on_pytest_notes_modules_and_tests(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "core.py").write_text("import textwrap\n\n\ndef grow(x):\n    return x + 1\n", "utf-8")
    test = "import core\n\n\ndef test_grow():\n    assert core.grow(1) == 2\n"
    (root / "test_core.py").write_text(test, "utf-8")
    (tmp_path / "reports").mkdir()
    settings = {"root": str(root), "reports": str(tmp_path / "reports"), "tests": None, "without": [], "limits": {}}
    settings |= {"limit": 20.0, "functions": True, "tree": str(tmp_path / "tree"), "parameters": {}}
    (tmp_path / "probe.json").write_text(json.dumps(settings), "utf-8")
    environment = os.environ | {"PYTHONPATH": str(HOOK), "NP2TORCH_PROBE": str(tmp_path / "probe.json")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "np2torch_probe", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(line) for file in (tmp_path / "reports").iterdir() for line in file.read_text().splitlines()]
    (end,) = (line for line in lines if line["event"] == "end")
    assert end["functions"] == [[str(root / "test_core.py"), "test_grow"], [str(root / "core.py"), "grow"]]
    assert not [line for line in lines if line["event"] == "loaded"]


COMPILED = """
import numba as nb
from numba import float64, njit as compiled
from .compat import jit

@nb.vectorize([float64(float64)])
def one(x): return x

@compiled
def other(x):
    def inner(y): return y
    return inner(x)

@jit(nopython=True)
def third(x): return x

def plain(x):
    return (lambda y: y)(x)
"""


def test_functions_whose_code_is_compiled_stay_as_they_are(calls):
    """A compiler such as numba knows no builtins of ours: tests of them passed, and failed once calls were noted."""
    tree = ast.parse(COMPILED)
    calls.add_notes(tree, "m.py")
    noted = {node.args[0].value[1] for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args
             and isinstance(node.func, ast.Name) and node.func.id == calls.NAME}  # fmt: skip
    assert noted == {"plain", "plain.<locals>.<lambda>"}
