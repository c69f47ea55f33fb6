"""Calls the functions of a module with drawn inputs, and keeps what they give as inputs for the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from np2torch.verify.calls import Observation
from np2torch.verify.explore import Explorer
from np2torch.verify.made_objects import given_objects
from np2torch.verify.made_values import Made, Run, distinct, given_values
from np2torch.verify.target import Target

Reading = Callable[[Observation], Iterable[object]]
"""Gives what is kept of a call."""
DRAWN = 12
"""Calls of each function."""
MOST_SECONDS, SLOW = 3.0, 0.2
"""The time for a module, and that of a call after which no more are made of its function."""
MOST_FUNCTIONS = 60


def make_values(target: Target, seed: int, run: Run) -> Made:
    """Call the functions beside a target, once for all that ask; gives what they give, by their names."""
    siblings = target.siblings
    if seed not in siblings.made:
        found: dict[str, list[object]] = {}
        seconds = 0.0
        given = [(one, given_objects) for one in siblings.makers]
        given += [(one, given_values) for one in siblings.targets[:MOST_FUNCTIONS]]
        for one, read in given:
            if seconds < MOST_SECONDS:
                values, spent = _of_function(one, seed, found, run, read)
                seconds += spent
                found |= {one.name: values} if values else {}
        siblings.made[seed] = found
    return {name: values for name, values in siblings.made[seed].items() if name != target.name}


def _of_function(one: Target, seed: int, made: Made, run: Run, read: Reading) -> tuple[list[object], float]:
    """Call a function, also with the results of functions before it; give its results and the time they took."""
    calls = Explorer(one, seed, one.seeds(()), made=made).first_calls(DRAWN)
    values: list[object] = []
    seconds = 0.0
    for begin in range(0, len(calls), DRAWN // 3):
        seen = run(calls[begin : begin + DRAWN // 3])
        seconds += sum(one.seconds for one in seen)
        values += [value for one in seen for value in read(one)]
        if any(one.ended for one in seen) or seconds > SLOW:
            break
    return distinct(values), seconds
