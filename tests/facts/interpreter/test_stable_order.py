"""Alternatives are gone through in an order that no hash decides."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter.stable_order import in_order
from support.facts import run


def test_the_order_of_functions_and_classes_is_that_of_the_text():
    engine, tree = run("def b(): ...\nclass A: ...\ndef a(): ...\nA.f = a\n")
    functions = [v.Function(engine.functions[node]) for node in tree.body if isinstance(node, ast.FunctionDef)]
    classes = [v.Class(definition) for definition in engine.classes.values()]
    found = [list(in_order(frozenset(atoms))) for atoms in ([*functions, *classes], [*classes, *reversed(functions)])]
    assert found[0] == found[1]
    assert [one for one in found[0] if isinstance(one, v.Function)] == functions


def test_one_alternative_is_in_order():
    assert in_order(v.INT) is v.INT
