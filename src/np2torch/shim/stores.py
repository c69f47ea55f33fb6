"""Places that store as NumPy does, and functions of Python's that store into a sequence."""

from __future__ import annotations

from typing import Any

from np2torch.shim._promotion import Tensor
from np2torch.shim.interop import is_foreign
from np2torch.shim.subscript import getitem, setitem

__all__ = ["target"]


class _Target:
    """A tensor whose items are set by NumPy's rules."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    def __getitem__(self, index: Any) -> Any:
        return getitem(self._tensor, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        setitem(self._tensor, index, value)


def target(x: Any) -> Any:
    """`x` as the target of a store: `shim.target(x)[1:], n = x[:-1], 3`.

    What is stored in a tensor is cast to its dtype, may be a list and may overlap it. Anything else is returned as it
    is.
    """
    return _Target(x) if isinstance(x, Tensor) or is_foreign(x) else x
