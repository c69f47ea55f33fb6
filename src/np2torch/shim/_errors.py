"""NumPy's classes of errors and warnings, and how the values they depend on are asked for."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import torch

HERE = str(Path(__file__).parent)


class AxisError(ValueError, IndexError):
    """An axis that the array does not have; `numpy.exceptions.AxisError`."""


class LinAlgError(torch.linalg.LinAlgError, ValueError):  # type: ignore[misc, name-defined]
    """`numpy.linalg.LinAlgError`: a ValueError, which torch's own class is not."""


class NoCounterpart(TypeError):
    """A dtype, or an array of what no torch dtype holds: strings, objects, dates, records, long doubles."""


def without_values(x: torch.Tensor) -> bool:
    """Tell whether there are no values to ask for: in torch.compile, or on the meta device."""
    return torch.compiler.is_compiling() or x.is_meta


def holds(found: torch.Tensor, unknown: bool) -> bool:
    """Tell whether any element is true; `unknown` for tensors without values."""
    return unknown if without_values(found) else bool(found.any())


def wrong(found: torch.Tensor, message: str) -> bool:
    """Tell whether any element is true, so that the caller must raise.

    Where there are no values the answer is no, and the graph gets a check of torch's own: a RuntimeError when it runs.
    """
    if without_values(found):
        torch._assert_async(~found.any(), message)
        return False
    return bool(found.any())


def warn_where(found: torch.Tensor, message: str, each: bool = False) -> None:
    """NumPy's RuntimeWarning if any is true, or for each that is.

    There is none where values are not to be had, in torch.compile and torch.vmap.
    """
    if without_values(found):
        return
    try:
        count = int(found.sum())
    except RuntimeError:
        return
    for _ in range(count if each else min(count, 1)):
        warnings.warn(message, RuntimeWarning, stacklevel=_caller())


def deprecated(message: str) -> None:
    """NumPy's DeprecationWarning."""
    warnings.warn(message, DeprecationWarning, stacklevel=_caller())


def _caller() -> int:
    """The stack level, seen from `warn_where`, of the code that called the shim."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(("<normalized", HERE)):
        level, frame = level + 1, frame.f_back
    return level
