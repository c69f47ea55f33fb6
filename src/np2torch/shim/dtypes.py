"""Dtypes and what is asked of them: limits, kinds, promotion, the scalar constructors; and shapes as Python objects."""

from __future__ import annotations

import builtins
import math
import numbers
from typing import Any

import torch

from np2torch.shim._callers import Side, caller
from np2torch.shim._casting import castable
from np2torch.shim._core import ArrayLike, AxisLike, asarray, axes_of, normalized
from np2torch.shim._errors import NoCounterpart
from np2torch.shim._kinds import generic, integer, number, signedinteger, unsignedinteger
from np2torch.shim._marks import is_scalar
from np2torch.shim._numpy_fallback import called, numpy_itself, or_numpys
from np2torch.shim._promotion import (
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    SIGNED,
    UNSIGNED,
    Tensor,
    as_dtype,
    is_numpys_own,
    is_weak,
    kind,
    mean_dtype,
    promote,
    real_dtype,
    result_dtype,
)  # fmt: skip
from np2torch.shim._stacking import read_by_numpy
from np2torch.shim.guards import floating, inexact


# ------------------------------------------------------------------------------------------ kinds of scalars
class complexfloating(inexact):
    """complex64 and complex128."""


_MARKERS: dict[str, type] = {
    cls.__name__: cls
    for cls in (generic, number, integer, signedinteger, unsignedinteger, inexact, floating, complexfloating)
}


def _category(dtype: Any) -> type:
    if not isinstance(dtype, torch.dtype):  # one of NumPy's that torch lacks
        return {"f": floating, "c": complexfloating}.get(dtype.kind, generic)
    if kind(dtype) == 1:
        return unsignedinteger if dtype in UNSIGNED else signedinteger
    return {0: generic, 2: floating, 3: complexfloating}[kind(dtype)]


def _kind_or_dtype(x: Any) -> Any:
    """One of the markers (NumPy's own classes of these names too) or a torch dtype; one of swapped bytes is as ever."""
    if marker := _MARKERS.get(getattr(x, "__name__", "")):
        return marker
    found = dtype(x)
    return found if getattr(found, "isnative", True) else dtype(found.newbyteorder("="))


_OF_TEXT = ("character", "flexible")
"""NumPy's classes that no dtype of torch is below."""


def _numpys(x: Any) -> Any:
    """NumPy's name of a dtype of torch, and its class of the name of a marker; others stay as they are."""
    if isinstance(x, torch.dtype):
        return str(x).removeprefix("torch.")
    is_marker = isinstance(x, type) and x in _MARKERS.values()
    return getattr(numpy_itself(), x.__name__) if is_marker else x


def type_or_dtype(x: Any, /) -> Any:
    """`type(x)` where NumPy takes it for a dtype: that of a scalar, which is a 0-D tensor here."""
    if isinstance(x, torch.Tensor):
        return x.dtype if x.ndim == 0 else object
    return type(x)


def issubdtype(arg1: Any, arg2: Any) -> builtins.bool:
    """Tell whether the first dtype is the second or below it; both may be dtypes or markers such as `shim.floating`."""
    low = _kind_or_dtype(arg1)
    if not isinstance(low, (type, torch.dtype)) or getattr(arg2, "__name__", "") in _OF_TEXT:
        return builtins.bool(numpy_itself().issubdtype(_numpys(low), _numpys(arg2)))
    high = _kind_or_dtype(arg2)
    if not isinstance(high, type):
        return type(low) is type(high) and builtins.bool(low == high)
    return issubclass(low if isinstance(low, type) else _category(low), high)


_KINDS: dict[str, type] = {
    "signed integer": signedinteger,
    "unsigned integer": unsignedinteger,
    "integral": integer,
    "real floating": floating,
    "complex floating": complexfloating,
    "numeric": number,
}


def isdtype(dtype: Any, kind: Any) -> builtins.bool:
    """Tell whether a dtype is of a kind, or of one kind in a tuple, as in the array API."""
    if not isinstance(dtype, (torch.dtype, _Scalar)):
        raise TypeError(f"dtype argument must be a dtype, but it is a {type(dtype)}.")
    found = as_dtype(dtype)
    for one in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(one, str):
            if one != "bool" and one not in _KINDS:
                raise ValueError(f"kind argument is a string, but {one!r} is not a known kind name.")
            if found is BOOL if one == "bool" else issubdtype(found, _KINDS[one]):
                return True
        elif found is as_dtype(one):
            return True
    return False


# -------------------------------------------------------------------------------------------------- promotion
def dtype(dtype: Any = None, align: builtins.bool = False, copy: builtins.bool = False, **metadata: Any) -> Any:
    """The torch dtype of any spelling; float64 of None.

    A dtype torch lacks stays NumPy's own: it may be listed, compared and passed on. What is asked to make a
    tensor of it raises TypeError.
    """
    try:
        return _torch_dtype(dtype)
    except TypeError:
        import numpy  # where code names such dtypes NumPy is installed

        found = numpy.dtype(dtype, align=align, copy=copy, **metadata)
    try:
        return _torch_dtype(found)  # of a type of `ctypes`
    except TypeError:
        return found


def _torch_dtype(spelling: Any) -> torch.dtype:
    return as_dtype(spelling) or FLOAT64


@or_numpys
def promote_types(type1: Any, type2: Any) -> torch.dtype:
    """The smallest dtype that holds both."""
    if type1 is None or type2 is None:
        raise TypeError("did not understand one of the types; 'None' not accepted")
    return promote(_torch_dtype(type1), _torch_dtype(type2))


@or_numpys
def result_type(*arrays_and_dtypes: Any) -> torch.dtype:
    """The dtype NumPy computes in for these arrays, dtypes and (weak) Python numbers."""
    if not arrays_and_dtypes:
        raise ValueError("at least one array or dtype is required")
    found = [_spelling(x) for x in arrays_and_dtypes]
    return result_dtype(*(type(x)(0) if is_weak(x) else x for x in found))


def _spelling(x: Any) -> Any:
    """A Python number as it is; the dtype of an array; a dtype of any spelling."""
    if is_weak(x) or isinstance(x, torch.dtype):
        return x
    if isinstance(x, torch.Tensor):
        return x.dtype
    if isinstance(x, (str, type)) or hasattr(x, "newbyteorder") and not hasattr(x, "__array__"):
        return _torch_dtype(x)
    try:
        return _torch_dtype(x) if not isinstance(x, (list, tuple)) and not hasattr(x, "__array__") else asarray(x).dtype
    except TypeError:
        return asarray(x).dtype


@or_numpys
def can_cast(from_: Any, to: Any, casting: str = "safe") -> builtins.bool:
    """Tell whether a dtype (or that of an array) may be cast to another one under the rule."""
    if is_weak(from_):
        raise TypeError("can_cast() does not support Python ints, floats, and complex: they have no dtype of their own")
    if from_ is None or to is None:
        raise TypeError("did not understand one of the types; 'None' not accepted")
    return castable(_spelling(from_), _torch_dtype(to), casting)


@or_numpys
def min_scalar_type(a: Any, /) -> torch.dtype:
    """The smallest dtype that holds the value of a scalar; the dtype of an array."""
    x = asarray(a, None, torch.device("cpu"))
    if x.ndim or x.dtype is BOOL:
        return x.dtype
    value = x.item()
    if isinstance(value, int):
        for one in UNSIGNED if value >= 0 else SIGNED:
            if torch.iinfo(one).min <= value <= torch.iinfo(one).max:
                return one
    size = max(abs(part) for part in (value.real, value.imag) if math.isfinite(part) or part == value.real)
    finite = size if math.isfinite(size) else 0.0
    if isinstance(value, complex):
        return COMPLEX64 if finite <= torch.finfo(FLOAT32).max else COMPLEX128
    return next(one for one in (FLOAT16, FLOAT32, FLOAT64) if finite < torch.finfo(one).max or one is FLOAT64)


@or_numpys
def common_type(*arrays: Any) -> torch.dtype:
    """The inexact dtype that suits all arrays: float64 as soon as one holds integers."""
    dtypes = [asarray(x).dtype for x in arrays]
    if BOOL in dtypes:
        raise TypeError("can't get common type for non-numeric array")
    return promote(FLOAT16, *(mean_dtype(one) for one in dtypes))


# ----------------------------------------------------------------------------------------------------- limits
def _numpys_limits(cls: type, dtype: Any) -> Any:
    """A new object of a class; NumPy's of the same name for a dtype that torch lacks."""
    if not is_weak(dtype) and not isinstance(dtype, Tensor) and is_numpys_own(dtype):
        return getattr(numpy_itself(), cls.__name__)(dtype)
    return object.__new__(cls)


class iinfo:
    """The limits of an integer dtype, as Python ints; NumPy's own of one that torch lacks."""

    def __new__(cls, int_type: Any) -> Any:
        """A new object."""
        return _numpys_limits(cls, int_type)

    def __init__(self, int_type: Any) -> None:
        given = is_weak(int_type) or isinstance(int_type, Tensor)
        self.dtype = asarray(int_type).dtype if given else _torch_dtype(int_type)
        if kind(self.dtype) != 1:
            raise ValueError(f"Invalid integer data type {self.dtype}.")
        limits = torch.iinfo(self.dtype)
        self.bits, self.min, self.max = limits.bits, limits.min, limits.max
        self.kind = "u" if self.dtype in UNSIGNED else "i"

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={str(self.dtype)[6:]})"


class finfo:
    """The limits of a floating dtype: numbers as fresh 0-D tensors of it, counts of bits and digits as Python ints."""

    bits: int
    nmant: int
    nexp: int

    def __new__(cls, dtype: Any) -> Any:
        """A new object; NumPy's own of a dtype that torch lacks."""
        return _numpys_limits(cls, dtype)

    def __init__(self, dtype: Any) -> None:
        given = asarray(dtype).dtype if is_weak(dtype) or isinstance(dtype, Tensor) else as_dtype(dtype) or FLOAT64
        if kind(given) < 2:
            raise ValueError(f"data type {str(given)[6:]} not inexact")
        self.dtype = real_dtype(given)
        limits = torch.finfo(self.dtype)
        self.bits, self.nmant = limits.bits, -round(math.log2(limits.eps))
        self.precision = int(self.nmant * math.log10(2))
        self.iexp = self.nexp = self.bits - 1 - self.nmant
        self.minexp, self.maxexp = (
            round(math.log2(limits.tiny)),
            round(math.log2(limits.max)) if self.bits < 64 else 1024,
        )
        self.machep, self.negep = -self.nmant, -self.nmant - 1
        self._values = {
            "eps": limits.eps, "epsneg": limits.eps / 2, "max": limits.max, "min": limits.min, "tiny": limits.tiny,
            "smallest_normal": limits.tiny, "smallest_subnormal": math.ldexp(1.0, self.minexp - self.nmant),
            "resolution": 10.0**-self.precision,
        }  # fmt: skip

    def __getattr__(self, name: str) -> Tensor:
        if name != "_values" and name in self._values:
            return torch.tensor(self._values[name], dtype=self.dtype)
        raise AttributeError(f"'finfo' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"finfo(resolution={self._values['resolution']}, dtype={str(self.dtype)[6:]})"


# --------------------------------------------------------------------------------------- scalar constructors
class _Scalar:
    """A scalar type of NumPy, called: a 0-D tensor of a number, an array of an array-like.

    In code that stays on NumPy, which may have taken it out of a table, it is NumPy's own.
    """

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name
        self._dtype: torch.dtype = getattr(torch, name)
        self.__doc__ = f"`numpy.{name}(x)`: the value as a tensor of dtype {name}; zero without a value."

    @property
    def dtype(self) -> Any:
        """The torch dtype; NumPy's where NumPy asks for it, or code that stays there."""
        if caller(2)[0] in (Side.NUMPY, Side.LIBRARY):
            return numpy_itself().dtype(self.__np2torch_lent__())
        return self._dtype

    def __call__(self, value: Any = 0, imag: Any = None, /) -> Any:
        if caller(2)[0] is Side.NUMPY:
            return self.__np2torch_lent__()(*(one for one in (value, imag) if one is not None))
        if imag is not None:
            if kind(self._dtype) != 3:
                raise TypeError(f"{self.__name__} takes one value")
            value = complex(value, imag)
        if value is None and kind(self._dtype) == 2:
            value = math.nan
        if isinstance(value, (str, bytes)) or is_weak(value):
            number = self._python(value)
            found = read_by_numpy(number, self._dtype)
            return torch.tensor(number, dtype=self._dtype) if found is None else found
        try:
            found = asarray(value)
        except NoCounterpart as error:
            made: Tensor = called(self, error, (value,), {})
            return made
        if found.is_complex() and kind(self._dtype) in (1, 2) and not found.ndim:
            raise TypeError(f"{self.__name__}() takes a real number, not complex")
        return found.to(self._dtype, copy=not found.ndim)  # an array of that dtype is not copied

    def fromhex(self, text: str, /) -> Tensor:
        """`float.fromhex` as a scalar."""
        made: Tensor = self(float.fromhex(text))
        return made

    def _python(self, value: Any) -> Any:
        """The Python number that becomes the tensor: what int(), float() and complex() make of it."""
        found = (builtins.bool, int, float, complex)[kind(self._dtype)](value)
        if kind(self._dtype) == 1 and not torch.iinfo(self._dtype).min <= found.real <= torch.iinfo(self._dtype).max:
            raise OverflowError(f"Python integer {found} out of bounds for {self.__name__}")
        return found

    def __np2torch_lent__(self) -> Any:
        """NumPy's class of that name, for code on NumPy."""
        return torch.empty(0, dtype=self._dtype, device="cpu").numpy().dtype.type

    def __repr__(self) -> str:
        return f"<scalar type '{self.__name__}'>"

    def __eq__(self, other: object) -> builtins.bool:
        if hasattr(other, "newbyteorder") and not is_numpys_own(other):
            other = as_dtype(other)
        elif isinstance(other, type) and other.__module__ == "numpy":  # the class itself, as code on NumPy names it
            return other is self.__np2torch_lent__()
        return self is other or other is self._dtype

    def __hash__(self) -> int:
        return hash(self._dtype)


bool = bool_ = _Scalar("bool")
int8 = byte = _Scalar("int8")
int16 = short = _Scalar("int16")
int32 = intc = _Scalar("int32")
int64 = int_ = intp = long = longlong = _Scalar("int64")
uint8 = ubyte = _Scalar("uint8")
uint16 = ushort = _Scalar("uint16")
uint32 = uintc = _Scalar("uint32")
uint64 = uint = uintp = ulong = ulonglong = _Scalar("uint64")
float16 = half = _Scalar("float16")
float32 = single = _Scalar("float32")
float64 = double = _Scalar("float64")
complex64 = csingle = _Scalar("complex64")
complex128 = cdouble = _Scalar("complex128")
_SCALARS = {found._dtype: found for found in list(globals().values()) if isinstance(found, _Scalar)}


def scalar_type(dtype: Any) -> Any:
    """Give the callable that makes scalars of a torch dtype, as NumPy's classes do; give any other value as it is."""
    return _SCALARS.get(dtype, dtype) if isinstance(dtype, torch.dtype) else dtype


# ------------------------------------------------------------------------------------------ Python's view of x
@normalized
def shape(a: ArrayLike) -> tuple[int, ...]:
    """The shape as a tuple of ints."""
    return tuple(a.shape)


@normalized
def ndim(a: ArrayLike) -> int:
    """The number of dimensions."""
    return a.ndim


@normalized
def size(a: ArrayLike, axis: AxisLike = None) -> int:
    """The number of elements, or the length along the axes."""
    return a.numel() if axis is None else math.prod(a.shape[i] for i in axes_of(axis, a.ndim))


def isscalar(element: Any) -> builtins.bool:
    """Tell whether it is a scalar; a 0-D tensor stands for NumPy's scalar, unless it is marked as an array."""
    return is_scalar(element) or isinstance(element, (numbers.Number, str, bytes))


def iterable(y: Any) -> builtins.bool:
    """Tell whether it can be iterated; 0-D tensors cannot, although they have `__iter__`."""
    try:
        iter(y)
    except TypeError:
        return False
    return True


def isfortran(a: Tensor) -> builtins.bool:
    """Tell whether an array is laid out column by column and not row by row."""
    return a.ndim > 1 and not a.is_contiguous() and a.permute(*reversed(range(a.ndim))).is_contiguous()


__all__ = [
    "bool", "bool_", "byte", "can_cast", "cdouble", "common_type", "complex64", "complex128", "complexfloating",
    "csingle", "double", "dtype", "finfo", "float16", "float32", "float64", "floating", "generic", "half", "iinfo",
    "inexact", "int8", "int16", "int32", "int64", "int_", "intc", "integer", "intp", "isdtype", "isfortran",
    "isscalar", "issubdtype", "iterable", "long", "longlong", "min_scalar_type", "ndim", "number", "promote_types",
    "result_type", "scalar_type", "shape", "short", "signedinteger", "single", "size", "type_or_dtype", "ubyte", "uint",
    "uint8", "uint16", "uint32", "uint64", "uintc", "uintp", "ulong", "ulonglong", "unsignedinteger", "ushort",
]  # fmt: skip
