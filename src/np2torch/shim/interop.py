"""The border to code that stays on NumPy: tensors out, arrays in, wherever they are nested.

This module does not import NumPy: a tensor makes its own ndarray, and an array is known by what it can do.
"""

from __future__ import annotations

import copy
import functools
import importlib
import re
import sys
import threading
import types
from collections import abc, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import torch
import torch.utils.dlpack
from torch.autograd import forward_ad

from np2torch.shim import _core, _promotion
from np2torch.shim._callers import CALLED_BACK, LIBRARIES, TAKING, runs_on_numpy
from np2torch.shim._location import is_compiled, is_shim, module_of, names_in, package_of
from np2torch.shim._marks import mark
from np2torch.shim._numpy_fallback import numpys_own
from np2torch.shim._promotion import Tensor
from np2torch.shim._read_only import lent, shown

LAZY = (types.GeneratorType, map, filter, zip, enumerate, reversed)
"""Iterators that are seen through; what else is iterated over by hand is not an array's business."""
STAR = re.compile(r"^[ \t]*from\s[^#\n]*\bimport\s*\*", re.MULTILINE)
VIEWS = (abc.ValuesView, abc.ItemsView)
"""The views that `values()` and `items()` of a dict give."""
FUNCTIONS = (types.FunctionType, types.MethodType, functools.partial)

__all__ = [
    "across", "as_number", "as_numpy", "callback", "from_dlpack", "from_numpy", "namespace", "numpy_view", "to_numpy"
]  # fmt: skip


def as_ndarray(x: Tensor) -> Any:
    """The ndarray of a tensor, over the same memory where that can be; of a 0-D one the NumPy scalar."""
    if x.layout is not torch.strided:
        x = x.to_dense()
    if x.dtype is torch.bfloat16:  # no NumPy dtype holds it
        x = x.to(torch.float32)
    array = shown(x)
    return array if array.ndim else array[()]


def is_array(x: Any) -> bool:
    """Tell of what NumPy gives whether it is an ndarray, also one without axes, and no scalar."""
    return bool(x.ndim) or hasattr(x, "__setitem__")


def is_numeric_array(x: Any) -> bool:
    """Bool, integer, float or complex; not longdouble, and no masked array, which has more to say than its data."""
    if package_of(type(x)) != "numpy" or not hasattr(x, "__array__") or hasattr(x, "mask"):
        return False
    dtype = getattr(x, "dtype", None)  # a polynomial has none
    return dtype is not None and dtype.kind in "biufc" and dtype.char not in "gG"


def as_tensor(x: Any) -> Tensor:
    """The tensor of a numeric ndarray, over the same memory where that can be, or of a NumPy scalar."""
    if x.ndim:
        return _core.asarray(x)
    if is_array(x):
        found: Tensor = mark(lent(_core.shareable(x)))
        return found
    return torch.tensor(x.item(), dtype=_promotion.as_dtype(x.dtype.name))


@functools.cache
def _scalar_classes(numpy: Any) -> frozenset[type]:
    """The classes of NumPy's scalars whose dtypes torch has."""
    return frozenset(numpy.dtype(character).type for character in CHARACTERS)


CHARACTERS = frozenset("?bhilqBHILQefdFD")
"""The dtypes that NumPy and torch share."""


def mapped(x: Any, leaf: Callable[[Any], Any]) -> Any:
    """Apply `leaf` to everything in nested containers; those without a change are kept, iterators stay lazy."""
    if is_container(x):
        return rebuilt(x, functools.partial(mapped, leaf=leaf))
    if isinstance(x, LAZY):
        return (mapped(item, leaf) for item in x)
    if isinstance(x, VIEWS):
        made = rebuilt(items := list(x), functools.partial(mapped, leaf=leaf))
        return x if made is items else made
    return leaf(x)


def is_container(x: Any) -> bool:
    """Tell whether it is a tuple, list, deque or dict, which may hold arrays."""
    return isinstance(x, (tuple, list, deque, dict)) and not isinstance(x, torch.Size)


class _Inside(threading.local):
    """The ids of the containers that a thread is in."""

    def __init__(self) -> None:
        self.ids: set[int] = set()


def ending(function: Callable[[Any, Callable[[Any], Any]], Any]) -> Callable[[Any, Callable[[Any], Any]], Any]:
    """A walk through a container that ends where the container holds itself: there it stays as it is."""
    inside = _Inside()

    @functools.wraps(function)
    def walk(x: Any, change: Callable[[Any], Any]) -> Any:
        own, ids = id(x), inside.ids
        if own in ids:
            return x
        ids.add(own)
        try:
            return function(x, change)
        finally:
            ids.discard(own)

    return walk


@ending
def rebuilt(x: Any, change: Callable[[Any], Any]) -> Any:
    """A container with `change` applied to what is right in it; itself where that changes nothing."""
    if isinstance(x, dict):
        after = [change(value) for value in x.values()]
        if all(old is new for old, new in zip(x.values(), after, strict=True)):  # no key is asked for its hash
            return x
        return _like(x, dict(zip(x, after, strict=True)))
    items = [change(item) for item in x]
    if all(old is new for old, new in zip(x, items, strict=True)):
        return x
    if isinstance(x, deque):
        return deque(items, x.maxlen)
    if hasattr(x, "_make"):
        return x._make(items)
    if hasattr(x, "__getnewargs_ex__"):  # a tuple with further attributes, as SciPy's results are
        named = {name: change(value) for name, value in x.__getnewargs_ex__()[1].items()}
        made = type(x).__new__(type(x), *items, **named)
        vars(made).update({name: named.get(name, value) for name, value in vars(x).items()})
        return made  # as `copy` makes it: its class may ask for other arguments than it has attributes
    return items if type(x) is list else tuple(items) if type(x) is tuple else _like(x, items)


def _like(x: Any, content: Any) -> Any:
    """The same kind of container with other content: a copy filled anew, a tuple where its class can be made so."""
    try:
        if isinstance(x, tuple):
            return type(x)(content)
        made = copy.copy(x)
        if isinstance(x, dict):
            dict.update(made, content)  # its own methods may ask more of what is put in
        else:
            list.__setitem__(made, slice(None), content)
        return made
    except TypeError:
        return tuple(content) if isinstance(x, tuple) else content


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """The tensor over the memory of anything that speaks DLPack; a copy where one is asked for."""
    found: Tensor = torch.utils.dlpack.from_dlpack(x)
    found = found if device is None else found.to(device)
    return found.clone() if copy else found


def to_numpy(x: Any, *, copy: bool = False) -> Any:
    """Convert tensors anywhere in containers and iterators to ndarrays, 0-D ones to NumPy scalars.

    On the CPU the arrays share the memory of the tensors, unless a `copy` is asked for. A torch dtype becomes NumPy's,
    a function on tensors is called with tensors, a stream of random numbers goes on where ours is.
    """
    if type(x) is Tensor:
        return as_ndarray(x).copy() if copy else as_ndarray(x)
    return mapped(x, _copied if copy else _numpys)


def _copied(leaf: Any) -> Any:
    return as_ndarray(leaf).copy() if isinstance(leaf, Tensor) else _numpys(leaf)


def _numpys(leaf: Any) -> Any:
    if isinstance(leaf, torch.dtype):
        return numpys_dtype(leaf)
    if isinstance(leaf, FUNCTIONS) and is_at_home(leaf) and not hasattr(leaf, "__np2torch__"):
        return callback(leaf)
    if isinstance(leaf, Tensor):
        return as_ndarray(leaf)
    if type(leaf).__name__ == "UFunc" and is_shim(type(leaf).__module__):
        return _function_of_numpy(leaf) or leaf
    return leaf.__np2torch_lent__() if hasattr(leaf, "__np2torch_lent__") else leaf


def is_at_home(function: Any) -> bool:
    """Tell whether a function runs on tensors: it is marked so, or its module uses torch or the shim."""
    function = innermost(function)
    if runs_on_numpy(function):
        return False
    return hasattr(function, "__np2torch__") or uses_torch(getattr(function, "__globals__", {}))


def innermost(function: Any) -> Any:
    """Give the function that a bound method or a partial function calls in the end."""
    while isinstance(function, (functools.partial, types.MethodType)):
        function = function.func if isinstance(function, functools.partial) else function.__func__
    return function


def uses_torch(names: dict[str, Any]) -> bool:
    """Tell whether a module handles tensors, judged by its names, as all modules of the shim do.

    Both modules may go by other names than their own, where the program has a use for those. A name that came along
    only with the `import *` of a module on tensors says nothing.
    """
    if is_shim(names.get("__name__", "")) or names.get("torch") is torch and _is_spelled("torch", names):
        return True
    modules = ((name, value) for name, value in list(names.items()) if isinstance(value, types.ModuleType))
    return any((one is torch or is_shim(one.__name__)) and _is_spelled(name, names) for name, one in modules)


def _is_spelled(name: str, names: dict[str, Any]) -> bool:
    """Tell whether a module speaks of a name itself, or has it from an `import *` alone."""
    text = _starred(names.get("__file__"))
    return text is None or re.search(rf"\b{re.escape(name)}\b", text) is not None


@functools.cache
def _starred(path: str | None) -> str | None:
    """The text of a module that imports all names of another; None of any other."""
    with suppress(OSError, ValueError, TypeError), open(path or "", encoding="utf-8") as file:
        text = file.read()
        return text if STAR.search(text) else None
    return None


@functools.cache
def numpys_dtype(dtype: torch.dtype) -> Any:
    """NumPy's dtype of the same name."""
    return torch.empty(0, dtype=dtype, device="cpu").numpy().dtype


def numpy_view(x: Any) -> Any:
    """The ndarray over the memory of a tensor, which is written where the array is; anything else as it is.

    Raises
    ------
    RuntimeError, TypeError
        For a tensor that has no such view: it needs a gradient, has a tangent, or is on another device.
    TypeError
        For a container with tensors: what is written into a copy of it would be lost.
    """
    if not isinstance(x, Tensor):  # an ndarray of a dtype that torch lacks; a list, with which NumPy computes as before
        if is_container(x) and as_numpy(x) is not x:
            raise TypeError(f"a {type(x).__name__} with tensors has no view in NumPy")
        return x
    if forward_ad._current_level >= 0:
        _refuse_tangent(x)
    return x.numpy()


def _refuse_tangent(x: Tensor) -> None:
    """Raise where a tensor has a tangent of forward mode, which its memory does not show."""
    if forward_ad.unpack_dual(x).tangent is not None:  # type: ignore[no-untyped-call]
        raise RuntimeError("a tensor with a tangent of forward mode has no view in NumPy: the tangent would be lost")


def as_numpy(x: Any, *, strong: bool = False) -> Any:
    """A view of a tensor as an ndarray, of a 0-D one the NumPy scalar, in containers too; anything else as it is.

    Unlike `to_numpy` it refuses what has no such view: a tensor that needs a gradient or is on another device.

    Parameters
    ----------
    strong
        A Python number becomes the NumPy scalar that it stands for.

    Raises
    ------
    RuntimeError, TypeError
        For a tensor that has no view.
    """
    if type(x) is Tensor and x.dtype in _SHARED and x.layout is torch.strided:
        view = numpy_view(x)
        return view if view.ndim else view[()]
    if (name := _STRONG.get(type(x))) is not None:
        return getattr(importlib.import_module("numpy"), name)(x) if strong and name else x
    return mapped(x, _viewed)


IN_NUMPY = "__np2torch_in_numpy__"
"""The attribute of a function that runs in NumPy by which it is called there."""
_SHARED = frozenset({torch.float64, torch.float32, torch.int64, torch.bool})
_STRONG = {bool: "bool_", int: "int64", float: "float64", complex: "complex128", str: "", type(None): ""}


def _viewed(leaf: Any) -> Any:
    if isinstance(leaf, FUNCTIONS) and is_at_home(leaf) or hasattr(type(leaf), "__np2torch_guarded__"):
        return getattr(leaf, IN_NUMPY, None) or _function_of_numpy(leaf) or callback(leaf, as_numpy)
    if not isinstance(leaf, Tensor):
        return _numpys(leaf) if (own := _function_of_numpy(leaf)) is None else own
    if leaf.requires_grad or leaf.device.type != "cpu" or leaf.is_conj() or leaf.is_neg():
        return leaf.numpy()  # which says why not
    if forward_ad._current_level >= 0:
        _refuse_tangent(leaf)
    return as_ndarray(leaf)


def _function_of_numpy(leaf: Any) -> Any:
    """NumPy's function for one of the shim; None for anything else."""
    if not callable(leaf) or not is_shim(getattr(leaf, "__module__", None) or "") or isinstance(leaf, type):
        return None
    return numpys_own(leaf, importlib.import_module("numpy"))


def as_number(x: Any) -> Any:
    """A NumPy scalar or 0-D tensor as a Python number; anything else as it is."""
    return x.item() if hasattr(x, "item") and not getattr(x, "ndim", 1) else x


def from_numpy(x: Any) -> Any:
    """Convert numeric ndarrays anywhere in containers and iterators to tensors, NumPy scalars to 0-D tensors.

    The tensors share the memory of the arrays where torch can (writeable, native byte order, positive strides); where
    its default device is another than the CPU, they lie there. NumPy's matrices, whose operators are others, stay what
    they are.
    """
    if (place := elsewhere()) is not None:
        return mapped(x, lambda leaf: as_tensor(leaf).to(place) if _becomes_tensor(leaf) else leaf)
    return _converted(x)


def _converted(x: Any) -> Any:
    """The same; plain tuples and lists the short way, since SciPy calls functions with tuples of many scalars."""
    found = _at_once(x)
    if found is not None:
        return found
    return rebuilt(x, _converted) if type(x) in (tuple, list) else mapped(x, _tensor_of)


def _at_once(x: Any) -> Tensor | None:
    """The tensor of an ndarray, or of a NumPy scalar, that torch takes as it is; None for anything else."""
    numpy = sys.modules.get("numpy")  # this module does not import it
    if numpy is not None and type(x) is numpy.ndarray:
        if x.ndim and x.flags.behaved:
            try:
                return torch.from_numpy(x)
            except (TypeError, ValueError):  # dtypes and strides that torch has not
                pass
    elif numpy is not None and type(x) in _scalar_classes(numpy):
        return torch.from_numpy(x.__array__())
    return None


def _tensor_of(leaf: Any) -> Any:
    """The tensor of an array anywhere in containers; anything else as it is."""
    found = _at_once(leaf)
    if found is not None:
        return found
    return as_tensor(leaf) if _becomes_tensor(leaf) else leaf


def _becomes_tensor(leaf: Any) -> bool:
    return is_numeric_array(leaf) and not is_matrix(leaf)


def elsewhere() -> torch.device | None:
    """The default device of torch where it is another than the CPU."""
    if not torch._C._len_torch_function_stack():  # a default device is a mode
        return None
    found = torch.get_default_device()
    return None if found.type == "cpu" else found


def is_matrix(x: Any) -> bool:
    """Is it an `np.matrix`, whose product is the matrix product?"""
    return hasattr(x, "A1") and package_of(type(x)) == "numpy"


def is_foreign(x: Any) -> bool:
    """Tell whether it is an object of a library that computes on ndarrays, or a matrix."""
    return package_of(type(x)) in LIBRARIES or getattr(type(x), CALLED_BACK, False) is True or is_matrix(x)


def across(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that may be a library's: where it is, it is called with ndarrays and gives tensors back."""
    inner = innermost(function)
    if not _is_librarys(inner):
        return function

    @functools.wraps(inner, updated=())
    def called(*args: Any, **kwargs: Any) -> Any:
        return from_numpy(function(*to_numpy(args), **to_numpy(kwargs)))

    return called


def _is_librarys(function: Any) -> bool:
    """Tell whether a function belongs to a package that computes on ndarrays, where no module handles tensors."""
    owner = getattr(function, "__self__", None)  # of a compiled method
    module = module_of(function) or module_of(type(function if owner is None else owner))
    root = module.partition(".")[0]
    if root in TAKING:
        return True
    if root in sys.stdlib_module_names or root == "torch":
        return False
    if is_compiled(module) and any(map(_has_shim, names_in(root))):
        return True  # of a package that was converted: it knows ndarrays alone as before
    if root in ON_TENSORS:
        return False
    if any(map(uses_torch, names_in(root))):
        ON_TENSORS.add(root)
        return False
    return True


def _has_shim(names: dict[str, Any]) -> bool:
    """Tell whether a module was converted."""
    return any(isinstance(one, types.ModuleType) and is_shim(one.__name__) for one in list(names.values()))


ON_TENSORS: set[str] = set()
"""Packages found to handle tensors: to look through all modules again for each call takes long."""


def _give_back(arrays: Sequence[Any], tensors: Sequence[Any]) -> None:
    """Write what tensors hold into the arrays that they were made of."""
    for array, one in zip(arrays, tensors, strict=True):
        if isinstance(one, Tensor) and hasattr(array, "flags") and array.ndim and array.flags.writeable:
            array[...] = as_ndarray(one)


class callback:
    """A function on tensors as one that a NumPy library can call: arrays in, arrays out.

    Where it is called with tensors, by the project through what the library made of it, it gives tensors. It binds as a
    method where the function does, and can be sent to other processes where that can.
    """

    def __init__(self, function: Callable[..., Any], back: Callable[[Any], Any] = to_numpy) -> None:
        functools.update_wrapper(self, function)
        self._function, self._back = function, back

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if any(isinstance(one, Tensor) for one in (*args, *kwargs.values())):
            return self._function(*args, **kwargs)
        given, named = from_numpy(args), from_numpy(kwargs)
        found = self._function(*given, **named)
        if elsewhere() is not None:  # no memory is shared: what it has written comes back
            _give_back((*args, *kwargs.values()), (*given, *named.values()))
        return self._back(found)

    def __getattr__(self, name: str) -> Any:
        """Give any other attribute of the function that callers read: `__code__`, for the number of its parameters."""
        if name in ("_function", "_back"):  # a copy asks before there is one
            raise AttributeError(name)
        return getattr(self._function, name)

    def __get__(self, owner: Any, type: Any = None) -> Any:
        return self if owner is None else callback(self._function.__get__(owner, type), self._back)

    def __eq__(self, other: object) -> bool:
        return bool(self._function == (other._function if isinstance(other, callback) else other))

    def __hash__(self) -> int:
        return hash(self._function)


class Namespace:
    """A part of NumPy as a program finds it that holds modules in variables: the shim's part of that name.

    Its `ndarray` is what arrays are here.
    """

    def __init__(self, module: Any) -> None:
        self.__name__ = module.__name__

    def __getattr__(self, name: str) -> Any:
        if name == "ndarray":
            return Tensor
        part = importlib.import_module(__package__)
        for inner in self.__name__.split(".")[1:]:
            part = getattr(part, inner)
        return getattr(part, name)


def namespace(module: Any) -> Any:
    """Wrap a module that may be NumPy's, or a generator, for it to take tensors; anything else is returned as it is."""
    if isinstance(module, types.ModuleType):
        return Namespace(module) if module.__name__.partition(".")[0] == "numpy" else module
    return importlib.import_module(f"{__package__}.random.borrowed").generator(module)
