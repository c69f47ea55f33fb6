"""Tests that fail with everything on NumPy as well are left out, and nothing else is."""

from __future__ import annotations

import math

from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.trials import Failure
from np2torch.migrate.unrelated_tests import without_unrelated
from support.worlds import World


def test_what_everything_on_numpy_does_not_mend_is_left_out():
    world = World(3, math.inf, tests=20)
    lost, mended, other = world.baseline.order[:3]
    world.hopeless = frozenset([lost])
    left = LeftPlaces(world, world.baseline, lambda line: None, {})
    failing = {name: Failure("TypeError: no") for name in (lost, other)}
    left.keep({lost: (failing[lost], world.baseline.functions[lost])})
    assert without_unrelated(world, left, failing, lambda: False) == failing
    assert set(without_unrelated(world, left, failing, lambda: True)) == {other}
    assert set(world.baseline.unrelated) == {lost} and mended in world.baseline.order
