"""Runs of a conversion with this or that left on NumPy, in copies of the project, and where their errors lead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import NamedTuple

from np2torch.migrate.conversion import Conversion, modules_of
from np2torch.migrate.copies import Copy
from np2torch.migrate.hunts import Trial
from np2torch.migrate.proof import Proof
from np2torch.migrate.results import KILLED, WHOLE, Outcomes, Result, frames_in
from np2torch.migrate.runner import Runner, concerned_tests
from np2torch.migrate.shares import gain, share_out

MOST_ALONE = 0.1
"""Where more than this share of the tests fails that several processes ran, none is asked whether it needs others."""
GIVEN_UP = 0.005
"""The share of all tests that may fail in the end, where nothing else is said."""


@dataclass
class Baseline:
    """The behaviour of the tests on NumPy.

    Attributes
    ----------
    order
        The tests that pass there both times, as they ran.
    flaky
        Those that do once.
    unrelated
        Those that pass there both times, and fail later with everything left on NumPy, with their errors.
    given_up
        Those that may fail in the end, since they are few of many, with their errors.
    lacking
        Parametrized ones that there are not on torch, nor any with the same parameters: those of the first run of
        all tests there. What is missing in a later run alone fails in it.
    twins
        Parametrized ones that run as one with others there, since their parameters are the same.
    functions
        What they call, as entries: on NumPy when all ran, of some also when they ran alone or with their company.
    company
        The tests that have to run before some of them: those fail alone.
    modules
        The names of the modules that can be imported.
    seconds
        How long each takes: on NumPy, later in the last run of all tests on torch.
    run_seconds
        How long all of it takes.
    output
        What a command that is not pytest prints, where it prints that each time.
    imported
        The modules of other projects that pytest has imported by its end.
    may_fail
        The share of the tests that may be given up.
    is_shared_out
        Whether several processes may share out a run of all tests: it is of pytest, and one process runs them all.
    """

    order: list[str] = field(default_factory=list)
    flaky: list[str] = field(default_factory=list)
    unrelated: dict[str, str] = field(default_factory=dict)
    given_up: dict[str, str] = field(default_factory=dict)
    lacking: frozenset[str] | None = None
    twins: set[str] = field(default_factory=set)
    functions: dict[str, Sequence[str]] = field(default_factory=dict)
    company: dict[str, Sequence[str]] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    shown: Mapping[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    run_seconds: float = 0.0
    output: str | None = None
    imported: Sequence[str] = ()
    may_fail: float = GIVEN_UP
    is_shared_out: bool = False

    @property
    def number(self) -> int:
        """The number of tests that count, with those that were given up."""
        return len(self.order) + len(self.given_up)

    def leave_out(self, failing: Mapping[str, Failure]) -> None:
        """Leave out tests whose errors the conversion has not caused: they are flaky, or the machine was busy."""
        self.unrelated.update({name: failure.error for name, failure in failing.items()})
        self.leave(failing)

    def note_lacking(self, tests: frozenset[str], twins: Collection[str]) -> None:
        """Note which parametrized tests there are not on torch, and which run as one with others."""
        self.lacking = tests
        self.twins.update(twins)

    def give_up(self, errors: Mapping[str, str]) -> None:
        """Let tests fail in the end, with these errors."""
        self.given_up.update(errors)
        self.leave(errors)

    def take_up(self, tests: Collection[str]) -> None:
        """Let these of the tests that were given up run again."""
        for name in tests:
            del self.given_up[name]
        self.order += tests

    def leave(self, tests: Collection[str]) -> None:
        """Run these tests no more."""
        self.order[:] = [name for name in self.order if name not in tests]  # all share one list


OVER = "TimeoutError: the time was over"


class Failure(NamedTuple):
    """The error of a test, and the entries that it leads to, the innermost first."""

    error: str
    places: Sequence[str] = ()


EntrySet = frozenset[str]
"""Names of modules, and of functions and classes in them, that are left on NumPy."""
Ask = Callable[[Sequence[str], Collection[str]], Mapping[str, Failure]]
"""Gives those of some tests that fail with these entries on NumPy."""
Sample = Callable[[EntrySet, Collection[str]], list[str]]
"""Gives tests that run some entries and show whether these break others; none of the tests that fail."""


class Trials:
    """Runs tests with some entries left on NumPy.

    Parameters
    ----------
    copies
        Where the converted project is run, several at a time.
    ask_numpy
        Runs tests on NumPy and says what each calls; those that fail are left out.

    Attributes
    ----------
    has_to_watch
        Whether the calls of tests are recorded when all run.
    gain
        How many times as long a run of all tests takes in one process as it does shared out.
    preparation
        Seconds that the next trial may take before its tests begin: for the first, files are converted in several ways.
    """

    has_to_watch = False

    def __init__(
        self, conversion: Conversion, runner: Runner, copies: Sequence[Copy], baseline: Baseline,
        ask_numpy: Callable[[Sequence[str]], Mapping[str, Sequence[str]]],
    ) -> None:  # fmt: skip
        self.conversion, self.runner, self.baseline, self._ask_numpy = conversion, runner, baseline, ask_numpy
        self.copies: SimpleQueue[Copy] = SimpleQueue()
        for copy in copies:
            self.copies.put(copy)
        self.width, self.gain = len(copies), 1.0
        self.threads = ThreadPoolExecutor(self.width)
        self.preparation: float = conversion.seconds
        self.proof = Proof(conversion, baseline.order, baseline.seconds)
        self._asked: set[str] = set()
        self._seen: set[str] = set()
        self._learning = Lock()

    @contextmanager
    def _copy(self, entries: Collection[str], is_trial: bool) -> Iterator[Copy]:
        copy = self.copies.get()
        try:
            self.conversion.write(copy, entries, is_trial)
            self.preparation *= not is_trial
            yield copy
        finally:
            self.copies.put(copy)

    # ---------------------------------------------------------------------------------------------- tests
    def failures(
        self, entries: Collection[str], tests: Sequence[str], is_all: bool = False, together: bool = False
    ) -> dict[str, Failure]:
        """Those of some tests that fail with these entries left; what counts `is_all`, and in fresh processes.

        Those of few that fail on NumPy without others before them run again with these. Several processes share out
        what counts, unless all run `together`.
        """
        shares = self._shares(tests) if is_all and not together else [tests]
        failing = self._failures(entries, shares, is_all)
        is_one = len(shares) == 1 and len(tests) == len(self.baseline.order)
        are_many = len(shares) > 1 and len(failing) > MOST_ALONE * len(tests)
        if is_one or are_many or not failing or self.runner.is_over() or not (again := self.learn(failing)):
            return failing
        alone = {name: failure for name, failure in failing.items() if name not in again}
        return alone | self._failures(entries, [again], is_all)

    def _shares(self, tests: Sequence[str]) -> list[Sequence[str]]:
        """Share out tests to the copies that there are, and note what that gains."""
        width = self.width if self.baseline.is_shared_out else 1
        found: list[Sequence[str]] = [*share_out(tests, self.baseline.seconds, width)]
        if len(tests) == len(self.baseline.order):
            self.gain = gain(found, self.baseline.seconds)
        return found

    def _failures(
        self, entries: Collection[str], shares: Sequence[Sequence[str]], is_all: bool
    ) -> dict[str, Failure]:
        tests = [test for share in shares for test in share]
        if self.runner.is_over():  # nothing is converted for a run that would be cut off at once
            return dict.fromkeys(tests, Failure(OVER))
        with ExitStack() as stack:
            copies = [stack.enter_context(self._copy(entries, is_trial=not is_all)) for _ in shares]
            is_whole = is_all and len(tests) == len(self.baseline.order)
            wholes = [is_whole, *[False] * (len(shares) - 1)]  # all of them are one
            run = partial(self._run, is_all=is_all)
            how = map if len(shares) == 1 else self.threads.map
            runs = list(how(run, copies, shares, wholes))
            failing: dict[str, Failure] = {}
            for copy, share, found in zip(copies, shares, runs, strict=True):
                failing |= self._failing(share, found, copy, is_all)
            if is_all:
                self._note(entries, tests, failing, [*zip(copies, runs, strict=True)])
            return failing

    def _run(self, copy: Copy, tests: Sequence[str], is_whole: bool, is_all: bool) -> Outcomes:
        wanted = self._with_company(tests) if WHOLE not in self.baseline.order else None
        found = self.runner.run(copy, wanted, functions=is_all, fresh=is_all, is_whole=is_whole)
        self._compare_output(found)
        if found.is_pytest and not found.tests and not found.uncollected:  # it ended before it began
            output = found.output.strip()
            found.uncollected[""] = Result("failed", error=output[-200:], frames=frames_in(output))
        return found

    def _failing(self, tests: Sequence[str], found: Outcomes, copy: Copy, is_all: bool) -> dict[str, Failure]:
        """Those of some tests that have not passed in a run, which is all that one was asked of them."""
        lacking = frozenset(found.lacking.intersection(tests))
        if is_all:
            done = {name: result.seconds for name, result in found.tests.items() if result.is_good}
            self.proof.on_torch.update(done)
            self.runner.learn_torch(done)
            new = lacking.difference(self._seen)
            self.baseline.note_lacking(new | (self.baseline.lacking or frozenset()), found.twins)
            self._seen.update(tests)
        passed = found.good() | lacking & (self.baseline.lacking or frozenset())
        return {name: self._failure(name, found, copy) for name in tests if name not in passed}

    def _note(
        self, entries: Collection[str], tests: Sequence[str], failing: Mapping[str, Failure],
        runs: Sequence[tuple[Copy, Outcomes]],
    ) -> None:  # fmt: skip
        """Note what has passed, what it called, and how long each takes now; of those that ran, when cut off."""
        ran = [name for name in tests if name not in failing or failing[name].error != OVER]
        for copy, found in runs:
            known = Entries(self.conversion, copy)
            good = {name: result for name, result in found.tests.items() if result.is_good}
            self.proof.called.update({name: frozenset(known.of(result.functions)) for name, result in good.items()})
            self.baseline.seconds.update({name: found.tests[name].seconds for name in ran if name in found.tests})
            self.proof.loaded |= frozenset(known.of(found.loaded))
        bad = [name for name in ran if name in failing]
        self.proof.add_part(entries, tests, ran, bad, together=len(runs) == 1)

    def learn(self, tests: Iterable[str]) -> list[str]:
        """Find out what some tests call alone, and which have to run before them; list those that need any."""
        with self._learning:
            unknown = [name for name in concerned_tests(tests, self.baseline.order) if name not in self._asked]
            if not unknown or unknown == [WHOLE]:
                return []
            self._asked.update(unknown)
            called = dict(self._ask_numpy(unknown))
            for is_near in (_is_of_the_same_file, _is_any):
                if not (alone := [name for name in unknown if name not in called]):
                    break
                self._learn_together(alone, is_near, called)
            for name, found in called.items():
                known = self.baseline.functions.get(name, ())
                self.baseline.functions[name] = [*(one for one in known if one not in found), *found]
            return [name for name in unknown if name in self.baseline.company]

    def _learn_together(
        self, alone: Sequence[str], is_near: Callable[[str, str], bool], called: dict[str, Sequence[str]]
    ) -> None:  # fmt: skip
        """Find out what tests call that do not pass alone, with those that run before them."""
        order = self.baseline.order
        company = {name: [one for one in order[: order.index(name)] if is_near(one, name)] for name in alone}
        found = self._ask_numpy(concerned_tests({*alone, *(one for few in company.values() for one in few)}, order))
        for name in (one for one in alone if one in found):
            self.baseline.company[name] = company[name]
            others = (entry for one in company[name] for entry in found.get(one, ()) if entry not in found[name])
            called[name] = [*dict.fromkeys(others), *found[name]]

    def _with_company(self, tests: Iterable[str]) -> list[str]:
        every = (one for test in tests for one in (*self.baseline.company.get(test, ()), test))
        return concerned_tests(every, self.baseline.order)

    def _failure(self, name: str, found: Outcomes, copy: Copy) -> Failure:
        """The error of a test; of one that did not run that of its module."""
        result = found.tests.get(name)
        is_over = self.runner.is_over()
        if result is not None and result.outcome and not (is_over and result.outcome == KILLED):
            return Failure(result.error or result.outcome, self._places(result, copy))
        if is_over:
            return Failure(OVER)
        for above in (name.partition("::")[0], ""):
            if above in found.uncollected:
                return Failure(found.uncollected[above].error, self._places(found.uncollected[above], copy))
        if whole := found.tests.get(WHOLE):  # pytest itself did not get as far as that
            return Failure(whole.error or whole.outcome, self._places(whole, copy))
        return Failure("it did not run")

    def _compare_output(self, found: Outcomes) -> None:
        """Of a command that is not pytest, what it prints counts as well."""
        result = found.tests.get(WHOLE)
        if result is not None and result.is_good and self.baseline.output is not None:
            from np2torch.verify.output import text_difference  # it imports both NumPy and torch

            different = text_difference(self.baseline.output, found.output)
            if different is not None:
                result.outcome, result.error = "failed", f"AssertionError: it prints something else: {different}"

    def _places(self, result: Result, copy: Copy) -> list[str]:
        found = (self.conversion.of_frame(frame, copy) for frame in reversed(result.frames))
        return list(dict.fromkeys(one for one in found if one is not None))

    def ask(self, kept: Collection[str], batches: Sequence[Sequence[Trial]]) -> list[list[bool]]:
        """Run batches of trials, and tell which of them pass."""

        def one(batch: Sequence[Trial]) -> list[bool]:
            fewer = frozenset[str]().union(*(trial.fewer for trial in batch))
            more = frozenset[str]().union(*(trial.more for trial in batch))
            entries = [*(entry for entry in kept if entry not in fewer), *sorted(more)]
            modules = {name for trial in batch for name in trial.modules}
            lost = self.not_imported(entries, modules, is_trial=True) if modules else {}
            asked = [trial for trial in batch if not lost.keys() & set(trial.modules)]
            tests = {test for trial in asked for test in (*trial.tests, *trial.company)}
            failing = self.failures(entries, concerned_tests(tests, self.baseline.order)) if tests else {}
            return [trial in asked and not any(test in failing for test in trial.tests) for trial in batch]

        return list(self.threads.map(one, batches))

    # ------------------------------------------------------------------------------------------- imports
    def not_imported(
        self, entries: Collection[str], modules: Collection[str], is_trial: bool = False
    ) -> dict[str, Failure]:  # fmt: skip
        """Those of some modules that cannot be imported with these entries left."""
        if self.runner.is_over():
            return dict.fromkeys(modules, Failure(OVER))
        with self._copy(entries, is_trial) as copy:
            found = self.runner.imports(copy, self._files(modules), fresh=False)
            good = found.good()
            return {name: self._failure(name, found, copy) for name in modules if name not in good}

    def _files(self, names: Collection[str]) -> list[tuple[str, Path, Path]]:
        wanted = set(names)
        return modules_of(self.conversion, [path for path, name in self.conversion.modules.items() if name in wanted])


def not_cut_off(failing: Mapping[str, Failure]) -> dict[str, Failure]:
    """Those that have failed themselves, not for want of time."""
    return {name: failure for name, failure in failing.items() if failure.error != OVER}


def try_given_up(trials: Trials, entries: Collection[str]) -> None:
    """Run tests once more that were given up: those that pass now count again."""
    if before := dict(trials.baseline.given_up):
        trials.baseline.take_up(before)
        failing = trials.failures(entries, list(before)).items()
        trials.baseline.give_up({name: before[name] if one.error == OVER else one.error for name, one in failing})


def functions_of(found: Outcomes, conversion: Conversion, copy: Copy) -> dict[str, list[str]]:
    """Give the functions that each test calls, as entries."""
    known = Entries(conversion, copy)
    return {name: known.of(result.functions) for name, result in found.tests.items()}


class Entries:
    """The entries of functions that ran in a copy."""

    def __init__(self, conversion: Conversion, copy: Copy) -> None:
        self._conversion, self._copy = conversion, copy
        self._one = cache(self._one_of)

    def of(self, functions: Iterable[tuple[str, str]]) -> list[str]:
        """List those of the project, each once."""
        found = (self._one(path, name) for path, name in functions)
        return list(dict.fromkeys(one for one in found if one is not None))

    def _one_of(self, path: str, name: str) -> str | None:
        original = self._copy.original(path)
        return self._conversion.entry(original, name) if original is not None else None


def _is_of_the_same_file(one: str, other: str) -> bool:
    return one.partition("::")[0] == other.partition("::")[0]


def _is_any(one: str, other: str) -> bool:
    return True
