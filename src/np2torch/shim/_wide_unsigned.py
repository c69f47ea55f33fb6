"""Kernels on uint16, uint32 and uint64, which run in int64: there and back."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from np2torch.shim._promotion import INT64, Tensor
from np2torch.shim._type_resolution import WIDE_UNSIGNED

ORDERS = frozenset("maximum minimum fmax fmin greater greater_equal less less_equal".split())
"""The ufuncs that ask only for the order of their operands, and give truths or one of these."""
LOWEST = -(2**63)


def in_int64(tensors: Sequence[Tensor], orders: bool) -> Sequence[Tensor]:
    """Tensors of one dtype as kernels take them; uint64 moved so that the order is the same where only that counts."""
    loop = tensors[0].dtype
    if loop not in WIDE_UNSIGNED:
        return tensors
    given = [x.to(INT64) for x in tensors]
    return [x ^ LOWEST for x in given] if orders and loop is torch.uint64 else given


def from_int64(result: Tensor, loop: torch.dtype, orders: bool) -> Tensor:
    """Move a result of such a kernel back."""
    return result ^ LOWEST if orders and loop is torch.uint64 and result.dtype is INT64 else result
