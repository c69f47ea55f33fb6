"""The usual outcome of an assertion, told in one call or two of torch's: the arrays agree.

False says nothing: the long way finds out what differs, or that nothing does.
"""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._core import asarray
from np2torch.shim._promotion import FLOAT64, Tensor


def _doubles(x: Any, y: Any) -> tuple[Tensor, Tensor] | None:
    """Take two float64 arrays of one shape, or one and a number; None for anything else."""
    if type(x) is not Tensor or x.dtype is not FLOAT64:
        return None
    if type(y) is not Tensor:
        if type(y) not in (list, tuple, float):
            return None
        try:
            y = asarray(y)
        except (TypeError, ValueError):
            return None
    fits = x.shape == y.shape or not y.ndim
    return (x, y) if y.dtype is FLOAT64 and fits and x.device == y.device else None


def are_close(x: Any, y: Any, rtol: Any, atol: Any, equal_nan: Any) -> bool:
    """Tell whether all doubles are within the tolerances."""
    pair = _doubles(x, y)
    if pair is None or type(equal_nan) is not bool or any(type(one) not in (int, float) for one in (rtol, atol)):
        return False
    return rtol >= 0 and atol >= 0 and torch.allclose(*pair, float(rtol), float(atol), equal_nan)


def are_near(x: Any, y: Any, bound: float) -> bool:
    """Tell whether all differences of doubles are below a bound."""
    pair = _doubles(x, y)
    return pair is not None and bool(pair[0].numel() and (pair[0] - pair[1]).abs().max() < bound)


def are_equal(x: Any, y: Any) -> bool:
    """Tell whether two tensors of one dtype and shape are equal."""
    return type(x) is Tensor and type(y) is Tensor and x.dtype is y.dtype and x.device == y.device and torch.equal(x, y)
