"""A Python with torch and pytest imported that forks for each run: importing them takes longer than most tests.

It reads requests from standard input, one line of JSON each, and answers with the exit codes.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import importlib
import json
import os
import runpy
import signal
import sys
from typing import Any

MODULES = ("numpy", "torch", "np2torch.shim", "pytest")


def serve() -> None:
    """Run until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    for name in MODULES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    requests = os.fdopen(os.dup(0))
    while line := requests.readline():
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            requests.close()
            answers.close()
            run(request)
        answers.write(f"{child}\n")
        answers.flush()
        _, status = os.waitpid(child, 0)
        answers.write(f"{os.waitstatus_to_exitcode(status)}\n")
        answers.flush()


def run(request: dict[str, Any]) -> None:
    """Be the program that was asked for."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    output = os.open(request["output"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(descriptor, target)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    faulthandler.enable()
    os.environ.update(request["environment"])
    sys.argv = [request["module"], *request["arguments"]]
    sys.path[:] = ([os.getcwd()] if request["from_here"] else []) + sys.path[1:]
    code: Any = 0
    try:
        runpy.run_module(request["module"], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    with contextlib.suppress(BaseException):
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


serve()
