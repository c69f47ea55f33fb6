"""How the operands of a ufunc find the dtype it computes in: NumPy's loops and type resolvers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch

from np2torch.shim._broadcast import common_shape
from np2torch.shim._core import as_array, device_of
from np2torch.shim._promotion import (
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT64,
    PYTHON_DTYPES,
    SIGNED,
    UNSIGNED,
    Number,
    Tensor,
    kind,
    promote,
    promote2,
    result_dtype,
)  # fmt: skip

Dtypes: TypeAlias = tuple[torch.dtype, ...]
Operands: TypeAlias = Sequence[Tensor | Number]
Resolver: TypeAlias = Callable[[Dtypes, Operands], tuple[Operands, torch.dtype | None]]

BOOLS: Dtypes = (BOOL,)
INTS: Dtypes = tuple(dtype for pair in zip(SIGNED, UNSIGNED, strict=True) for dtype in pair)
FLOATS: Dtypes = (FLOAT16, FLOAT32, FLOAT64)
COMPLEXES: Dtypes = (COMPLEX64, COMPLEX128)
WIDE_UNSIGNED: Dtypes = (torch.uint16, torch.uint32, torch.uint64)


@functools.lru_cache(4096)
def first_loop(loops: Dtypes, *dtypes: torch.dtype) -> torch.dtype | None:
    """The first of `loops` that holds every value of all `dtypes`; bfloat16, unknown to NumPy, keeps to itself."""
    if torch.bfloat16 in dtypes:
        common = promote(*dtypes)
        return common if common is torch.bfloat16 and FLOAT32 in loops else first_loop(loops, common)
    return next((loop for loop in loops if all(promote2(dtype, loop) is loop for dtype in dtypes)), None)


def dtypes_of(operands: Operands) -> list[torch.dtype]:
    """The dtypes that choose the loop: a Python number counts only where its kind is above that of the arrays."""
    strong = [x.dtype for x in operands if isinstance(x, Tensor)]
    weak = [x for x in operands if not isinstance(x, Tensor)]
    if not strong:
        return [PYTHON_DTYPES[type(x)] for x in weak]
    top = promote(*strong)
    return strong + [result_dtype(top, type(x)(0)) for x in weak if kind(PYTHON_DTYPES[type(x)]) > kind(top)]


def by_promotion(loops: Dtypes, operands: Operands) -> tuple[Operands, torch.dtype | None]:
    """The usual way: the first loop that holds the operands."""
    return operands, first_loop(loops, *dtypes_of(operands))


def by_arithmetic(loops: Dtypes, operands: Operands) -> tuple[Operands, torch.dtype | None]:
    """As usual, but all-bool operands are refused where there is no loop of bool itself."""
    dtypes = dtypes_of(operands)
    return operands, None if {*dtypes} == {BOOL} and BOOL not in loops else first_loop(loops, *dtypes)


def by_division(loops: Dtypes, operands: Operands) -> tuple[Operands, torch.dtype | None]:
    """Integers of every size divide in float64."""
    dtypes = dtypes_of(operands)
    return operands, FLOAT64 if all(kind(dtype) < 2 for dtype in dtypes) else first_loop(loops, *dtypes)


def by_comparison(loops: Dtypes, operands: Operands) -> tuple[Operands, torch.dtype | None]:
    """Resolve comparisons exactly: out-of-range Python ints compare as infinities, uint64 with signed as integers."""
    dtypes = dtypes_of(operands)
    loop = first_loop(loops, *dtypes)
    whole = [x for x in operands if type(x) is int]
    if not all(fits(x, loop) for x in whole):
        if len(whole) == 2:
            return [int(whole[0] > whole[1]) - int(whole[0] < whole[1]), 0], INT64
        return [math.copysign(math.inf, x) if type(x) is int else x for x in operands], FLOAT64
    if loop is FLOAT64 and all(kind(dtype) == 1 for dtype in dtypes):
        device = device_of(*operands)
        return _exact_integers(*(as_array(x, device) for x in operands)), INT64
    return operands, loop


def fits(x: int, dtype: torch.dtype | None) -> bool:
    """Tell whether a Python int fits the dtype; always True for a dtype that is not one of integers."""
    return dtype is None or kind(dtype) != 1 or torch.iinfo(dtype).min <= x <= torch.iinfo(dtype).max


def _exact_integers(a: Tensor, b: Tensor) -> Operands:
    """int64 operands that compare as a uint64 and a signed one do: from 2**63 on it is simply 1 against 0."""
    beyond = (a if a.dtype is torch.uint64 else b).to(INT64) < 0
    return [torch.where(beyond, int(x.dtype is torch.uint64), x.to(INT64)) for x in (a, b)]


def by_truth(loops: Dtypes, operands: Operands) -> tuple[Operands, torch.dtype | None]:
    """Resolve logical functions, which take the truth of anything."""
    return [x.to(BOOL) if isinstance(x, Tensor) else bool(x) for x in operands], BOOL


def as_tensors(operands: Operands, dtypes: Sequence[torch.dtype]) -> list[Tensor]:
    """Every operand as a tensor of its dtype; Python numbers go to the device of the tensors.

    Raises
    ------
    OverflowError
        For a Python int that does not fit.
    """
    device = device_of(*operands)
    found = []
    for x, dtype in zip(operands, dtypes, strict=True):
        if isinstance(x, Tensor):
            found.append(x if x.dtype is dtype else x.to(dtype))
        elif type(x) is int and not fits(x, dtype):
            raise OverflowError(f"Python integer {x} out of bounds for {str(dtype)[6:]}")
        elif type(x) is int and kind(dtype) >= 2:
            found.append(torch.tensor(float(x), dtype=dtype, device=device))
        else:
            found.append(torch.tensor(x, dtype=dtype, device=device))
    return found


def same_shape(tensors: Sequence[Tensor]) -> torch.Size:
    """The shape they broadcast to; ValueError when they do not."""
    shapes = [x.shape for x in tensors]
    longest = max(shapes, key=len)
    if all(shape == longest or not shape for shape in shapes):
        return longest
    try:
        return common_shape(*shapes)
    except ValueError:
        said = " ".join(str(tuple(shape)) for shape in shapes)
        raise ValueError(f"operands could not be broadcast together with shapes {said}") from None


SMALL = 2**31
"""Integers below it, in size, are sent on to torch as they are."""


def is_weak_beside(x: Any, dtype: torch.dtype) -> bool:
    """Tell whether it is a Python number that takes this dtype; asked for float64, float32 and int64 only."""
    if dtype is FLOAT64 or dtype is FLOAT32:
        return type(x) is float or type(x) is int and -SMALL < x < SMALL
    return dtype is INT64 and type(x) is int and -SMALL < x < SMALL
