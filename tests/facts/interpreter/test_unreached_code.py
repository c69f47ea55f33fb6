"""Statements that are never run are looked at, with no effect on others."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.rules.api import RuleBook


def _run(text: str, aside: str) -> tuple[Interpreter, ModuleInfo]:
    module = ModuleInfo("m", "m.py", ast.parse(text), text=text)
    module.aside.extend(ast.parse(aside).body)
    engine = Interpreter(RuleBook())
    engine.run([module])
    return engine, module


def test_they_see_what_the_module_binds_and_bind_nothing():
    engine, module = _run("import numpy as np\nx = np.zeros(3)\n", "y = x.sum()\nx = 'text'\n")
    assert v.only(engine.facts[module.aside[0].value], "scalar")
    assert "y" not in module.env and v.only(module.env["x"], "array")


def test_functions_that_they_give_away_stay_what_they_are():
    engine, _ = _run("def f(x): return x\nf(1)\n", "unknown(f)\nfs = [f]\n")
    assert [function.escaped for function in engine.functions.values()] == [False]
