"""Processes that make calls, forked by the one that has the module; where one is lost, another takes its place."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from typing import Any

from np2torch.verify import clock, probes
from np2torch.verify.calls import LATE
from np2torch.verify.frames import ClosedError, LateError, out_of_reach, receive, send
from np2torch.verify.observe import Observer

LARGEST_FILE = 16_000_000
LEAST = 6
"""Calls of a request that are made however long they take."""
MOST_ENDS = 3
"""Ends of a worker after which the remaining calls of a request are not made."""
DIE_WITH_PARENT = 1
KILLED = "killed"
POLITE = 1.0
"""Seconds in which a worker may end by itself."""
LOADING = 55.0
"""Seconds in which a worker has to import a module."""


class Workers:
    """A pool for calls in workers: one of their own, or one that is shared until another function begins.

    Parameters
    ----------
    scratch
        The folder in which each worker has one of its own to work in.
    """

    def __init__(self, observer: Observer, load: Callable[[], None], scratch: str) -> None:
        self.observer = observer
        self.load = load
        self.scratch = scratch
        self.is_forked = not observer.is_torch or observer.device == "cpu"
        """Whether workers have the module by being forked."""
        self.shared: Worker | None = None

    def open_failure(self) -> str:
        """Import the module, here or in a worker; says why that fails."""
        if self.is_forked:
            return _failure(self.load)
        self.shared = self._worker(resource.RLIM_INFINITY)
        return self.shared.failed

    def _worker(self, memory: int) -> Worker:
        return Worker(self.observer, memory, self.scratch, None if self.is_forked else self.load)

    def close(self) -> None:
        """End the worker that is kept."""
        if self.shared is not None:
            self.shared.end()
            self.shared = None

    def observe(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        """Make the calls of a request; where a worker ends, another one makes those that are left."""
        if request.get("begin") and self.is_forked:
            self.close()
        calls, found = request["calls"], list[dict[str, Any]]()
        ends, is_shared = 0, bool(request.get("shared")) or not self.is_forked
        seconds = request.get("allowance")
        while len(found) < len(calls):
            if ends == MOST_ENDS or found and found[-1].get("refused") == LATE:
                found += [{**found[-1], "cost": 0.0}] * (len(calls) - len(found))
                break
            if seconds is not None:
                request["allowance"] = seconds - sum(one.get("cost", 0.0) for one in found)
            worker = (self.shared if is_shared else None) or self._worker(request["memory"])
            found += worker.observe(calls[len(found) :], request)
            if is_shared:
                self.shared = worker if worker.is_there else None
            else:
                worker.end()
            ends += not (found and (found[-1].get("lost") or found[-1].get("refused") == LATE))
        return found


class Worker:
    """One process, the pipes to it and from it, and the folder it works in, which goes when it has ended."""

    def __init__(self, observer: Observer, memory: int, scratch: str, load: Callable[[], None] | None = None) -> None:
        self.folder = tempfile.mkdtemp(dir=scratch)
        asked, self.requests = os.pipe()
        self.answers, told = os.pipe()
        self.process = os.fork()
        if not self.process:
            code = 1
            try:
                os.close(self.requests)
                os.close(self.answers)
                asked, told = out_of_reach(asked), out_of_reach(told)
                if load is None or _tell(load, told):
                    os.chdir(self.folder)
                    _work(observer, memory, asked, told)
                code = 0
            finally:
                os._exit(code)
        os.close(asked)
        os.close(told)
        self.is_there = True
        self.failed = self._answer() if load is not None else ""
        """Why its module cannot be imported."""

    def _answer(self) -> str:
        """Wait until it has imported its module; gives the reason where it has not."""
        try:
            return str(receive(self.answers, LOADING)["failed"])
        except LateError:
            self._kill()
            return "its import does not come to an end"
        except ClosedError:
            return f"the process ended: {ending(self._reaped())}"

    def observe(self, calls: list[dict[str, Any]], request: dict[str, Any]) -> list[dict[str, Any]]:
        """Make some calls, up to the one in which it ends."""
        found: list[dict[str, Any]] = []
        if not self.is_there:
            return [{"ended": self.failed}]
        try:
            send(self.requests, {**request, "calls": calls})
            while len(found) < len(calls) and not (found and _is_last(found[-1])):
                seconds = request["seconds"]
                found.append(receive(self.answers, seconds, clock.clock_of(self.process, seconds)))
        except LateError:
            self._kill()
            found.append({"ended": "hang", "cost": request["seconds"]})
        except (ClosedError, BrokenPipeError):
            found.append({"ended": ending(self._reaped())})
        if self.is_there and found and (found[-1].get("ended") or found[-1].get("lost")):
            self._kill()
        return found

    def end(self) -> None:
        """Let it come to its end, and end what it has forked."""
        if self.is_there:
            os.close(self.requests)
            self.requests = -1
            select.select([self.answers], [], [], POLITE)
            self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.process, signal.SIGKILL)
        self._reaped()

    def _reaped(self) -> int:
        """How it ended; what it has forked, which is in its group, ends too."""
        _, status = os.waitpid(self.process, 0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process, signal.SIGKILL)
        for descriptor in (self.requests, self.answers):
            if descriptor >= 0:
                os.close(descriptor)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.is_there = False
        return status


def _work(observer: Observer, memory: int, requests: int, answers: int) -> None:
    """The worker: make the calls of each request and send what is observed."""
    os.setpgid(0, 0)
    die_with_parent()
    _limit(memory if observer.device == "cpu" else resource.RLIM_INFINITY)  # drivers map far more
    own = os.getpid()
    with contextlib.suppress(ClosedError):
        while True:
            request = receive(requests)
            _allow(int(request["seconds"] * len(request["calls"])) + 2)
            observer.is_watching = bool(request.get("watch"))
            begun, allowance = clock.now(), request.get("allowance")
            for number, call in enumerate(request["calls"]):
                started = clock.now()
                if allowance is not None and number >= LEAST and started - begun > allowance:
                    send(answers, {"refused": LATE})
                    break
                found = _found(observer, call, request.get("probe", ""))
                if os.getpid() != own:  # a fork that came out of the user's function
                    os._exit(0)
                found["cost"] = clock.now() - started
                found.setdefault("seconds", found["cost"])
                is_lost = observer.is_device_lost()
                send(answers, {**found, "lost": True} if is_lost else found)
                if is_lost:
                    return


def _is_last(seen: dict[str, Any]) -> bool:
    """Tell whether a worker makes no more calls of a request after what is seen of one."""
    return bool(seen.get("ended") or seen.get("lost") or seen.get("refused") == LATE)


def _failure(load: Callable[[], None]) -> str:
    """Import a module; says why that fails."""
    try:
        load()
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return ""


def _tell(load: Callable[[], None], answers: int) -> bool:
    """Import a module in a worker, and say whether that fails."""
    os.setpgid(0, 0)
    die_with_parent()
    failed = _failure(load)
    send(answers, {"failed": failed})
    return not failed


def _found(observer: Observer, call: dict[str, Any], probe: str) -> dict[str, Any]:
    """Observe a call; for a probe, ask it."""
    if probe in probes.ASKED:
        return {"said": list(probes.ASKED[probe](observer, call))}
    if probe in probes.AROUND:
        with probes.AROUND[probe](observer.module):
            return observer.observe(call)
    return observer.observe(call, is_compiled=probe == probes.GRAPH, is_extended=probe == probes.EXTENDED)


def _limit(memory: int) -> None:
    for kind, most in (
        (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_AS, memory if memory == resource.RLIM_INFINITY else _used() + memory),
    ):  # fmt: skip
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _allow(seconds: int) -> None:
    """Let it compute for so many seconds more."""
    with contextlib.suppress(ValueError, OSError):
        most = int(time.process_time()) + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _used() -> int:
    """The address space in use, in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def die_with_parent() -> None:
    """Ask Linux to end this process when the one that forked it ends."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


def ending(status: int) -> str:
    """How a process ended, in a word."""
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit {os.WEXITSTATUS(status)}"
