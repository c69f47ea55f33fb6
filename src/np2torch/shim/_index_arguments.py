"""Masks and indices as the methods of ufuncs take them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch

from np2torch.shim._core import asarray, holds_others
from np2torch.shim._errors import without_values
from np2torch.shim._promotion import BOOL, INT64, Tensor


def mask_of(where: Any, like: Tensor) -> Tensor:
    """Give the argument `where=` as a bool tensor on the device of another tensor."""
    plain = isinstance(where, (list, tuple)) and not holds_others(where, set())  # numbers in lists are read as bools
    mask = asarray(where, BOOL if plain else None, like.device)
    if mask.dtype is not BOOL:
        raise TypeError(
            f"Cannot cast array data from dtype('{str(mask.dtype)[6:]}') to dtype('bool') according to the rule 'safe'"
        )
    return mask


def index_of(indices: Any, device: torch.device) -> Any:
    """An index with every array in it as torch takes it: masks as bool, everything else as int64."""
    items = indices if isinstance(indices, tuple) else (indices,)
    if all(isinstance(item, slice) or item is None or item is Ellipsis for item in items):
        return items
    return tuple(
        item
        if isinstance(item, slice) or item is None or item is Ellipsis
        else found
        if (found := asarray(item, None, device)).dtype is BOOL
        else found.to(INT64)
        for item in items
    )


def rounds(places: Tensor) -> Iterator[Tensor]:
    """Positions into `places`, split so that no place is named twice in a round and mentions keep their order."""
    order = torch.argsort(places, stable=True)
    named = places[order]
    count = torch.arange(len(named), device=places.device)
    opens = torch.ones_like(named, dtype=BOOL)
    opens[1:] = named[1:] != named[:-1]
    turn = count - torch.cummax(torch.where(opens, count, 0), 0).values if len(named) else count
    for k in range(int(turn.max()) + 1 if len(named) else 0):
        yield order[turn == k]


def is_negative_zero(x: Tensor) -> bool:
    """Is it -0.0, which torch's own sums, that begin with 0.0, would lose?"""
    if without_values(x) or x.numel() != 1 or not (x.is_floating_point() or x.is_complex()):
        return False
    value = x.item()
    parts = (value.real, value.imag) if x.is_complex() else (value,)
    return any(one == 0 and math.copysign(1.0, one) < 0 for one in parts)
