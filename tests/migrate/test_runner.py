"""Runs of the user's command, and of imports, with their limits."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from np2torch.migrate.copies import Copy
from np2torch.migrate.results import Outcomes, Result
from np2torch.migrate.runner import Limits, Runner
from np2torch.migrate.trials import Baseline, Trials


def test_what_takes_long_on_numpy_may_take_longer(tmp_path):
    root, place = tmp_path / "project", tmp_path / "place"
    root.mkdir()
    place.mkdir()
    slow = root / "slow.py"
    slow.write_text("import time\ntime.sleep(0.1)\n")
    runner = Runner((), root, [root], Limits(seconds=1.0), place)
    found = runner.imports(Copy(root, place / "copy", {slow: slow.read_bytes()}, ()), [("slow", slow, root)])
    taken = found.tests["slow"].seconds
    assert found.good() == {"slow"}
    assert taken >= 0.1
    runner.learn_imports({"slow": taken, "fast": 0.001})
    runner.learn({"test_a": 2.0, "test_b": 0.01}, [])
    assert runner.own_limits() == {"slow": 1.0 + 20 * taken, "test_a": 41.0}


@pytest.mark.parametrize("options", [(), ("-x",), ("--maxfail=1",)])
def test_what_cannot_be_collected_or_fails_takes_no_other_test_with_it(tmp_path, options):
    root, place = tmp_path / "project", tmp_path / "place"
    root.mkdir()
    place.mkdir()
    two = "def test_one(): assert 0\ndef test_two(): pass\n"
    texts = {"test_a.py": "import nothing_of_this_name\n", "test_b.py": two}
    for name, text in texts.items():
        (root / name).write_text(text)
    runner = Runner((sys.executable, "-m", "pytest", "-q", *options), root, [root], Limits(), place)
    found = runner.run(Copy(root, place / "copy", {root / name: text.encode() for name, text in texts.items()}, ()))
    assert found.good() == {"test_b.py::test_two"}
    assert set(found.uncollected) == {"test_a.py"} and "test_b.py::test_one" in found.tests


def test_parametrized_tests_have_the_numbers_that_they_have_on_numpy(tmp_path):
    """Of fewer, one stands for those of the same parameters; what nothing here stands for is known as such."""
    root, place = tmp_path / "project", tmp_path / "place"
    root.mkdir()
    place.mkdir()
    text = "import pytest\n@pytest.mark.parametrize('x', {})\ndef test_one(x): assert x < 3\ndef test_two(): pass\n"
    runner = Runner((sys.executable, "-m", "pytest", "-q"), root, [root], Limits(), place)

    def run(values, tests=None):
        path = root / "test_a.py"
        path.write_text(text.format(values))
        return runner.run(Copy(root, place / f"copy{runner.runs}", {path: path.read_bytes()}, ()), tests)

    def name(number):
        return f"test_a.py::test_one[{number}]"

    runner.learn_parameters(run([1, 2, 1, 7, 3, 2]).parameters)
    found = run([2, 3, 1])
    assert {one: found.tests[name(one)].is_good for one in (0, 1, 2, 4, 5)} == {
        0: True, 1: True, 2: True, 4: False, 5: True,
    }  # fmt: skip
    assert found.lacking == {name(3)} and found.twins == {name(2): name(0), name(5): name(1)}
    assert run([2, 3, 1], [name(5)]).good() == {name(1), name(5)}  # by the one that stands for it
    same = run([3, 2, 7, 1, 2, 1])
    assert not same.lacking and not same.twins
    assert same.good() == {name(0), name(1), name(2), name(5), "test_a.py::test_two"}


def test_parametrized_tests_that_are_missing_in_a_later_run_alone_fail_in_it(monkeypatch):
    """What stays on NumPy may shorten a list of parameters too: only the first run says which are one on torch."""
    names = [f"test_a.py::test_one[{number}]" for number in range(3)]
    counts = iter([2, 1, 2])

    def run(*args, **kwargs):
        number = next(counts)
        tests = {name: Result("passed") for name in names[:number]}
        return Outcomes(tests=tests, is_pytest=True, lacking=set(names[number:]))

    runner = SimpleNamespace(run=run, is_over=lambda: False, learn_torch=lambda seconds: None)
    conversion = SimpleNamespace(seconds=0.0, write=lambda *args: None, module_of_test=lambda path: path)
    trials = Trials(conversion, runner, [SimpleNamespace()], Baseline(order=list(names)), lambda tests: {})
    monkeypatch.setattr(trials, "_note", lambda *args: None)
    failing = [list(trials.failures([], names, is_all=True)) for _ in range(3)]
    assert failing == [[], [names[1]], []]
    assert trials.baseline.lacking == {names[2]}


def test_a_plugin_of_the_project_itself_does_not_slow_the_record_of_calls(tmp_path):
    """What is imported before the record begins can only be seen by stopping at each step."""
    root, place = tmp_path / "project", tmp_path / "place"
    place.mkdir()
    test = "import sys\nimport plug\n\ndef test_one():\n    assert plug.one() and sys.gettrace() is None\n"
    texts = {
        "plug.py": "def one():\n    return 1\n", "test_a.py": test, "p.egg-info/PKG-INFO": "Name: p\nVersion: 1\n",
        "p.egg-info/entry_points.txt": "[pytest11]\nplug = plug\n",
    }  # fmt: skip
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    runner = Runner((sys.executable, "-m", "pytest", "-q"), root, [root], Limits(), place)
    copy = Copy(root, place / "copy", {root / name: text.encode() for name, text in texts.items()}, ())
    found = runner.run(copy, functions=True)
    assert found.good() == {"test_a.py::test_one"}, found.output
    assert [name for _, name in found.tests["test_a.py::test_one"].functions] == ["test_one", "one"]


def test_a_run_in_which_all_tests_are_slow_comes_to_an_end(tmp_path):
    """Before, each had its own limit, of twenty seconds and more, and a run of thousands took hours."""
    root, place = tmp_path / "project", tmp_path / "place"
    root.mkdir()
    place.mkdir()
    path = root / "test_a.py"
    path.write_text("import time\n" + "".join(f"def test_{i}(): time.sleep(1.5)\n" for i in range(3)))
    runner = Runner((sys.executable, "-m", "pytest", "-q"), root, [root], Limits(seconds=0.1), place)
    names = [f"test_a.py::test_{i}" for i in range(3)]
    runner.learn(dict.fromkeys(names, 1.5), [])
    copy = Copy(root, place / "copy", {path: path.read_bytes()}, ())
    assert runner.run(copy).good() == {*names}
    runner.learn_torch(dict.fromkeys(names, 0.01))
    runner.learn_torch(dict.fromkeys(names, 5.0))
    assert runner.run(copy).good() == {names[0]}
