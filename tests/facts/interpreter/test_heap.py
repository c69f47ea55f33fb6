"""What objects, lists, dicts and globals may hold, and trials that leave nothing behind."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.interpreter.heap import MOST_KEYS, Heap


def test_elements_join() -> None:
    heap = Heap()
    heap.add_element(1, v.INT)
    heap.add_element(1, v.FLOAT, "rate")
    assert heap.heap[1] == v.join(v.INT, v.FLOAT) and heap.keys[1] == {"rate": v.FLOAT} and heap.changed


def test_keys_are_told_apart_up_to_a_limit() -> None:
    heap = Heap()
    for key in range(MOST_KEYS + 5):
        heap.add_element(1, v.INT, key)
    assert len(heap.keys[1]) == MOST_KEYS


def test_a_trial_leaves_nothing_behind() -> None:
    heap = Heap()
    heap.add_element(1, v.INT, "n")
    heap.changed = False
    with heap.tentative():
        heap.add_element(1, v.FLOAT, "n")
        heap.add_element(2, v.TEXT)
        with heap.tentative():
            heap.add_element(2, v.NONE)
        assert heap.heap[2] == v.TEXT
    assert heap.heap == {1: v.INT} and heap.keys == {1: {"n": v.INT}} and not heap.changed


def test_what_keeps_growing_may_be_anything() -> None:
    heap = Heap()
    heap.add_element(1, v.INT)
    heap.wide = True
    heap.add_element(1, v.TEXT)
    assert v.known_to_include(heap.heap[1], "unknown")
