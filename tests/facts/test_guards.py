"""The lines of guards, and what they weigh."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.guards import GuardLine


def test_a_guard_for_attributes_alone_is_weighed():
    guard = GuardLine((), "floating", held=(("self.x", v.array("float64", 1)),))
    assert guard.refusal_weight == GuardLine(("x",), "floating").refusal_weight and len(guard.lines) == 1


def test_what_is_kept_weighs_by_its_share():
    one, half = (GuardLine(names, "floating", kept=("x",)).refusal_weight for names in (("x",), ("x", "y")))
    assert one > half > GuardLine(("x",), "floating").refusal_weight
