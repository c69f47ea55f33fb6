"""The verdict of a check: which findings fail it, and which budgets are spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from np2torch.report import baseline
from np2torch.report.notices import Notice, name_in, notices
from np2torch.report.tally import Tally
from np2torch.source.model import Settings
from np2torch.source.paths import display_path

WORDS = {"shim": "calls of the shim", "guards": "guards", "todo": "TODOs"}
"""The subjects of budgets, by the last word of their options."""


class CheckResult(NamedTuple):
    """A check and its verdict.

    Attributes
    ----------
    notices
        All that was found, findings with their status.
    over
        One line for each budget that is spent.
    gone
        How many findings of the baseline are there no more.
    """

    tally: Tally
    notices: list[Notice]
    over: tuple[str, ...] = ()
    gone: int = 0

    @property
    def failing(self) -> list[Notice]:
        """The findings for which the check fails; problems are no findings."""
        return [notice for notice in self.findings if notice.fails]

    @property
    def findings(self) -> list[Notice]:
        """List the sites of NumPy that can be converted."""
        return [notice for notice in self.notices if notice.site is not None]

    @property
    def visible_notices(self) -> list[Notice]:
        """The notices that people are to read: findings that are allowed are only counted."""
        return [notice for notice in self.notices if notice.status != "allowed"]

    def count(self, status: str) -> int:
        """Count the findings of a status."""
        return sum(notice.status == status for notice in self.findings)


def judge_check(tally: Tally, settings: Settings, folder: Path, entries: baseline.Entries | None = None) -> CheckResult:
    """Judge what a check has found.

    Parameters
    ----------
    folder
        The baseline's, or that of the project.
    entries
        What the baseline allows; None where there is none.
    """
    migrated = [file.path for file in tally.files if settings.is_migrated(Path(file.path))]
    found = notices(tally, folder)
    judged = baseline.judge_findings(found, entries or {}, folder, migrated)
    return CheckResult(tally, judged, tuple(_over(tally, settings)), _gone(tally, found, entries or {}, folder))


def _gone(tally: Tally, found: list[Notice], entries: baseline.Entries, folder: Path) -> int:
    seen = looked_at(tally, folder)
    known = {name: counts for name, counts in entries.items() if name in seen or not (folder / name).exists()}
    now = baseline.present(found, folder)
    return sum((counts - now.get(name, Counter())).total() for name, counts in known.items())


def looked_at(tally: Tally, folder: Path) -> set[str]:
    """Give the files that a check has an opinion of, as they are named in a baseline."""
    unread = {display_path(problem.path) for problem in tally.problems}
    return {name_in(path, folder) for path in tally.seen if path not in unread}


def budgets(tally: Tally) -> dict[str, int]:
    """Count what budgets are for: what stands in the files, and what a conversion would add to it.

    A TODO of a file that is converted is met twice, as a note in its text and as a use of NumPy; it counts once.
    """
    of_files = [[site.outcome for site in file.sites] for file in tally.files]
    standing = [file.standing for file in tally.files]
    return {
        "shim": sum(one.count("shim") for one in of_files) + sum(one.shim for one in standing),
        "guards": len(tally.guards()),
        "todo": sum(max(one.count("todo"), file.todo) for one, file in zip(of_files, standing, strict=True)),
    }


def _over(tally: Tally, settings: Settings) -> Iterator[str]:
    for name, number in budgets(tally).items():
        allowed = getattr(settings, f"max_{name}")
        if allowed is not None and number > allowed:
            yield f"Found {number} {WORDS[name]}; --max-{name} allows {allowed}."


def verdict_line(check: CheckResult) -> str:
    """Give the last line of a check."""
    found, tally = check.failing, check.tally
    allowed = check.count("allowed")
    more = f" The baseline allows {allowed} more." if allowed else ""
    if tally.nothing_read:
        return "Nothing was checked."
    if not found and tally.problems:
        return f"No convertible NumPy found where it could be looked for; {len(tally.problems)} could not be handled."
    if not found:
        return f"No new convertible NumPy.{more}" if allowed else "No convertible NumPy left."
    files = len({notice.path for notice in found})
    what = f"{'new ' if allowed else ''}convertible use{'s' if len(found) > 1 else ''}"
    return f"Found {len(found)} {what} of NumPy in {files} file{'s' if files > 1 else ''}.{more}"
