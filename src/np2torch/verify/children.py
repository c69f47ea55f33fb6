"""The verifier's end of the child processes that run the user's code."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import np2torch
from np2torch.verify.calls import Call, Observed
from np2torch.verify.frames import ClosedError, LateError, receive, send

SLACK = 60.0
"""Seconds that a child may take for its own work."""


PROBE_SECONDS = 60.0
"""The extra time for a probe, or for the first use of a device."""


class Limits(NamedTuple):
    """The bounds of one call."""

    seconds: float = 2.0
    megabytes: int = 2000


class Place(NamedTuple):
    """A module: the folder it is imported from, its dotted name, and its file where no import finds it."""

    root: Path
    module: str
    file: Path | None = None


class ModuleError(RuntimeError):
    """A module cannot be imported; the message is one line."""


class Child:
    """One side's process; it is started when it is needed, and again where it was lost."""

    def __init__(self, side: str, limits: Limits, paths: Sequence[Path] = (), device: str = "cpu") -> None:
        self.side = side
        self.limits = limits
        self.paths = tuple(paths)
        self.device = device
        self._process: subprocess.Popen[bytes] | None = None
        self._place: Place | None = None

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def open(self, place: Place) -> None:
        """Import a module.

        Raises
        ------
        ModuleError
            Where that fails.
        """
        if self._place == place:
            return
        if self._place is not None:
            self._ask({"close": True}, SLACK)
        self._place = None
        message = {"root": str(place.root), "module": place.module, "paths": os.pathsep.join(map(str, self.paths))}
        message["device"] = self.device
        if place.file is not None:
            message["file"] = str(place.file)
        try:
            answer = self._ask({"open": message}, SLACK + self.limits.seconds)
        except LateError:
            self.stop()
            raise ModuleError(f"its import does not come to an end within {SLACK + self.limits.seconds:g} s") from None
        if "failed" in answer:
            raise ModuleError(str(answer["failed"]))
        self._place = place

    def run(
        self, calls: Sequence[Call], probe: str = "", patience: float = 1.0, is_afresh: bool = False
    ) -> list[Observed]:  # fmt: skip
        """Make calls of functions of the module that is open, or ask what a probe says of them.

        Parameters
        ----------
        patience
            How many times the time of a call they may take.
        is_afresh
            For children that remember what they were asked: whether the calls are made once more.
        """
        if not calls:
            return []
        place = self._place
        assert place is not None, "no module is open"
        seconds = patience * self.limits.seconds + (PROBE_SECONDS if probe or self.device != "cpu" else 0.0)
        request = {
            "calls": [call.as_json() for call in calls], "seconds": seconds,
            "memory": self.limits.megabytes * 1_000_000, "probe": probe,
        }  # fmt: skip
        answer: dict[str, Any] = {}
        try:
            answer = self._ask(request, seconds * (len(calls) + 1) + SLACK)
        except LateError:
            self.stop()
        if "observed" in answer:
            return [Observed.from_json(one) for one in list(answer["observed"])]
        self.stop()  # the process with the module is gone: another one for what comes next
        self.open(place)
        return [Observed(ended="the process with the module ended")] * len(calls)

    def stop(self) -> None:
        """End the process."""
        process, self._process, self._place = self._process, None, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()
            process.wait()

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            send(process.stdin.fileno(), request)
            answer = receive(process.stdout.fileno(), seconds)
        except (ClosedError, BrokenPipeError):
            self.stop()
            return {"failed": "the process ended"}
        return answer if isinstance(answer, dict) else {"failed": "no answer"}

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            own = Path(np2torch.__file__).parents[1]
            path = [str(own), os.environ.get("PYTHONPATH", "")]
            environment = {
                **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), "PYTHONHASHSEED": "0",
                "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "Agg",
            }  # fmt: skip
            self._process = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-m", "np2torch.verify.child", self.side],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
                start_new_session=True, bufsize=0,
            )  # fmt: skip
        return self._process
