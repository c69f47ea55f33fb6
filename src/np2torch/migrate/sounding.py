"""The few tests that run first where all take long: together they call what all call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from np2torch.migrate.trials import Baseline

LONG = 15.0
"""Seconds of a run of all tests on NumPy, below which none is sounded: on torch it may take many times as long."""
OFTEN = 2
"""So many of the tests call each function that others call as well, where there are so many."""
MOST = 0.25
"""The share of the time of all tests that those take at most."""
ENOUGH_PASS = 0.1
"""Where no more than this share of them fails, all run at once."""
MOST_SOUNDINGS = 5
"""Rounds in which tracebacks of these are followed."""


def sounding(baseline: Baseline) -> list[str]:
    """List tests that call together what more than one test function calls, those that take least; none is worth it."""
    if baseline.run_seconds < LONG:
        return []
    calls = {test: set(baseline.functions.get(test, ())) for test in baseline.order}
    shared = _shared(calls)
    left = MOST * sum(baseline.seconds.get(test, 0.0) for test in baseline.order)
    seen = Counter[str]()
    chosen = set()
    for test in sorted(baseline.order, key=lambda one: baseline.seconds.get(one, 0.0)):
        left -= (seconds := baseline.seconds.get(test, 0.0))
        if left < 0:
            break
        new = [one for one in calls[test] & shared if seen[one] < OFTEN]
        if not new:
            left += seconds
            continue
        seen.update(new)
        chosen.add(test)
    return [test for test in baseline.order if test in chosen] if len(chosen) < len(baseline.order) else []


def _shared(calls: Mapping[str, set[str]]) -> set[str]:
    """The functions that more than one test function calls, whatever its parameters."""
    by_function: dict[str, set[str]] = {}
    for test, found in calls.items():
        by_function.setdefault(test.partition("[")[0], set()).update(found)
    number = Counter(one for found in by_function.values() for one in found)
    return {one for one, times in number.items() if times > 1}
