"""Trials take over the runs of earlier ones, with what these store, and leave no context behind."""

from __future__ import annotations

import ast

import pytest

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.budget import BudgetSpentError
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.rewrite.guards.worlds import run_in
from support.facts import run

TEXT = """import numpy as np

class Series:
    def __init__(self, start):
        self.items = [start]

    def __add__(self, other):
        self.last = other
        return other * 2.0


def noted(rows, value):
    rows.append(value)
    return rows


def even(n, x):
    return odd(n - 1, x) if n else x


def odd(n, x):
    return even(n - 1, x) if n else np.zeros(3, dtype=np.float32)


def total(x, y):
    rows = noted([], 1.5)
    series = Series(2.5) + x
    return rows[0] * y, series, even(5, x)


total(np.ones(3), np.ones(3))
"""

HELD = """import numpy as np

class Box:
    value = True


class Log:
    last = True


box, log = Box(), Log()


def put():
    log.last = box.value


def through():
    put()


def total(x, y):
    box.value = x
    through()
    return log.last


total(np.ones(3, dtype=bool), 1.0)
"""


def definition_of(engine: Interpreter, tree: ast.Module, name: str) -> FunctionDefinition:
    return next(one for one in engine.functions.values() if one.name == name and one.node in set(ast.walk(tree)))


def result_in(engine: Interpreter, function: FunctionDefinition, x: str, y: str) -> v.Fact:
    return run_in(engine, function, {}, {"x": v.array(x), "y": v.array(y)}).result


WORLDS = [("float64", "float64"), ("float32", "float64"), ("float32", "float32"), ("float64", "float32")]


@pytest.mark.parametrize("world", WORLDS)
def test_runs_that_serve_again_find_what_new_ones_find(world):
    engine, tree = run(TEXT)
    function = definition_of(engine, tree, "total")
    again = [result_in(engine, function, *one) for one in (*WORLDS, world)][-1]
    alone, other = run(TEXT)
    assert again == result_in(alone, definition_of(alone, other, "total"), *world)


def test_the_second_time_less_is_run():
    engine, tree = run(TEXT)
    function = definition_of(engine, tree, "total")
    spent = []
    for _ in range(2):
        before = engine.trial_budget.spent
        result_in(engine, function, "float32", "float64")
        spent.append(engine.trial_budget.spent - before)
    assert spent[1] < spent[0] and spent[1] >= function.size


@pytest.mark.parametrize("at_most", range(0, 90, 10))
def test_a_trial_that_is_broken_off_leaves_nothing_to_later_ones(at_most):
    engine, tree = run(TEXT)
    function = definition_of(engine, tree, "total")
    with pytest.raises(BudgetSpentError), engine.trial_budget.limit(at_most):
        result_in(engine, function, "float32", "float64")
    assert not engine.stack and engine.trial_budget.remainder == float("inf")
    alone, other = run(TEXT)
    for world in WORLDS:
        assert result_in(engine, function, *world) == result_in(alone, definition_of(alone, other, "total"), *world)


def test_no_context_stays_also_of_operators():
    engine, tree = run(TEXT)
    names = "total noted even odd __add__ __init__".split()
    functions = [definition_of(engine, tree, name) for name in names]
    before = [(dict(one.active), dict(one.known), one.spent) for one in functions]
    result_in(engine, functions[0], "float32", "float32")
    assert [(dict(one.active), dict(one.known), one.spent) for one in functions] == before


def test_what_a_run_calls_may_store_something_else_in_each_trial():
    """`through` reads and gives the same each time, but what it calls does not."""
    engine, tree = run(HELD)
    function = definition_of(engine, tree, "total")
    for dtype in ("int64", "float32", "float32", "float64"):
        alone, other = run(HELD)
        fresh = result_in(alone, definition_of(alone, other, "total"), dtype, dtype)
        assert result_in(engine, function, dtype, dtype) == fresh


FILLED = """import numpy as np


def rows(n):
    found = []

    def rec(row, left):
        if left == 0:
            found.append(row)

    rec(np.zeros(n, dtype=int), 0)
    return np.array(found)


def product(n, x):
    return np.dot(rows(n), x)


product(3, np.ones(3))
"""


def test_lists_hold_after_a_trial_what_they_held_before():
    """A list that a nested function fills is empty the first time: the next trial may not take that for its end."""
    engine, tree = run(FILLED)
    function = definition_of(engine, tree, "rows")
    before = dict(engine.heap)
    for _ in range(2):
        result = run_in(engine, function, {}, {"n": v.SIZE}).result
        assert engine.heap == before and "int64" in v.dtypes_of(result)
