"""A migration as a whole: what it takes, in which order, and what became of each use of NumPy so far."""

from __future__ import annotations

import graphlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from np2torch.names.modules import import_graph
from np2torch.rewrite.convert import analyse, interpreting
from np2torch.rewrite.incremental import Steps
from np2torch.rewrite.site_evidence import KnownExpression, evidence
from np2torch.source.model import OUTCOMES, Converted, Guard, Outcome, Problem, Remark, Site, SourceFile

HOT = ("NPT601", "NPT602", "NPT603", "NPT604")
"""Remarks on loops that will be slower."""


class SiteReport(NamedTuple):
    """A site and what is known there."""

    site: Site
    known: tuple[KnownExpression, ...]


@dataclass(frozen=True)
class FileReport:
    """A file with NumPy.

    Attributes
    ----------
    before, after
        Its text before the migration; as it is now, or would be after a conversion where it `is_done` not.
    rank
        Its place in the order in which to migrate: those first that import no others.
    """

    file: SourceFile
    before: str
    after: str
    is_done: bool
    rank: int
    sites: tuple[SiteReport, ...]
    guards: tuple[Guard, ...]
    remarks: tuple[Remark, ...]

    @property
    def outcomes(self) -> Counter[Outcome]:
        """Count the sites by outcome."""
        return Counter(one.site.outcome for one in self.sites)

    @property
    def hot(self) -> list[Remark]:
        """Loops that will be slower."""
        return [remark for remark in self.remarks if remark.code in HOT]


class Hand(NamedTuple):
    """A name that needs hands: what it is, why, how often, and where first."""

    source: str
    code: str
    message: str
    times: int
    place: tuple[SourceFile, int, int]


@dataclass(frozen=True)
class Migration:
    """All files with NumPy, in the order in which to migrate them.

    Attributes
    ----------
    verified
        The entries of `np2torch verify --output-format json`.
    """

    title: str
    files: tuple[FileReport, ...]
    problems: tuple[Problem, ...] = ()
    verified: tuple[Mapping[str, Any], ...] = field(default_factory=tuple)

    @property
    def outcomes(self) -> dict[Outcome, int]:
        """Sites by outcome, all five."""
        total = sum((one.outcomes for one in self.files), Counter[Outcome]())
        return {outcome: total[outcome] for outcome in OUTCOMES}

    @property
    def lines(self) -> int:
        """Lines of the files, before."""
        return sum(one.before.count("\n") + 1 for one in self.files)

    @property
    def converted_files(self) -> list[FileReport]:
        """The files that are converted."""
        return [one for one in self.files if one.is_done]

    def hands(self) -> list[Hand]:
        """Give the names that no conversion takes away, the most frequent first."""
        found: dict[tuple[str, str], list[tuple[FileReport, Site]]] = {}
        for one in self.files:
            for each in one.sites:
                if each.site.outcome == "todo":
                    found.setdefault((each.site.source, each.site.code), []).append((one, each.site))
        hands = []
        for (source, code), places in found.items():
            first, site = places[0]
            hands.append(Hand(source, code, site.message, len(places), (first.file, site.line, site.column)))
        return sorted(hands, key=lambda hand: (-hand.times, hand.source))


def read_migration(
    steps: Steps,
    title: str,
    wanted: Iterable[Path],
    with_evidence: bool,
    verified: Sequence[Mapping[str, Any]] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Migration:
    """Analyse a project as it was before it was converted, and see how far it has come.

    Parameters
    ----------
    wanted
        The files that are reported; the others are only read around them.
    with_evidence
        Whether to say at each site what is known, which takes time.
    verified
        What `np2torch verify` found.
    progress
        Called after each file with its number and how many there are.
    """
    sources, now = steps.sources, {file.path: file for file in steps.files}
    done = {path for path, real in steps.real.items() if real in steps.done}
    with interpreting():
        work = analyse(sources, steps.settings)
    ranks = migration_order(sources)
    files, problems, asked = [], [*steps.damaged], set(wanted)
    for number, (source, converted) in enumerate(zip(sources, work.run(), strict=True), 1):
        if progress is not None:
            progress(number, len(sources))
        if source.path not in asked:
            continue
        problems += converted.problems
        is_done = source.path in done
        after = now[source.path].text if is_done else converted.after
        if converted.sites or is_done and after != source.text:
            known = evidence(work, source, converted.sites) if with_evidence else {}
            files.append(_report(source, converted, after, is_done, ranks[source.path], known))
    return Migration(title, tuple(sorted(files, key=lambda one: one.rank)), tuple(problems), tuple(verified))


def _report(
    file: SourceFile,
    converted: Converted,
    after: str,
    is_done: bool,
    rank: int,
    known: Mapping[tuple[int, int, str], tuple[KnownExpression, ...]],
) -> FileReport:
    sites = tuple(SiteReport(one, known.get((one.line, one.column, one.source), ())) for one in sorted(converted.sites))
    return FileReport(file, file.text, after, is_done, rank, sites, converted.guards, converted.remarks)


def migration_order(files: Sequence[SourceFile]) -> dict[Path, int]:
    """Number the files so that each comes after those that it imports; of a circle, the small ones first."""
    graph = import_graph(files)
    sizes = {file.path: len(file.text) for file in files}
    return {path: number for number, path in enumerate(_ordered(graph, sizes))}


def _ordered(graph: Mapping[Path, set[Path]], sizes: Mapping[Path, int]) -> Iterator[Path]:
    left = {path: set(below) for path, below in graph.items()}
    while left:
        sorter = graphlib.TopologicalSorter(left)
        try:
            sorter.prepare()
        except graphlib.CycleError as error:  # taken apart where least has to be read beside it
            circle = sorted(error.args[1], key=lambda path: (len(left[path]), sizes[path], path))
            left[circle[0]] -= set(circle)
            continue
        while sorter.is_active():
            ready = sorted(sorter.get_ready(), key=lambda path: (sizes[path], path))
            yield from ready
            sorter.done(*ready)
        return
