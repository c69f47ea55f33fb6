"""The shim for other policies: `from np2torch.shim.policies import float32 as shim`, `cuda`, `cuda_1_float32`.

The name says device and float. What comes out of the shim's functions, methods of its generators included, is cast to
the one and moved to the other; dtypes other than float64 and complex128 stay.
"""

from __future__ import annotations

import functools
import types
from typing import Any

import torch

from np2torch import shim
from np2torch.shim._ufunc import UFunc
from np2torch.shim._vectorize import vectorize
from np2torch.shim.dtypes import _Scalar
from np2torch.shim.index_tricks import _Grid, _Joiner, _Subscript
from np2torch.shim.interop import mapped
from np2torch.shim.random.distributions import Distributions

NARROW = {torch.float64: torch.float32, torch.complex128: torch.complex64}
LEFT = ("to_numpy", "public", "callback", "isinstance", "key", "contract")
"""The functions without results to cast: they return no new tensors."""
CODE = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
MAKERS = (*CODE, UFunc, Distributions, vectorize, _Subscript, _Grid, _Joiner)
"""Classes of what makes tensors; other objects of the shim hold what is there, or are no arrays."""


class Policy:
    """A part of the shim, or an object it made, whose results keep to a policy."""

    def __init__(self, target: Any, narrow: bool, device: str) -> None:
        self._target, self._narrow, self._device = target, narrow, device
        self._known: dict[str, Any] = {}

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self._target)

    def __repr__(self) -> str:
        return repr(self._target)

    def __eq__(self, other: object) -> bool:
        return bool(self._target == _plain(other))

    def __hash__(self) -> int:
        return hash(self._target)

    def __reduce__(self) -> tuple[Any, ...]:
        return Policy, (self._target, self._narrow, self._device)

    def __getattr__(self, name: str) -> Any:
        if name in ("_target", "_known"):  # asked before there is one, as by copy
            raise AttributeError(name)
        value = getattr(self._target, name)
        if isinstance(value, type) and issubclass(value, shim.inexact):
            return self._guard(value)
        if name in LEFT or isinstance(value, type):
            return value
        if not isinstance(known := self._known.get(name), Policy) or known._target is not value:
            known = self._known[name] = self._kept(value)
        return known

    def __getitem__(self, index: Any) -> Any:
        return self._kept(self._target[index])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._kept(self._target(*mapped(args, _plain), **mapped(kwargs, _plain)))

    def _kept(self, value: Any) -> Any:
        return mapped(value, self._leaf)

    def _guard(self, guard: type[shim.inexact]) -> type:
        """A guard that makes what is no tensor yet in the float and on the device of the policy."""

        def made(cls: type, x: Any, /, *others: Any, **options: Any) -> Any:
            return self._kept(guard.__new__(cls, x, *others, **options))

        default = NARROW[guard.default] if self._narrow else guard.default
        return type(guard.__name__, (guard,), {"__new__": made, "__module__": guard.__module__, "default": default})

    def _leaf(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            dtype = NARROW.get(value.dtype, value.dtype) if self._narrow else value.dtype
            return value.to(dtype=dtype, device=self._device or value.device)
        if isinstance(value, _Scalar):
            return _scalar_type(value, self._narrow, self._device)
        return Policy(value, self._narrow, self._device) if isinstance(value, MAKERS) else value


@functools.cache
def _scalar_type(value: Any, narrow: bool, device: str) -> Policy:
    """Give the same object each time: programs compare scalar types by identity."""
    return Policy(value, narrow, device)


def _plain(value: Any) -> Any:
    return value._target if type(value) is Policy else value


def __getattr__(name: str) -> Any:
    """The shim for a policy, by its name: a device, `float32`, or both with an underscore between."""
    *device, last = name.split("_")
    if last != "float32":
        device.append(last)
    if name.startswith("__") or not all(device):
        raise AttributeError(name)
    place = ":".join(device)
    if place:
        torch.device(place)  # says which devices there are
    return Policy(shim, last == "float32", place)
