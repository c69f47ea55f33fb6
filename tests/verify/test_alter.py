"""Recorded calls with other arguments: the past of an object stays, what is counted keeps its number."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from np2torch.verify import alter
from np2torch.verify.calls import Call, Step
from np2torch.verify.decode import unpack
from np2torch.verify.draw import DEFAULT
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.encode import pack
from np2torch.verify.explore import Explorer
from np2torch.verify.hints import hints
from np2torch.verify.pairs import Parameter, functions
from np2torch.verify.target import Target

OWN = [Parameter("x", "positional", None, ""), Parameter("axis", "positional", "0", "")]
STEPS = (Step("Filter", None, 2), Step("Filter.update", 0, 1), Step("Filter.update", 0, 1, ("axis",)))


def values_of(call):
    return unpack(call.packed, False, alter._nothing)


def test_only_the_last_step_is_changed():
    past = np.arange(3.0)
    call = Call(STEPS, pack([past, [1, 2], past, np.ones(4), 1], is_layout_kept=True), "replayed")
    found = alter.alter_calls([call], [OWN[0]], OWN, "0")
    assert len(found) > 20
    for (first, x, axis), made in found:
        before, listed, again, array, number = values_of(made)
        assert first is DEFAULT and made.steps == STEPS and made.origin == "generated"
        assert np.array_equal(before, past) and np.shares_memory(before, again) and listed == [1, 2]
        assert made.note.startswith(("x: ", "axis: "))
        assert np.array_equal(np.asarray(array), x, equal_nan=True) and np.array_equal(number, axis)
    assert {"axis: negative", "x: float32", "x: NaN"} <= {made.note for _, made in found}


def test_what_is_counted_is_neither_changed_nor_put_in():
    call = Call((Step("f", None, 2),), pack([np.ones(3), [1.0]], is_layout_kept=True), "replayed")
    found = alter.alter_calls([call], [], OWN, "0")
    assert found and not any(isinstance(values_of(made)[0], list) for _, made in found)
    assert {made.note.partition(":")[0] for _, made in found} == {"x"}


@pytest.mark.parametrize(
    ("default", "others"),
    [("1", [2]), ("False", [True]), ("0.5", [1.5]), ("'same'", []), ("None", []), ("a.b", []), (None, [])],
)
def test_flags_and_numbers_are_passed_where_they_have_defaults(default, others):
    found = [value for _, value in alter.beside_default(default)]
    assert found == others and list(map(type, found)) == list(map(type, others))


def test_defaults_are_varied_with_all_else_kept(tmp_path):
    (tmp_path / "m.py").write_text("def f(x, outputs=1):\n    return x\n")
    (function,) = functions(tmp_path / "m.py")
    explorer = Explorer(Target(function, {}, hints(ast.parse(""))), 0)
    explorer.answered = {(True,): Inputs((0.5, DEFAULT), ("float", "default"))}
    assert (0.5, 2) in [one.values for one in explorer.adversarial()]
