"""Calls next to places where a function turns: what counts, compares or rounds down shows a lack of digits there."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from np2torch.verify.calls import Call, Observation, RaisedError
from np2torch.verify.children import Child, Limits
from np2torch.verify.clock import Allowance
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.explore import Explorer
from np2torch.verify.hints import hints
from np2torch.verify.kinds import kinds
from np2torch.verify.pairs import functions, place_of
from np2torch.verify.target import Target
from np2torch.verify.turning_points import NOTE, outcome_of, turning_points, with_multiple

TEXTS = {
    "rounds": "import math\n\ndef f(x):\n    return math.floor(math.log(x) / math.log(1.1))\n",
    "branches": "def f(x):\n    if x > 0.7:\n        return 2 * x\n    return x / 2\n",
    "floors": "import numpy as np\n\ndef f(x):\n    return np.floor(x * x * 1.7)\n",
    "counts": "def f(x):\n    return (x > 0.7).sum()\n",
    "raises": "def f(x):\n    if x > 0.7:\n        raise ValueError('large')\n    return 2 * x\n",
    "nothing": "def f(x):\n    return 2.5 * x\n",
}


@pytest.fixture
def opened(tmp_path, request):
    text = TEXTS[request.param]
    (tmp_path / "m.py").write_text(text)
    (function,) = functions(tmp_path / "m.py")
    with Child("old", Limits(5.0)) as old:
        old.open(place_of(tmp_path / "m.py"))
        target = Target(function, {}, hints(ast.parse(text)))
        yield target, lambda calls: old.run(calls, is_shared=True, is_watched=True), old


@pytest.mark.parametrize(
    ("opened", "value"),
    [
        ("rounds", 12.3),
        ("floors", np.array([0.3, 1.2])),
        ("branches", 0.5),
        ("counts", np.array([0.1, 0.5])),
        ("raises", 0.5),
    ],
    indirect=["opened"],
)
def test_both_sides_of_a_turn_are_found(opened, value):
    target, run, old = opened
    (low, high) = turning_points([Inputs((value,), ())], target, run, Allowance(60.0, (old,)))
    assert low.note == high.note == NOTE
    (one, other) = (float(np.max(inputs.values[0])) for inputs in (low, high))
    assert 0 < abs(other - one) < 1e-8 * one
    calls: list[Call] = [call for inputs in (low, high) if (call := target.call(inputs)) is not None]
    seen = run(calls)
    below, above = map(outcome_of, seen)
    assert below is not None and above is not None and below.differs(above)


@pytest.mark.parametrize(
    ("opened", "value"), [("nothing", 0.5), ("branches", 5.0), ("counts", "x")], indirect=["opened"]
)
def test_there_are_none_where_nothing_turns(opened, value):
    target, run, old = opened
    assert not turning_points([Inputs((value,), ())], target, run, Allowance(60.0, (old,)))


@pytest.mark.parametrize("opened", ["branches"], indirect=["opened"])
def test_values_that_the_contract_does_not_name_are_not_made(opened):
    target, run, old = opened
    target.kinds = [kinds("a float")]
    assert not turning_points([Inputs((np.array(0.5),), ())], target, run, Allowance(60.0, (old,)))


@pytest.mark.parametrize("opened", ["rounds"], indirect=["opened"])
def test_a_search_makes_such_calls(opened):
    target, run, _ = opened
    explorer = Explorer(target, 0)
    explorer.search(run)
    assert NOTE in {one.note for one in explorer.adversarial()}


def test_arguments_are_multiplied_in_their_dtype():
    x = np.array([0.5, 3.0], "float32")
    made = [with_multiple(Inputs((x, 3, 0.0), ()), index, 2.0).values[index] for index in range(3)]
    assert made[0].tolist() == [1.0, 6.0] and made[0].dtype == x.dtype and made[1:] == [6.0, 1.0]


def test_errors_of_others_are_no_outcome():
    own, other = (Observation(raised=RaisedError("ValueError", (), "", by, 0)) for by in ("own", "outside"))
    assert outcome_of(own) and not outcome_of(other) and not outcome_of(Observation(ended="hang"))
