"""`public`: functions and classes on tensors that callers with ndarrays may use; what goes in says what comes out."""

from __future__ import annotations

import enum
import functools
import re
import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar

import torch

from np2torch.shim._argument_counts import entered_by
from np2torch.shim._call_boundary import Border
from np2torch.shim._callers import CONVERTED, Side, caller
from np2torch.shim._location import is_shim
from np2torch.shim._subclass_propagation import Derived
from np2torch.shim._tracebacks import inside
from np2torch.shim.interop import uses_torch

__all__ = ["public"]

T = TypeVar("T")
PLAIN = frozenset([int, float, complex, str, bytes, bool, type(None), types.MethodType, types.FunctionType])
SHAPES = re.compile(
    r"sizes? of (a )?tensors?\b|shapes cannot be multiplied|is invalid for input of size|stack expects each tensor"
    r"|inconsistent tensor size|size mismatch|must match the existing size|shape mismatch|not broadcastable"
    r"|cannot be broadcast|incorrect batch matrix",
    re.IGNORECASE,
)
"""The messages of torch's RuntimeError for shapes that do not fit, for which NumPy has a ValueError."""
BEHIND = "__np2torch_behind__"
"""The attribute of a border of attributes that has what reads them without it."""
OWN = frozenset(
    "__new__ __array_finalize__ __init_subclass__ __class_getitem__ __getattribute__ __setattr__ __delattr__ "
    "__del__".split()
)
"""Methods through which no array passes but for those that `public` puts there itself."""


def public(thing: T) -> T:
    """Let callers outside of the converted package use ndarrays: arrays in, arrays out; tensors in, tensors out.

    Parameters
    ----------
    thing
        A function, a generator function, or a class. Of a class, the methods without a leading underscore and the
        special ones are public, and attributes and properties are read and set as arrays from outside. Anything else (a
        command of click, an instance) comes back as it is.

    Notes
    -----
    * Arrays and NumPy scalars become tensors at any depth of tuples, lists, dicts and iterators, and results likewise.
      On the CPU the memory is shared; where torch cannot share it (negative strides, foreign byte order) it is copied,
      and what the function wrote is copied back.
    * A call with neither arrays nor tensors answers with arrays, unless the calling module uses torch itself.
    * Calls from modules that have public functions convert nothing, and no more than a look at the caller is paid.
    * Functions that are passed are called with arrays. NumPy's random generators, the global one too, go on in the same
      stream.
    * dtypes go in as torch's and come out as NumPy's. A LinAlgError is NumPy's, and shapes that do not go together are
      a ValueError.

    Lists and dicts in attributes are copies where they hold arrays: what a caller appends to them is not seen.
    """
    CONVERTED.add(getattr(thing, "__module__", None) or "")
    if isinstance(thing, type):
        if not issubclass(thing, (tuple, enum.Enum, BaseException)):
            open_class(thing)
            thing.__np2torch_public__ = True  # type: ignore[attr-defined]
        return thing
    if isinstance(thing, (types.FunctionType, functools.partial)) or hasattr(thing, "cache_info") or _is_ours(thing):
        made: T = converting(thing)
        return made
    return thing


def _outsider() -> dict[str, Any] | None:
    """The names of the module that calls, or None where it is on tensors itself."""
    side, names = caller(3)
    return None if side is Side.TENSORS else names


def converting(function: Any, receives: bool = False) -> Any:
    """The function with a border around it; the first argument of a method stays as it is."""

    def enter(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        side, names = caller(3)
        if side is Side.TENSORS:
            return function(*args, **kwargs)
        border = Border()
        own, rest = (args[:1], args[1:]) if receives else ((), args)
        if side is Side.NUMPY:
            from np2torch.shim.on_numpy import Passage, open_to_both

            border = Passage()
            if own:
                open_to_both(type(own[0]))
        positional = [border.inward(argument) for argument in rest]
        named = {name: border.inward(argument) for name, argument in kwargs.items()}
        if not border.arrays and side is not Side.NUMPY and (border.tensors or uses_torch(names)):
            return function(*args, **kwargs)
        try:
            with border:
                result = function(*own, *positional, **named)
        except torch.linalg.LinAlgError as error:  # type: ignore[attr-defined]
            raise _numpys(error).with_traceback(error.__traceback__) from error
        except RuntimeError as error:
            if type(error) is RuntimeError and SHAPES.search(str(error)):
                raise ValueError(str(error)).with_traceback(error.__traceback__) from error
            raise
        return border.outward(result)

    wrapper = entered_by(enter, function)
    wrapper.__np2torch__ = True
    for name in ("cache_info", "cache_clear", "cache_parameters"):
        if hasattr(function, name):
            setattr(wrapper, name, getattr(function, name))
    return wrapper


def as_method(member: Any) -> Any:
    """A function of a class; of an object that passes for one, as decorators make them, one that binds it when called.

    Such an object learns of the instance when it is bound, and from nothing else.
    """
    if type(member) is types.FunctionType:
        return member

    @functools.wraps(member, updated=())
    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return member.__get__(self, type(self))(*args, **kwargs)

    return method


def _numpys(error: Exception) -> Exception:
    numpy = sys.modules.get("numpy")
    return numpy.linalg.LinAlgError(str(error)) if numpy is not None else error


def open_class(cls: type) -> None:
    """Make the methods and attributes of a class public."""
    members = dict(vars(cls))
    if issubclass(cls, Derived):  # what it inherits computes on arrays too, and it is made of them
        members = dict(vars(cls.array_class())) | members
        cls.__new__ = staticmethod(converting(cls.__new__, receives=True))  # type: ignore[method-assign]
    for name, member in members.items():
        special = name.startswith("__") and name.endswith("__")
        if name in OWN or name.startswith("_") and not special:
            continue
        if isinstance(member, types.FunctionType):
            setattr(cls, name, converting(as_method(member), receives=True))
        elif isinstance(member, (staticmethod, classmethod)) and isinstance(member.__func__, types.FunctionType):
            is_static = isinstance(member, staticmethod)
            setattr(cls, name, type(member)(converting(member.__func__, receives=not is_static)))
    for name, over in (("__getattribute__", _reading), ("__setattr__", _writing)):
        plain = getattr(cls, name)
        if not hasattr(plain, "__np2torch__"):  # a base has brought it along
            setattr(cls, name, over(plain))


def _reading(plain: Callable[[Any, str], Any]) -> Any:
    def __getattribute__(self: Any, name: str) -> Any:
        try:
            value = plain(self, name)
        except BaseException as error:
            error.__traceback__ = inside(error.__traceback__)
            raise
        if type(value) in PLAIN or name.startswith("__"):
            return value
        names = _outsider()
        return value if names is None or uses_torch(names) else Border().outward(value)

    __getattribute__.__np2torch__ = True  # type: ignore[attr-defined]
    setattr(__getattribute__, BEHIND, plain)
    return __getattribute__


def _writing(plain: Callable[[Any, str, Any], None]) -> Any:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(value) not in PLAIN and _outsider() is not None:
            value = Border().inward(value)
        try:
            plain(self, name, value)
        except BaseException as error:
            error.__traceback__ = inside(error.__traceback__)
            raise

    __setattr__.__np2torch__ = True  # type: ignore[attr-defined]
    return __setattr__


def _is_ours(thing: object) -> bool:
    """Is it made by the shim, as `shim.vectorize` makes functions?"""
    return callable(thing) and is_shim(type(thing).__module__)
