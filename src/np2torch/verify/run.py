"""Old against new: call both sides with the same inputs and compare all that can be observed."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import copy
import inspect
import io
import random
import sys
import traceback
import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import torch

from np2torch.verify.brief import brief
from np2torch.verify.called_functions import CalledFunctions
from np2torch.verify.compare import LONGEST_ITERATOR, difference, is_opaque, read_out
from np2torch.verify.inputs import NotCarriedError, carry_over, case_list
from np2torch.verify.output import program_difference, run_program, tensors_print_as_arrays, text_difference
from np2torch.verify.rows import Row, unexercised_row
from np2torch.verify.sides import Side

LONGEST_MESSAGE = 100
TODO = "TODO(np2torch)"


class Outcome(NamedTuple):
    """All that can be observed of one call."""

    result: Any
    error: BaseException | None
    printed: str
    arguments: tuple[Any, ...]


def verify_modules(old: Path, new: Path, timeout: float = 120.0, device: str = "cpu") -> Iterator[Row]:
    """Compare a module with its conversion, one row per call.

    Where the old module has a dict `CASES` (name -> list of argument tuples, or a function without arguments that
    makes them), each function named in it is called with each of them. Without it, both files are run as programs and
    their output compared, and every public function that can be called without arguments is; a public function that
    did not run meanwhile has a row that says so.

    Parameters
    ----------
    device
        Where the tensors of the new side lie.
    """
    sides = Side(old), Side(new, device)
    called = CalledFunctions(sides[0].path)
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
    is_listed = cases is not None
    if not is_listed:
        programs = [run_program(side, timeout) for side in sides]
        called.names |= programs[0].called
        different = program_difference(programs[0], programs[1])
        if different is not None or programs[0].printed.strip():
            yield Row("(program)", "", brief(programs[0].printed), brief(programs[1].printed), different)
        cases = {name: [()] for name, function in public_functions(modules[0]) if _binds_nothing(function)}
    if not isinstance(cases, Mapping):
        yield unexercised_row("CASES", f"CASES must be a dict of function names, not {type(cases).__name__}")
        return
    for name, listed in cases.items():
        yield from _rows(name, listed, sides, (modules[0], modules[1]), called)
    for name, function in public_functions(modules[0]) if not is_listed else ():
        if name not in cases and function.__qualname__ not in called.names:
            yield unexercised_row(name, "never called, since it takes arguments: list some in CASES")


def left_out(path: Path, rows: Sequence[Row]) -> list[str]:
    """The public functions of a module that its CASES, where it has any, does not name; by its text."""
    tree = ast.parse(path.read_bytes())
    stored = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    if "CASES" not in stored:
        return []
    names = [one.name for one in tree.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    named = {row.name for row in rows}
    return [name for name in names if not name.startswith("_") and name not in named]


def _rows(
    name: str, listed: Any, sides: tuple[Side, Side], modules: tuple[ModuleType, ModuleType], called: CalledFunctions
) -> Iterator[Row]:
    try:
        with sides[0]:
            cases = case_list(listed)
    except Exception as error:
        yield Row(name, "", "", "", f"CASES fails: {type(error).__name__}: {error}")
        return
    if not cases:
        yield unexercised_row(name, "CASES lists no inputs")
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
        with called.watching():
            a = observe(functions[0], copy.deepcopy(case), sides[0])
        if a.error is not None and not _is_entered(a.error):
            yield unexercised_row(name, f"it cannot be called so: {_error_line(a.error)}", inputs)
            continue
        b = observe(functions[1], counterpart, sides[1])
        if a.error is None and b.error is None and is_opaque(a.result) and type(a.result) is type(b.result):
            yield unexercised_row(name, f"what comes back is a {type(a.result).__name__}, which has no value", inputs)
            continue
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
            if inspect.iscoroutine(result):
                result = asyncio.run(result)
            if inspect.isasyncgen(result):
                result = asyncio.run(_first_of(result))
            result = read_out(result)
        except KeyboardInterrupt:
            raise
        except BaseException as caught:
            error = caught
    return Outcome(result, error, printed.getvalue(), arguments)


async def _first_of(items: AsyncIterator[Any]) -> list[Any]:
    found = []
    async for item in items:
        found.append(item)
        if len(found) == LONGEST_ITERATOR:
            break
    return found


def _is_entered(error: BaseException) -> bool:
    """Tell whether the error was raised within the called function, and not by a call with wrong arguments."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return not isinstance(error, TypeError) or frames[-1].f_code.co_filename != __file__


def outcome_difference(old: Outcome, new: Outcome, numpy_left: bool = False) -> str | None:
    """Compare two calls: the error, the result, the arguments they leave behind, what they print."""
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
        return tuple(carry_over(case, new, side.device))
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


def public_functions(module: ModuleType) -> list[tuple[str, FunctionType]]:
    """The functions that a module defines, but for those with a leading underscore, in order."""
    functions = inspect.getmembers(module, inspect.isfunction)
    own = [(name, f) for name, f in functions if f.__module__ == module.__name__ and not name.startswith("_")]
    return sorted(own, key=lambda item: item[1].__code__.co_firstlineno)


def _binds_nothing(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind()
    except TypeError:
        return False
    return True


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
