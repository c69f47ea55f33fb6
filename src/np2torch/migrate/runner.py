"""Run the user's command, or imports, in a child with limits of time and memory, and read what the tests say."""

from __future__ import annotations

import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from np2torch.migrate.copies import Copy
from np2torch.migrate.interrupts import hold_signals
from np2torch.migrate.results import KILLED, WHOLE, Outcomes, Result, frames_in, read
from np2torch.migrate.server import Child, Server, program

HOOK = Path(__file__).resolve().parent / "hook"
POLL = 0.05
GRACE = 8.0
"""Seconds after which a test that has passed its limit is taken for stuck in code that no signal reaches."""
MOST_DEATHS = 25
"""Tests that may take the process with them in one run."""


class StoppedError(RuntimeError):
    """Error of a runner that has been closed."""


@dataclass(frozen=True)
class Limits:
    """The limits of a child process.

    Attributes
    ----------
    seconds
        For a test that takes no time on NumPy; others have many times what they take there.
    gigabytes
        Of memory; 0 for no limit.
    start
        Seconds until the first test begins, or for a command without tests.
    """

    seconds: float = 20.0
    gigabytes: float = 0.0
    start: float = 600.0

    @property
    def spare(self) -> float:
        """How much longer all tests of a run may take than they have taken on torch."""
        return 10 * self.seconds

    def of_test(self, on_numpy: float) -> float:
        """Give the limit of time of a test from its time on NumPy."""
        return self.seconds + 20 * on_numpy


@dataclass
class Runner:
    """Runs one command in copies of the project.

    Attributes
    ----------
    folder
        The user's working folder, below the root of the project.
    runs
        How many runs there were.
    full_runs
        How many of them were of all tests.
    seconds, import_seconds
        How long tests take on NumPy, and imports of modules there.
    on_torch
        How long tests have taken on torch when they first passed there.
    imported
        The modules of other projects that runs import.
    parameters
        The parameters of the tests on NumPy, described, by function.
    deadline
        When all that runs is ended, by the monotonic clock: what did not come to its end has failed.
    """

    command: tuple[str, ...]
    folder: Path
    roots: Sequence[Path]
    limits: Limits
    place: Path
    seconds: Mapping[str, float] = field(default_factory=dict)
    import_seconds: Mapping[str, float] = field(default_factory=dict)
    on_torch: dict[str, float] = field(default_factory=dict)
    imported: Sequence[str] = ()
    parameters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    runs: int = 0
    full_runs: int = 0
    deadline: float = math.inf
    is_closed: bool = False
    _servers: dict[Path, Server] = field(default_factory=dict)
    _running: list[Child | subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hook = self.place / "hook"
        self.hook.mkdir()
        for name in ("probe", "calls", "imports", "parameters", "server"):
            shutil.copy(HOOK / f"np2torch_{name}.py", self.hook)
        (self.hook / "np2torch").symlink_to(HOOK.parents[1], target_is_directory=True)

    # ---------------------------------------------------------------------------------------------- tests
    def run(
        self, copy: Copy, tests: Sequence[str] | None = None, functions: bool = False, fresh: bool = True,
        is_whole: bool = False,
    ) -> Outcomes:  # fmt: skip
        """Run the tests, or some of them, or the whole by name; what dies with one test is started again without it.

        All tests run in a `fresh` process; what does not is forked from one that has imported what it will import.
        """
        found = Outcomes()
        self.full_runs += tests is None or is_whole
        without: list[str] = []
        for _ in range(MOST_DEATHS):
            part = self._once(copy, self.command, tests, without, functions, fresh)
            found.add(part)
            if part.started is None or self.is_over():
                break
            without = list(found.tests)
        if not found.is_pytest and not found.tests:
            found.tests[WHOLE] = _of_output(found, copy)
        return found

    def imports(self, copy: Copy, modules: Sequence[tuple[str, Path, Path]], fresh: bool = True) -> Outcomes:
        """Import modules one by one: name, file and the folder that it is imported from."""
        found, waiting = Outcomes(), list(modules)
        for _ in range(MOST_DEATHS):
            listed = [(name, str(copy.of(path)), str(copy.of(top))) for name, path, top in waiting]
            with tempfile.NamedTemporaryFile("w", suffix=".json", dir=self.place, delete=False) as file:
                json.dump(listed, file)
            part = self._once(copy, (self.python(), "-m", "np2torch_imports", file.name), None, (), False, fresh)
            found.add_imports(part)
            waiting = [one for one in waiting if one[0] not in found.tests]
            if part.started is None or not waiting or self.is_over():
                break
        return found

    def learn(self, seconds: dict[str, float], imported: Sequence[str]) -> None:
        """Note how long each test takes on NumPy, and what all of them import."""
        self.seconds, self.imported = seconds, imported

    def learn_parameters(self, parameters: Mapping[str, Sequence[str]]) -> None:
        """Note the parameters of the tests on NumPy, by which those of later runs have their numbers."""
        self.parameters = parameters

    def learn_imports(self, seconds: Mapping[str, float]) -> None:
        """Note how long the import of each module takes on NumPy."""
        self.import_seconds = seconds

    def learn_torch(self, seconds: Mapping[str, float]) -> None:
        """Note how long tests that have passed took on torch: no later run of all may take many times as long."""
        self.on_torch = {**seconds, **self.on_torch}

    def own_limits(self) -> dict[str, float]:
        """Give the limits of time of tests, and of imports, that take long on NumPy."""
        taken = {**self.import_seconds, **self.seconds}
        return {name: self.limits.of_test(seconds) for name, seconds in taken.items() if seconds > 0.05}

    def stop_at(self, deadline: float) -> float:
        """Let all runs end by a time; give the time that stood before."""
        before, self.deadline = self.deadline, deadline
        return before

    def is_over(self) -> bool:
        """Tell whether the time for all runs is over."""
        return time.monotonic() > self.deadline

    def python(self) -> str:
        """The Python that the command runs on."""
        first = shutil.which(self.command[0]) if self.command else None
        if first is None:
            return sys.executable
        if re.fullmatch(r"python[\d.]*(\.exe)?", Path(first).name):
            return first
        with open(first, "rb") as file:  # the script of an installed program
            line = file.readline(400)
        name = line[2:].strip().decode(errors="replace") if line.startswith(b"#!") else ""
        return name if os.path.isfile(name) and "python" in Path(name).name else sys.executable

    # -------------------------------------------------------------------------------------------- children
    def _once(
        self, copy: Copy, command: Sequence[str], tests: Sequence[str] | None, without: Sequence[str],
        functions: bool, fresh: bool,
    ) -> Outcomes:  # fmt: skip
        if self.is_closed:
            raise StoppedError
        self.runs += 1
        with tempfile.TemporaryDirectory(prefix="run-", dir=self.place, ignore_cleanup_errors=True) as folder:
            reports = Path(folder) / "reports"
            reports.mkdir()
            settings = {
                "root": str(copy.place), "tree": str(copy.root), "reports": str(reports), "tests": tests,
                "without": list(without),
                "functions": functions, "limit": self.limits.seconds,
                "limits": self.own_limits(), "parameters": self.parameters,
                "on_torch": self.on_torch, "spare": self.limits.spare,
            }  # fmt: skip
            (Path(folder) / "probe.json").write_text(json.dumps(settings), "utf-8")
            code = self._child(copy, command, Path(folder), fresh)
            found = read(reports)
            text = (Path(folder) / "output").read_bytes().decode(errors="replace")
        found.end(code, text)
        return found

    def _child(self, copy: Copy, command: Sequence[str], folder: Path, fresh: bool) -> int:
        settings = {"NP2TORCH_PROBE": str(folder / "probe.json")}
        asked = program(command)
        done: Child | subprocess.Popen[bytes] | None = None
        if asked is not None and not fresh:
            done = self._server(copy).start(asked, settings, folder / "output")
            if done is None:  # it has ended itself
                self._servers.pop(copy.place).close()
        if done is not None:
            self._running.append(done)
        else:
            with open(folder / "output", "wb") as output, hold_signals():
                done = subprocess.Popen(
                    command, env={**self._environment(copy), **settings}, cwd=copy.of(self.folder), stdout=output,
                    stderr=output, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=self._limit,
                )  # fmt: skip
                self._running.append(done)
        try:
            return self._wait(done, folder / "reports")
        finally:
            _end(done)
            self._running.remove(done)

    def _server(self, copy: Copy) -> Server:
        """The Python that forks for runs in a copy."""
        if copy.place not in self._servers:
            with hold_signals():
                self._servers[copy.place] = Server(
                    self.python(), self.hook / "np2torch_server.py", [*copy.imports, "pytest", *self.imported],
                    copy.of(self.folder), self._environment(copy), preexec_fn=self._limit,
                )  # fmt: skip
        return self._servers[copy.place]

    def close(self) -> None:
        """End what runs for us, also in other threads, and begin nothing more."""
        self.is_closed = True
        for child in list(self._running):
            _end(child)
        for server in self._servers.values():
            server.close()
        self._servers.clear()

    def _environment(self, copy: Copy) -> dict[str, str]:
        paths = [*map(str, map(copy.of, self.roots)), os.environ.get("PYTHONPATH", ""), str(self.hook)]
        return dict(
            os.environ, PYTHONDONTWRITEBYTECODE="1", PYTHONFAULTHANDLER="1",
            PYTHONPATH=os.pathsep.join(filter(None, paths)),
            PYTEST_PLUGINS=",".join(filter(None, [os.environ.get("PYTEST_PLUGINS"), "np2torch_probe"])),
            PYTEST_ADDOPTS=f"-p np2torch_probe {os.environ.get('PYTEST_ADDOPTS', '')}",  # before installed plugins
        )  # fmt: skip

    def _limit(self) -> None:
        if self.limits.gigabytes:
            size = int(self.limits.gigabytes * 2**30)
            resource.setrlimit(resource.RLIMIT_AS, (size, size))

    def _wait(self, done: Child | subprocess.Popen[bytes], reports: Path) -> int:
        """Wait for the end; a test that passes its limit and does not hear is ended with its process."""
        size, since, limit = -1, time.monotonic(), self.limits.start
        while (code := done.poll()) is None:
            time.sleep(POLL)
            if time.monotonic() > self.deadline:
                _end(done)
                return done.wait()
            files = list(reports.iterdir())
            now = sum(file.stat().st_size for file in files)
            if now != size:
                size, since = now, time.monotonic()
                limit = max((_limit_of(file) for file in files), default=0.0) or self.limits.start
            elif time.monotonic() - since > limit + GRACE:
                _end(done)
                return done.wait()
        return code


def _limit_of(report: Path) -> float:
    """The limit of the test that runs, by the last line of a report; 0 between tests."""
    with open(report, "rb") as file:
        file.seek(max(0, report.stat().st_size - 2000))
        lines = file.read().splitlines()
    for line in reversed(lines):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        return float(event.get("limit", 0.0)) if event["event"] == "start" else 0.0
    return 0.0


def _end(done: Child | subprocess.Popen[bytes]) -> None:
    """End a child and all that it has started; its process group is its own."""
    if done.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(done.pid, signal.SIGKILL)
    done.wait()


def _of_output(found: Outcomes, copy: Copy) -> Result:
    """The one result of a command that is not pytest."""
    outcome = "passed" if found.exit_code == 0 else KILLED if found.exit_code < 0 else "failed"
    frames = tuple(one for one in frames_in(found.output) if copy.original(one.path) is not None)
    last = next((line for line in reversed(found.output.splitlines()) if line.strip()), "")
    return Result(outcome, error=last[:200] if outcome != "passed" else "", frames=frames)


def concerned_tests(tests: Iterable[str], known: Iterable[str]) -> list[str]:
    """Some tests, in the order of the whole run."""
    wanted = set(tests)
    return [name for name in known if name in wanted]
