"""Adversarial operands: edges of every dtype, ties, wraparound, halves, specials; the same on both sides."""

from __future__ import annotations

import zlib
from functools import cache
from typing import Any

import numpy as np
import torch

from np2torch.facts.tables import WEAK, Operand

EDGES = (0, 1, 2, 3, 7, 100, 127, 200, 2**15, 2**16 + 1, 2**24 + 1, 2**31 - 1, 2**53 + 1, 2**62 + 3)
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, -7.0, 0.1, 1e-3, -0.3, 1000.5, -30.25, 127.0)
COMPLEXES = (0, 1, -1, 1j, -1j, 1 + 1j, -2 + 0.5j, 3 - 4j, 0.1 + 0.2j, -0.5 - 0.5j, 2.5, 10 - 1j)
SPECIALS = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.5)
LARGE = {"float16": 3e4, "float32": 1e15, "float64": 1e100}
# Python numbers: 2**24 is where float32, torch's default, first goes wrong.
NUMBERS: dict[str, tuple[Any, ...]] = {
    "pybool": (True, False),
    "pyint": (1, 2, -3, 5),
    "pyfloat": (0.1, 2.5, -1.5, 2.0**24),
    "pycomplex": (1 + 2j, -0.5j, 2 + 0j, 0.1 - 1j),
}
# NumPy answers these by other loops than the general one (square, sqrt, reciprocal).
EXPONENTS = NUMBERS | {"pyint": (2, 1, -1, 5, 0, 3), "pyfloat": (0.5, 2.0, -1.0, 2.5)}
# What the other operand's dtype cannot hold.
OUT_OF_RANGE: dict[str, tuple[Any, ...]] = {
    "pyint": (-1, 300, -200, 70000, -40000, 2**31 + 5, 2**33),  # beyond 64 bits is nothing a program meets
    "pyfloat": (1e6, 1e39, -1e300),
}
ZEROS: dict[str, Any] = {"pybool": False, "pyint": 0, "pyfloat": 0.0, "pycomplex": 0j}
TRIALS = 8  # for arrays; 0-D operands and Python numbers, which show one value at a time, get all of MORE_TRIALS
MORE_TRIALS = 16
MOST_TRIALS = 32  # for comparisons of such, which turn over at a single value
SPECIAL = 64  # the trial with NaN and infinities
ZERO = 65  # the trial with zeros among the divisors
SHAPES = {
    "vector": ((47,), (47,)), "rows": ((7, 7), (6, 8)), "short": ((5,), (6,)), "square": ((3, 3), (4, 4)),
}  # fmt: skip


def rng(*key: object) -> np.random.Generator:
    """A generator that depends on nothing but the key, on any machine."""
    return np.random.default_rng(zlib.crc32(repr(key).encode()))


def pool(dtype: str, trial: int) -> np.ndarray[Any, Any]:
    """Values of a dtype worth trying: the edges and random ones, shuffled by trial."""
    random = rng(dtype, trial)
    kind = np.dtype(dtype).kind
    if kind == "b":
        values = np.arange(24) % 2 == 0
    elif kind in "iu":
        info = np.iinfo(dtype)
        edges = [v for e in EDGES for v in (e, -e) if info.min <= v <= info.max] + [info.min, info.max, info.max - 1]
        wide = random.integers(info.min, info.max, 8, dtype=dtype, endpoint=True)
        values = np.concatenate([np.array(edges, dtype=dtype), wide, np.arange(8).astype(dtype)])
        if trial % 3 == 1:  # nothing small: what goes wrong only beyond another dtype's range shows in a minimum too
            values = info.max - random.integers(0, min(info.max // 4, 2**40 if trial % 2 else 300), 40).astype(dtype)
    elif kind == "f":
        plain = np.array([*FLOATS, *random.normal(0, 3, 8)])
        large = [LARGE[dtype], -LARGE[dtype] / 3] if trial % 3 == 2 else []
        odd = SPECIALS * 2 if trial == SPECIAL else ()
        values = np.concatenate([plain, large, odd]).astype(dtype)
    else:
        values = np.concatenate([COMPLEXES, random.normal(0, 3, 12) + 1j * random.normal(0, 3, 12)]).astype(dtype)
    return random.permutation(values)


def restricted(values: np.ndarray[Any, Any], role: str, trial: int) -> np.ndarray[Any, Any]:
    """Values fit for a role; the ones that are not are replaced."""
    kind, bits = values.dtype.kind, values.dtype.itemsize * 8
    if role == "divisor" and trial != ZERO:
        return np.where(values == 0, np.ones_like(values), values)
    if role == "shift" and kind in "iu":
        return (abs(values.astype(np.int64) // 3) % (bits + 2)).astype(values.dtype)
    if role == "exponent" and kind in "iu":
        return (values % np.array(6, values.dtype)).astype(values.dtype)
    if role in ("exponent", "base") and kind in "fc":
        values = np.where(abs(values) > 8, np.ones_like(values), values)
    if role == "base" and trial != ZERO:
        return np.where(values == 0, np.ones_like(values), values)
    return values


@cache
def array(dtype: str, zero_d: bool, shape: str, role: str, slot: int, trial: int) -> np.ndarray[Any, Any]:
    """Operand number `slot` of a trial."""
    random = rng(dtype, zero_d, shape, role, slot, trial)
    # One order per slot, so that both operands meet different neighbours; ties come from drawing with replacement.
    calm = role == "calm" and np.dtype(dtype).kind in "iu"
    values = random.permutation(restricted(pool(dtype, 3 * trial if calm else trial), role, trial))
    if zero_d:
        return np.zeros((), dtype) if trial == ZERO and role in ("divisor", "base") else np.array(values[0])
    dims = SHAPES[shape][trial % 2]
    if shape == "square":
        return square(dtype, dims[0], slot, trial)
    count = int(np.prod(dims))
    if len(values) < count:
        values = np.concatenate([values, random.choice(values, count - len(values))])
    return values[:count].reshape(dims).copy()


def near(values: Any, which: Operand, shape: str, trial: int) -> Any:
    """An operand whose values equal those of another or miss them by one: where a comparison turns over."""
    random = rng("near", which, trial)
    others = [v.real if isinstance(v, complex) else v for v in np.atleast_1d(values).tolist()]
    if isinstance(which, str) or which[1]:
        # One value only: in every other trial one of the large, which are the ones that rounding merges.
        others = sorted(others, key=abs)[len(others) // 2 :] if trial % 4 == 1 else others
        others = [others[int(random.integers(len(others)))]]
    elif len(others) == 1:
        others *= SHAPES[shape][0][0]
    steps = random.integers(-1, 2, len(others)).tolist()
    whole = which == "pyint" or (not isinstance(which, str) and which[0][0] in "bui")
    # Next to a whole number lie its neighbours, and for a float also what float32 cannot tell from it.
    moved = [
        v + d if isinstance(v, int) and (whole or i % 2) else v * (1 + d * 1e-10)
        for i, (v, d) in enumerate(zip(others, steps, strict=True))
    ]
    kind = np.asarray(values).dtype.name
    if which == "pyint":  # beyond the range is the business of range_safe
        moved = fitted(moved, kind if kind[0] in "ui" else "int64")[:1].tolist()
    if isinstance(which, str):
        return {"pybool": bool, "pyint": int, "pyfloat": float, "pycomplex": complex}[which](moved[0])
    array = np.array(fitted(moved, which[0]) if whole else moved).astype(which[0])
    return np.array(array[0]) if which[1] else array


def fitted(values: list[Any], dtype: str) -> np.ndarray[Any, Any]:
    """Whole numbers of a dtype, clipped to its range, or (some) wrapped around as a wrong cast would."""
    low, high = (0, 1) if dtype == "bool" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    whole = [int(v) if abs(v) < np.inf else 0 for v in values]
    wrapped = [(v - low) % (high - low + 1) + low for v in whole]
    inside = [min(max(v, low), high) for v in whole]
    return np.array([w if i % 3 == 2 else v for i, (v, w) in enumerate(zip(inside, wrapped, strict=True))], dtype=dtype)


def square(dtype: str, n: int, slot: int, trial: int) -> np.ndarray[Any, Any]:
    """A symmetric, positive definite, well-conditioned matrix of small numbers (Hermitian if complex)."""
    if dtype == "bool":
        return np.eye(n, dtype=bool)
    random = rng("square", n, slot, trial)
    small = random.integers(0, 3, (n, n)).astype(float)
    matrix = small @ small.T + np.diag(np.arange(n) + 3.0)
    if dtype.startswith("c"):
        upper = np.triu(random.integers(1, 3, (n, n)), 1)
        matrix = matrix + 0.25j * (upper - upper.T)
    if dtype.startswith("f"):
        matrix = matrix + 0.5 * np.eye(n)
    if dtype.startswith("i"):
        matrix = matrix - np.diag(np.full(n, 1.0))
    return matrix.astype(dtype)


def operand(which: Operand, shape: str, role: str, slot: int, trial: int) -> Any:
    """What NumPy gets: an array, or a plain Python number."""
    if not isinstance(which, str):
        return array(*which, shape, role, slot, trial)
    numbers = (EXPONENTS if role == "exponent" else NUMBERS)[which]
    if trial == ZERO and role in ("divisor", "base"):
        return ZEROS[which]
    if trial == SPECIAL and which == "pyfloat":
        return -np.inf if slot else np.inf
    number = numbers[(trial + slot) % len(numbers)]
    if role == "divisor":
        return number or True
    return max(number, 0) if role == "shift" and which == "pyint" else number


def on_torch(value: Any) -> Any:
    """The same operand for torch: its own memory, the same dtype."""
    if isinstance(value, np.ndarray):
        return torch.from_numpy(np.ascontiguousarray(value)).reshape(value.shape).clone()
    return value


def is_number(which: Operand) -> bool:
    """Whether the operand is a Python number."""
    return isinstance(which, str) and which in WEAK
