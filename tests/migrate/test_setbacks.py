"""A run of all tests that fails many times as often as the best is undone; those that get nowhere are counted."""

from __future__ import annotations

from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.setbacks import Setbacks
from np2torch.migrate.trials import Failure
from support.worlds import World


def test_what_made_many_more_tests_fail_is_undone():
    world = World(3, 0.0)
    left = LeftPlaces(world, world.baseline, lambda line: None, {})
    setbacks = Setbacks(left)
    few, many = ({f"t{number}": Failure("TypeError: no") for number in range(size)} for size in (2, 9))
    left.keep({"t0": (few["t0"], ["m0:f1"])})
    assert setbacks.undone(few) is few and not setbacks.any
    left.keep({"t1": (few["t1"], ["m0"])})
    left.drop_covered()
    assert setbacks.undone(many) is few and setbacks.any and set(left.reasons) == {"m0:f1"}
    left.keep({"t1": (few["t1"], ["m1:f1"])})
    assert setbacks.undone(few) is few and set(left.reasons) == {"m0:f1", "m1:f1"}
    assert not setbacks.is_stalled
    assert setbacks.undone(few) is few and setbacks.is_stalled
