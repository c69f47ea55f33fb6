"""What is left on NumPy is added to, never twice, and names what it is part of once."""

from __future__ import annotations

import pytest

from np2torch.migrate.left_places import LIKELY, MODULES, LeftPlaces, some
from np2torch.migrate.trials import Failure
from support.worlds import World


@pytest.fixture
def left():
    world = World(3, 0.0)
    return LeftPlaces(world, world.baseline, lambda line: None, {"m5:f0": "ours"})


def test_a_traceback_tells_its_innermost_place_first_then_all_around(left):
    failure = Failure("TypeError: no", ["m0:f1", "m0:f2", "m1:f0"])
    assert left.around(failure, 0) == ["m0:f1"] and left.around(failure, 1) == ["m0:f1", "m0:f2", "m1:f0"]
    left.keep({"t": (failure, ["m0:f1"])})
    assert left.around(failure, 0) == ["m0:f2"] and left.suspects["m0:f1"] == {"t"}
    assert left.around(Failure("AssertionError: 1 != 2", ["m0:f1", "m0:f2"]), 1) == []


def test_more_is_what_a_test_calls_then_its_modules_then_all(left):
    test = left.baseline.order[0]
    failing = {test: Failure("AssertionError: 1 != 2")}
    called = set(left.baseline.functions[test])
    assert left.keep_more(failing) and set(left.reasons) == called | {"m5:f0"}
    assert left.keep_more(failing)
    assert {one for one in left.reasons if ":" not in one} == {one.partition(":")[0] for one in called}
    assert not any(one.partition(":")[0] in left.reasons for one in left.reasons if ":" in one and one != "m5:f0")
    assert left.keep_more(failing, MODULES) and set(left.reasons) >= set(left.baseline.modules)
    assert not left.keep_more(failing, MODULES) and left.reasons["m5:f0"] == "ours"


def test_likely_culprits_come_first_and_twice_as_many_each_time(left):
    test = left.baseline.order[0]
    called = left.baseline.functions[test]
    left.suspicion.learn({}, {test: called, "other": called[2:3]})
    failing = {test: Failure("AssertionError: 1 != 2")}
    assert left.keep_more(failing, LIKELY) and set(left.reasons) == {called[2], "m5:f0"}
    assert left.keep_more(failing, LIKELY) and len(left.reasons) == 4
    assert left.keep_more(failing, LIKELY) and set(left.reasons) == {*called, "m5:f0"}
    assert left.keep_more(failing, LIKELY) and not [one for one in called if one in left.reasons]  # their modules


def test_around_a_border_its_module_stays_once(left):
    test = left.baseline.order[0]
    left.keep({"other": (Failure("TypeError: no"), ["m1:f0", "m2:f3"])})
    left.borders = {test: ["m2:f3"]}
    failing = {test: Failure("AssertionError: 1 != 2")}
    assert left.keep_more(failing, LIKELY) and set(left.reasons) == {"m1:f0", "m2", "m5:f0"}
    assert left.keep_more(failing, LIKELY) and len(left.reasons) == 4


def test_names_are_listed_up_to_a_number():
    assert some(["a", "b"], 2) == "a, b" and some(["a", "b", "c"], 2) == "a, b and 1 more"


def test_what_covers_an_entry_stays_for_its_tests_too(left):
    left.keep({"one": (Failure("TypeError: no"), ["m1:f0"])})
    left.keep({"two": (Failure("TypeError: no"), ["m1"])})
    left.drop_covered()
    assert "m1:f0" not in left.reasons and left.suspects["m1"] == {"one", "two"}
