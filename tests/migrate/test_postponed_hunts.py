"""What was left on NumPy in haste is undone to the last entry, and comes back for those tests that need it still."""

from __future__ import annotations

from np2torch.migrate.left_places import CALLED, LIKELY, LeftPlaces
from np2torch.migrate.postponed_hunts import PostponedHunts
from np2torch.migrate.trials import Failure
from support.worlds import World

WRONG = Failure("AssertionError: 1 != 2")


def test_haste_is_undone_and_done_again():
    world = World(5, 0.0)
    left = LeftPlaces(world, world.baseline, lambda line: None, {})
    first, second = world.baseline.order[:2]
    told = world.baseline.functions[first][0]
    left.keep({first: (Failure("TypeError: no"), [told])})
    postponed = PostponedHunts(left)
    assert not postponed and postponed.keep_more({first: WRONG, second: WRONG}, CALLED)
    assert postponed.keep_more({first: WRONG}, LIKELY) and postponed  # modules, which cover that
    assert told not in left.reasons and told.partition(":")[0] in left.reasons
    left.keep({"later": (WRONG, [later := next(iter(left.not_kept(world.every)), "m0:x")])})
    assert postponed.undo() == [first, second] and not postponed
    assert set(left.reasons) == {told, later}
    assert postponed.put_back({second: WRONG}) and set(world.baseline.functions[second]) <= {
        one for one in world.every if not left.not_kept([one])
    }
    assert not postponed.put_back({second: WRONG})
