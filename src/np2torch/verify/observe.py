"""Makes a call in a child process and notes all that can be seen of it."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib
import inspect
import io
import itertools
import os
import random
import re
import sys
import traceback
import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from np2torch.verify import clock, precision, probes
from np2torch.verify.calls import SETTING
from np2torch.verify.decode import NotCarriedError, unpack
from np2torch.verify.encode import MOST_ITEMS, PackedValues, TooLargeError, pack
from np2torch.verify.entropy import fix_entropy
from np2torch.verify.lines import LineWatch
from np2torch.verify.returned_functions import with_answers

MOST_PRINTED = 4_000_000
"""Characters of output after which it is a flood."""
GUARDS = ("guards.py", "contracts.py")
ON_NUMPY = re.compile(
    r"# TODO\(np2torch\): (?:NPT570 `(?P<function>\w+)` is compiled|NPT308 `(?P<class>\w+)` .*stays on NumPy)"
)
SHIM, VENDORED = os.path.join("np2torch", "shim"), "_np2torch"
ENVIRONMENTS = frozenset(("site-packages", "dist-packages"))
NOT_THEIRS = (os.path.dirname(os.__file__), str(Path(__file__).parents[1]))
"""The folders of Python's own library and of this package, which may lie below a root of the project."""


@functools.cache
def _on_numpy(path: str) -> frozenset[str]:
    """Give the functions of a module of which a note says that numba compiles them, and the classes left on NumPy."""
    try:
        with open(path, encoding="utf-8") as file:
            return frozenset(found["function"] or found["class"] for found in ON_NUMPY.finditer(file.read()))
    except (OSError, UnicodeDecodeError):
        return frozenset()


class _Unbound(TypeError):
    """Error of arguments that do not fit the signature."""


class Observer:
    """Calls functions of one module.

    Parameters
    ----------
    roots
        The folders that the project's modules are imported from.
    """

    def __init__(self, is_torch: bool, sink: int, device: str = "cpu", roots: Sequence[str] = ()) -> None:
        self.is_torch = is_torch
        self.device = device
        self.roots = tuple(map(os.path.abspath, filter(None, roots)))
        self.sink = sink
        self.module: ModuleType | None = None
        self.is_watching = False
        """Whether the lines are noted that calls come to."""
        sys.stdout = io.TextIOWrapper(
            os.fdopen(os.dup(sink), "wb", buffering=0), "utf-8", "replace", write_through=True
        )
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  for as long as the process lives
        warnings.simplefilter("ignore")
        np.seterr(all="ignore")
        fix_entropy()
        self._forked = False
        os.register_at_fork(before=self._note_fork)
        self._stack = contextlib.ExitStack()
        if is_torch:
            from np2torch.verify.output import tensors_print_as_arrays

            self._stack.enter_context(tensors_print_as_arrays())

    def _note_fork(self) -> None:
        self._forked = True

    def _await_device(self) -> None:
        """Let a device end what it was asked for: its errors are those of the call."""
        if self.is_torch and not self.device.startswith("cpu"):
            import torch

            torch.accelerator.synchronize()

    def is_device_lost(self) -> bool:
        """Tell whether the device answers no more: after an index out of bounds, for one, every later call fails."""
        try:
            self._await_device()
        except Exception:
            return True
        return False

    def find(self, module: str, name: str) -> Any:
        """A function or class by module and name."""
        own = self.module
        found: Any = own if own is not None and module == own.__name__ else importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part, None)
            if found is None:
                raise NotCarriedError(f"{module}.{name} has no counterpart")
        return found

    def seed(self) -> None:
        """Give every generator the same start; the shim's too, where it is used."""
        random.seed(0)
        np.random.seed(0)
        if self.is_torch:
            import torch

            torch.manual_seed(0)
            shim_random = sys.modules.get("np2torch.shim.random")
            if shim_random is not None:
                shim_random.seed(0)

    def observe(self, call: dict[str, Any], is_compiled: bool = False, is_extended: bool = False) -> dict[str, Any]:
        """Make a call, of a compiled function or in extended precision where that is asked for.

        Everything it raises is caught.
        """
        try:
            is_torch = self.is_torch and not self._stays_on_numpy(call["steps"])
            values = unpack(PackedValues.from_json(call["packed"]), is_torch, self.find, self.device)
            values = precision.widen(values) if is_extended else values
        except Exception as error:  # of classes of the user's too
            return {"refused": f"inputs cannot be given: {error}"}
        os.ftruncate(self.sink, 0)
        self._forked = False
        self.seed()
        results: list[Any] = []
        passed: list[Any] = []
        raised: list[Any] | None = None
        watch = LineWatch(getattr(self.module, "__file__", None) if self.is_watching else None)
        started = clock.now()
        try:
            with watch:
                self.take_steps(call["steps"], values, results, passed, is_compiled)
                results[-1:] = [with_answers(one, is_torch) for one in results[-1:]]
            self._await_device()
        except MemoryError:
            return {"ended": "memory"}
        except BaseException as error:
            if is_compiled and (why := probes.break_of(error)):
                return {"said": [probes.BREAKS, why]}
            raised = self._described(error, len(results))
        seconds = clock.now() - started
        if self._forked:
            return {"ended": "fork"}
        if os.fstat(self.sink).st_size > MOST_PRINTED:
            return {"ended": "output"}
        printed = os.pread(self.sink, MOST_PRINTED, 0).decode("utf-8", "replace")
        objects = [results[step[1]] for step in call["steps"][: len(results)] if step[1] is not None]
        try:
            seen = [results if raised is None else None, passed, objects]
            packed = pack(precision.narrow(seen) if is_extended else seen)
        except TooLargeError as error:
            return {"refused": f"what comes back is too large: {error}"}
        except Exception as error:
            return {"refused": f"what comes back cannot be looked at: {type(error).__name__}: {error}"}
        found = {"raised": raised, "printed": printed, "values": packed.as_json(), "seconds": seconds}
        return found | ({"lines": sorted(watch.seen)} if self.is_watching else {})

    def _stays_on_numpy(self, steps: list[Any]) -> bool:
        """Tell whether a note says that the function, or the class, stays on NumPy: its callers hand it ndarrays."""
        path = getattr(self.module, "__file__", None)
        return path is not None and steps[0][0].partition(".")[0] in _on_numpy(path)

    def take_steps(
        self, steps: list[Any], values: list[Any], results: list[Any], passed: list[Any], is_compiled: bool = False
    ) -> None:
        """Make the calls of some steps; the last one may be compiled."""
        remaining = iter(values)
        for target, on, positional, keywords in steps:
            function = self._target(target, None if on is None else results[on])
            args = list(itertools.islice(remaining, positional))
            named = dict(zip(keywords, itertools.islice(remaining, len(keywords)), strict=True))
            passed.append([args, named])
            _check_binds(function, args, named)
            if is_compiled and len(results) == len(steps) - 1:
                function = probes.compile_graph(function)
            results.append(_read_out(function(*args, **named)))

    def _target(self, dotted: str, on: Any) -> Callable[..., Any]:
        assert self.module is not None
        if on is not None:
            attribute = dotted.rpartition(".")[2]
            if attribute.endswith(SETTING):
                return functools.partial(setattr, on, attribute.removesuffix(SETTING))
            found: Any = getattr(on, attribute)
            return found if callable(found) else functools.partial(_identity, found)
        module, _, name = dotted.rpartition(":")
        found = importlib.import_module(module) if module else self.module
        for part in name.split("."):
            found = getattr(found, part)
        return found  # type: ignore[no-any-return]

    def _described(self, error: BaseException, step: int) -> list[Any]:
        classes = [one.__name__ for one in type(error).__mro__ if one is not object]
        return [type(error).__name__, classes, _message(error), self._raised_by(error), step]

    def _raised_by(self, error: BaseException) -> str:
        if isinstance(error, _Unbound):
            return "call"
        frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
        files = [name for name, _ in frames]
        if any(SHIM in name and os.path.basename(name) in GUARDS for name in files):
            return "guard"
        import linecache

        last, line = frames[-1] if frames else ("", 0)
        text = linecache.getline(last, line).strip()
        is_raised = text.startswith("raise") or text.startswith("assert") and isinstance(error, AssertionError)
        return "own" if is_raised and self._is_of_project(last) else "outside"

    def _is_of_project(self, path: str) -> bool:
        """Tell whether a file lies below a root of the project, and neither in an environment there nor in the shim."""
        path = os.path.abspath(path)
        is_shim = any(f"{os.sep}{one}{os.sep}" in path for one in (SHIM, VENDORED))
        if is_shim or any(path.startswith(one + os.sep) for one in NOT_THEIRS):
            return False
        below = [os.path.relpath(path, one) for one in self.roots if path.startswith(one.rstrip(os.sep) + os.sep)]
        return any(ENVIRONMENTS.isdisjoint(one.split(os.sep)) for one in below)


def _identity(value: Any) -> Any:
    return value


def _message(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception:
        return ""


def _check_binds(function: Callable[..., Any], args: list[Any], named: dict[str, Any]) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*args, **named)
    except TypeError as error:
        raise _Unbound(str(error)) from None


def _read_out(result: Any) -> Any:
    """The result of a coroutine, and the first items of an asynchronous generator."""
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    if inspect.isasyncgen(result):
        return asyncio.run(_first_of(result))
    if isinstance(result, Iterator) and not hasattr(result, "__dict__") and not isinstance(result, io.IOBase):
        return iter(list(itertools.islice(result, MOST_ITEMS)))  # what it raises is raised here
    return result


async def _first_of(items: AsyncIterator[Any]) -> list[Any]:
    found = []
    async for item in items:
        found.append(item)
        if len(found) == MOST_ITEMS:
            break
    return found
