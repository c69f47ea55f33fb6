"""Shuffles, permutations and choices."""

from __future__ import annotations

import itertools
import math
from typing import Any

import torch

from np2torch.shim._core import AxisError, as_shape, asarray
from np2torch.shim._errors import NoCounterpart
from np2torch.shim.random import bounded, twins
from np2torch.shim.random._libm import CPU, Tensor
from np2torch.shim.random.source import Source


def _order(source: Source, n: int) -> Tensor:
    found = twins.order(source, n)
    if found is not None:
        return found
    return torch.tensor(bounded.shuffle_order(source.bits, n, masked=True), dtype=torch.int64, device=CPU)


def _axis(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise AxisError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    return axis % ndim


def shuffle(source: Source, x: Any, axis: int = 0) -> None:
    """Shuffle a tensor along an axis, or a mutable sequence, in place."""
    if isinstance(x, Tensor):
        if x.ndim == 0:
            raise TypeError("cannot shuffle a 0-dimensional array")
        if x.numel():
            axis = _axis(axis, x.ndim)
            x.copy_(x.index_select(axis, _order(source, x.shape[axis]).to(x.device)))
        return
    if hasattr(x, "__array__") and not isinstance(x, list):
        try:
            shuffle(source, asarray(x), axis)  # shares memory
        except NoCounterpart:
            x[...] = permutation(source, x, axis)
        return
    if axis != 0:
        raise NotImplementedError("Axis argument is only supported on ndarray objects")
    bounded.shuffle_list(source.bits, x, masked=True)


def permutation(source: Source, x: Any, axis: int = 0) -> Any:
    """A shuffled range, or a copy of an array shuffled along an axis."""
    if _is_count(x):
        if isinstance(x, Tensor) and x.is_floating_point():
            raise AxisError("x must be an integer or at least 1-dimensional")
        return _order(source, x.__index__())
    try:
        array = asarray(x)
    except NoCounterpart:
        import numpy  # an array of strings or objects stays NumPy's

        kept: Any = numpy.asarray(x)
        return kept.take(_order(source, kept.shape[axis]).numpy(), axis)
    if array.ndim == 0:
        raise AxisError("x must be an integer or at least 1-dimensional")
    axis = _axis(axis, array.ndim)
    return array.index_select(axis, _order(source, array.shape[axis]).to(array.device))


def permuted(source: Source, x: Any, axis: int | None = None, out: Tensor | None = None) -> Tensor:
    """Every line along an axis shuffled by itself; without an axis all elements."""
    array = asarray(x)
    if out is not None and out.shape != array.shape:
        raise ValueError("out must have the same shape as x")
    if axis is None:
        back = tuple(range(array.ndim))
        if _by_columns(array if out is None else out):  # NumPy goes through the memory of the copy it makes
            back = back[::-1]
        seen = array.permute(back)
        found = seen.reshape(-1)[_order(source, array.numel()).to(array.device)].reshape(seen.shape).permute(back)
    else:
        moved = array.movedim(_axis(axis, array.ndim), -1)
        lines = [_order(source, moved.shape[-1]) for _ in range(math.prod(moved.shape[:-1]))]
        order = torch.stack(lines).reshape(moved.shape) if lines else torch.empty(moved.shape, dtype=torch.int64)
        found = moved.gather(-1, order.to(array.device)).movedim(-1, axis)
    return found if out is None else out.copy_(found)


def _by_columns(x: Tensor) -> bool:
    """Tell whether the first axes have the smallest strides."""
    steps = [step for length, step in zip(x.shape, x.stride(), strict=True) if length > 1]
    return len(steps) > 1 and steps == sorted(steps)


def choice(source: Source, a: Any, size: Any, replace: bool, p: Any, axis: int = 0, shuffle: bool = True) -> Any:
    """A sample of a range or of an array's entries along an axis."""
    population, n = _population(a, axis)
    shape = () if size is None else as_shape(size)
    count = math.prod(shape)
    if n == 0 and count:
        raise ValueError("a cannot be empty unless no samples are taken")
    weights = None if p is None else _weights(p, n)
    if replace:
        if weights is not None:
            index = _weighted(source, weights, count)
        else:
            index = bounded.many(source.bits, 64, max(n - 1, 0), count, source.legacy)
    else:
        if count > n:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        if weights is not None:
            index = _weighted_distinct(source, weights, count)
        elif source.legacy:
            index = _order(source, n)[:count]
        else:
            index = torch.tensor(_distinct(source, n, count, shuffle), dtype=torch.int64, device=CPU)
    index = index.reshape(shape)
    if population is None:
        return index if size is not None else int(index)
    if isinstance(population, Tensor):
        if size is None:
            return population.select(axis, int(index)).clone()
        index = index.to(population.device)
        taken = population.index_select(axis, index.reshape(-1))
        at = axis % population.ndim
        return taken.reshape((*population.shape[:at], *shape, *population.shape[at + 1 :]))
    if size is not None:
        import numpy  # torch has no tensor of such entries: NumPy's own array of strings or objects

        return numpy.asarray(population)[index.numpy()]
    return population[int(index)]


def _is_count(x: Any) -> bool:
    """Tell whether it is an integer or a 0-D array; `__index__` alone does not tell, as all ndarrays have it."""
    return x.ndim == 0 if hasattr(x, "ndim") else hasattr(x, "__index__")


def _population(a: Any, axis: int) -> tuple[Any, int]:
    """Give the population to choose from (None: a range) and its number of entries."""
    if _is_count(a):
        try:
            n = a.__index__()
        except (TypeError, AttributeError):
            raise ValueError("a must be a sequence or an integer, not Tensor") from None
        if n < 0:
            raise ValueError("a must be a positive integer unless no samples are taken")
        return None, n
    try:
        array = asarray(a)
    except TypeError:
        if isinstance(a, (list, tuple)) and (all(isinstance(x, str) for x in a) or not any(map(_has_parts, a))):
            return a, len(a)
        if hasattr(a, "ndim") and axis == 0:  # an ndarray of strings or objects
            return a, len(a)
        raise
    if array.ndim == 0:
        raise ValueError("a must be a sequence or an integer")
    return array, array.shape[_axis(axis, array.ndim)]


def _has_parts(item: Any) -> bool:
    """Tell whether an item is a text or has parts: NumPy converts lists with such items in another way."""
    return isinstance(item, (str, bytes)) or hasattr(item, "__len__")


def _weights(p: Any, n: int) -> list[float]:
    weights = asarray(p).to(CPU, torch.float64)
    if weights.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if weights.numel() != n:
        raise ValueError("a and p must have same size")
    found: list[float] = weights.tolist()
    total = math.fsum(found) if all(map(math.isfinite, found)) else math.nan
    precision = max(torch.finfo(asarray(p).dtype).eps ** 0.5 if asarray(p).is_floating_point() else 0.0, 2.0**-26)
    if total != total:
        raise ValueError("Probabilities contain NaN")
    if any(weight < 0 for weight in found):
        raise ValueError("Probabilities are not non-negative")
    if abs(total - 1.0) > precision:
        raise ValueError("Probabilities do not sum to 1. See Notes section of docstring for more information.")
    return found


def _weighted(source: Source, weights: list[float], count: int) -> Tensor:
    """Indices by inversion of the cumulative weights (summed in sequence, as NumPy does)."""
    sums = list(itertools.accumulate(weights))
    steps = torch.tensor([s / sums[-1] for s in sums], dtype=torch.float64, device=CPU)
    return torch.searchsorted(steps, source.bits.doubles(count), right=True)


def _weighted_distinct(source: Source, weights: list[float], count: int) -> Tensor:
    """Distinct indices: draw, drop what was drawn before, repeat with the weights left."""
    if sum(weight > 0 for weight in weights) < count:
        raise ValueError("Fewer non-zero entries in p than size")
    found: list[int] = []
    left = list(weights)
    while len(found) < count:
        uniforms = source.bits.doubles(count - len(found))
        for index in found:
            left[index] = 0.0
        sums = list(itertools.accumulate(left))
        steps = torch.tensor([s / sums[-1] for s in sums], dtype=torch.float64, device=CPU)
        found += dict.fromkeys(torch.searchsorted(steps, uniforms, right=True).tolist())
    return torch.tensor(found, dtype=torch.int64, device=CPU)


def _distinct(source: Source, n: int, count: int, shuffled: bool) -> list[int]:
    """Distinct indices: the tail of a shuffle where the sample is a large share, else Floyd's algorithm."""
    bits = source.bits
    if n > 10000 and count > n // (50 if shuffled else 20):
        return bounded.shuffle_order(bits, n, False, max(n - count, 1))[n - count :]
    chosen: set[int] = set()
    found = []
    for last in range(n - count, n):
        value = bounded.one(bits, last, masked=False)
        if value in chosen:
            value = last
        chosen.add(value)
        found.append(value)
    if shuffled:
        bounded.shuffle_list(bits, found, False)
    return found
