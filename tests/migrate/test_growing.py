"""Where there is no time for all tests on torch, some modules are converted for the tests that call them alone."""

from __future__ import annotations

import pytest

from np2torch.migrate import budget as budgets
from np2torch.migrate.budget import Budget
from np2torch.migrate.growing import Growing
from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.setbacks import Setbacks
from support.worlds import FULL, World


@pytest.mark.parametrize(("deadline", "least"), [(10.0, 20), (62.5, 90)])
@pytest.mark.parametrize("seed", range(4))
def test_as_many_modules_are_converted_as_their_tests_have_time_for(monkeypatch, deadline, least, seed):
    world = World(seed, 1000.0, modules=20, tests=40, good=30)
    for number, test in enumerate(world.baseline.order):  # each calls what one module has
        world.baseline.functions[test] = [f"m{number // 2}:f{other}" for other in range(5)]
        world.needs[test] = frozenset(["m1:f1"]) if number == 2 else frozenset()
        world.breaks.pop(test, None)
    monkeypatch.setattr(budgets.time, "monotonic", lambda: world.now)
    left = LeftPlaces(world, world.baseline, lambda line: None, {})
    found = Growing(world, left, Budget(deadline, FULL), Setbacks(left)).grow()
    assert found is not None and all(world.passes(test, set(found.kept)) for test in world.baseline.order)
    assert "m1" in found.kept and world.share(found.kept).percent >= least
    assert world.now <= deadline


@pytest.mark.parametrize("deadline", [-1.0, 2.0, 12.0, 40.0])
def test_nothing_is_looked_at_when_the_time_is_over(monkeypatch, deadline):
    """To see what has to run, the project is converted, which may take long."""
    world = World(0, 1000.0, modules=20, tests=40, good=30)
    looked, tests_to_run = [], world.tests_to_run

    def look(entries):
        looked.append(world.now)
        world.now += 5.0
        return tests_to_run(entries)

    monkeypatch.setattr(budgets.time, "monotonic", lambda: world.now)
    monkeypatch.setattr(world, "tests_to_run", look)
    left = LeftPlaces(world, world.baseline, lambda line: None, {})
    Growing(world, left, Budget(deadline, FULL), Setbacks(left)).grow()
    assert all(time <= deadline for time in looked) and bool(looked) == (deadline > 2)


def test_nothing_runs_where_it_takes_about_as_long_as_all(monkeypatch):
    """All tests call what any of them calls: they are to run with all converted instead."""
    world = World(0, 1000.0, modules=4, tests=40, good=30)
    monkeypatch.setattr(budgets.time, "monotonic", lambda: world.now)
    left = LeftPlaces(world, world.baseline, lambda line: None, {})
    growing = Growing(world, left, Budget(100 * FULL, FULL), Setbacks(left))
    assert growing.grow(most=0.75) is None and not world.asked
    growing.grow()
    assert world.asked
