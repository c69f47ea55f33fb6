"""A test runs again where what it calls, or what its modules do at import, is converted in another way than before."""

from __future__ import annotations

import textwrap

import pytest

from np2torch.migrate.conversion import Conversion
from np2torch.migrate.proof import START, Proof
from np2torch.source.discover import load_project
from np2torch.source.model import Settings

CORE = """
    import numpy as np

    ZERO = np.zeros(2)


    def scale(x):
        return np.asarray(x) * 2.0


    def shift(x):
        return np.asarray(x) + 1.0


    class Box:
        def size(self):
            return np.ones(3).sum()
"""
ALONE = """
    import numpy as np


    def ramp():
        return np.arange(3.0)
"""
TESTS = """
    import core


    def test_scale():
        assert core.scale([1.0])[0] == 2.0


    def test_shift():
        assert core.shift([1.0])[0] == 2.0


    def test_box():
        assert core.Box().size() == 3.0
"""
OTHERS = """
    import functools

    import alone


    @functools.lru_cache
    def made():
        return alone.ramp()


    def test_first():
        assert made()[1] == 1.0


    def test_second():
        assert made()[2] == 2.0
"""
CALLED = {
    "test_core.py::test_scale": ["core:scale"],
    "test_core.py::test_shift": ["core:shift"],
    "test_core.py::test_box": ["core:Box.size"],
    "test_alone.py::test_first": ["test_alone:made", "alone:ramp"],
    "test_alone.py::test_second": [],
}
FIRST, SECOND = (name for name in CALLED if "alone" in name)


@pytest.fixture
def proof(tmp_path):
    for name, text in {"core": CORE, "alone": ALONE, "test_core": TESTS, "test_alone": OTHERS}.items():
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
    conversion = Conversion(load_project((tmp_path,), Settings()).files, Settings(root=tmp_path))
    found = Proof(conversion, list(CALLED), dict.fromkeys(CALLED, 1.0))
    assert found.tests_to_run([]) == list(CALLED)  # nothing has run yet
    found.called = {name: frozenset([*called, name.replace(".py::", ":")]) for name, called in CALLED.items()}
    found.add([], list(CALLED), [])
    return found


def names(tests):
    return {test.rpartition("_")[2] for test in tests}


def test_what_calls_the_changed_function_runs_again(proof):
    assert proof.is_whole and proof.tests_to_run([]) == []
    assert names(proof.tests_to_run(["core:scale"])) == {"scale"}
    assert names(proof.tests_to_run(["core:Box.size"])) == {"box"}


def test_what_a_module_does_at_import_concerns_all_that_import_it(proof):
    assert names(proof.tests_to_run(["core:ZERO"])) == {"scale", "shift", "box"}
    assert names(proof.tests_to_run(["core:Box"])) == {"scale", "shift", "box"}
    proof.loaded = frozenset(["core:scale"])
    assert len(proof.tests_to_run(["core:scale"])) == len(CALLED)


def test_tests_that_share_what_they_make_run_together(proof):
    assert proof.tests_to_run(["alone:ramp"]) == [FIRST, SECOND]


def test_what_has_failed_runs_again_and_a_run_of_some_is_no_whole_one(proof):
    proof.add(["core:scale"], ["test_core.py::test_scale"], ["test_core.py::test_scale"])
    assert names(proof.tests_to_run(["core:scale"])) == {"scale"} and not proof.is_whole
    proof.add(["core"], proof.tests_to_run(["core"]), [])
    assert proof.tests_to_run(["core"]) == [] and not proof.is_whole


def test_the_cost_is_the_share_of_the_time(proof):
    assert proof.cost(["core:scale"]) == pytest.approx(0.2)
    assert proof.cost([]) == START


def test_what_stays_on_numpy_takes_what_it_takes_there(proof):
    proof.seconds.update(dict.fromkeys(CALLED, 5.0))
    assert proof.cost(["core:scale"]) == pytest.approx(3.0 / 25)  # one of the two functions that it calls
    assert proof.cost(["core"]) == pytest.approx(3 * 3.0 / 25)


def test_before_all_have_run_what_has_passed_does_not_run_again(proof):
    new = Proof(proof.conversion, list(CALLED), dict(proof.seconds))
    new.called = proof.called
    first = [name for name in CALLED if "core" in name]
    new.add([], first, first[:1])
    assert new.tests_to_run([]) == [first[0], FIRST, SECOND] and not new.is_begun and new.left == frozenset()
    new.add(["core:scale"], new.tests_to_run(["core:scale"]), [])
    assert new.is_begun and new.tests_to_run(["core:scale"]) == [] and new.left == {"core:scale"}


def test_what_has_not_run_yet_is_no_change_for_those_that_share_a_file(proof):
    new = Proof(proof.conversion, list(CALLED), dict(proof.seconds))
    new.called = {FIRST: proof.called[FIRST]}
    new.add([], [FIRST], [])
    assert FIRST not in new.tests_to_run([]) and SECOND in new.tests_to_run([])


def test_what_was_known_once_is_known_again(proof):
    state = proof.state()
    proof.begin_on_numpy({})
    proof.add(["core:scale"], ["test_core.py::test_scale"], ["test_core.py::test_scale"])
    proof.go_back(state)
    assert proof.is_whole and proof.tests_to_run([]) == [] and proof.state() == state
    assert names(proof.tests_to_run(["core:scale"])) == {"scale"}


def test_the_part_of_some_tests_is_by_their_time_on_numpy(proof):
    first = next(iter(proof.order))
    proof.seconds[first] = 100.0
    assert proof.part_on_numpy(proof.order) == 1.0
    assert proof.part_on_numpy([first]) == proof.on_numpy[first] / sum(proof.on_numpy.values())


def test_of_a_run_that_was_cut_off_what_is_done_counts(proof):
    """What it was asked besides has passed before at best, with other code."""
    asked = [name for name in CALLED if "core" in name]
    proof.add_part(["core"], asked, asked[:2], asked[:1])
    assert proof.tests_to_run(["core"]) == [asked[0], *asked[2:]] and not proof.is_whole and proof.is_begun
    proof.add_part(["core"], proof.tests_to_run(["core"]), [asked[0], *asked[2:]], [])
    assert proof.tests_to_run(["core"]) == []
