"""Run one expression under NumPy and under the shim and demand the same outcome.

`np` names numpy on one side and the shim on the other; the named arrays are ndarrays here and tensors of the same
dtype, values and layout there. Results, arguments left behind and the class of an exception must agree.
"""

from __future__ import annotations

import builtins
import warnings
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim._numpy_routines import own_bodies
from np2torch.verify.compare import difference


def tensor(x: Any) -> Any:
    """The torch side of an argument; negative strides, which torch lacks, become a copy."""
    if isinstance(x, np.ndarray):
        copied = x.copy(order="K")
        return (
            torch.from_numpy(copied) if copied.ndim else torch.tensor(copied.item(), dtype=getattr(torch, x.dtype.name))
        )
    if isinstance(x, np.generic):
        return torch.tensor(x.item(), dtype=getattr(torch, x.dtype.name))
    if isinstance(x, (list, tuple)):
        return type(x)(tensor(item) for item in x)
    return x


def _run(code: Any, names: dict[str, Any]) -> tuple[Any, BaseException | None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return eval(code, names), None
        except Exception as error:  # whatever it raises is the outcome
            return None, error


def _base(error: BaseException) -> type:
    """The builtin class a caller would catch."""
    return next(c for c in type(error).__mro__ if getattr(builtins, c.__name__, None) is c)


def disagreement(
    expression: str, module: Any = shim, rtol: float | None = None, atol: float = 0.0, **names: Any
) -> str | None:
    """None when both sides agree, else a line that says how not; NumPy's routines and the shim's own must both."""
    found = _disagreement(expression, module, rtol, atol, **names)
    with own_bodies():
        return found or _disagreement(expression, module, rtol, atol, **names)


def _disagreement(expression: str, module: Any, rtol: float | None, atol: float, **names: Any) -> str | None:
    code = compile(expression, "<case>", "eval")
    old_names = {"np": np, **{k: v.copy(order="K") if isinstance(v, np.ndarray) else v for k, v in names.items()}}
    new_names = {"np": module, **{k: tensor(v) for k, v in names.items()}}
    old, old_error = _run(code, old_names)
    new, new_error = _run(code, new_names)
    if old_error is not None or new_error is not None:
        if old_error is None:
            return f"only the shim raises {new_error!r}"
        if new_error is None:
            return f"only NumPy raises {old_error!r}; the shim gives {new!r}"
        return None if isinstance(new_error, _base(old_error)) else f"{old_error!r} became {new_error!r}"
    if isinstance(old, np.generic):
        old = np.asarray(old)
    found = difference(old, new, rtol, atol)
    if found is None:
        mutated = (difference(old_names[k], new_names[k]) for k, v in names.items() if isinstance(v, np.ndarray))
        found = next((f"argument: {d}" for d in mutated if d), None)
    return found


def agree(expression: str, module: Any = shim, rtol: float | None = None, atol: float = 0.0, **names: Any) -> None:
    """Assert that both sides agree."""
    found = disagreement(expression, module, rtol, atol, **names)
    assert found is None, f"{expression}: {found}"


def table(text: str) -> list[Any]:
    """Cases out of lines `expression ## name=value, ...`; the values are read with numpy as np."""
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        expression, _, names = line.partition(" ## ")
        found.append(pytest.param(expression, eval(f"dict({names})", {"np": np}), id=line))
    return found


DTYPES = ("uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64 complex64 complex128").split()


class Side:
    """The functions of some shim modules beside NumPy's dtype names: what `np` is on the torch side."""

    nan, inf, newaxis = np.nan, np.inf, None

    def __init__(self, *modules: Any) -> None:
        for name in DTYPES:
            setattr(self, name, getattr(torch, name))
        self.bool, self.bool_ = torch.bool, torch.bool
        for module in modules:
            for name in module.__all__:
                setattr(self, name, getattr(module, name))
