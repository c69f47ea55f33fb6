"""Elementwise functions that are no ufuncs, and the ufuncs (`ufuncs.py`) with them."""

from __future__ import annotations

import builtins
import math
from contextlib import suppress
from typing import Any

import torch

from np2torch.shim import ufuncs as u
from np2torch.shim._core import (
    ArrayLike,
    Operand,
    OutArray,
    ReduceAxis,
    as_array,
    asarray,
    axes_of,
    beside,
    device_of,
    into,
    normalized,
)  # fmt: skip
from np2torch.shim._errors import NoCounterpart
from np2torch.shim._numpy_fallback import called, meant
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import (
    FLOAT32,
    FLOAT64,
    UNSIGNED,
    Tensor,
    is_weak,
    kind,
    mean_dtype,
    promote,
    result_dtype,
)  # fmt: skip
from np2torch.shim._stacking import EXACT, of_doubles, read_by_numpy
from np2torch.shim._transforms import in_transform
from np2torch.shim._type_resolution import is_weak_beside
from np2torch.shim._ufunc import NO_VALUE
from np2torch.shim.ufuncs import *  # noqa: F403
from np2torch.shim.ufuncs import __all__ as _ufunc_names


# ------------------------------------------------------------------------------------- parts of complex numbers
def real(val: Any) -> Any:
    """The real part: a view of a complex array, a real array itself, a Python number of a Python number."""
    if is_weak(val):
        return val.real
    x = asarray(val)
    return x.resolve_conj().real if x.is_complex() else x


def imag(val: Any) -> Any:
    """The imaginary part: a view of a complex array, new zeros for a real one, a Python number of a Python number."""
    if is_weak(val):
        return val.imag
    x = asarray(val)
    return x.resolve_conj().imag if x.is_complex() else torch.zeros_like(x)


@normalized
def angle(z: Operand, deg: bool = False) -> Tensor:
    """The argument of complex numbers, computed with arctan2: the sign of zeros counts (`torch.angle` ignores it)."""
    z = asarray(z)
    turn: Tensor = u.arctan2(z.imag, z.real) if z.is_complex() else u.arctan2(0, z)
    return u.multiply(turn, 180 / math.pi) if deg else turn


def iscomplexobj(x: Any) -> bool:
    """Tell whether the dtype is complex."""
    return asarray(x).is_complex()


def isrealobj(x: Any) -> bool:
    """Tell whether the dtype is not complex."""
    return not iscomplexobj(x)


def iscomplex(x: Any) -> Any:
    """Mark the elements whose imaginary part is not zero."""
    x = asarray(x)
    return imag(x) != 0


def isreal(x: Any) -> Any:
    """Mark the elements whose imaginary part is zero; a bool for a Python number."""
    return imag(x) == 0


@normalized
def real_if_close(a: ArrayLike, tol: float = 100) -> Tensor:
    """The real part if all imaginary parts are below `tol` (above 1: times the resolution of the dtype)."""
    if not a.is_complex():
        return a
    limit = tol * torch.finfo(a.dtype).eps if tol > 1 else tol
    return a.real if bool((a.imag.abs() < limit).all()) else a


# ------------------------------------------------------------------------------------------ limits and rounding
@normalized
def clip(
    a: Operand,
    a_min: Any = NO_VALUE,
    a_max: Any = NO_VALUE,
    out: Any = None,
    *,
    min: Any = NO_VALUE,
    max: Any = NO_VALUE,
    **kwargs: Any,
) -> Tensor:
    """Limit the values; the upper limit wins. Python limits outside the range of an integer dtype do not limit."""
    if a_min is NO_VALUE or a_max is NO_VALUE or min is not NO_VALUE or max is not NO_VALUE:
        a_min, a_max = _limits(a_min, a_max, min, max)
    if type(a) is Tensor and out is None and not kwargs and a.dtype in (FLOAT32, FLOAT64):
        if (found := _clipped(a, a_min, a_max)) is not None:
            return found
    a, low, high = asarray(a), _limit(a, a_min, -1), _limit(a, a_max, 1)
    if low is None and high is None:
        return u.positive(a, out=out, **kwargs)  # type: ignore[no-any-return]
    if low is None or high is None:
        limit, bound = (u.minimum, high) if low is None else (u.maximum, low)
        return limit(a, bound, out=out, **kwargs)  # type: ignore[no-any-return]
    dtype = result_dtype(a, *(x if is_weak(x) else asarray(x) for x in (low, high)))
    return u.minimum(u.maximum(a.to(dtype), low), high, out=out, **kwargs)  # type: ignore[no-any-return]


def _clipped(a: Tensor, a_min: Any, a_max: Any) -> Tensor | None:
    """A tensor of floats between Python numbers, or at one side of one; None beside anything else."""
    low, high = (float(x) if is_weak_beside(x, FLOAT64) else math.nan for x in (a_min, a_max))
    found: Tensor | None = None
    if low == low and high == high:
        found = torch.clamp(a, low, high)
    elif a_max is None and low == low:
        found = u.maximum(a, a_min)
    elif a_min is None and high == high:
        found = u.minimum(a, a_max)
    return found


def _limits(a_min: Any, a_max: Any, min: Any, max: Any) -> list[Any]:
    """The limits, which are passed in one of two ways."""
    if a_min is a_max is NO_VALUE:
        return [None if limit is NO_VALUE else limit for limit in (min, max)]
    if a_min is NO_VALUE or a_max is NO_VALUE:
        missing = "a_min" if a_min is NO_VALUE else "a_max"
        raise TypeError(f"clip() missing 1 required positional argument: '{missing}'")
    raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")


def _limit(a: Any, limit: Any, side: int) -> Any:
    """The limit, or None if it is a Python int beyond that end of the dtype of `a`."""
    dtype = asarray(a).dtype
    if limit is None or type(limit) is not int or kind(dtype) != 1:
        return limit
    bounds = torch.iinfo(dtype)
    beyond = limit > bounds.max if side > 0 else limit < bounds.min
    return None if beyond else limit


@normalized
def round(a: Operand, decimals: int = 0, out: OutArray = None) -> Tensor:
    """Round half to even, after scaling by a power of ten as NumPy does; integers change for negative decimals only."""
    a = asarray(a)
    if a.dtype is torch.bool:
        return u.rint(a)  # type: ignore[no-any-return]
    if kind(a.dtype) == 1:
        if decimals >= 0:
            same: Tensor = a.clone()
            return same
        whole: Tensor = torch.round(a.double() / 10.0**-decimals) * 10.0**-decimals
        return whole.to(a.dtype)
    if a.is_complex():
        parts: Tensor = torch.complex(round(a.real, decimals), round(a.imag, decimals))
        return parts
    if decimals == 0:
        return u.rint(a)  # type: ignore[no-any-return]
    scale = 10.0 ** builtins.abs(decimals)
    first, last = (u.multiply, u.divide) if decimals > 0 else (u.divide, u.multiply)
    return last(u.rint(first(a, scale)), scale)  # type: ignore[no-any-return]


around = round_ = round


@normalized
def fix(x: Operand, out: OutArray = None) -> Tensor:
    """Round towards zero; integers stay integers."""
    return u.trunc(x)  # type: ignore[no-any-return]


@normalized
@by_numpy
def nan_to_num(x: ArrayLike, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    """Replace nan and the infinities, by default with 0 and the largest finite numbers; in place if not `copy`."""
    result = x.clone() if copy else x
    if kind(x.dtype) < 2:
        return result
    limits = torch.finfo(x.dtype)
    for part in [result.real, result.imag] if x.is_complex() else [result]:
        fixed = part
        for where, value, default in [
            (torch.isnan(part), nan, 0.0),
            (torch.isposinf(part), posinf, limits.max),
            (torch.isneginf(part), neginf, limits.min),
        ]:
            fixed = torch.where(where, beside(default if value is None else value, part).to(part), fixed)
        part.copy_(fixed)
    return result


# ------------------------------------------------------------------------------------------------- comparisons
FEW = 16
"""So many elements are compared faster in Python than by the kernels that it takes."""


def _few_are_close(a: Any, b: Any, rtol: float, atol: float, equal_nan: bool) -> list[bool] | None:
    """`isclose` of the elements of a float64 tensor and a float, or one of its shape; None if many or out of reach."""
    alone = type(b) is float or not b.ndim
    if not alone and a.shape != b.shape or a.numel() > FEW or not a.is_cpu or in_transform():
        return None
    if alone and a.ndim:
        one, number = a.flatten().tolist(), b if type(b) is float else b.item()
        return [_is_close(x, number, rtol, atol, equal_nan) for x in one]
    if type(b) is float:
        return [_is_close(a.item(), b, rtol, atol, equal_nan)]
    if not a.ndim:
        return [_is_close(a.item(), b.item(), rtol, atol, equal_nan)]
    one, other = (x.tolist() if x.ndim == 1 else x.flatten().tolist() for x in (a, b))
    return [_is_close(x, y, rtol, atol, equal_nan) for x, y in zip(one, other, strict=True)]


def as_double(x: Any, like: Tensor) -> Any:
    """A float64 tensor of a list of numbers, an ndarray or a number beside one on the CPU; else what it was."""
    if not like.is_cpu or in_transform():
        return x
    kind = type(x)
    if kind is list:
        found = of_doubles(x)
    elif kind.__module__ == "numpy" and kind.__name__ == "ndarray" and x.ndim and x.dtype.char == "d":
        found = torch.from_numpy(x) if x.flags.carray else asarray(x)
    elif kind is float or kind is int and -EXACT < x < EXACT:
        found = read_by_numpy(x, torch.float64)
    else:
        return x
    return x if found is None or found.dtype is not torch.float64 else found


def _is_close(x: float, y: float, rtol: float, atol: float, equal_nan: bool) -> bool:
    """`isclose` of two numbers."""
    if x == y or equal_nan and x != x and y != y:
        return True
    return builtins.abs(x - y) <= atol + rtol * builtins.abs(y) and math.isfinite(y)


def _are_doubles(a: Any, b: Any) -> bool:
    """A float64 tensor and another one, or a Python float: torch's own operators do what NumPy's do."""
    if type(a) is not Tensor or a.dtype is not torch.float64:
        return False
    return b.dtype is torch.float64 and b.device == a.device if type(b) is Tensor else type(b) is float and b == b


@normalized
def isclose(a: Operand, b: Operand, rtol: Operand = 1e-05, atol: Operand = 1e-08, equal_nan: bool = False) -> Tensor:
    """|a - b| <= atol + rtol * |b| elementwise, with NumPy's promotion; nan equals nan if asked."""
    if _are_doubles(a, b) and type(rtol) is type(atol) is float:
        if (found := _few_are_close(a, b, rtol, atol, equal_nan)) is not None:
            made = read_by_numpy(found if a.ndim else found[0], torch.bool)
            if made is None:
                made = torch.tensor(found, dtype=torch.bool, device="cpu")
            return made.reshape(a.shape)
    return _isclose(a, b, rtol, atol, equal_nan)  # type: ignore[no-any-return]


@by_numpy
def _isclose(a: Any, b: Any, rtol: Any, atol: Any, equal_nan: Any) -> Any:
    """`isclose` of any operands."""
    if _are_doubles(a, b) and type(rtol) is float and type(atol) is float:
        size, finite = (b.abs(), b.isfinite()) if isinstance(b, Tensor) else (builtins.abs(b), math.isfinite(b))
        with suppress(RuntimeError):  # shapes that do not fit: the long way says so
            close = ((a - b).abs() <= atol + rtol * size) & finite | (a == b)
            return close | a.isnan() & b.isnan() if equal_nan and isinstance(b, Tensor) else close
    b = u.multiply(b, 1.0) if isinstance(b, Tensor) else b * 1.0
    size = builtins.abs(b) if is_weak(b) else u.absolute(b)
    room = rtol * size if is_weak(rtol) and is_weak(size) else u.multiply(rtol, size)
    bound = atol + room if is_weak(atol) and is_weak(room) else u.add(atol, room)
    near = u.less_equal(u.absolute(u.subtract(a, b)), bound)
    result = near & u.isfinite(as_array(b, near.device)) | u.equal(a, b)
    return result | u.isnan(as_array(a, near.device)) & u.isnan(as_array(b, near.device)) if equal_nan else result


def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> bool:
    """Tell whether all elements are close, as a Python bool."""
    if type(a) is Tensor and type(b) is not Tensor and a.dtype is torch.float64:
        b = as_double(b, a)
    if type(a) is Tensor and type(b) is Tensor and a.dtype is b.dtype is torch.float64 and equal_nan in (False, True):
        if type(rtol) is type(atol) is float and 0 <= rtol <= 0.5 and 0 <= atol < 1e300:  # a finite bound
            with suppress(RuntimeError):  # shapes that do not fit: the long way says so
                found = _few_are_close(a, b, rtol, atol, equal_nan)
                return torch.allclose(a, b, rtol, atol, bool(equal_nan)) if found is None else builtins.all(found)
    return bool(isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan).all())


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Tell whether shapes and elements are equal, as a Python bool; False for arguments that are no arrays."""
    try:
        device = device_of(a1, a2)
        x, y = asarray(a1, None, device), asarray(a2, None, device)
    except NoCounterpart as error:
        return bool(called(array_equal, error, (a1, a2), meant(equal_nan=equal_nan or None)))
    except (TypeError, ValueError):
        return False
    if x.shape != y.shape:
        return False
    same = u.equal(x, y)
    return bool((same | u.isnan(x) & u.isnan(y) if equal_nan else same).all())


def array_equiv(a1: Any, a2: Any) -> bool:
    """Tell whether two arrays are equal after broadcasting, as a Python bool; False if they do not broadcast."""
    try:
        device = device_of(a1, a2)
        return bool(u.equal(asarray(a1, None, device), asarray(a2, None, device)).all())
    except NoCounterpart as error:
        return bool(called(array_equiv, error, (a1, a2), {}))
    except (TypeError, ValueError):
        return False


def _infinite(x: Tensor, out: Tensor | None, negative: bool) -> Tensor:
    if x.is_complex():
        raise TypeError(f"This operation is not supported for {str(x.dtype)[6:]} values because it would be ambiguous.")
    result: Tensor = u.isinf(x) & (u.less(x, 0) if negative else u.greater(x, 0))
    return result if out is None else into(out, result)


@normalized
def isposinf(x: ArrayLike, out: OutArray = None) -> Tensor:
    """Mark the elements that are positive infinity."""
    return _infinite(x, out, negative=False)


@normalized
def isneginf(x: ArrayLike, out: OutArray = None) -> Tensor:
    """Mark the elements that are negative infinity."""
    return _infinite(x, out, negative=True)


# ------------------------------------------------------------------------------------------- special functions
@normalized
def sinc(x: ArrayLike) -> Tensor:
    """sin(pi x) / (pi x), not exactly zero at whole numbers (as NumPy's); float64 for integers of every size."""
    x = x.to(mean_dtype(x.dtype))
    y = math.pi * torch.where(x == 0, 1.0, x)
    result: Tensor = torch.where(x == 0, torch.ones_like(x), torch.sin(y) / y)
    return result


@normalized
def i0(x: ArrayLike) -> Tensor:
    """The modified Bessel function of the first kind, order 0."""
    if x.is_complex():
        raise TypeError("i0 not supported for complex values")
    result: Tensor = torch.special.i0(x.to(mean_dtype(x.dtype)))
    return result


@normalized
def unwrap(p: ArrayLike, discont: float | None = None, axis: ReduceAxis = -1, *, period: float = 2 * math.pi) -> Tensor:
    """Take whole periods out of jumps larger than `discont` (half a period by default); integers stay exact."""
    (dim,) = axes_of(axis, p.ndim)
    jump = (u.not_equal if p.dtype is torch.bool else u.subtract)(
        p.narrow(dim, 1, p.shape[dim] - 1), p.narrow(dim, 0, p.shape[dim] - 1)
    ) if p.shape[dim] else p
    dtype = result_dtype(jump, period) if is_weak(period) else promote(jump.dtype, asarray(period).dtype)
    whole = kind(dtype) == 1
    if dtype in UNSIGNED and is_weak(period):
        raise OverflowError(f"Python integer {-(period // 2)} out of bounds for {str(dtype)[6:]}")
    high = period // 2 if whole else period / 2
    jump = jump.to(dtype)
    wrapped = u.remainder(jump + high, period) - high
    if not whole or period % 2 == 0:  # half a period is both ends of the interval: keep the direction of the jump
        wrapped = torch.where((wrapped == -high) & (jump > 0), high, wrapped)
    correction = torch.where(u.absolute(jump) < (period / 2 if discont is None else discont), 0, wrapped - jump)
    rest = p.to(dtype).narrow(dim, min(1, p.shape[dim]), max(p.shape[dim] - 1, 0)) + torch.cumsum(
        correction, dim, dtype=dtype
    )
    return torch.cat([p.to(dtype).narrow(dim, 0, min(1, p.shape[dim])), rest], dim)


__all__ = [
    "allclose", "angle", "around", "array_equal", "array_equiv", "clip", "fix", "i0", "imag", "isclose", "iscomplex",
    "iscomplexobj", "isneginf", "isposinf", "isreal", "isrealobj", "nan_to_num", "real", "real_if_close", "round",
    "round_", "sinc", "unwrap",
]  # fmt: skip
__all__ += _ufunc_names
