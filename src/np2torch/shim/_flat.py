"""`ndarray.flat`: an iterator over the elements that also reads and writes by flat index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from np2torch.shim._core import asarray
from np2torch.shim._errors import deprecated
from np2torch.shim._layout import element
from np2torch.shim._promotion import Tensor, kind
from np2torch.shim.subscript import getitem, setitem

WRONG = "only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are valid indices"
BOOLS = "boolean indices for iterators are not supported because of previous behavior that was confusing"
OLD = "Invalid non-array indices for iterator objects are deprecated and will be removed in a future version."
ZERO_D = "Indexing flat iterators with a 0-dimensional boolean index is deprecated and may be removed in a future."


def _read(index: Any, size: int) -> Any:
    """An index as the elements in one line take it; flat iterators refuse much of what arrays take.

    Raises
    ------
    IndexError
        For None, several indices, bools in lists and tuples, arrays of floats, masks of another shape.
    """
    if isinstance(index, tuple):
        if len(index) > 1:
            dots = any(item is Ellipsis or item is None for item in index)
            raise IndexError(WRONG if dots else TOO_MANY.format(len(index)))
        index = list(index) if index and isinstance(index[0], bool) else index[0] if index else ...
    if index is Ellipsis or isinstance(index, slice):
        return index
    if index is None or isinstance(index, (str, bytes)):
        raise IndexError(WRONG)
    found = asarray(index)
    is_array = isinstance(index, Tensor) or hasattr(index, "__array__")
    if found.dtype is torch.bool:
        return _mask(found, size, is_array)
    if kind(found.dtype) != 1:
        found = _whole(found, is_array)
    return found if found.ndim else int(found)


TOO_MANY = "too many indices for flat iterator: flat iterator is 1-dimensional, but {} were indexed"


def _mask(found: Tensor, size: int, is_array: bool) -> Any:
    """Check a mask; one bool is all or nothing of the first element."""
    if not found.ndim:
        deprecated(ZERO_D)
        return 0 if bool(found) else slice(0, 0)
    if not is_array:
        raise IndexError(BOOLS)
    if found.ndim > 1:
        raise IndexError(TOO_MANY.format(found.ndim))
    if len(found) != size:
        said = f"size of axis is {size} but size of corresponding boolean axis is {len(found)}"
        raise IndexError(f"boolean index did not match indexed flat iterator along axis 0; {said}")
    return found


def _whole(found: Tensor, is_array: bool) -> Tensor:
    """Make whole numbers of the floats in a list, which NumPy still takes."""
    if is_array:
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if found.numel():
        deprecated(OLD)
    return found.to(torch.int64)


class FlatIter:
    """`numpy.flatiter`: reading gives copies, writing goes through to the array and repeats short values."""

    def __init__(self, base: Tensor) -> None:
        self.base = base
        self.index = 0
        self._line: Tensor | None = None

    def _values(self) -> Tensor:
        return self.base.reshape(-1)

    def __len__(self) -> int:
        return self.base.numel()

    def __iter__(self) -> Iterator[Tensor]:
        return self

    def __next__(self) -> Tensor:
        if self.index >= self.base.numel():
            raise StopIteration
        if self._line is None and self.base.is_contiguous():
            self._line = self.base.view(-1)  # in one memory with the array, which may be written between two elements
        found = self.base[self.coords] if self._line is None else self._line[self.index]
        self.index += 1
        return found.clone()

    @property
    def coords(self) -> tuple[int, ...]:
        """The index of the next element."""
        found, rest = [], self.index
        for size in reversed(self.base.shape):
            rest, at = divmod(rest, size)
            found.append(at)
        return tuple(reversed(found))

    def __getitem__(self, index: Any) -> Tensor:
        values = self._values()
        found: Tensor = getitem(values, _read(index, len(self)))
        return found.clone()

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, tuple) and (not index or index == (Ellipsis,)):
            raise IndexError("Assigning to a flat iterator with a 0-D index is not supported")
        places = getitem(torch.arange(len(self), device=self.base.device), _read(index, len(self)))
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
