"""Whole modules that failing tests need are found from the other end: all of them at first, then ever fewer."""

from __future__ import annotations

import math

import pytest

from np2torch.migrate import budget as budgets
from np2torch.migrate.grouping import Grouping
from np2torch.migrate.search import Search
from support.worlds import World

SIZE = {"modules": 20, "tests": 400, "good": 10**6}
TESTS = "t.py::test_3", "t.py::test_30", "t.py::test_41"


@pytest.fixture
def world():
    world = World(1, math.inf, **SIZE)
    world.baseline.may_fail = 0
    return world


def _needed(monkeypatch, world, most=math.inf):
    monkeypatch.setattr(budgets.time, "monotonic", lambda: world.now)
    search = Search(world, lambda line: None, {}, ())
    failing = search._all_tests()
    end = world.now + most
    grouping = Grouping(search.left, search._try, search.mending._sample, sorted)
    return failing, grouping.search(failing, lambda: world.now >= end)


def _modules(world, test):
    return list(dict.fromkeys(entry.partition(":")[0] for entry in world.called[test]))


def test_only_modules_that_are_needed_stay(monkeypatch, world):
    world.whole = {test: frozenset(_modules(world, test)[:2]) for test in TESTS}
    failing, modules = _needed(monkeypatch, world)
    assert failing.keys() == {*TESTS} and modules == frozenset().union(*world.whole.values())


@pytest.mark.parametrize("most", [2, 5])
def test_ended_at_any_time_there_is_something_that_passes(monkeypatch, world, most):
    world.whole = {test: frozenset(_modules(world, test)[:2]) for test in TESTS}
    _, modules = _needed(monkeypatch, world, most)
    assert modules and all(world.passes(test, set(modules)) for test in world.called)


def test_few_tests_that_may_be_given_up_hold_back_nothing(monkeypatch, world):
    world.baseline.may_fail = 1 / SIZE["tests"]
    world.stubborn = frozenset(TESTS[:1])
    world.whole = {TESTS[1]: frozenset(_modules(world, TESTS[1])[:1])}
    _, modules = _needed(monkeypatch, world)
    assert modules == world.whole[TESTS[1]]


def test_there_is_nothing_where_tests_fail_with_all_modules(monkeypatch, world):
    world.hopeless = frozenset(TESTS[:1])
    _, modules = _needed(monkeypatch, world)
    assert not modules
