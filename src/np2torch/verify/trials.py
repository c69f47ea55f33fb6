"""The calls that are made of a function: those that were recorded, these altered, and those that are searched for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from np2torch.verify.calls import Call
from np2torch.verify.children import Child
from np2torch.verify.clock import Allowance
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.explore import Explorer
from np2torch.verify.makers import make_values
from np2torch.verify.target import Target
from np2torch.verify.workers import LEAST

MOST_SEARCHING, MOST_SECONDS = 2.0, 2.0
"""The time of a function: to search for inputs, and for calls on the old side."""
OUTSIDE = "no inputs were found that its project alone calls it with"
Trial = tuple[Inputs | None, Call]
"""A call, and the inputs it was made of where it is not a recorded one."""


def trials_of(
    target: Target,
    old: Child,
    seed: int,
    recorded: Sequence[Call] = (),
    is_generating: bool = True,
    share: float = 1.0,
) -> tuple[list[Trial], str]:
    """List the calls to make of a function, and what kept others from being made."""
    old.begin()
    why = target.function.why_not or target.unmakable()
    trials: list[Trial] = [(None, call) for call in recorded]
    trials += target.altered_calls(recorded, seed) if is_generating else []
    if why or not is_generating:
        return trials, why
    run = partial(old.run, is_shared=True, is_watched=True)
    made = make_values(target, seed, run)
    old.begin()
    allowance = Allowance(share * MOST_SEARCHING, (old,))
    explorer = Explorer(target, seed, target.seeds(recorded), made=made, allowance=allowance)
    explorer.search(partial(run, allowance=allowance))
    found = [one for one in explorer.adversarial() if not target.is_closed or target.is_within(one)]
    inputs = explorer.affordable(found, share * MOST_SECONDS, LEAST)
    why = explorer.why_not or OUTSIDE * (target.is_closed and not found)
    return trials + [(one, call) for one in inputs if (call := target.call(one)) is not None], why
