"""Memory that objects show to others: Python's buffers, and NumPy's array interface."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._promotion import Tensor, as_dtype

INTERFACES = ("__array_interface__", "__array_struct__")


def shows_memory(x: Any) -> bool:
    """Tell whether what is made of an object may lie over its memory."""
    return isinstance(x, memoryview) or any(hasattr(x, name) for name in ("__array__", *INTERFACES))


def of_buffer(x: memoryview) -> Tensor:
    """The tensor over a buffer; a copy where it is read-only or has gaps."""
    found = as_dtype(x.format)
    assert found is not None and x.shape is not None
    if x.readonly or not x.c_contiguous or not x.nbytes:
        return torch.tensor(x.tolist(), dtype=found).reshape(x.shape)
    return torch.frombuffer(x.cast("B"), dtype=found).reshape(x.shape)


def by_interface(x: Any) -> Any:
    """The ndarray over the memory that an object shows by NumPy's array interface; None of one that shows none."""
    if isinstance(x, type) or not any(hasattr(x, name) for name in INTERFACES):
        return None
    try:
        import numpy
    except ImportError:
        return None
    return numpy.asarray(x)
