"""What failing tests call, and no passing one, is at fault most likely."""

from __future__ import annotations

from np2torch.migrate.suspicion import Suspicion


def test_what_only_failing_tests_call_comes_first():
    suspicion = Suspicion()
    suspicion.learn({"good": ["m:common"], "better": ["m:common", "m:rare"]}, {})
    suspicion.learn({}, {"bad": ["m:common", "m:rare", "m:guilty"], "worse": ["m:guilty", "m:common"]})
    assert suspicion.sort(["m:unknown", "m:common", "m:rare", "m:guilty"]) == [
        "m:guilty", "m:common", "m:rare", "m:unknown",
    ]  # fmt: skip
    assert suspicion.of("m:guilty") > suspicion.of("m:common") > suspicion.of("m:unknown") == 0.0


def test_what_failed_before_says_nothing_of_now():
    suspicion = Suspicion()
    suspicion.learn({}, {"bad": ["m:f"]})
    suspicion.learn({"bad": ["m:f"]}, {"other": ["m:g"]})
    assert suspicion.of("m:f") == 0.0 and suspicion.of("m:g") == 1.0
