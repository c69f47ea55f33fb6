"""Bits packed into bytes, and back."""

from __future__ import annotations

import torch

from np2torch.shim._core import ArrayLike, axes_of, normalized
from np2torch.shim._promotion import Tensor, kind

__all__ = ["packbits", "unpackbits"]


def _weights(bitorder: str, device: torch.device) -> Tensor:
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    weights = 2 ** torch.arange(8, dtype=torch.uint8, device=device)
    return weights.flip(0) if bitorder == "big" else weights


@normalized
def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = "big") -> Tensor:
    """Eight elements a byte along an axis, zeros after the last; flattened for None."""
    weights = _weights(bitorder, a.device)
    if kind(a.dtype) > 1:
        raise TypeError("Expected an input array of integer or boolean data type")
    axis = None if axis is None else axes_of(axis, max(a.ndim, 1))[0]
    x = (a.reshape(-1) if axis is None or a.ndim == 0 else a.movedim(axis, -1)) != 0
    x = torch.nn.functional.pad(x.to(torch.uint8), (0, -x.shape[-1] % 8))
    packed = (x.reshape(*x.shape[:-1], x.shape[-1] // 8, 8) * weights).sum(-1, dtype=torch.uint8)
    return packed if axis is None or a.ndim == 0 else packed.movedim(-1, axis)


@normalized
def unpackbits(a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Tensor:
    """The bits of bytes along an axis, cut or filled with zeros to `count`; negative counts are cut off the end."""
    weights = _weights(bitorder, a.device)
    if a.dtype != torch.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    axis = None if axis is None else axes_of(axis, max(a.ndim, 1))[0]
    x = a.reshape(-1) if axis is None or a.ndim == 0 else a.movedim(axis, -1)
    bits = ((x[..., None] & weights) != 0).to(torch.uint8).flatten(-2)
    if count is not None:
        size = bits.shape[-1]
        if count < 0 and -count > size:
            raise ValueError(f"-ve count {count} is larger than the number of elements along that axis")
        wanted = count if count >= 0 else size + count
        bits = torch.nn.functional.pad(bits, (0, wanted - size))
    return bits if axis is None or a.ndim == 0 else bits.movedim(-1, axis)
