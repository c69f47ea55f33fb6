"""What outsiders pass to converted functions gives NumPy's answer or raises: a part of `make open-world`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.source.model import Settings
from support.paths import ROOT

PATH = ROOT / "tools" / "open_world.py"
spec = importlib.util.spec_from_file_location("open_world", PATH)
assert spec is not None and spec.loader is not None
open_world: Any = importlib.util.module_from_spec(spec)
sys.modules["open_world"] = open_world
spec.loader.exec_module(open_world)
CASES = open_world.load(open_world.CASES).CASES

EVERY = 4
"""Of the cases each fourth is run here; `make open-world` runs all."""


@pytest.mark.parametrize("mode", open_world.MODES)
def test_nothing_is_silently_different(mode: str) -> None:
    chosen = [case for at, case in enumerate(CASES) if at % EVERY == 0 or case.name == "annotated"]
    rows = list(open_world.answers(chosen, Settings(), [mode]))
    assert sum(row.outcome == "equal" for row in rows) > len(rows) // 2 > 20
    assert [(row.case, row.call, row.why) for row in rows if row.outcome == "silent"] == []


@pytest.mark.parametrize(("file", "least"), [("loops.py", 0.7), ("functions.py", 0.95)])
@pytest.mark.parametrize("mode", open_world.MODES)
def test_what_goes_by_elements_takes_what_numpy_takes(mode: str, file: str, least: float) -> None:
    cases = open_world.load(Path(__file__).with_name(file)).CASES
    rows = list(open_world.answers(cases, Settings(functions="numpy"), [mode]))
    assert sum(row.outcome == "equal" for row in rows) > least * len(rows)
    assert [(row.case, row.call, row.why) for row in rows if row.outcome in ("silent", "lenient")] == []


def test_guards_between_statements_take_what_numpy_takes() -> None:
    cases = open_world.load(Path(__file__).with_name("inner.py")).CASES[::19]
    rows = list(open_world.answers(cases, Settings(), ["alone"]))
    assert sum(row.outcome == "equal" for row in rows) > 0.7 * len(rows) > 100
    assert [(row.case, row.call, row.why) for row in rows if row.outcome == "silent"] == []


def test_what_shows_a_dtype_shows_the_one_that_was_passed() -> None:
    cases = open_world.load(Path(__file__).with_name("shown.py")).CASES
    rows = list(open_world.answers(cases, Settings(), ["alone"]))
    assert sum(row.outcome == "equal" for row in rows) > 0.6 * len(rows) > 40
    assert [(row.case, row.call, row.why) for row in rows if row.outcome in ("silent", "lenient")] == []


def test_what_has_no_axis_is_refused_and_precisions_meet_as_in_numpy() -> None:
    cases = open_world.load(Path(__file__).with_name("axes.py")).CASES
    rows = list(open_world.answers(cases, Settings(), ["alone"]))
    assert [(row.case, row.call, row.why) for row in rows if row.outcome != "equal"] == []


def test_numbers_and_narrow_integers_beside_single_precision_are_right_or_refused() -> None:
    cases = open_world.load(Path(__file__).with_name("axes.py")).PRECISIONS
    rows = list(open_world.answers(cases, Settings(), ["alone"]))
    assert sum(row.outcome == "equal" for row in rows) >= 8
    assert [(row.case, row.call, row.why) for row in rows if row.outcome not in ("equal", "loud")] == []


def test_what_torch_refuses_does_not_end_in_a_handler() -> None:
    cases = open_world.load(Path(__file__).with_name("caught.py")).CASES
    rows = list(open_world.answers(cases, Settings(), ["alone"]))
    assert sum(row.outcome == "equal" for row in rows) > 0.6 * len(rows)
    assert [(row.case, row.call, row.why) for row in rows if row.outcome not in ("equal", "loud")] == []


def test_what_is_a_difference() -> None:
    x, half = np.array([1.0, 2.0]), torch.tensor([1.0, 2.0], dtype=torch.float64)
    names = {"x": x}, {"x": half}

    def outcome(old: str, new: str) -> str:
        made = {"f": lambda: eval(old, {"np": np, **names[0]})}, {"f": lambda: eval(new, {"torch": torch, **names[1]})}
        return str(open_world.judged("f()", *made)[0])

    assert outcome("x", "x") == "equal"
    assert outcome("x", "x.float()") == outcome("x", "x + 1e-11") == outcome("x", "[x]") == "silent"
    assert outcome("2.5", "torch.tensor(2.5, dtype=torch.float64)") == outcome("[1]", "[torch.tensor(1)]") == "silent"
    assert outcome("x.sum()", "3.0") == "equal"
    assert (outcome("x[5]", "x[5]"), outcome("x", "x[5]"), outcome("x[5]", "x")) == ("equal", "loud", "lenient")


def test_what_counts_as_a_guard() -> None:
    text = "def f(u, d):\n    u, d = shim.floating(u, d)\n    x = shim.sort(u)\n    return shim.exp(shim.sin(x))\n"
    assert open_world.shim_calls(text) == 3
    assert open_world.shim_calls("@shim.contract(x='floating')\ndef f(x):\n    return x\n") == 0
    rows = [open_world.Answer("alone", "f", "f()", "equal", "", text)]
    assert list(open_world.table(rows)) == [
        "alone: 1 calls: 1 equal, 0 loud, 0 lenient, 0 silent; 0 of 1 functions without a shim call in the body, "
        "3 shim calls in all, 1 guards"
    ]


def test_the_last_bits_of_single_precision_do_not_show_in_double() -> None:
    cases = open_world.load(Path(__file__).with_name("precisions.py")).CASES
    rows = list(open_world.answers(cases, Settings(), ["alone"]))
    assert sum(row.outcome == "equal" for row in rows) > 0.6 * len(rows) > 12
    assert [(row.case, row.call, row.why) for row in rows if row.outcome in ("silent", "lenient")] == []
