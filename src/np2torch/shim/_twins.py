"""Pairs of an ndarray and a tensor that stand for one array of the program: each crosses the border as the other.

A pair lasts while both live. It keeps what the other kind cannot hold: that the array is the same object, its class,
its order of bytes, and that it is read-only.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from np2torch.shim._promotion import Tensor


class Twins(NamedTuple):
    """A pair.

    Attributes
    ----------
    outline
        Memory, shape and strides when they were paired: one that was given others is another array since.
    is_shared
        Whether they share memory; of a copy only the tensor leads to the ndarray, as long as both hold the same.
    """

    tensor: Callable[[], Tensor | None]
    array: Callable[[], Any]
    outline: tuple[object, ...]
    is_shared: bool


_PAIRS: dict[int, Twins] = {}
"""By the identity of the tensor, and of the ndarray where memory is shared."""


def pair(tensor: Tensor, array: Any, is_shared: bool) -> None:
    """Remember that a tensor and an ndarray with axes are the same."""
    of_tensor, of_array = id(tensor), id(array)
    weak = weakref.ref(tensor, functools.partial(_forget, _PAIRS, of_tensor))
    if not is_shared:
        _PAIRS[of_tensor] = Twins(weak, lambda: array, _outline(tensor, array), is_shared)
        return
    other = weakref.ref(array, functools.partial(_forget, _PAIRS, of_array))
    _PAIRS[of_tensor] = _PAIRS[of_array] = Twins(weak, other, _outline(tensor, array), is_shared)


def _forget(pairs: dict[int, Twins], key: int, _: object) -> None:
    pairs.pop(key, None)


def _outline(tensor: Tensor, array: Any) -> tuple[object, ...]:
    return tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype, array.shape, array.strides, array.dtype


def _paired(tensor: Tensor) -> tuple[Any, bool]:
    """The ndarray that a tensor is paired with, or None, and whether they share memory."""
    found = _PAIRS.get(id(tensor))
    array = found.array() if found is not None and found.tensor() is tensor else None
    if found is None or array is None or found.outline != _outline(tensor, array):
        return None, False
    return array, found.is_shared


def array_of(tensor: Tensor) -> Any:
    """The ndarray that a tensor is paired with; None where there is none, or the tensor was changed on its own."""
    array, is_shared = _paired(tensor)
    return array if is_shared or array is not None and holds_same(array, tensor) else None


def in_its_order(tensor: Tensor) -> Any:
    """An ndarray of the elements of a tensor, in the order of bytes that was asked for where it was made."""
    asked = _asked_dtype(tensor)
    found = tensor.numpy(force=True)
    return found if asked is None or asked.isnative else found.astype(asked)


def is_swapped(tensor: Tensor) -> bool:
    """Tell whether another order of bytes was asked for where a tensor was made."""
    asked = _asked_dtype(tensor)
    return asked is not None and not asked.isnative


def _asked_dtype(tensor: Tensor) -> Any:
    """NumPy's dtype of the ndarray that a tensor, or the one that it is a view of, is paired with; else None."""
    for one in (tensor, tensor._base):
        array = None if one is None or one.dtype is not tensor.dtype else _paired(one)[0]
        if array is not None:
            return array.dtype
    return None


def tensor_of(array: Any) -> Tensor | None:
    """The tensor over the memory of an ndarray that it is paired with, or None."""
    found = _PAIRS.get(id(array))
    if found is None or found.array() is not array:
        return None
    tensor = found.tensor()
    return tensor if tensor is not None and found.outline == _outline(tensor, array) else None


def holds_same(array: Any, tensor: Tensor) -> bool:
    """Tell whether an array and its tensor still hold the same bytes: neither has been written to since the copy."""
    native = array.astype(array.dtype.newbyteorder("="), order="C", subok=False)
    return bool(native.tobytes() == tensor.numpy(force=True).tobytes())
