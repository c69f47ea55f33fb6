"""`ndindex`, `ndenumerate`, `broadcast` and `nditer`: element after element, each a 0-D tensor."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

import torch

from np2torch.shim._core import as_shape, asarray
from np2torch.shim._layout import broadcast_shape
from np2torch.shim._promotion import Tensor, as_dtype
from np2torch.shim._read_only import is_frozen
from np2torch.shim.interop import to_numpy

MOST_ARRAYS = 64
"""How many arrays NumPy broadcasts together at most."""


class ndindex:
    """The index tuples of a shape, in row-major order."""

    def __init__(self, *shape: Any) -> None:
        lengths = as_shape(shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, Tensor)) else shape)
        if any(length < 0 for length in lengths):
            raise ValueError("negative dimensions are not allowed")
        self._indices = itertools.product(*map(range, lengths))

    def __iter__(self) -> ndindex:
        return self

    def __next__(self) -> tuple[int, ...]:
        return next(self._indices)


class ndenumerate:
    """Pairs of index tuple and element, which is a copy."""

    def __init__(self, arr: Any) -> None:
        self._array = asarray(arr)
        self._indices = itertools.product(*map(range, self._array.shape))

    def __iter__(self) -> ndenumerate:
        return self

    def __next__(self) -> tuple[tuple[int, ...], Tensor]:
        index = next(self._indices)
        return index, self._array[index].clone()


class broadcast:
    """Arrays broadcast together: their common shape, and an iterator over tuples of the elements at the same position.

    Attributes
    ----------
    shape, size, ndim, nd
        Of the arrays broadcast together.
    numiter
        How many arrays there are.
    index
        How many tuples were given so far.
    """

    def __init__(self, *args: Any) -> None:
        self._arrays: list[Tensor] = []
        for x in args:  # what was broadcast before takes part with its arrays
            self._arrays += x._arrays if isinstance(x, broadcast) else [asarray(x)]
        if len(self._arrays) > MOST_ARRAYS:
            raise ValueError(f"Need at least 0 and at most {MOST_ARRAYS} array objects.")
        self.shape = tuple(broadcast_shape(*(x.shape for x in self._arrays)))
        self.nd = self.ndim = len(self.shape)
        self.size, self.numiter = math.prod(self.shape), len(self._arrays)
        self._views = [x.expand(self.shape) for x in self._arrays]
        self.reset()

    def reset(self) -> None:
        """Back to the first elements."""
        self._indices, self.index = itertools.product(*map(range, self.shape)), 0

    @property
    def iters(self) -> tuple[Iterator[Tensor], ...]:
        """An iterator over the elements of each array, as often as they meet others."""
        return tuple(iter(view.reshape(-1)) for view in self._views)

    def __iter__(self) -> broadcast:
        return self

    def __next__(self) -> tuple[Tensor, ...]:
        index = next(self._indices)
        self.index += 1
        return tuple(view[index].clone() for view in self._views)


def _operands(arrays: list[Tensor | None], shape: tuple[int, ...], op_dtypes: Any) -> tuple[Tensor, ...]:
    """The arrays in the dtypes that are asked for, and new ones where there is none."""
    dtypes = op_dtypes if isinstance(op_dtypes, (list, tuple)) else [op_dtypes] * len(arrays)
    known = next(x for x in arrays if x is not None)
    new = [torch.zeros(shape, dtype=as_dtype(d) or known.dtype, device=known.device) for d in dtypes]
    return tuple(
        fresh if x is None else x if d is None else x.to(as_dtype(d))
        for x, fresh, d in zip(arrays, new, dtypes, strict=True)
    )


def _refuse_to_write(arrays: list[Tensor | None], op_flags: Any) -> None:
    """Raise where flags, of all operands or of each, say that one is written that is read-only."""
    each = [op_flags] * len(arrays) if all(isinstance(one, str) for one in op_flags) else op_flags
    for x, words in zip(arrays, each, strict=False):
        if x is not None and is_frozen(x) and not {"readwrite", "writeonly"}.isdisjoint(words):
            raise ValueError("operand array with iterator write flag set is read-only")


class nditer:
    """Iteration over one array or several broadcast ones; elements are views, so `x[...] = v` writes.

    Of NumPy's flags `multi_index`, `c_index`, `f_index` and `external_loop` do something; buffering and the like are
    accepted. An operand that is None is allocated. What arrays of objects or text give is NumPy's.
    """

    def __new__(cls, op: Any, *args: Any, **kwargs: Any) -> Any:
        """One of these, or NumPy's own for what no tensor holds."""
        given = op if isinstance(op, (list, tuple)) else [op]
        kept = [x for x in given if hasattr(x, "__array__") and not isinstance(x, Tensor) and x.dtype.kind in "OSUMmV"]
        if not kept:
            return super().__new__(cls)
        return sys.modules["numpy"].nditer(to_numpy(op), *args, **kwargs)

    def __init__(
        self, op: Any, flags: Sequence[str] | None = None, op_flags: Any = None, op_dtypes: Any = None,
        order: str = "K", casting: str = "safe", op_axes: Any = None, itershape: Any = None, buffersize: int = 0,
    ) -> None:  # fmt: skip
        if op_axes is not None:
            raise NotImplementedError("np2torch's nditer knows no op_axes")
        given = list(op) if isinstance(op, (list, tuple)) else [op]  # of numbers too: each is an operand
        if not given:
            raise ValueError("Must provide at least one operand")
        arrays = [x if x is None else asarray(x) for x in given]
        _refuse_to_write(arrays, op_flags or [])
        shapes = [x.shape for x in arrays if x is not None]
        shape = tuple(as_shape(itershape)) if itershape is not None else broadcast_shape(*shapes)
        self.operands = _operands(arrays, shape, op_dtypes)
        self._views = [x.expand(shape) for x in self.operands]
        self.shape, self.ndim, self.nop = shape, len(shape), len(arrays)
        self.itersize = math.prod(shape)
        if self.itersize == 0 and "zerosize_ok" not in (flags or ()):
            raise ValueError("Iteration of zero-sized operands is not enabled")
        self._flags, self._axes = set(flags or ()), self._order(order)
        self.has_multi_index = "multi_index" in self._flags
        self.reset()

    def _order(self, order: str) -> list[int]:
        """The axes, the slowest first."""
        if order == "F":
            return list(range(self.ndim))[::-1]
        if order == "C":
            return list(range(self.ndim))
        return sorted(range(self.ndim), key=lambda axis: [-x.stride()[axis] for x in self._views])

    def _indices(self) -> Iterator[tuple[int, ...]]:
        for index in itertools.product(*(range(self.shape[axis]) for axis in self._axes)):
            yield tuple(index[self._axes.index(axis)] for axis in range(self.ndim))

    def reset(self) -> None:
        """Back to the first element."""
        self._left, self.iterindex = self._indices(), 0
        self.multi_index = next(self._left, ())
        self.finished = self.itersize == 0

    def iternext(self) -> bool:
        """On to the next element; False behind the last one."""
        index = next(self._left, None)
        if index is None:
            self.finished = True
            return False
        self.multi_index, self.iterindex = index, self.iterindex + 1
        return True

    @property
    def index(self) -> int:
        """The flat position, columns first with the flag `f_index`."""
        axes = range(self.ndim) if "f_index" in self._flags else range(self.ndim)[::-1]
        found, weight = 0, 1
        for axis in axes:
            found += self.multi_index[axis] * weight
            weight *= self.shape[axis]
        return found

    @property
    def value(self) -> Any:
        """The current element, or a tuple of them."""
        found = tuple(self[at] for at in range(self.nop))
        return found[0] if self.nop == 1 else found

    def __getitem__(self, at: int) -> Tensor:
        place: tuple[Any, ...] = (*self.multi_index, ...)
        return self._views[at][place]

    def __setitem__(self, at: int, value: Any) -> None:
        self._views[at][self.multi_index] = value

    def __len__(self) -> int:
        return self.itersize

    def __iter__(self) -> Iterator[Any]:
        if "external_loop" in self._flags:
            found = tuple(view.permute(self._axes).reshape(-1) for view in self._views)
            yield found[0] if self.nop == 1 else found
            return
        while not self.finished:
            yield self.value
            self.iternext()

    def __enter__(self) -> nditer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the iterator; nothing is buffered, so nothing is written back."""
