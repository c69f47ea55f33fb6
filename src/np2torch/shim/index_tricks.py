"""NumPy's objects that are subscripted: `r_`, `c_`, `s_`, `index_exp`, `mgrid`, `ogrid`; and `ix_`."""

from __future__ import annotations

import math
from typing import Any

import torch

from np2torch.shim._core import asarray
from np2torch.shim._errors import NoCounterpart
from np2torch.shim._joining import concatenate
from np2torch.shim._numpy_fallback import numpy_itself
from np2torch.shim._promotion import BOOL, INT64, PYTHON_DTYPES, Tensor, result_dtype
from np2torch.shim._ranges import arange, linspace
from np2torch.shim.interop import from_numpy, to_numpy

__all__ = ["c_", "index_exp", "ix_", "mgrid", "ogrid", "r_", "s_"]


def ix_(*args: Any) -> tuple[Tensor, ...]:
    """Index tensors of an open mesh; masks become positions."""
    found = []
    for at, item in enumerate(args):
        x = asarray(item)
        if x.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if x.numel() == 0 and not isinstance(item, Tensor):
            x = x.to(INT64)
        if x.dtype is BOOL:
            x = x.nonzero().reshape(-1)
        found.append(x.reshape([-1 if axis == at else 1 for axis in range(len(args))]))
    return tuple(found)


class _Subscript:
    """The subscript itself; `maketuple` wraps a single one."""

    def __init__(self, maketuple: bool) -> None:
        self.maketuple = maketuple

    def __getitem__(self, item: Any) -> Any:
        return (item,) if self.maketuple and not isinstance(item, tuple) else item


s_ = _Subscript(maketuple=False)
index_exp = _Subscript(maketuple=True)


def _ends(item: slice) -> tuple[Any, Any]:
    """Give the start and the step of a slice."""
    return 0 if item.start is None else item.start, 1 if item.step is None else item.step


def _counts(step: Any) -> bool:
    """Tell whether a step is imaginary, which is a number of points; so are scalars of complex dtypes."""
    return isinstance(step, complex) or isinstance(step, Tensor) and step.is_complex()


class _Grid:
    """Grids written as slices; an imaginary step is a number of points, the end included."""

    def __init__(self, sparse: bool) -> None:
        self.sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._line(key)
        sizes: list[int] = []
        steps: list[Any] = []
        operands: list[Any] = [0]
        for item in key:
            start, step = _ends(item)
            if _counts(step):
                operands += [start, item.stop, abs(step)]
                sizes.append(int(abs(step)))
                steps.append((item.stop - start) / float(sizes[-1] - 1) if sizes[-1] != 1 else 1)
            else:
                operands += [start, item.stop, step]
                sizes.append(math.ceil((item.stop - start) / step))
                steps.append(step)
        dtype = result_dtype(*operands)
        lines = []
        for at, (item, size, step) in enumerate(zip(key, sizes, steps, strict=True)):
            line = torch.arange(max(size, 0)).to(dtype) * step + _ends(item)[0]
            lines.append(line.to(dtype).reshape([-1 if axis == at else 1 for axis in range(len(sizes))]))
        if self.sparse:
            return tuple(lines)
        return (
            torch.stack([line.expand([max(size, 0) for size in sizes]) for line in lines])
            if lines
            else torch.empty(0, dtype=INT64)
        )

    @staticmethod
    def _line(key: slice) -> Any:
        start, step = _ends(key)
        if not _counts(step):
            return arange(start, key.stop, step)
        size = int(abs(step))
        width = (key.stop - start) / float(size - 1) if size != 1 else size
        return arange(0, size, 1, dtype=result_dtype(start, key.stop, abs(step))) * width + start


mgrid = _Grid(sparse=False)
ogrid = _Grid(sparse=True)


class _Joiner:
    """Join arrays, numbers and slices by subscript, along an axis that a leading string may name."""

    def __init__(self, axis: int = 0, ndmin: int = 1, trans1d: int = -1) -> None:
        self.axis, self.ndmin, self.trans1d = axis, ndmin, trans1d

    def _directive(self, text: str) -> _Joiner:
        if text in ("r", "c"):
            raise TypeError("torch has no matrix class: np.r_['r', ...] and np.r_['c', ...] stay in NumPy")
        try:
            numbers = [int(part) for part in text.split(",")]
        except ValueError:
            raise ValueError(f"unknown special directive {text!r}") from None
        return _Joiner(*(numbers + [self.axis, self.ndmin, self.trans1d][len(numbers) :]))

    def __getitem__(self, key: Any) -> Tensor:
        items = key if isinstance(key, tuple) else (key,)
        if items and isinstance(items[0], str):
            return self._directive(items[0])[items[1:]]
        if any(isinstance(item, str) for item in items):
            raise ValueError("special directives must be the first entry.")
        try:
            return self._joined(items)
        except NoCounterpart:
            own = type(numpy_itself().r_).__mro__[1](self.axis, False, self.ndmin, self.trans1d)
            return from_numpy(own[to_numpy(items)])  # type: ignore[no-any-return]

    def _joined(self, items: tuple[Any, ...]) -> Tensor:
        values = [self._range(item) if isinstance(item, slice) else item for item in items]
        weak = [type(value) in PYTHON_DTYPES for value in values]
        arrays = [value if light else asarray(value) for value, light in zip(values, weak, strict=True)]
        dtype = result_dtype(*arrays) if arrays else None
        found: Tensor = concatenate([self._raised(asarray(x, dtype)) for x in arrays], axis=self.axis)
        return found

    @staticmethod
    def _range(item: slice) -> Any:
        start, step = _ends(item)
        return (
            linspace(start, item.stop, num=int(abs(step)))
            if _counts(step)
            else arange(start, item.stop, step)
        )

    def _raised(self, x: Tensor) -> Tensor:
        """Add axes of length 1 up to `ndmin`; the old axes begin at position `trans1d` of the new shape."""
        missing = self.ndmin - x.ndim
        if missing <= 0:
            return x
        if self.trans1d == -1:
            return x.reshape((1,) * missing + tuple(x.shape))
        at = self.trans1d + (missing + 1 if self.trans1d < 0 else 0)
        return x.reshape((1,) * at + tuple(x.shape) + (1,) * (missing - at))


r_ = _Joiner()
c_ = _Joiner(axis=-1, ndmin=2, trans1d=0)
