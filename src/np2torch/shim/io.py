"""Boundaries to NumPy's files: `fromfile`, `loadtxt`, `savetxt`, `genfromtxt`, `load`, `save`, `savez`.

NumPy is imported when one of them is called, the only place in the shim; arrays cross without a copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch

from np2torch.shim._core import asarray
from np2torch.shim._promotion import Tensor

__all__ = ["fromfile", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez", "savez_compressed"]


def _array(x: Any) -> Any:
    """The ndarray over the memory of a tensor; anything else as it is."""
    return x.detach().resolve_conj().resolve_neg().cpu().numpy() if isinstance(x, Tensor) else x


def _tensor(x: Any) -> Any:
    """The tensor over the memory of an ndarray; strings, objects and records stay in NumPy."""
    kind = getattr(getattr(x, "dtype", None), "kind", None)
    return asarray(x) if kind is not None and kind in "biufc" else x


def _dtype(dtype: Any) -> Any:
    return str(dtype).removeprefix("torch.") if isinstance(dtype, torch.dtype) else dtype


def _read(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    import numpy

    if "dtype" in kwargs:
        kwargs["dtype"] = _dtype(kwargs["dtype"])
    args = args[:1] + tuple(_dtype(x) for x in args[1:2]) + args[2:]
    found = getattr(numpy, name)(*args, **kwargs)
    return type(found)(_tensor(x) for x in found) if isinstance(found, (list, tuple)) else _tensor(found)


def fromfile(*args: Any, **kwargs: Any) -> Any:
    """`numpy.fromfile`, as a tensor where the dtype is one of numbers."""
    return _read("fromfile", args, kwargs)


def loadtxt(*args: Any, **kwargs: Any) -> Any:
    """`numpy.loadtxt`, as a tensor where the dtype is one of numbers."""
    return _read("loadtxt", args, kwargs)


def genfromtxt(*args: Any, **kwargs: Any) -> Any:
    """`numpy.genfromtxt`, as a tensor where the dtype is one of numbers."""
    return _read("genfromtxt", args, kwargs)


def savetxt(fname: Any, X: Any, *args: Any, **kwargs: Any) -> None:
    """`numpy.savetxt` of a tensor."""
    import numpy

    numpy.savetxt(fname, _array(asarray(X)), *args, **kwargs)


def save(file: Any, arr: Any, allow_pickle: bool = True) -> None:
    """`numpy.save` of a tensor."""
    import numpy

    numpy.save(file, _array(arr), allow_pickle=allow_pickle)


def savez(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """`numpy.savez` of tensors."""
    import numpy

    numpy.savez(file, *map(_array, args), allow_pickle=allow_pickle, **{name: _array(x) for name, x in kwds.items()})


def savez_compressed(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """`numpy.savez_compressed` of tensors."""
    import numpy

    arrays = {name: _array(x) for name, x in kwds.items()}
    numpy.savez_compressed(file, *map(_array, args), allow_pickle=allow_pickle, **arrays)


class _Archive(Mapping[str, Any]):
    """An open .npz file whose arrays come out as tensors."""

    def __init__(self, archive: Any) -> None:
        self._archive = archive
        self.files: list[str] = archive.files

    def __getitem__(self, key: str) -> Any:
        return _tensor(self._archive[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __enter__(self) -> _Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._archive.close()


def load(file: Any, *args: Any, **kwargs: Any) -> Any:
    """`numpy.load`: a tensor from a .npy file, a mapping of tensors from a .npz file."""
    import numpy

    found = numpy.load(file, *args, **kwargs)
    return _Archive(found) if hasattr(found, "files") else _tensor(found)
