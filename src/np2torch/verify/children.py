"""The verifier's end of the child processes that run the user's code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from np2torch.verify.calls import Call, Observation
from np2torch.verify.clock import Allowance
from np2torch.verify.frames import ClosedError, LateError, receive, send
from np2torch.verify.processes import Process, end, environment, processes

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
        self._process: Process | None = None
        self._place: Place | None = None
        self._begins = False
        self.spent = 0.0
        """The seconds that its calls have taken."""

    def begin(self) -> None:
        """Let what comes next share nothing with what was before: another function begins."""
        self._begins = True

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and not isinstance(error, Exception):  # Ctrl-C: it may be at work
            self.stop()
        self.leave()

    def leave(self) -> None:
        """Close the module; the process serves whoever comes next, if it is still there."""
        try:
            if self._place is not None:
                self._ask({"close": True}, SLACK)
        except LateError:
            self.stop()
        process, self._process, self._place = self._process, None, None
        if process is not None:
            processes().give_back(self.side, process)

    def open(self, place: Place) -> None:
        """Import a module.

        Raises
        ------
        ModuleError
            Where that fails.
        """
        if self._place == place:
            return
        if self._place is not None and not (self._place.root == place.root and self.device == "cpu"):
            self._ask({"close": True}, SLACK)
        self._place = None
        message: dict[str, Any] = {
            "root": str(place.root), "module": place.module, "paths": os.pathsep.join(map(str, self.paths)),
            "device": self.device, "folder": os.getcwd(), "variables": environment(),
            "scratch": processes().scratch(),
        }  # fmt: skip
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

    def lines(self, calls: Sequence[Call]) -> list[frozenset[int]]:
        """Give the lines of the module that calls come to."""
        return [one.lines for one in self.run(calls, is_shared=True, is_watched=True)]

    def run(
        self,
        calls: Sequence[Call],
        probe: str = "",
        patience: float = 1.0,
        is_afresh: bool = False,
        is_shared: bool = False,
        is_watched: bool = False,
        allowance: Allowance | None = None,
    ) -> list[Observation]:
        """Make calls of functions of the module that is open, or ask what a probe says of them.

        Parameters
        ----------
        patience
            How many times the time of a call they may take.
        is_afresh
            For children that remember what they were asked: whether the calls are made once more.
        is_shared
            Whether they may be made where others of the function were: a process of their own costs a fork.
        is_watched
            Whether the lines are noted that they come to.
        allowance
            The time for all of them; those that come too late are not made.
        """
        if not calls:
            return []
        place = self._place
        assert place is not None, "no module is open"
        seconds = patience * self.limits.seconds + (PROBE_SECONDS if probe or self.device != "cpu" else 0.0)
        request = {
            "calls": [call.as_json() for call in calls], "seconds": seconds,
            "memory": self.limits.megabytes * 1_000_000, "probe": probe, "shared": is_shared, "begin": self._begins,
            "watch": is_watched, "allowance": None if allowance is None else allowance.remaining,
        }  # fmt: skip
        self._begins = False
        answer: dict[str, Any] = {}
        try:
            answer = self._ask(request, seconds * (len(calls) + 1) + SLACK)
        except LateError:
            self.stop()
        if "observed" in answer:
            found = [Observation.from_json(one) for one in list(answer["observed"])]
            self.spent += sum(one.cost for one in found)
            return found
        self.stop()  # the process with the module is gone: another one for what comes next
        self.open(place)
        return [Observation(ended="the process with the module ended")] * len(calls)

    def stop(self) -> None:
        """End the process after a failure."""
        process, self._process, self._place = self._process, None, None
        if process is not None:
            end(process)

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

    def _started(self) -> Process:
        if self._process is None:
            self._process = processes().take(self.side)
        return self._process
