"""Programs run as by a Python of their own, each in a fork of one that has NumPy and torch imported already.

Importing torch takes longer than most programs of tests. Run as a script this file is that Python: it reads a request a
line and answers each with a line.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple


class Done(NamedTuple):
    """How a program ended."""

    returncode: int
    stdout: str
    stderr: str


def run_program(path: Path) -> Done:
    """Run a file as a program in its folder."""
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps([str(path.parent), path.name]) + "\n")
    server.stdin.flush()
    answer = server.stdout.readline()
    assert answer, "the Python that runs programs has ended"
    return Done(*json.loads(answer))


@cache
def _server() -> subprocess.Popen[str]:
    paths = os.pathsep.join(part for part in sys.path if part)
    environment = {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "ignore", __file__]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    atexit.register(server.kill)
    return server


def _serve() -> None:
    import numpy  # noqa: F401
    import torch  # noqa: F401

    import np2torch.shim  # noqa: F401

    for line in sys.stdin:
        folder, name = json.loads(line)
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                _be(folder, name, out, errors)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            out.seek(0)
            errors.seek(0)
            print(json.dumps([code, out.read(), errors.read()]), flush=True)


def _be(folder: str, name: str, out: IO[str], errors: IO[str]) -> None:
    """Become the program: what it prints goes to files, and nothing comes back."""
    import runpy
    import traceback

    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out.fileno(), 1)
        os.dup2(errors.fileno(), 2)
        os.chdir(folder)
        sys.argv, sys.path[0] = [name], folder
        runpy.run_path(name, run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve()
