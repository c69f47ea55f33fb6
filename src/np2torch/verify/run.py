"""Old against new: call both sides with the same inputs and compare all that can be observed."""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import itertools
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import torch

from np2torch.verify.brief import brief
from np2torch.verify.compare import difference
from np2torch.verify.inputs import NotCarriedError, carried, case_list
from np2torch.verify.output import printed_by, program_difference, tensors_print_as_arrays, text_difference
from np2torch.verify.sides import Side

LONGEST_GENERATOR = 10_000
LONGEST_MESSAGE = 100
TODO = "TODO(np2torch)"


class Row(NamedTuple):
    """One comparison: what was called, what it gave on either side, and how the two differ (None: not at all)."""

    name: str
    inputs: str
    old: str
    new: str
    difference: str | None
    stays_numpy: bool = False


class Outcome(NamedTuple):
    """All that can be observed of one call."""

    result: Any
    error: BaseException | None
    printed: str
    arguments: tuple[Any, ...]


def verify_modules(old: Path, new: Path, timeout: float = 120.0) -> Iterator[Row]:
    """Compare a module with its conversion, one row per call.

    Where the old module has a dict `CASES` (name -> list of argument tuples, or a function without arguments that
    makes them), each function named in it is called with each of them. Without it, both files are run as programs and
    their output compared, and every public function that can be called without arguments is.
    """
    sides = Side(old), Side(new)
    modules: list[ModuleType] = []
    for side in sides:
        try:
            modules.append(_quietly(side.load))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            yield Row("import", side.path.name, "", "", f"cannot be imported: {type(error).__name__}: {error}")
            return
    cases = getattr(modules[0], "CASES", None)
    if cases is None:
        texts = [printed_by(side, timeout) for side in sides]
        yield Row("(program)", "", brief(texts[0]), brief(texts[1]), program_difference(*texts))
        cases = {name: [()] for name in _callable_without_arguments(modules[0])}
    for name, listed in cases.items():
        yield from _rows(name, listed, sides, (modules[0], modules[1]))


def _rows(name: str, listed: Any, sides: tuple[Side, Side], modules: tuple[ModuleType, ModuleType]) -> Iterator[Row]:
    try:
        with sides[0]:
            cases = case_list(listed)
    except Exception as error:
        yield Row(name, "", "", "", f"CASES fails: {type(error).__name__}: {error}")
        return
    for index, case in enumerate(cases):
        inputs = ", ".join(map(brief, case))
        functions = [_attribute(module, name) for module in modules]
        if None in functions:
            missing = sides[functions.index(None)].path.name
            yield Row(name, inputs, "", "", f"{missing} has no {name}")
            return
        try:
            counterpart = _inputs_of_new(name, index, case, modules[1], sides[1])
        except NotCarriedError as error:
            yield Row(name, inputs, "", "", f"inputs cannot be given to the new side: {error}")
            continue
        a = observe(functions[0], copy.deepcopy(case), sides[0])
        b = observe(functions[1], counterpart, sides[1])
        yield _compared(Row(name, inputs, _told(a), _told(b), outcome_difference(a, b)), a, b, modules[1])


def _compared(row: Row, old: Outcome, new: Outcome, module: ModuleType) -> Row:
    """The row; NumPy left in it is no difference where a TODO note in the module announces it."""
    if row.difference is None or TODO not in inspect.getsource(module):
        return row
    if (found := outcome_difference(old, new, numpy_left=True)) is not None:
        return row._replace(difference=found)
    return row._replace(difference=None, stays_numpy=True)


def observe(function: Callable[..., Any], arguments: tuple[Any, ...], side: Side) -> Outcome:
    """Call a function with seeded generators and keep everything it does; the arguments may be changed by it."""
    _seed()
    printed = io.StringIO()
    result, error = None, None
    with side, _captured(printed):
        try:
            result = function(*arguments)
            if inspect.isgenerator(result):
                result = list(itertools.islice(result, LONGEST_GENERATOR))
        except KeyboardInterrupt:
            raise
        except BaseException as caught:
            error = caught
    return Outcome(result, error, printed.getvalue(), arguments)


def outcome_difference(old: Outcome, new: Outcome, numpy_left: bool = False) -> str | None:
    """How two calls differ: in the error, the result, the arguments they leave behind, or what they print."""
    if old.error is not None or new.error is not None:
        return _error_difference(old.error, new.error)
    if found := difference(old.result, new.result, numpy_left=numpy_left):
        return found
    for index, (a, b) in enumerate(zip(old.arguments, new.arguments, strict=True)):
        if found := difference(a, b, numpy_left=numpy_left):
            return f"argument {index} afterwards: {found}"
    found = text_difference(old.printed, new.printed)
    return f"printed: {found}" if found else None


def _error_difference(old: BaseException | None, new: BaseException | None) -> str | None:
    if old is None:
        return f"raises {_error_line(new)}"
    builtin = next(c for c in type(old).__mro__ if c.__module__ == "builtins")
    if isinstance(new, builtin) or type(new).__name__ == type(old).__name__:
        return None
    return f"{type(old).__name__} became {'a result' if new is None else _error_line(new)}"


def _error_line(error: BaseException | None) -> str:
    """The error in one line: torch's messages run to many."""
    first = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}: {first[:LONGEST_MESSAGE]}"


def _inputs_of_new(name: str, index: int, case: tuple[Any, ...], new: ModuleType, side: Side) -> tuple[Any, ...]:
    """The inputs carried over; where that is impossible, what the new module's own CASES say."""
    try:
        return tuple(carried(case, new))
    except NotCarriedError:
        with side:
            own = getattr(new, "CASES", {}).get(name)
            listed = case_list(own) if own is not None else []
        if index >= len(listed):
            raise
        return copy.deepcopy(listed[index])


def _attribute(module: ModuleType, dotted: str) -> Any:
    found: Any = module
    for part in dotted.split("."):
        found = getattr(found, part, None)
    return found


def _callable_without_arguments(module: ModuleType) -> list[str]:
    functions = inspect.getmembers(module, inspect.isfunction)
    own = [(name, f) for name, f in functions if f.__module__ == module.__name__ and not name.startswith("_")]
    own.sort(key=lambda item: item[1].__code__.co_firstlineno)
    return [name for name, f in own if _binds_nothing(f)]


def _binds_nothing(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind()
    except TypeError:
        return False
    return not inspect.iscoroutinefunction(function)


def _told(outcome: Outcome) -> str:
    if outcome.error is not None:
        return f"raises {type(outcome.error).__name__}"
    return brief(outcome.result)


def _quietly(load: Callable[[], ModuleType]) -> ModuleType:
    _seed()
    with _captured(io.StringIO()):
        return load()


@contextlib.contextmanager
def _captured(printed: io.StringIO) -> Iterator[None]:
    """Catch what is printed, and silence warnings: NumPy's and torch's never agree in their words."""
    with contextlib.redirect_stdout(printed), tensors_print_as_arrays(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"):
            yield


def _seed() -> None:
    """The same start for every generator; the shim's too, if the new side uses it."""
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    shim_random = sys.modules.get("np2torch.shim.random")
    if shim_random is not None:
        shim_random.seed(0)
