"""`on_numpy`: functions and classes that stay on NumPy in a converted module; their callers use tensors.

What such a function is given becomes ndarrays over the same memory, what it gives back becomes tensors, and what it
writes into lists and dicts is there for the caller. Objects go over as they are: what is read of their attributes is
what the reader uses, whoever stored it.
"""

from __future__ import annotations

import enum
import functools
import inspect
import sys
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from np2torch.shim import _errors
from np2torch.shim._argument_counts import entered_by
from np2torch.shim._call_boundary import OPENED, Border, crosses_as_itself, lent_by, refill
from np2torch.shim._callers import CALLED_BACK, LIBRARIES, Side, caller, leave_on_numpy, runs_on_numpy
from np2torch.shim._location import is_shim, package_of
from np2torch.shim._promotion import Tensor
from np2torch.shim._subclass_propagation import Derived
from np2torch.shim._tracebacks import inside
from np2torch.shim.interop import LAZY, ending, is_array, is_numeric_array, uses_torch
from np2torch.shim.public import BEHIND, OWN, PLAIN, as_method, converting, open_class
from np2torch.shim.random.shared import STREAM as GLOBAL
from np2torch.shim.random.shared import Shared

__all__ = ["on_numpy"]

T = TypeVar("T")
ATOMS = frozenset([int, float, complex, str, bytes, bool, type(None)])
"""The types of what both sides use as it is: most of what is read of attributes, and in what crosses."""
GENERATORS = ("Generator", "RandomState")
"""NumPy's objects that draw random numbers."""


def on_numpy(thing: T) -> T:
    """Leave a function, or the methods of a class, on NumPy, with a border around it.

    Parameters
    ----------
    thing
        A function, a generator function, a coroutine function or a class. Anything else comes back as it is.

    Notes
    -----
    * Calls from code that stays on NumPy too, and from libraries that compute on ndarrays, go straight through.
    * On the CPU the memory is shared. Tensors and ndarrays are exchanged at any depth of tuples, lists, dicts and
      iterators; what the function writes into a list or dict is seen by the caller.
    * A list, dict or deque in an attribute stays the same object: its items become what the reader uses.
    * A class that derives from one of NumPy's has no border: all code knows that its objects are not tensors.
    * What a class inherits from a library is called with arrays as well, by `shim.invoke`.
    """
    if isinstance(thing, type) and _is_numpys(thing):
        for function in _functions_of(thing):
            leave_on_numpy(function.__code__)
        return thing
    if isinstance(thing, type):
        _leave_class(thing)
        open_to_both(thing)
        if any(package_of(base) in LIBRARIES for base in thing.__mro__):
            setattr(thing, CALLED_BACK, True)
        return thing
    made: T = staying(thing) if isinstance(thing, types.FunctionType) else thing
    return made


class Visit(Border):
    """One call from converted code into code that stays on NumPy: `outward` leads there, `inward` back."""

    def __init__(self) -> None:
        super().__init__()
        self._lent: list[tuple[Any, Any]] = []
        self._own: list[Any] = []

    def outward(self, x: Any) -> Any:
        """Tensors as arrays; of the same tensor the same array, and of what was an array that one."""
        if type(x) in ATOMS or crosses_as_itself(x):
            return x
        if isinstance(x, Tensor) and not isinstance(x, Derived) and id(x) not in self._given:
            self.tensors = True
            array = self._array(x)
            self._given[id(x)] = x, array
            if is_array(array):
                self._made[id(array)] = array, x
            return array
        if is_numeric_array(x):
            self.arrays = True
            return x
        if isinstance(x, Guest):
            return x.generator
        if is_own_container(x):
            return self._lend(x, self.outward)
        if type(x) in (list, deque, dict):
            made = super().outward(x)
            if made is not x:
                self._lent.append((x, made))
            return made
        if hasattr(x, "__np2torch_lent__"):
            return x.__np2torch_lent__()
        open_to_both(type(x))
        return super().outward(x)

    def inward(self, x: Any) -> Any:
        """Arrays as tensors; a generator of random numbers stays NumPy's and answers with tensors."""
        if type(x) in ATOMS or crosses_as_itself(x):
            return x
        if type(x).__name__ in GENERATORS and package_of(type(x)) == "numpy":
            own = lent_by(x)
            return Guest(x) if own is None else own
        if is_own_container(x):
            return self._lend(x, self.inward)
        open_to_both(type(x))
        return super().inward(x)

    def _lend(self, x: Any, change: Callable[[Any], Any]) -> Any:
        """A list, deque or dict of a class of the project, as it is: its items become what the other side uses."""
        open_to_both(type(x))
        self._own.append(x)
        return _exchanged(x, change)

    def settle(self) -> None:
        """Hand back what was written into lists and dicts."""
        for old, new in self._lent:
            refill(old, new, self.inward)
        for own in self._own:
            _exchanged(own, self.inward)

    @contextmanager
    def staying(self) -> Iterator[None]:
        """Run code on NumPy: it draws from NumPy's stream, and raises NumPy's errors."""
        GLOBAL.give_back()
        Shared.is_mixed = True
        Shared.visits, visits = 0, Shared.visits
        try:
            yield
        except Exception as error:
            if (ours := _errors_of_ours(error)) is not None:
                raise ours.with_traceback(error.__traceback__) from error
            raise
        finally:
            Shared.visits = visits
            self.settle()


class Passage(Border):
    """One call from code that stays on NumPy into converted code: `inward` leads there, `outward` back.

    A container of a class of the project crosses as it is: a copy would be made by its own methods, and be another.
    """

    def __init__(self) -> None:
        super().__init__()
        self._own: list[Any] = []

    def inward(self, x: Any) -> Any:
        """Arrays as tensors."""
        return self._lend(x, self.inward) if is_own_container(x) else super().inward(x)

    def outward(self, x: Any) -> Any:
        """Tensors as arrays."""
        return self._lend(x, self.outward) if is_own_container(x) else super().outward(x)

    def _lend(self, x: Any, change: Callable[[Any], Any]) -> Any:
        self._own.append(x)
        return _exchanged(x, change)

    def settle(self) -> None:
        """Hand back what was written, and give the items of containers back as arrays."""
        super().settle()
        for own in self._own:
            _exchanged(own, self.outward)


class Guest:
    """A generator of random numbers of NumPy's among tensors: what it draws becomes tensors."""

    def __init__(self, generator: Any) -> None:
        self.generator = generator

    def __getattr__(self, name: str) -> Any:
        if name == "generator":  # a copy asks before there is one
            raise AttributeError(name)
        found = getattr(self.generator, name)
        return Visit().inward(staying(found) if callable(found) else found)


def _errors_of_ours(error: Exception) -> Exception | None:
    """The error that converted code waits for, where NumPy has a class of its own."""
    name = type(error).__name__
    is_numpys = package_of(type(error)) == "numpy"
    ours = getattr(_errors, name, None) if is_numpys and name in ("LinAlgError", "AxisError") else None
    return None if ours is None else ours(*error.args)


# ------------------------------------------------------------------------------------------------- functions
def staying(function: Any, receives: bool = False) -> Any:
    """Put a border around a function that stays on NumPy; the first argument of a method stays as it is."""
    if hasattr(function, "__code__"):
        leave_on_numpy(function.__code__)

    def crossing(
        args: tuple[Any, ...], kwargs: dict[str, Any], depth: int = 3
    ) -> tuple[Visit | None, tuple[Any, ...], dict[str, Any]]:
        """The visit that a call is, None where the caller is on NumPy itself; with what the function is given."""
        side, _ = caller(depth)
        if side is Side.NUMPY:
            return None, args, kwargs
        visit = Visit()
        own, rest = (args[:1], args[1:]) if receives else ((), args)
        if own and is_own_container(own[0]):
            visit.outward(own[0])  # as its methods use its items
        elif own:
            open_to_both(type(own[0]))
        given = (*own, *map(visit.outward, rest)), {name: visit.outward(value) for name, value in kwargs.items()}
        is_numpys = side is Side.LIBRARY or side is Side.OUTSIDE and visit.arrays
        return (None, args, kwargs) if is_numpys and not visit.tensors else (visit, *given)

    wrapper: Any
    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            visit, given, named = crossing(args, kwargs)
            if visit is None:
                return (yield from function(*given, **named))
            return (yield from _pumped(function(*given, **named), visit))

    elif inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            visit, given, named = crossing(args, kwargs)
            if visit is None:
                return await function(*given, **named)
            with visit.staying():
                result = await function(*given, **named)
            return visit.inward(result)

    else:

        def enter(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            visit, given, named = crossing(args, kwargs, 4)
            if visit is None:
                return function(*given, **named)
            with visit.staying():
                result = function(*given, **named)
            return visit.inward(result)

        wrapper = entered_by(enter, function)

    wrapper.__np2torch__ = True
    return wrapper


def _pumped(generator: Any, visit: Visit) -> Any:
    """A generator on NumPy as one that gives and takes tensors."""
    resume, sent = generator.send, None
    while True:
        try:
            with visit.staying():
                item = resume(sent)
        except StopIteration as end:
            return visit.inward(end.value)
        try:
            resume, sent = generator.send, visit.outward((yield visit.inward(item)))
        except GeneratorExit:
            generator.close()
            raise
        except BaseException as error:
            resume, sent = generator.throw, error


# --------------------------------------------------------------------------------------------------- classes
OF_TYPES = frozenset(vars(type)) | {"__class__"}
"""Names that say something of the class itself where they are bound anew: properties of these names stay."""


def _leave_class(cls: type) -> None:
    """Put a border around the methods and properties of a class."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, types.FunctionType):
            leave_on_numpy(member.__code__)
            made: Any = staying(as_method(member), receives=True)
        elif isinstance(member, (staticmethod, classmethod)) and isinstance(member.__func__, types.FunctionType):
            made = type(member)(staying(member.__func__, receives=isinstance(member, classmethod)))
        elif isinstance(member, property):
            if name in OF_TYPES:
                continue
            fget, fset, fdel = (one and staying(one, receives=True) for one in (member.fget, member.fset, member.fdel))
            made = property(fget, fset, fdel, member.__doc__)
        elif isinstance(member, functools.cached_property):
            member.func = staying(member.func, receives=True)
            continue
        else:
            continue
        setattr(cls, name, made)


def open_to_both(cls: type) -> None:
    """Let code on both sides use the instances of a class of the project, and of those it derives from.

    Methods on tensors are called over the border from code on NumPy, and attributes are read as what the reader uses.
    """
    if cls.__module__ in _PLAIN_MODULES or OPENED in vars(cls):
        return
    if issubclass(cls, Derived) and not is_shim(cls.__module__):
        setattr(cls, OPENED, False)
        open_class(cls)
    if not _is_projects(cls):
        return
    for base in reversed(cls.__mro__):
        if OPENED in vars(base) or not _is_projects(base):
            continue
        setattr(base, OPENED, not issubclass(base, (list, deque, dict, *LAZY)))
        for name, member in list(vars(base).items()):
            if isinstance(member, types.FunctionType):
                if name not in OWN and not _is_border(member):
                    setattr(base, name, converting(as_method(member), receives=True))
            elif isinstance(member, (staticmethod, classmethod)) and isinstance(member.__func__, types.FunctionType):
                if not _is_border(member.__func__):
                    made = converting(member.__func__, receives=isinstance(member, classmethod))
                    setattr(base, name, type(member)(made))
        plain: Any = base.__getattribute__
        if not _is_border(plain):
            setattr(base, "__getattribute__", _reading(getattr(plain, BEHIND, plain)))  # noqa: B010


def _is_border(member: Any) -> bool:
    """Tell whether it is a function with a border around it."""
    files = __file__, entered_by.__code__.co_filename
    return isinstance(member, types.FunctionType) and member.__code__.co_filename in files


_PLAIN_MODULES = frozenset({"builtins", "numpy", "torch", "collections", "functools", "pathlib", "datetime"})


def _is_projects(cls: type) -> bool:
    """Tell whether the methods of a class may handle tensors, and its attributes can be watched."""
    package = package_of(cls)
    if package in _FOREIGN or is_shim(cls.__module__) or package in sys.stdlib_module_names and package != "__main__":
        return False
    if issubclass(cls, (tuple, enum.Enum, BaseException, type, Derived, Tensor)) or vars(cls).get("_is_protocol"):
        return False  # what a protocol is given counts as asked for
    return not _is_numpys(cls) and cls.__flags__ & _HEAP != 0 and cls.__flags__ & _IMMUTABLE == 0


def _is_numpys(cls: type) -> bool:
    """Tell whether a class is or derives from one of NumPy's."""
    return any(package_of(base) == "numpy" for base in cls.__mro__)


def _functions_of(cls: type) -> Iterator[types.FunctionType]:
    for member in vars(cls).values():
        parts = (member, getattr(member, "__func__", None), *(getattr(member, name, None) for name in ACCESSORS))
        yield from (one for one in parts if isinstance(one, types.FunctionType))


ACCESSORS = ("fget", "fset", "fdel", "func")
"""The attributes of a property, or a cached one, that hold its functions."""
_FOREIGN = frozenset("np2torch numpy torch scipy pandas matplotlib sklearn pytest _pytest hypothesis".split())
_HEAP, _IMMUTABLE = 1 << 9, 1 << 8
"""Flags of types: made by a class statement, not to be changed."""


def _reading(plain: Callable[[Any, str], Any]) -> Any:
    def __getattribute__(self: Any, name: str) -> Any:
        try:
            value = plain(self, name)
        except BaseException as error:
            error.__traceback__ = inside(error.__traceback__)
            raise
        if type(value) in PLAIN or crosses_as_itself(value) or name[:2] == "__" and name != "__dict__":
            return value
        side, names = caller(2)
        if side is Side.LIBRARY:
            return value
        is_public = hasattr(type(self), "__np2torch_public__")
        to_arrays = side is Side.NUMPY or side is Side.OUTSIDE and is_public and not uses_torch(names)
        if _is_settled(type(value), not to_arrays):
            return value
        return _as_read(value, Visit().outward if to_arrays else Visit().inward)

    __getattribute__.__np2torch__ = True  # type: ignore[attr-defined]
    return __getattribute__


IN_PLACE = frozenset({list, deque, dict, defaultdict, OrderedDict})
"""The classes whose objects stay the same in an attribute, whoever reads it."""


def _as_read(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value as its reader uses it; the items of a list, deque or dict are exchanged in place."""
    if type(value) in IN_PLACE:
        return _exchanged(value, change)
    if is_own_container(value):
        open_to_both(type(value))
        return _exchanged(value, change)
    return value if runs_on_numpy(value) else change(value)


def is_own_container(x: Any) -> bool:
    """Tell whether it is a list, deque or dict of a class of the project's own, whose methods both sides may call."""
    return isinstance(x, (list, deque, dict)) and _is_projects(type(x))


def _exchanged(value: Any, change: Callable[[Any], Any]) -> Any:
    """A list, deque or dict with its items exchanged in place, by none of the methods of its class."""
    kind = next(one for one in (dict, list, deque) if isinstance(value, one))
    ours = change.__name__ == "inward"
    for cls in {*map(type, kind.values(value) if kind is dict else kind.__iter__(value))}:
        if cls not in PLAIN and not _is_settled(cls, ours):
            return _exchange(value, change)
    return value


@ending
def _exchange(value: Any, change: Callable[[Any], Any]) -> Any:
    kind = next(one for one in (dict, list, deque) if isinstance(value, one))
    ours = change.__name__ == "inward"
    pairs = kind.items(value) if kind is dict else enumerate(kind.__iter__(value))
    for key, item in [(key, item) for key, item in pairs if type(item) not in PLAIN]:
        if not _is_settled(type(item), ours) and (new := _as_read(item, change)) is not item:
            kind.__setitem__(value, key, new)
    return value


def _is_settled(cls: type, ours: bool) -> bool:
    """Tell whether one side uses all objects of a class as they are: its own arrays, and the project's open objects."""
    if cls is Tensor:
        return ours
    if cls.__module__ == "numpy":
        return not ours and cls.__name__ == "ndarray"
    found: bool = vars(cls).get(OPENED, False)
    return found
