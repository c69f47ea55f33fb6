"""What few failing tests need is looked for in runs of all of them; what breaks others is seen in a sample."""

from __future__ import annotations

import math

import pytest

from np2torch.migrate import budget as budgets
from np2torch.migrate.search import Search
from np2torch.migrate.together import guilty
from support.worlds import World

SIZE = {"modules": 20, "tests": 60, "good": 10**6, "core": 4}
TESTS = "t.py::test_3", "t.py::test_30", "t.py::test_41"


@pytest.fixture
def searching(monkeypatch):
    world = World(1, math.inf, **SIZE)
    monkeypatch.setattr(budgets.time, "monotonic", lambda: world.now)
    search = Search(world, lambda line: None, {}, ())
    return world, search.mending._together, search


def _found(world, together, search, are_modules=False):
    failing = search._all_tests()
    together.learn(failing)
    return together.look(failing, lambda: False, are_modules)


def _last(world, test, number):
    return frozenset(world.called[test][-number:])


def _need(world, number, is_told):
    """Let each test need the last functions that it calls."""
    for test in TESTS:
        world.needs[test], world.told[test] = _last(world, test, number), is_told


def test_what_silent_tests_need_is_found_at_once_and_no_more(searching):
    world = searching[0]
    _need(world, 2, is_told=False)
    begin = world.now
    assert _found(*searching) == {test: world.needs[test] for test in TESTS}
    assert world.now - begin < 10 + 30  # one test after another would take far more


def test_an_error_that_leads_elsewhere_than_before_says_what_is_needed_beside(searching):
    world = searching[0]
    _need(world, 2, is_told=True)
    begin = world.now
    assert _found(*searching) == {test: world.needs[test] for test in TESTS}
    assert world.now - begin <= 10 + 7


def test_what_breaks_others_is_not_proposed_and_remembered(searching):
    """A function that all call makes tests fail once it is left on NumPy without its module."""
    world = searching[0]
    frail = world.every[0]
    world.frail = frozenset([frail])
    _need(world, 1, is_told=False)
    world.needs[TESTS[0]] |= {frail}
    found = _found(*searching)
    assert found.keys() == {*TESTS[1:]} and not any(frail in entries for entries in found.values())
    module = frail.partition(":")[0]
    modules = _found(*searching, are_modules=True)
    assert module in modules[TESTS[0]]


def test_the_fewest_entries_explain_what_is_broken():
    calls = {"a": ["m:f", "m:C.g"], "b": ["m:C.g", "n:h"], "c": ["m:f"], "d": ["n:h"]}
    assert guilty(calls, {"m:f", "m:C", "n"}, ["a", "b"], ["c", "d"]) == {"m:C"}
    assert guilty(calls, {"m:f", "n"}, ["a", "b"], []) == {"m:f", "n"}
    assert guilty(calls, {"m:f"}, ["d"], []) == frozenset()
