"""Methods and attributes of ndarrays, for tensors that are met under an unknown type.

`x.sort()` is in place for an array and something else for a tensor, a list or a user's class: `invoke` gives tensors
NumPy's meaning and leaves every other object its own.
"""

from __future__ import annotations

import builtins
import ctypes
import functools
import io
import math
import warnings
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim import _core, _promotion, elementwise, indexing, operator, products, reductions, shape, sorting
from np2torch.shim._casting import castable
from np2torch.shim._flat import FlatIter
from np2torch.shim._layout import apart, fortran, is_fortran, may_share
from np2torch.shim._marks import keeping
from np2torch.shim._memory_flags import Flags
from np2torch.shim._promotion import Tensor, as_dtype, is_numpys_own
from np2torch.shim._read_only import set_writeable
from np2torch.shim._subclass_propagation import Derived, bare
from np2torch.shim._twins import in_its_order, is_swapped, pair
from np2torch.shim.dtypes import dtype as any_dtype
from np2torch.shim.dtypes import scalar_type
from np2torch.shim.interop import from_numpy, is_foreign, is_numeric_array, namespace, to_numpy
from np2torch.shim.protocols import builtin_round
from np2torch.shim.subscript import as_signed, getitem, setitem

__all__ = ["attribute", "invoke", "set_attribute"]


# ------------------------------------------------------------------------------------- copies and conversions
def _copy(x: Tensor, order: str = "C") -> Tensor:
    if order == "F" or (order in ("A", "K") and is_fortran(x)):
        found = fortran(x)
        return found.clone() if may_share(found, x) else found
    return x.clone(memory_format=torch.contiguous_format if order != "K" else torch.preserve_format)


def _astype(
    x: Tensor, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> Any:
    if is_numpys_own(dtype):  # objects, strings: what it gives stays on NumPy
        return to_numpy(x).astype(dtype, order, casting, subok, copy)
    target = as_dtype(dtype) or torch.float64
    if not castable(x.dtype, target, casting):
        raise TypeError(f"Cannot cast array data from {str(x.dtype)[6:]} to {str(target)[6:]} according to {casting!r}")
    if target is x.dtype:
        return _copy(x, order) if copy else x
    if x.is_complex() and not target.is_complex:
        x = x != 0 if target is torch.bool else x.real
    return x.to(target) if target is not x.dtype else x.clone()  # the real part of complex numbers is a view


def _view(x: Tensor, dtype: Any = None, type: Any = None) -> Any:
    """The same memory with another dtype, or as an object of another class: of a tensor class, see `shim.ndarray`."""
    if isinstance(dtype, builtins.type) and issubclass(dtype, Tensor):
        dtype, type = None, dtype
    if is_numpys_own(dtype):  # as with `astype`
        return to_numpy(x).view(dtype)
    made = _reinterpreted(bare(x), dtype)
    cls = type or builtins.type(x)
    if not issubclass(cls, Derived):
        return made
    found: Derived = made.as_subclass(cls)
    found.__array_finalize__(x)
    return found


def _reinterpreted(x: Tensor, dtype: Any) -> Tensor:
    if dtype is None:
        return x[...]
    target = as_dtype(dtype)
    assert target is not None
    if target is x.dtype:  # `x.view(dtype)` has no gradient
        return x[...]
    if target.itemsize != x.dtype.itemsize and (not x.ndim or (x.numel() and x.stride(-1) != 1)):
        raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
    if not x.numel():
        x = torch.empty(x.shape, dtype=x.dtype, device=x.device)  # torch looks at strides even of nothing
    try:
        return x.view(target)
    except RuntimeError as error:
        raise ValueError(str(error)) from None


def _item(x: Tensor, *args: Any) -> Any:
    if not args:
        if x.numel() != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return x.item()
    where = args[0] if len(args) == 1 else args
    if not isinstance(where, (tuple, list)):
        return getitem(x.reshape(-1), where).item()
    if len(where) != x.ndim:
        raise ValueError("incorrect number of indices for array")
    return getitem(x, tuple(where)).item()


def _itemset(x: Tensor, *args: Any) -> None:
    """Set one element, by its index, its flat index, or the only one (gone from NumPy 2)."""
    *index, value = args
    where = index[0] if len(index) == 1 else tuple(index)
    if isinstance(where, int) and x.ndim != 1:
        where = tuple(int(i) for i in torch.unravel_index(torch.tensor(where), x.shape))
    x[where if index else (0,) * x.ndim] = value


def _flatten(x: Tensor, order: str = "C") -> Tensor:
    found: Tensor = shape.ravel(x, order)
    return found.clone() if x.numel() and may_share(found, x) else found


def _tobytes(x: Tensor, order: str = "C") -> bytes:
    if is_swapped(x):
        return bytes(in_its_order(x).tobytes(order))
    flat = _flatten(x.detach().resolve_conj().resolve_neg(), order)
    octets = _octets(flat).cpu()
    return ctypes.string_at(octets.data_ptr(), octets.numel())


def _tofile(x: Tensor, fid: Any, sep: str = "", format: str = "%s") -> None:
    in_its_order(x).tofile(fid, sep, format)


def _octets(x: Tensor) -> Tensor:
    """The bytes of a tensor: one element is contiguous for torch whatever its stride is, but not for a view."""
    return x.clone(memory_format=torch.contiguous_format).reshape(-1).view(torch.uint8)


def _byteswap(x: Tensor, inplace: bool = False) -> Tensor:
    size = x.dtype.itemsize // (2 if x.is_complex() else 1)
    if not x.numel():
        return x if inplace else x.clone()
    octets = _octets(x)
    found = octets.reshape(octets.numel() // size, size).flip(-1).reshape(-1).view(x.dtype).reshape(x.shape)
    return x.copy_(found) if inplace else found


def _conjugate(x: Tensor) -> Tensor:
    """Conjugate; unlike the function, the method leaves bools alone."""
    found: Tensor = elementwise.conjugate(x) if x.is_complex() else x
    return found


# ------------------------------------------------------------------------------------------------ in place
def _fill(x: Tensor, value: Any) -> None:
    if isinstance(value, Tensor) and value.ndim or isinstance(value, (list, tuple)):
        raise ValueError("setting an array element with a sequence.")
    setitem(x, Ellipsis, value)


def _sort(x: Tensor, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
    x.copy_(sorting.sort(apart(x), axis, kind, order, stable=stable))


def _partition(x: Tensor, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None) -> None:
    x.copy_(sorting.partition(apart(x), kth, axis, kind, order))


def _resize(x: Tensor, *new_shape: Any, refcheck: bool = True) -> None:
    """In place; unlike `numpy.resize` it fills with zeros."""
    wanted = _core.as_shape(new_shape[0] if len(new_shape) == 1 else new_shape)
    size = math.prod(wanted)
    if size == x.numel() and x.is_contiguous():
        x.data = x.data.reshape(wanted)  # of as many elements it stays where it is, and so do its views
        return
    new = x.new_zeros(size)
    kept = min(size, x.numel())
    as_signed(new)[:kept] = as_signed(x.reshape(-1)[:kept])
    x.data = new.reshape(wanted)


# --------------------------------------------------------------------------------------- other signatures
def _reshape(x: Tensor, *new_shape: Any, order: str = "C", copy: Any = None) -> Tensor:
    found: Tensor = shape.reshape(x, new_shape[0] if len(new_shape) == 1 else new_shape, order, copy=copy)
    return found


def _transpose(x: Tensor, *axes: Any) -> Tensor:
    found: Tensor = shape.transpose(x, axes[0] if len(axes) == 1 else axes or None)
    return found


def _compress(x: Tensor, condition: Any, axis: Any = None, out: Any = None) -> Tensor:
    found: Tensor = indexing.compress(condition, x, axis, out)
    return found


def _clip(x: Tensor, min: Any = None, max: Any = None, out: Any = None, **kwargs: Any) -> Tensor:
    found: Tensor = elementwise.clip(x, min, max, out, **kwargs)
    return found


def _setflags(x: Tensor, write: Any = None, align: Any = None, uic: Any = None) -> None:
    """Make a tensor read-only or writeable: the other flags hold for every tensor."""
    if write is not None:
        set_writeable(x, bool(write))


def _functions(module: Any, names: str) -> dict[str, Callable[..., Any]]:
    return {name: getattr(module, name) for name in names.split()}


METHODS: dict[str, Callable[..., Any]] = {
    **_functions(reductions, "all any argmax argmin cumprod cumsum max mean min prod ptp std sum var"),
    **_functions(shape, "put ravel repeat squeeze swapaxes"),
    **_functions(indexing, "choose diagonal nonzero take"),
    **_functions(sorting, "argpartition argsort searchsorted"),
    **_functions(products, "dot trace"),
    "astype": keeping(_astype),
    "byteswap": _byteswap,
    "clip": _clip,
    "compress": _compress,
    "conj": _conjugate,
    "conjugate": _conjugate,
    "copy": keeping(_copy),
    "dump": lambda x, file: x.numpy(force=True).dump(file),
    "dumps": lambda x: x.numpy(force=True).dumps(),
    "fill": _fill,
    "flatten": _flatten,
    "item": _item,
    "itemset": _itemset,
    "partition": _partition,
    "reshape": keeping(_reshape),
    "resize": _resize,
    "round": elementwise.around,
    "setflags": _setflags,
    "sort": _sort,
    "tobytes": _tobytes,
    "tofile": _tofile,
    "tolist": lambda x: x.tolist(),
    "tostring": _tobytes,
    "transpose": keeping(_transpose),
    "view": keeping(_view),
    "__array__": lambda x, *args, **kwargs: x.numpy(force=True).__array__(*args, **kwargs),
    "__copy__": keeping(_copy),
    "__deepcopy__": keeping(lambda x, memo=None: _copy(x)),
    "__len__": len,
    "__round__": builtin_round,
    "__divmod__": elementwise.divmod,
    "__rdivmod__": lambda x, other: elementwise.divmod(other, x),
    "__index__": lambda x: x.numpy(force=True).__index__(),  # torch converts one element of what has axes as well
    "__int__": lambda x: x.numpy(force=True).__int__(),
    "__float__": lambda x: x.numpy(force=True).__float__(),
    "__complex__": lambda x: x.numpy(force=True).__complex__(),
}


def invoke(x: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """`x.name(*args, **kwargs)`, with the meaning it has for an ndarray when `x` is a tensor.

    A Python number may stand for a NumPy scalar: it has the methods of one too. Methods of the class of tensors are
    those of what they are called with. Of NumPy itself they are the shim's functions.
    """
    if x is Tensor and args:
        return invoke(*args[:1], name, *args[1:], **kwargs)
    if isinstance(x, (bool, int, float, complex)) and not hasattr(x, name):
        x = _core.asarray(x)
    if not isinstance(x, Tensor) or isinstance(x, Derived):
        x = namespace(x)
        found = attribute(x, name) if isinstance(x, torch.dtype) else getattr(x, name)
        if is_foreign(x) or isinstance(x, io.IOBase):  # a file takes what has a buffer
            return from_numpy(found(*to_numpy(args), **to_numpy(kwargs)))
        if isinstance(x, Tensor) or not hasattr(x, "__array__") or not hasattr(x, "dtype"):
            return found(*args, **kwargs)
        result = found(*to_numpy(args), **to_numpy(kwargs))
        stays = not is_numeric_array(x) and is_numpys_own(x.dtype)  # of an array that torch cannot hold
        return from_numpy(result) if stays else result
    method = METHODS.get(name)
    if name in REARRANGING and is_swapped(x):
        return _in_same_order(x, name, args, kwargs)
    if method is not None:
        return method(x, *args, **kwargs)
    if not x.ndim and not hasattr(x, name):
        return _of_number(x, name)(*args, **kwargs)
    return getattr(x, name)(*args, **kwargs)


REARRANGING = frozenset("copy flatten ravel reshape squeeze swapaxes transpose".split())
"""Methods that give the same elements elsewhere: of an array in another order of bytes they are in that order too."""


def _in_same_order(x: Tensor, name: str, args: Any, kwargs: Any) -> Tensor:
    """Call a method of a tensor for which another order of bytes was asked, and remember that of the result."""
    made: Tensor = METHODS[name](x, *args, **kwargs) if name in METHODS else getattr(x, name)(*args, **kwargs)
    if made is not x and made.ndim:
        pair(made, getattr(in_its_order(x), name)(*to_numpy(args), **to_numpy(kwargs)), is_shared=False)
    return made


_INTEGERS, _FLOATS = (*_promotion.SIGNED, *_promotion.UNSIGNED), (torch.float16, torch.float32, torch.float64)
OF_NUMBERS: dict[str, tuple[torch.dtype, ...]] = {
    "is_integer": (*_INTEGERS, *_FLOATS), "as_integer_ratio": _FLOATS, "hex": (torch.float64,),
    "bit_count": _INTEGERS, "numerator": _INTEGERS, "denominator": _INTEGERS,
}  # fmt: skip
"""The methods of Python's numbers that NumPy's scalars of some dtypes have and arrays lack."""


def _of_number(x: Tensor, name: str) -> Any:
    """The attribute of a 0-D tensor's number; integers have `is_integer` in NumPy, whatever the version of Python."""
    if name in OF_NUMBERS and x.dtype not in OF_NUMBERS[name]:
        raise AttributeError(f"'numpy.{str(x.dtype)[6:]}' object has no attribute {name!r}")
    if name == "numerator":
        return x.clone()
    return getattr(float(x) if name == "is_integer" else x.item(), name)


# ---------------------------------------------------------------------------------------------- attributes
def _imag(x: Tensor) -> Tensor:
    return x.imag if x.is_complex() else torch.zeros_like(x)


def _matrix_transposed(x: Tensor) -> Tensor:
    if x.ndim < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    return x.mT


with warnings.catch_warnings():  # torch warns of `x.T` without two axes once in a process, which a suite may refuse
    warnings.simplefilter("ignore")
    _ = torch.empty(()).T, torch.empty(0).T

ATTRIBUTES: dict[str, Callable[[Tensor], Any]] = {
    "T": lambda x: x.permute(tuple(range(x.ndim))[::-1]),
    "base": lambda x: x._base,
    "flags": Flags,
    "flat": FlatIter,
    "imag": _imag,
    "itemsize": lambda x: x.dtype.itemsize,
    "mT": _matrix_transposed,
    "nbytes": lambda x: x.numel() * x.dtype.itemsize,
    "real": lambda x: x.real,
    "size": Tensor.numel,
    "strides": lambda x: tuple(step * x.dtype.itemsize for step in x.stride()),
    "__array_interface__": lambda x: x.detach().numpy().__array_interface__,  # memory of the tensor, or an error
}


def _has(x: Derived, name: str) -> bool:
    """Tell whether an object has an attribute as an array of its class, and not only as a tensor."""
    below = type(x).__mro__[: type(x).__mro__.index(Derived)]
    return name.startswith("__") or name in SAME_ATTRIBUTES or name in vars(x) or any(name in vars(c) for c in below)


def _operator(name: str) -> Any:
    """The operator whose method is called so, without its underscores; None for another name."""
    if (found := getattr(operator, name, None) or getattr(operator, f"{name}_", None)) is not None:
        return found
    turned = _operator(name[1:]) if name.startswith("r") else None
    return turned and (lambda x, other: turned(other, x))


def attribute(x: Any, name: str, /) -> Any:
    """`x.name`, with the meaning it has for an ndarray when `x` is a tensor; methods come back bound."""
    if isinstance(x, Tensor) and not isinstance(x, Derived):
        if name in ATTRIBUTES:
            return ATTRIBUTES[name](x)
        if name == "data":
            return x.numpy().data
        if name in METHODS:
            return functools.partial(METHODS[name], x)
        if name.startswith("__") and (found := _operator(name.strip("_"))):
            return functools.partial(found, x)
        if not x.ndim and name in OF_NUMBERS:
            return _of_number(x, name)
        if not name.startswith("__") and name not in SAME_ATTRIBUTES:
            raise AttributeError(f"'numpy.ndarray' object has no attribute {name!r}")
    if isinstance(x, torch.dtype) and name in DTYPE_ATTRIBUTES:
        return DTYPE_ATTRIBUTES[name](x)
    if name == "type" and type(x).__module__ == "numpy.dtypes" and not is_numpys_own(x.type):
        return attribute(as_dtype(x.type), name)  # of swapped bytes: the class of the scalars is that of others
    if isinstance(x, Derived) and not _has(x, name):
        raise AttributeError(f"{type(x).__name__!r} object has no attribute {name!r}")
    return getattr(x, name)


_CHARACTERS = {
    torch.bool: "?", torch.int8: "b", torch.int16: "h", torch.int32: "i", torch.int64: "l", torch.uint8: "B",
    torch.uint16: "H", torch.uint32: "I", torch.uint64: "L", torch.float16: "e", torch.float32: "f", torch.float64: "d",
    torch.complex64: "F", torch.complex128: "D",
}  # fmt: skip


def _dtype_kind(dtype: torch.dtype) -> str:
    if dtype in _promotion.UNSIGNED:
        return "u"
    return "bifc"[_promotion.kind(dtype)]


SAME_ATTRIBUTES = frozenset({"shape", "ndim", "dtype", "device", "itemsize"})
"""The attributes with the same meaning for tensors and ndarrays."""

def _reordering(dtype: torch.dtype) -> Callable[..., Any]:
    """`dtype.newbyteorder`: NumPy's own dtype for what is not in the machine's order."""

    def newbyteorder(new_order: str = "S", /) -> Any:
        big = new_order[:1] in (">", "B", "b", "S", "s") and dtype.itemsize > 1
        return any_dtype(f">{_dtype_kind(dtype)}{dtype.itemsize}") if big else dtype

    return newbyteorder


DTYPE_ATTRIBUTES: dict[str, Callable[[torch.dtype], Any]] = {
    "kind": _dtype_kind,
    "name": lambda dtype: str(dtype).removeprefix("torch."),
    "char": lambda dtype: _CHARACTERS[dtype],
    "str": lambda dtype: f"{'|' if dtype.itemsize == 1 else '<'}{_dtype_kind(dtype)}{dtype.itemsize}",
    "type": scalar_type,
    "__name__": lambda dtype: str(dtype).removeprefix("torch."),
    "__qualname__": lambda dtype: str(dtype).removeprefix("torch."),
    "names": lambda dtype: None, "fields": lambda dtype: None,
    "isnative": lambda dtype: True,
    "newbyteorder": _reordering,
    "byteorder": lambda dtype: "|" if dtype.itemsize == 1 else "=",
    "shape": lambda dtype: (),
    "ndim": lambda dtype: 0,
    "hasobject": lambda dtype: False, "isbuiltin": lambda dtype: 1,
    "alignment": lambda dtype: _promotion.real_dtype(dtype).itemsize,
}
"""The attributes that `numpy.dtype` has and `torch.dtype` lacks."""


def _set_shape(x: Tensor, value: Any) -> None:
    try:
        size = x.numel()
        wanted = _core.as_shape(value)
        if -1 in wanted:
            wanted = tuple(size // -math.prod(wanted) if one == -1 else one for one in wanted)
        x.data = x.data.view(wanted)
    except RuntimeError as error:
        kind = ValueError if math.prod(wanted) != size else AttributeError
        raise kind(str(error)) from None


def _set_dtype(x: Tensor, value: Any) -> None:
    x.data = _reinterpreted(x.data, value)


def _set_imag(x: Tensor, value: Any) -> None:
    if not x.is_complex():
        raise TypeError("array does not have imaginary part to set")
    setitem(x.imag, Ellipsis, value)


def _set_flat(x: Tensor, value: Any) -> None:
    FlatIter(x)[...] = value


SETTERS: dict[str, Callable[[Tensor, Any], None]] = {
    "dtype": _set_dtype,
    "flat": _set_flat,
    "imag": _set_imag,
    "real": lambda x, value: setitem(x.real, Ellipsis, value),
    "shape": _set_shape,
}


def set_attribute(x: Any, name: str, value: Any, /) -> None:
    """`x.name = value`, with the meaning it has for an ndarray when `x` is a tensor."""
    if isinstance(x, Tensor) and not isinstance(x, Derived) and name in SETTERS:
        SETTERS[name](x, value)
    else:
        setattr(x, name, value)
