"""`ndarray`: the class that subclasses of `numpy.ndarray` derive from once they are on torch.

It is a `torch.Tensor` that means what an ndarray means: NumPy's methods, attributes, operators and subscripts, and
NumPy's rule where a result has the class and where it is a plain tensor. torch's functions take such objects too, and
torch's own methods are told by their keywords (`dim`, `keepdim`, `correction`).
"""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable, Iterator
from typing import Any

import torch

from np2torch.shim import _core, operator
from np2torch.shim._array_wrap import has_own, of_ufunc_result
from np2torch.shim._formatting import array_repr, array_str
from np2torch.shim._from_buffer import frombuffer
from np2torch.shim._layout import may_share
from np2torch.shim._numpy_fallback import numpy_itself
from np2torch.shim._promotion import PYTHON_DTYPES, Tensor, as_dtype, is_numpys_own
from np2torch.shim._read_only import is_frozen, refuse_frozen, set_writeable
from np2torch.shim._subclass_calls import called
from np2torch.shim._subclass_propagation import Derived, of_class, plain
from np2torch.shim._torch_functions import carried_out
from np2torch.shim.interop import to_numpy
from np2torch.shim.methods import ATTRIBUTES, METHODS, SETTERS
from np2torch.shim.subscript import getitem, setitem

__all__ = ["ndarray"]

TORCH_WORDS = frozenset("dim keepdim correction unbiased as_tuple descending memory_format".split())
"""Keywords of torch's methods that NumPy's of the same name have not."""
REFUSED = "__array_ufunc__ __array_function__ __array_prepare__ __array_priority__ __setstate__".split()
"""Protocols of NumPy's that say themselves what becomes of results."""


class ndarray(Derived):
    """The base class on tensors for classes that derived from `numpy.ndarray`.

    Parameters
    ----------
    shape, dtype, buffer, offset, strides, order
        As NumPy's: the memory of `buffer` is shared, without one it is not initialised.
    """

    def __new__(
        cls, shape: Any, dtype: Any = float, buffer: Any = None, offset: int = 0, strides: Any = None, order: Any = None
    ) -> Any:  # fmt: skip
        """A new object; `__array_finalize__` is called with None. Of this class itself it is a plain tensor."""
        if cls is ndarray and is_numpys_own(dtype):
            return numpy_itself().ndarray(shape, dtype, to_numpy(buffer), offset, strides, order)
        made = _laid_out(_core.as_shape(shape), as_dtype(dtype) or torch.float64, plain(buffer), offset, strides, order)
        if cls is ndarray:
            return made
        found = made.as_subclass(cls)
        found.__array_finalize__(None)
        return found

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """`__new__` has done it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let the shim's functions look for such objects; refuse what no tensor can follow."""
        super().__init_subclass__(**kwargs)
        for name in REFUSED:
            if name in vars(cls):
                raise TypeError(f"{cls.__name__}.{name}: torch has no counterpart of this protocol")
        for name in REFLECTED & vars(cls).keys():
            setattr(cls, name, _beside_scalars(name, vars(cls)[name]))
        from np2torch.shim._subclass_dispatch import open_all

        open_all()

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """A function of torch's: on plain tensors, and the result has the class where NumPy's would."""
        return carried_out(func, args, kwargs or {})

    # ------------------------------------------------------------------------------------------ the same object
    def view(self, *args: Any, **kwargs: Any) -> Any:
        """`x.view(cls)`, `x.view(dtype)`; sizes are torch's."""
        sizes = args and isinstance(args[0], (int, tuple))
        return Tensor.view(self, *args, **kwargs) if sizes else METHODS["view"](self, *args, **kwargs)

    def resize(self, *new_shape: Any, refcheck: bool = True) -> None:
        """In place, filled with zeros."""
        with torch._C.DisableTorchFunctionSubclass():
            METHODS["resize"](self, *new_shape, refcheck=refcheck)

    def setflags(self, write: Any = None, align: Any = None, uic: Any = None) -> None:
        """Make the object itself read-only, or writeable."""
        METHODS["setflags"](self, write, align, uic)

    def __getitem__(self, index: Any) -> Any:
        found = getitem(plain(self), _index(index))
        is_element = found.ndim == 0 and not _has_ellipsis(index)
        return found if is_element else _over_the_same(of_class(found, self), self)

    def __setitem__(self, index: Any, value: Any) -> None:
        refuse_frozen(self)
        setitem(plain(self), _index(index), plain(value))

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return _items(self)

    def __contains__(self, item: Any) -> bool:
        return operator.contains(plain(self), plain(item))

    def __repr__(self, **_: Any) -> Any:  # type: ignore[override]
        return array_repr(self)

    def __str__(self) -> str:
        return array_str(plain(self).detach())

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if not self.ndim else object.__format__(self, spec)

    def __copy__(self) -> Any:
        return of_class(METHODS["copy"](plain(self), "K"), self)

    def __deepcopy__(self, memo: Any = None) -> Any:
        found, is_leaf = plain(self), self.is_leaf
        copied = found.detach().clone().requires_grad_(found.requires_grad) if is_leaf else found.clone()
        return of_class(copied, self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """As NumPy's: the data and the class go over, attributes do not."""
        return _restored, (type(self), plain(self).detach())

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Make an object of this class of the result of a function."""
        return array if type(array) is type(self) else of_class(_core.asarray(plain(array)), self)

    __hash__ = Tensor.__hash__


def _over_the_same(found: Any, x: ndarray) -> Any:
    """Make what a subscript gave read-only where it shows the memory of what is so."""
    if is_frozen(x) and may_share(found, x):
        set_writeable(found, False)
    return found


def _items(x: ndarray) -> Iterator[Any]:
    """Its items until there are none: a subscript of the class's own says what and how many."""
    at = 0
    while True:
        try:
            item = x[at]
        except IndexError:
            return
        yield item
        at += 1


def _restored(cls: type[ndarray], data: Tensor) -> Any:
    made = data.as_subclass(cls)
    made.__array_finalize__(None)
    return made


# ------------------------------------------------------------------------------------------------- memory
def _laid_out(
    shape: tuple[int, ...], dtype: torch.dtype, buffer: Any, offset: int, strides: Any, order: str | None
) -> Tensor:
    """A tensor of that shape over a buffer, or over new memory."""
    size = math.prod(shape)
    if type(buffer) is Tensor and buffer.dtype is dtype and buffer.numel() == size and buffer.is_contiguous():
        if not offset and strides is None and order in (None, "C"):
            return buffer.view(shape)
    if buffer is None:
        flat = torch.empty(size, dtype=dtype)
    else:
        flat = _flat(buffer)
        if flat.dtype is dtype and offset % dtype.itemsize == 0:
            flat = flat[offset // dtype.itemsize :]  # of another dtype torch forgets what it is a view of
        else:
            flat = flat.view(torch.uint8)[offset:]
            flat = flat[: len(flat) // dtype.itemsize * dtype.itemsize].view(dtype)
    if strides is not None:
        return flat.as_strided(shape, tuple(step // dtype.itemsize for step in strides))
    if len(flat) < size:
        raise TypeError("buffer is too small for requested array")
    flat = flat[:size]
    return flat.reshape(shape[::-1]).permute(tuple(range(len(shape))[::-1])) if order == "F" else flat.reshape(shape)


def _flat(buffer: Any) -> Tensor:
    """The elements in the order of memory; of what is no array, a mapped file or bytes, its bytes."""
    is_array = isinstance(buffer, Tensor) or hasattr(buffer, "__array_interface__")
    x = _core.asarray(buffer) if is_array else frombuffer(buffer, torch.uint8)
    turned = x.permute(tuple(range(x.ndim)[::-1]))
    if not x.is_contiguous() and not turned.is_contiguous():
        raise ValueError("ndarray is not contiguous")
    return (x if x.is_contiguous() else turned).reshape(-1)


# ------------------------------------------------------------------------------------------------- subscripts
def _index(index: Any) -> Any:
    return tuple(map(plain, index)) if isinstance(index, tuple) else plain(index)


def _has_ellipsis(index: Any) -> bool:
    """Tell whether an index has an ellipsis or a bool tensor, so that even a 0-D result is an array."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(part is Ellipsis or isinstance(part, Tensor) and part.dtype is torch.bool for part in parts)


# -------------------------------------------------------------------------------------------------- operators
BINARY = "add sub mul truediv floordiv mod pow matmul lshift rshift and_ or_ xor".split()
COMPARING = "lt le gt ge eq ne".split()
REFLECTED = frozenset(f"__r{name.strip('_')}__" for name in (*BINARY, "divmod"))


def _takes(x: Any) -> bool:
    """Tell whether NumPy takes it as an operand; another object's own operator is asked."""
    return isinstance(x, (Tensor, list, tuple, range)) or type(x) in PYTHON_DTYPES or hasattr(x, "__array__")


def _forward(name: str) -> Callable[[Any, Any], Any]:
    function = getattr(operator, name)

    def method(self: Any, other: Any) -> Any:
        if not _takes(other) and other is not None:
            return NotImplemented
        return of_ufunc_result(function(plain(self), plain(other)), self)

    return method


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    function = getattr(operator, name)

    def method(self: Any, other: Any) -> Any:
        if not _takes(other) and other is not None:
            return NotImplemented
        return of_ufunc_result(function(plain(other), plain(self)), other if isinstance(other, Derived) else self)

    return method


def _inplace(name: str) -> Callable[[Any, Any], Any]:
    function = getattr(operator, "i" + name.strip("_"))

    def method(self: Any, other: Any) -> Any:
        refuse_frozen(self)
        own = plain(self)
        function(own if own.ndim else own.reshape(1), plain(other))
        return self.__array_wrap__(self, None, False) if has_own(self) else self

    return method


def _unary(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return of_ufunc_result(function(plain(self)), self)

    return method


def _beside_scalars(name: str, own: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A reflected operator of a class: a NumPy scalar on the left, here a 0-D tensor, does not ask for it."""

    def method(self: Any, other: Any) -> Any:
        if type(other) is Tensor and not other.ndim:
            return getattr(ndarray, name)(self, other)
        return own(self, other)

    return method


def _divided(a: Any, b: Any) -> Any:
    from np2torch.shim.elementwise import divmod

    return divmod(a, b)


# ------------------------------------------------------------------------------------- methods and attributes
def _method(name: str) -> Callable[..., Any]:
    numpys, torchs = METHODS[name], getattr(Tensor, name, None)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if name in WRITING:
            refuse_frozen(self)
        if torchs is not None and TORCH_WORDS & kwargs.keys():
            return torchs(self, *args, **kwargs)
        return called(f"ndarray.{name}", numpys, (self, *args), kwargs)

    method.__name__ = name
    return method


WRITING = frozenset("fill itemset partition put sort".split())
"""The methods that write into the array itself."""
PLAIN_ATTRIBUTES = frozenset({"flags", "flat", "itemsize", "nbytes", "size", "strides", "base"})


def _attribute(name: str) -> property:
    read, write = ATTRIBUTES.get(name), SETTERS.get(name)

    def get(self: Any) -> Any:
        assert read is not None
        found = read(self if name == "flags" else plain(self))
        return found if name in PLAIN_ATTRIBUTES else of_class(found, self)

    def put(self: Any, value: Any) -> None:
        assert write is not None
        write(plain(self), plain(value))

    return property(get, put if write else None)


def _shape(self: Any) -> torch.Size:
    with torch._C.DisableTorchFunctionSubclass():
        found: torch.Size = Tensor.shape.__get__(self)  # type: ignore[attr-defined]
        return found


def _ndim(self: Any) -> int:
    with torch._C.DisableTorchFunctionSubclass():
        found: int = Tensor.ndim.__get__(self)  # type: ignore[attr-defined]
        return found


def _set_shape(self: Any, value: Any) -> None:
    with torch._C.DisableTorchFunctionSubclass():
        SETTERS["shape"](self, value)


def _fill() -> None:
    """Give the class what tables say."""
    members: dict[str, Any] = {"shape": property(_shape, _set_shape), "ndim": property(_ndim)}
    own = {"setflags", "view", "resize", "__array__", "__copy__", "__deepcopy__", "__len__"}
    members |= {name: _method(name) for name in METHODS if name not in own}
    members |= {name: _attribute(name) for name in ATTRIBUTES}
    for name in BINARY:
        bare = name.strip("_")
        members |= {f"__{bare}__": _forward(name), f"__r{bare}__": _reflected(name), f"__i{bare}__": _inplace(name)}
    members |= {f"__{name}__": _forward(name) for name in COMPARING}
    members |= {f"__{name}__": _unary(getattr(operator, name)) for name in ("neg", "pos", "abs", "invert")}
    members["__divmod__"] = lambda self, other: of_ufunc_result(_divided(plain(self), plain(other)), self)
    members["__rdivmod__"] = lambda self, other: of_ufunc_result(_divided(plain(other), plain(self)), self)
    for name in ("bool", "int", "float", "complex", "index", "len"):
        members[f"__{name}__"] = _conversion(name)
    for name, member in members.items():
        setattr(ndarray, name, member)


def _conversion(name: str) -> Callable[[Any], Any]:
    types: dict[str, Any] = {"bool": bool, "int": int, "float": float, "complex": complex, "len": len}
    function = types.get(name, python.index)

    def method(self: Any) -> Any:
        return function(plain(self))

    return method


_fill()
