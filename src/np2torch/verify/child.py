"""Runs in the child processes: `python -m np2torch.verify.child old|new`.

Three generations, so that nothing a function does reaches another one. The first imports NumPy, or torch, and nothing
of the user's. It forks the second, which imports modules of one tree. That forks the third for the calls of one
function, with limits of its own: it may crash, hang, fork or end, and is replaced by another one. Drivers of devices do
not survive a fork: where there is one, the third imports the module itself, and is kept for all functions.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib
import importlib.util
import os
import sys
import tempfile
from functools import partial
from typing import Any

import np2torch.verify.decode  # noqa: F401  so that workers have it
from np2torch.verify.frames import ClosedError, out_of_reach, receive, send
from np2torch.verify.observe import Observer
from np2torch.verify.workers import Workers, die_with_parent, ending


def main(side: str) -> None:
    """Answer requests until the verifier closes the connection."""
    requests, answers = out_of_reach(os.dup(0)), out_of_reach(os.dup(1))
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
            send(answers, {"failed": f"the process ended: {ending(status)}"})


def _module(side: str, place: dict[str, Any], requests: int, answers: int) -> int:
    """Import a module and answer requests for its functions until it is closed; nonzero where it must be reported.

    Others of its tree may follow in the same process: what they import in common is imported once. Functions are called
    in what it forks alone.
    """
    die_with_parent()
    os.environ.clear()
    os.environ.update(place["variables"])
    with contextlib.suppress(OSError):
        os.chdir(place["folder"])
    sink = _sink()
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    roots = [place["root"], *place.get("paths", "").split(os.pathsep)]
    sys.path[:0] = [*roots, place["folder"]]
    observer = Observer(side == "new", sink, place.get("device", "cpu"), roots)
    request: dict[str, Any] = {"open": place}
    workers: Workers | None = None
    while True:
        if "open" in request or "close" in request:
            if workers is not None:
                workers.close()
            if "close" in request:
                send(answers, {"closed": True})
                return 0
            workers = Workers(observer, partial(_open, observer, request["open"]), place["scratch"])
            if failed := workers.open_failure():
                send(answers, {"failed": failed})
                return 0
            send(answers, {"opened": True})
        elif workers is not None:
            send(answers, {"observed": workers.observe(request)})
        try:
            request = receive(requests)
        except ClosedError:
            os._exit(0)


def _open(observer: Observer, place: dict[str, Any]) -> None:
    """Import a module, with what it makes on the device."""
    observer.seed()
    if observer.is_torch and observer.device != "cpu":
        import torch

        torch.set_default_device(observer.device)
    observer.module = _load(place)


def _load(place: dict[str, Any]) -> Any:
    if "file" not in place:
        return importlib.import_module(place["module"])
    spec = importlib.util.spec_from_file_location(place["module"], place["file"])
    assert spec is not None and spec.loader is not None
    module = sys.modules[place["module"]] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _sink() -> int:
    """An open file without a name, that printed text is appended to."""
    with tempfile.TemporaryFile() as file:
        descriptor = os.dup(file.fileno())
    fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)
    return descriptor


if __name__ == "__main__":
    main(sys.argv[1])
