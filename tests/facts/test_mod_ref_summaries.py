"""Tests of the summaries of what functions write and give back."""

from __future__ import annotations

from collections import Counter
from textwrap import dedent
from typing import Any

import pytest

from np2torch.facts import mod_ref_summaries
from np2torch.facts.mod_ref_summaries import ProjectAliases
from support.facts import run

TEXT = dedent(
    """
    import numpy as np

    def alone(x):
        x[0] = 1
        return np.sum(x)

    def even(x, n):
        alone(x)
        if n == 0:
            return x
        return odd(x, n - 1)

    def odd(x, n):
        return even(x, n - 1)

    def caller(x):
        return odd(x, 3)

    caller(np.ones(3))
    """
)


def test_functions_that_call_each_other_have_what_all_of_them_write_and_give() -> None:
    engine, _ = run(TEXT)
    project = ProjectAliases(engine)
    functions = engine.functions.values()
    effects = {one.name: (project.writes(one).parameters, project.gives(one).parameters) for one in functions}
    whole = {0: frozenset([("", None)])}
    assert effects == {"alone": (whole, {}), "even": (whole, whole), "odd": (whole, whole), "caller": (whole, whole)}


def test_only_what_rests_on_something_assumed_is_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, _ = run(TEXT)
    made: Counter[str] = Counter()

    class Counted(mod_ref_summaries.Aliases):
        def __init__(self, engine: Any, node: Any, project: Any) -> None:
            made[getattr(node, "name", "")] += 1
            super().__init__(engine, node, project)

    monkeypatch.setattr(mod_ref_summaries, "Aliases", Counted)
    ProjectAliases(engine)
    assert made["alone"] == 1
    assert made["even"] > 1
