"""What is said of code outside of the analysis changes what is found."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.facts.interpreter.outside import Outside
from np2torch.rules.api import RuleBook

TEXT = "def f(x):\n    return x\n\n\nf(1)\n"


def _parameter(outside: Outside, tree: ast.Module) -> v.Fact:
    engine = Interpreter(RuleBook(), outside=outside)
    engine.run([ModuleInfo("m", "m.py", tree, text=TEXT)])
    return engine.facts[next(node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "x")]


def test_an_open_function_is_called_with_anything():
    tree = ast.parse(TEXT)
    assert v.only(_parameter(Outside(), tree), "number")
    assert v.known_to_include(_parameter(Outside(open=frozenset(tree.body[:1])), tree), "unknown")


def test_a_name_that_is_called_elsewhere():
    assert v.known_to_include(_parameter(Outside(called_outside=frozenset({"f"})), ast.parse(TEXT)), "unknown")
