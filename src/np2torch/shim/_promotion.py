"""Dtypes: NumPy's spellings of them, and NEP 50's promotion.

All of it can be traced: `torch.compile` follows no method of a dtype and no cached function.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any, TypeAlias

import torch

from np2torch.shim._errors import NoCounterpart

Tensor = torch.Tensor
Number: TypeAlias = bool | int | float | complex

BOOL, COMPLEX64, COMPLEX128 = torch.bool, torch.complex64, torch.complex128
FLOAT16, FLOAT32, FLOAT64 = torch.float16, torch.float32, torch.float64
INT64 = torch.int64

PYTHON_DTYPES: dict[type, torch.dtype] = {bool: BOOL, int: INT64, float: FLOAT64, complex: COMPLEX128}

NAMES: dict[str, torch.dtype] = {
    name: getattr(torch, name)
    for name in (
        "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128"
    ).split()
}
NAMES |= {
    "bool_": torch.bool, "?": torch.bool, "b1": torch.bool,
    "b": torch.int8, "byte": torch.int8, "i1": torch.int8, "B": torch.uint8, "ubyte": torch.uint8, "u1": torch.uint8,
    "h": torch.int16, "short": torch.int16, "i2": torch.int16,
    "H": torch.uint16, "ushort": torch.uint16, "u2": torch.uint16,
    "i": torch.int32, "intc": torch.int32, "i4": torch.int32,
    "I": torch.uint32, "uintc": torch.uint32, "u4": torch.uint32,
    "l": torch.int64, "q": torch.int64, "p": torch.int64, "int": torch.int64, "int_": torch.int64, "intp": torch.int64,
    "long": torch.int64, "longlong": torch.int64, "i8": torch.int64, "n": torch.int64,
    "L": torch.uint64, "Q": torch.uint64, "P": torch.uint64, "uint": torch.uint64, "uintp": torch.uint64,
    "ulong": torch.uint64, "ulonglong": torch.uint64, "u8": torch.uint64, "N": torch.uint64,
    "e": torch.float16, "half": torch.float16, "f2": torch.float16, "f": torch.float32, "single": torch.float32,
    "f4": torch.float32, "d": torch.float64, "double": torch.float64, "float": torch.float64, "float_": torch.float64,
    "f8": torch.float64, "F": torch.complex64, "csingle": torch.complex64, "c8": torch.complex64,
    "D": torch.complex128, "cdouble": torch.complex128, "complex": torch.complex128, "c16": torch.complex128,
}  # fmt: skip

SIGNED = (torch.int8, torch.int16, torch.int32, torch.int64)
UNSIGNED = (torch.uint8, torch.uint16, torch.uint32, torch.uint64)


def as_dtype(dtype: Any) -> torch.dtype | None:
    """A torch dtype from any spelling NumPy accepts.

    Raises
    ------
    NoCounterpart
        For dtypes torch does not have (strings, object, structured, datetime64, longdouble, swapped bytes).
    """
    if dtype is None or isinstance(dtype, torch.dtype):
        return dtype
    if isinstance(dtype, type) and dtype in PYTHON_DTYPES:
        return PYTHON_DTYPES[dtype]
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", None)
    if isinstance(name, str) and getattr(dtype, "isnative", True):
        found = NAMES.get(name.lstrip("<=|")) if name[:1] != ">" else None
        if found is not None:
            return found
    raise NoCounterpart(f"torch has no counterpart of dtype {dtype!r}")


def is_numpys_own(dtype: Any) -> bool:
    """Tell whether it is a NumPy dtype without a counterpart in torch."""
    if dtype is None or isinstance(dtype, torch.dtype):
        return False
    try:
        return as_dtype(dtype) is None
    except TypeError:
        is_class = isinstance(dtype, type) and any(
            (one.__module__, one.__name__) == ("numpy", "generic") for one in dtype.__mro__
        )  # of scalars, as that of long doubles is
        is_text = dtype in (object, str, bytes) or isinstance(dtype, (str, dict, list))
        return is_class or is_text or type(dtype).__module__ == "numpy.dtypes"


def real_dtype(dtype: torch.dtype) -> torch.dtype:
    """The dtype of the real part."""
    return FLOAT64 if dtype is COMPLEX128 else FLOAT32 if dtype is COMPLEX64 else dtype


def kind(dtype: torch.dtype) -> int:
    """0 bool, 1 integer, 2 floating, 3 complex: the categories of NEP 50."""
    if dtype is BOOL:
        return 0
    return 3 if dtype.is_complex else 2 if dtype.is_floating_point else 1


def _promoted(a: torch.dtype, b: torch.dtype) -> torch.dtype:
    if a is b:
        return a
    if torch.bfloat16 in (a, b):
        return torch.promote_types(a, b)
    if kind(a) > kind(b):
        a, b = b, a
    ka, kb = kind(a), kind(b)
    if ka == 0:
        return b
    if ka == 1 and kb == 1:
        if (a in SIGNED) == (b in SIGNED):
            return max(a, b, key=lambda d: d.itemsize)
        signed, unsigned = (a, b) if a in SIGNED else (b, a)
        if signed.itemsize > unsigned.itemsize:
            return signed
        return {1: torch.int16, 2: torch.int32, 4: torch.int64}.get(unsigned.itemsize, FLOAT64)
    bits = {1: FLOAT16, 2: FLOAT32}.get(a.itemsize, FLOAT64) if ka == 1 else real_dtype(a)
    real = max(bits, real_dtype(b), key=lambda d: d.itemsize)
    if kb == 3:
        return COMPLEX128 if real is FLOAT64 else COMPLEX64
    return real


_PROMOTED = {pair: _promoted(*pair) for pair in itertools.product(dict.fromkeys(NAMES.values()), repeat=2)}


def promote2(a: torch.dtype, b: torch.dtype) -> torch.dtype:
    """`numpy.promote_types` (torch's own promotion keeps int64 with float32 at 32 bits)."""
    return a if a is b else _PROMOTED[a, b]


def promote(*dtypes: torch.dtype) -> torch.dtype:
    """`numpy.result_type` of dtypes."""
    return functools.reduce(promote2, dtypes)


def is_weak(x: Any) -> bool:
    """Tell whether it is a Python number, which under NEP 50 takes the dtype of its partner."""
    return type(x) in PYTHON_DTYPES


def result_dtype(*operands: Tensor | Number | torch.dtype) -> torch.dtype:
    """The dtype NumPy computes in for these operands, Python numbers being weak (NEP 50).

    Raises
    ------
    OverflowError
        When a Python integer does not fit the integer dtype it would have to take.
    """
    strong = [x if isinstance(x, torch.dtype) else x.dtype for x in operands if isinstance(x, (Tensor, torch.dtype))]
    weak = [x for x in operands if not isinstance(x, (Tensor, torch.dtype))]
    if not strong:
        return promote(*(PYTHON_DTYPES[type(x)] for x in weak))
    dtype = promote(*strong)
    for x in weak:
        need = (bool, int, float, complex).index(type(x))
        if need > kind(dtype):
            if need == 1:
                dtype = INT64
            elif need == 2:
                dtype = FLOAT64
            else:
                dtype = COMPLEX64 if dtype in (FLOAT16, FLOAT32) else COMPLEX128
    for x in weak:
        if type(x) is int and kind(dtype) == 1:
            limits = torch.iinfo(dtype)
            if not limits.min <= x <= limits.max:
                raise OverflowError(f"Python integer {x} out of bounds for {str(dtype)[6:]}")
    return dtype


def floating(dtype: torch.dtype) -> torch.dtype:
    """The dtype a float function (`exp`, `sqrt`) computes in: small integers take small floats, as in NumPy."""
    if kind(dtype) >= 2:
        return dtype
    return {1: FLOAT16, 2: FLOAT32}.get(dtype.itemsize, FLOAT64)


def mean_dtype(dtype: torch.dtype) -> torch.dtype:
    """The dtype of `mean`, `std`, `linalg` results: float64 for every integer and bool."""
    return dtype if kind(dtype) >= 2 else FLOAT64
