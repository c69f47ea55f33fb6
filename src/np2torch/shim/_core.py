"""The base of every shim function: array-likes to tensors, dtypes, NEP 50 promotion, argument normalisation.

A shim function is written with NumPy's signature on plain tensors. `normalized` reads its annotations once and
turns each argument into what the body expects, as RFC-0032 describes:

========== =================================== ==========================================
annotation the caller may pass                 the body sees
========== =================================== ==========================================
ArrayLike  anything `numpy.asarray` takes       `torch.Tensor`
OptArray   the same, or None                    `torch.Tensor` or None
Operand    the same; Python numbers stay weak   `torch.Tensor` or a Python number (NEP 50)
ArraySeq   a sequence of array-likes, or array  `list[torch.Tensor]`
DTypeLike  "f4", float, torch or NumPy dtypes   `torch.dtype` or None
AxisLike   int, 0-D tensor, sequence, None      `int`, `tuple[int, ...]` or None
ReduceAxis the same but no list                 the same
ShapeLike  int, tensor, sequence of either      `tuple[int, ...]`
OutArray   a tensor, a 1-tuple of one, or None  nothing: the result is cast and copied into it
========== =================================== ==========================================
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterable
from math import nan
from typing import Annotated, Any, TypeAlias, TypeVar, cast

import torch

from np2torch.shim._errors import AxisError as AxisError
from np2torch.shim._errors import LinAlgError as LinAlgError
from np2torch.shim._errors import NoCounterpart
from np2torch.shim._location import module_of
from np2torch.shim._numpy_fallback import answers_itself, is_array_of_own, on_numpy
from np2torch.shim._overrides import FUNCTION, UFUNC, overrides
from np2torch.shim._promotion import (
    BOOL,
    FLOAT64,
    NAMES,
    PYTHON_DTYPES,
    SIGNED,
    UNSIGNED,
    Number,
    Tensor,
    as_dtype,
    kind,
    promote,
)  # fmt: skip
from np2torch.shim._read_only import lent
from np2torch.shim._shown_memory import by_interface, of_buffer
from np2torch.shim._stacking import RAGGED, of_numbers, read_by_numpy, stacked
from np2torch.shim._subclass_propagation import bare

NARROWER = {"g": FLOAT64, "G": torch.complex128}
"""The dtypes that replace NumPy's long doubles in a cast, by the character of their dtype."""

ArrayLike: TypeAlias = Annotated[Tensor, "array"]
OptArray: TypeAlias = Annotated[Tensor | None, "optional array"]
Operand: TypeAlias = Annotated[Any, "operand"]
ArraySeq: TypeAlias = Annotated[list[Tensor], "arrays"]
DTypeLike: TypeAlias = Annotated[torch.dtype | None, "dtype"]
AxisLike: TypeAlias = Annotated[Any, "axis"]
ReduceAxis: TypeAlias = Annotated[Any, "reduce axis"]
ShapeLike: TypeAlias = Annotated[tuple[int, ...], "shape"]
OutArray: TypeAlias = Annotated[Tensor | None, "out"]
Result = TypeVar("Result")


# ------------------------------------------------------------------------------------------- array-likes
def device_of(*given: Any) -> torch.device | None:
    """Give the device of the first tensor, preferably one with axes; None (torch's default device) if there is none."""
    first = None
    for x in given:
        if isinstance(x, Tensor):
            if x.ndim:
                return x.device
            first = x if first is None else first
    return None if first is None else first.device


def asarray(x: Any, dtype: torch.dtype | None = None, device: torch.device | None = None) -> Tensor:
    """A tensor of anything `numpy.asarray` takes; tensors come back as they are, ndarrays without a copy.

    The device is that of what is made here: it moves no tensor.

    Raises
    ------
    ValueError
        For ragged nested sequences.
    NoCounterpart
        For what no torch dtype holds (strings, None, objects).
    """
    if isinstance(x, Tensor):
        found = bare(x)
        return found if dtype is None or found.dtype is dtype else found.to(dtype)
    if type(x) in PYTHON_DTYPES:
        if dtype is None and type(x) is int and not -(2**63) <= x < 2**63:
            if not 0 <= x < 2**64:
                raise NoCounterpart("no torch dtype holds integers beyond 64 bits; keep this array in NumPy")
            return torch.tensor(x, dtype=torch.uint64, device=device)
        dtype = dtype or PYTHON_DTYPES[type(x)]
        read = read_by_numpy(x, dtype, device)
        return torch.tensor(x, dtype=dtype, device=device) if read is None else read
    if hasattr(x, "__np2torch_tensor__"):  # the shim's own iterators, which reading would use up
        return asarray(x.__np2torch_tensor__(), dtype)
    if dtype is not None and (x is None or isinstance(x, (str, bytes))):
        return torch.tensor(parsed(x, dtype), dtype=dtype, device=device)
    if isinstance(x, (str, bytes)) or x is None:
        raise NoCounterpart(f"no torch dtype holds {type(x).__name__}; keep this array in NumPy")
    if hasattr(x, "__array__") or hasattr(x, "__dlpack__"):
        return _from_foreign(x, dtype, device)
    if isinstance(x, (list, tuple, range)):
        return _from_sequence(x, dtype, device)
    return _from_other(x, dtype, device)


def _from_other(x: Any, dtype: torch.dtype | None, device: torch.device | None) -> Tensor:
    """A tensor of a number of a class derived from Python's, of a buffer, of shown memory, or of another sequence."""
    for number, own in PYTHON_DTYPES.items():
        if isinstance(x, number):  # an IntEnum, for one
            return torch.tensor(number(x), dtype=dtype or own, device=device)
    if isinstance(x, memoryview):
        return asarray(of_buffer(x), dtype, device)
    if (array := by_interface(x)) is not None:
        return _from_foreign(array, dtype, device)
    if hasattr(x, "__len__") and hasattr(x, "__getitem__") and not hasattr(x, "keys"):
        items = _items_of(x)
        if items is not None and not any(type(item) is type(x) for item in items):  # as rows of a sparse matrix are
            return _from_sequence(items, dtype, device)
    raise NoCounterpart(f"no torch dtype holds {type(x).__name__}; keep this array in NumPy")


def _items_of(x: Any) -> list[Any] | None:
    """The items of an object that may be a sequence; None of one that has no length after all, or looks up keys.

    NumPy takes these for objects, whatever error says so.
    """
    try:
        number = len(x)
    except (RecursionError, MemoryError):
        raise
    except Exception:
        return None
    try:
        return [x[i] for i in range(number)]
    except KeyError:
        return None


def beside(x: Any, like: Tensor) -> Tensor:
    """A tensor on the device of another one."""
    return asarray(x, None, like.device).to(like.device)


def narrowed(x: Any) -> torch.dtype | None:
    """The dtype that a NumPy value wider than any of torch's becomes where a cast is asked for, as a store does."""
    return NARROWER.get(getattr(getattr(x, "dtype", None), "char", ""))


def _from_foreign(x: Any, dtype: torch.dtype | None, device: torch.device | None) -> Tensor:
    if hasattr(x, "__array__"):
        masked = hasattr(x, "mask") and module_of(type(x)).startswith("numpy.")  # it has more to say than its data
        x = x.__array__()
        if isinstance(x, Tensor):  # of a class that was converted
            return asarray(x, dtype)
        if x.dtype.kind not in "biufc" or masked:
            raise NoCounterpart(f"torch has no counterpart of {'masked arrays' if masked else f'dtype {x.dtype}'}")
        if narrowed(x) is not None:  # wider than any dtype of torch's: narrowed only where that is asked for
            if dtype is None:
                raise NoCounterpart(f"torch has no counterpart of dtype {x.dtype}")
            x = x.astype("f8" if x.dtype.kind == "f" else "c16")
        found = lent(shareable(x)) if x.ndim else torch.tensor(x[()].item(), dtype=NAMES[x.dtype.name])
    else:
        found = torch.utils.dlpack.from_dlpack(x)
    return found if dtype is None and device is None else found.to(device, dtype)


def shareable(x: Any) -> Any:
    """An ndarray whose memory a tensor can share: itself wherever that can be, else a copy of the same layout.

    torch has no negative strides, no gaps of less than an element, no swapped bytes.
    """
    flags, native = x.flags, x.dtype.isnative
    if native and flags.aligned and (flags.carray or all(step >= 0 and not step % x.itemsize for step in x.strides)):
        is_odd = 1 in x.shape and any(step < 0 or step % x.itemsize for step in x.strides)  # along one element
        return x.reshape(-1).reshape(x.shape) if is_odd else x
    return x.astype(x.dtype.newbyteorder("="), order="K", subok=False)


def _from_sequence(x: Any, dtype: torch.dtype | None, device: torch.device | None) -> Tensor:
    leaves: set[type] = set()
    if not holds_others(x, leaves):  # Python numbers only: one call of torch
        if not leaves:
            return of_numbers(x, dtype or FLOAT64, device)
        return of_numbers(x, dtype or promote(*(PYTHON_DTYPES[leaf] for leaf in leaves)), device)
    flat = _flat_scalars(x, dtype, device)
    if flat is not None:
        return flat
    device = device or device_of(*x)
    parts = [asarray(item, dtype if item is None or isinstance(item, (str, bytes)) else None, device) for item in x]
    if not parts:
        return torch.empty(0, dtype=dtype or FLOAT64, device=device)
    if len({part.shape for part in parts}) > 1:
        raise ValueError(RAGGED)
    target = dtype or promote(*(part.dtype for part in parts))
    return torch.stack([part.to(target) for part in parts])


def parsed(x: Any, dtype: torch.dtype) -> Number:
    """Convert text or None to the number that is stored: None is NaN, text is read as Python reads it."""
    if x is None:
        if kind(dtype) == 1:
            raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
        return False if dtype is BOOL else complex(nan, nan) if dtype.is_complex else nan
    text = x.decode() if isinstance(x, bytes) else x
    return (bool, int, float, complex)[kind(dtype)](text)


def _flat_scalars(x: Any, dtype: torch.dtype | None, device: torch.device | None) -> Tensor | None:
    """Nested sequences of 0-D tensors and Python numbers in one stack; None for anything else."""
    level = list(x)
    shape = [len(level)]
    if (one := stacked(level, dtype, device)) is not None:
        return one
    while level and all(type(item) in (list, tuple) for item in level):
        shape.append(len(level[0]))
        if len({len(item) for item in level}) > 1:
            return None
        level = [leaf for item in level for leaf in item]
    dtypes = {item.dtype if isinstance(item, Tensor) and not item.ndim else _dtype_of(item) for item in level}
    if not level or None in dtypes:
        return None
    target = dtype or promote(*filter(None, dtypes))
    place = device or device_of(*level)
    leaves = [item.to(place, target) if isinstance(item, Tensor) else asarray(item, target, place) for item in level]
    return torch.stack(leaves).reshape(shape)


def _dtype_of(item: Any) -> torch.dtype | None:
    """The dtype of a Python number; None for anything else."""
    found = PYTHON_DTYPES.get(type(item))
    return torch.uint64 if found is torch.int64 and type(item) is int and item >= 2**63 else found


def holds_others(x: Any, leaves: set[type]) -> bool:
    """Collect the types of the Python numbers in nested sequences; True when anything else is in there."""
    types = set(map(type, x))
    leaves |= types & PYTHON_DTYPES.keys()
    others = () if types <= PYTHON_DTYPES.keys() else (item for item in x if type(item) not in PYTHON_DTYPES)
    return any(not isinstance(item, (list, tuple)) or holds_others(item, leaves) for item in others)


def as_array(x: Any, device: torch.device | None = None) -> Tensor:
    """A tensor of an argument of NumPy's functions."""
    return bare(x) if isinstance(x, Tensor) else asarray(left_to_us(x), None, device)


def as_operand(x: Any, device: torch.device | None = None) -> Tensor | Number:
    """A tensor, or the Python number itself: it must stay weak."""
    return x if type(x) in PYTHON_DTYPES else as_array(x, device)


def left_to_us(x: Any, arrays: bool = True) -> Any:
    """An argument that does not answer NumPy itself, as `arrays` of subclasses may; NoCounterpart for one that does."""
    if answers_itself(x) or overrides(x, UFUNC, FUNCTION) or not arrays and is_array_of_own(x):
        raise NoCounterpart(f"{type(x).__name__} answers NumPy's functions itself")
    return x


def unanswered(x: Any, protocol: str = UFUNC) -> Any:
    """An argument that is no object of a converted class with an answer of its own; NoCounterpart for one that is."""
    if overrides(x, protocol):
        raise NoCounterpart(f"{type(x).__name__} answers NumPy's functions itself, by {protocol}")
    return x


def as_arrays(x: Any, device: torch.device | None = None) -> list[Tensor]:
    """The items of a sequence, or the rows of an array, as tensors."""
    if isinstance(x, Tensor):
        return list(bare(x).unbind(0))
    if not hasattr(x, "__getitem__"):
        raise TypeError('arrays to stack must be passed as a "sequence" type such as list or tuple.')
    items = list(x)
    if all(type(item) is Tensor for item in items):
        return items
    device = device_of(*items) or device
    return [asarray(unanswered(item, FUNCTION), None, device) for item in items]


def as_axis(axis: Any) -> int | tuple[int, ...] | None:
    """An int, a tuple of ints, or None."""
    if axis is None or type(axis) is int:
        return axis
    if isinstance(axis, (tuple, list, range)):
        return tuple(as_index(item) for item in axis)
    is_array = hasattr(axis, "tolist") and axis.ndim  # NumPy's too, where the order of axes was computed there
    return tuple(as_index(item) for item in axis.tolist()) if is_array else operator.index(axis)


def as_reduce_axis(axis: Any) -> int | tuple[int, ...] | None:
    """An axis as ufuncs take it: a list of axes is a TypeError."""
    if isinstance(axis, (list, range)):
        raise TypeError(f"'{type(axis).__name__}' object cannot be interpreted as an integer")
    return as_axis(axis) if isinstance(axis, tuple) else None if axis is None else as_index(axis)


def as_shape(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple of ints."""
    if type(shape) is int:
        return (shape,)
    if isinstance(shape, Tensor):
        return tuple(shape.tolist()) if shape.ndim else (int(shape),)
    if isinstance(shape, Iterable):
        return tuple(_length(item) for item in shape)
    return (_length(shape),)


def _length(item: Any) -> int:
    """A length of a shape: bools are none, though Python and torch count them as integers."""
    if type(item) is int:
        return item
    if isinstance(item, bool) or isinstance(item, Tensor) and item.dtype is BOOL:
        raise TypeError("an integer is required")
    return as_index(item)


def as_index(item: Any) -> int:
    """An integer; an array of one element is none, though Python and torch take it for one."""
    if isinstance(item, Tensor) and item.ndim:
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    return operator.index(item)


def axes_of(axis: int | tuple[int, ...] | None, ndim: int) -> tuple[int, ...]:
    """The non-negative axes meant; None means all.

    Raises
    ------
    AxisError
        For an axis the array does not have.
    ValueError
        For an axis named twice.
    """
    if axis is None:
        return tuple(range(ndim))
    found = []
    for one in axis if isinstance(axis, tuple) else (axis,):
        if not -ndim <= one < ndim:
            raise AxisError(f"axis {one} is out of bounds for array of dimension {ndim}")
        found.append(one % ndim)
    if len(set(found)) < len(found):
        raise ValueError("duplicate value in 'axis'")
    return tuple(found)


# ----------------------------------------------------------------------------------------- normalisation
def _out_tensor(out: Any) -> Tensor | None:
    if isinstance(out, tuple):
        (out,) = out
    return None if out is None else destination(out)


def destination(x: Any) -> Tensor:
    """Give the tensor to write into: the given tensor, or one over the memory of an ndarray.

    Raises
    ------
    TypeError
        For what is no array.
    ValueError
        For an ndarray that torch cannot share: a read-only one, or one with negative strides or swapped bytes.
    """
    if isinstance(x, Tensor):
        return bare(x)
    if type(x).__module__ != "numpy" or not hasattr(x, "strides"):
        raise TypeError("return arrays must be of ArrayType")
    found = asarray(x) if x.ndim else asarray(x.reshape(1)).view(())
    if found.data_ptr() != x.ctypes.data and found.numel():
        raise ValueError("output array is read-only, or laid out as torch cannot share it")
    return found


_ARRAY_CONVERTERS: dict[str, Callable[[Any, torch.device | None], Any]] = {
    "array": as_array,
    "optional array": lambda x, device: x if x is None else as_array(x, device),
    "operand": as_operand,
    "arrays": as_arrays,
}
"""The converters that also take the device of the other arguments."""

_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "dtype": as_dtype,
    "axis": as_axis,
    "reduce axis": as_reduce_axis,
    "shape": as_shape,
    "out": _out_tensor,
}


def into(out: Tensor, result: Tensor, casting: str = "same_kind") -> Tensor:
    """Copy `result` into `out` under NumPy's rules: the shape must fit, the cast must be of the same kind.

    Raises
    ------
    ValueError
        When the result does not broadcast to the shape of `out` without changing it.
    TypeError
        When the cast would leave the kind (NumPy's UFuncTypeError).
    """
    sizes = zip(reversed(result.shape), reversed(out.shape), strict=False)
    if result.ndim > out.ndim or any(mine not in (1, theirs) for mine, theirs in sizes):
        raise ValueError(f"non-broadcastable output operand with shape {tuple(out.shape)}")
    unsigned = result.dtype in SIGNED and out.dtype in UNSIGNED
    if casting != "unsafe" and (kind(result.dtype) > kind(out.dtype) or unsigned):
        names = f"from {str(result.dtype)[6:]} to {str(out.dtype)[6:]}"
        raise TypeError(f"Cannot cast output {names} with casting rule 'same_kind'")
    return out.copy_(result)


def _markers(function: Callable[..., Any]) -> dict[str, str]:
    signature = inspect.signature(function, eval_str=True)
    return {
        name: parameter.annotation.__metadata__[0]
        for name, parameter in signature.parameters.items()
        if hasattr(parameter.annotation, "__metadata__")
    }


_PASSES = {
    "array": "type({0}) is Tensor",
    "operand": "type({0}) is Tensor or type({0}) in _NUMBERS",
    "optional array": "{0} is None or type({0}) is Tensor",
    "dtype": "{0} is None or type({0}) is torch.dtype",
    "axis": "{0} is None or type({0}) is int",
    "reduce axis": "{0} is None or type({0}) is int",
}
"""When an argument is already what the body expects."""


_STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def _conversion(p: inspect.Parameter, marker: str, others: str) -> str:
    """Write the line that converts an argument, unless it is what the body expects."""
    beside = f", _device({others})" if marker in _ARRAY_CONVERTERS else ""
    if p.kind in _STARS:
        return f"{p.name} = [_convert_{p.name}(x{beside}) for x in {p.name}]"
    passes = [_PASSES[marker].format(p.name)] if marker in _PASSES else []
    passes += [f"{p.name} is None"] if p.default is None else []
    test = f"if not ({' or '.join(passes)}): " if passes else ""
    return f"{test}{p.name} = _convert_{p.name}({p.name}{beside})"


def normalized(function: Callable[..., Result]) -> Callable[..., Result]:
    """Give `function`, written on tensors, NumPy's freedom of arguments (see the module's table).

    What no torch dtype holds is NumPy's own function's.

    What surrounds the body is written out once per function, as dataclasses do it: with its signature in place a call
    costs little more than the tests whether there is anything to convert.
    """
    signature, markers = inspect.signature(function), _markers(function)
    names: dict[str, Any] = {"_body": function, "_into": into, "_device": device_of, "Tensor": Tensor, "torch": torch}
    names |= {"_NoCounterpart": NoCounterpart, "_on_numpy": on_numpy, "_NUMBERS": PYTHON_DTYPES}
    others = ", ".join(
        ("*" if signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL else "") + name
        for name, marker in markers.items()
        if marker in _ARRAY_CONVERTERS
    )
    head: list[str] = []
    body: list[str] = []
    passed: list[str] = []
    parameters = list(signature.parameters.values())
    for at, p in enumerate(parameters):
        star = _STARS.get(p.kind, "")
        if p.kind is p.KEYWORD_ONLY and not any(part.startswith("*") for part in head):
            head.append("*")
        default = "" if p.default is p.empty else f"=_default_{p.name}"
        names[f"_default_{p.name}"] = p.default
        head.append(star + p.name + default)
        if p.kind is p.POSITIONAL_ONLY and (at + 1 == len(parameters) or parameters[at + 1].kind is not p.kind):
            head.append("/")
        marker = markers.get(p.name)
        if marker is not None:
            names[f"_convert_{p.name}"] = (_ARRAY_CONVERTERS | _CONVERTERS)[marker]
            body.append(_conversion(p, marker, others))
        value = "None" if marker == "out" else p.name
        passed.append(f"{p.name}={value}" if p.kind is p.KEYWORD_ONLY else star + value)
    call = f"_body({', '.join(passed)})"
    out = next((name for name, marker in markers.items() if marker == "out"), None)
    body.append(f"return {call} if {out} is None else _into({out}, {call})" if out else f"return {call}")
    given = ", ".join(f"{p.name}={p.name}" for p in parameters)
    lines = [f"def {function.__name__}({', '.join(head)}):", "    try:", *(f"        {line}" for line in body)]
    lines += ["    except _NoCounterpart as error:", f"        return _on_numpy(_public, error, dict({given}))"]
    exec(compile("\n".join(lines), f"<normalized {function.__name__}>", "exec"), names)
    public = functools.wraps(function)(cast(Callable[..., Result], names[function.__name__]))
    names["_public"] = public  # by the name it has when it is called, which some are given later
    return public
