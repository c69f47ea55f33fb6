"""Notices: all that `check` has to say of places in files, in one shape that every format is made of."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from np2torch.report.summary import DOUBTED, HAZARDS, LEFT
from np2torch.report.tally import Finding, Tally, guard_line, problem_line
from np2torch.source.model import Guard, Problem, Site
from np2torch.source.paths import display_path

Level = Literal["error", "warning", "note"]
Status = Literal["new", "allowed", "migrated"]


class Notice(NamedTuple):
    """Something said of a place.

    Attributes
    ----------
    level
        "error" for what makes a check fail, or would without a baseline.
    line, column
        They count from 1; the line is 0 where the whole file is meant.
    text
        The whole of it in one line, as every linter writes it.
    fingerprint
        It tells a finding from all others of the project, wherever in its function the lines have moved; empty for what
        is no finding.
    status
        "allowed" for a finding that the baseline has, "migrated" for one in a file that is to have none.
    site
        What was found; None for what is no finding.
    """

    level: Level
    path: str
    line: int
    column: int
    code: str
    message: str
    text: str
    fingerprint: str = ""
    status: Status = "new"
    site: Site | None = None

    @property
    def fails(self) -> bool:
        """Tell whether a check fails for it."""
        return self.level == "error" and self.status != "allowed"


LONGEST = 100
"""How much of a text is kept; a digest stands for the rest."""


class Key(NamedTuple):
    """The identity of a finding, which stays the same when lines move."""

    code: str
    function: str
    source: str


def key_of(site: Site) -> Key:
    """Give the key of a site: its code, the function around it and its text, however that is broken into lines."""
    text = site.text or " ".join(site.source.split())
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}... {hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"
    return Key(site.code, site.function, text)


def fingerprint(path: str, key: Key, ordinal: int) -> str:
    """Give the fingerprint of a finding; `ordinal` tells findings of one key apart and counts from 1."""
    return f"{hashlib.sha256(chr(0).join((path, *key)).encode('utf-8', 'replace')).hexdigest()[:16]}:{ordinal}"


def notices(tally: Tally, folder: Path) -> list[Notice]:
    """Give all that was found: findings, remarks, guards, and problems, each in the order of the files.

    Parameters
    ----------
    folder
        That of the project: fingerprints hold the path from there, so that they are the same on every machine.
    """
    said = (_findings(tally, folder), _remarks(tally), map(_of_guard, tally.guards()), map(_of_problem, tally.problems))
    return list(chain.from_iterable(said))


def name_in(path: str, folder: Path) -> str:
    """Give the path of a file from some folder, the same on every machine and by way of whatever links."""
    parent, name = os.path.split(os.path.abspath(path))
    way = _way(parent, os.path.abspath(folder))
    return name if way == "." else f"{way}/{name}"


@lru_cache(maxsize=4096)
def _way(parent: str, folder: str) -> str:
    return os.path.relpath(os.path.realpath(parent), os.path.realpath(folder)).replace(os.sep, "/")


def _findings(tally: Tally, folder: Path) -> Iterator[Notice]:
    counts: Counter[tuple[str, Key]] = Counter()
    for finding in tally.convertible():
        name, key = name_in(finding.path, folder), key_of(finding.site)
        counts[name, key] += 1
        yield _of_finding(finding, fingerprint(name, key, counts[name, key]))


def _of_finding(finding: Finding, mark: str) -> Notice:
    line, column, _, code, source, message, *_ = site = finding.site
    said = f"{source}: {message}" if source else message
    return Notice("error", finding.path, line, column, code, said, str(finding), mark, site=site)


def _remarks(tally: Tally) -> Iterator[Notice]:
    for file in tally.files:
        for line, column, code, message in file.remarks:
            if code in (*DOUBTED, *LEFT, *HAZARDS):
                text = f"{file.path}:{line}:{column}: {code} {message}"
                yield Notice("warning", file.path, line, column, code, message, text)


def _of_guard(guard: Guard) -> Notice:
    message = f"{guard.function}: {guard.text}: {guard.reason}"
    return Notice("note", display_path(guard.path), guard.line, 1, guard.code, message, guard_line(guard))


def _of_problem(problem: Problem) -> Notice:
    path = display_path(problem.path)
    return Notice("error", path, problem.line, problem.column, problem.code, problem.message, problem_line(problem))
