"""The order in which inputs are tried: those that differ most first, and a few of each kind where time is short."""

from __future__ import annotations

import copy

import numpy as np

from np2torch.verify.draw import DEFAULT
from np2torch.verify.drawn_values import Before, Inputs, apart, by_parameter, copy_of, in_turn, new_first


def test_variations_that_were_not_tried_come_first():
    notes = ["a: NaN", "a: NaN", "b: list", "c: int", "b: list"]
    found = new_first([Inputs((number,), (), note) for number, note in enumerate(notes)], {"c: int"})
    assert [one.values[0] for one in found] == [0, 2, 1, 3, 4]


def test_bases_come_about_in_ways_of_their_own():
    recipes = [("array", "float"), ("array", "float"), ("list", "float"), ("array", "default"), ("list", "default")]
    found = apart([Inputs((np.ones(number),), recipe) for number, recipe in enumerate(recipes)])
    assert [len(one.values[0]) for one in found] == [0, 4, 1, 2, 3]
    past = Inputs((np.ones(9),), recipes[0], before=(Before(0, (), ()),))
    assert apart([Inputs((np.ones(0),), recipes[0]), Inputs((np.ones(1),), recipes[1]), past])[1] is past


def test_each_parameter_and_what_is_not_varied_have_their_turn():
    varied = by_parameter([Inputs((), (), note) for note in ("a: 1", "a: 2", "a: 3", "b: 1", "b: 2")])
    assert [one.note for one in varied] == ["a: 1", "b: 1", "a: 2", "b: 2", "a: 3"]
    found = in_turn([Inputs((), (), str(number)) for number in range(3)], varied[::2], varied[1::2])
    assert [one.note for one in found] == ["0", "a: 1", "b: 1", "1", "a: 2", "b: 2", "2", "a: 3"]


def test_copies_of_values_hold_the_one_default():
    assert copy.deepcopy((DEFAULT, [DEFAULT])) == (DEFAULT, [DEFAULT])


def test_types_and_iterators_are_inputs_too():
    turns = iter(x for x in range(3))
    assert copy_of((1, turns))[1] is turns and copy_of([[1]]) is not None
    given = [[1]]
    assert copy_of(given) == given and copy_of(given)[0] is not given[0]
    assert not {way for one in (np.float64, turns) for way in Inputs((one,), ("given 0",)).ways if way[1] == "long"}
