"""A function reaches what it calls, and what that calls; functions that call each other reach the same."""

from __future__ import annotations

from np2torch.facts.interpreter.reached_functions import reached_functions
from support.facts import run

CALLS = """
def odd(n):
    return n and even(n - 1)

def even(n):
    check(n)
    return not n or odd(n - 1)

def check(n):
    return n > 0

def apart(n):
    return n

odd(3), apart(1)
"""


def test_functions_that_call_each_other_reach_what_either_calls():
    engine, _ = run(CALLS)
    of = {one.name: one for one in engine.functions.values()}
    reached = {name: {one.name for one in reached_functions(engine, function)} for name, function in of.items()}
    assert reached["odd"] == reached["even"] == {"odd", "even", "check"}
    assert reached["check"] == {"check"} and reached["apart"] == {"apart"}
    assert reached_functions(engine, of["odd"])[0] is of["odd"]
