"""Where all tests take long, few run first that call what the others call; the cheapest come first."""

from __future__ import annotations

from np2torch.migrate.sounding import LONG, sounding
from np2torch.migrate.trials import Baseline


def _baseline(**more: float) -> Baseline:
    calls = {"t::one[0]": ["m:f", "m:g"], "t::one[1]": ["m:f", "m:only"], "t::two": ["m:f", "m:g"], "t::three": ["m:g"]}
    seconds = dict.fromkeys(calls, 1.0) | {"t::slow": 16.0, "t::two": 0.5}
    calls["t::slow"] = ["m:f", "m:g"]
    return Baseline(list(calls), functions=calls, seconds=seconds, run_seconds=more.get("run_seconds", LONG))


def test_few_tests_call_together_what_several_call():
    assert sounding(_baseline()) == ["t::one[0]", "t::two"]


def test_where_all_take_little_none_is_chosen():
    assert sounding(_baseline(run_seconds=LONG - 1)) == []
