"""Lists of 0-D tensors as one tensor."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._promotion import Tensor


def stacked(level: list[Any], dtype: torch.dtype | None, device: torch.device | None) -> Tensor | None:
    """One stack of 0-D tensors of one dtype where nothing is cast or moved; None of anything else."""
    if set(map(type, level)) != {Tensor}:
        return None
    found = level[0].dtype
    place = level[0].device
    if any(x.ndim or x.dtype is not found or x.device != place for x in level) or dtype not in (None, found):
        return None
    return torch.stack(level) if device in (None, place) else None
