"""Copies where NumPy's element reads make them."""

from __future__ import annotations

from typing import Any

from torch import Tensor

__all__ = ["element"]


def element(x: Any) -> Any:
    """What `a[i]` is in NumPy: a copy of a single element, a view of anything larger.

    A single element of a tensor is a live view; where the tensor is written later the saved element would change too.
    """
    return x.clone() if isinstance(x, Tensor) and x.ndim == 0 else x
