"""What few tests do in a trial: those that fail on NumPy without others before them run again with these."""

from __future__ import annotations

from types import SimpleNamespace

from np2torch.migrate.results import Outcomes, Result
from np2torch.migrate.trials import OVER, Baseline, Trials

NAMES = ["test_a.py::test_first", "test_a.py::test_second", "test_b.py::test_other"]


def _trials(bad: str = "") -> tuple[Trials, list[list[str]], list[list[str]]]:
    """Trials of a project whose second test needs the first, with what is asked of it on torch and on NumPy."""
    asked: list[list[str]] = []
    on_numpy: list[list[str]] = []

    def good(tests: list[str]) -> list[str]:
        return [name for name in tests if name != NAMES[1] or NAMES[0] in tests]

    def run(copy: object, tests: list[str], **how: object) -> Outcomes:
        asked.append(tests)
        passed = {name: Result("passed") for name in good(tests) if name != bad}
        return Outcomes(tests={**{name: Result("failed") for name in tests}, **passed}, is_pytest=True)

    def ask(tests: list[str]) -> dict[str, list[str]]:
        on_numpy.append(tests)
        return {name: [f"m:{name[-5:]}"] for name in good(tests)}

    runner = SimpleNamespace(run=run, is_over=lambda: False, learn_torch=lambda seconds: None)
    conversion = SimpleNamespace(seconds=0.0, write=lambda *args: None, module_of_test=lambda path: path)
    baseline = Baseline(order=list(NAMES), functions={name: ["m:all"] for name in NAMES})
    return Trials(conversion, runner, [SimpleNamespace()], baseline, ask), asked, on_numpy


def test_what_fails_alone_on_numpy_as_well_runs_with_those_before_it():
    trials, asked, on_numpy = _trials()
    assert not trials.failures([], NAMES[1:])
    assert asked == [NAMES[1:], NAMES[:2]] and on_numpy == [[NAMES[1]], NAMES[:2]]
    assert not trials.failures([], [NAMES[1]])
    assert asked[2:] == [NAMES[:2]] and len(on_numpy) == 2
    assert trials.baseline.functions[NAMES[1]] == ["m:all", "m:first", "m:econd"]


def test_what_passes_alone_on_numpy_is_asked_there_once():
    trials, asked, on_numpy = _trials(bad=NAMES[2])
    for _ in range(2):
        assert list(trials.failures([], NAMES[2:])) == NAMES[2:]
    assert asked == [NAMES[2:], NAMES[2:]] and on_numpy == [NAMES[2:]]


def test_nothing_is_converted_for_a_run_when_the_time_is_over():
    trials, asked, _ = _trials()
    written: list[object] = []
    trials.conversion.write = lambda *args: written.append(args)
    trials.runner.is_over = lambda: True
    failing = trials.failures([], NAMES, is_all=True) | trials.not_imported([], ["m"])
    assert {one.error for one in failing.values()} == {OVER} and len(failing) == len(NAMES) + 1
    assert not asked and not written
