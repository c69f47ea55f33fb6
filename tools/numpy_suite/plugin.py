"""The pytest plugin inside each run: one line of JSON per test, a time limit for each, and which dtypes it is about.

A line is written when a test begins and another when it ends. A run that dies, or is stopped, is started again, and
skips what was begun.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

SIDE = os.environ.get("NUMPY_SUITE_SIDE", "")
LIMIT = int(os.environ.get("NUMPY_SUITE_SECONDS", "40"))
FILE = Path("result.jsonl")
LACKING = re.compile(
    r"""\bobject\b | \bdtype\(?=?\s*\(?['"][<>=|]?O | ['"][OgG]['"] | ['"][<>=|]?[SUVaMm]\d*(\[\w+\])?['"] | longdouble
    | longfloat | \bnp\.(void|str_|bytes_|character|flexible|datetime64|timedelta64|ma\b|rec\b|dtypes\.|strings\b)
    | \bdtype=(str|bytes|object)\b | \bStringDType\b | \bDecimal\b | \bFraction\b | \brational\b | \[\(['"]
    | newbyteorder | byteswap | ['"]>[iufcbh]\d?['"] | typecodes\[['"]All""",
    re.VERBOSE,
)
"""What in a test's text makes an array of objects, text, records, dates, long doubles or swapped bytes."""


class TimedOut(BaseException):
    """No Exception, so that no test catches it."""


def _alarm(*_: object) -> None:
    raise TimedOut(f"more than {LIMIT} s")


def _note(**entry: object) -> None:
    with FILE.open("a") as out:
        out.write(json.dumps(entry) + "\n")


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[2]


def pytest_configure(config: pytest.Config) -> None:
    """NumPy's own marks; and torch's slow first use, which is no part of any test."""
    for mark in ("slow", "thread_unsafe", "parallel_threads", "iterations", "leaks_references", "slow_pypy"):
        config.addinivalue_line("markers", f"{mark}: NumPy's")
    os.environ.setdefault("NUMPY_EXPERIMENTAL_DTYPE_API", "1")
    signal.signal(signal.SIGALRM, _alarm)
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    torch.broadcast_shapes((1,), (2,))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All are listed once, with their dtypes; those already begun are left out."""
    begun = {entry["begin"] for entry in _entries() if "begin" in entry}
    if not begun:
        lacking = _lacking(items) if SIDE == "numpy" else set()
        for item in items:
            _note(collected=_name(item), lacking=item in lacking)
    items[:] = [item for item in items if _name(item) not in begun]


def _entries() -> Iterator[dict[str, Any]]:
    if FILE.exists():
        for line in FILE.read_text().splitlines():
            yield json.loads(line)


def _lacking(items: list[pytest.Item]) -> set[pytest.Item]:
    """Those about dtypes torch lacks: by their parameters, or, where none of a test says so, by its text."""
    by_parameters = {item for item in items if any(_is_lacking(*pair) for pair in _parameters(item).items())}
    told = {_name(item).partition("[")[0] for item in by_parameters}
    return by_parameters | {item for item in items if _name(item).partition("[")[0] not in told and _says_so(item)}


def _parameters(item: pytest.Item) -> dict[str, Any]:
    return getattr(getattr(item, "callspec", None), "params", {})


def _says_so(item: pytest.Item) -> bool:
    try:
        body = inspect.getsource(inspect.unwrap(getattr(item, "obj", item)))
    except (OSError, TypeError):
        return False
    return LACKING.search(body.partition("def ")[2]) is not None


def _below(value: Any, classes: tuple[type, ...]) -> bool:
    return isinstance(value, type) and issubclass(value, classes)


def _is_lacking(name: str, value: Any) -> bool:
    import numpy

    if isinstance(value, (list, tuple)):
        return any(_is_lacking(name, one) for one in value)
    if isinstance(value, str) and not re.search("dt|type|char|code", name):
        return False
    if isinstance(value, numpy.dtype):
        dtype = value
    elif isinstance(value, str) or value is object or _below(value, (str, bytes, numpy.generic)):
        try:
            dtype = numpy.dtype(value)
        except TypeError:
            return False
    elif isinstance(value, (numpy.ndarray, numpy.generic)):
        dtype = value.dtype
    else:
        return False
    return dtype.kind in "OSUVMmT" or dtype.char in "gG" or not dtype.isnative


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """The time limit."""
    _note(begin=_name(item))
    signal.alarm(LIMIT)
    try:
        return (yield)
    finally:
        signal.alarm(0)


def _reason(error: BaseException) -> BaseException:
    """The error, or the one that a test made an assertion of, or that came where a warning was expected."""
    unwarned = isinstance(error, pytest.fail.Exception)
    return error.__cause__ or (error.__context__ if unwarned else None) or error


def _has_note(entry: pytest.TracebackEntry) -> bool:
    """Was a note left in the function, so that who converts it is told?"""
    try:
        return "# TODO(np2torch)" in inspect.getsource(entry.frame.code.raw)
    except (OSError, TypeError):
        return False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What became of it, the error, and the places it went through: the line of the test, the last two of ours."""
    report = yield
    if report.when == "call" or report.outcome != "passed":
        error, told = "", False
        if call.excinfo is not None and report.outcome == "failed":
            trace = [(str(entry.path), entry.lineno + 1) for entry in call.excinfo.traceback]
            tests = [line for path, line in trace if path.endswith(item.path.name)]
            told = any(map(_has_note, call.excinfo.traceback))
            ours = [f"{path.partition('/src/np2torch/')[2]}:{line}" for path, line in trace if "/src/np2torch/" in path]
            value = _reason(call.excinfo.value)
            error = f"{type(value).__name__}: {str(value)[:700]} @{(tests or [0])[-1]} {' '.join(ours[-2:])}"
        outcome = "xfailed" if hasattr(report, "wasxfail") else report.outcome
        _note(id=_name(item), outcome=outcome, error=error, told=told)
    return report
