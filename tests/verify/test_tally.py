"""Calls are counted by what came of them, and by where their inputs come from."""

from __future__ import annotations

from np2torch.verify.calls import Call, Observation
from np2torch.verify.encode import pack
from np2torch.verify.judge import Verdict
from np2torch.verify.ordinary import JudgedCall
from np2torch.verify.tally import Tally
from support.observed import seen


def test_verdicts_are_counted_by_kind():
    tally, call = Tally(), Call((), pack([]))
    raised = Observation(ended="hang")
    for verdict, old in (("equal", seen(1)), ("equal", raised), ("different", seen(1)), ("skipped", seen(1))):
        tally.add(JudgedCall(None, call, Verdict(verdict, "why"), old, seen(1)))
    assert tally.counts == {"generated": 1, "generated: both raise": 1, "generated: differs": 1}
    assert tally.differing == 1 and tally.skipped == {"why": 1} and len(tally.found) == 4
