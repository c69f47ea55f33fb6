"""Functions of small matrices by NumPy's own LAPACK, which answers before torch has begun."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import torch

from np2torch.shim._promotion import FLOAT64, Tensor
from np2torch.shim._transforms import are_values

Function = TypeVar("Function", bound=Callable[..., Any])
FEW = {"det": 4096, "inv": 1024, "pinv": 256, "solve": 4096}
"""So many elements of a matrix are few for a function: with more torch is as fast."""


def small_by_numpy(function: Function) -> Function:
    """Let `numpy.linalg` compute of small float64 matrices that are values alone; the body does the rest."""
    name = function.__name__
    most = FEW[name]

    @functools.wraps(function)
    def wrapper(*args: Any, **options: Any) -> Any:
        few = not options and all(type(x) is Tensor and x.dtype is FLOAT64 and x.numel() <= most for x in args)
        numpy = sys.modules.get("numpy")
        if few and numpy is not None and are_values(*args):
            try:
                found = getattr(numpy.linalg, name)(*(x.numpy() for x in args))
            except Exception:  # the body says what is wrong
                return function(*args)
            return torch.from_numpy(found if type(found) is numpy.ndarray else numpy.asarray(found))
        return function(*args, **options)

    return cast(Function, wrapper)
