"""Arrays read from iterators, buffers and text."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import torch

from np2torch.shim._core import DTypeLike, normalized
from np2torch.shim._core import asarray as to_tensor
from np2torch.shim._promotion import FLOAT64, Tensor, kind


@normalized
def fromiter(iter: Iterable[Any], dtype: DTypeLike, count: int = -1, *, like: Any = None) -> Tensor:
    """A one-dimensional tensor of the items of an iterable."""
    items = list(iter) if count < 0 else list(itertools.islice(iter, count))
    if len(items) < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(items)} items.")
    return to_tensor(items, dtype)


@normalized
def frombuffer(
    buffer: Any, dtype: DTypeLike = FLOAT64, count: int = -1, offset: int = 0, *, like: Any = None
) -> Tensor:
    """A tensor of the bytes of a buffer; shares its memory where it is writable, as in NumPy."""
    found = dtype or FLOAT64
    view = memoryview(buffer)
    size = view.nbytes - offset
    if offset < 0 or size < 0:
        raise ValueError(f"offset must be non-negative and no greater than buffer length ({view.nbytes})")
    if count < 0 and size % found.itemsize:
        raise ValueError("buffer size must be a multiple of element size")
    if count * found.itemsize > size:
        raise ValueError("buffer is smaller than requested size")
    if size == 0 or count == 0:
        return torch.empty(0, dtype=found)
    if view.readonly:  # torch has no read-only tensors and warns about them
        view = memoryview(bytearray(view))
    return torch.frombuffer(view, dtype=found, count=count, offset=offset)  # the view keeps the buffer from moving


@normalized
def fromstring(string: Any, dtype: DTypeLike = FLOAT64, count: int = -1, *, sep: str, like: Any = None) -> Tensor:
    """Numbers in a text, `sep` between them; the binary mode of old (an empty `sep`) is `frombuffer`."""
    found = dtype or FLOAT64
    if sep == "":
        raise ValueError("The binary mode of fromstring is removed, use frombuffer instead")
    text = string.decode("latin1") if isinstance(string, (bytes, bytearray)) else string
    mark = sep.strip()
    items = text.split(mark) if mark else text.split()
    if mark and items and not items[-1].strip():
        items.pop()
    parse = (int, int, float, complex)[kind(found)]
    try:
        values = [parse(item) for item in items]
    except ValueError:
        raise ValueError("string or file could not be read to its end due to unmatched data") from None
    return to_tensor(values if count < 0 else values[:count], found)
