"""Functions over functions, and what NumPy keeps as state: `vectorize`, `piecewise`, `errstate`, memory questions.

Text of arrays (`array2string`, `set_printoptions`) lives in `_formatting`, that of one number in `_float_text`.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

import torch

from np2torch.shim._core import ArrayLike, as_index, asarray, axes_of, beside, normalized
from np2torch.shim._float_text import format_float_positional, format_float_scientific
from np2torch.shim._formatting import (
    array2string,
    array_repr,
    array_str,
    base_repr,
    binary_repr,
    get_printoptions,
    printoptions,
    set_printoptions,
)
from np2torch.shim._layout import broadcast_shape, element, movable, seen_as, truth
from np2torch.shim._promotion import Tensor, promote
from np2torch.shim._vectorize import vectorize
from np2torch.shim.dtypes import scalar_type

__all__ = [
    "apply_along_axis", "apply_over_axes", "array2string", "array_repr", "array_str", "base_repr", "binary_repr",
    "errstate", "format_float_positional", "format_float_scientific", "frompyfunc", "get_printoptions", "geterr",
    "geterrcall", "may_share_memory", "piecewise", "printoptions", "set_printoptions", "seterr", "seterrcall",
    "shares_memory", "vectorize",
]  # fmt: skip


def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> Callable[..., Any]:
    """A function of scalars as one of arrays.

    NumPy's gives object arrays; here the results must be numbers, and their common dtype is found. A dtype stands for
    the class of its scalars.
    """
    func = scalar_type(func)

    @functools.wraps(func)
    def apply(*args: Any) -> Any:
        if len(args) != nin:
            raise TypeError(
                f"{getattr(func, '__name__', '?')} takes {nin} positional arguments but {len(args)} were given"
            )
        arrays = [asarray(x) for x in args]
        shape = broadcast_shape(*(x.shape for x in arrays))
        if not shape:
            return func(*arrays)
        rows = [func(*scalars) for scalars in zip(*(x.expand(shape).clone().reshape(-1) for x in arrays), strict=True)]
        columns = zip(*rows, strict=True) if nout > 1 else [rows]
        found = tuple(_column(list(column), shape) for column in columns)
        return found if nout > 1 else found[0]

    return apply


def _column(values: list[Any], shape: tuple[int, ...]) -> Tensor:
    tensors = [asarray(value) for value in values]
    if not tensors:
        return torch.empty(shape, dtype=torch.float64)
    dtype = promote(*(x.dtype for x in tensors))
    return torch.stack([x.to(dtype) for x in tensors]).reshape(shape)


@normalized
def apply_along_axis(func1d: Callable[..., Any], axis: Any, arr: ArrayLike, *args: Any, **kwargs: Any) -> Tensor:
    """A function of vectors applied to each vector along an axis; its results take the place of that axis."""
    (at,) = axes_of(as_index(axis), arr.ndim)
    lines = arr.movedim(at, -1)
    if 0 in lines.shape[:-1]:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    found = [
        beside(func1d(lines[index], *args, **kwargs), arr) for index in itertools.product(*map(range, lines.shape[:-1]))
    ]
    stacked = torch.stack([x.to(found[0].dtype) for x in found]).reshape((*lines.shape[:-1], *found[0].shape))
    inner = range(lines.ndim - 1, stacked.ndim)
    return stacked.movedim(tuple(inner), tuple(range(at, at + len(inner)))) if len(inner) else stacked


@normalized
def apply_over_axes(func: Callable[..., Any], a: ArrayLike, axes: Any) -> Any:
    """A reduction applied over one axis after the other, the axes kept."""
    found: Any = a
    for axis in [axes] if isinstance(axes, int) else [as_index(axis) for axis in axes]:
        at = axis + a.ndim if axis < 0 else axis
        result = asarray(func(found, at))
        if result.ndim != found.ndim:
            result = result.unsqueeze(at)
        if result.ndim != found.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        found = result
    return found


@normalized
def piecewise(x: ArrayLike, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Tensor:
    """Values by condition, the last one that holds; the result has the dtype of `x`."""
    single = not isinstance(condlist, (list, tuple, Tensor)) or (isinstance(condlist, Tensor) and condlist.ndim == 0)
    if single or (x.ndim != 0 and not isinstance(condlist[0], list) and asarray(condlist[0]).ndim == 0):
        condlist = [condlist]
    conditions = [truth(beside(condition, x)) for condition in condlist]
    if len(conditions) == len(funclist) - 1:
        conditions.append(~functools.reduce(operator.or_, conditions))
    elif len(conditions) != len(funclist):
        count = len(conditions)
        raise ValueError(f"with {count} condition(s), either {count} or {count + 1} functions are expected")
    found = torch.zeros_like(x, requires_grad=False)
    for condition, function in zip(conditions, funclist, strict=True):
        chosen = condition.expand(x.shape) if condition.ndim <= x.ndim else condition
        value = None if callable(function) else element(function, found)
        if value is not None and value.ndim == 0 and chosen.shape == found.shape:
            found = seen_as(torch.where(chosen, movable(value), movable(found)), found.dtype)
        elif value is not None:
            found[chosen] = value
        elif bool(chosen.any()):
            found[chosen] = element(function(x[chosen], *args, **kw), found)
    return found


# ---------------------------------------------------------------------------------- floating-point errors
_DEFAULTS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
_ERRORS: ContextVar[dict[str, str]] = ContextVar("errors", default=_DEFAULTS)
_HANDLER: ContextVar[Any] = ContextVar("handler", default=None)


def geterr() -> dict[str, str]:
    """Get how NumPy would treat floating-point errors; torch never reports them."""
    return dict(_ERRORS.get())


def seterr(
    all: str | None = None,
    divide: str | None = None,
    over: str | None = None,
    under: str | None = None,
    invalid: str | None = None,
) -> dict[str, str]:
    """Remember how errors are to be treated and return what held before; torch computes on silently."""
    old, new = geterr(), geterr()
    for name, value in (("divide", divide), ("over", over), ("under", under), ("invalid", invalid)):
        chosen = all if value is None else value
        if chosen is not None and chosen not in ("ignore", "warn", "raise", "call", "print", "log"):
            raise ValueError(f"invalid error mode {chosen!r}")
        new[name] = chosen or old[name]
    _ERRORS.set(new)
    return old


def geterrcall() -> Any:
    """The handler last given to `seterrcall`."""
    return _HANDLER.get()


def seterrcall(func: Any) -> Any:
    """Remember a handler, which torch never calls; returns the one before."""
    old = _HANDLER.get()
    _HANDLER.set(func)
    return old


class errstate:
    """`with np.errstate(...)`, or a decorator: restores the state of `seterr`. torch reports no errors either way."""

    def __init__(self, *, call: Any = None, **kwargs: str | None) -> None:
        self.call, self.kwargs = call, kwargs

    def __enter__(self) -> None:
        self._old = seterr(**self.kwargs), geterrcall()
        if self.call is not None:
            seterrcall(self.call)

    def __exit__(self, *_: object) -> None:
        seterr(**self._old[0])
        seterrcall(self._old[1])

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def inside(*args: Any, **kwargs: Any) -> Any:
            with errstate(call=self.call, **self.kwargs):
                return function(*args, **kwargs)

        return inside


# -------------------------------------------------------------------------------------------------- memory
def _bounds(x: Tensor) -> tuple[int, int]:
    """The addresses of the first byte and behind the last one."""
    span = sum((length - 1) * stride for length, stride in zip(x.shape, x.stride(), strict=True))
    return x.data_ptr(), x.data_ptr() + (span + 1) * x.element_size()


def _addresses(x: Tensor) -> Tensor:
    found = torch.tensor([x.data_ptr()])
    for length, stride in zip(x.shape, x.stride(), strict=True):
        found = (found[:, None] + torch.arange(length) * stride * x.element_size()).reshape(-1)
    return (found[:, None] + torch.arange(x.element_size())).reshape(-1)


def may_share_memory(a: Any, b: Any, /, max_work: int = 0) -> bool:
    """Tell whether the address ranges of two tensors overlap, as a Python bool."""
    if not (isinstance(a, Tensor) and isinstance(b, Tensor) and a.numel() and b.numel() and a.device == b.device):
        return False
    (low, high), (other_low, other_high) = _bounds(a), _bounds(b)
    return low < other_high and other_low < high


def shares_memory(a: Any, b: Any, /, max_work: int = -1) -> bool:
    """Tell whether two tensors have a byte in common, as a Python bool."""
    return may_share_memory(a, b) and bool(torch.isin(_addresses(a), _addresses(b)).any())
