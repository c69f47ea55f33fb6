"""What calls do beside giving a result: it is taken in by who calls, and can be done again."""

from __future__ import annotations

from unittest.mock import Mock

from np2torch.facts import values as v
from np2torch.facts.interpreter.effects import Effects, Store
from np2torch.facts.interpreter.heap import Heap


def test_stores_of_one_fact_into_one_cell_are_one():
    cells: dict[str, v.Fact] = {}
    one, same = Store(cells, "x", v.INT), Store(cells, "x", v.INT)
    assert one == same and len({one, same, Store(cells, "x", v.FLOAT), Store({}, "x", v.INT)}) == 3


def test_a_trial_stores_again_what_a_run_stored():
    heap, effects = Heap(), Effects()
    effects.stores |= dict.fromkeys([Store(heap.heap, 1, v.INT), Store(heap.keys, 2, v.TEXT, "name")])
    heap.repeat(effects)
    assert not heap.heap
    with heap.tentative():
        heap.repeat(effects)
        assert heap.heap == {1: v.INT} and heap.keys == {2: {"name": v.TEXT}}
    assert not heap.heap and not heap.keys


def test_stores_stay_with_the_run_that_makes_them():
    effects, inner = Effects(), Effects()
    inner.stores[Store({}, "x", v.INT)] = None
    inner.sets = frozenset({"rate"})
    effects.take_in(inner, None)
    assert effects.sets == {"rate"} and not effects.stores


def test_variables_of_outer_runs_are_assigned():
    effects, inner = Effects(), Effects()
    outer = Mock(frame=Mock(env={"n": v.INT}))
    inner.nonlocals[outer, "n"] = v.FLOAT
    effects.take_in(inner, outer)
    assert not effects.nonlocals
    effects.take_in(inner, None)
    effects.assign_nonlocals()
    assert outer.frame.env == {"n": v.join(v.INT, v.FLOAT)}
