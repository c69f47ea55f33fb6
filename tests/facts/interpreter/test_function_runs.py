"""The runs of a function are set aside as a whole, and come back as they were."""

from __future__ import annotations

from np2torch.facts.interpreter.function_runs import FunctionRuns
from support.facts import run


def test_runs_give_way_to_others_and_come_back():
    engine, _ = run("def f(x):\n    return x\n\n\nf(1)\nf(2.5)\n")
    (function,) = engine.functions.values()
    active, spent = dict(function.active), function.spent
    assert active and spent
    aside = function.exchange_runs(FunctionRuns.none({}))
    assert not function.active and not function.spent
    assert function.exchange_runs(aside) == FunctionRuns.none({})
    assert (function.active, function.spent) == (active, spent)
