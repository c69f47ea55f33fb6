"""What a swapped test file imports instead of NumPy: `torch._numpy`, and for what it lacks something that fails in use.

A name that is not there fails the tests that use it, not the whole file. Only what tests (`numpy.testing`) and errors
are made of is taken from NumPy where `torch._numpy` has none: nothing is computed by NumPy.
"""

from __future__ import annotations

import importlib
from typing import Any

TOOLS = ("numpy.testing", "numpy.exceptions")


class Absent:
    """A name `torch._numpy` does not have: it can be passed about while tests are collected, and fails when called."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self.__name__}.{name}")

    def __call__(self, *args: object, **kwargs: object) -> Any:
        raise AttributeError(f"torch._numpy has no {self.__name__}")

    def __repr__(self) -> str:
        return f"<absent {self.__name__}>"


class Module:
    """A module of NumPy as `torch._numpy` has it."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        return member(self.__name__, name)


def module(name: str) -> Any:
    """A module of NumPy by its name."""
    return Module(name)


def member(module: str, name: str) -> Any:
    """A name out of a module of NumPy."""
    homes = [module.replace("numpy", "torch._numpy", 1)]
    homes += ["torch._numpy"] * module.startswith(("numpy._core", "numpy.lib"))  # where NumPy's tests import them
    homes += [module] * module.startswith(TOOLS)
    for home in homes:
        try:
            return getattr(importlib.import_module(home), name)
        except (ImportError, AttributeError):
            continue
    inner = f"{module}.{name}"
    known = inner.startswith((*TOOLS, "numpy.linalg", "numpy.fft", "numpy.random")) and module == "numpy"
    return Module(inner) if known else Absent(inner)
