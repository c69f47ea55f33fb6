"""Functions that NumPy 2 no longer has and older code still calls, as they were."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._core import DTypeLike, asarray, normalized
from np2torch.shim._promotion import FLOAT64, Tensor, as_dtype

__all__ = ["alen", "asfarray", "asscalar"]


def alen(a: Any) -> int:
    """The length of the first axis; 1 of what has none."""
    x = asarray(a)
    return len(x) if x.ndim else 1


@normalized
def asfarray(a: Any, dtype: DTypeLike = FLOAT64) -> Tensor:
    """As a floating or complex array; any other dtype that is asked for counts as float64."""
    target = as_dtype(dtype) or FLOAT64
    inexact = target.is_floating_point or target.is_complex
    return asarray(a, target if inexact else torch.float64)


def asscalar(a: Any) -> Any:
    """The only element as a Python number.

    Raises
    ------
    ValueError
        For an array of more or less than one element.
    """
    x = asarray(a)
    if x.numel() != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    return x.item()
