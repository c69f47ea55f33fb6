"""Seeding where some draws are torch's and some keep NumPy's stream."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim import random

__all__ = ["manual_seed"]


def manual_seed(seed: Any = None) -> None:
    """Seed torch's generator and the stream of `shim.random` alike; both anew from the system without a seed."""
    random.seed(seed)
    if seed is None:
        torch.seed()
    else:
        torch.manual_seed(int(seed))
