"""`randint` and `integers`: bounds checked and broadcast, then drawn in the dtype's own width."""

from __future__ import annotations

import math
from typing import Any

import torch

from np2torch.shim._core import as_shape, asarray
from np2torch.shim._promotion import as_dtype
from np2torch.shim.random import bounded
from np2torch.shim.random._libm import CPU, Tensor
from np2torch.shim.random.bit_generator import BitGenerator, signed64
from np2torch.shim.random.law import broadcast_shape


def integers(
    bits: BitGenerator, low: Any, high: Any, size: Any, dtype: Any, endpoint: bool, masked: bool
) -> int | bool | Tensor:
    """Integers from low to high; Python's where no size is given and the dtype is Python's int or bool."""
    target = as_dtype(dtype)
    if target is None:
        target = torch.float64
    if target.is_floating_point or target.is_complex:
        raise TypeError(f"Unsupported dtype dtype('{str(target)[6:]}') for {'randint' if masked else 'integers'}")
    if high is None:
        low, high = 0, low
    width = 1 if target is torch.bool else target.itemsize * 8
    first, last = _scalar(low, size), _scalar(high, size)
    if first is not None and last is not None:
        start, span = _range(first, last, target, endpoint)
        shape = () if size is None else as_shape(size)
        if size is None and width >= 32:
            value = start + bounded.one(bits, span, masked)
            return dtype(value) if dtype is int else torch.tensor(value, dtype=target, device=CPU)
        found = bounded.many(bits, width, span, math.prod(shape), masked) + signed64(start & (1 << 64) - 1)
        result = _cast(found, target).reshape(shape)
        return dtype(result.item()) if size is None and dtype in (int, bool) else result
    lows, highs = asarray(low).to(CPU), asarray(high).to(CPU)
    shape = broadcast_shape(size, lows.shape, highs.shape)
    columns = (x.expand(shape).reshape(-1).tolist() for x in (lows, highs))
    ranges = [_range(math.ceil(a), math.floor(b), target, endpoint) for a, b in zip(*columns, strict=True)]
    drawn = bounded.elementwise(bits, width, [span for _, span in ranges], masked)
    values = [start + value for (start, _), value in zip(ranges, drawn, strict=True)]
    return torch.tensor(values, dtype=target, device=CPU).reshape(shape)


def _range(low: int, high: int, dtype: torch.dtype, endpoint: bool) -> tuple[int, int]:
    """The first integer and the distance to the last."""
    least, most = (0, 1) if dtype is torch.bool else (torch.iinfo(dtype).min, int(torch.iinfo(dtype).max))
    last = high if endpoint else high - 1
    name = str(dtype)[6:]
    if low < least:
        raise ValueError(f"low is out of bounds for {name}")
    if last > most:
        raise ValueError(f"high is out of bounds for {name}")
    if low > last:
        raise ValueError("high <= 0" if low == 0 and not endpoint else "low > high" if endpoint else "low >= high")
    return low, last - low


def _cast(found: Tensor, dtype: torch.dtype) -> Tensor:
    return found.view(torch.uint64) if dtype is torch.uint64 else found.to(dtype)


def _scalar(bound: Any, size: Any) -> int | None:
    """Give a bound as an integer if it is a single number (or, with a size, an array of one element)."""
    if isinstance(bound, (int, float)):
        return int(bound)
    array = asarray(bound)
    return int(array.item()) if array.numel() == 1 and (size is not None or array.ndim == 0) else None
