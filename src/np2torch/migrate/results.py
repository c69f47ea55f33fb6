"""The results of a run of the user's command: for each test its outcome, the place of its errors, what it called."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

WHOLE = "(the command)"
"""The one test of a command that is not pytest."""
GOOD = ("passed", "xfailed", "xpassed")
KILLED = "killed"
"""The outcome of a test that takes the process with it, or does not end."""
MOST_SHOWN = 120
"""Characters of an error that are shown."""
PLACE = re.compile(r'^\s*File "([^"]+)", line (\d+),? in (\S+)', re.MULTILINE)
"""A frame as Python and faulthandler print it."""


class Frame(NamedTuple):
    """A place in the copy of the project."""

    path: str
    line: int
    name: str


def frames_in(text: str) -> tuple[Frame, ...]:
    """The frames of a traceback that was printed; faulthandler prints the innermost first."""
    found = [Frame(path, int(line), name) for path, line, name in PLACE.findall(text)]
    return tuple(reversed(found)) if "most recent call first" in text else tuple(found)


def in_short(error: str) -> str:
    """The beginning of an error, as one line."""
    text = " ".join(error.split())
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN].rstrip() + "..."


@dataclass
class Result:
    """The result of a test.

    Attributes
    ----------
    shown
        Its name for pytest.
    frames
        The frames of the error, the innermost last.
    functions
        The functions of the project that ran, if this was asked for.
    """

    outcome: str = ""
    shown: str = ""
    error: str = ""
    frames: tuple[Frame, ...] = ()
    functions: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0

    def die(self, code: int, output: str) -> None:
        """Note that the process ended in this test, where no error of it is known."""
        if not self.frames:
            self.frames = frames_in(output)
            self.error = self.error or "the process ended" if code >= 0 else f"signal {-code}"

    @property
    def is_good(self) -> bool:
        """Tell whether it passed, or failed as expected."""
        return self.outcome in GOOD


@dataclass
class Outcomes:
    """The results of one run, by test, in the order in which they ran.

    Attributes
    ----------
    uncollected
        Errors of modules whose tests could not be collected.
    is_pytest, sessions
        Whether pytest reported to us, and how many processes of it.
    outside
        Files of the working tree itself that were imported.
    imported
        Modules of other projects that were, but for plugins of pytest.
    loaded
        What of the project ran outside all tests, where functions were asked for.
    parameters
        The parameters of the tests that each parametrized function makes, described.
    twins
        The tests on NumPy that others stand for, whose parameters are the same here: the one by the other.
    lacking
        Parametrized tests on NumPy for which there is none here.
    """

    tests: dict[str, Result] = field(default_factory=dict)
    uncollected: dict[str, Result] = field(default_factory=dict)
    is_pytest: bool = False
    sessions: int = 0
    exit_code: int = 0
    output: str = ""
    started: str | None = None
    outside: list[str] = field(default_factory=list)
    imported: list[str] = field(default_factory=list)
    loaded: list[tuple[str, str]] = field(default_factory=list)
    parameters: dict[str, list[str]] = field(default_factory=dict)
    twins: dict[str, str] = field(default_factory=dict)
    lacking: set[str] = field(default_factory=set)

    def why_none_passes(self) -> str:
        """The error that stopped a run in which nothing passed, with the file or test that it is of; in one line."""
        failed = {name: one for name, one in self.tests.items() if not one.is_good and name != WHOLE}
        bad = {name: one for name, one in {**self.uncollected, **failed}.items() if one.error}
        named = [f"{one.shown or name}: {in_short(one.error)}" for name, one in bad.items()]
        if named:
            return named[0] + (f" (and {len(bad) - 1} more)" if len(bad) > 1 else "")
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()]  # other lines may follow: "rootdir: ..."
        return (errors or lines or ["it says nothing"])[-1]

    def add(self, part: Outcomes) -> None:
        """Add the results of another process of the same run."""
        self.add_imports(part)
        self.is_pytest |= part.is_pytest
        self.sessions = max(self.sessions, part.sessions)
        self.uncollected.update(part.uncollected)
        self.loaded += part.loaded
        self.parameters.update(part.parameters)
        self.twins.update(part.twins)
        self.lacking |= part.lacking
        self.imported = part.imported or self.imported
        self.exit_code, self.output = part.exit_code, part.output

    def add_imports(self, part: Outcomes) -> None:
        """Add the results of another process that imports modules."""
        self.tests.update(part.tests)
        self.outside += part.outside

    def end(self, code: int, output: str) -> None:
        """Note how the process ended; the test that was running then has failed."""
        self.exit_code, self.output = code, output
        if self.started is not None:
            self.tests[self.started].die(code, output)
        for name, first in self.twins.items():
            if first in self.tests:
                self.tests[name] = replace(self.tests[first], shown="", seconds=0.0)

    def good(self) -> set[str]:
        """The tests that passed."""
        return {name for name, result in self.tests.items() if result.is_good}


def read(folder: Path) -> Outcomes:
    """The results that the processes of a run have written."""
    found = Outcomes()
    for path in sorted(folder.glob("*.jsonl")):
        _read_lines(found, path.read_text("utf-8").splitlines())
    return found


def _read_lines(found: Outcomes, lines: Iterable[str]) -> None:
    running: str | None = None
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:  # the end of a process that was killed while it wrote
            continue
        kind, name = event["event"], event.get("test", "")
        if kind == "session":
            found.is_pytest = True
            found.sessions += 1
            continue
        if kind == "outside":
            found.outside += event["paths"]
        elif kind == "imported":
            found.imported = event["names"]
        elif kind == "loaded":
            found.loaded += ((path, function) for path, function in event["functions"])
        elif kind == "parametrized":
            found.parameters.update(event["keys"])
            found.twins.update((name, first) for first, names in event["twins"].items() for name in names)
            found.lacking.update(event["lacking"])
        elif kind == "start":
            running = name
            _of(found.tests, name).shown = event.get("shown", name)
        elif kind == "end":
            running = None
            _of(found.tests, name).functions = tuple((path, function) for path, function in event["functions"])
        elif kind == "error":
            _error(found, event)
        elif kind == "phase":
            _phase(_of(found.tests, name), event)
        elif kind == "uncollected":
            _of(found.uncollected, name).outcome = "failed"
    if running is not None:
        found.started = running
        _of(found.tests, running).outcome = KILLED


def _of(results: dict[str, Result], name: str) -> Result:
    return results.setdefault(name, Result())


def _error(found: Outcomes, event: Mapping[str, object]) -> None:
    results = found.uncollected if event["when"] == "collect" else found.tests
    result = _of(results, str(event["test"]))
    if not result.error:
        frames = event["frames"]
        assert isinstance(frames, list)
        result.error, result.frames = str(event["error"]), tuple(Frame(*frame) for frame in frames)


def _phase(result: Result, event: Mapping[str, object]) -> None:
    outcome = str(event["outcome"])
    result.seconds += float(str(event["seconds"]))
    if result.outcome in ("", "passed") or outcome == "failed":
        result.outcome = "failed" if outcome == "failed" else outcome
