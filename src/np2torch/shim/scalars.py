"""Numbers that callers pass as tensors without axes, which stand for NumPy's scalars."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

__all__ = ["python_number"]


def python_number(x: Any) -> Any:
    """`x` as a number: of a tensor of integers without axes Python's, anything else is itself.

    Parameters
    ----------
    x : Any
        What stands for a number: `1 / x` of a 0-D tensor of int64 is float32 in torch, and float64 in NumPy.

    Raises
    ------
    TypeError
        If it is a tensor that has axes, or one of single precision.
    """
    if not isinstance(x, Tensor):
        return x
    is_inexact = x.dtype.is_floating_point or x.dtype.is_complex
    if x.ndim or is_inexact and x.dtype is not torch.float64:
        dtype = str(x.dtype).removeprefix("torch.")
        raise TypeError(
            f"shim.python_number: a number is expected, and a {dtype} tensor of shape {tuple(x.shape)} was passed; "
            "pass a Python number, or state that the parameter is an array"
        )
    return x if is_inexact else x.item()
