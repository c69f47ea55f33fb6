"""Budgets of a search: a hunt takes half of what is left for all hunts, so that a later one has some time too."""

from __future__ import annotations

from np2torch.migrate import budget as budgets
from np2torch.migrate.budget import HUNTED, HUNTED_AS, Allowance, Budget


def test_each_hunt_may_take_half_of_what_is_left(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(budgets.time, "monotonic", lambda: now[0])
    allowance = Allowance(10)
    assert allowance.left == HUNTED + HUNTED_AS * 10
    allowance.left = 100.0
    with allowance.part() as is_used_up:
        now[0] += 49
        assert not is_used_up()
        now[0] += 2
        assert is_used_up()
    assert allowance.left == 49.0
    with allowance.part() as is_used_up:
        now[0] += 25
        assert is_used_up()
        now[0] += 100
    assert allowance.left == 0.0


def test_a_run_of_a_part_tells_how_long_all_tests_take(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(budgets.time, "monotonic", lambda: now[0])
    budget = Budget(1000.0, 400.0)
    for share, expected in ((0.0, 400.0), (0.75, 80.0), (1.0, 60.0)):
        with budget.run(share):
            now[0] += 60
        assert budget.run_seconds == expected
