"""`numpy.pad`: every mode, axis by axis, as blocks put before and behind what is there."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, TypeAlias

import torch

from np2torch.shim._core import ArrayLike, asarray, beside, holds_others, normalized
from np2torch.shim._layout import broadcast_to, fortran, is_fortran, movable, moved, seen_as
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import SIGNED, Number, Tensor, is_weak, kind, mean_dtype
from np2torch.shim._ranges import points_between
from np2torch.shim.statistics import median
from np2torch.shim.ufuncs import maximum, minimum

Blocks: TypeAlias = tuple[Tensor, Tensor]
Widths: TypeAlias = tuple[int, int]

OPTIONS = {
    "constant": "constant_values", "linear_ramp": "end_values", "maximum": "stat_length", "mean": "stat_length",
    "median": "stat_length", "minimum": "stat_length", "reflect": "reflect_type", "symmetric": "reflect_type",
    "edge": None, "wrap": None, "empty": None,
}  # fmt: skip


def _pairs(x: Any, ndim: int) -> list[tuple[Any, Any]]:
    """One (before, after) per axis from a number, a pair, or pairs; Python numbers where each axis has its own."""
    if x is None:
        return [(None, None)] * ndim
    if is_weak(x):
        return [(x, x)] * ndim
    if isinstance(x, (list, tuple)) and not holds_others(x, set()):  # numbers stay Python's: no graph is needed
        rows = [row if isinstance(row, (list, tuple)) else [row] for row in x]
        if not any(isinstance(row, (list, tuple)) for row in x) and len(x) in (1, 2):
            return [(x[0], x[-1])] * ndim
        if len(rows) in (1, ndim) and all(len(row) in (1, 2) and all(map(is_weak, row)) for row in rows):
            pairs = [(row[0], row[-1]) for row in rows]
            return pairs * ndim if len(rows) == 1 else pairs
    values = asarray(x)
    flat = values.reshape(-1)
    if values.ndim < 3 and values.numel() in (1, 2) and values.shape != (2, 1):
        return [(flat[0], flat[-1])] * ndim
    return [(a, b) for a, b in broadcast_to(values, (ndim, 2)).tolist()]


def _lengths(x: Any, ndim: int) -> list[tuple[Any, Any]]:
    found = [tuple(None if v is None else round(float(v)) for v in pair) for pair in _pairs(x, ndim)]
    if any(v is not None and v < 0 for pair in found for v in pair):
        raise ValueError("index can't contain negative values")
    return found  # type: ignore[return-value]


def _part(x: Tensor, axis: int, start: int, length: int) -> Tensor:
    return x.narrow(axis, start, length)


def _edges(x: Tensor, axis: int) -> Blocks:
    return _part(x, axis, 0, 1), _part(x, axis, x.shape[axis] - 1, 1)


def _stretched(blocks: Blocks, axis: int, widths: Widths) -> Blocks:
    def stretch(block: Tensor, width: int) -> Tensor:
        return block.expand([width if at == axis else length for at, length in enumerate(block.shape)])

    return stretch(blocks[0], widths[0]), stretch(blocks[1], widths[1])


def _filled(x: Tensor, axis: int, widths: Widths, values: tuple[Any, Any]) -> Tensor:
    shape = [1 if at == axis else length for at, length in enumerate(x.shape)]
    first, last = (beside(value, x).to(x.dtype).expand(shape) for value in values)
    return _around(x, axis, _stretched((first, last), axis, widths))


def _around(x: Tensor, axis: int, blocks: Blocks) -> Tensor:
    twin = movable(x).dtype
    parts = [seen_as(block.to(x.dtype), twin) for block in (blocks[0], x, blocks[1])]
    return seen_as(torch.cat(parts, axis), x.dtype)


# ----------------------------------------------------------------------------- the modes, one axis at a time
def _constant(x: Tensor, axis: int, widths: Widths, values: tuple[Any, Any]) -> Tensor:
    return _filled(x, axis, widths, values)


def _empty(x: Tensor, axis: int, widths: Widths, _: Any) -> Tensor:
    return _filled(x, axis, widths, (0, 0))


def _edge(x: Tensor, axis: int, widths: Widths, _: Any) -> Tensor:
    return _around(x, axis, _stretched(_edges(x, axis), axis, widths))


def _wrap(x: Tensor, axis: int, widths: Widths, _: Any) -> Tensor:
    at = torch.arange(-widths[0], x.shape[axis] + widths[1], device=x.device) % x.shape[axis]
    return seen_as(movable(x).index_select(axis, at), x.dtype)


def _linear_ramp(x: Tensor, axis: int, widths: Widths, values: tuple[Any, Any]) -> Tensor:
    def ramp(value: Number | Tensor, edge: Tensor, width: int) -> Tensor:
        return points_between(value, edge.squeeze(axis), width, x.dtype).movedim(0, axis)

    first, last = _edges(x, axis)
    behind = moved(torch.flip, ramp(values[1], last, widths[1]), (axis,))
    return _around(x, axis, (ramp(values[0], first, widths[0]), behind))


STATISTICS: dict[str, Callable[[Tensor, int], Tensor]] = {
    "maximum": lambda x, axis: maximum.reduce(x, axis, keepdims=True),
    "minimum": lambda x, axis: minimum.reduce(x, axis, keepdims=True),
    "mean": lambda x, axis: x.to(mean_dtype(x.dtype)).mean(axis, keepdim=True),
    "median": lambda x, axis: median(x, axis, keepdims=True),
}


def _statistic(name: str) -> Callable[..., Tensor]:
    def padded(x: Tensor, axis: int, widths: Widths, lengths: tuple[Any, Any]) -> Tensor:
        size = x.shape[axis]
        first, last = (size if length is None else min(size, length) for length in lengths)
        if name in ("maximum", "minimum") and 0 in (first, last):
            raise ValueError("stat_length of 0 yields no value for padding")
        wide = x if movable(x) is x else x.to(torch.int64)
        blocks = [
            STATISTICS[name](_part(wide, axis, 0, first), axis),
            STATISTICS[name](_part(wide, axis, size - last, last), axis),
        ]
        if kind(x.dtype) == 1 and blocks[0].is_floating_point():
            blocks = [block.round() for block in blocks]
        return _around(x, axis, _stretched((blocks[0], blocks[1]), axis, widths))

    return padded


def _mirror(with_edge: bool) -> Callable[..., Tensor]:
    def padded(x: Tensor, axis: int, widths: Widths, style: str) -> Tensor:
        period = x.shape[axis]
        if period == 1:
            return _edge(x, axis, widths, None)
        y, (before, after), skip = movable(x), widths, 0 if with_edge else 1
        while before or after:  # once round, unless the pad is longer than the array
            usable = (y.shape[axis] - skip) // (period - skip) * (period - skip)
            counts = min(usable, before), min(usable, after)
            sides = (
                moved(torch.flip, _part(y, axis, skip, counts[0]), (axis,)),
                moved(torch.flip, _part(y, axis, y.shape[axis] - skip - counts[1], counts[1]), (axis,)),
            )
            if style == "odd":
                first, last = _edges(y, axis)
                sides = 2 * first - sides[0], 2 * last - sides[1]
            y = _around(y, axis, sides)
            before, after = before - counts[0], after - counts[1]
        return seen_as(y, x.dtype)

    return padded


MODES: dict[str, Callable[..., Tensor]] = {
    "constant": _constant, "empty": _empty, "edge": _edge, "wrap": _wrap, "linear_ramp": _linear_ramp,
    "reflect": _mirror(False), "symmetric": _mirror(True), **{name: _statistic(name) for name in STATISTICS},
}  # fmt: skip


def _by_function(x: Tensor, widths: list[Widths], function: Callable[..., Any], kwargs: dict[str, Any]) -> Tensor:
    """Pad with zeros, and let the caller's function fill each vector in place."""
    for axis, pair in enumerate(widths):
        x = _filled(x, axis, pair, (0, 0))
    for axis, pair in enumerate(widths):
        lines = x.movedim(axis, -1)
        for at in itertools.product(*map(range, lines.shape[:-1])):
            function(lines[at], pair, axis, kwargs)
    return x


def _widths(pad_width: Any, ndim: int) -> list[Widths]:
    """Parse the numbers of elements that are put before and behind, for each axis."""
    if isinstance(pad_width, dict):
        by_axis: list[Any] = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            by_axis[axis] = (width, width) if isinstance(width, int) else width
        pad_width = by_axis
    try:
        given = asarray(pad_width)
    except TypeError:  # texts and objects
        given = None
    if given is None or given.dtype not in SIGNED:
        raise TypeError("`pad_width` must be of integral type.")
    return _lengths(pad_width, ndim)


def _values(option: str | None, kwargs: dict[str, Any], ndim: int) -> list[Any]:
    """The value of a mode's own keyword, for each axis."""
    value = kwargs.get(option or "", {"stat_length": None, "reflect_type": "even"}.get(option or "", 0))
    if option in ("constant_values", "end_values"):
        return _pairs(value, ndim)
    return _lengths(value, ndim) if option == "stat_length" else [value] * ndim


@normalized
@by_numpy
def pad(array: ArrayLike, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Tensor:
    """Elements put before and behind along each axis.

    Parameters
    ----------
    pad_width
        A number, a pair, a pair per axis, or a dict of those by axis.
    mode
        Any mode of NumPy, or a function that fills in one vector in place.
    """
    widths = _widths(pad_width, array.ndim)
    if callable(mode):
        return _by_function(array, widths, mode, kwargs)
    if mode not in MODES:
        raise ValueError(f"mode '{mode}' is not supported")
    option = OPTIONS[mode]
    if unsupported := set(kwargs) - {option}:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unsupported}")
    values = _values(option, kwargs, array.ndim)
    if mode not in ("constant", "empty") and array.numel() == 0:
        bad = next((axis for axis, pair in enumerate(widths) if array.shape[axis] == 0 and any(pair)), None)
        if bad is not None:
            raise ValueError(f"can't extend empty axis {bad} using modes other than 'constant' or 'empty'")
        mode = "empty"
    padded = array
    for axis, (pair, each) in enumerate(zip(widths, values, strict=True)):
        padded = MODES[mode](padded, axis, pair, each)
    if padded is array:
        return array.clone()
    return fortran(padded) if is_fortran(array) else padded
