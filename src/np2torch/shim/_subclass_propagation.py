"""Objects of classes that derive from `shim.ndarray`: what a function does for them that knows plain tensors only.

NumPy keeps the class of a subclass in some results and drops it in others, and that decides about values: such classes
bring operators of their own. What it does is recorded per function in `classes.txt` (`tools/record_classes.py`): the
class of the result for each argument that may be such an object, and the methods of the object that NumPy itself calls.
Here the function runs on plain tensors, so that no operator of the class takes part, and the result gets its class.
Where NumPy would have called a method that the class overrides, the call is refused.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch

from np2torch.shim._location import SHIM, read_data
from np2torch.shim._promotion import Tensor

KEPT, ARRAYS, PLAIN, UNSETTLED, OWN = "kmp?o"
"""Of a result: it has the class, it has it but for scalars, it is plain, it depends. The function sees to it itself."""
ITSELF = {"amax": "max", "amin": "min", "around": "round", "permute_dims": "transpose"}
"""Functions that call a method of another name."""
PARTS = (
    "linalg fft testing operator emath matlib lib.stride_tricks lib.array_utils polynomial.polynomial "
    "polynomial.polyutils polynomial.chebyshev polynomial.legendre polynomial.hermite polynomial.hermite_e "
    "polynomial.laguerre"
).split()
"""The parts of the shim that have functions besides those at its top."""


class Derived(Tensor):
    """The base class of `shim.ndarray`: known here, defined elsewhere."""

    def __array_finalize__(self, obj: Any) -> None:
        """Nothing to hand on."""

    @classmethod
    def array_class(cls) -> type:
        """The class below which others derive: what it brings is NumPy's."""
        return next(one for one in cls.__mro__ if one.__module__ == f"{SHIM}.subclassing")


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
    return bare(x) if isinstance(x, Derived) else x


def bare(x: Tensor) -> Tensor:
    """The tensor itself, without a class that derives from `shim.ndarray`."""
    if not isinstance(x, Derived):
        return x
    found: Tensor = x.as_subclass(Tensor)
    return found


def stripped(x: Any) -> Any:
    """Strip the subclass from an array, or from the arrays in a list, tuple or dict."""
    if isinstance(x, Derived):
        return plain(x)
    if type(x) in (list, tuple) and holds(x):
        return type(x)(stripped(item) for item in x)
    return {name: stripped(item) for name, item in x.items()} if type(x) is dict else x


WITHOUT = frozenset({Tensor, int, float, bool, complex, str, type(None), torch.dtype, slice})
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
    found = getattr(type(x), name, None)
    return getattr(found, "__wrapped__", found) is not getattr(type(x).array_class(), name, None)


def called(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function with such an object among its arguments.

    Raises
    ------
    TypeError
        Where NumPy would call what the class overrides, or the class of the result is not known.
    """
    from np2torch.shim import _array_wrap

    row = table().get(name, UNKNOWN)
    if row.codes == (OWN,):
        return function(*args, **kwargs)
    found = list(_given(args, kwargs))
    own = ITSELF.get(name, name.rpartition(".")[2])
    is_method = name.startswith("ndarray.")
    for _, x, _ in found:
        calls = sorted(one for one in row.calls - ({own} if is_method else set()) if overridden(x, one))
        if own in calls and x is args[0]:
            return getattr(x, own)(*args[1:], **kwargs)
        if calls and not name.startswith("testing."):
            raise TypeError(refusal(name, x, f"NumPy calls `{calls[0]}` of the class"))
    result = function(*map(stripped, args), **stripped(kwargs))
    for out in objects(kwargs.get("out")):
        return _array_wrap.give_out(name, out)
    for at, x, is_itself in found:
        if not is_itself and name not in OF_LISTS:
            continue  # NumPy makes one plain array of a list
        code = settle(name, row.codes[at] if at < len(row.codes) else UNSETTLED, args, kwargs)
        if UNSETTLED in code and holds_tensor(result):
            raise TypeError(refusal(name, x, "which class the result has depends on what is passed"))
        if _array_wrap.has_own(x):
            return _array_wrap.by_wrap(name, at, result, code, args, kwargs, x)
        result = kept(result, code, x)
    return result


def _given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[int, Derived, bool]]:
    """The objects among arguments, with their positions, and whether they are passed themselves and not in a list."""
    for at, argument in [*enumerate(args), *((len(args), value) for value in kwargs.values())]:
        for x in objects(argument):
            yield at, x, argument is x


OF_LISTS = frozenset({"linalg.multi_dot"})
"""The functions whose results have the class of objects in a list."""
OUT_AT = {"reduce": 3, "accumulate": 3, "reduceat": 4, "outer": 2}
"""The position of `out` among the arguments of a method."""


def of_ufunc(ufunc: Any, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    """Give the result of a ufunc, or of a method of one, in the class of the first such argument."""
    from np2torch.shim import _array_wrap

    result: Tensor = getattr(ufunc, method)(*map(stripped, args), **stripped(kwargs))
    written = (*args[OUT_AT.get(method, ufunc.nin) :], kwargs.get("out"))
    outs = [x for one in written for x in objects(one)]
    first = next((x for x in args if isinstance(x, Derived)), None)
    if outs:
        made = [_array_wrap.give_out(method, out) for out in outs]
        return made[0] if len(made) == 1 else tuple(made)  # type: ignore[return-value]
    found: Tensor = result if first is None else _array_wrap.of_ufunc_result(result, first)
    return found


UNKNOWN = Row((), frozenset())


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
    from np2torch.shim import _core

    a, b = (_core.asarray(stripped(x)) if type(x) in (list, tuple) else x for x in (a, b))
    are_tensors = isinstance(a, Tensor) and isinstance(b, Tensor)
    if are_tensors and a.ndim == b.ndim == 1:
        return PLAIN  # a scalar
    same = are_tensors and a.dtype is b.dtype and a.ndim and b.ndim
    return UNSETTLED if not same else ARRAYS if isinstance(a, Derived) else PLAIN


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


def aware(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes such objects too."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            if type(x) not in WITHOUT and holds(x):
                return called(name, function, args, kwargs)
        if kwargs and any(map(holds, kwargs.values())):
            return called(name, function, args, kwargs)
        return function(*args, **kwargs)

    return wrapper
