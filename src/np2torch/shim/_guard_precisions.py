"""Precisions behind guards: numbers take that of the tensors beside them, several are told, cast or refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from np2torch.shim._core import device_of
from np2torch.shim._guard_tests import Arrays, Numbers, is_left
from np2torch.shim._kernels import SINGLE
from np2torch.shim._promotion import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, Number, Tensor, result_dtype
from np2torch.shim._refusals import cast, several_precisions, shown

COMPLEX = {FLOAT64: COMPLEX128, FLOAT32: COMPLEX64}
"""The dtype of a Python complex number beside tensors of a precision; beside float16 torch's is not NumPy's."""


def cast_whole(x: Tensor, beside: Sequence[Any], arrays: Arrays, at: int, guard: Any) -> Tensor:
    """Cast integers or bools to the guard's dtype.

    Parameters
    ----------
    beside
        What became of the arguments so far.

    Raises
    ------
    TypeError
        For narrow integers and bools beside single precision: what NumPy computes in depends on where they meet.
    """
    single = next((one.dtype for one in beside if isinstance(one, Tensor) and one.dtype in SINGLE), None)
    if single is None or result_dtype(x.dtype, single) not in SINGLE:
        return x.to(guard.default)
    raise TypeError(
        f"shim.{guard.__name__}: {shown(arrays, at)} beside {str(single)[6:]}, in which NumPy would compute; "
        f"pass {cast(arrays, at, FLOAT32)}"
    )


def join_precisions(
    found: list[Any], arrays: Arrays, guard: Any, mixed: bool | None, numbers: Numbers
) -> None:  # fmt: skip
    """Make tensors of numbers in the precision of those beside them, and look after several precisions.

    Parameters
    ----------
    found
        What became of the arguments so far; changed in place.
    guard
        The class that is the guard: its name, `precisions` and `default`.
    mixed
        True casts to the widest precision, False refuses several dtypes, None those that torch promotes otherwise.
    """
    tensors = [at for at, x in enumerate(found) if isinstance(x, Tensor)]
    widest = guard.precisions[found[tensors[0]].dtype] if tensors else guard.default
    for at in tensors:
        if found[at].dtype is not found[tensors[0]].dtype:
            widest = _join_tensors(found, tensors, arrays, guard, mixed, numbers)
            break
    if len(tensors) == len(found):
        return
    device = device_of(*found)
    for at, x in enumerate(found):
        if isinstance(x, complex) and widest not in COMPLEX:
            raise TypeError(f"shim.{guard.__name__}: {shown(arrays, at)} beside {widest}; pass torch.float32 tensors")
        if not isinstance(x, Tensor) and not is_left(x, numbers, at):
            found[at] = _weak(x, widest, device)


def _join_tensors(
    found: list[Any], tensors: Sequence[int], arrays: Arrays, guard: Any, mixed: bool | None, numbers: Numbers
) -> torch.dtype:  # fmt: skip
    """Cast tensors of several precisions to the widest, leave them or refuse them; gives the widest."""
    precisions = guard.precisions
    first = next((at for at in tensors if found[at].ndim), tensors[0])
    widest: torch.dtype = precisions[found[tensors[0]].dtype]
    other = None
    for at in tensors:
        x, precision = found[at], precisions[found[at].dtype]
        if precision.itemsize > widest.itemsize:
            widest = precision
        is_another = mixed is False and x.dtype != found[first].dtype and (x.ndim or x.is_complex())
        if other is None and (is_another or precision is not precisions[found[first].dtype]):
            other = at
    if other is not None and mixed:
        for at in tensors:
            found[at] = found[at].to(COMPLEX[widest] if found[at].is_complex() else widest)
    elif other is not None and (mixed is False or not is_promoted_alike(found, tensors, numbers)):
        raise TypeError(several_precisions(arrays, found, first, other, guard.__name__, precisions, COMPLEX))
    return widest


def is_promoted_alike(found: Sequence[Any], tensors: Sequence[int], numbers: Numbers) -> bool:
    """Tell whether torch promotes tensors of several dtypes as NumPy does.

    It does where all have axes, and where those without have a dtype that makes no difference beside any with axes. A
    number that became a tensor has the common dtype, which in NumPy's operators it has not.
    """
    of_axes = [found[at].dtype for at in tensors if found[at].ndim]
    of_none = [found[at].dtype for at in tensors if not found[at].ndim]
    left = all(isinstance(x, Tensor) or is_left(x, numbers, at) for at, x in enumerate(found))
    dtypes = {found[at].dtype for at in tensors}
    same = all(result_dtype(one, other) == torch.promote_types(one, other) for one in dtypes for other in dtypes)
    return left and same and all(result_dtype(one, other) == other for one in of_none for other in of_axes)


def _weak(x: Number, precision: torch.dtype, device: torch.device | None) -> Tensor:
    """A Python number in the precision of the tensors beside it."""
    if isinstance(x, complex):
        return torch.tensor(x, dtype=COMPLEX[precision], device=device)
    return torch.tensor(float(x), dtype=precision, device=device)
