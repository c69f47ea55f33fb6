"""Hunts end with what a test needs and no more, and convert again what none needs."""

from __future__ import annotations

import pytest

from np2torch.migrate import budget as budgets
from np2torch.migrate.budget import Allowance
from np2torch.migrate.hunting import Hunting
from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.trials import Failure
from support.worlds import World


@pytest.mark.parametrize("seed", range(12))
def test_a_hunt_finds_what_is_needed_and_minimising_keeps_it(seed):
    world = World(seed, 1e9)
    world.breaks.clear()
    said: list[str] = []
    left = LeftPlaces(world, world.baseline, said.append, {})
    hunting = Hunting(world, left, lambda: False, Allowance(1e9))
    for test in (one for one in world.baseline.order if world.needs[one]):
        if failing := world.failures(left.reasons, [test]):
            hunting.hunt(failing)
            assert f"    {test}: {failing[test].error}" in said
            assert world.passes(test, set(left.reasons))
    needed = frozenset().union(*world.needs.values())
    assert set(left.reasons) == needed
    test = world.baseline.order[0]
    useless = [one for one in world.every if one not in needed][:5]
    left.keep({test: (next(iter(world.failures([], world.baseline.order).values())), useless)})
    hunting.minimise(useless)
    assert set(left.reasons) == needed and set(hunting.converted_again) == set(useless)
    hunting.put_back([test])
    back = set(useless) & set(world.baseline.functions[test])
    assert set(left.reasons) - needed == back <= left.fixed
    hunting.minimise(back)
    assert set(left.reasons) - needed == back


@pytest.mark.parametrize("seed", range(8))
def test_the_time_for_hunts_ends_with_what_is_known_to_be_enough(monkeypatch, seed):
    kept = []
    for seconds in (0, 4, 8, 16, 1e9):
        world = World(seed, 1e9)
        world.breaks.clear()
        monkeypatch.setattr(budgets.time, "monotonic", lambda world=world: world.now)
        left = LeftPlaces(world, world.baseline, lambda line: None, {})
        hunting = Hunting(world, left, lambda: False, Allowance(0))
        hunting.allowance.left = seconds
        failing = {test: one for test, one in world.failures([], world.baseline.order).items() if not world.told[test]}
        hunting.hunt(failing)
        shown = {(one.error, *one.places): test for test, one in reversed(failing.items())}
        assert all(world.passes(test, set(left.reasons)) for test in shown.values())
        kept.append(len(left.reasons))
    assert kept == sorted(kept, reverse=True)


def test_around_a_border_as_much_stays_as_the_broken_test_needs():
    """The class or module where that helps; where it does not, all is as it was."""
    world = World(4, 1e9, modules=20, tests=60, good=10)
    broken = [test for test, border in world.breaks.items() if not world.needs[test]]
    assert broken
    for test in broken:
        left = LeftPlaces(world, world.baseline, lambda line: None, {})
        border = world.breaks[test]
        others = [one for one in world.baseline.functions[test] if one != border][:2]
        left.keep({"before": (Failure("TypeError: no"), [border, *others])})
        hunting = Hunting(world, left, lambda: False, Allowance(1e9))
        hunting.widen([test], list(left.reasons))
        assert border not in left.reasons and border.partition(":")[0] in left.reasons
        assert world.passes(test, set(left.reasons))
        world.hopeless = frozenset([test])
        before = dict(left.reasons)
        hunting.widen([test], list(before))
        assert left.reasons == before
        world.hopeless = frozenset()
