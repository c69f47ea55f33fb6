"""What statements and expressions do to a frame."""

from __future__ import annotations

import ast

import pytest

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import CallContext
from np2torch.facts.interpreter.frame import Frame
from support.facts import one, run


@pytest.fixture
def frame():
    engine, _ = run("g = 1\n")
    module = engine.modules["m"]
    made = Frame(engine, CallContext(module, None, None, ()))
    made.enter({"x": v.INT, "x.n": v.TEXT, "x.m": v.TEXT}, has_paths=True)
    return made


def test_a_name_is_looked_up_in_the_body_and_then_in_the_module(frame):
    assert frame.lookup("x") == v.INT
    assert v.only(frame.lookup("g"), "number")
    assert frame.lookup("unbound") is None


def test_what_is_known_of_attributes_ends_with_the_name(frame):
    frame.bind("x", v.TEXT)
    assert frame.env == {"x": v.TEXT}


def test_a_call_may_set_attributes(frame):
    frame.forget(frozenset({"n"}))
    assert frame.env == {"x": v.INT, "x.m": v.TEXT}


def test_less_may_be_known_from_here_on(frame):
    frame.know("x.k", v.NONE)
    assert frame.env["x.k"] == v.NONE and frame.has_paths


def test_the_facts_of_two_passes_are_joined(frame):
    node = ast.Name("y", ast.Load())
    frame.record(node, v.INT)
    frame.record(node, v.TEXT)
    assert v.kinds(frame.facts[node]) == {"number", "text"}


def test_a_function_that_goes_out_of_sight_may_be_called_with_anything():
    assert v.known_to_include(one("def f(x):\n    show(x)\nf(1)\nunknown(f)\n"), "unknown")


def test_unpacking_with_a_star():
    assert v.only(one("a, *b = 1, 'x', 'y'\nshow(b)\n"), "sequence")
