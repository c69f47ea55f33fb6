"""Environments joined where ways meet."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.interpreter.environment import merge


def test_names_of_one_way_stay_and_paths_go():
    one, other = {"x": v.TEXT, "x.y": v.FLOAT, "x.z": v.NONE}, {"x": v.NONE, "w": v.FLOAT, "x.z": v.NONE}
    assert merge([one, other]) == {"x": v.join(v.TEXT, v.NONE), "w": v.FLOAT, "x.z": v.NONE}
    assert one == {"x": v.TEXT, "x.y": v.FLOAT, "x.z": v.NONE}
    assert merge([one]) is one
