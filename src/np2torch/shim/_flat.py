"""`ndarray.flat`: an iterator over the elements that also reads and writes by flat index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from np2torch.shim._layout import element
from np2torch.shim._promotion import Tensor
from np2torch.shim.subscript import getitem, setitem


class FlatIter:
    """`numpy.flatiter`: reading gives copies, writing goes through to the array and repeats short values."""

    def __init__(self, base: Tensor) -> None:
        self.base = base
        self.index = 0

    def _values(self) -> Tensor:
        return self.base.reshape(-1)

    def __len__(self) -> int:
        return self.base.numel()

    def __iter__(self) -> Iterator[Tensor]:
        return self

    def __next__(self) -> Tensor:
        if self.index >= len(self):
            raise StopIteration
        found = self._values()[self.index].clone()
        self.index += 1
        return found

    @property
    def coords(self) -> tuple[int, ...]:
        """The index of the next element."""
        found, rest = [], self.index
        for size in reversed(self.base.shape):
            rest, at = divmod(rest, size)
            found.append(at)
        return tuple(reversed(found))

    def __getitem__(self, index: Any) -> Tensor:
        found: Tensor = getitem(self._values(), index)
        return found.clone()

    def __setitem__(self, index: Any, value: Any) -> None:
        places = getitem(torch.arange(len(self), device=self.base.device), index)
        new = element(value, self.base).reshape(-1)
        if places.numel() and not new.numel():
            raise ValueError("Error setting single item of array.")
        if places.numel():
            new = new.repeat(-(-places.numel() // new.numel()))[: places.numel()]
        flat = self._values().clone()
        setitem(flat, places.reshape(-1), new)
        self.base.copy_(flat.reshape(self.base.shape))

    def copy(self) -> Tensor:
        """The elements as a new 1-D tensor."""
        return self._values().clone()

    __np2torch_tensor__ = copy

    def __eq__(self, other: Any) -> Any:
        return self._values() == (other._values() if isinstance(other, FlatIter) else other)

    __hash__ = None  # type: ignore[assignment]
