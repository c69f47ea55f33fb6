"""`numpy.typing`'s names for annotations."""

from typing import Any, TypeAlias

import torch

ArrayLike: TypeAlias = Any
"""Anything the shim's functions take for an array."""
DTypeLike: TypeAlias = Any
"""Anything they take for a dtype."""
NDArray: TypeAlias = torch.Tensor
"""An array."""
__all__ = ["ArrayLike", "DTypeLike", "NDArray"]
