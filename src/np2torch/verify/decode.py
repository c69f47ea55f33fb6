"""Encoded values as one side knows them: NumPy's on the old side, torch's on the new one."""

from __future__ import annotations

import base64
import importlib
import inspect
from collections.abc import Callable
from types import MemberDescriptorType
from typing import Any

import numpy as np

from np2torch.verify import samples
from np2torch.verify.encode import Encoded, PackedValues
from np2torch.verify.standard import BY_NAME

ABSTRACT = (
    "generic",
    "number",
    "integer",
    "signedinteger",
    "unsignedinteger",
    "inexact",
    "floating",
    "complexfloating",
)
"""NumPy's abstract classes, which the shim has by the same names."""
SHIM = "np2torch.shim"
ON_NUMPY = frozenset(("scipy", "pandas", "sklearn", "skimage", "statsmodels", "xarray", "shapely"))
"""Libraries whose objects hold arrays of NumPy, on the new side too."""


class NotCarriedError(TypeError):
    """A value that has no known counterpart on this side."""


def unpack(packed: PackedValues, is_torch: bool, find: Callable[[str, str], Any], device: str = "cpu") -> list[Any]:
    """The values of one side.

    Parameters
    ----------
    is_torch
        Whether arrays are tensors, and NumPy's scalars tensors without axes.
    find
        Gives a function or class of this side by module and name.
    device
        Where tensors lie.

    Raises
    ------
    NotCarriedError
        Where a value has no counterpart on this side.
    """
    decoder = _TorchDecoder(packed.buffers, find, device) if is_torch else _Decoder(packed.buffers, find)
    return [decoder(value) for value in packed.values]


class _Decoder:
    """Decodes for NumPy."""

    def __init__(self, buffers: list[bytes], find: Callable[[str, str], Any]) -> None:
        self.memory = [bytearray(one) for one in buffers]
        self.roots: dict[Any, Any] = {}
        self.find = find
        self.objects: list[Any] = []
        """Lists, dicts and objects in the order of their beginnings, as they were counted when they were encoded."""

    def __call__(self, value: Encoded) -> Any:
        method = getattr(self, f"_{value[0]}", None)
        if method is None:
            raise NotCarriedError(f"{value[0]} {value[-1] if len(value) > 1 else ''} has no known counterpart".strip())
        return method(*value[1:])

    def _none(self) -> None:
        return None

    def _ellipsis(self) -> Any:
        return ...

    def _plain(self, value: Any) -> Any:
        return value

    _bool = _str = _plain

    def _int(self, value: Any) -> int:
        return int(value)

    def _float(self, value: Any) -> float:
        return float(value)

    def _complex(self, real: float, imaginary: float) -> complex:
        return complex(real, imaginary)

    def _bytes(self, text: str) -> bytes:
        return base64.b64decode(text)

    def _slice(self, *parts: Encoded) -> slice:
        return slice(*map(self, parts))

    def _range(self, *parts: Encoded) -> range:
        return range(*map(self, parts))

    def _tuple(self, items: list[Encoded]) -> tuple[Any, ...]:
        return tuple(map(self, items))

    def _list(self, items: list[Encoded]) -> list[Any]:
        new: list[Any] = []
        self.objects.append(new)
        new.extend(map(self, items))
        return new

    def _iterator(self, items: list[Encoded]) -> Any:
        return (item for item in list(map(self, items)))

    def _set(self, items: list[Encoded]) -> set[Any]:
        return set(map(self, items))

    def _frozenset(self, items: list[Encoded]) -> frozenset[Any]:
        return frozenset(map(self, items))

    def _dict(self, pairs: list[list[Encoded]]) -> dict[Any, Any]:
        new: dict[Any, Any] = {}
        self.objects.append(new)
        new.update((self(key), self(item)) for key, item in pairs)
        return new

    def _standard(self, name: str, text: str) -> Any:
        return BY_NAME[name].read(text)

    def _member(self, module: str, name: str, member: str) -> Any:
        return self.find(module, name)[member]

    def _named(self, module: str, name: str, items: list[Encoded]) -> Any:
        return self.find(module, name)(*map(self, items))

    def _class(self, module: str, name: str) -> Any:
        return self.find(module, name)

    def _sample(self, name: str) -> Any:
        return getattr(samples, name)

    def _function(self, module: str, name: str) -> Any:
        return self.find(module, name)

    def _things(self, dtype: str, shape: list[int], items: list[Encoded]) -> Any:
        if np.dtype(dtype).kind == "O":
            array = np.empty(len(items), dtype=object)
            array[:] = list(map(self, items))
            return array.reshape(shape)
        return np.array([item[1] for item in items]).astype(dtype).reshape(shape)

    def _array(
        self, name: str, dtype: str, shape: list[int], buffer: int, offset: int, strides: list[int], *_: Any
    ) -> Any:
        if name not in ("", "Tensor", "pandas"):
            raise NotCarriedError(f"{name} has no known counterpart")
        if buffer not in self.roots:
            self.roots[buffer] = np.frombuffer(self.memory[buffer], np.uint8)
        return np.ndarray(shape, dtype, self.roots[buffer], offset, strides or None)

    def _scalar(self, dtype: str, data: str) -> Any:
        return np.frombuffer(base64.b64decode(data), dtype)[0]

    def _generator(self, name: str, state: dict[str, Any]) -> Any:
        return _restored(np.random, name, state)

    def _dtype(self, name: str) -> Any:
        return getattr(np, name) if name in ABSTRACT else np.dtype(name).type if name != "bool" else np.bool_

    def _object(self, number: int, module: str, name: str, attributes: list[Any]) -> Any:
        made = self.find(module, name)
        new = object.__new__(made)
        self.objects.append(new)
        for key, item in attributes:
            if isinstance(inspect.getattr_static(made, key, None), MemberDescriptorType):
                object.__setattr__(new, key, self(item))
            else:
                vars(new)[key] = self(item)
        return new

    def _table(self, kind: str, items: list[Encoded]) -> Any:
        pandas = importlib.import_module("pandas")
        index, names, *columns = map(self, items)
        own = pandas.RangeIndex(index.start, index.stop, index.step) if isinstance(index, range) else index
        own = pandas.Index(own, name=names[0])
        if kind == "Series":
            return pandas.Series(columns[0], index=own, name=names[1])
        frame = pandas.DataFrame(dict(enumerate(columns)), index=own)
        frame.columns = pandas.Index(list(names[1:]))
        return frame

    def _again(self, number: int) -> Any:
        return self.objects[number]

    def _identity(self, number: int) -> int:
        return id(self.objects[number])


def _restored(library: Any, name: str, state: dict[str, Any]) -> Any:
    """A generator of random numbers of NumPy or of the shim, in a state."""
    words = {key: np.array(item, np.uint32) if key == "key" else item for key, item in state["state"].items()}
    state = {**state, "state": words}
    if name == "RandomState":
        found = library.RandomState()
        found.set_state(state)
        return found
    bits = getattr(library, state["bit_generator"])()
    bits.state = state
    return library.Generator(bits)


def _holds_numpy(value: Encoded) -> bool:
    """Tell whether a value is an object that holds arrays of NumPy on both sides."""
    return value[0] == "table" or value[0] == "object" and value[2].partition(".")[0] in ON_NUMPY


class _InsideDecoder(_Decoder):
    """Decodes what an object that holds NumPy's arrays holds; objects of others in it are those of the outer side."""

    def __init__(self, outer: _TorchDecoder, buffers: list[bytes]) -> None:
        super().__init__(buffers, outer.find)
        self.outer = outer
        self.memory, self.objects = outer.memory, outer.objects

    def __call__(self, value: Encoded) -> Any:
        is_inside = value[0] != "object" or _holds_numpy(value)
        return super().__call__(value) if is_inside else self.outer(value)


class _TorchDecoder(_Decoder):
    """Decodes for torch."""

    def __init__(self, buffers: list[bytes], find: Callable[[str, str], Any], device: str) -> None:
        super().__init__(buffers, find)
        self.device = device
        self.numpy = _InsideDecoder(self, buffers)

    def __call__(self, value: Encoded) -> Any:
        return self.numpy(value) if _holds_numpy(value) else super().__call__(value)

    def _array(
        self, name: str, dtype: str, shape: list[int], buffer: int, offset: int, strides: list[int], *_: Any
    ) -> Any:
        import torch

        plain = super()._array(name, dtype, shape, buffer, offset, strides)
        kind = getattr(torch, dtype)
        size = plain.itemsize
        if any(step < 0 for step in plain.strides) or offset % size or any(step % size for step in plain.strides):
            return torch.from_numpy(np.array(plain, order="C")).to(self.device)  # torch has no negative steps
        if not plain.size:
            return torch.from_numpy(plain.copy()).to(self.device)
        whole = len(self.memory[buffer]) // size * size
        key = buffer, dtype
        if key not in self.roots:
            root = torch.frombuffer(self.memory[buffer], dtype=kind, count=whole // size)
            self.roots[key] = root.to(self.device)
        return torch.as_strided(self.roots[key], shape, [step // size for step in plain.strides], offset // size)

    def _scalar(self, dtype: str, data: str) -> Any:
        import torch

        return torch.from_numpy(np.array(super()._scalar(dtype, data))).to(self.device)

    def _generator(self, name: str, state: dict[str, Any]) -> Any:
        return _restored(importlib.import_module(f"{SHIM}.random"), name, state)

    def _dtype(self, name: str) -> Any:
        import torch

        if name in ABSTRACT:
            return getattr(importlib.import_module(SHIM), name)
        found = getattr(torch, name, None)
        if not isinstance(found, torch.dtype):
            raise NotCarriedError(f"torch has no dtype {name}")
        return found

    def _function(self, module: str, name: str) -> Any:
        if module.partition(".")[0] != "numpy":
            return super()._function(module, name)
        found: Any = importlib.import_module(SHIM)
        for part in [*module.split(".")[1:], *name.split(".")]:
            found = getattr(found, part, None) if not part.startswith("_") else found
        if found is None:
            raise NotCarriedError(f"numpy's {name} has no known counterpart")
        return found
