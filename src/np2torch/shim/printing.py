"""Text that is made elsewhere of what NumPy writes otherwise: by a template, a writer of tables."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import torch

from np2torch.shim._promotion import Tensor
from np2torch.shim._subclass_propagation import Derived
from np2torch.shim.interop import mapped
from np2torch.shim.protocols import representation, text

__all__ = ["printable"]


def printable(x: Any) -> Any:
    """Tensors anywhere in containers as objects that are written as NumPy writes them; a tensor is one itself."""
    return mapped(x, _printed)


def _printed(leaf: Any) -> Any:
    if isinstance(leaf, torch.Size):
        return tuple(leaf)
    return Printed(leaf) if isinstance(leaf, Tensor) and not isinstance(leaf, Derived) else leaf


class Printed:
    """A tensor as a template asks for it: by `%s`, `%r`, `%d`, `{:.2f}`, `{0[1]}` or `{0.shape}`."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def __str__(self) -> str:
        return text(self._tensor)

    def __repr__(self) -> str:
        return representation(self._tensor)

    def __format__(self, spec: str) -> str:
        if not self._tensor.ndim:
            return format(self._tensor.item(), spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return text(self._tensor)

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __index__(self) -> int:
        if self._tensor.ndim or self._tensor.dtype is torch.bool:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        found: Any = self._tensor.item()
        return operator.index(found)

    def _number(self) -> Any:
        if self._tensor.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        number = self._tensor.item()
        return number.real if isinstance(number, complex) else number  # NumPy drops the other part with a warning

    def __getitem__(self, index: Any) -> Any:
        return printable(self._tensor[index])

    def __iter__(self) -> Iterator[Any]:
        return map(printable, self._tensor)

    def __getattr__(self, name: str) -> Any:
        return printable(getattr(self._tensor, name))
