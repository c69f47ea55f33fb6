"""Classes for the patterns of `match`, which ask as `isinstance` does in NumPy: `case patterns.float64(x):`."""

from __future__ import annotations

import functools
import numbers
from typing import Any

from np2torch.shim import dtypes, protocols
from np2torch.shim._promotion import Tensor
from np2torch.shim.interop import is_numeric_array

CLASSES: dict[str, Any] = {"ndarray": Tensor, "float": float, "complex": complex} | {
    one.__name__: one
    for one in (numbers.Number, numbers.Complex, numbers.Real, numbers.Rational, numbers.Integral)
}  # fmt: skip
BASES: dict[str, type] = {"float": float, "float64": float, "double": float, "complex": complex}
"""Python's classes that bind a positional pattern to the value itself, and NumPy's that derive from them."""


class _Asking(type):
    """The class of the classes in patterns."""

    asked: Any

    def __instancecheck__(cls, x: Any) -> bool:
        if cls.asked is Tensor and is_numeric_array(x) and hasattr(x, "__setitem__"):
            return True  # an ndarray that stays one
        return protocols.isinstance(x, cls.asked)


@functools.cache
def _pattern(name: str) -> Any:
    asked = CLASSES[name] if name in CLASSES else getattr(dtypes, name)
    return _Asking(name, (BASES[name],) if name in BASES else (), {"asked": asked})


def __getattr__(name: str) -> Any:
    """The class that asks for one of Python's or NumPy's of that name."""
    if name.startswith("__"):
        raise AttributeError(name)
    return _pattern(name)
