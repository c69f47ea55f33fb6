"""Python integers that int64 does not hold."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._errors import NoCounterpart


def wide_dtype(x: Any) -> torch.dtype | None:
    """The dtype of integers beyond int64: uint64, beside smaller ones float64; None where int64 holds them all.

    Raises
    ------
    NoCounterpart
        For integers beyond uint64, of which NumPy makes objects.
    """
    try:
        low, high = _limits(x)
    except ValueError:  # empty parts
        return None
    if low >= -(2**63) and high < 2**63:
        return None
    if low < -(2**63) or high >= 2**64:
        raise NoCounterpart("no torch dtype holds integers beyond 64 bits; keep this array in NumPy")
    return torch.uint64 if low >= 2**63 else torch.float64


def _limits(x: Any) -> tuple[int, int]:
    pairs = [_limits(item) if isinstance(item, (list, tuple)) else (item, item) for item in x if type(item) is not bool]
    return min(low for low, _ in pairs), max(high for _, high in pairs)
