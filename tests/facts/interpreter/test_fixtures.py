# ruff: noqa: E501 (tables of source texts)
"""What pytest's fixtures give to tests, by name and place."""

from __future__ import annotations

import ast

import pytest

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.rules.api import RuleBook

BOUNDS = "import numpy as np\nimport pytest\n@pytest.fixture\ndef bounds():\n    return np.zeros({})\n"
"""A conftest."""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("t/test_a.py", "def test_it(bounds):\n    show(bounds)\n", v.array("float64", 2)),
        ("t/test_a.py", "class TestIt:\n    def test_it(self, bounds):\n        show(bounds)\n", v.array("float64", 2)),
        ("t/test_a.py", "def helper(bounds):\n    show(bounds)\n", v.TOP),
        ("pkg.py", "class Handler:\n    def periodic(self, bounds):\n        show(bounds)\n", v.TOP),
        ("t/below/test_a.py", "def test_it(bounds):\n    show(bounds)\n", v.array("float64", 3)),
        ("u/test_a.py", "def test_it(bounds):\n    show(bounds)\n", v.TOP),
        ("t/test_a.py", "@pytest.fixture\ndef bounds(bounds):\n    return bounds[0]\ndef test_it(bounds):\n    show(bounds)\n", v.array("float64", 1)),
        ("t/test_a.py", "class TestIt:\n    @pytest.fixture\n    def bounds(self):\n        return np.arange(3)\n    def test_it(self, bounds):\n        show(bounds)\n", v.array("int64", 1)),
        ("t/test_a.py", "from lib import bounds\ndef test_it(bounds):\n    show(bounds)\n", v.TOP),
    ],
)  # fmt: skip
def test_fixtures_reach_the_tests_that_stand_in_their_reach_and_nothing_else(name, text, expected):
    tree = ast.parse("import numpy as np\nimport pytest\n" + text)
    modules = [ModuleInfo(name[:-3].replace("/", "."), name, tree)]
    for path, shape in (("t/conftest.py", "(2, 2)"), ("t/below/conftest.py", "(2, 2, 2)"), ("lib.py", "9")):
        modules.append(ModuleInfo(path[:-3].replace("/", "."), path, ast.parse(BOUNDS.format(shape))))
    engine = Interpreter(RuleBook())
    engine.run(modules)
    (call,) = (n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "show")
    assert engine.facts[call.args[0]] == expected


ABSTRACT = """
import pytest
class {}:
    @pytest.fixture
    def made(self):
        {}
    @pytest.mark.parametrize("bounds", [([-1, -2], [1, 2])])
    def test_it(self, made, bounds):
        show(made)
"""

HEIRS = """
import numpy as np
import pytest
from t.abstract import {0}
class TestOne({0}):
    @pytest.fixture
    def made(self):
        return np.zeros(2)
class TestTwo({0}):
    @pytest.fixture
    def made(self):
        return np.arange(4).reshape(2, 2)
"""


@pytest.mark.parametrize(
    ("base", "body", "expected"),
    [
        ("ABCTests", "raise NotImplementedError", v.array({"float64", "int64"}, {1, 2})),
        ("TestBase", "return 1.5", v.join(v.number(1.5), v.array({"float64", "int64"}, {1, 2}))),
    ],
)
@pytest.mark.parametrize("is_helper", [False, True])
def test_an_inherited_test_gets_the_fixtures_of_each_class_that_inherits_it(base, body, expected, is_helper):
    tree = ast.parse(ABSTRACT.format(base, body))
    modules = [ModuleInfo("t.abstract", "t/abstract.py", tree, is_helper=is_helper)]
    modules.append(ModuleInfo("t.test_a", "t/test_a.py", ast.parse(HEIRS.format(base))))
    engine = Interpreter(RuleBook())
    engine.run(modules)
    (call,) = (n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "show")
    assert v.widen(engine.facts[call.args[0]]) == v.widen(expected)
