"""Preparation of arrays whose items are assigned."""

from __future__ import annotations

from typing import Any

from np2torch.shim._marks import is_scalar

__all__ = ["assignable"]


def assignable(x: Any) -> Any:
    """`x`, the items of which are about to be set: `shim.assignable(x)[x < 0] = 0`.

    Raises
    ------
    TypeError
        When `x` is a tensor without axes that is not marked as an array. It stands for a NumPy scalar, whose items
        cannot be set.
    """
    if is_scalar(x):
        raise TypeError(f"'numpy.{str(x.dtype)[6:]}' object does not support item assignment")
    return x
