"""Objects of classes that derive from `shim.ndarray`: what a function does for them that knows plain tensors only.

NumPy keeps the class of a subclass in some results and drops it in others, and that decides about values: such classes
bring operators of their own. What it does is recorded per function in `classes.txt` (`tools/record_classes.py`): the
class of the result for each argument that may be such an object, and the methods of the object that NumPy itself calls.
Here the function runs on plain tensors, so that no operator of the class takes part, and the result gets its class.
Where NumPy would have called a method that the class overrides, the call is refused.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, NamedTuple

import torch

from np2torch.shim._location import SHIM, read_data
from np2torch.shim._promotion import Tensor

KEPT, ARRAYS, PLAIN, UNSETTLED, OWN = "kmp?o"
"""Of a result: it has the class, it has it but for scalars, it is plain, it depends. The function sees to it itself."""
PARTS = (
    "linalg fft testing operator emath matlib lib.stride_tricks lib.array_utils polynomial.polynomial "
    "polynomial.polyutils polynomial.chebyshev polynomial.legendre polynomial.hermite polynomial.hermite_e "
    "polynomial.laguerre"
).split()
"""The parts of the shim that have functions besides those at its top."""


DEFINED_IN = f"{SHIM}.subclassing"
"""The module of the classes below which others derive."""


class Derived(Tensor):
    """The base class of `shim.ndarray`: known here, defined elsewhere."""

    _np2torch_array_class: ClassVar[type]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Look once for the class below which others derive."""
        super().__init_subclass__(**kwargs)
        cls._np2torch_array_class = next(one for one in cls.__mro__ if one.__module__ == DEFINED_IN)

    def __array_finalize__(self, obj: Any) -> None:
        """Nothing to hand on."""

    @classmethod
    def array_class(cls) -> type:
        """The class below which others derive: what it brings is NumPy's."""
        return cls._np2torch_array_class


class Row(NamedTuple):
    """NumPy's treatment of a subclass: the class of the result by argument, and the methods that are called."""

    codes: tuple[str, ...]
    calls: frozenset[str]


@functools.cache
def table() -> dict[str, Row]:
    """The rows of `classes.txt` by the names of functions."""
    text = read_data("classes.txt")
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {name: Row(tuple(codes.split(",")), frozenset(calls)) for name, codes, *calls in rows}


def plain(x: Any) -> Any:
    """The tensor itself, without a class; anything else as it is."""
    return x.as_subclass(Tensor) if isinstance(x, Derived) else x


def bare(x: Tensor) -> Tensor:
    """The tensor itself, without a class that derives from `shim.ndarray`."""
    if not isinstance(x, Derived):
        return x
    found: Tensor = x.as_subclass(Tensor)
    return found


def stripped(x: Any) -> Any:
    """Strip the subclass from an array, or from the arrays in a list, tuple or dict."""
    if type(x) in WITHOUT:
        return x
    if isinstance(x, Derived):
        return x.as_subclass(Tensor)
    if type(x) in (list, tuple) and holds(x):
        return type(x)(stripped(item) for item in x)
    return {name: stripped(item) for name, item in x.items()} if type(x) is dict else x


WITHOUT = frozenset({Tensor, int, float, bool, complex, str, type(None), torch.dtype, slice, type})
"""Types of arguments that are no such objects and hold none."""


def holds(x: Any) -> bool:
    """Tell whether it is an object of a subclass, or a list or tuple with one in it."""
    if type(x) in WITHOUT:
        return False
    if type(x) not in (list, tuple):
        return isinstance(x, Derived)
    for item in x:
        if type(item) in (int, float):
            return False
        if holds(item):
            return True
    return False


def objects(x: Any) -> Iterator[Derived]:
    """Such objects in an argument, first ones first; a list that begins with numbers is not searched."""
    if isinstance(x, Derived):
        yield x
    elif type(x) in (list, tuple):
        for item in x:
            if type(item) in (int, float):
                return
            yield from objects(item)


def of_class(x: Any, like: Derived) -> Any:
    """A new object over a tensor, with the class and what else `like` hands on; `__array_wrap__` is not asked."""
    if type(x) is not Tensor:
        return x
    made = x.as_subclass(type(like))
    made.__array_finalize__(like)
    return made


def kept(result: Any, code: str, like: Derived) -> Any:
    """The result of a function with the class that NumPy gives it."""
    if isinstance(result, (tuple, list)):
        one, _, several = code.partition("(")
        codes = several[:-1] or one * len(result)
        parts = [kept(x, one, like) for x, one in zip(result, codes, strict=True)]
        return type(result)._make(parts) if hasattr(result, "_make") else type(result)(parts)
    is_kept = code[0] == KEPT or code[0] == ARRAYS and getattr(result, "ndim", 0) > 0
    return of_class(result, like) if is_kept else result


def overridden(x: Derived, name: str) -> bool:
    """Tell whether the class of an object defines a method or property of its own."""
    class_ = type(x)
    if getattr(class_, name, None) is getattr(class_._np2torch_array_class, name, None):
        return False
    return bool(all_overridden(x, (name,)))


def all_overridden(x: Derived, names: Iterable[str]) -> list[str]:
    """Those of some methods and properties that the class of an object defines itself."""
    class_, found = type(x), []
    base = class_.array_class()
    for name in names:
        own, given = getattr(class_, name, None), getattr(base, name, None)
        while own is not given and own is not None:
            own = getattr(own, "__wrapped__", None)  # a border, or several
        if own is not given:
            found.append(name)
    return found


def refusal(name: str, x: Derived, why: str) -> str:
    """The text of the error."""
    return f"{name} of a {type(x).__name__}: {why}; pass `x.as_subclass(torch.Tensor)`"


def holds_tensor(x: Any) -> bool:
    """Tell whether it is a tensor, or a tuple or list with one in it."""
    return isinstance(x, Tensor) or isinstance(x, (tuple, list)) and any(map(holds_tensor, x))


def _rounded(x: Tensor, decimals: int = 0, *_: Any, **__: Any) -> str:
    if x.is_complex() or x.dtype is torch.bool:
        return UNSETTLED
    if decimals and (x.is_floating_point() or decimals < 0):
        return PLAIN
    return KEPT if x.is_floating_point() else ARRAYS


def _product(a: Any, b: Any, *_: Any, **__: Any) -> str:
    """The class of the first, where both have axes; of two with one axis each it is a scalar."""
    axes = _axes(a), _axes(b)
    if axes == (1, 1):
        return PLAIN
    return UNSETTLED if not all(axes) else ARRAYS if isinstance(a, Derived) else PLAIN


def _axes(x: Any) -> int:
    """The number of axes of a tensor or of a list of numbers."""
    if isinstance(x, (list, tuple)):
        return 1 + _axes(x[0]) if x else 1
    return x.ndim if isinstance(x, Tensor) else 0


def _unique(ar: Any, *asked: Any, axis: Any = None, **named: Any) -> str:
    """The class of elements and of their places, not of counts; of rows NumPy makes a plain array."""
    axis = asked[3] if len(asked) > 3 else axis
    flags = (*asked[:3], *(named.get(f"return_{one}", False) for one in ("index", "inverse", "counts")[len(asked) :]))
    if not isinstance(ar, Tensor) or axis is not None and ar.ndim > 1:
        return PLAIN
    return f"{KEPT}({KEPT}{''.join(part for part, is_asked in zip(KEPT + PLAIN * 2, flags, strict=True) if is_asked)})"


def _difference(*args: Any, **kwargs: Any) -> str:
    return UNSETTLED if len(args) > 3 or {"prepend", "append"} & kwargs.keys() else KEPT


def _mean(x: Any, *_: Any, **__: Any) -> str:
    return UNSETTLED if isinstance(x, Tensor) and x.dtype.itemsize < 4 else KEPT


def _average(x: Any, *_: Any, returned: bool = False, **__: Any) -> str:
    return f"{_mean(x)}({_mean(x)}p)" if returned else _mean(x)


def _counted(a: Any, axis: Any = None, *, keepdims: bool = False) -> str:
    return KEPT if axis is not None else UNSETTLED if keepdims else PLAIN


def _packed(*_: Any, **__: Any) -> str:
    return UNSETTLED  # of the class, but nothing is handed on to it


SETTLED: dict[str, Callable[..., str]] = {
    "round": _rounded, "around": _rounded, "ndarray.round": _rounded, "dot": _product, "ndarray.dot": _product,
    "inner": _product, "diff": _difference, "mean": _mean, "ndarray.mean": _mean,
    "diag": lambda v, *_, **__: KEPT if getattr(v, "ndim", 0) == 2 else PLAIN,
    "unique": _unique, "count_nonzero": _counted,
    "packbits": _packed, "unpackbits": _packed, "average": _average, "median": _mean,
    "nanmedian": _mean, "nanmean": _mean,
}  # fmt: skip
"""The functions that decide on the class of the result by the arguments, if that is simple."""


def settle(name: str, code: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Decide on the class of the result where it depends on the arguments."""
    return SETTLED[name](*args, **kwargs) if name in SETTLED else code
