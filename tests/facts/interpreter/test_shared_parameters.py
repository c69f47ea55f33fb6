"""Parameters that calls share grow so often, and may be anything then."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.interpreter.shared_parameters import SharedParameters, shared_key


def test_what_keeps_growing_may_be_anything():
    contexts: dict[str, SharedParameters] = {}
    seen = [shared_key(contexts, "all", (v.array("float64", rank), v.TEXT), 2) for rank in (1, 1, 2, 3, 4)]
    assert [v.ranks_of(first) for first, _ in seen[:3]] == [{1}, {1}, {1, 2}]
    assert v.known_to_include(seen[-1][0], "unknown") and seen[-1][1] == v.TEXT


def test_calls_that_are_told_apart_share_nothing():
    contexts: dict[str, SharedParameters] = {}
    shared_key(contexts, "one", (v.TEXT,), 2)
    assert shared_key(contexts, "other", (v.FLOAT,), 2) == (v.FLOAT,)


def test_what_calls_pass_is_known_though_it_may_be_anything():
    contexts: dict[str, SharedParameters] = {}
    rows = v.one(v.Sequence("list", None, v.FLOAT))
    for fact in (v.array("float64", 1), v.array("int64", 2), v.array("float32", 3), rows, v.TEXT):
        last = shared_key(contexts, "all", (fact,), 1)
    assert v.known_to_include(last[0], "unknown")
    assert v.kinds(contexts["all"].passed[0]) == {"array", "sequence", "text"}
