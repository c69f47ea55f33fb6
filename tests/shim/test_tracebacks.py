"""Tracebacks through borders: as many frames, and of the same functions, as on NumPy."""

from __future__ import annotations

import asyncio
import sys
import traceback
import types
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim

PROGRAM = """
import contextlib

import numpy as np
import torch
from np2torch import shim


@BORDER
def fails(x):
    raise ValueError("inside")


@BORDER
def outer(x):
    return [fails(x)]


@BORDER
def again(x):
    try:
        return outer(x)
    except ValueError:
        raise


@BORDER
def other_error(x):
    try:
        outer(x)
    except ValueError as error:
        raise KeyError("other") from error


@BORDER
def stored(x):
    try:
        outer(x)
    except ValueError as error:
        kept = error
    raise kept


@BORDER
def two(x, y):
    return x, y


@BORDER
def wrong_count(x):
    return two(x, 1, 2)


@BORDER
def applied(function, x):
    return function(x)


@BORDER
@contextlib.contextmanager
def managed(x):
    yield x
    fails(x)


@BORDER
def managing(x):
    with managed(x):
        pass


@BORDER
def ended(x):
    raise SystemExit(3)


@BORDER
class Model:
    def __init__(self, x):
        self.x = x

    def fail(self, x, y):
        return outer(x)

    @property
    def broken(self):
        raise AttributeError("broken")

    @staticmethod
    def static(x):
        return fails(x)

    @classmethod
    def made(cls, x):
        return cls.static(x)


@BORDER
def solved(x):
    return SOLVE(x)


@BORDER
def awaited(x):
    async def later():
        return fails(x)
    return later()
"""
USER = """
def called(x):
    raise ValueError("of the user")
"""


def _program(border: str, solve: str) -> dict[str, Any]:
    module = types.ModuleType(f"program_with_{border.rpartition('.')[2]}")
    text = PROGRAM.replace("@BORDER\n", f"@{border}\n" if border else "\n").replace("SOLVE", solve)
    exec(compile(text, "program.py", "exec"), vars(module))
    return vars(module)


CALLS = {
    "a raise": lambda p, x: p["fails"](x),
    "nested calls": lambda p, x: p["outer"](x),
    "caught and raised again": lambda p, x: p["again"](x),
    "another from it": lambda p, x: p["other_error"](x),
    "raised when it was kept": lambda p, x: p["stored"](x),
    "too few arguments": lambda p, x: p["two"](x),
    "too many arguments inside": lambda p, x: p["wrong_count"](x),
    "a function of the caller's": lambda p, x: p["applied"](_users(x), x),
    "a function of the program's own": lambda p, x: p["applied"](p["outer"], x),
    "a context manager": lambda p, x: p["managing"](x),
    "no Exception": lambda p, x: p["ended"](x),
    "a method": lambda p, x: p["Model"](x).fail(x, 1),
    "a property": lambda p, x: p["Model"](x).broken,
    "a class method": lambda p, x: p["Model"].made(x),
    "an attribute that is not there": lambda p, x: p["Model"](x).nowhere,
    "a singular matrix": lambda p, x: p["solved"](x),
}


def _users(x: np.ndarray) -> Any:
    names: dict[str, Any] = {"__name__": "user_of_program"}
    exec(compile(USER, "user.py", "exec"), names)
    return names["called"]


def _frames(call: Any, program: dict[str, Any], x: Any) -> list[list[tuple[str, str, Any]]]:
    """What is seen of an error, and of those that it comes from."""
    with pytest.raises(BaseException) as caught:
        call(program, x)
    error: BaseException | None = caught.value
    seen = []
    while error is not None:
        frames = [one for one in traceback.extract_tb(error.__traceback__) if "linalg" not in one.filename]
        seen.append([(one.filename, one.name, one.lineno) for one in frames])
        error = error.__cause__ if "LinAlgError" not in type(error).__name__ else None
    return seen


PLAIN = _program("", "np.linalg.inv(np.asarray(x))")


@pytest.mark.parametrize("name", CALLS)
def test_callers_of_public_functions_see_the_frames_that_they_see_on_numpy(name):
    x = np.zeros((2, 2))
    public = _program("shim.public", "torch.linalg.inv(x)")
    assert _frames(CALLS[name], public, x) == _frames(CALLS[name], PLAIN, x)


@pytest.mark.parametrize("name", CALLS)
def test_callers_of_code_on_numpy_see_the_frames_that_they_see_without_a_border(name):
    x = torch.zeros((2, 2), dtype=torch.float64)
    kept = _program("shim.on_numpy", "np.linalg.inv(x)")
    assert _frames(CALLS[name], kept, x) == _frames(CALLS[name], PLAIN, x.numpy())


def test_the_error_itself_its_cause_and_its_context_stay():
    public = _program("shim.public", "torch.linalg.inv(x)")
    with pytest.raises(KeyError) as caught:
        public["other_error"](np.zeros(2))
    assert isinstance(caught.value.__cause__, ValueError) and caught.value.__context__ is caught.value.__cause__
    try:
        raise OSError
    except OSError as first:
        with pytest.raises(ValueError, match="inside") as caught:
            public["fails"](np.zeros(2))
        assert caught.value.__context__ is first and caught.value.__cause__ is None
        assert not caught.value.__suppress_context__
        assert sys.exc_info()[1] is first


def test_errors_of_coroutines_come_out():
    public = _program("shim.public", "torch.linalg.inv(x)")
    with pytest.raises(ValueError, match="inside") as caught:
        asyncio.run(public["awaited"](np.zeros(2)))
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "fails"


@pytest.mark.parametrize("arguments", [(), (1, 2, 3), (1, None, None)])
def test_a_wrong_count_of_arguments_is_an_error_of_the_call(arguments: tuple[object, ...]) -> None:
    """NumPy's functions have no frames: who asks for them takes an error with more for one inside the function."""
    for sine in (np.sin, shim.sin):
        with pytest.raises(TypeError) as found:
            sine(*arguments)
        assert [frame.name for frame in traceback.extract_tb(found.value.__traceback__)] == [
            "test_a_wrong_count_of_arguments_is_an_error_of_the_call"
        ]
