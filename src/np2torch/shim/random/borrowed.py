"""Generators of NumPy's that callers pass: they draw on where they are, and give and take tensors."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from np2torch.shim._location import module_of
from np2torch.shim._promotion import Tensor
from np2torch.shim.interop import from_numpy, to_numpy

__all__ = ["generator"]

PACKAGE = "numpy.random"


def _names(cls: type) -> set[str]:
    return {base.__name__ for base in cls.__mro__}


def _is_numpys(x: Any) -> bool:
    """Tell whether it is a generator of NumPy's, or an object of its package that one is made of."""
    return any(module_of(base).startswith(PACKAGE) for base in type(x).__mro__)


class Borrowed:
    """NumPy's generator, whose methods give tensors and draw into them; the stream stays one with the caller's.

    Parameters
    ----------
    numpys
        A `numpy.random.Generator` or `numpy.random.RandomState`.
    """

    def __init__(self, numpys: Any) -> None:
        self._numpys = numpys

    def __np2torch_lent__(self) -> Any:
        """Give what it was made of, for code that stays on NumPy."""
        return self._numpys

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """The class of ours that `isinstance` takes it for."""
        ours = sys.modules[__package__]
        return ours.RandomState if "RandomState" in _names(type(self._numpys)) else ours.Generator

    def __getattr__(self, name: str) -> Any:
        if name == "_numpys":  # a copy asks before there is one
            raise AttributeError(name)
        found = getattr(self._numpys, name)
        return _on_tensors(found) if callable(found) and not _is_numpys(found) else found

    def shuffle(self, x: Any, *args: Any, **kwargs: Any) -> None:
        """Shuffle a tensor or a list in place."""
        if not isinstance(x, Tensor):
            self._numpys.shuffle(x, *args, **kwargs)
            return
        _into(x, self._numpys.shuffle, *args, **kwargs)

    def __reduce__(self) -> Any:
        return generator, (self._numpys,)

    def __repr__(self) -> str:
        return repr(self._numpys)

    def __eq__(self, other: object) -> bool:
        return self._numpys is (other._numpys if type(other) is Borrowed else other)

    def __hash__(self) -> int:
        return hash(self._numpys)


def _on_tensors(method: Callable[..., Any]) -> Callable[..., Any]:
    def draw(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        if isinstance(out, Tensor):
            return _into(out, lambda array: method(*to_numpy(args), out=array, **to_numpy(kwargs)))
        found = from_numpy(method(*to_numpy(args), **to_numpy(kwargs)))
        return [*map(generator, found)] if isinstance(found, list) else found  # `spawn` gives generators

    return draw


def _into(x: Tensor, fill: Callable[..., Any], *args: Any, **kwargs: Any) -> Tensor:
    """Have the memory of a tensor filled, also where NumPy cannot reach it."""
    array = to_numpy(x)
    fill(array, *args, **kwargs)
    if x.device.type != "cpu":
        x.copy_(from_numpy(array))
    return x


def generator(x: Any) -> Any:
    """`x`, for draws to give tensors: NumPy's generators are wrapped, the module is ours, anything else is itself.

    Source: https://numpy.org/doc/stable/reference/random/generator.html
    """
    if isinstance(x, types.ModuleType) and x.__name__ == PACKAGE:
        return sys.modules[__package__]
    return Borrowed(x) if type(x) is not Borrowed and _is_numpys(x) and hasattr(x, "shuffle") else x


def borrowed_from(seed: Any) -> Borrowed | None:
    """A generator for what `default_rng` is given, where that is of NumPy's package; None for anything else."""
    if type(seed) is Borrowed:
        return seed if isinstance(seed, sys.modules[__package__].Generator) else borrowed_from(seed._numpys)
    return Borrowed(sys.modules[PACKAGE].default_rng(seed)) if _is_numpys(seed) else None
