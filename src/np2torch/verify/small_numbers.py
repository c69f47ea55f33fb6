"""Calls with whole numbers in all combinations of small ones: there a count is off by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from np2torch.verify import vary
from np2torch.verify.calls import Call, Observation
from np2torch.verify.clock import Allowance
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.target import Target

NOTE, AT_ONCE = "small numbers", 16


def with_small_numbers(
    answered: Sequence[Inputs], target: Target, run: Callable[[list[Call]], list[Observation]], allowance: Allowance
) -> list[tuple[Inputs, Observation]]:
    """Replace the whole numbers of one call, as far as time allows; what has a result, or an own error, is kept."""
    counted = [one for one in answered if int in map(type, one.values)]
    counted.sort(key=lambda one: (-list(map(type, one.values)).count(int), -len(one.lines)))
    found: list[tuple[Inputs, Observation]] = []
    for base in counted[:1]:
        rows = list(vary.small_numbers(base.values))
        for begin in range(0, len(rows), AT_ONCE):
            some = [base._replace(values=tuple(one), note=NOTE) for one in rows[begin : begin + AT_ONCE]]
            made = [(one, call) for one in some if (call := target.call(one)) is not None]
            seen = run([call for _, call in made])
            for (one, _), own in zip(made, seen, strict=True):
                if own.has_result or own.raised is not None and own.raised.by == "own":
                    found.append((one, own))
            if not allowance.remaining or any(one.ended for one in seen):
                return found
    return found
