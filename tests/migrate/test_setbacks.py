"""The run of all tests that fails least is remembered; one that fails many times as often is undone."""

from __future__ import annotations

from np2torch.migrate.left_places import LeftPlaces, SearchResult
from np2torch.migrate.setbacks import Setbacks
from np2torch.migrate.trials import OVER, Failure
from support.worlds import World


def _setbacks(**size: int) -> tuple[LeftPlaces, Setbacks]:
    world = World(3, 0.0, **size)
    left = LeftPlaces(world, world.baseline, lambda line: None, {})
    return left, Setbacks(left)


def _failing(left: LeftPlaces, number: int, first: int = 0) -> dict[str, Failure]:
    return {name: Failure("TypeError: no") for name in left.baseline.order[first : first + number]}


def test_what_made_many_more_tests_fail_is_undone():
    left, setbacks = _setbacks()
    few, many = _failing(left, 2), _failing(left, 9)
    left.keep({"t0": (Failure("TypeError: no"), ["m0:f1"])})
    assert not setbacks.is_setback(few) and not setbacks.any
    left.keep({"t1": (Failure("TypeError: no"), ["m0"])})
    left.drop_covered()
    assert setbacks.is_setback(many) and setbacks.any
    assert setbacks.go_back() == few and set(left.reasons) == {"m0:f1"}
    left.keep({"t1": (Failure("TypeError: no"), ["m1:f1"])})
    assert not setbacks.is_setback(few) and set(left.reasons) == {"m0:f1", "m1:f1"}
    assert not setbacks.is_stalled
    assert not setbacks.is_setback(few) and setbacks.is_stalled


def test_the_run_with_fewest_failing_is_remembered_and_where_as_many_fail_most_is_converted():
    left, setbacks = _setbacks()
    setbacks.is_setback(_failing(left, 3))
    left.keep({"t0": (Failure("TypeError: no"), ["m0:f1"])})
    setbacks.is_setback(_failing(left, 3, 2))
    assert setbacks.go_back() == _failing(left, 3) and not left.reasons and setbacks.figures == (3, 30)
    left.keep({"t0": (Failure("TypeError: no"), ["m0:f1"])})
    setbacks.is_setback(_failing(left, 2))
    assert setbacks.figures == (2, 29)


def test_only_what_may_be_given_up_is_allowed_with_those_that_were_before():
    left, setbacks = _setbacks(tests=40)
    left.baseline.may_fail = 0.1
    left.give_up(_failing(left, 2, 30))
    setbacks.is_setback(_failing(left, 3))
    assert setbacks.good_enough is None
    setbacks.is_setback(_failing(left, 2))
    assert setbacks.good_enough is not None and setbacks.figures == (4, 30)
    left.keep({"t0": (Failure("TypeError: no"), ["m0:f1"])})
    left.give_up(_failing(left, 1, 25))
    setbacks.is_setback(_failing(left, 1))  # as many in all, and less is converted
    assert setbacks.figures == (4, 30)
    assert setbacks.go_back() == _failing(left, 2) and len(left.baseline.given_up) == 2


def test_where_nothing_else_is_converted_the_end_may_be_what_left_a_few_more_failing():
    left, setbacks = _setbacks(tests=40)
    assert not setbacks.ends_short()  # nothing has run
    setbacks.is_setback(_failing(left, 5))
    left.keep({"t0": (Failure("TypeError: no"), ["m1:f1"])})
    assert not setbacks.ends_short()  # something is converted
    everything = {"": (Failure("TimeoutError: over"), left.conversion.all_modules())}
    left.keep(everything)
    left.drop_covered()
    assert not setbacks.ends_short() and left.share(left.found) == 0  # five of forty are not few
    left.found.kept = {"m0:f1": "TypeError: no"}
    setbacks.is_setback(_failing(left, 3))
    left.baseline.leave_out(_failing(left, 1))
    left.keep(everything)
    left.drop_covered()
    assert setbacks.ends_short() and left.reasons == {"m0:f1": "TypeError: no"}
    assert left.found.unsolved.keys() == _failing(left, 2).keys()


def test_what_breaks_more_than_it_mends_is_converted_again():
    left, setbacks = _setbacks(tests=40)
    left.baseline.may_fail = 0.1
    one, other, *_ = left.baseline.order
    setbacks.is_setback(_failing(left, 2))
    left.keep({one: (Failure("TypeError: no"), ["m0:f1"]), other: (Failure("TypeError: no"), ["m1:f1"])})
    broken = left.baseline.order[5:8]
    assert not setbacks.take_back({broken[0]: ["m0:f1"]})
    assert setbacks.take_back({broken[0]: ["m0:f1"], broken[1]: ["m1:f1"], broken[2]: ["m1:f1"]})
    assert set(left.reasons) == {"m0:f1"} and set(left.baseline.given_up) == {other}


def test_where_more_fail_than_before_the_entries_go_that_explain_it_and_errors_lead_there_no_more():
    """One entry is undone for the tests that it breaks, not what lies beside it and mends more."""
    left, setbacks = _setbacks(tests=40)
    one, other, third, *_ = left.baseline.order
    setbacks.is_setback(_failing(left, 3))
    error = Failure("TypeError: no", ["m1", "m2:f1"])
    left.keep({one: (error, ["m0:f1"]), other: (error, ["m1"]), third: (error, ["m0:f1"])})
    broken = left.baseline.order[5:9]
    failing = dict.fromkeys(broken, error)
    assert setbacks.least == 3
    assert setbacks.bar({name: ["m0:f1", "m1"] if name == broken[0] else ["m1"] for name in broken}, failing)
    assert set(left.reasons) == {"m0:f1"} and not left.baseline.given_up
    assert left.around(error, 1) == ["m2:f1"]
    left.keep({other: (error, ["m1"])})  # a hunt has found nothing else
    assert not setbacks.bar({name: ["m1"] for name in broken}, failing)


def test_what_has_not_run_for_want_of_time_is_no_failure():
    """The end may be a run that was cut off, if most tests ran and few of these failed; it says which did not."""
    left, setbacks = _setbacks(tests=40)
    everything = {"": (Failure(OVER), left.conversion.all_modules())}
    unseen = dict.fromkeys(left.baseline.order[-15:], Failure(OVER))
    many = dict.fromkeys(left.baseline.order[-25:], Failure(OVER))
    for failing, ends in ((_failing(left, 2) | many, False), (_failing(left, 4) | unseen, False)):
        setbacks.is_setback(failing)
        left.keep(everything)
        left.drop_covered()
        assert setbacks.ends_short() is ends and not left.share(left.found)
        left.found.kept = {}
    setbacks.note(_failing(left, 2) | unseen, SearchResult({"m0": OVER}))  # it ran beside the search
    left.keep(everything)
    left.drop_covered()
    assert setbacks.ends_short() and left.reasons == {"m0": OVER}
    assert left.found.unsolved.keys() == {**_failing(left, 2), **unseen}.keys()
