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
    heap, effects, inner = Heap(), Effects(), Effects()
    effects.stores[Store(heap.heap, 1, v.INT)] = None
    inner.stores[Store(heap.keys, 2, v.TEXT, "name")] = None
    effects.take_in(inner, None, is_unfinished=False)
    heap.repeat(effects)
    assert not heap.heap
    with heap.tentative():
        heap.repeat(effects)
        assert heap.heap == {1: v.INT} and heap.keys == {2: {"name": v.TEXT}}
    assert not heap.heap and not heap.keys


def test_what_was_under_way_comes_later():
    outer, inner, last = Effects(), Effects(), Store({}, "x", v.INT)
    inner.take_in(outer, None, is_unfinished=True)
    outer.take_in(inner, None, is_unfinished=False)
    assert not inner.all_stores()
    outer.stores[last] = None
    assert list(inner.all_stores()) == [last] and inner.unfinished == {outer}


def test_variables_of_outer_runs_are_assigned():
    effects, inner = Effects(), Effects()
    outer = Mock(frame=Mock(env={"n": v.INT}))
    inner.nonlocals[outer, "n"] = v.FLOAT
    effects.take_in(inner, outer, is_unfinished=False)
    assert not effects.nonlocals
    effects.take_in(inner, None, is_unfinished=False)
    effects.assign_nonlocals()
    assert outer.frame.env == {"n": v.join(v.INT, v.FLOAT)}
