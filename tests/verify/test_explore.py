"""Inputs that are drawn vary each parameter in each way, and have the shapes that documentation names."""

from __future__ import annotations

import ast

import numpy as np

from np2torch.verify.calls import Observed
from np2torch.verify.decode import unpack
from np2torch.verify.explore import Explorer, Inputs, Target, _apart, _new_first
from np2torch.verify.hints import hints
from np2torch.verify.pairs import functions

TEXT = '''
def f(d, bounds=None, x=0):
    """Scale.

    bounds : array of shape (d, 2)
    """
    return bounds
'''


def test_sizes_of_documented_shapes_are_the_numbers_of_that_name(tmp_path):
    (tmp_path / "m.py").write_text(TEXT)
    (function,) = functions(tmp_path / "m.py")
    target = Target(function, {}, hints(ast.parse(TEXT)))
    drawn: list[tuple] = []

    def run(calls):
        values = [unpack(call.packed, False, lambda module, name: None) for call in calls]
        drawn.extend((row[0], row[1]) for row in values if len(row) > 1)
        return [Observed(refused="no") for _ in calls]

    Explorer(target, 0).search(run)
    given = [(d, bounds) for d, bounds in drawn if type(d) is int and 0 < d < 9 and isinstance(bounds, np.ndarray)]
    fitting = [bounds for d, bounds in given if bounds.shape == (d, 2)]
    assert len(fitting) > 10 and len(fitting) > len(given) / 3


def test_variations_that_were_not_tried_come_first():
    notes = ["a: NaN", "a: NaN", "b: list", "c: int", "b: list"]
    found = _new_first([Inputs((number,), (), note) for number, note in enumerate(notes)], {"c: int"})
    assert [one.values[0] for one in found] == [0, 2, 1, 3, 4]


def test_bases_come_about_in_ways_of_their_own():
    recipes = [("array", "float"), ("array", "float"), ("list", "float"), ("array", "default"), ("list", "default")]
    found = _apart([Inputs((np.ones(number),), recipe) for number, recipe in enumerate(recipes)])
    assert [len(one.values[0]) for one in found] == [0, 4, 1, 2, 3]
