"""As much stays on NumPy for the last run as it has time for: all that failing tests call, or the likely part."""

from __future__ import annotations

import pytest

from np2torch.migrate import budget as budgets
from np2torch.migrate.budget import Budget
from np2torch.migrate.left_places import CALLED, LeftPlaces
from np2torch.migrate.plans import Plans
from np2torch.migrate.setbacks import Setbacks
from np2torch.migrate.trials import Failure
from support.worlds import FULL, World


@pytest.mark.parametrize(("seconds", "kept"), [(0.5, 0), (3, 4), (50, 6)])
def test_as_much_stays_as_the_run_has_time_for(monkeypatch, seconds, kept):
    world = World(3, 0.0, tests=60, modules=20)
    monkeypatch.setattr(budgets.time, "monotonic", lambda: world.now)
    order = world.baseline.order
    world.failures([], order, is_all=True)
    left = LeftPlaces(world, world.baseline, lambda line: None, {})
    budget = Budget(world.now + seconds, FULL)
    plans = Plans(world, left, budget, Setbacks(left))
    assert plans.keep_affordable({order[0]: Failure("TypeError: no")}, CALLED) == bool(kept)
    assert len(left.reasons) == kept
    assert kept == 0 or budget.share == plans.cost()
