"""The other end of `hook/np2torch_server.py`: children forked from a Python that has imported what they import."""

from __future__ import annotations

import json
import re
import select
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Program(NamedTuple):
    """A command that runs a module or a file of Python's: `pytest -q`, `python -m pytest -q`, `python main.py`."""

    program: str
    arguments: Sequence[str]
    is_module: bool
    from_here: bool


def program(command: Sequence[str]) -> Program | None:
    """Find what a command runs, where that is known."""
    words = [*command]
    if words and Path(words[0]).name in ("pytest", "py.test"):
        return Program("pytest", words[1:], True, False)
    if len(words) > 1 and re.fullmatch(r"python[\d.]*", Path(words[0]).name):
        if words[1] == "-m" and len(words) > 2:
            return Program(words[2], words[3:], True, True)
        if words[1].endswith(".py"):
            return Program(words[1], words[2:], False, False)
    return None


class Server:
    """A Python that forks for each run in one copy of the project.

    Parameters
    ----------
    imports
        The modules that it imports first.
    """

    def __init__(
        self, python: str, script: Path, imports: Sequence[str], folder: Path, environment: Mapping[str, str],
        **options: Any,
    ) -> None:  # fmt: skip
        self.process = subprocess.Popen(
            [python, str(script), *imports], cwd=folder, env=environment, text=True, start_new_session=True, **options,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def start(self, asked: Program, environment: Mapping[str, str], output: Path) -> Child | None:
        """Start a run; None where the server has ended."""
        request = {**asked._asdict(), "environment": dict(environment), "output": str(output)}
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except (BrokenPipeError, OSError):
            return None
        return Child(int(line), self.process) if line.strip() else None

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()


class Child:
    """A run of a server, with what the runner asks of a process."""

    def __init__(self, pid: int, server: subprocess.Popen[str]) -> None:
        self.pid, self._server = pid, server
        self._code: int | None = None

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        assert self._server.stdout is not None
        if self._code is None and select.select([self._server.stdout], [], [], 0)[0]:
            self._code = int(self._server.stdout.readline() or -9)
        return self._code

    def wait(self) -> int:
        """The exit code, once it has ended."""
        assert self._server.stdout is not None
        if self._code is None:
            self._code = int(self._server.stdout.readline() or -9)
        return self._code
