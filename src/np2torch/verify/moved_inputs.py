"""The inputs of a call moved by last bits, as they are packed: so it goes for drawn and for recorded ones."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from np2torch.verify.encode import Encoded, PackedValues

IN_DOUBLE = {"float16": "float64", "float32": "float64", "complex64": "complex128"}
"""The dtypes of double precision that hold the numbers of others."""
AS_FLOATS = {"bool": "float16", "int8": "float16", "uint8": "float16", "int16": "float32", "uint16": "float32"}
"""The dtypes of the results of functions such as `np.sqrt` for integers and bools."""
CONTAINERS = ("tuple", "list", "set", "frozenset", "iterator", "named", "things")
Change = Callable[[Any], Any]


def move_floats(packed: PackedValues, change: Change) -> PackedValues:
    """Packed values with each array of floats, each NumPy scalar and each float changed; what shares memory still does.

    Parameters
    ----------
    change
        Gives another array, or number, of the same kind.
    """
    mover = _Mover(packed.buffers, change)
    values = [mover(value) for value in packed.values]
    return PackedValues(values, mover.buffers)


def as_floats(packed: PackedValues, are_all: bool = False) -> PackedValues | None:
    """The same with float64 in place of integers and bools, so that these can be moved too; None where there are none.

    Parameters
    ----------
    are_all
        Whether numbers of Python's are converted that stand alone, as well as arrays and the items of lists.
    """
    buffers = list(packed.buffers)

    def convert(value: Encoded, is_item: bool = False) -> Encoded:
        if value[0] == "array" and np.dtype(value[2]).kind in "iub":
            buffers.append(_array_of(value, packed.buffers).astype("f8").tobytes())
            return ["array", value[1], "float64", value[3], len(buffers) - 1, 0, []]
        if value[0] == "int" and are_all or value[0] in ("int", "bool") and is_item:
            return ["float", float(value[1])]
        return [value[0], [convert(item, True) for item in value[1]]] if value[0] in ("tuple", "list") else value

    values = [convert(value) for value in packed.values]
    return PackedValues(values, buffers) if values != packed.values else None


def with_dtypes(packed: PackedValues, dtypes: Mapping[str, str]) -> PackedValues | None:
    """The same numbers in arrays of other dtypes; None where no array has one of those that are mapped."""
    buffers = list(packed.buffers)

    def convert(value: Encoded) -> Encoded:
        if value[0] == "array" and value[2] in dtypes:
            buffers.append(_array_of(value, packed.buffers).astype(dtypes[value[2]]).tobytes())
            return ["array", value[1], dtypes[value[2]], value[3], len(buffers) - 1, 0, []]
        return [value[0], [convert(item) for item in value[1]]] if value[0] in ("tuple", "list") else value

    values = [convert(value) for value in packed.values]
    return PackedValues(values, buffers) if values != packed.values else None


def in_memory_apart(packed: PackedValues) -> PackedValues | None:
    """The same with memory of its own for each array, so that each is moved by itself; None where none is shared."""
    buffers = list(packed.buffers)
    seen: list[int] = []

    def convert(value: Encoded) -> Encoded:
        if value[0] == "array":
            seen.append(value[4])
            buffers.append(_array_of(value, packed.buffers).tobytes())
            return [*value[:4], len(buffers) - 1, 0, []]
        return [value[0], [convert(item) for item in value[1]]] if value[0] in ("tuple", "list") else value

    values = [convert(value) for value in packed.values]
    return PackedValues(values, buffers) if len(set(seen)) < len(seen) else None


def _array_of(value: Encoded, buffers: list[bytes]) -> np.ndarray[Any, Any]:
    """The array that an encoded one is."""
    _, _, dtype, shape, buffer, offset, strides, *_ = value
    return np.ndarray(shape, dtype, np.frombuffer(buffers[buffer], np.uint8), offset, strides or None)


def as_scalars(packed: PackedValues) -> PackedValues | None:
    """The same with NumPy scalars in place of arrays without axes; None where there are none."""

    def convert(value: Encoded) -> Encoded:
        if value[0] == "array" and value[3] == []:
            _, _, dtype, _, buffer, offset, *_ = value
            data = packed.buffers[buffer][offset : offset + np.dtype(dtype).itemsize]
            return ["scalar", dtype, base64.b64encode(data).decode()]
        return [value[0], [convert(item) for item in value[1]]] if value[0] in ("tuple", "list") else value

    values = [convert(value) for value in packed.values]
    return PackedValues(values, packed.buffers) if values != packed.values else None


class _Mover:
    def __init__(self, buffers: list[bytes], change: Change) -> None:
        self.buffers = list(buffers)
        self.change = change
        self.done: set[int] = set()

    def __call__(self, value: Encoded) -> Encoded:
        match value[0]:
            case "array":
                self._array(value[2], value[4], value[5])
                return value
            case "float":
                return ["float", self.change(value[1])]
            case "scalar" if np.dtype(value[1]).kind in "fc":
                array = np.frombuffer(base64.b64decode(value[2]), value[1])
                return ["scalar", value[1], base64.b64encode(self.change(array).tobytes()).decode()]
            case "object":
                return [*value[:4], [[name, self(item)] for name, item in value[4]]]
            case "dict":
                return ["dict", [[key, self(item)] for key, item in value[1]]]
            case kind if kind in CONTAINERS:
                return [*value[:-1], [self(item) for item in value[-1]]]
        return value

    def _array(self, dtype: str, buffer: int, offset: int) -> None:
        """Change the memory of an array, once."""
        size = np.dtype(dtype).itemsize
        if np.dtype(dtype).kind not in "fc" or buffer in self.done or offset % size:
            return
        self.done.add(buffer)
        data = self.buffers[buffer]
        whole = len(data) // size * size
        array = np.frombuffer(data[:whole], dtype)
        self.buffers[buffer] = self.change(array).astype(dtype).tobytes() + data[whole:]
