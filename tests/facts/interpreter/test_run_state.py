"""How the state of a run changes."""

from __future__ import annotations

import ast

import pytest

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import UNREACHED, CallContext, ModuleInfo
from np2torch.facts.interpreter.run_state import RunState


@pytest.fixture
def state():
    return RunState(CallContext(ModuleInfo("m", "m.py", ast.parse("")), None, None, ()))


def test_what_is_returned_and_yielded_is_joined(state):
    state.give(v.INT)
    state.give(v.TEXT)
    state.yield_(v.INT)
    assert state.returned == v.join(v.INT, v.TEXT)
    assert state.yielded == v.INT


def test_a_pass_of_a_loop_has_facts_of_its_own(state):
    state.enter({"x": v.INT})
    before = state.env

    def body() -> None:
        state.env["x"] = v.TEXT
        state.leaving.append(state.env)
        state.stop()

    assert state.run_pass(body) == [{"x": v.TEXT}]
    assert before == {"x": v.INT} and state.leaving == [] and not state.alive


def test_what_is_bound_on_the_way(state):
    assert state.bound_by(lambda: state.bound.update(x=v.INT)) == {"x": v.INT}
    assert state.bound is None


def test_what_never_runs_leaves_nothing_behind(state):
    state.enter({"x": v.INT})

    def look() -> None:
        assert state.failing == UNREACHED
        state.give(v.TEXT)
        state.enter({"x": v.TEXT})

    state.look_aside(look)
    assert (state.returned, state.env, state.failing) == (v.BOTTOM, {"x": v.INT}, False)


def test_a_whole_begins_without_having_acted(state):
    state.act()
    facts, reads = {}, {}
    state.record_in(facts, reads, as_whole=True)
    assert state.is_whole and not state.acted and state.facts is facts and state.reads is reads


def test_a_call_that_is_expected_to_raise(state):
    call = ast.parse("f()", mode="eval").body
    state.expect_error_of(call)
    before = state.begin_call(call, is_followed=True)
    assert (before, state.failing, state.site) == (False, True, call)
    state.end_call(before)
    assert state.failing is False and state.site is None
    with state.expecting(True):
        assert state.failing is True
    assert state.failing is False
