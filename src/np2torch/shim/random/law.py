"""A distribution as a law: one function for one draw, perhaps another for many, and what its parameters must satisfy.

`Law.draw` is the one mechanism behind every method: it checks and broadcasts parameters, applies the size, and returns
a Python number exactly where NumPy does.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from np2torch.shim._broadcast import common_shape
from np2torch.shim._core import as_shape, asarray
from np2torch.shim.random._libm import CPU, Tensor
from np2torch.shim.random.source import Source

Test = Callable[[float], bool]
Value = float | Tensor
Check = tuple[Test, str]  # is the value wrong? then this, with the parameter's name

NON_NEGATIVE: Check = (lambda x: x == x and math.copysign(1.0, x) < 0, "{} < 0")
POSITIVE: Check = (lambda x: x <= 0, "{} <= 0")
POSITIVE_NOT_NAN: Check = (lambda x: not x > 0, "{} <= 0 or {} is NaN")
PROBABILITY: Check = (lambda x: not 0 <= x <= 1, "{} < 0, {} > 1 or {} is NaN")
PROBABILITY_NOT_0: Check = (lambda x: not 0 < x <= 1, "{} <= 0, {} > 1 or {} contains NaNs")
PROBABILITY_NOT_1: Check = (lambda x: not 0 <= x < 1, "{} < 0, {} >= 1 or {} is NaN")
ABOVE_1: Check = (lambda x: not x > 1, "{} <= 1 or {} is NaN")
NOT_NEGATIVE_NOR_NAN: Check = (lambda x: not x >= 0, "{} < 0 or {} is NaN")


class Law:
    """A distribution; call `draw`."""

    def __init__(self, one: Callable[..., Any], checks: dict[str, Check]) -> None:
        self.one = one
        self.names = list(inspect.signature(one).parameters)[1:]
        self.checks = [(self.names.index(name), name, *check) for name, check in checks.items()]
        self.integral = inspect.signature(one).return_annotation == "int"
        self._many: Callable[..., Tensor] | None = None
        self.whole: tuple[Callable[..., None], ...] = ()

    def bulk(self, many: Callable[..., Tensor]) -> Callable[..., Tensor]:
        """Decorate the function for many draws: (source, n, *parameters), each a float or a flat tensor of n."""
        self._many = many
        return many

    def check(self, *values: float) -> None:
        """Raise ValueError for parameters outside their range."""
        for at, name, wrong, message in self.checks:
            if wrong(values[at]):
                raise ValueError(message.replace("{}", name))
        for test in self.whole:
            test(*values)

    def draw(self, source: Source, size: Any, *parameters: Any) -> Any:
        """Draws of shape `size`; without one, of the parameters' shape, or a Python number."""
        if all(type(p) is float or type(p) is int for p in parameters):
            values = parameters if self.integral else tuple(map(float, parameters))
        else:
            arrays = [_number_array(p) for p in parameters]
            if any(a.ndim for a in arrays):
                return self._broadcast(source, size, arrays)
            values = tuple(a.item() for a in arrays)
        self.check(*values)
        if size is None:
            return self.one(source, *values)
        shape = as_shape(size)
        if any(n < 0 for n in shape):
            raise ValueError("negative dimensions are not allowed")
        return self.many(source, math.prod(shape), *values).reshape(shape)

    def _broadcast(self, source: Source, size: Any, arrays: list[Tensor]) -> Tensor:
        common = _common(*(a.shape for a in arrays))
        for values in zip(*(a.expand(common).reshape(-1).tolist() for a in arrays), strict=True):
            self.check(*values)
        shape = broadcast_shape(size, *(a.shape for a in arrays))
        flat = [a if not a.ndim else a.expand(shape).reshape(-1) for a in arrays]
        return self.many(source, math.prod(shape), *(a if a.ndim else a.item() for a in flat)).reshape(shape)

    def many(self, source: Source, n: int, *values: Any) -> Tensor:
        """n draws, flat."""
        if self._many is not None:
            return self._many(source, n, *values)
        one = self.one
        if any(isinstance(v, Tensor) for v in values):
            columns = [v.tolist() if isinstance(v, Tensor) else [v] * n for v in values]
            found = [one(source, *row) for row in zip(*columns, strict=True)]
        else:
            found = [one(source, *values) for _ in range(n)]
        return torch.tensor(found, dtype=torch.int64 if self.integral else torch.float64, device=CPU)


def law(**checks: Check) -> Callable[[Callable[..., Any]], Law]:
    """Make a law of the function for one draw."""
    return lambda one: Law(one, checks)


def _number_array(x: Any) -> Tensor:
    array = asarray(x).to(CPU)
    if array.is_complex():
        raise TypeError("Cannot cast array data from complex to float64 according to the rule 'safe'")
    return array if not array.dtype.is_floating_point and array.dtype is not torch.bool else array.to(torch.float64)


def _common(*shapes: Sequence[int]) -> tuple[int, ...]:
    return tuple(common_shape(*shapes))


def broadcast_shape(size: Any, *shapes: torch.Size) -> tuple[int, ...]:
    """The shape of a draw whose parameters have these shapes.

    Raises
    ------
    ValueError
        When the shapes do not broadcast, or not to exactly `size`.
    """
    wanted = None if size is None else as_shape(size)
    try:
        shape = _common(*shapes, *(() if wanted is None else (wanted,)))
    except ValueError:
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape") from None
    if wanted is None or shape == wanted:
        return shape
    raise ValueError(f"Output size {wanted} is not compatible with broadcast dimensions of inputs")
