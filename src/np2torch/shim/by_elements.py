"""`by_elements`: a function that computes element by element, and therefore in NumPy, on the memory of tensors.

Where a gradient, another device or a transform of torch's is in play, the same code runs on tensors instead: with the
functions of the shim for those of NumPy, and with arguments that have the operators and methods of arrays.
"""

from __future__ import annotations

import dis
import functools
import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar

import torch

from np2torch.shim._callers import ON_NUMPY, leave_on_numpy
from np2torch.shim._location import package_of
from np2torch.shim._marks import MARK
from np2torch.shim._promotion import Tensor
from np2torch.shim._read_only import ReadOnly
from np2torch.shim._transforms import in_transform
from np2torch.shim.interop import IN_NUMPY, as_numpy, from_numpy, mapped, namespace

__all__ = ["by_elements"]

Function = TypeVar("Function", bound=Callable[..., Any])
SAME = frozenset({int, float, bool, complex, str, type(None)})
"""Types of arguments that are the same on both sides."""
CONTAINERS = frozenset({list, tuple, dict})
"""Types of arguments that may hold tensors."""
_caller = sys._getframe
STORES = frozenset({"STORE_SUBSCR", "DELETE_SUBSCR"})


class _NeedsTensors(Exception):
    """An argument of which NumPy gets no view without loss."""


def by_elements(function: Function) -> Function:
    """Let a function compute in NumPy: tensors go in as views of their memory, arrays come out as tensors.

    Parameters
    ----------
    function
        One that computes alone: it keeps nothing of what it is given, and calls nothing but functions of NumPy and
        others that are decorated so.

    Notes
    -----
    Calls from such functions, and from all that stays on NumPy, go straight through where they hand over no tensor. An
    array that was handed in and comes back is the tensor that it was.

    Raises
    ------
    RuntimeError
        Where a gradient is needed and the function stores elements, which no gradient follows.
    TypeError
        Where the function may change a list or dict that has tensors in it.
    """
    leave_on_numpy(function.__code__)
    function, on_tensors, changes = _in_numpy(function), function, _changes(function.__code__)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if id(_caller(1).f_code) in ON_NUMPY and Tensor not in map(type, (*args, *kwargs.values())):
            return function(*args, **kwargs)
        try:
            if in_transform():
                raise _NeedsTensors
            given = [x.numpy() if type(x) is Tensor and x.ndim else _view(x) for x in args]
            named = {name: _view(x) for name, x in kwargs.items()} if kwargs else kwargs
        except (_NeedsTensors, RuntimeError, TypeError):  # torch's own: a gradient, another device, no dtype of NumPy's
            compiler = sys.modules.get("torch._dynamo")  # which cannot look into such objects
            run = _on_tensors if compiler is None else compiler.disable(_on_tensors)
            return run(on_tensors, args, kwargs)
        result = _settled(function, args, kwargs, given, named) if changes else function(*given, **named)
        if type(result) in SAME:
            return result
        for old, new in zip(args, given):  # noqa: B905  (as many of both)
            if result is new:
                return old
        for name in named:
            if result is named[name]:
                return kwargs[name]
        return _tensor(result)

    wrapper.__np2torch__ = True  # type: ignore[attr-defined]
    setattr(wrapper, IN_NUMPY, function)
    return wrapper  # type: ignore[return-value]


def _in_numpy(function: Any) -> Any:
    """The function with defaults as NumPy has them; itself where they are that."""
    defaults, named = function.__defaults__ or (), function.__kwdefaults__ or {}
    if all(type(one) in SAME for one in (*defaults, *named.values())):
        return function
    made = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, as_numpy(defaults), function.__closure__
    )
    made.__kwdefaults__ = as_numpy(named)
    return functools.update_wrapper(made, function)


@functools.lru_cache(256)
def _changes(code: types.CodeType) -> bool:
    """Tell whether a function may change what it is given."""
    steps = dis.get_instructions(code)
    return any(one.opname in STORES or one.opname == "BINARY_OP" and one.argrepr.endswith("=") for one in steps)


def _settled(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], given: list[Any], named: dict[str, Any]
) -> Any:
    """The result of a function that may change the lists and dicts that it is given: arrays in these become tensors."""
    lists = [x for x in (*args, *kwargs.values()) if type(x) in CONTAINERS]
    if not lists:
        return function(*given, **named)
    passed = {id(x) for x in (*given, *named.values())}
    if any(id(x) not in passed for x in lists):
        raise TypeError(f"{function.__name__} may change a list with tensors in it: pass a tensor, or numbers")
    try:
        return function(*given, **named)
    finally:
        for x in lists:
            _settle(x)


def _settle(x: Any) -> None:
    """Exchange the arrays in a list or dict, and in those within, for tensors."""
    for at, item in list(x.items() if type(x) is dict else enumerate(x)):
        if type(item) in CONTAINERS:
            _settle(item)
        elif type(x) is not tuple and (new := from_numpy(item)) is not item:
            x[at] = new


def _view(x: Any) -> Any:
    """Give what NumPy computes with for an argument."""
    if type(x) in SAME:
        return x
    if type(x) is Tensor or type(x) is ReadOnly:
        array = x.numpy()
        return array if array.ndim or hasattr(x, MARK) else array[()]
    if isinstance(x, Tensor):
        raise _NeedsTensors
    if type(x) in CONTAINERS:
        return mapped(x, _leaf)
    return as_numpy(x)


def _tensor(x: Any) -> Any:
    """Bring a result back."""
    if type(x).__name__ == "ndarray" and x.ndim and x.flags.writeable:
        try:
            return torch.from_numpy(x)
        except (TypeError, ValueError):  # what torch cannot share is copied
            pass
    return from_numpy(x)


def _leaf(x: Any) -> Any:
    return x if type(x) in SAME else _view(x)


# ------------------------------------------------------------------------------------------------ on tensors
def _on_tensors(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The same code on tensors that mean what arrays mean."""
    if any(one.opname in STORES for one in dis.get_instructions(function)):
        raise RuntimeError(f"{function.__name__} stores elements, which no gradient, device or transform follows")
    code = function.__code__.replace(co_name=f"{function.__name__}_on_tensors")
    names = {name: _counterpart(value) for name, value in function.__globals__.items()}
    same = types.FunctionType(code, names, function.__name__, function.__defaults__, function.__closure__)
    same.__kwdefaults__ = function.__kwdefaults__
    given = [mapped(x, _as_array) for x in args]
    named = {name: mapped(x, _as_array) for name, x in kwargs.items()}
    return mapped(same(*given, **named), _as_plain)


def _counterpart(value: Any) -> Any:
    """Give what stands for a module of NumPy's, or a function of it, among tensors."""
    if isinstance(value, types.ModuleType):
        return namespace(value)
    if package_of(value) == "numpy" and hasattr(value, "__name__"):
        return getattr(namespace(sys.modules["numpy"]), value.__name__)
    return value


def _array_class() -> Any:
    from np2torch.shim.subclassing import ndarray

    global _Array
    if _Array is None:
        _Array = type("Array", (ndarray,), {"__module__": f"{ndarray.__module__}"})
    return _Array


_Array: Any = None


def _as_array(x: Any) -> Any:
    return x.as_subclass(_array_class()) if type(x) is Tensor and (x.ndim or hasattr(x, MARK)) else x


def _as_plain(x: Any) -> Any:
    return x.as_subclass(Tensor) if _Array is not None and type(x) is _Array else x
