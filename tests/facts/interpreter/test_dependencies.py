"""A context runs again where what it read outside of its body has another value by then."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.dependencies import value
from support.facts import one, run


def test_the_values_of_cells():
    engine, tree = run("x = 3\nxs = [1]\nxs.append('a')\nclass A:\n    n = 1\nA().n = None\n")
    module = engine.modules["m"]
    display = next(node for node in ast.walk(tree) if isinstance(node, ast.List))
    assert v.only(value(engine, ("global", module, "x")), "number")
    assert v.kinds(value(engine, ("element", id(display), None))) >= {"text"}
    assert v.kinds(value(engine, ("attribute", next(iter(engine.classes.values())), "n"))) == {"number", "none"}


def test_a_global_that_is_assigned_late_is_seen():
    text = "y = 1\ndef f():\n    return y\nshow(f())\ndef g():\n    global y\n    y = 'text'\ng()\n"
    assert v.kinds(one(text)) == {"number", "text"}


def test_what_read_nothing_new_does_not_run_again(monkeypatch):
    runs = []
    execute = Interpreter.execute
    monkeypatch.setattr(Interpreter, "execute", lambda self, context: (runs.append(context), execute(self, context))[1])
    counts = []
    for calls in ("f()\n", "f()\nf()\nf()\n"):
        runs.clear()
        run(f"y = 1\ndef f():\n    return y\n{calls}")
        counts.append(len([context for context in runs if context.function is not None]))
    assert counts[0] == counts[1]
