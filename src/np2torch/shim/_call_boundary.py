"""One call over the border: what goes in as tensors, what comes out as what was given, what was written goes back."""

from __future__ import annotations

import functools
import sys
import types
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import torch

from np2torch.shim import _promotion
from np2torch.shim._argument_counts import shown_signature
from np2torch.shim._location import is_shim, package_of
from np2torch.shim._marks import MARK
from np2torch.shim._promotion import Tensor
from np2torch.shim._subclass_propagation import Derived
from np2torch.shim._tracebacks import inside
from np2torch.shim._twins import array_of, holds_same, pair, tensor_of
from np2torch.shim.interop import (
    FUNCTIONS,
    LAZY,
    as_ndarray,
    as_tensor,
    from_numpy,
    innermost,
    is_array,
    is_at_home,
    is_container,
    is_numeric_array,
    numpys_dtype,
    rebuilt,
    to_numpy,
)
from np2torch.shim.random.shared import STREAM as GLOBAL
from np2torch.shim.random.shared import Shared

CALLED = (*FUNCTIONS, types.BuiltinFunctionType)
OPENED = "__np2torch_opened__"
"""Set on each class of the project that both sides use: true where its objects cross as they are, so that none of the
questions for their class need be asked, each of which a property of the object would answer."""


def crosses_as_itself(x: Any) -> bool:
    """Tell an object of the project that is no container, as what its attributes hold crosses when they are read."""
    found: bool = type(x).__dict__.get(OPENED, False)
    return found


@functools.lru_cache(1000)
def _counterpart(dtype: Any) -> torch.dtype | None:
    """The torch dtype of one of NumPy's, or of a class of its scalars; None where there is none."""
    try:
        return _promotion.as_dtype(dtype)
    except TypeError:
        return None


class Border:
    """The conversions of one call by a caller with ndarrays: its arguments, and what their tensors were made of.

    Attributes
    ----------
    arrays, tensors
        Whether there are any among the arguments.
    """

    def __init__(self) -> None:
        self.arrays = self.tensors = False
        self._made: dict[int, tuple[Any, Any]] = {}  # by the id of an array: itself and its tensor
        self._given: dict[int, tuple[Any, Any]] = {}  # by the id of a tensor: itself and what it was made of
        self._copies: list[tuple[Any, Tensor]] = []
        self._containers: list[tuple[Any, Any]] = []
        self._streams: list[Callable[[], None]] = []

    # ------------------------------------------------------------------------------------------------ in
    def inward(self, x: Any) -> Any:
        """Arrays as tensors, wherever they are nested; functions and iterators so that they go over too."""
        if crosses_as_itself(x):
            return x
        if is_container(x):
            made = rebuilt(x, self.inward)
            if type(x) in (list, deque, dict):
                self._containers.append((x, made))
            return made
        if isinstance(x, Derived):
            return x
        if isinstance(x, Tensor):
            self.tensors = True
            return x
        if package_of(type(x)) == "numpy" or isinstance(x, type) and x.__module__ == "numpy":
            return self._of_numpy(x)
        if isinstance(x, LAZY):
            return map(self.inward, x)
        return Outside(x) if isinstance(x, CALLED) and not is_called_with_tensors(x) else x

    def _of_numpy(self, x: Any) -> Any:
        if is_numeric_array(x):
            self.arrays = True
            if id(x) not in self._made:
                tensor = self._tensor(x)
                self._made[id(x)] = x, tensor
                self._given[id(tensor)] = tensor, x
            return self._made[id(x)][1]
        name = type(x).__name__
        if name in STREAMS:
            return self._stream(x, name)
        if name in POLYNOMIALS:
            return POLYNOMIALS[name](x, self.inward) if is_numeric_array(x.coef) else x
        if name == "ufunc" and type(own := getattr(sys.modules[__package__], x.__name__, None)).__name__ == "UFunc":
            return own
        if name in ("ufunc", "_ArrayFunctionDispatcher", "vectorize"):
            return Outside(x)
        if isinstance(x, type) or hasattr(x, "newbyteorder"):
            found = _counterpart(x)
            return x if found is None else found
        return x

    def _tensor(self, x: Any) -> Tensor:
        """The tensor of an ndarray or NumPy scalar: the one that has crossed as it, where that is still there."""
        found = tensor_of(x)
        if found is not None:
            return found
        tensor = as_tensor(x)
        if is_array(x):
            is_shared = _shared(x, tensor)
            pair(tensor, x, is_shared)
            if not is_shared:
                self._copies.append((x, tensor))
        return tensor

    def _array(self, x: Tensor) -> Any:
        """The ndarray or NumPy scalar of a tensor: the one that has crossed as it, where that is still there."""
        found = array_of(x)
        if found is not None:
            return found
        is_plain = x.ndim or not hasattr(x, MARK)
        array = as_ndarray(x) if is_plain else as_ndarray(x.reshape(1)).reshape(())
        if is_array(array) and _shared(array, x):
            pair(x, array, is_shared=True)
        return array

    def _stream(self, x: Any, name: str) -> Any:
        """Let one generator of random numbers go on where the other has stopped, and back."""
        if (own := lent_by(x)) is not None:
            return own
        made = STREAMS[name](x)
        self._given[id(made)] = made, x
        self._streams.append(functools.partial(_rewind, x, made))
        return made

    # ----------------------------------------------------------------------------------------------- out
    def outward(self, x: Any) -> Any:
        """Tensors as arrays, wherever they are nested; what came in comes out as itself."""
        if crosses_as_itself(x):
            return x
        known = self._given.get(id(x))
        if known is not None:
            return known[1]
        if isinstance(x, Derived):
            return x
        if isinstance(x, Tensor):
            return self._array(x)
        if isinstance(x, torch.Size):
            return tuple(x)
        if type(x).__name__ == "UFunc" and (numpy := sys.modules.get("numpy")) is not None:
            return getattr(numpy, x.__name__, x)
        if isinstance(x, torch.dtype):
            return numpys_dtype(x)
        if is_container(x):
            return rebuilt(x, self.outward)
        if isinstance(x, types.GeneratorType):
            return self._generated(x)
        if isinstance(x, types.CoroutineType):
            return self._awaited(x)
        if isinstance(x, LAZY):
            return map(self.outward, x)
        if type(x).__name__ in POLYNOMIALS and is_shim(type(x).__module__):
            return x.__np2torch_lent__()
        if isinstance(x, CALLED) and is_called_with_tensors(x) and not hasattr(x, "__np2torch__"):
            return self._function(x)
        return x.function if isinstance(x, Outside) else x

    @staticmethod
    def _function(x: Any) -> Any:
        from np2torch.shim.public import converting

        return x if isinstance(x, types.BuiltinFunctionType) else converting(x)

    def _generated(self, generator: Any) -> Any:
        sent = None
        while True:
            try:
                with self:
                    item = generator.send(sent)
            except StopIteration as end:
                return self.outward(end.value)
            try:
                sent = self.inward((yield self.outward(item)))
            except GeneratorExit:
                generator.close()
                raise

    async def _awaited(self, coroutine: Any) -> Any:
        with self:
            return self.outward(await coroutine)

    # ------------------------------------------------------------------------------------------ the call
    def __enter__(self) -> None:
        Shared.visits += 1

    def __exit__(self, *_: object) -> None:
        Shared.visits -= 1
        if not Shared.visits:
            GLOBAL.give_back()
        self.settle()

    def settle(self) -> None:
        """Hand back what the call has written: into arrays that torch could not share, lists, dicts, streams."""
        for array, tensor in self._copies:
            if array.shape == tuple(tensor.shape) and (array.flags.writeable or not holds_same(array, tensor)):
                array[...] = as_ndarray(tensor)  # NumPy's own error where it is read-only
        for old, new in self._containers:
            refill(old, new, self.outward)
        for rewind in self._streams:
            rewind()


def refill(old: Any, new: Any, change: Callable[[Any], Any]) -> None:
    """Put what is in one list, deque or dict into another, where that is not the same already."""
    if isinstance(old, dict):
        values = {key: change(value) for key, value in new.items()}
        if values.keys() != old.keys() or any(values[key] is not old[key] for key in old):
            old.clear()
            old.update(values)
        return
    items = [change(item) for item in new]
    if len(items) != len(old) or any(a is not b for a, b in zip(items, old, strict=True)):
        old.clear()
        old.extend(items)


class Outside:
    """A function of the caller's, which is called with ndarrays and answers to tensors."""

    def __init__(self, function: Any) -> None:
        self.function = function
        functools.update_wrapper(self, function, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        border = Border()
        GLOBAL.give_back()  # it may draw from NumPy's stream
        given, named = [border.outward(a) for a in args], {k: border.outward(a) for k, a in kwargs.items()}
        try:
            result = self.function(*given, **named)
        except BaseException as error:
            error.__traceback__ = inside(error.__traceback__)
            raise
        return border.inward(result)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Bind as the function does: one of Python's in a class is a method, a ufunc is none."""
        is_bound = instance is not None and hasattr(self.function, "__get__")
        return types.MethodType(self, instance) if is_bound else self

    def __getattr__(self, name: str) -> Any:
        """Give any other attribute of the function that callers read: `__code__`, for the number of its parameters."""
        if name == "function":  # a copy asks before there is one
            raise AttributeError(name)
        return shown_signature(self.function) if name == "__signature__" else getattr(self.function, name)

    def __eq__(self, other: object) -> bool:
        return bool(self.function == (other.function if isinstance(other, Outside) else other))

    def __hash__(self) -> int:
        return hash(self.function)


def only_numpys(module: str, name: str) -> Any:
    """Give what NumPy has under a name that the shim lacks; functions of it convert their arguments and results.

    Raises
    ------
    AttributeError
        Where NumPy has no such name either, or is not there.
    """
    with suppress(ImportError, AttributeError):
        import numpy

        found = getattr(numpy, name)
        if isinstance(found, numpy.bool_):
            return bool(found)
        return Outside(found) if callable(found) and not isinstance(found, type) else found
    raise AttributeError(f"module {module!r} has no attribute {name!r}")


def is_called_with_tensors(function: Any) -> bool:
    """Tell whether a function takes tensors as they are: it handles tensors, or is one of Python's own."""
    function = innermost(function)
    if isinstance(function, types.BuiltinFunctionType):
        return function.__module__ in ("builtins", "math", "operator")
    return is_at_home(function)


def _shared(array: Any, tensor: Tensor) -> bool:
    return is_array(array) and bool(array.__array_interface__["data"][0] == tensor.data_ptr())


def lent_by(x: Any) -> Any:
    """The stream of ours that a generator of NumPy's draws from, since it crossed the border as that; else None."""
    lent = sys.modules.get("np2torch.shim.random.lent")
    return lent.lent_by(x) if lent is not None else None


def _seeded(x: Any) -> Any:
    from np2torch.shim import random

    bits = getattr(random, type(x).__name__)(0)
    bits.state = from_numpy(x.state)
    sequence = getattr(x, "seed_seq", None)
    if sequence is not None and hasattr(sequence, "state"):
        bits.seed_seq = random.SeedSequence(**sequence.state)
    return bits


def _generator(x: Any) -> Any:
    from np2torch.shim import random

    return random.Generator(_seeded(x.bit_generator))


def _random_state(x: Any) -> Any:
    from np2torch.shim import random

    made = random.RandomState(0)
    made.set_state(from_numpy(x.get_state()))
    return made


def _poly1d(x: Any, change: Callable[[Any], Any]) -> Any:
    from np2torch.shim.polynomial import poly1d

    return poly1d(change(x.coef), variable=x.variable)


def _power_series(x: Any, change: Callable[[Any], Any]) -> Any:
    from np2torch.shim.polynomial import Polynomial

    return Polynomial(change(x.coef), change(x.domain), change(x.window), x.symbol)


def _rewind(x: Any, made: Any) -> None:
    """Let NumPy's generator go on where ours has stopped."""
    if hasattr(x, "set_state"):
        x.set_state(to_numpy(made.get_state()))
    else:
        old, new = (x.bit_generator, made.bit_generator) if hasattr(x, "bit_generator") else (x, made)
        old.state = to_numpy(new.state)


STREAMS: dict[str, Callable[[Any], Any]] = {
    "Generator": _generator, "RandomState": _random_state, "PCG64": _seeded, "MT19937": _seeded,
}  # fmt: skip
"""NumPy's random generators by class, and what makes ours of one."""
POLYNOMIALS: dict[str, Callable[[Any, Callable[[Any], Any]], Any]] = {
    "poly1d": _poly1d, "Polynomial": _power_series,
}  # fmt: skip
"""NumPy's polynomials by class, and what makes ours over the same coefficients."""
