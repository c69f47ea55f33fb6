"""Lives in the traced program: writes down the arguments of calls, so that `np2torch verify` can make them again.

Functions and methods of modules below the root are wrapped once their module is imported. A call is encoded before
it is made, as JSON, and appended to a file of this process; nothing is pickled. Of an object the calls since its making
are kept, so that a method is called again on an object with the same past. Where these are not known, or a method of
the same object makes the call, the object itself is encoded, as it is then.
"""

from __future__ import annotations

import functools
import importlib.machinery
import json
import os
import threading
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

MOST_CALLS = 16
"""Calls that are kept of a function."""
MOST_ALIKE = 3
"""Those of them whose arguments are of the same kinds, dtypes and shapes, and the same words and flags."""
MOST_TOLD = 4
"""Items of a sequence that are looked at for that."""
MOST_AXES = 4
"""Whole numbers up to which they may be axes."""
MOST_STEPS = 8
"""Calls that are kept of an object."""
MOST_OBJECTS = 500
MOST_TRIES = 200
"""Calls of a function whose arguments are encoded, whether they are kept or not."""
MOST_AS_THEY_ARE = 4
"""Calls that are kept of a method on objects without a known past."""
MOST_BYTES = 40_000_000
SETTING = "="
"""The suffix of a property's name when it is set; as in `np2torch.verify.calls`."""
GIVEN = "np2torch.verify.samples:same"
"""The function that gives an object back, which a method is called on then."""
TESTS = ("test_", "conftest")
SPECIAL = (
    "__init__", "__call__", "__getitem__", "__len__", "__add__", "__sub__", "__mul__", "__matmul__", "__eq__",
    "__iter__",
)  # fmt: skip


class ValueRecorder:
    """Recorder for this process, of calls and their values."""

    def __init__(self, folder: str, covers: Callable[[str], bool], pack: Callable[..., Any]) -> None:
        self.folder = folder
        self.covers = covers
        self.pack = pack
        self.counts: dict[tuple[str, str], int] = {}
        self.as_they_are: dict[tuple[str, str], int] = {}
        self.alike: dict[Any, int] = {}
        self.tries: dict[tuple[str, str], int] = {}
        self.seen: set[Any] = set()
        self.pasts: dict[int, tuple[Any, list[Any] | None]] = {}
        self.inside: set[int] = set()
        self.state = threading.local()
        self.written = 0

    def wrap(self, module: ModuleType) -> None:
        """Record the calls of a module's functions and methods from now on."""
        path = getattr(module, "__file__", None) or ""
        if not self.covers(path) or os.path.basename(path).startswith(TESTS):
            return
        for name, value in list(vars(module).items()):
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                vars(module)[name] = self._function(path, value)
            elif isinstance(value, type) and value.__module__ == module.__name__:
                self._wrap_class(path, value)

    def _wrap_class(self, path: str, cls: type) -> None:
        for name, value in list(vars(cls).items()):
            if isinstance(value, FunctionType) and (not name.startswith("__") or name in SPECIAL):
                setattr(cls, name, self._method(path, value))
            elif name == "__new__" and isinstance(value, staticmethod) and isinstance(value.__func__, FunctionType):
                setattr(cls, name, staticmethod(self._maker(path, value.__func__)))
            elif isinstance(value, staticmethod) and isinstance(value.__func__, FunctionType):
                setattr(cls, name, staticmethod(self._function(path, value.__func__)))
            elif isinstance(value, classmethod) and isinstance(value.__func__, FunctionType):
                setattr(cls, name, classmethod(self._of_class(path, cls, value.__func__)))
            elif isinstance(value, property):
                if isinstance(value.fget, FunctionType):
                    value = value.getter(self._method(path, value.fget, is_kept=False))
                if isinstance(value.fset, FunctionType):
                    value = value.setter(self._method(path, value.fset, suffix=SETTING))
                setattr(cls, name, value)

    def _of_class(self, path: str, cls: type, function: FunctionType) -> Callable[..., Any]:
        """A class method; called on a class below its own, it is not recorded."""
        whole = self._function(path, function, skipped=1)

        @functools.wraps(function)
        def record(own: Any, *args: Any, **named: Any) -> Any:
            return (whole if own is cls else function)(own, *args, **named)

        return record

    def _function(self, path: str, function: FunctionType, skipped: int = 0) -> Callable[..., Any]:
        """A function whose calls are written down, without the first arguments that it is not called with."""

        @functools.wraps(function)
        def record(*args: Any, **named: Any) -> Any:
            if not getattr(self.state, "busy", False) and self._is_wanted(path, function.__qualname__, args, named):
                step = self._step(path, function.__qualname__, None, args[skipped:], named)
                if step is not None:
                    self._write(path, function.__qualname__, [step])
            return function(*args, **named)

        return record

    def _maker(self, path: str, function: FunctionType) -> Callable[..., Any]:
        """A `__new__`: its outermost call, the last to end, is the one of the class."""

        @functools.wraps(function)
        def record(cls: Any, *args: Any, **named: Any) -> Any:
            is_wanted = not getattr(self.state, "busy", False) and len(self.pasts) < MOST_OBJECTS
            step = self._step(path, _spelled(cls, function), None, args, named) if is_wanted else None
            new = function(cls, *args, **named)
            if step is not None and type(new) is cls:
                self.pasts[id(new)] = new, [step]
            return new

        return record

    def _method(
        self, path: str, function: FunctionType, is_kept: bool = True, suffix: str = ""
    ) -> Callable[..., Any]:
        """A method whose calls are written down with those made on the same object before.

        Parameters
        ----------
        is_kept
            Whether later calls are made after this one: not those of properties.
        suffix
            What follows its name in the recording.
        """
        is_constructor = function.__name__ == "__init__"
        full_name = function.__qualname__ + suffix

        @functools.wraps(function)
        def record(own: Any, *args: Any, **named: Any) -> Any:
            if getattr(self.state, "busy", False):
                return function(own, *args, **named)
            if id(own) in self.inside:
                if not is_constructor:
                    self._as_it_is(path, own, full_name, args, named)
                return function(own, *args, **named)
            if is_constructor:  # the outermost one: its arguments are those of the class
                if len(self.pasts) < MOST_OBJECTS:
                    step = self._step(path, _spelled(type(own), function), None, args, named)
                    self.pasts[id(own)] = own, None if step is None else [step]
            elif (past := self._past(path, own, function)) is not None:
                if past:  # made where its class is, and called where the method is, which is above it perhaps
                    past[0] = [[_spelled(type(own), function), *past[0][0][1:]], *past[0][1:]]
                self._continue(path, own, past, full_name, args, named, is_kept)
            else:
                self._as_it_is(path, own, full_name, args, named)
            self.inside.add(id(own))
            try:
                return function(own, *args, **named)
            finally:
                self.inside.discard(id(own))

        return record

    def _as_it_is(self, path: str, own: Any, name: str, args: Any, named: Any) -> None:
        """Record a call on an object as it is; what is an array, or holds what nobody can look at, is left out."""
        key = path, name
        if self.as_they_are.get(key, 0) >= MOST_AS_THEY_ARE or self.counts.get(key, 0) >= MOST_CALLS:
            return
        made = self._step(path, name, None, [own, *args], named)
        if made is None or made[1]["values"][0][0] != "object":
            return
        self.as_they_are[key] = self.as_they_are.get(key, 0) + 1
        nothing: dict[str, Any] = {"values": [], "buffers": []}  # all values are those of the first step
        on_it = [name, 0, len(args), list(named)]
        self._write(path, name, [[[GIVEN, None, 1, []], made[1]], [on_it, nothing]])

    def _past(self, path: str, own: Any, function: FunctionType) -> list[Any] | None:
        """Find the earlier calls of an object; None where they are not known."""
        known, past = self.pasts.get(id(own), (None, None))
        if known is not own:
            past = self._made_of_nothing(path, own, function)
            if past is not None:
                self.pasts[id(own)] = own, past
        return past

    def _continue(
        self, path: str, own: Any, past: list[Any], name: str, args: Any, named: Any, is_kept: bool
    ) -> None:  # fmt: skip
        """Record the calls of an object up to this one; arguments are recorded only where they add information."""
        is_told = self.counts.get((path, name), 0) >= MOST_CALLS
        if is_told and not is_kept:
            return
        step = self._step(path, name, 0, args, named) if len(past) < MOST_STEPS else None
        if step is None:
            if is_kept:
                self.pasts[id(own)] = own, None  # its past is not known from here on
            return
        if is_kept:
            past.append(step)
        self._write(path, name, past if is_kept else [*past, step])

    def _made_of_nothing(self, path: str, own: Any, function: FunctionType) -> list[Any] | None:
        """The past of an object that nobody has put anything into, of a class that takes no arguments."""
        cls: Any = type(own)
        is_plain = cls.__init__ is object.__init__ and cls.__new__ is object.__new__
        if not is_plain or getattr(own, "__dict__", None) or len(self.pasts) >= MOST_OBJECTS:
            return None
        step = self._step(path, _spelled(cls, function), None, (), {})
        return None if step is None else [step]

    def _is_wanted(self, path: str, function: str, args: Any, named: Any) -> bool:
        """Tell whether a call tells more than those that were kept; called once for each, since it counts them."""
        if self.counts.get((path, function), 0) >= MOST_CALLS:
            return False
        key = path, function, tuple(map(_make, args)), tuple((name, _make(value)) for name, value in named.items())
        self.alike[key] = self.alike.get(key, 0) + 1
        return self.alike[key] <= MOST_ALIKE

    def _step(self, path: str, target: str, on: int | None, args: Any, named: Any) -> list[Any] | None:
        """One call as JSON; None where an argument cannot be encoded, or too many calls of it have been."""
        key = path, target
        self.tries[key] = self.tries.get(key, 0) + 1
        if self.tries[key] > MOST_TRIES:
            return None
        self.state.busy = True
        try:
            packed = self.pack([*args, *named.values()], True, True)
            return [[target, on, len(args), list(named)], packed.as_json()]
        except Exception:  # a value that cannot be looked at is not recorded
            return None
        finally:
            self.state.busy = False

    def _write(self, path: str, function: str, steps: list[Any]) -> None:
        key = path, function
        if self.counts.get(key, 0) >= MOST_CALLS:
            return
        text = json.dumps([path, function, steps])
        if text in self.seen or self.written + len(text) > MOST_BYTES:
            return
        self.seen.add(text)
        self.counts[key] = self.counts.get(key, 0) + 1
        self.written += len(text)
        with open(os.path.join(self.folder, f"{os.getpid()}.values"), "a", encoding="utf-8") as file:
            file.write(text + "\n")


def _make(value: Any, depth: int = 0) -> Any:
    """Give the key that tells calls apart: an argument's kind, dtype and shape; words, flags and axes by value."""
    kind = type(value)
    if value is None or kind is bool or kind is int and abs(value) <= MOST_AXES:
        return kind, value
    if kind is str:
        return kind, value[:40]
    if kind is list or kind is tuple:
        return kind, len(value), tuple(_make(item, depth + 1) for item in value[:MOST_TOLD]) if depth < 2 else ()
    if kind.__module__ == "numpy":
        return kind, str(getattr(value, "dtype", "")), str(getattr(value, "shape", ""))
    return kind


def _spelled(cls: type, function: FunctionType) -> str:
    """The name of a class in the module of a function, with its own module where that is another one."""
    return cls.__qualname__ if cls.__module__ == function.__module__ else f"{cls.__module__}:{cls.__qualname__}"


def start(folder: str, covers: Callable[[str], bool], pack: Callable[[], Callable[..., Any]]) -> None:
    """Record from now on; `pack` gives the function that encodes, once NumPy can be imported."""
    recorder = ValueRecorder(folder, covers, lambda *values: pack()(*values))
    plain = importlib.machinery.SourceFileLoader.exec_module

    def exec_module(self: importlib.machinery.SourceFileLoader, module: ModuleType) -> None:
        plain(self, module)
        recorder.wrap(module)

    type.__setattr__(importlib.machinery.SourceFileLoader, "exec_module", exec_module)
