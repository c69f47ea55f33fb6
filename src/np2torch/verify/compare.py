"""Strict comparison of a NumPy result with a torch one: structure, dtype, shape and value.

A 0-D tensor stands for a NumPy scalar (RFC-0032), so these two compare equal, and a Python number of the same
value and category stands for either. Everything else is strict: default tolerances hide the differences this
project exists to prevent.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from io import IOBase
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple, cast

import numpy as np
import torch

RTOL = {
    "float64": 1e-12, "complex128": 1e-12, "float32": 2e-6, "complex64": 2e-6, "float16": 2e-3, "bfloat16": 2e-2,
}  # fmt: skip
PYTHON = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


LONGEST_ITERATOR = 10_000
OPAQUE = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type)


class Items(NamedTuple):
    """Items of an iterator, at most the first `LONGEST_ITERATOR`."""

    items: list[Any]


def read_out(value: Any) -> Any:
    """The items of a generator or another iterator of Python's own; any other value as it is."""
    if not isinstance(value, Iterator) or hasattr(value, "__dict__") or isinstance(value, IOBase):
        return value
    return Items(list(itertools.islice(value, LONGEST_ITERATOR)))


def is_opaque(value: Any) -> bool:
    """Tell whether a value has nothing to compare: a function, or an object without value and attributes."""
    if isinstance(value, OPAQUE):
        return True
    return cast(Any, type(value)).__eq__ is object.__eq__ and not hasattr(value, "__dict__") and value is not None


class Strictness(NamedTuple):
    """The tolerances of a comparison."""

    rtol: float | None = None
    atol: float = 0.0
    numpy_left: bool = False


def difference(
    old: Any, new: Any, rtol: float | None = None, atol: float = 0.0, numpy_left: bool = False
) -> str | None:
    """Say in one line how `new` (torch side) differs from `old` (NumPy side); None when it does not.

    Parameters
    ----------
    old, new
        Results: arrays, tensors, scalars, nested tuples, lists and dicts of them, or anything comparable with ==.
    rtol
        Relative tolerance of floating values; by default 1e-12 for float64 and what their bits allow for the rest.
    atol
        Absolute tolerance, 0 by default.
    numpy_left
        Accept numeric NumPy values on the torch side, for code that by its TODO notes stays on NumPy.
    """
    return _difference(old, new, Strictness(rtol, atol, numpy_left), frozenset())


Inner = Callable[[Any, Any], str | None]
"""How what is inside of two values differs."""


def _difference(old: Any, new: Any, how: Strictness, above: frozenset[int]) -> str | None:
    if not how.numpy_left and _is_left_on_numpy(old, new):
        return f"a NumPy {type(new).__name__} is left in the result"
    if _is_numeric(old) and _is_numeric(new):
        return _numeric_difference(old, new, how)
    if id(old) in above:  # an object that holds itself: its parts are being compared already
        return None
    above |= {id(old)}
    old, new = read_out(old), read_out(new)
    compare = next(compare for are_such, compare in COMPARISONS if are_such(old, new))
    return compare(old, new, lambda a, b: _difference(a, b, how, above))


def _is_left_on_numpy(old: Any, new: Any) -> bool:
    """Tell whether a numeric value of NumPy's stands where a tensor should, and was numeric before."""
    return _is_numpy(new) and _dtype_name(new) is not None and not _stays_numpy(old)


def _are_both(*types: type) -> Callable[[Any, Any], bool]:
    """Make a test whether two values are of these types."""
    return lambda old, new: isinstance(old, types) and isinstance(new, types)


def _first(differences: Iterable[tuple[str, str | None]]) -> str | None:
    """Say the first difference of the parts, and of which part."""
    return next((f"{part}{found}" for part, found in differences if found), None)


def _of_dicts(old: dict[Any, Any], new: dict[Any, Any], inner: Inner) -> str | None:
    """Compare the keys, then each value."""
    if list(old) != list(new) or any(k not in new for k in old):  # tensors hash by identity
        return f"keys {list(old)} became {list(new)}"
    return _first((f"[{k!r}] ", inner(old[k], new[k])) for k in old)


def _of_sequences(old: Any, new: Any, inner: Inner) -> str | None:
    """Compare tuples and lists item by item."""
    if isinstance(old, tuple) != isinstance(new, tuple):
        return _of_types(old, new, inner)
    if len(old) != len(new):
        return f"{len(old)} items became {len(new)}"
    return _first((f"[{i}] ", inner(a, b)) for i, (a, b) in enumerate(zip(old, new, strict=True)))


def _of_dtypes(old: Any, new: Any, inner: Inner) -> str | None:
    """Compare dtypes by their names."""
    a, b = getattr(old, "name", None) or getattr(old, "__name__", None), str(new).removeprefix("torch.")
    return None if a == b else f"dtype {a} became {b}"


def _of_attributes(old: Any, new: Any, inner: Inner) -> str | None:
    """Compare objects by their attributes."""
    return _first([(".", inner(vars(old), vars(new)))])


def _of_types(old: Any, new: Any, inner: Inner) -> str | None:
    """Say that the types differ."""
    return f"{type(old).__name__} became {type(new).__name__}"


def _of_arrays(old: Any, new: Any, inner: Inner) -> str | None:
    """Compare arrays that stay on NumPy."""
    return None if old.tolist() == new.tolist() else f"{old!r} became {new!r}"


def _of_objects(old: Any, new: Any, inner: Inner) -> str | None:
    """Compare objects without `__eq__`: by their attributes, or not at all."""
    return None if is_opaque(old) or not hasattr(old, "__dict__") else _of_attributes(old, new, inner)


def _by_equality(old: Any, new: Any, inner: Inner) -> str | None:
    """Compare with `==`."""
    return None if old == new else f"{old!r} became {new!r}"


COMPARISONS: tuple[tuple[Callable[[Any, Any], bool], Callable[[Any, Any, Inner], str | None]], ...] = (
    (_are_both(dict), _of_dicts),
    (_are_both(tuple, list), _of_sequences),
    (lambda old, new: isinstance(old, np.dtype) or isinstance(new, torch.dtype), _of_dtypes),
    (lambda old, new: _is_counterpart(type(old), type(new)), _of_attributes),
    (lambda old, new: type(old) is not type(new) and not _are_both(type)(old, new), _of_types),
    (_are_both(np.ndarray), _of_arrays),
    (lambda old, new: cast(Any, type(old)).__eq__ is object.__eq__, _of_objects),
    (lambda old, new: True, _by_equality),
)
"""How values that are no numbers and no tensors are compared: the first line that fits decides."""


def _is_counterpart(old: type, new: type) -> bool:
    """Tell whether these are a user's class before and after conversion; instances are then compared by attributes."""
    return (
        old is not new
        and old.__qualname__ == new.__qualname__
        and not issubclass(old, (np.ndarray, np.generic, torch.Tensor, type))
        and old.__dictoffset__ != 0
        and new.__dictoffset__ != 0
    )


def _is_numpy(x: Any) -> bool:
    return isinstance(x, (np.ndarray, np.generic))


def _stays_numpy(x: Any) -> bool:
    return _is_numpy(x) and not _is_numeric(x)


def _dtype_name(x: Any) -> str | None:
    if isinstance(x, torch.Tensor):
        return str(x.dtype).removeprefix("torch.")
    if isinstance(x, (np.ndarray, np.generic)):
        return (
            x.dtype.name
            if x.dtype.kind in "biufc" and x.dtype.itemsize <= 16 and x.dtype.name != "longdouble"
            else None
        )
    return PYTHON.get(type(x))


def _is_numeric(x: Any) -> bool:
    return _dtype_name(x) is not None


def _numeric_difference(old: Any, new: Any, how: Strictness) -> str | None:
    if (
        isinstance(old, (bool, int, float, complex))
        and not isinstance(old, np.generic)
        and isinstance(new, torch.Tensor)
    ):
        return f"Python {type(old).__name__} became a tensor"
    if isinstance(old, np.ndarray) and not isinstance(new, (torch.Tensor, np.ndarray)):
        return f"an array became Python {type(new).__name__}"
    a_name, b_name = _dtype_name(old), _dtype_name(new)
    a = np.asarray(old)
    b = new.detach().resolve_conj().resolve_neg().cpu().numpy() if isinstance(new, torch.Tensor) else np.asarray(new)
    if a.shape != b.shape:
        return f"shape {a.shape} became {b.shape}"
    if a_name != b_name:
        return f"dtype {a_name} became {b_name}"
    if a.dtype.kind in "biu":
        same = np.array_equal(a, b)
    else:
        with np.errstate(all="ignore"):
            rtol = RTOL.get(str(a_name), RTOL["float64"]) if how.rtol is None else how.rtol
            parts = [(a.real, b.real), (a.imag, b.imag)] if a.dtype.kind == "c" else [(a, b)]
            same = all(_close(x.astype("f8"), y.astype("f8"), rtol, how.atol) for x, y in parts)
    if same:
        return None
    return f"value {_brief(a)} became {_brief(b)}"


def _close(a: Any, b: Any, rtol: float, atol: float) -> bool:
    return np.allclose(a, b, rtol, atol, equal_nan=True) and np.array_equal(np.isinf(a), np.isinf(b))


def _brief(a: np.ndarray[Any, Any]) -> str:
    text = np.array2string(a, threshold=8, edgeitems=3, precision=17).replace("\n", "")
    return text if len(text) <= 90 else text[:87] + "..."
