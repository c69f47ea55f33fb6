"""Processes that have imported NumPy or torch and wait for a module to open; those that lost nothing serve again.

Nothing of the user's runs in them, only in what they fork, so one may serve a run after the other: a start costs two
seconds of computing, since torch is imported.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import np2torch

Process = subprocess.Popen[bytes]
MOST_IDLE = 2
"""Processes of one kind that are kept."""


def environment() -> dict[str, str]:
    """The variables that the user's code sees."""
    own = Path(np2torch.__file__).parents[1]
    path = [str(own), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "Agg",
    }  # fmt: skip


class Processes:
    """The processes that wait, by side and by where they find modules, and the folder that all of them work in."""

    def __init__(self) -> None:
        self._idle: dict[tuple[str, str], list[Process]] = {}
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    def scratch(self) -> str:
        """Give the folder for what functions write, which is removed in the end, whoever was killed before."""
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="np2torch-verify-", ignore_cleanup_errors=True)
        return self._scratch.name

    def take(self, side: str) -> Process:
        """One that waits, or a new one."""
        variables = environment()
        idle = self._idle.get((side, variables["PYTHONPATH"]), [])
        while idle:
            found = idle.pop()
            if found.poll() is None:
                return found
            end(found)
        return subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-m", "np2torch.verify.child", side],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=variables,
            start_new_session=True, bufsize=0,
        )  # fmt: skip

    def give_back(self, side: str, process: Process) -> None:
        """Keep one that has no module open for what comes next; where there are enough, it ends."""
        idle = self._idle.setdefault((side, environment()["PYTHONPATH"]), [])
        if len(idle) < MOST_IDLE:
            idle.append(process)
        else:
            end(process)

    def end(self) -> None:
        """End all that wait."""
        for idle in self._idle.values():
            while idle:
                end(idle.pop())
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None


@functools.cache
def processes() -> Processes:
    """Those of this process, which end with it."""
    found = Processes()
    atexit.register(found.end)
    return found


def end(process: Process) -> None:
    """End a process, and all that it has forked."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
    process.wait()
