"""The last few failing tests are mended one after another: no state is taken in which more fail than before."""

from __future__ import annotations

import math

import pytest

from np2torch.migrate import budget as budgets
from np2torch.migrate.search import Search
from support.worlds import FULL, World

SIZE = {"modules": 20, "tests": 60, "good": 10**6}
FIRST, SECOND = "t.py::test_3", "t.py::test_30"


def _search(monkeypatch, whole, **more):
    world = World(1, math.inf, **SIZE)
    world.whole = {test: frozenset(_modules(world, test)[:number]) for test, number in whole.items()}
    for name, value in more.items():
        setattr(world, name, value)
    monkeypatch.setattr(budgets.time, "monotonic", lambda: world.now)
    said: list[str] = []
    search = Search(world, said.append, {}, ())
    return world, search, said


def _modules(world, test):
    return list(dict.fromkeys(entry.partition(":")[0] for entry in world.called[test]))


def _mend(search):
    failing = search._all_tests()
    search.setbacks.is_setback(failing)
    return search.mending.mend(failing)


def test_the_modules_that_a_test_needs_stay_and_no_more(monkeypatch):
    world, search, _ = _search(monkeypatch, {FIRST: 2})
    assert not _mend(search)
    assert set(search.left.reasons) == world.whole[FIRST] == set(search.mending.kept)


def test_what_would_break_others_is_not_kept_and_what_mends_another_test_is(monkeypatch):
    world, search, said = _search(monkeypatch, {FIRST: 3, SECOND: 1}, brittle=3)
    assert set(_mend(search)) == {FIRST}
    assert set(search.left.reasons) == world.whole[SECOND]
    assert search.trials.is_begun and not any("undone" in line for line in said)  # some of the others showed it


def test_a_run_in_which_more_fail_is_undone(monkeypatch):
    """What the tests of the sample do not show the run of all that is concerned does."""
    world, search, said = _search(monkeypatch, {FIRST: 3, SECOND: 1}, brittle=3)
    monkeypatch.setattr(search.mending, "_sample", lambda entries, failing: [])
    assert set(_mend(search)) == {FIRST}
    assert set(search.left.reasons) == world.whole[SECOND] and any("undone" in line for line in said)
    assert not search._all_tests().keys() - {FIRST}


def test_nothing_stays_for_a_test_that_nothing_mends(monkeypatch):
    _, search, _ = _search(monkeypatch, {}, stubborn=frozenset({FIRST}))
    assert set(_mend(search)) == {FIRST} and not search.left.reasons


@pytest.mark.parametrize(("brittle", "is_undone"), [(3, True), (math.inf, False)])
def test_what_breaks_others_of_a_sample_is_undone_before_all_run(monkeypatch, brittle, is_undone):
    """What each of two tests needs stays all the same where it breaks none: here that of the second."""
    world, search, said = _search(monkeypatch, {FIRST: 3, SECOND: 1}, brittle=brittle)
    failing = search._all_tests()
    search.mending.after_run(failing)
    runs, needed = world.full_runs, set().union(*world.whole.values())
    search.left.keep({test: (failing[test], sorted(world.whole[test])) for test in failing})
    search.mending.before_run(failing, {})
    assert set(search.left.reasons) == (world.whole[SECOND] if is_undone else needed)
    assert any("tests fail that passed" in line for line in said) == is_undone and world.full_runs == runs


@pytest.mark.parametrize(("deadline", "hopeless", "freed"), [
    (10**6, (), {"m0:f0", "m1:f0", "m2:f1"}), (10**6, (FIRST, SECOND), set()), (3.5 * FULL, (), set()),
])  # fmt: skip
def test_what_guards_refuse_keeps_nothing_where_there_is_time(monkeypatch, deadline, hopeless, freed):
    """Behind one guard there may be another; where tests fail without them too they are there again."""
    world = World(1, deadline, **SIZE)
    needs = {FIRST: frozenset({"m0:f0", "m1:f0"}), SECOND: frozenset({"m2:f1"})}
    world.needs.update(needs)
    world.told |= dict.fromkeys(needs, True)
    world.guarded, world.hopeless = frozenset().union(*needs.values()), frozenset(hopeless)
    monkeypatch.setattr(budgets.time, "monotonic", lambda: world.now)
    search = Search(world, lambda line: None, {}, ())
    search.setbacks.is_setback(failing := search._all_tests())
    assert search.mending._without_guards(failing).keys() == (set() if freed else needs.keys())
    assert world.unguarded == freed == set(search.result.unguarded) and not search.left.reasons


def test_where_nearly_all_stays_for_few_tests_less_is_looked_for(monkeypatch):
    """All modules are enough for a test whose error says nothing; two of them are too."""
    world, search, _ = _search(monkeypatch, {FIRST: 2, SECOND: 1})
    failing = search._all_tests()
    search.mending.after_run(failing)
    search.left.keep({FIRST: (failing[FIRST], world.all_modules()), SECOND: (failing[SECOND], ["m0:f0"])})
    search.mending.before_run(failing, {})
    assert set(search.left.reasons) == set().union(*world.whole.values())
    assert not search._all_tests()
