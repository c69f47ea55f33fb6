"""A run of all tests that several processes share out by files."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from np2torch.migrate.results import Outcomes, Result
from np2torch.migrate.shares import LEAST, gain, share_out
from np2torch.migrate.trials import OVER, Baseline, Trials

FILES = {"a.py": 4.0, "b.py": 1.0, "c.py": 3.0, "d.py": 1.0}
TESTS = [f"{file}::test_{number}" for file in FILES for number in range(3)]
SECONDS = {test: FILES[test.partition("::")[0]] for test in TESTS}


def test_files_stay_whole_and_the_shares_take_about_as_long():
    shares = share_out(TESTS, SECONDS, 2)
    assert sorted(test for share in shares for test in share) == sorted(TESTS)
    assert all(share == [test for test in TESTS if test in share] for share in shares)
    files = [{test.partition("::")[0] for test in share} for share in shares]
    assert not files[0] & files[1]
    assert gain(shares, SECONDS) == pytest.approx(27 / 15)


@pytest.mark.parametrize(
    ("tests", "width", "factor"), [(TESTS, 1, 1.0), (TESTS[:3], 2, 1.0), (TESTS, 2, 0.9 * LEAST / 27), ([], 2, 1.0)]
)
def test_one_process_runs_what_takes_little_or_is_in_one_file(tests, width, factor):
    seconds = {test: factor * one for test, one in SECONDS.items()}
    assert share_out(tests, seconds, width) == [tests] and gain([tests], seconds) == pytest.approx(1.0)


class Project:
    """Trials of a project one of whose tests needs another file's, and their runs."""

    def __init__(self, monkeypatch, cut_off=()):
        self.runs, self.proven, self.is_over = [], [], False
        runner = SimpleNamespace(run=self.run, is_over=lambda: self.is_over, learn_torch=lambda seconds: None)
        conversion = SimpleNamespace(seconds=0.0, write=lambda *args: None, module_of_test=lambda path: path)
        baseline = Baseline(order=list(TESTS), seconds=dict(SECONDS), is_shared_out=True)
        self.cut_off = set(cut_off)
        self.trials = Trials(conversion, runner, [SimpleNamespace(), SimpleNamespace()], baseline, self.ask)
        add_part = lambda *args, **how: self.proven.append((args, how))  # noqa: E731
        monkeypatch.setattr(self.trials.proof, "add_part", add_part)

    def good(self, tests):
        return [name for name in tests if name != TESTS[3] or TESTS[0] in tests]

    def run(self, copy, tests, **how):
        self.runs.append((copy, tests, how))
        done = [name for name in tests if name not in self.cut_off]
        self.is_over = len(self.runs) == 2 and bool(self.cut_off)
        return Outcomes(
            tests={name: Result("passed" if name in self.good(tests) else "failed", seconds=1.0) for name in done},
            is_pytest=True,
        )

    def ask(self, tests):
        return {name: ["m:f"] for name in self.good(tests)}


def test_what_needs_a_test_of_another_share_runs_again_with_it(monkeypatch):
    project = Project(monkeypatch)
    monkeypatch.setattr("np2torch.migrate.trials.Entries", lambda *args: SimpleNamespace(of=lambda some: []))
    assert not project.trials.failures([], TESTS, is_all=True)
    (one, first, how), (other, second, _), (_, again, _) = project.runs
    assert one is not other and sorted(first + second) == sorted(TESTS) and how["is_whole"]
    assert {TESTS[0], TESTS[3]} <= {*again} and project.trials.gain > 1
    (_, asked, ran, bad), together = project.proven[0]
    assert sorted(asked) == sorted(ran) == sorted(TESTS) and bad == [TESTS[3]] and not together["together"]
    assert not project.trials.failures([], TESTS, is_all=True, together=True)
    assert project.runs[-1][1] == TESTS and project.proven[-1][1]["together"]


def test_of_what_was_cut_off_the_rest_counts(monkeypatch):
    project = Project(monkeypatch, cut_off=TESTS[1:3])
    monkeypatch.setattr("np2torch.migrate.trials.Entries", lambda *args: SimpleNamespace(of=lambda some: []))
    failing = project.trials.failures([], TESTS, is_all=True)
    assert {name for name, one in failing.items() if one.error == OVER} == {*TESTS[1:3]}
    (_, asked, ran, _), _ = project.proven[0]
    assert sorted(asked) == sorted(TESTS) and {*asked}.difference(ran) == {*TESTS[1:3]}
