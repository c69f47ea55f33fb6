"""Calls that NumPy itself answers, because the arrays in them are of strings, objects or others that torch has not.

Such arrays stay on NumPy at run time, as they do in the text: they are made by NumPy and computed with by NumPy, and
numbers that come out of it are tensors again. A call that NumPy refuses raises NumPy's error.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from np2torch.shim._errors import NoCounterpart
from np2torch.shim._location import SHIM, is_shim, package_of
from np2torch.shim._overrides import FUNCTION, UFUNC, answered, is_converted, overrides
from np2torch.shim._promotion import PYTHON_DTYPES, Tensor

Asked = TypeVar("Asked", bound=Callable[..., Any])
REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any",
}  # fmt: skip
"""The functions that reduce with a ufunc, and ask objects (masked arrays) for their own way to do so."""

OF_RESULTS = ("__array_ufunc__", "__array_function__", "__array_wrap__", "__array_prepare__", "__array_finalize__")
"""Methods by which a subclass of ndarray has a say in what NumPy's functions give."""

__all__ = ["answers_itself", "asked_first", "called", "hash_of", "meant", "on_numpy", "or_numpys"]


BUILTINS = frozenset({list, tuple, dict, set, str, range, type(None)})


def answers_itself(x: Any) -> bool:
    """Tell whether an object handles NumPy's functions itself, as those of pandas do (their mean skips NaN).

    NumPy's function is called for them then. It is also called for a subclass of ndarray that a program left on NumPy
    and that changes results; not for one whose class was converted as well.
    """
    if isinstance(x, Tensor) or type(x) in PYTHON_DTYPES or type(x) in BUILTINS:
        return False
    if _is_numpys(type(x)):
        return False
    if (base := next(filter(is_ndarray, type(x).__mro__), None)) is not None:
        return any(getattr(type(x), name, None) is not getattr(base, name, None) for name in OF_RESULTS)
    own = getattr(type(x), "__array_ufunc__", None)
    if own is None or any(_is_numpys(class_) or is_shim(class_.__module__) for class_ in type(x).__mro__):
        return False
    return not is_converted(own)


def is_array_of_own(x: Any) -> bool:
    """Tell whether it is an array of a subclass of ndarray, which decides on the class of results and on operators."""
    if isinstance(x, Tensor) or type(x) in PYTHON_DTYPES or type(x) in BUILTINS:
        return False
    return any(map(is_ndarray, type(x).__mro__)) and type(x).__name__ not in ("ndarray", "memmap")


def _is_numpys(class_: type) -> bool:
    return package_of(class_) == "numpy"


def is_ndarray(class_: type) -> bool:
    """Tell whether a class is NumPy's array, which need not be loaded."""
    return class_.__name__ == "ndarray" and class_.__module__ == "numpy"


def numpy_itself() -> Any:
    """NumPy, which is installed where its dtypes and arrays are passed."""
    import numpy

    return numpy


def on_numpy(function: Callable[..., Any], error: TypeError, values: dict[str, Any]) -> Any:
    """NumPy's own function of the name, for arrays that no torch dtype holds; the error where there is none."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for p in inspect.signature(function).parameters.values():
        value = values[p.name]
        if p.kind is p.VAR_POSITIONAL:
            args += value
        elif p.kind is p.VAR_KEYWORD:
            kwargs |= value
        elif p.kind is p.POSITIONAL_ONLY or p.default is p.empty:
            args.append(value)
        elif value is not p.default:
            kwargs[p.name] = value
    return called(function, error, args, kwargs)


def asked_first(function: Asked) -> Asked:
    """A function that asks other objects for their own: `np.sum(x)` is `x.sum()`, which `np.add.reduce(x)` is not."""

    @functools.wraps(function)
    def asked(a: Any, *args: Any, **kwargs: Any) -> Any:
        if type(a) is not Tensor and answers_itself(a):
            return called(function, TypeError(f"{type(a).__name__} answers itself"), (a, *args), kwargs)
        if overrides(a, FUNCTION):
            return answered(function, (a, *args), kwargs)
        if overrides(a, UFUNC) and hasattr(a, function.__name__):
            return getattr(a, function.__name__)(*args, **kwargs)
        return function(a, *args, **kwargs)

    return cast(Asked, asked)


def or_numpys(function: Asked) -> Asked:
    """A function that hands on to NumPy's of the same name what no torch dtype holds, as the normalized ones do."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except NoCounterpart as error:
            return called(function, error, args, kwargs)

    return cast(Asked, wrapper)


def meant(**kwargs: Any) -> dict[str, Any]:
    """The keywords of a ufunc that say something: no None, no True, no object that stands for nothing passed."""
    return {name: x for name, x in kwargs.items() if x is not None and x is not True and type(x) is not object}


def hash_of(name: str) -> int:
    """The hash of NumPy's ufunc of a name, which equals the shim's: a table with the one for a key finds the other."""
    try:
        import numpy
    except ImportError:
        return hash(name)
    return hash(getattr(numpy, name, name))


def numpys_own(function: Any, numpy: Any) -> Any:
    """NumPy's function that stands where the shim's stands; None where there is none.

    The same name means different functions in different places, as `polyder` does in `numpy.polynomial.polynomial`.
    What the shim shows nowhere is looked up by the name of its module.
    """
    from np2torch.shim._subclass_propagation import PARTS

    name, shim = function.__name__, sys.modules[SHIM]
    showing = [part for part in ("", *PARTS) if _is_it(_shown(shim, f"{part}.{name}"), function)]
    for part in (*showing, function.__module__.rpartition(".")[2]):
        if (own := _member(numpy, f"{part}.{name}")) is not None:
            return own
    return getattr(numpy, name, getattr(numpy.linalg, name, None))  # the last for what stands in a module of ours


def _is_it(shown: Any, function: Any) -> bool:
    """Tell whether `shown` is the function, or a wrapper of it for subclasses."""
    return shown is not None and (shown is function or getattr(shown, "__wrapped__", None) is function)


def _shown(module: Any, path: str) -> Any:
    """Give what the shim shows in a place; None where it shows nothing there."""
    for name in path.lstrip(".").split("."):
        module = getattr(module, "__dict__", {}).get(name)
    return module


def _member(root: Any, path: str) -> Any:
    """Follow a path of attributes; None if one of them is missing."""
    for name in path.lstrip(".").split("."):
        root = getattr(root, name, None)
    return root


def called(function: Any, error: TypeError, args: Sequence[Any], kwargs: dict[str, Any], method: str = "") -> Any:
    """Call NumPy's function (or its method) of the same name and module; raise the error if NumPy has none."""
    from np2torch.shim._twins import pair
    from np2torch.shim.interop import from_numpy, to_numpy

    if (answer := answered(function, args, kwargs, method)) is not NotImplemented:
        return answer
    try:
        import numpy
    except ImportError:
        raise error from None
    own = numpys_own(function, numpy)
    if own is None:
        raise error
    if method == "reduce" and function.__name__ in REDUCTIONS:
        own = getattr(numpy, REDUCTIONS[function.__name__])
    elif method:
        own = getattr(own, method)
    found = own(*to_numpy(list(args)), **to_numpy(kwargs))
    if kwargs.get("out") is not None:
        return kwargs["out"]
    made = from_numpy(found)
    if isinstance(made, Tensor) and made.ndim and not found.dtype.isnative:
        pair(made, found, is_shared=False)  # for its order of bytes, which shows where they are written
    return made
