"""Lists of 0-D tensors and Python numbers as one tensor, the short ways."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._promotion import FLOAT64, Tensor
from np2torch.shim._transforms import are_values

EXACT = 2**53
"""Integers below it are float64 as they stand."""


def of_doubles(x: list[Any]) -> Tensor | None:
    """The tensor of a list, or of a list of lists, of floats and 0-D float64 tensors; None for anything else."""
    nested = bool(x) and type(x[0]) is list
    if nested and any(type(row) is not list or len(row) != len(x[0]) for row in x):
        return None
    leaves = [leaf for row in x for leaf in row] if nested else x
    types = set(map(type, leaves))
    if types == {float}:
        return torch.tensor(x, dtype=FLOAT64)
    if Tensor not in types or not types <= {Tensor, float, int}:
        return None
    found = _of_scalars(leaves)
    return found if found is None or not nested else found.view(len(x), len(x[0]))


def _of_scalars(leaves: list[Any]) -> Tensor | None:
    tensors = [leaf for leaf in leaves if type(leaf) is Tensor]
    place = tensors[0].device
    if any(one.ndim or one.dtype is not FLOAT64 or one.device != place for one in tensors):
        return None
    if len(tensors) == len(leaves):
        return torch.stack(leaves)
    if not are_values(*tensors) or any(type(leaf) is int and not -EXACT < leaf < EXACT for leaf in leaves):
        return None
    numbers = [leaf.item() if type(leaf) is Tensor else leaf for leaf in leaves]
    return torch.tensor(numbers, dtype=FLOAT64, device="cpu")


def stacked(level: list[Any], dtype: torch.dtype | None, device: torch.device | None) -> Tensor | None:
    """One stack of 0-D tensors of one dtype where nothing is cast or moved; None of anything else."""
    if set(map(type, level)) != {Tensor}:
        return None
    found = level[0].dtype
    place = level[0].device
    if any(x.ndim or x.dtype is not found or x.device != place for x in level) or dtype not in (None, found):
        return None
    return torch.stack(level) if device in (None, place) else None
