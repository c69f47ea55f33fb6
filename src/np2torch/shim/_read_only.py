"""Tensors that cannot be written, as NumPy's read-only arrays.

torch has none: such a tensor is one of a class of ours, which a tensor becomes in place, so that all who hold it see
it. What writes is refused before anything is written; what shares its memory is handed on in the same class. Other
tensors over the same memory stay as they are, as other arrays do in NumPy. Gradients flow as ever.
"""

from __future__ import annotations

import copy
import functools
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from np2torch.shim._promotion import Tensor
from np2torch.shim._subclass_propagation import Derived

REFUSED = "assignment destination is read-only"
"""NumPy's words."""
IN_PLACE = frozenset(
    "__setitem__ __iadd__ __isub__ __imul__ __idiv__ __itruediv__ __ifloordiv__ __imod__ __ipow__ __iand__ __ior__ "
    "__ixor__ __ilshift__ __irshift__ __imatmul__".split()
)
OF_THE_OBJECT = frozenset(
    "requires_grad_ detach_ t_ transpose_ squeeze_ unsqueeze_ swapaxes_ swapdims_ as_strided_ set_ share_memory_ "
    "rename_".split()
)
"""Methods whose names end as those that write, but that change no number."""
VIEWS = frozenset("T H mT mH real imag data".split())
"""The attributes that are tensors over the same memory."""
FLAG, LENDER = "_np2torch_read_only", "_np2torch_lender"
"""The attributes by which an object of a subclass is read-only, and a tensor knows the array whose memory it has."""


class ReadOnly(Tensor):
    """A tensor that refuses to be written."""

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """A function of torch's: on tensors of this class as on others, unless it writes into one."""
        if torch.compiler.is_compiling():
            if func in WRITING and isinstance(args[0], ReadOnly):
                raise ValueError(REFUSED)
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        named = kwargs or {}
        if any(isinstance(one, ReadOnly) for one in _written(func, args, named)):
            raise ValueError(REFUSED)
        with torch._C.DisableTorchFunctionSubclass():
            return _handed_on(func, func(*args, **named), (*args, *named.values()))

    def __repr__(self, **_: Any) -> str:  # type: ignore[override]
        return repr(_plain(self))

    def __copy__(self) -> Tensor:
        return self.clone()

    def __deepcopy__(self, memo: Any) -> Any:
        """A copy can be written."""
        with torch._C.DisableTorchFunctionSubclass():
            if not self.is_leaf:
                return copy.deepcopy(_plain(self), memo)
            return _plain(self.detach()).clone().requires_grad_(self.requires_grad)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickled and saved it is a tensor as any other."""
        with torch._C.DisableTorchFunctionSubclass():
            found = _plain(self.detach()).requires_grad_(self.requires_grad)
            return found.__reduce_ex__(protocol)  # type: ignore[no-untyped-call]

    __hash__ = Tensor.__hash__


def _writing() -> Iterator[Callable[..., Any]]:
    """The methods of tensors that write, for compiled code, which has no names of functions."""
    for name in dir(Tensor):
        if name in IN_PLACE or name.endswith("_") and not name.endswith("__") and name not in OF_THE_OBJECT:
            yield getattr(Tensor, name)


WRITING = frozenset(_writing())


def is_frozen(x: Tensor) -> bool:
    """Tell whether a tensor was made read-only."""
    return isinstance(x, ReadOnly) or isinstance(x, Derived) and hasattr(x, FLAG)


def refuse_frozen(x: Tensor) -> None:
    """Raise NumPy's error where a tensor that is to be written is read-only."""
    if is_frozen(x):
        raise ValueError(REFUSED)


def set_writeable(x: Tensor, flag: bool) -> None:
    """Make a tensor read-only, or writeable again where NumPy makes it so: what it is a view of has to be writeable.

    Raises
    ------
    ValueError
        Where it is not, and where the memory is that of an ndarray which cannot be written.
    """
    if torch.compiler.is_compiling() or flag is not is_frozen(x):
        return
    if flag:
        owner = x if x._base is None else x._base
        if owner is not x and is_frozen(owner):
            raise ValueError("cannot set WRITEABLE flag to True of this array")
        if (array := getattr(owner, LENDER, None)) is not None:
            array[...].flags.writeable = True  # of a view, by NumPy's own rules
    if isinstance(x, Derived):
        setattr(x, FLAG, True) if not flag else delattr(x, FLAG)
    elif type(x) in (Tensor, ReadOnly):
        x.__class__ = Tensor if flag else ReadOnly


def shown(x: Tensor) -> Any:
    """The ndarray of a tensor, zero copy on the CPU, also below a gradient; read-only where the tensor is."""
    array = x.numpy(force=True)
    if type(x) is not Tensor and is_frozen(x):
        array.flags.writeable = False
    return array


def lent(array: Any) -> Tensor:
    """A tensor over the memory of an ndarray, read-only where that is."""
    if array.flags.writeable:
        return torch.from_numpy(array)
    _warn_of_read_only_memory()
    found = torch.from_numpy(array)
    found.__class__ = ReadOnly
    setattr(found, LENDER, array)
    return found


@functools.cache
def _warn_of_read_only_memory() -> None:
    """torch warns once in a process of read-only memory that it takes, for it cannot keep others from writing."""
    array = torch.empty(1).numpy()
    array.flags.writeable = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.from_numpy(array)


def _plain(x: Tensor) -> Tensor:
    with torch._C.DisableTorchFunctionSubclass():
        found: Tensor = x.as_subclass(Tensor)
        return found


def _name(func: Any) -> str:
    """Give the name of a function or an attribute, without that of the overload; none where it has none."""
    name: str = getattr(func, "__name__", "")
    return name.partition(".")[0]


def _written(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterable[Any]:
    """The tensors that a function of torch's writes."""
    name = _name(func)
    if name == "__set__":
        return args[:1] if _name(func.__self__) in ("real", "imag") else ()
    is_in_place = name[-1:] == "_" and name[-2:] != "__" and name not in OF_THE_OBJECT
    if is_in_place or name in IN_PLACE or kwargs.get("inplace") is True:
        first = args[0] if args else next(iter(kwargs.values()))
        return first if isinstance(first, (list, tuple)) else (first,)
    out = kwargs.get("out")
    return out if isinstance(out, (list, tuple)) else (out,)


def _handed_on(func: Any, found: Any, given: tuple[Any, ...]) -> Any:
    """Give what a function gave: over the memory of a read-only tensor it is read-only too."""
    cls = type(found)
    if cls is Tensor:
        if _name(func) == "__get__" and _name(func.__self__) not in VIEWS or _is_element(func, found, given):
            return found
        if _shares(found, given):
            found.__class__ = ReadOnly
    elif cls in (tuple, list):
        if any(isinstance(one, Tensor) for one in found):
            return cls(_handed_on(func, one, given) for one in found)
    elif _name(func) in ARRAYS and cls.__name__ == "ndarray":
        found.flags.writeable = False
    return found


ARRAYS = ("numpy", "__array__")
"""The methods that give an ndarray over the memory, or a copy."""


def _is_element(func: Any, found: Tensor, given: tuple[Any, ...]) -> bool:
    """Tell an item that is a number in NumPy, and so a copy."""
    if found.ndim or not given[0].ndim:
        return False
    if _name(func) == "__getitem__":
        parts = given[1] if isinstance(given[1], tuple) else (given[1],)
        return all(part is not Ellipsis for part in parts)
    return _name(func) in ("unbind", "__iter__")


def _shares(found: Tensor, given: tuple[Any, ...]) -> bool:
    """Tell whether a result lies in the memory of read-only tensors and of no other that was given."""
    flat = [one for x in given for one in (x if isinstance(x, (list, tuple)) else (x,)) if isinstance(one, Tensor)]
    if any(one is found for one in flat):
        return False
    try:
        sharing = [one for one in flat if torch._C._is_alias_of(found, one)]  # type: ignore[attr-defined]
    except RuntimeError:  # what has no memory of its own: sparse tensors, those in transforms
        return False
    return bool(sharing) and all(isinstance(one, ReadOnly) for one in sharing)
