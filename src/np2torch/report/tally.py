"""The accounting of one run: every site in exactly one outcome, every file in exactly one state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from np2torch.report.standing import NOTHING, Standing, standing_in
from np2torch.source.model import CONVERTIBLE, OUTCOMES, Contract, Converted, Guard, Outcome, Problem, Remark, Site
from np2torch.source.notebook import position
from np2torch.source.paths import display_path


class Finding(NamedTuple):
    """A site with its file, for display."""

    path: str
    site: Site

    def __str__(self) -> str:
        line, column, _, code, source, message, *_ = self.site
        subject = f"{source}: " if source else ""
        return f"{position(self.path, line, column)}: {code} {subject}{message}"


class FileResult(NamedTuple):
    """The result for one file with NumPy in it."""

    path: str
    changed: bool
    sites: tuple[Site, ...]
    remarks: tuple[Remark, ...] = ()
    guards: tuple[Guard, ...] = ()
    contracts: tuple[Contract, ...] = ()
    standing: Standing = NOTHING
    single: tuple[str, str] | None = None
    """The texts before and after, where one use of NumPy is all that a conversion takes away."""


def guard_line(guard: Guard) -> str:
    """`path:line:1: NPT540 function: guard: reason`."""
    place = position(display_path(guard.path), guard.line, 1)
    return f"{place}: {guard.code} {guard.function}: {guard.text}: {guard.reason}"


def problem_line(problem: Problem) -> str:
    """`path:line:column: CODE message`, without a position where the whole file is meant."""
    path = display_path(problem.path)
    place = position(path, problem.line, problem.column) if problem.line else path
    return f"{place}: {problem.code} {problem.message}"


class Tally:
    """Counts what passes by.

    Parameters
    ----------
    problems
        Those met before the conversion: files that could not be read.
    total
        How many files were read; those that never reach `add` count as skipped.
    warnings, nothing_read
        What is said of the run as a whole, and whether no file was read.
    """

    def __init__(
        self, problems: Iterable[Problem] = (), total: int = 0, warnings: Iterable[str] = (), nothing_read: bool = False
    ) -> None:  # fmt: skip
        self.total = total
        self.files: list[FileResult] = []
        self.seen: list[str] = []
        self.problems: list[Problem] = list(problems)
        self.warnings: list[str] = list(warnings)
        self.nothing_read = nothing_read
        self.outcomes: Counter[Outcome] = Counter()
        self.codes: Counter[str] = Counter()

    def add(self, converted: Converted) -> None:
        """Take in one converted file."""
        self.problems.extend(converted.problems)
        path = display_path(converted.path)
        self.seen.append(path)
        said = converted.sites or converted.remarks or converted.guards
        if not (said or converted.is_changed or "numpy" in converted.before):
            return
        _, _, _, sites, _, remarks, guards, contracts = converted
        standing = standing_in(converted.before)
        is_single = converted.is_changed and [site.outcome in CONVERTIBLE for site in sites] == [True]
        texts = (converted.before, converted.after) if is_single else None
        self.files.append(
            FileResult(path, converted.is_changed, tuple(sites), tuple(remarks), guards, contracts, standing, texts)
        )
        self.outcomes.update(site.outcome for site in converted.sites)
        self.codes.update(site.code for site in converted.sites)

    def note(self, problem: Problem | None) -> None:
        """Take in a problem met while writing, if there is one."""
        if problem is not None:
            self.problems.append(problem)

    def left_alone(self, paths: Iterable[Path]) -> None:
        """Count files as unchanged that the conversion alters, but that could not be written."""
        left = {display_path(path) for path in paths}
        self.files = [file._replace(changed=False) if file.path in left else file for file in self.files]

    @property
    def changed_count(self) -> int:
        """Number of files that the conversion alters."""
        return sum(file.changed for file in self.files)

    @property
    def unchanged_count(self) -> int:
        """Number of files with NumPy that stay as they are."""
        return len(self.files) - self.changed_count

    @property
    def skipped_count(self) -> int:
        """Number of files that have nothing to do with NumPy."""
        return max(self.total - len(self.files), 0)

    @property
    def sites(self) -> int:
        """Count the sites of NumPy."""
        return self.outcomes.total()

    @property
    def native_share(self) -> float:
        """Share of the sites that became plain torch, with or without a cast; 1 where there are none."""
        return (self.outcomes["native"] + self.outcomes["cast"]) / self.sites if self.sites else 1.0

    def findings(self, *outcomes: Outcome) -> list[Finding]:
        """The sites with one of these outcomes, in file order."""
        return [Finding(file.path, site) for file in self.files for site in file.sites if site.outcome in outcomes]

    def remarks(self, *codes: str) -> list[str]:
        """The remarks with one of these codes, with their places, in file order; all where no code is given."""
        return [
            f"{position(file.path, remark.line, remark.column)}: {remark.code} {remark.message}"
            for file in self.files for remark in file.remarks if not codes or remark.code in codes
        ]  # fmt: skip

    def guards(self) -> list[Guard]:
        """Every guard, in file order."""
        return [guard for file in self.files for guard in file.guards]

    def convertible(self) -> list[Finding]:
        """Sites of NumPy that a conversion would take away; a file that it leaves alone has none."""
        changed = {file.path for file in self.files if file.changed}
        return [finding for finding in self.findings(*CONVERTIBLE) if finding.path in changed]

    def counts(self) -> dict[Outcome, int]:
        """Sites per outcome, all five, in their fixed order."""
        return {outcome: self.outcomes[outcome] for outcome in OUTCOMES}
