"""A Python that has imported what the runs import, and forks for each: importing takes longer than most tests.

Its arguments name the modules. It reads requests from standard input, one line of JSON each, and answers with the exit
codes.
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
import warnings
from typing import Any


def serve() -> None:
    """Run until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    import_all(sys.argv[1:])
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


def import_all(names: list[str]) -> None:
    """Import modules; what one says of it, or where it fails, is seen again when a run imports it."""
    with open(os.devnull, "w") as nothing, warnings.catch_warnings(), contextlib.redirect_stdout(nothing):
        warnings.simplefilter("ignore")
        for name in names:
            with contextlib.suppress(BaseException):
                importlib.import_module(name)


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
    sys.argv = [request["program"], *request["arguments"]]
    sys.path[:] = ([os.getcwd()] if request["from_here"] else []) + sys.path[1:]
    code: Any = 0
    try:
        if request["is_module"]:
            runpy.run_module(request["program"], run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, os.path.dirname(os.path.realpath(request["program"])))
            runpy.run_path(request["program"], run_name="__main__")
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
