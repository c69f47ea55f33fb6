"""A pytest plugin that runs in the user's program: each test's outcome, errors and functions go to a file at once.

It imports nothing of ours. What to do comes in by a JSON file (`NP2TORCH_PROBE`): where reports go, which tests are
wanted, how long each may take, and below which folder functions are looked at.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import importlib.util
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

with open(os.environ["NP2TORCH_PROBE"], encoding="utf-8") as _file:
    SETTINGS: dict[str, Any] = json.load(_file)
ROOT = SETTINGS["root"].rstrip(os.sep) + os.sep
WANTED = None if SETTINGS["tests"] is None else set(SETTINGS["tests"])
LEFT_OUT = set(SETTINGS["without"])
LIMITS, LIMIT = SETTINGS["limits"], SETTINGS["limit"]
REPORT = open(os.path.join(SETTINGS["reports"], f"{os.getpid()}.jsonl"), "a", encoding="utf-8")  # noqa: SIM115
MOST_FRAMES = 60
SHIM = "np2torch.shim"


class TooLongError(BaseException):
    """A test that takes longer than it may."""


class Pace:
    """How much longer the tests of a run take than they once took on torch.

    Where that is more than there is to spare, no other may take many times as long: what stays on NumPy can make all
    tests slow, and nothing would end a run of thousands of them.

    Parameters
    ----------
    known
        Seconds by test.
    spare
        Seconds of all tests together.
    """

    def __init__(self, known: dict[str, float], spare: float) -> None:
        self.known, self.left, self.begun = known, spare, 0.0

    def begin(self, test: str, limit: float) -> float:
        """Give the limit of a test that begins, from the one that it would have alone."""
        self.begun = time.monotonic()
        return limit if self.left > 0 or test not in self.known else min(limit, 1.0 + 10 * self.known[test])

    def end(self, test: str) -> None:
        """Note that a test has ended."""
        if test in self.known:
            self.left -= max(0.0, time.monotonic() - self.begun - 3 * self.known[test])


PACE = Pace(SETTINGS.get("on_torch", {}), SETTINGS.get("spare", 0.0))


def say(**what: Any) -> None:
    """Write a line; a process that is killed later has said it."""
    REPORT.write(json.dumps(what) + "\n")
    REPORT.flush()


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, then what it was raised for."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def frames_of(error: BaseException) -> list[tuple[str, int, str]]:
    """File, line and qualified name of the frames below the root: of the error, then of what it was raised for."""
    found: list[tuple[str, int, str]] = []
    for one in chain(error):
        trace = one.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            path = os.path.realpath(code.co_filename)
            if path.startswith(ROOT):
                found.append((path, trace.tb_lineno, code.co_qualname))
            trace = trace.tb_next
    return found[-MOST_FRAMES:]


def is_shims(error: BaseException) -> bool:
    """Tell whether the shim has raised an error itself."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and str(trace.tb_frame.f_globals.get("__name__")).startswith(SHIM)


def describe(error: BaseException) -> str:
    """The error in one line; where the project raised it for one of the shim's, or pytest for an import's, that one."""
    if type(error).__name__ == "CollectError" and error.__cause__ is not None:  # its first line only names a file
        error = error.__cause__
    error = next((one for one in chain(error) if is_shims(one)), error)
    with suppress(Exception):
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__
    return type(error).__name__


PARAMETERS: Any = importlib.import_module("np2torch_parameters")
CALLS: Any = importlib.import_module("np2torch_calls").Calls(ROOT)
if SETTINGS["functions"]:
    CALLS.watch()


# ----------------------------------------------------------------------------------------------------- hooks
SPEAKS = True


def pytest_configure(config: Any) -> None:
    """Configure pytest; the process that only hands tests out to others stays silent."""
    global SPEAKS
    SPEAKS = not getattr(config.option, "numprocesses", None) or hasattr(config, "workerinput")
    config.option.continue_on_collection_errors = True  # what fails takes no other test with it
    config.option.maxfail = 0
    if importlib.util.find_spec("hypothesis"):  # the same examples on both sides, however long they take
        from hypothesis import settings  # now: its plugin does it late, and decorators hold the profile of that time

        made: Any = settings.__init__

        @functools.wraps(made)
        def without_deadline(self: Any, *arguments: Any, **options: Any) -> None:
            made(self, *arguments, **{name: None if name == "deadline" else one for name, one in options.items()})

        settings.__init__ = without_deadline  # type: ignore[method-assign]
        settings.register_profile("np2torch", deadline=None, derandomize=True)
        settings.load_profile("np2torch")


ENVIRONMENTS = {"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox"}


def tell_outside() -> None:
    """Say which modules came from the working tree itself: of those the copy says nothing."""
    files = (os.path.realpath(getattr(one, "__file__", None) or "") for one in list(sys.modules.values()))
    tree = SETTINGS["tree"].rstrip(os.sep) + os.sep
    found = [path for path in files if path.startswith(tree) and not ENVIRONMENTS & set(path.split(os.sep))]
    if found:
        say(event="outside", paths=sorted(found)[:3])


def packages_of_plugins() -> set[str]:
    """The modules that are installed along with plugins: pytest warns where they are imported before it begins."""
    found = (one for one in importlib.metadata.distributions() if any(e.group == "pytest11" for e in one.entry_points))
    return {str(path).split("/")[0].removesuffix(".py") for one in found for path in one.files or ()}


def pytest_unconfigure(config: Any) -> None:
    """Say which modules of other projects a run needs: but for plugins, which pytest imports in its own way."""
    plugins = {getattr(one, "__name__", "").partition(".")[0] for one in config.pluginmanager.get_plugins()}
    plugins |= packages_of_plugins()
    found = []
    for name, module in list(sys.modules.items()):
        path = (getattr(module, "__file__", None) or "").split(os.sep)
        is_itself = getattr(getattr(module, "__spec__", None), "name", None) == name
        if is_itself and ENVIRONMENTS & set(path) and name.partition(".")[0] not in plugins:
            found.append(name)
    say(event="imported", names=found)


def pytest_sessionfinish(session: Any) -> None:
    """All that is imported has been."""
    tell_outside()


def pytest_sessionstart(session: Any) -> None:
    """Say that the command is pytest."""
    say(event="session")


NAMES: dict[str, str] = {}
TWINS: dict[str, list[str]] = {}
"""The tests on NumPy that one stands for beside itself, since their parameters are the same here."""


def name_of(nodeid: str) -> str:
    """Give the name of a test on both sides: the texts of its parameters differ there."""
    return NAMES.get(nodeid, nodeid)


FILES = None if WANTED is None else {name.partition("::")[0] for name in WANTED}


def pytest_ignore_collect(collection_path: Any, config: Any) -> Any:
    """Files without a wanted test need not be imported."""
    root = str(config.rootpath)
    if FILES is None or not collection_path.is_file():
        return None
    is_known = all(os.path.isfile(os.path.join(root, name)) for name in FILES)
    name = os.path.relpath(collection_path, root).replace(os.sep, "/")
    return True if is_known and name not in FILES else None


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Number what is parametrized as it is on NumPy, and run only the tests that are wanted."""
    found: dict[str, list[Any]] = {}
    for one in items:
        if getattr(one, "callspec", None) is not None:
            found.setdefault(one.nodeid.partition("[")[0], []).append(one)
    keys = {base: [PARAMETERS.describe(one.callspec.params) for one in some] for base, some in found.items()}
    lacking = []
    for base, some in found.items():
        pairs = PARAMETERS.pair(SETTINGS["parameters"].get(base, keys[base]), keys[base])
        NAMES.update((one.nodeid, f"{base}[{number}]") for one, number in zip(some, pairs.numbers, strict=True))
        for number, first in pairs.twins.items():
            TWINS.setdefault(f"{base}[{first}]", []).append(f"{base}[{number}]")
        lacking += [f"{base}[{number}]" for number in pairs.lacking]
    say(event="parametrized", keys=keys, twins=TWINS, lacking=lacking)
    chosen = [one for one in items if is_wanted(name_of(one.nodeid))]
    if len(chosen) != len(items):
        config.hook.pytest_deselected(items=[one for one in items if one not in chosen])
        items[:] = chosen


def is_wanted(name: str) -> bool:
    """Tell whether a test is to be run, for itself or for one that it stands for."""
    return name not in LEFT_OUT and (WANTED is None or not WANTED.isdisjoint([name, *TWINS.get(name, ())]))


def pytest_exception_interact(node: Any, call: Any, report: Any) -> None:
    """An error of a test or of a collection."""
    error = call.excinfo.value if call.excinfo is not None else None
    if error is not None:
        say(event="error", test=name_of(report.nodeid), when=call.when, error=describe(error), frames=frames_of(error))


def pytest_collectreport(report: Any) -> None:
    """A module whose tests cannot be collected."""
    if report.failed:
        say(event="uncollected", test=report.nodeid)


def on_alarm(number: int, frame: Any) -> None:
    """Raise where the time of a test is over."""
    raise TooLongError("took too long")


def pytest_runtest_logstart(nodeid: str, location: Any) -> None:
    """Say which test begins: until it ends, it may be the one that kills the process."""
    if not SPEAKS:
        return
    if between := CALLS.take():
        say(event="loaded", functions=between)
    limit = PACE.begin(name_of(nodeid), LIMITS.get(name_of(nodeid), LIMIT))
    say(event="start", test=name_of(nodeid), shown=nodeid, limit=limit)
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGALRM, on_alarm)
        signal.setitimer(signal.ITIMER_REAL, limit)


def pytest_runtest_logreport(report: Any) -> None:
    """Say how a phase of a test ended."""
    if not SPEAKS:
        return
    outcome = report.outcome
    if hasattr(report, "wasxfail"):
        outcome = "xfailed" if outcome == "skipped" else "xpassed"
    say(event="phase", test=name_of(report.nodeid), when=report.when, outcome=outcome, seconds=report.duration)


def pytest_runtest_logfinish(nodeid: str, location: Any) -> None:
    """Say that a test has ended."""
    if not SPEAKS:
        return
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        signal.setitimer(signal.ITIMER_REAL, 0)
    PACE.end(name_of(nodeid))
    say(event="end", test=name_of(nodeid), functions=CALLS.take())
