"""Adversarial variations of inputs that a function answers: where ports of numerical code go wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Variation = Callable[[Any], Any]
MOST_LABELS = 3
MANY = 80
"""Items in which sorts that keep no order are seen: they do keep it in short arrays."""


def _with(index: int, value: float) -> Variation:
    def put(x: Array) -> Array:
        new = np.array(x, dtype=x.dtype if x.dtype.kind in "fc" else "float64")
        new.reshape(-1)[index % new.size] = value
        return new

    return put


def _near_limits(dtype: str) -> Variation:
    def put(x: Array) -> Array:
        info = np.iinfo(dtype)
        pattern = np.array([info.max, info.max - 1, info.min, info.max // 2, 1, info.max - 3, 0], dtype)
        return np.resize(pattern, x.shape)

    return put


def _strided(x: Array) -> Array:
    """The same numbers with gaps between them."""
    wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
    wide[..., ::2] = x
    return wide[..., ::2]


def _reversed(x: Array) -> Array:
    """The same numbers by a negative step."""
    return np.ascontiguousarray(x[::-1])[::-1]


def _fortran(x: Array) -> Array:
    return np.asfortranarray(x)


def _parity(x: Array) -> Array:
    """One more along the first axis: even becomes odd, odd even."""
    return np.concatenate([x, x[:1]])


def _ties(x: Array) -> Array:
    half = np.array(x)
    half[len(half) // 2 :] = half[: len(half) - len(half) // 2]
    return half


def _many_ties(x: Array) -> Array:
    """So many of a few rows that sorts which keep no order show it."""
    return x[np.arange(MANY) % min(3, len(x))]


def _shuffled(x: Array) -> Array:
    return x[np.random.default_rng(len(x)).permutation(len(x))]


def _zero_row(x: Array) -> Array:
    """The same numbers with zeros in the first place, or row."""
    new = np.array(x)
    new[:1] = 0
    return new


def _zero_column(x: Array) -> Array:
    """The same numbers in a plane: with zeros in the last place of each row."""
    new = np.array(x)
    new[..., -1:] = 0
    return new


def _first_row_alone(x: Array) -> Array:
    """The same first row, and zeros in all others."""
    new = np.array(x)
    new[1:] = 0
    return new


def _identity(x: Array) -> Array:
    """The identity where the last axes are square: it is a rotation, symmetric, positive definite, affine."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError("not square")
    return np.array(np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape))


def _half_zeros(x: Array) -> Array:
    """Set about half of the numbers to zero."""
    drawn = np.random.default_rng(int(np.abs(x).sum() * 1000) % 2**32).random(x.size)
    return np.where(drawn.reshape(x.shape) < 0.5, x, np.zeros_like(x))


def _complex(dtype: str) -> Variation:
    return lambda x: (x + 1j * x[::-1] * 0.5).astype(dtype)


def _negative_zero(x: Array) -> Array:
    new = np.array(x, dtype="float64")
    new.reshape(-1)[::2] = -0.0
    return new


def _larger(x: Array) -> Array:
    """Larger and not square: four times as long as it was, and one more along the others."""
    found = x
    for axis in range(x.ndim):
        found = np.concatenate([found] * 4 if axis == 0 else [found, found.take([0], axis)], axis)
    if found.dtype.kind != "f" or _are_labels(x):
        return found
    return np.asarray(found + np.arange(found.size, dtype=found.dtype).reshape(found.shape) / 8)


def _are_labels(x: Array) -> bool:
    """Tell whether it is a series of two or three whole numbers."""
    if x.ndim != 1 or len(x) <= MOST_LABELS or x.dtype.kind not in "biuf":
        return False
    return 1 < len(np.unique(x)) <= MOST_LABELS and not (x % 1).any()


def _real_part(x: Array) -> Array:
    """The real parts of complex numbers: where these alone were found to be answered, floats may be as well."""
    if x.dtype.kind != "c":
        raise ValueError("not complex")
    return x.real.copy()


ARRAYS: dict[str, Variation] = {
    "real part": _real_part,
    "float32": lambda x: x.astype("float32"),
    "int64": lambda x: np.round(x * 3).astype("int64"),
    "even or odd": _parity,
    "ties": _ties,
    "NaN": _with(1, np.nan),
    "NaN at odd places": lambda x: np.where(np.arange(x.size).reshape(x.shape) % 2, np.nan, x),
    "list": lambda x: x.tolist(),
    "not contiguous": _strided,
    "first row zero": _zero_row,
    "last column zero": _zero_column,
    "first row alone": _first_row_alone,
    "identity": _identity,
    "identity of int64": lambda x: _identity(x).astype("int64"),
    "int64, 0 and 1": lambda x: (x > np.median(x)).astype("int64"),
    "half zeros": _half_zeros,
    "shuffled": _shuffled,
    "larger": _larger,
    "many ties": _many_ties,
    "not square": lambda x: x[:-1],
    "one element": lambda x: x[:1],
    "empty": lambda x: x[:0],
    "bool": lambda x: x > np.median(x),
    "negative": lambda x: -x,
    "int32": lambda x: np.round(x * 3).astype("int32"),
    "uint8 near its limits": _near_limits("uint8"),
    "inf": _with(0, np.inf),
    "minus inf": _with(-1, -np.inf),
    "zeros": lambda x: np.zeros_like(x),
    "equal": lambda x: np.full_like(x, x.reshape(-1)[0]),
    "complex": _complex("complex128"),
    "Fortran order": _fortran,
    "negative step": _reversed,
    "negative zeros": _negative_zero,
    "large": lambda x: x * 1e150,
    "small": lambda x: x * 1e-150,
    "beyond 1": lambda x: x * 10 + 0.5,
    "all NaN": lambda x: np.full(x.shape, np.nan),
    "int8 near its limits": _near_limits("int8"),
    "int32 near its limits": _near_limits("int32"),
    "int64 beyond float32": lambda x: np.round(x * 2.0**27).astype("int64") | 1,
    "complex64": _complex("complex64"),
    "float16": lambda x: x.astype("float16"),
    "one axis more": lambda x: x[None],
    "one axis less": lambda x: x[0],
    "tuple": lambda x: tuple(x.tolist()),
    "sorted": lambda x: np.sort(x, axis=0),
    "big endian": lambda x: x.astype(x.dtype.newbyteorder(">")),
}
"""The variations of arrays, those that show most first."""
FLOATS: dict[str, Variation] = {
    "int": lambda x: int(x) + 1,
    "zero": lambda x: 0.0,
    "negative": lambda x: -x,
    "larger": lambda x: 3 * x + 0.5,
    "NumPy scalar": np.float64,
    "NumPy integer": lambda x: np.int64(x) + 1,
    "NaN": lambda x: float("nan"),
    "inf": lambda x: float("inf"),
    "array": lambda x: np.array([x, x + 1.0, x / 2]),
    "list": lambda x: [x, x + 1.0],
    "float32 scalar": np.float32,
    "bool": lambda x: True,
    "array without axes": np.array,
}
INTS: dict[str, Variation] = {
    "one more": lambda x: x + 1,
    "one less": lambda x: x - 1,
    "twice": lambda x: 2 * x + 1,
    "zero": lambda x: 0,
    "negative": lambda x: -x - 1,
    "float": float,
    "NumPy scalar": np.int64,
    "bool": lambda x: True,
    "half": lambda x: x + 0.5,
    "list": lambda x: [x, x + 1],
    "array": lambda x: np.array([x, x + 1, x]),
    "small": np.int8,
    "array without axes": np.array,
    "large": lambda x: x + 50,
}
ORDINARY = frozenset((
    "", "int64", "int64, 0 and 1", "even or odd", "ties", "list", "not contiguous", "shuffled", "larger", "many ties",
    "negative", "equal", "sorted", "Fortran order", "negative step", "tuple", "one more", "twice", "float32",
    "small numbers", "parallel in part", "no default", "real part",
))  # fmt: skip
"""Variations that are no extremes: where the new side raises for them, it serves no ordinary caller."""
UNDEFINED = frozenset(("NaN", "NaN at odd places", "inf", "minus inf", "all NaN", "large", "small", "negative zeros"))
"""Variations that leave the finite numbers, where complex arithmetic is not the same in any two libraries."""
def _in_sequence(value: float) -> Variation:
    """One number of a list replaced, which makes floats of all."""
    return lambda x: type(x)(_with(1, value)(np.array(x, dtype="float64")).tolist())


SEQUENCES: dict[str, Variation] = {
    "array": np.array,
    "empty": lambda x: type(x)(),
    "one item": lambda x: x[:1],
    "one more": lambda x: x + x[:1],
    "reversed": lambda x: x[::-1],
    "tuple": tuple,
    "list": list,
    "float32": lambda x: np.array(x, dtype="float32"),
    "NaN": _in_sequence(np.nan),
    "inf": _in_sequence(np.inf),
}
FLAGS: dict[str, Variation] = {"other": lambda x: not x, "int": int, "None": lambda x: None}
WORDS: dict[str, Variation] = {"unknown word": lambda x: x + "?", "upper case": str.upper, "empty": lambda x: ""}
TABLES = (
    (np.ndarray, ARRAYS),
    (bool, FLAGS),
    (int, INTS),
    (float, FLOATS),
    (list, SEQUENCES),
    (tuple, SEQUENCES),
    (str, WORDS),
)


def variations(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values in the place of one, and what they are."""
    table = next((table for kind, table in TABLES if isinstance(value, kind)), {})
    is_complex = isinstance(value, np.ndarray) and value.dtype.kind == "c"
    for name, change in table.items():
        if is_complex and (name in UNDEFINED or "float" in name or "int" in name):
            continue
        with np.errstate(all="ignore"):
            try:
                new = change(value)
            except Exception:  # what it cannot be made into
                continue
        yield name, new


def _as_arrays(values: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Put arrays of one length in the place of all numbers."""
    numbers = [index for index, value in enumerate(values) if type(value) in (int, float)]
    for dtype in ("float64", "float32", "int64") if len(numbers) > 1 else ():
        new = list(values)
        for index in numbers:
            new[index] = np.array([values[index], values[index] + 1, values[index] / 2]).astype(dtype)
        yield f"{dtype}, all", new


def joint(values: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Variations of all arrays of a call together: one dtype, one length, one memory."""
    yield from _as_arrays(values)
    places = [index for index, value in enumerate(values) if isinstance(value, np.ndarray) and value.ndim]
    if len(places) < 2:
        return
    for name in (
        "float32",
        "int64",
        "complex",
        "empty",
        "one element",
        "even or odd",
        "list",
        "larger",
        "many ties",
        "uint8 near its limits",
        "int64 beyond float32",
        "float16",
        "real part",
    ):
        new = list(values)
        try:
            with np.errstate(all="ignore"):
                for index in places:
                    new[index] = ARRAYS[name](values[index])
        except Exception:  # likewise
            continue
        yield f"{name}, all", new
    first = values[places[0]]
    for index in places[1:]:
        if values[index].shape == first.shape:
            new = list(values)
            new[index] = first
            yield "one array twice", new
            wide = np.concatenate([first, first[:1]])
            new = list(values)
            new[places[0]], new[index] = wide[:-1], wide[1:]
            yield "overlapping", new
            if values[index].dtype == first.dtype and first.dtype.kind in "if":
                new = [*values[:index], _partly_parallel(values[index], first), *values[index + 1 :]]
                yield "parallel in part", new


def _partly_parallel(x: Array, other: Array) -> Array:
    """One row, or number, in three as it is in another array, the next one its opposite, the third its own."""
    new = np.array(x)
    new[::3], new[1::3] = other[::3], -other[1::3]
    return new


SMALL = {1: 26, 2: 9, 3: 5}
"""How far whole numbers go from 0, by how many there are."""


def small_numbers(values: Sequence[Any]) -> Iterator[list[Any]]:
    """The first whole numbers among some values, in all combinations of small ones, the smallest first."""
    places = [index for index, value in enumerate(values) if type(value) is int][: max(SMALL)]
    for numbers in sorted(itertools.product(range(SMALL.get(len(places), 0)), repeat=len(places)), key=sum):
        chosen = dict(zip(places, numbers, strict=True))
        yield [chosen.get(index, value) for index, value in enumerate(values)]


MOST_OFFSETS = 4
LEAST_CONSTANT, LARGEST_CONSTANT, MOST_CONSTANTS = 1e-2, 1e5, 12
TIMES_NEAR, MOSTLY = 4, 0.75
"""How often, and the share of numbers that lie beside a constant and not on it."""
LARGEST = 1e300
"""Larger numbers are no bounds: Python's integers may be too large for any float."""


def at_bounds(values: Sequence[Any], offsets: Sequence[float]) -> Iterator[tuple[str, list[Any]]]:
    """Arrays that hold the very numbers that other arguments are, and these moved by constants of the function.

    What is compared with a bound is equal to it there; in float32 it is next to it.
    """
    bounds = [float(one) for one in values if type(one) in (int, float) and abs(one) < LARGEST]
    moves = [0.0, *(sign * one for one in offsets[:MOST_OFFSETS] for sign in (1, -1))]
    reached = [bound + move for bound in bounds for move in moves]
    if not reached:
        return
    for index, value in enumerate(values):
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size:
            for dtype in ("float64", "float32"):
                new = np.resize(np.array(reached, dtype), value.size)
                new[1::4] = value.reshape(-1)[1::4]
                yield f"at the bounds, {dtype}", [*values[:index], new.reshape(value.shape), *values[index + 1 :]]


def near_constants(values: Sequence[Any], constants: Sequence[float]) -> Iterator[tuple[str, list[Any]]]:
    """Floats at and beside the constants of a function, and sums of two of them: there it does one thing or another."""
    own = [one for one in constants if LEAST_CONSTANT < abs(one) < LARGEST_CONSTANT][:MOST_CONSTANTS]
    points = [*own, *(one + other for one, other in itertools.combinations(own, 2))]
    arrays = {
        index: value for index, value in enumerate(values)
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size
    }  # fmt: skip
    are_series = len({value.shape for value in arrays.values()}) == 1 and all(one.ndim == 1 for one in arrays.values())
    for number in range(TIMES_NEAR if points and arrays else 0):
        rng = np.random.default_rng(number)
        new = list(values)
        for index, value in arrays.items():
            shape = (MANY,) if are_series else value.shape
            beside = rng.uniform(-2, 2, shape) * (rng.random(shape) < MOSTLY)
            new[index] = (rng.choice(points, shape) + beside).astype(value.dtype)
        yield f"near the constants, {number}", new


def nudge(value: Any, rng: np.random.Generator, by: float = 1.0) -> Any:
    """The value with each float moved by a few last bits; zeros by those of the largest number beside them.

    Parameters
    ----------
    by
        How many times as far.
    """
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        if value.dtype.kind == "c":
            parts = [nudge(np.array(part), rng, by) for part in (value.real, value.imag)]
            return (parts[0] + 1j * parts[1]).astype(value.dtype)
        with np.errstate(all="ignore"):
            largest = np.abs(value[np.isfinite(value)]).max(initial=0.0)
            step = np.where(value == 0, np.spacing(largest), np.spacing(np.abs(value)))
            moved = value + by * step * rng.choice([-8, -3, -1, 1, 2, 8], value.shape).astype(value.dtype)
            return np.where(np.isfinite(value), moved, value).astype(value.dtype)
    if isinstance(value, np.floating):
        return type(value)(nudge(np.array(value), rng, by))
    if type(value) is float and np.isfinite(value):
        return float(nudge(np.array(value), rng, by))
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(nudge(item, rng, by) for item in value)
    return value


def nudge_but_counts(value: Any, rng: np.random.Generator) -> Any:
    """The value moved by last bits unless it is one whole number, which may be a count: just below it is another."""
    return value if is_one_whole(value) else nudge(value, rng)


def is_one_whole(value: Any) -> bool:
    """Tell whether a value is one float without a fraction."""
    is_float = isinstance(value, float) or isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return is_float and np.size(value) == 1 and bool(np.all(np.isfinite(value) & (np.floor(value) == value)))


def above(value: Any, limit: float, change: Callable[[Any], Any]) -> Any:
    """The value with each float changed that is larger than a limit."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(above(item, limit, change) for item in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        with np.errstate(all="ignore"):
            return np.where(np.abs(value) > limit, change(value), value).astype(value.dtype)
    is_number = isinstance(value, (float, np.floating))
    return type(value)(change(value)) if is_number and abs(value) > limit else value


def move_but_labels(value: Any, change: Callable[[Any], Any]) -> Any:
    """The value changed unless it is a series of labels: those are equal or not, and nothing lies next to one."""
    return value if isinstance(value, np.ndarray) and _are_labels(value) else change(value)


def stretch(value: Any, factor: float) -> Any:
    """The value with each float a little larger, by last bits: what is equal stays equal, and in the same order."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        finer = float(np.finfo(value.dtype).eps / np.finfo("float64").eps)
        with np.errstate(all="ignore"):
            return (value * (1 + (factor - 1) * finer)).astype(value.dtype)
    if type(value) is float or isinstance(value, np.float64):
        return type(value)(value * factor)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(stretch(item, factor) for item in value)
    return value


def arrays_alone(value: Any, change: Callable[[Any], Any]) -> Any:
    """The value changed if it is an array with axes: numbers may be bounds, or counts."""
    return change(value) if isinstance(value, np.ndarray) and value.ndim else value


def is_finite_and_real(value: Any) -> bool:
    """Tell whether there are neither NaN nor infinities nor complex numbers."""
    if isinstance(value, (np.ndarray, np.number)) and np.asarray(value).dtype.kind in "fc":
        return not np.iscomplexobj(value) and bool(np.isfinite(value).all())
    if isinstance(value, (list, tuple)):
        return all(map(is_finite_and_real, value))
    return not isinstance(value, complex) and (not isinstance(value, float) or bool(np.isfinite(value)))


def is_finite(value: Array) -> bool:
    """Tell whether there are neither NaN nor infinities."""
    return value.dtype.kind not in "fc" or bool(np.isfinite(value).all())


def is_ordered(value: Any) -> bool:
    """Tell whether an array with one axis is in ascending order, without NaN; everything else is."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, (int, float)) for item in value):
        value = np.array(value)
    if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype.kind not in "iufc":
        return True
    if value.dtype.kind == "c":
        return False
    return bool((value[:-1] <= value[1:]).all()) and not bool(np.isnan(value).any())


def scale(value: Any) -> float:
    """The largest finite number in a value."""
    if isinstance(value, (np.ndarray, np.generic)) and np.asarray(value).dtype.kind in "biufc" and np.size(value):
        with np.errstate(all="ignore"):
            sizes = np.abs(np.asarray(value).astype("c16" if np.iscomplexobj(value) else "f8"))
        finite = sizes[np.isfinite(sizes)]
        return float(finite.max()) if finite.size else 0.0
    if isinstance(value, (int, float)):
        return float(min(abs(value), 1e300)) if value == value else 0.0
    if isinstance(value, (list, tuple)):
        return max(map(scale, value), default=0.0)
    return 0.0
