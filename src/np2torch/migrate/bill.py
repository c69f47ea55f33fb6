"""The figures of a search: tests, runs, what is kept and why, the share of uses of NumPy that is converted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from np2torch.migrate.conversion import Share
from np2torch.migrate.left_places import some
from np2torch.migrate.trials import OVER

MOST_LISTED = 20


@dataclass
class Bill:
    """The figures of a search.

    Attributes
    ----------
    kept
        Entries by what each holds back, the most first, with the reasons.
    holds
        How many uses of NumPy each of them holds back.
    full_runs
        How many of the runs were of all tests, on NumPy and on torch.
    unguarded
        The functions without a guard that this search has found, with the reasons.
    unrelated
        The tests that failed, with their errors, though it was not for the conversion.
    is_pieced
        Whether there was no time for a run of all tests at the end.
    is_hurried
        Whether the time ended before all that stays on NumPy had been looked for.
    possible
        How many uses of NumPy could be converted, had nothing to stay there but what did from the beginning.
    run_seconds
        How long the last run of all tests took on torch, or where there was none on NumPy.
    lacking
        The parametrized tests that there are not on torch.
    twins
        Those that run as one with others there, since their parameters are the same.
    is_short
        Whether more tests fail than may be given up, so that nothing is written unasked.
    """

    command: str
    tests: int
    flaky: Sequence[str]
    unsolved: Mapping[str, str]
    modules: int
    runs: int
    full_runs: int
    seconds: float
    share: Share
    kept: Mapping[str, str]
    holds: Mapping[str, int]
    dropped: Sequence[str] = ()
    unguarded: Mapping[str, str] = field(default_factory=dict)
    unrelated: Mapping[str, str] = field(default_factory=dict)
    is_pieced: bool = False
    is_hurried: bool = False
    possible: int = 0
    run_seconds: float = 0.0
    lacking: Collection[str] = ()
    twins: Collection[str] = ()
    is_short: bool = False

    @property
    def _solved(self) -> int:
        """The number of tests that pass on torch."""
        return self.tests - len(self.missing) - sum(not name.startswith("import ") for name in self.unsolved)

    @property
    def missing(self) -> Collection[str]:
        """The tests that there are not any longer; none where nothing is converted."""
        return () if self.is_empty else self.lacking

    @property
    def shared_runs(self) -> Collection[str]:
        """The tests that are one with others; none where nothing is converted."""
        return () if self.is_empty else self.twins

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is converted of what could be."""
        return not self.share.converted and self.possible > 0

    @property
    def _nothing(self) -> str:
        """The message where nothing is converted: the reason for which most stays on NumPy."""
        weights = Counter[str]()
        for entry, reason in self.kept.items():
            weights[reason] += self.holds[entry]
        most = next((reason for reason, _ in weights.most_common(1)), "")
        advice = f"; a run of all tests took {self.run_seconds:.0f} s, of which it needs several" * self.is_hurried
        return f"nothing is converted, so nothing is written: {' '.join(most.split())}{advice}"

    @property
    def failing(self) -> Mapping[str, str]:
        """The tests that fail with what is converted, with their errors."""
        return {name: error for name, error in self.unsolved.items() if error != OVER}

    @property
    def unseen(self) -> Sequence[str]:
        """The tests that have not run with what is converted, for want of time."""
        return [name for name, error in self.unsolved.items() if error == OVER]

    @property
    def _short(self) -> str:
        """The message where more tests fail than may be given up: the share of them, and how to write it still."""
        failed, unseen = self.tests - self._solved, len(self.unseen)
        share = math.ceil(1000 * failed / self.tests) / 10
        said = f"{failed - unseen} tests fail and {unseen} have not run" if unseen else f"{failed} tests fail"
        return (
            f"{said}, more than may be given up; where they have to pass nothing is converted. "
            f"What follows is written with --write-failing only; --give-up {share:g} lets so many fail"
        )

    def lines(self) -> Iterator[str]:
        """The bill in a few lines of plain text."""
        if self.tests:
            yield f"{self._solved} of {self.tests} tests that pass on NumPy pass on torch; {self._flaky()}"
        if self.missing:
            said = _by_function(self.missing)
            yield f"{len(self.missing)} are not there on torch, which has fewer parameters: {said}"
        if self.shared_runs:
            said = _by_function(self.shared_runs)
            yield f"{len(self.shared_runs)} of them are one with others, of the same parameters on torch: {said}"
        if self.is_empty:
            yield self._nothing
        if self.is_short:
            yield self._short
        if self.is_pieced:
            yield "there was no time to run all of them once more: each has passed with all that it calls as it is now"
        if self.is_hurried:
            yield "the time ran out: more stays on NumPy than has to, and more minutes may convert more"
        yield f"{self.modules} modules are imported; {self._runs()}"
        yield f"{self.share.converted} of {self.share.sites} uses of NumPy are converted ({self.share.percent:.1f} %)"
        yield f"{len(self.kept)} places stay on NumPy" + (":" if self.kept else "")
        for entry, reason in list(self.kept.items())[:MOST_LISTED]:
            yield f"  {entry} ({self.holds[entry]}): {reason}"
        if len(self.kept) > MOST_LISTED:
            yield f"  and {len(self.kept) - MOST_LISTED} more"
        if self.unguarded:
            yield f"{len(self.unguarded)} functions have no guard, since a test passes what it would refuse:"
        for entry, reason in list(self.unguarded.items())[:MOST_LISTED]:
            yield f"  {entry}: {reason}"
        if len(self.unguarded) > MOST_LISTED:
            yield f"  and {len(self.unguarded) - MOST_LISTED} more"
        if self.dropped:
            yield f"{len(self.dropped)} places need not stay there any more: {', '.join(self.dropped)}"
        for name, error in self.failing.items():
            yield f"not solved: {name}: {error}"
        if self.unseen:
            yield f"not run for want of time: {some(self.unseen, MOST_LISTED)}"
        for name in self.flaky:
            yield f"left out, since it is different on two runs on NumPy: {name}"
        for name, error in self.unrelated.items():
            yield f"left out, since it fails with everything on NumPy as well, or at times: {name}: {error}"

    def _runs(self) -> str:
        return f"{self.runs} runs, {self.full_runs} of them of all tests, in {self.seconds:.0f} s"

    def _flaky(self) -> str:
        number = len(self.flaky) + len(self.unrelated)
        return f"{number} flaky ones are left out" if number else "none is flaky"

    def markdown(self) -> str:
        """A report for a pull request."""
        rows = [
            ("Command", f"`{self.command}`" if self.command else "imports only"),
            ("Tests that pass on NumPy", str(self.tests)),
            ("Of these pass on torch", str(self._solved)),
            ("Not there on torch, which has fewer parameters", _by_function(self.missing) or "none"),
            ("One with others, of the same parameters on torch", _by_function(self.shared_runs) or "none"),
            *([("Run once more together", "no: there was no time")] if self.is_pieced else []),
            *([("Time", "ran out: more minutes may convert more")] if self.is_hurried else []),
            ("Flaky, left out", str(len(self.flaky) + len(self.unrelated))),
            ("Modules imported", str(self.modules)),
            ("Runs", self._runs()),
            ("Uses of NumPy converted", f"{self.share.converted} of {self.share.sites} ({self.share.percent:.1f} %)"),
            ("Places left on NumPy", str(len(self.kept))),
            ("Functions without a guard", str(len(self.unguarded))),
        ]
        text = ["# NumPy to PyTorch", "", "| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows), ""]
        for is_said, message in ((self.is_empty, self._nothing), (self.is_short, self._short)):
            text += [_cell(message), ""] if is_said else []
        if self.kept:
            text += ["## Left on NumPy", "", "| place | uses of NumPy | reason |", "|---|---|---|"]
            text += [f"| `{entry}` | {self.holds[entry]} | {_cell(reason)} |" for entry, reason in self.kept.items()]
            kinds = Counter(reason.partition(":")[0] for reason in self.kept.values())
            text += ["", "By reason: " + ", ".join(f"{name} {count}" for name, count in kinds.most_common()), ""]
        unsolved, unrelated = ([f"{n}: {e}" for n, e in tests.items()] for tests in (self.failing, self.unrelated))
        listed = (
            ("Not solved", unsolved), ("Not run for want of time", self.unseen), ("Flaky", self.flaky),
            ("Failing for other reasons", unrelated),
        )  # fmt: skip
        for title, names in listed:
            if names:
                text += [f"## {title}", "", *(f"* {_cell(name)}" for name in names), ""]
        return "\n".join(text)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _by_function(tests: Collection[str]) -> str:
    """The functions that parametrized tests are made from, with the number of each."""
    functions = Counter(name.partition("[")[0] for name in tests)
    return ", ".join(f"{name} ({number})" for name, number in functions.most_common())
