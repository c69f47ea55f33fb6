"""`numpy.matlib`: what of it gives arrays; the rest gives matrices, which stay on NumPy."""

from __future__ import annotations

from typing import Any

from np2torch.shim._core import ArrayLike, normalized
from np2torch.shim._insertion import tile
from np2torch.shim._promotion import Tensor

__all__ = ["repmat"]


@normalized
def repmat(a: ArrayLike, m: Any, n: Any) -> Tensor:
    """A number, vector or matrix repeated m times down and n times across."""
    if a.ndim > 2:
        raise ValueError("too many values to unpack (expected 2)")
    found: Tensor = tile(a, (m, n))
    return found
