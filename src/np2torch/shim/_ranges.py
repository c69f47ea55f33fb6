"""`arange`, `linspace`, `logspace`, `geomspace` in NumPy's own arithmetic, to the last point."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import torch

from np2torch.shim._core import (
    ArrayLike,
    DTypeLike,
    Operand,
    as_index,
    as_operand,
    asarray,
    beside,
    device_of,
    normalized,
)
from np2torch.shim._errors import wrong
from np2torch.shim._layout import broadcast_shape, checked
from np2torch.shim._promotion import (
    BOOL,
    FLOAT64,
    INT64,
    Number,
    Tensor,
    floating,
    kind,
    mean_dtype,
    promote,
    real_dtype,
    result_dtype,
)  # fmt: skip

MOST = 2**53


def _scalar(x: Any) -> Tensor | Number:
    if isinstance(x, Tensor) and x.ndim:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    number: Tensor | Number = asarray(x) if hasattr(x, "__array__") else x  # NumPy's own scalars
    return number


def _dtype_of(x: Any) -> torch.dtype:
    if type(x) is float:
        return FLOAT64
    return INT64 if type(x) is int and -MOST < x < MOST else asarray(x).dtype


def _steps(start: Any, stop: Any, step: Any) -> Any:
    """(stop - start) / step, rounded as NumPy's scalars round it: float32 bounds count in float32."""
    if not any(isinstance(x, Tensor) for x in (start, stop, step)):
        return (stop - start) / step
    span = stop - start
    if isinstance(start, Tensor) or isinstance(stop, Tensor):
        dtype = result_dtype(start, stop)
        span = asarray(stop).to(dtype) - asarray(start).to(dtype)
    dtype = floating(result_dtype(span, step))
    return (asarray(span).to(dtype) / asarray(step).to(dtype)).item()


def _length(start: Any, stop: Any, step: Any) -> int:
    steps = _steps(start, stop, step)
    if isinstance(steps, complex):
        return min(_length(0.0, steps.real, 1), _length(0.0, steps.imag, 1))
    if math.isnan(steps):
        raise ValueError("arange: cannot compute length")
    if math.isinf(steps):
        raise ValueError("Maximum allowed size exceeded")
    if steps == 0 and bool(stop != start):  # a step too large to count: there is the start, if it goes that way
        return int(math.copysign(1.0, steps) > 0)
    return max(math.ceil(float(steps)), 0)


@normalized
def arange(
    start_or_stop: Any = None, /, stop: Any = None, step: Any = 1, *, dtype: DTypeLike = None, device: Any = None,
    like: Any = None, start: Any = None,
) -> Tensor:  # fmt: skip
    """Evenly spaced values in a half-open interval: int64 for integers of any width, float64 for floats.

    The values are start + i * step in that dtype, as in NumPy, so the last may touch or pass `stop` by rounding.
    """
    if type(start_or_stop) is int and stop is None and step == 1 and dtype is None and 0 <= start_or_stop < MOST:
        return torch.arange(start_or_stop, device=device)
    first, stop = _bounds(start_or_stop, stop, start)
    step = _scalar(1 if step is None else step)
    if type(first) is type(stop) is type(step) is int and step and (dtype is None or dtype is INT64):
        with suppress(RuntimeError):  # more than 64 bits
            return torch.arange(first, first + len(range(first, stop, step)) * step, step, dtype=INT64, device=device)
    target = dtype or promote(INT64, *map(_dtype_of, (first, stop, step)))
    size = _length(first, stop, step)
    if target is BOOL:
        if size > 2:
            raise TypeError("arange() is only supported for booleans when the result has at most length 2.")
        return torch.tensor([bool(first), bool(first + step)][:size], dtype=BOOL, device=device)
    if dtype is not None and kind(target) == 1:
        for value in (first, first + step)[:size]:
            checked(value.item() if isinstance(value, Tensor) else value, target)
    return _extrapolated(first, first + step if size > 1 else first, size, target, device)


def _bounds(start_or_stop: Any, stop: Any, start: Any) -> tuple[Any, Any]:
    """The first value and the end, of which the first is zero where one of them is given."""
    first = start if start_or_stop is None else as_operand(start_or_stop)
    if first is None and stop is None:
        raise TypeError("arange() requires stop to be specified.")
    first = 0 if first is None else _scalar(first)
    return (0, first) if stop is None else (first, _scalar(stop))


def _extrapolated(first: Any, second: Any, size: int, target: torch.dtype, device: Any) -> Tensor:
    """So many points at the distance of the first two in their dtype: arange(0, 1, .1, dtype=int) is all zeros."""
    if target is FLOAT64 and type(first) in (int, float) and type(second) in (int, float):
        return torch.arange(size, dtype=FLOAT64, device=device).mul_(float(second) - float(first)).add_(float(first))
    work = INT64 if kind(target) == 1 else target
    origin = asarray(first).to(device=device, dtype=work)
    delta = asarray(second).to(device=device, dtype=work) - origin
    counter = torch.arange(size, device=delta.device).to(real_dtype(work))
    if work.is_complex:
        return torch.complex(origin.real + counter * delta.real, origin.imag + counter * delta.imag)
    return (origin + counter * delta).to(target)


def _spaced(start: Any, stop: Any, num: Any, endpoint: bool) -> tuple[Tensor, Tensor | float]:
    """The points along a new first axis, and the step."""
    count = as_index(num)
    if count < 0:
        raise ValueError(f"Number of samples, {count}, must be non-negative.")
    start, stop = (x * 1.0 if type(x) in (bool, int) else x for x in (start, stop))  # -1 beside uint8 is no overflow
    dtype = mean_dtype(result_dtype(start, stop))
    device = device_of(start, stop)
    first, last = asarray(start, None, device).to(dtype), asarray(stop, None, device).to(dtype)
    broadcast_shape(first.shape, last.shape)
    delta = last.to(device) - first.to(device)
    points = torch.arange(count, device=delta.device).to(dtype).reshape(-1, *[1] * delta.ndim)
    divisor = count - 1 if endpoint else count
    step: Tensor | float = math.nan
    if divisor > 0:
        step = delta / divisor
        # a step that underflows to 0 is applied to the fractions instead, for all points alike
        points = torch.where((step == 0).any(), points / divisor * delta, points * step)
    else:
        points = points * delta
    points = points + first
    if endpoint and count > 1:
        points = torch.cat([points[:-1], last.expand(delta.shape)[None]])
    return points, step


def _line(start: Any, stop: Any, num: Any, endpoint: bool, device: Any) -> tuple[Tensor, Any] | None:
    """The same between two Python numbers, most often asked for; None where it is not that simple."""
    divisor = num - 1 if endpoint and type(num) is int else num
    if type(start) not in (int, float) or type(stop) not in (int, float) or type(num) is not int or divisor < 1:
        return None
    start, stop = float(start), float(stop)
    step = (stop - start) / divisor
    if not step:
        return None
    points = torch.arange(num, dtype=FLOAT64, device=device).mul_(step)
    if start or step < 0:  # -0.0 + 0.0 is 0.0
        points.add_(start)
    if endpoint and step * divisor + start != stop:
        points[-1] = stop
    return points, step


def _cast(points: Tensor, dtype: torch.dtype | None) -> Tensor:
    if dtype is None or points.dtype is dtype:
        return points
    return (points.floor() if kind(dtype) == 1 else points).to(dtype)


def points_between(start: Tensor | Number, stop: Tensor | Number, num: int, dtype: torch.dtype) -> Tensor:
    """`linspace` without its last point, along a new first axis."""
    return _cast(_spaced(start, stop, num, False)[0], dtype)


@normalized
def linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, retstep: bool = False, dtype: DTypeLike = None,
    axis: int = 0, *, device: Any = None,
) -> Any:  # fmt: skip
    """`num` evenly spaced points, the last one exactly `stop`; integer dtypes are floored.

    torch.linspace works from both ends and so differs in the last bits.
    """
    line = _line(start, stop, num, endpoint, device)
    if line is not None and dtype is None and axis == 0 and not retstep:
        return line[0]
    device = device or device_of(start, stop)
    points, step = line or _spaced(as_operand(start, device), as_operand(stop, device), num, endpoint)
    points = _cast(points.movedim(0, axis), dtype).to(device)
    return (points, step) if retstep else points


@normalized
def logspace(
    start: Operand, stop: Operand, num: Any = 50, endpoint: bool = True, base: Operand = 10.0, dtype: DTypeLike = None,
    axis: int = 0,
) -> Tensor:  # fmt: skip
    """Powers of `base`, the exponents evenly spaced; several bases broadcast against the bounds."""
    if isinstance(base, Tensor) and base.ndim:
        ndim = len(broadcast_shape(*(asarray(x).shape for x in (start, stop, base))))
        start, stop, base = (
            asarray(x).reshape((1,) * (ndim - asarray(x).ndim) + asarray(x).shape) for x in (start, stop, base)
        )
        base = base.unsqueeze(axis)
    exponents = _spaced(start, stop, num, endpoint)[0].movedim(0, axis)
    work = result_dtype(base, exponents)
    result = torch.pow(beside(base, exponents).to(work), exponents.to(work))
    return result if dtype is None else result.to(dtype)


@normalized
def geomspace(
    start: ArrayLike, stop: ArrayLike, num: Any = 50, endpoint: bool = True, dtype: DTypeLike = None, axis: int = 0
) -> Tensor:
    """`num` points of a geometric progression; both ends are exact."""
    if wrong((start == 0).any() | (stop == 0).any(), said := "Geometric sequence cannot include zero"):
        raise ValueError(said)
    work = promote(start.dtype, stop.dtype, dtype or torch.float64)
    work = mean_dtype(work)
    first, last = start.to(work), stop.to(work)
    sign = torch.sgn(first)
    first, last = first / sign, last / sign
    exponents = _spaced(first.log10(), last.log10(), num, endpoint)[0]
    points = torch.pow(torch.tensor(10.0, dtype=work, device=exponents.device), exponents)
    shape = exponents.shape[1:]
    count = as_index(num)
    if count > 0:
        ends = [first.expand(shape)[None], points[1:]]
        if count > 1 and endpoint:
            ends = [first.expand(shape)[None], points[1:-1], last.expand(shape)[None]]
        points = torch.cat(ends)
    result = (points * sign).movedim(0, axis)
    return result if dtype is None else result.to(dtype)
