"""What parameters of a call say of the context that it gets."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from np2torch.facts.interpreter.contexts import either_way, is_numeric, is_open
from support.facts import run


@pytest.mark.parametrize(
    ("fact", "numeric", "open_"),
    [
        (v.INT, True, False), (v.TEXT, False, False), (v.ARRAY, True, True), (v.array("float64", 1), True, False),
        (v.TOP, False, True), (v.tuple_of(v.TEXT, v.array("int64", 2)), True, False), (v.NONE, False, False),
    ],
)  # fmt: skip
def test_of_what_a_parameter_is(fact, numeric, open_):
    assert (is_numeric(fact), is_open(fact)) == (numeric, open_)


def test_a_number_that_other_calls_get_as_a_tensor_is_either():
    number = v.scalar("float64", python=True)
    assert v.kinds(either_way(number)) >= {"scalar"}
    assert either_way(v.TEXT) == v.TEXT


def test_without_arrays_or_numbers_one_context_serves_all_calls():
    calls = "".join(f"f('{letter}')\ng({number})\n" for number, letter in enumerate("abcdef"))
    engine, _ = run(f"def f(x): return x\ndef g(x): return x\n{calls}")
    used = {function.name: len(function.active) for function in engine.functions.values()}
    assert used["f"] <= 2


def test_the_widest_contexts_are_those_whose_parameters_no_other_covers():
    engine, _ = run("def f(x): return x\ndef g(x): return x\nf(np.ones(3))\nf(np.ones(3) * 1j)\nf(open('a'))\ng(1.0)\n")
    kept = {function.name: found for function, found in engine.widest.items()}
    assert list(kept["f"]) == [(v.TOP,)] and not kept["g"]
    assert [v.TOP in facts.values() for facts in kept["f"][v.TOP,]] == [True]
