"""Short ways of the universal functions: the kernels that take operands as they are, and operands of two dtypes.

What is found out of dtypes is kept: NumPy's loops are looked up once for each pair of them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import torch

from np2torch.shim._promotion import FLOAT64, INT64, PYTHON_DTYPES, Tensor, kind
from np2torch.shim._type_resolution import WIDE_UNSIGNED, is_weak_beside


def _after_cast(kernel: Callable[..., Tensor], dtype: torch.dtype) -> Callable[..., Tensor]:
    return lambda x: kernel(x.to(dtype))


def learned(ufunc: Any, dtype: torch.dtype) -> Callable[..., Tensor] | None:
    """The kernel for operands of this dtype, if what it gives is the result as it stands; kept for later."""
    kernel = None
    if ufunc.nout == 1 and dtype not in WIDE_UNSIGNED and dtype is not torch.bfloat16:
        witness = [torch.ones((), dtype=dtype)] * ufunc.nin
        _, loop = ufunc.resolve(ufunc.loops, witness)
        direct = getattr(ufunc.kernel, "reals", ufunc.kernel) if not dtype.is_complex else ufunc.kernel
        if loop is dtype and direct(*witness).dtype is ufunc.returns[0](dtype):
            kernel = direct
        elif ufunc.nin == 1 and loop is not None:
            with suppress(RuntimeError):  # no kernel of torch's for it
                if direct(witness[0].to(loop)).dtype is ufunc.returns[0](loop):
                    kernel = _after_cast(direct, loop)
    ufunc.direct[dtype] = kernel
    return kernel


def mixed(ufunc: Any, x: Any, y: Any) -> Tensor | None:
    """The result for operands of two dtypes, cast to the loop that these alone choose; None where values have a say.

    One of them may be a Python number. A RuntimeError is for the caller, who then goes the long way.
    """
    other = y if type(x) is Tensor else x
    if type(other) is not Tensor and type(other) not in PYTHON_DTYPES:
        return None
    key = (x.dtype if type(x) is Tensor else type(x), y.dtype if type(y) is Tensor else type(y))
    try:
        found = ufunc.mixed[key]
    except KeyError:
        if torch.compiler.is_compiling():
            return None
        found = ufunc.mixed[key] = _kernel_of(ufunc, *key)
    if found is None:
        return None
    loop, kernel = found
    if type(x) is not Tensor:
        if type(x) is int and not is_weak_beside(x, INT64):
            return None
        x = y.new_full((), x, dtype=loop)
    elif type(y) is not Tensor:
        if type(y) is int and not is_weak_beside(y, INT64):
            return None
        if not (ufunc.scalars and loop is FLOAT64):
            y = x.new_full((), y, dtype=loop)
        whole: Tensor = kernel(x.to(loop), y)
        return whole
    result: Tensor = kernel(x.to(loop), y.to(loop))
    return result


def _kernel_of(ufunc: Any, *given: torch.dtype | type) -> tuple[torch.dtype, Callable[..., Tensor]] | None:
    """The loop for two dtypes, or one and a type of Python's, and its kernel; None where it depends on values too."""
    dtypes = [one for one in given if isinstance(one, torch.dtype)]
    if ufunc.nout != 1 or any(one in WIDE_UNSIGNED or one is torch.bfloat16 for one in dtypes):
        return None
    witness = [torch.ones((), dtype=one) if isinstance(one, torch.dtype) else one(1) for one in given]
    try:
        operands, loop = ufunc.resolve(ufunc.loops, witness)
        if loop is None or operands is not witness:
            return None
        ufunc._cast(witness, None, "same_kind")
    except (TypeError, OverflowError):
        return None
    if loop in WIDE_UNSIGNED or int in given and kind(loop) == 1 and loop is not INT64:  # it may not fit
        return None
    kernel = ufunc.direct[loop] if loop in ufunc.direct else learned(ufunc, loop)
    return None if kernel is None else (loop, kernel)
