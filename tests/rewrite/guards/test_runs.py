"""Runs of a function in worlds: each once, and nothing of them stays."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from np2torch.rewrite.guards.worlds import run_in
from support.facts import run

TEXT = """class Store:
    def __init__(self):
        self.held = 0.5

    def put(self, x):
        y = self.held * x
        self.held = x
        return y


Store().put(1.5)
"""


def _put(engine: Interpreter, tree: ast.Module) -> v.Fact:
    node = next(one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.name == "put")
    definition = engine.functions[node]
    owner = definition.owner
    assert owner is not None
    world = {"self": v.one(v.Instance(owner)), "x": v.array("float32"), "self.held": v.array("int64")}
    before = dict(owner.attributes)
    result = run_in(engine, definition, {}, world).result
    assert owner.attributes == before and definition.held == ()
    return result


def test_attributes_of_a_world_are_read_and_stores_are_taken_back() -> None:
    engine, tree = run("import numpy as np\n" + TEXT)
    assert v.dtypes_of(_put(engine, tree)) == frozenset({"float64"})  # int64 * float32
