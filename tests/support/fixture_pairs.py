"""Fixture pairs and how they are executed: the call sites of `main()` are the cases, replayed on both sides.

A fixture shows its facts by calling its functions in `main()`. Those calls are recorded on the NumPy side, with the
layout of each array, and repeated on either side with equal inputs. `CASES` may list more.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import random
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import torch

from np2torch import shim
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Settings, SourceFile
from np2torch.verify.compare import difference
from np2torch.verify.inputs import NotCarriedError, carry_over
from np2torch.verify.output import tensors_print_as_arrays, text_difference
from support.paths import FIXTURES

MOST_CALLS = 40
DEVICE = os.environ.get("NP2TORCH_TEST_DEVICE", "cpu")
"""Where the tensors of the torch side lie."""


def numpy_files() -> list[Path]:
    """Every fixture's NumPy side."""
    return sorted(FIXTURES.rglob("*_numpy.py"))


def name_of(path: Path) -> str:
    """`area/name` of a fixture."""
    return f"{path.parent.name}/{path.name.removesuffix('_numpy.py')}"


def expected_of(path: Path) -> Path:
    """Its torch side."""
    return path.with_name(path.name.replace("_numpy.py", "_torch.py"))


def converted(path: Path, text: str | None = None, loops: str = "", device: str = "default") -> Converted:
    """The conversion of a file, or of another text; what goes by elements runs in NumPy in fixtures/loops."""
    loops = loops or ("numpy" if path.parent.name == "loops" else "tensor")
    # a fixture is a program: `main` shows what its functions are called with
    source = SourceFile(path, path.name, path.read_text("utf-8") if text is None else text)
    settings = Settings(
        root=path.parent, closed=("*.py",), loops=loops, functions=loops, device=device,
        vectorize=path.parent.name == "vectorize",
    )  # fmt: skip
    return next(iter(convert_project([source], settings)))


# ------------------------------------------------------------------------------------------------ executing
def differences(path: Path, new_text: str) -> Iterator[str]:
    """Every observable difference between a fixture's NumPy side and a text for its torch side."""
    as_program = "__main__" in new_text
    old, printed_old = _load(path, path.read_text("utf-8"), as_program)
    try:
        with on_device():
            new, printed_new = _load(expected_of(path), new_text, as_program)
    except Exception as error:
        yield f"the torch side fails: {error!r}"
        return
    staying = "TODO(np2torch)" in new_text
    if found := text_difference(printed_old, printed_new):
        yield f"printed: {found}"
    for name, value in vars(old).items():
        if name[0] != "_" and name != "CASES" and not isinstance(value, (ModuleType, type)) and not callable(value):
            if getattr(np, name, None) is value or getattr(value, "__module__", "") == "__future__":
                continue
            if type(value).__name__ == "TypeAliasType":  # NDArray, from NumPy 2.5 on
                continue
            if found := difference(value, vars(new).get(name), numpy_left=staying):
                yield f"module's {name}: {found}"
    recorded = _load(path, path.read_text("utf-8"), False)[0]  # another copy: recording runs it, and it may keep state
    for name, arguments in _cases(recorded):
        try:
            counterpart = tuple(Twin(new, torch_side=True)(a) for a in arguments)
            arguments = tuple(Twin(old, torch_side=False)(a) for a in arguments)
        except NotCarriedError:
            counterpart = None
        if counterpart is None:  # instances: what main() returns is compared, and it uses them
            continue
        function = getattr(new, name, None)
        if function is None:
            yield f"{name} is gone"
            continue
        a = observe(getattr(old, name), arguments)
        with on_device():
            b = observe(function, counterpart)
        if name == "main" and a.error is not None:
            yield f"main() fails on NumPy itself: {a.error!r}"
        if found := _difference(a, b, staying):
            yield f"{name}({', '.join(map(repr, arguments))}): {found}"


@contextlib.contextmanager
def on_device() -> Iterator[None]:
    """Let tensors that name no device lie on that of the torch side."""
    if DEVICE == "cpu":
        yield
        return
    torch.set_default_device(DEVICE)
    try:
        yield
        if DEVICE != "cpu:0":
            try:
                torch.accelerator.synchronize()
            except RuntimeError:  # nothing can be asked of it any more: xdist starts another process
                os._exit(1)
    finally:
        torch.set_default_device(None)


class Outcome(NamedTuple):
    """What can be observed of one call."""

    result: Any
    error: BaseException | None
    printed: str
    arguments: tuple[Any, ...]


def observe(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Call a function as any program would: the text of a tensor is torch's here, as users will see it."""
    _seed()
    printed = io.StringIO()
    result, error = None, None
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            result = function(*arguments)
            if inspect.isgenerator(result):
                result = list(result)
        except Exception as caught:
            error = caught
    return Outcome(result, error, printed.getvalue(), arguments)


def _seed() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    shim.random.seed(0)


def _difference(old: Outcome, new: Outcome, staying: bool) -> str | None:
    if old.error is not None or new.error is not None:
        if (old.error is None) == (new.error is None):
            return None
        place = "" if new.error is None or DEVICE == "cpu" else f" ({_place(new.error)})"
        return f"{old.error!r} became {new.error!r}{place}"
    if found := difference(old.result, new.result, numpy_left=staying):
        return found
    for index, (a, b) in enumerate(zip(old.arguments, new.arguments, strict=True)):
        if found := difference(a, b, numpy_left=staying):
            return f"argument {index} afterwards: {found}"
    found = text_difference(old.printed, new.printed)
    return f"printed: {found}" if found else None


def _place(error: BaseException) -> str:
    """Name the last places that an error went through."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return ", ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)


def _load(path: Path, text: str, as_program: bool) -> tuple[ModuleType, str]:
    module = ModuleType("__main__" if as_program else path.stem)
    module.__file__ = str(path)
    if not as_program:
        sys.modules[path.stem] = module  # dataclasses and pickle look there
    _seed()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), tensors_print_as_arrays(), np.errstate(all="ignore"):
        exec(compile(text, str(path), "exec"), vars(module))
    return module, printed.getvalue()


def _cases(old: ModuleType) -> list[tuple[str, tuple[Any, ...]]]:
    """The calls `main()` makes, then those of `CASES`, each with inputs of its own."""
    calls: list[tuple[str, tuple[Any, ...]]] = []
    counts: dict[str, int] = {}

    def recording(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(*args: Any, **keywords: Any) -> Any:
            counts[name] = counts.get(name, 0) + 1
            if not keywords and counts[name] <= MOST_CALLS:
                twin = Twin(old, torch_side=False)
                with contextlib.suppress(NotCarriedError):
                    calls.append((name, tuple(twin(a) for a in args)))
            return function(*args, **keywords)

        return recorded

    if hasattr(old, "main"):
        own = {n: f for n, f in vars(old).items() if isinstance(f, FunctionType) and f.__module__ == old.__name__}
        vars(old).update({n: recording(n, f) for n, f in own.items() if n != "main"})
        observe(old.main, ())
        vars(old).update(own)
        calls.insert(0, ("main", ()))
    for name, listed in getattr(old, "CASES", {}).items():
        calls += [(name, tuple(Twin(old, torch_side=False)(a) for a in case)) for case in listed]
    return calls


class Twin:
    """Copies a value for one side: strides, offsets and memory shared between arguments are kept."""

    def __init__(self, module: ModuleType, torch_side: bool) -> None:
        self.module = module
        self.torch_side = torch_side
        self.roots: dict[int, Any] = {}
        self.tensors: dict[int, torch.Tensor] = {}

    def __call__(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
            return self._array(value)
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            return tuple(self(item) for item in value)
        if isinstance(value, list):
            return [self(item) for item in value]
        if isinstance(value, dict):
            return {key: self(item) for key, item in value.items()}
        if self.torch_side:
            return carry_over(value, self.module, DEVICE)
        carry_over(value, self.module)
        return value

    def _array(self, value: np.ndarray[Any, Any]) -> Any:
        root = value
        while isinstance(root.base, np.ndarray):
            root = root.base
        plain = root.flags.c_contiguous or root.flags.f_contiguous
        if not plain or root.dtype != value.dtype or self.torch_side and any(s < 0 for s in value.strides):
            copied = np.array(value, order="K")
            return torch.from_numpy(np.ascontiguousarray(value).copy()).to(DEVICE) if self.torch_side else copied
        memory = self.roots.setdefault(id(root), root.ravel(order="K").copy())
        offset = value.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        if not self.torch_side:
            return np.ndarray(value.shape, value.dtype, memory, offset, value.strides)
        strides = [s // value.itemsize for s in value.strides]
        if id(root) not in self.tensors:
            self.tensors[id(root)] = torch.from_numpy(memory).to(DEVICE)
        return torch.as_strided(self.tensors[id(root)], value.shape, strides, offset // value.itemsize)


def rules_used(path: Path) -> set[str]:
    """The NumPy names and methods that became native torch in a fixture: `np.sum`, `.sum`."""
    found = set()
    for site in converted(path).sites:
        if site.outcome in ("native", "cast"):
            found.add(re.sub(r"\(.*", "", site.source))
    return found
