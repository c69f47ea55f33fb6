"""Calls are counted by what came of them, and by where their inputs come from."""

from __future__ import annotations

from np2torch.verify.calls import Call, Observation
from np2torch.verify.encode import pack
from np2torch.verify.judge import Verdict
from np2torch.verify.ordinary import JudgedCall
from np2torch.verify.tally import WORDS, Tally
from support.observed import seen


def test_calls_are_counted_that_were_not_made():
    tally, calls = Tally(), [Call((), pack([]), origin) for origin in ("generated", "generated", "replayed")]
    tally.add(JudgedCall(None, calls[0], Verdict("equal"), seen(1), seen(1)))
    tally.note_late(calls)
    late = WORDS["late"]
    assert tally.counts == {"generated": 1, f"generated: {late}": 1, f"replayed: {late}": 1}


def test_verdicts_are_counted_by_kind():
    tally, call = Tally(), Call((), pack([]))
    raised = Observation(ended="hang")
    for verdict, old in (("equal", seen(1)), ("equal", raised), ("different", seen(1)), ("skipped", seen(1))):
        tally.add(JudgedCall(None, call, Verdict(verdict, "why"), old, seen(1)))
    assert tally.counts == {"generated": 1, "generated: both raise": 1, "generated: differs": 1}
    assert tally.differing == 1 and tally.skipped == {"why": 1} and len(tally.found) == 4


def test_a_guard_that_refuses_all_inputs_is_the_reason_why_nothing_was_compared():
    tally, call = Tally(), Call((), pack([]))
    assert tally.conclusion([], "none was found") == ("not exercised", "none was found")
    tally.add(JudgedCall(None, call, Verdict("refused", "raises TypeError: float32"), seen(1), Observation()))
    word, why = tally.conclusion([], "none was found")
    assert word == "not exercised" and why.endswith("answers: raises TypeError: float32")
