"""Steadiness of results on the old side: the parts that are the same each time, and how far last bits move them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from np2torch.verify.calls import Observation
from np2torch.verify.judge import CANCELLATION, EPSILON, STRICT, Comparison, How, Path, Values, leaves
from np2torch.verify.vary import scale

JUMP = 1e-3
"""The least movement of a number, relative to the largest of its array, when a last bit of the inputs decides."""

MANY = 100
"""The least size of an array whose numbers are enough to say how far one of them moves."""


def unsteady(old: Observation, again: Observation) -> frozenset[Path] | None:
    """The paths at which two runs of the old side differ; None where nothing of the result would be left."""
    if old.values is None or again.values is None or old.raised is not None or again.raised is not None:
        return None
    found = {one.path for one in Comparison(old.values, again.values, How(numpy_left=True)).differences()}
    steps = len(old.values.values[0][1])
    result = f"[{steps - 1}]"
    is_whole = result in found or any(not path.startswith(("[", "argument", "object")) for path in found)
    return None if is_whole or old.printed != again.printed else frozenset(found)


def movement(old: Observation, moved: Sequence[Observation], how: How = STRICT) -> dict[Path, Values] | None:
    """Measure how far each number of a result moves when inputs move by a last bit; inf where it changes kind or sign.

    None where the structure of the result moves as well: then nothing can be said of its numbers. Numbers that may be
    anything, as an infinite difference is allowed of them, count as unmoved.
    """
    if old.values is None:
        return None
    own = {path: leaf for path, leaf in leaves(old.values) if not how.leaves_out(path)}
    found = {path: np.zeros(leaf.values.shape) for path, leaf in own.items() if leaf.values.dtype.kind in "fc"}
    for one in moved:
        if one.values is None or one.raised is not None:
            return None
        other = {path: leaf for path, leaf in leaves(one.values) if not how.leaves_out(path)}
        if other.keys() != own.keys() or any(other[p].values.shape != own[p].values.shape for p in own):
            return None
        for path, leaf in own.items():
            if path not in found:
                if not np.array_equal(leaf.values, other[path].values):
                    return None
                continue
            gaps = _moved(leaf.values, other[path].values)
            if (free := how.allowed.get(path)) is not None and free.shape == gaps.shape:
                gaps = np.where(np.isinf(free), 0.0, gaps)
            found[path] = np.maximum(found[path], gaps)
    return found


def even_out(old: Observation, gaps: Mapping[Path, Values]) -> dict[Path, Values]:
    """Let each number of a large array move as far as its median one does, of its size: in steps some stay by chance.

    As in a difference that is divided by a small one.
    """
    own = dict(leaves(old.values)) if old.values is not None else {}
    return {path: _evened(own[path].values, gap) if path in own else gap for path, gap in gaps.items()}


def _evened(values: Values, gap: Values) -> Values:
    magnitudes = np.abs(values)
    moves = np.isfinite(gap) & np.isfinite(magnitudes) & (magnitudes > 0)
    if gap.shape != values.shape or values.size < MANY or not moves.any():
        return gap
    with np.errstate(all="ignore"):
        relative = float(np.median(gap[moves] / magnitudes[moves]))
    return np.where(moves, np.maximum(gap, np.minimum(np.median(gap[moves]), relative * magnitudes)), gap)


def unwritten(old: Observation, others: Sequence[Observation]) -> dict[Path, Values] | None:
    """Free the numbers of a result that are others when memory which is never written holds something else.

    None where more than numbers moves: then the result as a whole is what that memory makes of it.
    """
    moved = movement(old, others)
    return moved and {path: np.where(one > 0, np.inf, 0.0) for path, one in moved.items() if (one > 0).any()}


def has_other_precision(old: Observation, new: Observation, how: How = STRICT) -> bool:
    """Tell whether numbers have dtypes of another precision, or integers and floats are mixed up.

    No last bit of the inputs decides that. Real results that become complex are left out: eigenvalues are either.
    """
    if old.values is None or new.values is None or not (old.has_result and new.has_result):
        return False
    own, others = (dict(leaves(one.values)) for one in (old, new) if one.values is not None)
    both = [path for path in own if path in others and path.startswith("[") and not how.leaves_out(path)]
    return any(_precision(own[path].values) != _precision(others[path].values) for path in both)


def end_alike(one: Observation, other: Observation) -> bool:
    """Tell whether two calls both give a result, or both raise errors of one class."""
    if one.raised is None or other.raised is None:
        return one.has_result and other.has_result
    return one.raised.name == other.raised.name


def turns_complex_by_rounding(old: Observation, new: Observation, scale: float) -> bool:
    """Tell whether a real result is complex on the other side, by imaginary parts that are rounding: eigenvalues are.

    Imaginary parts that are all zero are none: the result should have been real.

    Parameters
    ----------
    scale
        The largest number that rounding is relative to.
    """
    if old.values is None or new.values is None:
        return False
    own, others = (dict(leaves(one.values)) for one in (old, new) if one.values is not None)
    both = [(own[path].values, others[path].values) for path in own if path in others]
    complex_ones = [pair[::-1] if pair[0].dtype.kind == "c" else pair for pair in both if _is_one_complex(*pair)]
    found = [(np.abs(two.imag), max(scale, np.abs(two).max(initial=0.0))) for _, two in complex_ones]
    allowed = CANCELLATION * EPSILON["float64"]
    return any(imaginary.any() and bool((imaginary <= allowed * largest).all()) for imaginary, largest in found)


def _is_one_complex(a: Values, b: Values) -> bool:
    return {a.dtype.kind, b.dtype.kind} == {"f", "c"} and a.shape == b.shape


def _precision(values: Values) -> tuple[str, int]:
    """The kind of a dtype, and the bytes of a real number of it."""
    kind = values.dtype.kind
    return ("f", values.real.itemsize) if kind in "fc" else (kind, values.itemsize)


def is_unmoved(gaps: Mapping[Path, Values]) -> bool:
    """Tell whether nothing but the arguments has changed."""
    return not any(one.any() for path, one in gaps.items() if not path.startswith("argument"))


def changes_kind(gaps: Mapping[Path, Values]) -> bool:
    """Tell whether all numbers of an array of a result became, or were, something else: NaN, or complex ones."""
    return any(bool(one.size and np.isinf(one).all()) for path, one in gaps.items() if path.startswith("["))


def jumps(old: Observation, allowed: Mapping[Path, Values]) -> bool:
    """Tell whether some number of a result moves by a good part of the largest beside it: another choice was made.

    An infinity jumps where it becomes another one: what is infinite has the sign of last bits then. What is nothing but
    zeros is as large as the arguments: zeros may be what is left where these cancel.
    """
    own = dict(leaves(old.values)) if old.values is not None else {}
    arguments = max([scale(leaf.values) for path, leaf in own.items() if path.startswith("argument")], default=0.0)
    for path, gaps in allowed.items():
        if np.shape(own[path].values) == gaps.shape and (np.isinf(own[path].values) & np.isinf(gaps)).any():
            return True
        magnitudes = np.abs(own[path].values[np.isfinite(own[path].values)])
        largest = magnitudes.max(initial=0.0) or arguments
        if magnitudes.size and bool((gaps[np.isfinite(gaps)] > JUMP * largest).any()):
            return True
    return False


def _moved(a: Values, b: Values) -> Values:
    if a.dtype.kind == "c":
        return np.maximum(_moved(a.real, b.real), _moved(a.imag, b.imag))
    if a.dtype != b.dtype:
        return np.full(a.shape, np.inf)
    with np.errstate(all="ignore"):
        steady = (np.isfinite(a) & np.isfinite(b) | (a == b) | np.isnan(a) & np.isnan(b)) & (
            (a != 0) & (b != 0) | (np.signbit(a) == np.signbit(b)) & (a == b)
        )
        gap = np.abs(a.astype("f8") - b.astype("f8"))
        tiny = (a == 0) | (b == 0)
        return np.where(steady, np.nan_to_num(gap, nan=0.0, posinf=0.0), np.where(tiny & np.isfinite(gap), gap, np.inf))


def shapes(seen: Observation) -> dict[Path, tuple[int, ...]]:
    """Give the shapes of the arrays of a result."""
    own = leaves(seen.values) if seen.values is not None else ()
    return {path: leaf.values.shape for path, leaf in own if path.startswith("[")}


def keeps_shapes(old: Observation, moved: Sequence[Observation]) -> bool:
    """Tell whether a result has arrays of the same shapes whichever way its inputs moved."""
    own = shapes(old)
    return all(shapes(one) == own for one in moved)
