"""The project's own tests on two trees, paired by their ids."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from np2torch.verify.command import run
from np2torch.verify.rows import Row, unexercised_row

WORDS = {"failure": "failed", "error": "failed", "skipped": "skipped"}


class Case(NamedTuple):
    """The outcome of one test: "passed", "failed" or "skipped", and what it said."""

    outcome: str
    message: str = ""


def suite_rows(words: Sequence[str], old: Path, new: Path, timeout: float) -> list[Row]:
    """Run pytest on both trees: a row for each file of tests, and one for each test that differs."""
    sides = []
    for tree in (old, new):
        found, word = _tests(words, tree, timeout)
        if not found:
            return [unexercised_row(f"$ {' '.join(words)}", f"no results of tests below {tree}: {word}")]
        sides.append(found)
    return list(pair_results(*sides))


def _tests(words: Sequence[str], tree: Path, timeout: float) -> tuple[dict[tuple[str, str], Case], str]:
    """The results by file and name, from the report that pytest is asked to write by its environment."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        options = f"{os.environ.get('PYTEST_ADDOPTS', '')} --junitxml={report} -p no:cacheprovider".strip()
        done = run(words, tree, timeout, {"PYTEST_ADDOPTS": options})
        if not report.is_file():
            last = next(reversed(done.printed.strip().splitlines()), "")
            return {}, done.ending or f"{done.word}: {last}".rstrip(": ")
        return read_report(report.read_text("utf-8")), done.word


def read_report(text: str) -> dict[tuple[str, str], Case]:
    """The tests of a report in JUnit's format; of one that is there twice, the worse result."""
    found: dict[tuple[str, str], Case] = {}
    for case in ElementTree.fromstring(text).iter("testcase"):
        key = case.get("classname", ""), case.get("name", "")
        inner = next((one for one in case if one.tag in WORDS), None)
        test = Case("passed") if inner is None else Case(WORDS[inner.tag], inner.get("message", "").strip())
        if key not in found or test.outcome == "failed":
            found[key] = test
    return found


def pair_results(old: Mapping[tuple[str, str], Case], new: Mapping[tuple[str, str], Case]) -> Iterator[Row]:
    """Pair two runs into rows: tests that pass on both sides together, all others one by one."""
    for file in dict.fromkeys(file for file, _ in old):
        names = [name for where, name in old if where == file]
        passed = [name for name in names if old[file, name].outcome == "passed"]
        equal = [name for name in passed if new.get((file, name), Case("")).outcome == "passed"]
        if equal:
            yield Row(file, f"{len(equal)} tests", "passed", "passed", None)
        for name in names:
            if name not in equal:
                yield _apart(f"{file}::{name}", old[file, name], new.get((file, name)))
    for file, name in new:
        if (file, name) not in old:
            yield unexercised_row(f"{file}::{name}", "the old side has no such test")


def _apart(name: str, old: Case, new: Case | None) -> Row:
    """The row of a test that does not pass on both sides."""
    if new is None:
        said = "is not run on the new side"
    elif old.outcome == "passed" and new.outcome == "failed":
        said = f"fails: {next(iter(new.message.splitlines()), '')[:160]}".rstrip(": ")
    elif old.outcome == "passed":
        said = f"is {new.outcome} on the new side"
    else:
        other = new.outcome
        return unexercised_row(name, f"it is {old.outcome} on the old side", "1 test", old.outcome, other)
    return Row(name, "1 test", old.outcome, new.outcome if new is not None else "", said)
