"""Trials of guards: runs from which the project learns nothing, and which take over what earlier ones found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from np2torch.facts.interpreter.contexts import CallContext as Run
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.interpreter.function_runs import FunctionRuns

MOST_TRIED = 64
"""How many runs of a function are kept for later trials: all are forgotten then."""


@contextmanager
def told_apart(engine: Interpreter, function: FunctionDefinition, turn: int) -> Iterator[None]:
    """Tell calls of functions apart as if none had been seen: what other worlds pass makes no difference.

    Runs of earlier trials serve the same calls where what they read is what it was; what they store is stored again.

    Parameters
    ----------
    function
        The one that is tried: it may have other attributes among its parameters each time, so its runs are not kept.
    turn
        Which pass of the trial this is: lists hold other things in each.
    """
    before: dict[FunctionDefinition, FunctionRuns] = {}

    def enter(one: FunctionDefinition | None) -> None:
        if one is not None and one not in before:
            known = {} if one is function else _serving_again(engine, engine.trial_runs.get((one, turn), {}))
            before[one] = one.exchange_runs(FunctionRuns.none(known))

    is_whole = False
    try:
        with engine.trying(enter):
            enter(function)
            yield
        is_whole = True
    finally:
        for one, runs in before.items():
            of_trial = one.exchange_runs(runs)
            if one is not function:  # what ends with an error has found only some of it
                engine.trial_runs[one, turn] = of_trial.known if is_whole else {}


def _serving_again(engine: Interpreter, tried: dict[Any, Run]) -> dict[Any, Run]:
    """Give the runs of earlier trials that may serve again: each is asked first whether what it read is the same."""
    if len(tried) > MOST_TRIED:
        return {}
    for run in tried.values():
        run.serve_again(engine.number)
    return {key: run for key, run in tried.items() if not run.unstable}
