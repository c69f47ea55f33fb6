"""Windows of signal processing: `bartlett`, `blackman`, `hamming`, `hanning`, `kaiser`, in float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim._core import asarray
from np2torch.shim._promotion import FLOAT64, Tensor

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def _window(M: Any, shape: Callable[[Tensor, float], Tensor]) -> Tensor:
    """`shape(n, M - 1)` at the M points n = 1 - M, 3 - M, ..., M - 1; NumPy's answers for fewer than two points."""
    size = float(M)
    if size < 1:
        return torch.empty(0, dtype=FLOAT64)
    if size == 1:
        return torch.ones(1, dtype=FLOAT64)
    points = (1 - size) + 2 * torch.arange(math.ceil((2 * size - 1) / 2), dtype=FLOAT64)
    return shape(points, size - 1)


def bartlett(M: Any) -> Tensor:
    """Compute the triangle with zeros at both ends."""
    return _window(M, lambda n, width: torch.where(n <= 0, 1 + n / width, 1 - n / width))


def blackman(M: Any) -> Tensor:
    """The taper of three cosine terms; symmetric, where torch's own is periodic by default."""
    return _window(
        M, lambda n, width: 0.42 + 0.5 * torch.cos(math.pi * n / width) + 0.08 * torch.cos(2.0 * math.pi * n / width)
    )


def hamming(M: Any) -> Tensor:
    """The raised cosine that does not reach zero; symmetric, where torch's own is periodic by default."""
    return _window(M, lambda n, width: 0.54 + 0.46 * torch.cos(math.pi * n / width))


def hanning(M: Any) -> Tensor:
    """Compute the symmetric raised cosine with zeros at both ends; torch's own is periodic by default."""
    return _window(M, lambda n, width: 0.5 + 0.5 * torch.cos(math.pi * n / width))


def kaiser(M: Any, beta: Any) -> Tensor:
    """The taper built on the Bessel function i0; larger `beta` narrows it."""
    size, shape = float(M), asarray(beta).to(FLOAT64)
    if size == 1:
        return torch.ones(1, dtype=FLOAT64)
    n, middle = torch.arange(max(math.ceil(size), 0), dtype=FLOAT64), (size - 1) / 2.0
    found: Tensor = torch.special.i0(shape * torch.sqrt(1 - ((n - middle) / middle) ** 2.0)) / torch.special.i0(shape)
    return found
