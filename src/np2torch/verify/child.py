"""Runs in the child processes: `python -m np2torch.verify.child old|new`.

Three generations, so that nothing a function does reaches another one. The first imports NumPy, or torch, and nothing
of the user's. It forks the second, which imports one module of the user. That forks the third for the calls of one
function, with limits of its own: it may crash, hang, fork or end, and is replaced by another one.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import importlib
import importlib.util
import os
import resource
import signal
import sys
import tempfile
import time
from typing import Any

import np2torch.verify.decode  # noqa: F401  so that workers have it
from np2torch.verify import probes
from np2torch.verify.frames import ClosedError, LateError, receive, send
from np2torch.verify.observe import Observer

LARGEST_FILE = 16_000_000
MOST_ENDS = 3
"""Ends of a worker after which the remaining calls of a function are not made."""
DIE_WITH_PARENT = 1
KILLED = "killed"


def main(side: str) -> None:
    """Answer requests until the verifier is gone."""
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    import numpy  # noqa: F401

    if side == "new":
        import torch

        torch.set_num_threads(1)
    while True:
        try:
            request = receive(requests)
        except ClosedError:
            return
        if "open" not in request:
            send(answers, {"failed": "no module is open"})
            continue
        process = os.fork()
        if not process:
            code = 1
            try:
                code = _module(side, request["open"], requests, answers)
            finally:
                os._exit(code)
        _, status = os.waitpid(process, 0)
        if status:
            send(answers, {"failed": f"the process ended: {_ending(status)}"})


def _module(side: str, place: dict[str, str], requests: int, answers: int) -> int:
    """Import a module and answer requests for its functions until it is closed; nonzero where it must be reported."""
    _die_with_parent()
    sink = _sink()
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    sys.path[:0] = [place["root"], *place.get("paths", "").split(os.pathsep)]
    observer = Observer(side == "new", sink, place.get("device", "cpu"))
    try:
        observer.seed()
        if observer.is_torch and observer.device != "cpu":
            import torch

            torch.set_default_device(observer.device)
        observer.module = _load(place)
    except BaseException as error:
        send(answers, {"failed": f"{type(error).__name__}: {str(error)[:200]}"})
        return 0
    send(answers, {"opened": True})
    while True:
        try:
            request = receive(requests)
        except ClosedError:
            os._exit(0)
        if "close" in request:
            send(answers, {"closed": True})
            return 0
        send(answers, {"observed": _function(observer, request)})


def _load(place: dict[str, str]) -> Any:
    if "file" not in place:
        return importlib.import_module(place["module"])
    spec = importlib.util.spec_from_file_location(place["module"], place["file"])
    assert spec is not None and spec.loader is not None
    module = sys.modules[place["module"]] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _function(observer: Observer, request: dict[str, Any]) -> list[dict[str, Any]]:
    """Make calls in a worker; where it ends, what is left is made in another one."""
    calls, found = request["calls"], list[dict[str, Any]]()
    ends = 0
    while len(found) < len(calls):
        if ends == MOST_ENDS:
            found += [found[-1]] * (len(calls) - len(found))
            break
        found += _worker(observer, calls[len(found) :], request)
        ends += 1
    return found


def _worker(observer: Observer, calls: list[dict[str, Any]], request: dict[str, Any]) -> list[dict[str, Any]]:
    """Make calls in one worker until it ends."""
    reader, writer = os.pipe()
    process = os.fork()
    if not process:
        code = 1
        try:
            os.close(reader)
            code = _work(observer, calls, request, writer)
        finally:
            os._exit(code)
    os.close(writer)
    found: list[dict[str, Any]] = []
    ended = ""
    try:
        while len(found) < len(calls) and not (found and found[-1].get("ended")):
            found.append(receive(reader, request["seconds"]))
    except LateError:
        ended = "hang"
    except ClosedError:
        ended = KILLED
    os.close(reader)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if ended != KILLED:
            os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)  # what it has forked is in its group
    if ended:
        found.append({"ended": ended if ended == "hang" else _ending(status)})
    return found


def _work(observer: Observer, calls: list[dict[str, Any]], request: dict[str, Any], writer: int) -> int:
    """The worker: make the calls and send what is observed."""
    os.setpgid(0, 0)
    _die_with_parent()
    memory = request["memory"] if observer.device == "cpu" else resource.RLIM_INFINITY  # drivers map far more
    _limit(memory, int(request["seconds"] * len(calls)) + 2)
    own = os.getpid()
    with tempfile.TemporaryDirectory(prefix="np2torch-verify-") as folder:
        os.chdir(folder)
        for call in calls:
            started = time.perf_counter()
            found = _found(observer, call, request.get("probe", ""))
            if os.getpid() != own:  # a fork that came out of the user's function
                os._exit(0)
            found.setdefault("seconds", time.perf_counter() - started)
            send(writer, found)
        os.chdir("/")
    return 0


def _found(observer: Observer, call: dict[str, Any], probe: str) -> dict[str, Any]:
    """Observe a call, or ask a probe about it."""
    if probe == probes.GRADIENTS:
        return {"said": list(probes.gradients(observer, call))}
    if probe == probes.CASTS:
        return {"said": list(probes.casts(observer, call))}
    return observer.observe(call, is_compiled=probe == probes.GRAPH)


def _limit(memory: int, seconds: int) -> None:
    for kind, most in (
        (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, LARGEST_FILE), (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory if memory == resource.RLIM_INFINITY else _used() + memory),
    ):  # fmt: skip
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _used() -> int:
    """The address space in use, in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _die_with_parent() -> None:
    """Ask Linux to end this process when the one that forked it ends."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


def _sink() -> int:
    """An open file without a name, that printed text is appended to."""
    with tempfile.TemporaryFile() as file:
        descriptor = os.dup(file.fileno())
    fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)
    return descriptor


def _ending(status: int) -> str:
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit {os.WEXITSTATUS(status)}"


if __name__ == "__main__":
    main(sys.argv[1])
