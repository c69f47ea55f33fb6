"""Python's protocols where a NumPy scalar and a 0-D tensor differ: class, hash, text, rounding, truth."""

from __future__ import annotations

import builtins
import collections
import copy
import dataclasses
import functools
import math
import numbers
import sys
from collections import abc
from collections.abc import Callable
from contextlib import suppress
from types import UnionType
from typing import Any

import torch

from np2torch.shim import _promotion
from np2torch.shim._location import is_shim, module_of
from np2torch.shim._marks import is_scalar
from np2torch.shim._promotion import Tensor
from np2torch.shim._subclass_propagation import Derived
from np2torch.shim._ufunc import UFunc
from np2torch.shim.copies import element
from np2torch.shim.interop import mapped, rebuilt

__all__ = [
    "builtin_round", "by_class", "by_value", "duplicate", "hash", "hashing", "isinstance", "issubclass", "key", "keys",
    "pairs", "pythons", "representation", "text", "truth",
]  # fmt: skip

# The abstract classes a NumPy scalar of each kind (bool, integer, floating, complex) belongs to.
ABSTRACT: dict[Any, tuple[int, ...]] = {
    numbers.Number: (1, 2, 3),
    numbers.Complex: (1, 2, 3),
    numbers.Real: (1, 2),
    numbers.Rational: (1,),
    numbers.Integral: (1,),
}
MARKERS: dict[str, tuple[int, ...]] = {
    "generic": (0, 1, 2, 3),
    "number": (1, 2, 3),
    "integer": (1,),
    "signedinteger": (1,),
    "unsignedinteger": (1,),
    "inexact": (2, 3),
    "floating": (2,),
    "complexfloating": (3,),
}
# The Python numbers NumPy's scalars inherit from.
CONCRETE: dict[Any, torch.dtype] = {float: torch.float64, complex: torch.complex128}
# What no scalar is, though every tensor has the methods.
SIZED = (abc.Iterable, abc.Sized, abc.Container, abc.Collection, abc.Reversible)


def isinstance(x: Any, types: Any) -> bool:
    """`isinstance` where a 0-D tensor has the classes of a NumPy scalar.

    Types are Python's, torch dtypes (for NumPy's scalar classes), the abstract classes of `shim.dtypes`, and nested
    tuples of them. `torch.Tensor` stands for `numpy.ndarray`, which a scalar is not.
    """
    if not is_scalar(x):
        with suppress(TypeError):  # what cannot be hashed
            if (classes := _classes(types)) is not None:
                return builtins.isinstance(x, classes)
    if builtins.isinstance(types, (tuple, UnionType)):
        return any(isinstance(x, one) for one in (types if builtins.isinstance(types, tuple) else types.__args__))
    if is_scalar(x):
        found = False if types is Tensor else _is_below(x.dtype, types)
        return builtins.isinstance(x, types) if found is None else found
    if _as_dtype(types) is not None or _marked(types) is not None:
        return False
    return builtins.isinstance(x, types) or types is UFunc and type(x).__name__ == "ufunc"


@functools.lru_cache(1024)
def _classes(types: Any) -> tuple[type, ...] | None:
    """The classes among `types`, without NumPy's scalar classes, which only tensors have; None where others matter."""
    if builtins.isinstance(types, (tuple, UnionType)):
        parts = [_classes(one) for one in (types if builtins.isinstance(types, tuple) else types.__args__)]
        return None if None in parts else tuple(one for part in parts for one in part or ())
    if not builtins.isinstance(types, type) or types is UFunc:
        return () if builtins.isinstance(types, torch.dtype) else None
    return () if _as_dtype(types) is not None or _marked(types) is not None else (types,)


def issubclass(cls: Any, types: Any) -> bool:
    """`issubclass` where torch dtypes, and what makes scalars of them, stand for NumPy's scalar classes."""
    if builtins.isinstance(types, tuple):
        return any(issubclass(cls, one) for one in types)
    dtype, wanted = _as_dtype(cls), _as_dtype(types)
    if dtype is not None:
        return types is object or bool(_is_below(dtype, types))
    return wanted is None and builtins.issubclass(cls, _numpys(types, cls))


def _numpys(types: Any, cls: Any) -> Any:
    """NumPy's abstract class of the name of ours, for a scalar class of NumPy's own, as that of long doubles is."""
    if _marked(types) is None or not module_of(cls).startswith("numpy"):
        return types
    return getattr(sys.modules["numpy"], types.__name__)


def _as_dtype(types: Any) -> torch.dtype | None:
    """The dtype that stands for a scalar class of NumPy, or is that of one that is called."""
    dtype = getattr(types, "dtype", types)
    return dtype if builtins.isinstance(dtype, torch.dtype) else None


def _is_below(dtype: torch.dtype, types: Any) -> bool | None:
    """Tell whether NumPy's scalar class of a dtype derives from a type; None for types unrelated to scalars."""
    wanted = _as_dtype(types)
    if wanted is not None:
        return dtype is wanted
    kinds = ABSTRACT.get(types) or _marked(types)
    if kinds is not None:
        signs = {"signedinteger": _promotion.SIGNED, "unsignedinteger": _promotion.UNSIGNED}.get(types.__name__)
        return dtype in signs if signs else _promotion.kind(dtype) in kinds
    if types in CONCRETE:
        return bool(dtype is CONCRETE[types])
    return False if types in (int, bool) or getattr(types, "__origin__", types) in SIZED else None


def _marked(types: Any) -> tuple[int, ...] | None:
    """The kinds of an abstract scalar class of `shim.dtypes`, known by its name."""
    place = module_of(types)
    if place.startswith("numpy") or is_shim(place):
        return MARKERS.get(getattr(types, "__name__", ""))
    return None


def builtin_round(number: Any, ndigits: Any = None) -> Any:
    """`round`: a NumPy scalar without digits gives a Python int, with digits a scalar of its own dtype."""
    if not builtins.isinstance(number, Tensor):
        return round(number) if ndigits is None else round(number, key(ndigits))
    if number.ndim:
        raise TypeError("type numpy.ndarray doesn't define __round__ method")
    if _promotion.kind(number.dtype) == 0 or number.is_complex():
        raise TypeError(f"type {str(number.dtype)[6:]} doesn't define __round__ method")
    if ndigits is None:
        return round(number.item())
    from np2torch.shim.elementwise import around

    return around(number, key(ndigits))


def key(x: Any) -> Any:
    """A hashable Python value: 0-D tensors become numbers, also inside tuples; everything else is unchanged."""
    if builtins.isinstance(x, Tensor):
        return x.item() if x.ndim == 0 else x
    return rebuilt(x, key) if builtins.isinstance(x, tuple) and not _is_plain(x) else x


def _is_plain(several: tuple[Any, ...]) -> bool:
    """Tell whether no item of a tuple is a tensor or a tuple; asked of each class once, since keys are many."""
    return builtins.all(map(_has_its_own_hash, builtins.set(map(type, several))))


@functools.lru_cache(1024)
def _has_its_own_hash(cls: type) -> bool:
    return not builtins.issubclass(cls, (Tensor, tuple))


def keys(x: Any) -> Any:
    """Take what going through something yields by value, to be hashed; a mapping, which counts them, as it is."""
    if builtins.isinstance(x, Tensor):
        return x.tolist() if x.ndim == 1 else x
    return x if builtins.isinstance(x, (abc.Mapping, str, bytes, range)) else map(key, x)


def pairs(x: Any) -> Any:
    """Take the keys of pairs by value, to become those of a dict; a mapping as it is."""
    if builtins.isinstance(x, abc.Mapping) or hasattr(x, "keys"):
        return x
    return map(_pair, x)


def _pair(pair: Any) -> tuple[Any, Any]:
    name, value = pair
    return key(name), element(value) if builtins.isinstance(pair, Tensor) else value


def hashing(x: Any) -> Any:
    """A set or a mapping whose methods take by value what becomes a member or a key; anything else as it is."""
    return _ByValue(x) if builtins.isinstance(x, (abc.Set, abc.Mapping)) else x


class _ByValue:
    """The methods of a set or a mapping."""

    def __init__(self, container: Any) -> None:
        self._container = container

    def __getattr__(self, name: str) -> Any:
        container = self._container
        method = getattr(container, name)
        if builtins.isinstance(container, abc.Mapping) and name == "update":
            taken = keys if builtins.isinstance(container, collections.Counter) else pairs
        else:
            taken = key if name in OF_ONE else keys
        number = None if builtins.isinstance(container, abc.Set) else 1

        @functools.wraps(method)
        def by_value(*args: Any, **kwargs: Any) -> Any:
            rest = [] if number is None else args[number:]
            return method(*map(taken, args[:number]), *rest, **kwargs)

        return by_value


OF_ONE = frozenset(
    "get pop setdefault add discard remove move_to_end __contains__ __getitem__ __setitem__ __delitem__".split()
)
"""Methods whose first argument is a member or a key."""


def pythons(x: Any) -> Any:
    """NumPy's doubles anywhere in containers as Python's, which they are to JSON."""
    return mapped(x, lambda leaf: leaf.item() if is_scalar(leaf) and leaf.dtype is torch.float64 else leaf)


def hash(x: Any) -> int:
    """`hash(x)`: a NumPy scalar's is that of its value, an array has none (TypeError); the same within tuples."""
    if type(x) is tuple:
        return builtins.hash(x if _is_plain(x) else tuple(map(_Hashed, x)))
    if builtins.isinstance(x, Tensor) and x.ndim and not builtins.isinstance(x, Derived):
        raise TypeError("unhashable type: 'numpy.ndarray'")
    return builtins.hash(key(x))


class _Hashed:
    """An item of a tuple whose hash is asked for."""

    def __init__(self, item: Any) -> None:
        self.item = item

    def __hash__(self) -> int:
        return hash(self.item)



class _Key:
    """A NumPy scalar, or a tuple that holds some, as the key of a cache: hashed and compared by value."""

    def __init__(self, scalar: Any) -> None:
        self.scalar, self.value = scalar, key(scalar)

    def __hash__(self) -> int:
        return builtins.hash(self.value)

    def __eq__(self, other: object) -> bool:
        return bool(self.value == (other.value if builtins.isinstance(other, _Key) else other))


def _keyed(x: Any) -> Any:
    if builtins.isinstance(x, Tensor):
        if x.ndim:
            raise TypeError("unhashable type: 'numpy.ndarray'")
        return _Key(x)
    return _Key(x) if builtins.isinstance(x, tuple) else x


def _hashed_by_value(cls: type) -> type:
    """Give a dataclass or a class of tuples a hash of the values in it, as NumPy scalars have one."""
    if builtins.issubclass(cls, tuple):
        values: Callable[[Any], tuple[Any, ...]] = tuple
    else:
        fields = dataclasses.fields(cls)  # type: ignore[arg-type]
        names = [field.name for field in fields if (field.compare if field.hash is None else field.hash)]

        def values(self: Any) -> tuple[Any, ...]:
            return tuple(getattr(self, name) for name in names)

    def __hash__(self: Any) -> int:
        return hash(values(self))

    cls.__hash__ = __hash__  # type: ignore[assignment]
    return cls


def by_class(decorator: Callable[..., Any]) -> Callable[..., Any]:
    """Make `functools.singledispatch` take 0-D tensors of double precision for the `float` they stand for."""

    if decorator is functools.singledispatchmethod:
        return _Dispatched

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        generic = decorator(function)

        @functools.wraps(function)
        def wrapper(first: Any, *args: Any, **kwargs: Any) -> Any:
            return _implementation(generic, first)(first, *args, **kwargs)

        for name in ("register", "dispatch", "registry"):
            setattr(wrapper, name, getattr(generic, name))
        return wrapper

    return decorate


def _implementation(generic: Any, x: Any) -> Callable[..., Any]:
    """The implementation that NumPy's class of a value is dispatched to, in the order of that class's bases."""
    if not is_scalar(x):
        return generic.dispatch(type(x))  # type: ignore[no-any-return]
    registry = generic.registry
    named = {cls.__name__: cls for cls in registry if _marked(cls) is not None}
    bases = [*map(named.get, SPECIFIC), *reversed(ABSTRACT), *map(named.get, UNSPECIFIC)]
    found = next((one for one in bases if one in registry and _is_below(x.dtype, one)), None)
    return registry[found] if found is not None else generic.dispatch(INSTANCES.get(x.dtype, object))  # type: ignore[no-any-return]


class _Dispatched(functools.singledispatchmethod):  # type: ignore[type-arg]
    """A method that is dispatched by the class its first argument has in NumPy."""

    def __get__(self, obj: Any, cls: Any = None) -> Any:
        def method(first: Any, *args: Any, **kwargs: Any) -> Any:
            return _implementation(self.dispatcher, first).__get__(obj, cls)(first, *args, **kwargs)

        method.register = self.register  # type: ignore[attr-defined]
        return method


SPECIFIC = ("signedinteger", "unsignedinteger", "integer", "floating", "complexfloating")
UNSPECIFIC = ("inexact", "number", "generic")
"""The abstract classes of NumPy's scalars, before and after those of `numbers` that they are registered with."""
INSTANCES: dict[Any, type] = {torch.float64: float, torch.complex128: complex}
"""Python's classes that NumPy scalars of a dtype are instances of."""


def by_value(decorator: Callable[..., Any]) -> Callable[..., Any]:
    """Make a cache or a dataclass hash 0-D tensors by value, as NumPy scalars are.

    Parameters
    ----------
    decorator
        `functools.lru_cache` or its like, or a dataclass that has a hash.

    Raises
    ------
    TypeError
        From the decorated function, for tensors that are not 0-D: arrays have no hash.
    """

    if builtins.isinstance(decorator, type):
        return _hashed_by_value(decorator)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        def opened(*args: Any, **kwargs: Any) -> Any:
            values = [x.scalar if builtins.isinstance(x, _Key) else x for x in args]
            named = {name: x.scalar if builtins.isinstance(x, _Key) else x for name, x in kwargs.items()}
            return function(*values, **named)

        cached = decorator(opened)

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return cached(*map(_keyed, args), **{name: _keyed(x) for name, x in kwargs.items()})

        for name in ("cache_info", "cache_clear", "cache_parameters"):
            setattr(wrapper, name, getattr(cached, name))
        return wrapper

    return decorate


def duplicate(x: Any) -> Any:
    """`copy.copy(x)`: of an array the data is copied too, which torch's shallow copy would share."""
    return x.clone() if builtins.isinstance(x, Tensor) and not builtins.isinstance(x, Derived) else copy.copy(x)


def text(x: Any) -> str:
    """`str(x)` as NumPy prints a scalar or an array; what stands in lists and other containers by `representation`."""
    if builtins.isinstance(x, Derived):
        return str(x)
    if builtins.isinstance(x, Tensor):
        from np2torch.shim._formatting import array_str

        return str(array_str(x.detach())) if x.ndim else _digits(x)
    if builtins.isinstance(x, torch.dtype):
        return str(x)[6:]
    if builtins.isinstance(x, torch.Size):
        return str(tuple(x))
    return representation(x) if type(x) in CONTAINERS else str(x)


CONTAINERS: dict[type, str] = {list: "[]", tuple: "()", set: "{}", dict: "{}"}


def representation(x: Any) -> str:
    """`repr(x)` as NumPy writes it: `np.float64(0.5)`, `array([1., 2.])`, also inside lists, tuples, sets and dicts."""
    if builtins.isinstance(x, Derived):
        return repr(x)
    if builtins.isinstance(x, Tensor):
        from np2torch.shim._formatting import array_repr

        if x.ndim:
            return str(array_repr(x.detach()))
        if x.dtype is torch.bool:
            return f"np.{bool(x)}_"
        return f"np.{str(x.dtype)[6:]}({_digits(x).removeprefix('(').removesuffix(')')})"
    if builtins.isinstance(x, torch.dtype):
        return f"dtype('{str(x)[6:]}')"
    if builtins.isinstance(x, torch.Size):
        return str(tuple(x))
    brackets = CONTAINERS.get(type(x))
    if brackets is None or not x:
        return repr(x)
    if type(x) is dict:
        inner = ", ".join(f"{representation(name)}: {representation(value)}" for name, value in x.items())
    else:
        inner = ", ".join(map(representation, x)) + ("," if type(x) is tuple and len(x) == 1 else "")
    return brackets[0] + inner + brackets[1]


# NumPy writes float16 and float32 with exponents from these powers of ten on; Python's float has 10**16.
POSITIONAL_BELOW = {torch.float16: 1e3, torch.float32: 1e6}


def _digits(x: Tensor) -> str:
    """The shortest digits that give the value back in its own precision."""
    if x.dtype is torch.complex64:
        real, imag = _digits(x.real).removesuffix(".0"), _digits(x.imag).removesuffix(".0")
        if real == "0":
            return f"{imag}j"
        return f"({real}{imag if imag.startswith('-') else '+' + imag}j)"
    value = x.item()
    limit = POSITIONAL_BELOW.get(x.dtype)
    if limit is None or not math.isfinite(value):
        return str(value)
    for digits in range(9):
        short = f"{value:.{digits}e}"
        if torch.tensor(float(short), dtype=x.dtype).item() == value:
            break
    return str(float(short)) if value == 0 or 1e-4 <= abs(value) < limit else short


def truth(x: Any) -> bool:
    """`bool(x)`; an array with more or less than one element has none (ValueError, as in NumPy)."""
    if builtins.isinstance(x, Tensor) and x.numel() != 1:
        if not x.numel():
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check.")
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
    return bool(x)
