"""Handlers are asked phase by phase, and within a phase no order counts: shuffled, they give the same text."""

from __future__ import annotations

import ast
import os
import random

import pytest

from np2torch.rewrite import plan
from np2torch.rewrite.convert import analyse, interpreting
from np2torch.rules.handlers import HANDLERS, Handlers, Phase
from np2torch.source.model import Settings, SourceFile
from support.fixture_pairs import name_of, numpy_files

SEEDS = int(os.environ.get("SHUFFLES", "2"))
"""How many orders each fixture is converted in; `SHUFFLES=20` for more."""
OTHERS = 3
"""CI has time for one fixture out of so many."""
FILES = [
    pytest.param(path, marks=pytest.mark.long) if at % OTHERS else path for at, path in enumerate(numpy_files())
]  # fmt: skip


def shuffled(seed: str) -> Handlers:
    """Register all handlers anew, each phase in an order of its own."""
    found, draw = Handlers(), random.Random(seed)
    for kind, phases in HANDLERS.registered.items():
        for phase, handlers in phases.items():
            for handler in draw.sample(handlers, len(handlers)):
                found.add(phase, handler, kind)
    return found


def test_phases_are_asked_in_their_order():
    handlers = Handlers()
    last, first, other = (lambda ctx, node: None for _ in range(3))
    handlers.add(Phase.REST, last, ast.Call)
    handlers.add(Phase.SCALARS, first, ast.Call, ast.Name)
    assert handlers.of(ast.Call) == (first, last)
    handlers.add(Phase.NUMPY, other, ast.Call)
    assert (handlers.of(ast.Call), handlers.of(ast.Name), handlers.of(ast.Set)) == ((first, other, last), (first,), ())


def test_a_handler_is_not_registered_twice():
    handlers = Handlers()
    handlers.add(Phase.NUMPY, print, ast.Call)
    with pytest.raises(ValueError, match="registered twice for Call"):
        handlers.add(Phase.REST, print, ast.Name, ast.Call)


def test_shuffling_changes_orders_within_phases_alone():
    calls = [shuffled(str(seed)).of(ast.Call) for seed in range(9)]
    assert len(set(calls)) == 9
    phases = {handler: phase for phase, found in HANDLERS.registered[ast.Call].items() for handler in found}
    for order in calls:
        asked = [phases[handler] for handler in order]
        assert asked == sorted(asked)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_order_counts_within_a_phase(path, monkeypatch):
    """One analysis, converted in several orders: the text, the sites and what is said stay the same."""
    source = SourceFile(path, path.name, path.read_text("utf-8"))
    with interpreting():
        work = analyse([source], Settings(root=path.parent, closed=("*.py",)))
    usual = list(work.run())
    for seed in range(SEEDS):
        monkeypatch.setattr(plan, "HANDLERS", shuffled(f"{path.name} {seed}"))
        assert list(work.run()) == usual, f"seed {seed}"
