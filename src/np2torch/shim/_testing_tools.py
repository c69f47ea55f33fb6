"""The parts of `numpy.testing` that never see an array: expected exceptions, warnings, temporary files."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import platform
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Self
from unittest import TestCase

import torch

from np2torch.shim._promotion import is_numpys_own

IS_PYPY = platform.python_implementation() == "PyPy"
HAS_REFCOUNT = hasattr(sys, "getrefcount")
_case = TestCase()


class KnownFailureException(Exception):
    """A test that is known to fail."""


def in_double(x: Any) -> Any:
    """An array of long doubles, which torch lacks, in double precision, which is enough for tolerances."""
    dtype = getattr(x, "dtype", None)
    is_long = is_numpys_own(dtype) and getattr(dtype, "kind", "") in ("f", "c")
    return x.astype("f8" if dtype.kind == "f" else "c16") if dtype is not None and is_long else x


def assert_raises(*args: Any, **kwargs: Any) -> Any:
    """Fail unless the callable, or the `with` block, raises the given exception."""
    __tracebackhide__ = True
    return _case.assertRaises(*args, **kwargs)


def assert_raises_regex(exception_class: Any, expected_regexp: Any, *args: Any, **kwargs: Any) -> Any:
    """Raise AssertionError unless the exception is raised with a message that matches."""
    __tracebackhide__ = True
    return _case.assertRaisesRegex(exception_class, expected_regexp, *args, **kwargs)


def _calling(function: Callable[..., Any] | None) -> str:
    return f" when calling {function.__name__}" if function is not None else ""


@contextlib.contextmanager
def _expect_warning(category: type[Warning], function: Callable[..., Any] | None = None) -> Iterator[None]:
    __tracebackhide__ = True
    with suppress_warnings() as watch:
        seen = watch.record(category)
        yield
        if not seen:
            raise AssertionError("No warning raised" + _calling(function))


@contextlib.contextmanager
def _expect_silence(function: Callable[..., Any] | None = None) -> Iterator[None]:
    __tracebackhide__ = True
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        yield
        if seen:
            raise AssertionError(f"Got warnings{_calling(function)}: {[str(w.message) for w in seen]}")


def assert_warns(warning_class: type[Warning], *args: Any, **kwargs: Any) -> Any:
    """Fail unless the callable, or the `with` block, warns; the callable's result is returned."""
    __tracebackhide__ = True
    if not args:
        return _expect_warning(warning_class)
    function, *rest = args
    with _expect_warning(warning_class, function):
        return function(*rest, **kwargs)


def assert_no_warnings(*args: Any, **kwargs: Any) -> Any:
    """Fail when the callable, or the `with` block, warns; the callable's result is returned."""
    __tracebackhide__ = True
    if not args:
        return _expect_silence()
    function, *rest = args
    with _expect_silence(function):
        return function(*rest, **kwargs)


class suppress_warnings:
    """Context manager and decorator that silences or records chosen warnings.

    `forwarding_rule` says how often a warning that no rule names gets through: always, module, once or location.
    """

    def __init__(self, forwarding_rule: str = "always") -> None:
        if forwarding_rule not in ("always", "module", "once", "location"):
            raise ValueError("unsupported forwarding rule.")
        self.log: list[warnings.WarningMessage] = []
        self._rules: list[tuple[type[Warning], re.Pattern[str], ModuleType | None, list[Any] | None]] = []
        self._forwarding = forwarding_rule
        self._forwarded: set[Any] = set()

    def filter(self, category: type[Warning] = Warning, message: str = "", module: ModuleType | None = None) -> None:
        """Silence these warnings."""
        self._rules.append((category, re.compile(message, re.IGNORECASE), module, None))

    def record(
        self, category: type[Warning] = Warning, message: str = "", module: ModuleType | None = None
    ) -> list[warnings.WarningMessage]:
        """Collect these warnings in the list returned, and in `log`."""
        found: list[warnings.WarningMessage] = []
        self._rules.append((category, re.compile(message, re.IGNORECASE), module, found))
        return found

    def __enter__(self) -> Self:
        self._saved = warnings.catch_warnings()
        self._saved.__enter__()
        warnings.simplefilter("always")
        self._show = warnings.showwarning
        warnings.showwarning = self._dispatch
        return self

    def __exit__(self, *exception: Any) -> None:
        self._saved.__exit__(*exception)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return wrapper

    def _dispatch(self, message: Any, category: Any, filename: str, lineno: int, *args: Any, **kwargs: Any) -> None:
        for wanted, pattern, module, found in reversed(self._rules):  # the newest rule wins
            here = module is None or (module.__file__ or "").startswith(filename)
            if issubclass(category, wanted) and pattern.match(str(message)) and here:
                if found is not None:
                    seen = warnings.WarningMessage(message, category, filename, lineno, **kwargs)
                    found.append(seen)
                    self.log.append(seen)
                return
        text = (str(message), category)
        seen_as = {"once": text, "module": (text, filename), "location": (text, filename, lineno)}.get(self._forwarding)
        if seen_as is None or seen_as not in self._forwarded:
            self._forwarded.add(seen_as)
            self._show(message, category, filename, lineno, *args, **kwargs)


@contextlib.contextmanager
def tempdir(*args: Any, **kwargs: Any) -> Iterator[str]:
    """A temporary folder, removed at the end of the `with` block."""
    with tempfile.TemporaryDirectory(*args, **kwargs) as path:
        yield path


@contextlib.contextmanager
def temppath(*args: Any, **kwargs: Any) -> Iterator[str]:
    """The path of a temporary file, removed at the end of the `with` block."""
    handle, path = tempfile.mkstemp(*args, **kwargs)
    os.close(handle)
    try:
        yield path
    finally:
        os.remove(path)


def break_cycles() -> None:
    """Collect garbage."""
    gc.collect()


def on_cpu() -> contextlib.AbstractContextManager[Any]:
    """Make new tensors beside those that are compared, wherever others are made by default."""
    return contextlib.nullcontext() if torch.get_default_device().type == "cpu" else torch.device("cpu")
