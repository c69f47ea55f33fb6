"""Lives in the traced program: notes the kind, dtype and rank of what functions are given and give back.

Only functions of files below the root are looked at, and NumPy only once the program has imported it. Each observation
is written when it is first made, one line of JSON into a file of this process, so that forked processes, `os._exit` and
kills lose nothing. Python 3.12 has `sys.monitoring`, which leaves all other code at full speed. Before that modules are
compiled with calls of the recorder in them; only a script named on the command line, which Python reads by itself, is
left to a profile function.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import json
import os
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

GENERATORS = 0x20 | 0x80 | 0x200  # generator, coroutine, asynchronous generator
OPTIMIZED = 0x01  # a function: bodies of modules and classes keep their names in dicts
RETURN_VALUE = 83
NOT_OURS = frozenset(("site-packages", "dist-packages", "node_modules", ".tox", ".nox", ".eggs"))
MOST_ITEMS = 6
MOST_DEPTH = 2
PLAIN = frozenset((int, float, bool, complex, str, type(None)))
Instrumented = Callable[[bytes, str, Callable[[str, str, tuple[str, ...]], int]], CodeType]
Observed = Any
"""A value as JSON: ["array", dtype, rank], ["scalar", dtype], ["int"], ["tuple", items], ["list", items]."""


class Recorder:
    """A recorder of what is seen, and the file for it."""

    def __init__(self, folder: str, root: str) -> None:
        self.folder = folder
        self.root = os.path.join(os.path.realpath(root), "")
        self.functions: list[tuple[str, str, tuple[str, ...]]] = []
        self.numbers: dict[CodeType, int | None] = {}
        self.seen: set[Any] = set()
        self.pid = 0
        self.file = -1

    def covers(self, path: str) -> bool:
        """Tell whether a file is one of the project's."""
        real = os.path.realpath(path)
        if not real.startswith(self.root) or NOT_OURS & set(real[len(self.root) :].split(os.sep)):
            return False
        environment = os.path.join(os.path.realpath(sys.prefix), "")
        return self.root.startswith(environment) or not real.startswith(environment)

    def register(self, path: str, function: str, names: tuple[str, ...]) -> int:
        """A number for a function."""
        self.functions.append((path, function, names))
        return len(self.functions) - 1

    def number(self, code: CodeType) -> int | None:
        """The number of a function of the project; None for all other code."""
        if code not in self.numbers:
            named = code.co_name[0] != "<" or code.co_name == "<lambda>"
            number = None
            if code.co_flags & OPTIMIZED and named and code.co_filename[:1] != "<" and self.covers(code.co_filename):
                names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
                names = names[1:] if names[:1] in (("self",), ("cls",)) else names
                number = self.register(code.co_filename, f"{code.co_qualname}:{code.co_firstlineno}", names)
            self.numbers[code] = number
        return self.numbers[code]

    def record_call(self, number: int, *values: Any) -> None:
        """Record that a function begins, with these values of its parameters."""
        for index, value in enumerate(values):
            self.note(number, index, value)

    def record_return(self, number: int, value: Any) -> Any:
        """Record that a function ends; hand the result on."""
        self.note(number, -1, value)
        return value

    def begins(self, code: CodeType, frame: FrameType) -> bool:
        """Note the start of a function that was not instrumented, and tell whether it is one of the project's."""
        number = self.number(code)
        if number is None:
            return False
        values = frame.f_locals
        for index, name in enumerate(self.functions[number][2]):
            if name in values:
                self.note(number, index, values[name])
        return True

    def ends(self, code: CodeType, value: Any) -> bool:
        """Record that such a function ends; what a generator yields is not its result."""
        number = self.number(code)
        if number is not None and not code.co_flags & GENERATORS:
            self.note(number, -1, value)
        return number is not None

    def note(self, number: int, index: int, value: Any) -> None:
        """Write down what a value is where that is new; index -1 is the result."""
        kind = type(value)
        key: Any
        if kind.__name__ == "ndarray" and hasattr(value, "dtype"):
            key = (number, index, value.dtype, value.ndim)
        elif kind is tuple or kind is list:
            types = tuple(map(type, value[:MOST_ITEMS]))
            key = (number, index, kind, len(value) if kind is tuple else 0, types)
            if not PLAIN.issuperset(types):
                key = (number, index, repr(describe(value)))
        else:
            key = (number, index, kind)
        if key not in self.seen:
            self.seen.add(key)
            path, function, names = self.functions[number]
            self.write([path, function, "return" if index < 0 else names[index], describe(value)])

    def write(self, line: Any) -> None:
        """Append a line to this process's own file."""
        if self.pid != os.getpid():
            self.pid = os.getpid()
            path = os.path.join(self.folder, f"{self.pid}-{os.urandom(4).hex()}.jsonl")
            self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(self.file, (json.dumps(line) + "\n").encode())


def describe(value: Any, depth: int = 0) -> Observed:
    """Give what a value is."""
    kind = type(value)
    if kind in PLAIN:
        return ["None" if value is None else kind.__name__]
    if kind is tuple or kind is list:
        if depth >= MOST_DEPTH or kind is tuple and len(value) > MOST_ITEMS:
            return [kind.__name__]
        items = [describe(item, depth + 1) for item in value[:MOST_ITEMS]]
        if kind is list:
            items = [item for number, item in enumerate(items) if item not in items[:number]]
        return [kind.__name__, items]
    numpy = sys.modules.get("numpy")
    array, scalar = getattr(numpy, "ndarray", None), getattr(numpy, "generic", None)
    if array is not None and isinstance(value, array):
        return ["array", value.dtype.name, value.ndim] if kind is array and value.dtype.names is None else ["stays"]
    if scalar is not None and isinstance(value, scalar):
        return ["scalar", value.dtype.name]
    return ["object"]


def start(folder: str, root: str, instrumented: Instrumented) -> None:
    """Record from now on, in this process and its threads."""
    recorder = Recorder(folder, root)
    if sys.version_info >= (3, 12):
        _monitor(recorder)
        return
    vars(builtins).update(__np2torch_called__=recorder.record_call, __np2torch_returned__=recorder.record_return)
    plain = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        if not recorder.covers(path):
            return plain(self, fullname)
        return instrumented(self.get_data(path), path, recorder.register)

    type.__setattr__(importlib.machinery.SourceFileLoader, "get_code", get_code)
    # pytest compiles test files by itself, unless asserts are left plain.
    os.environ["PYTEST_ADDOPTS"] = f"{os.environ.get('PYTEST_ADDOPTS', '')} --assert=plain".strip()
    script = next((word for word in sys.orig_argv[1:] if not word.startswith("-")), "")
    if script.endswith(".py") and recorder.covers(script) and "-m" not in sys.orig_argv[:3]:
        _profile(recorder)


def _profile(recorder: Recorder) -> None:
    def profile(frame: FrameType, event: str, value: Any) -> None:
        code = frame.f_code
        if event == "call":
            recorder.begins(code, frame)
        # A function that ends by an exception "returns" None as well, but not by a return.
        elif event == "return" and (value is not None or code.co_code[frame.f_lasti] == RETURN_VALUE):
            recorder.ends(code, value)

    threading.setprofile(profile)
    sys.setprofile(profile)


def _monitor(recorder: Recorder) -> None:
    monitoring: Any = getattr(sys, "monitoring")  # noqa: B009  the type checker looks with the eyes of 3.11
    tool = next((number for number in (4, 3, 5) if monitoring.get_tool(number) is None), None)
    if tool is None:
        return
    monitoring.use_tool_id(tool, "np2torch")

    def begins(code: CodeType, offset: int) -> Any:
        return None if recorder.begins(code, sys._getframe(1)) else monitoring.DISABLE

    def ends(code: CodeType, offset: int, value: Any) -> Any:
        return None if recorder.ends(code, value) else monitoring.DISABLE

    events = monitoring.events
    monitoring.register_callback(tool, events.PY_START, begins)
    monitoring.register_callback(tool, events.PY_RETURN, ends)
    monitoring.set_events(tool, events.PY_START | events.PY_RETURN)
