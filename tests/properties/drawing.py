"""What the holes of the table draw: arrays of every dtype, rank and layout, and the arguments that go with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st

BOOLS, INTS = ["bool"], ["int8", "int16", "int32", "int64", "uint8"]
FLOATS, COMPLEXES = ["float16", "float32", "float64"], ["complex64", "complex128"]
FAMILIES = {
    "bool": BOOLS, "int": INTS, "signed": INTS[:4], "float": FLOATS, "complex": COMPLEXES, "real": BOOLS + INTS + FLOATS,
    "number": INTS + FLOATS + COMPLEXES, "ordered": INTS + FLOATS, "inexact": FLOATS + COMPLEXES, "f8": ["float64"],
    "i8": ["int64"], "wide": ["float32", "float64", "complex64", "complex128"], "solid": ["float32", "float64"],
    "uint8": ["uint8"], "any": BOOLS + INTS + FLOATS + COMPLEXES,
}  # fmt: skip
RANKS = {"0d": (0, 0), "1d": (1, 1), "2d": (2, 2), "3d": (3, 3), "1d+": (1, 4), "2d+": (2, 4), "3d-": (0, 3)}
SIZES = st.sampled_from([0, 1, 1, 2, 2, 3, 3, 4, 5])
LAYOUTS = st.sampled_from(["C", "C", "C", "F", "step", "turned", "reversed"])
SPECIAL = [np.nan, np.inf, -np.inf, -0.0]


@dataclass
class Drawn:
    """An array argument: its memory, and the view of it that is passed. Every side gets memory of its own."""

    base: np.ndarray[Any, Any]
    layout: str

    def array(self) -> np.ndarray[Any, Any]:
        """The argument over a fresh copy of the memory."""
        x = self.base.copy()
        if self.layout == "F":
            return np.asfortranarray(x)
        if self.layout == "step":
            return np.repeat(x, 2, -1)[..., ::2]
        if self.layout == "turned":
            return np.ascontiguousarray(x.swapaxes(0, -1)).swapaxes(0, -1)
        return np.ascontiguousarray(np.flip(x, 0))[::-1] if self.layout == "reversed" else x

    def tensor(self) -> torch.Tensor:
        """The same for torch, in the same layout but for negative steps, which torch lacks."""
        x = self.array()
        return torch.from_numpy(x.copy() if self.layout == "reversed" else x) if x.ndim else torch.tensor(x)


@dataclass
class Case:
    """One example: the source with its holes filled, and the arrays it names."""

    source: str = ""
    arrays: dict[str, Any] = field(default_factory=dict)

    def first(self) -> np.ndarray[Any, Any]:
        """The array most other arguments refer to."""
        return next((x.base for x in self.arrays.values() if isinstance(x, Drawn)), np.zeros(0))

    def __str__(self) -> str:
        values = (
            f"{k} = {v.base.dtype}{list(v.base.shape)}/{v.layout} {v.base.tolist()}" for k, v in self.arrays.items()
        )
        return "; ".join([self.source, *values])


Draw = Callable[[Any], Any]


def values(seed: int, dtype: str, shape: tuple[int, ...], words: set[str]) -> np.ndarray[Any, Any]:
    """Elements out of a small pool (ties happen), or random ones; the same for the same seed."""
    rng = np.random.default_rng(seed)
    size = int(np.prod(shape))
    kind = np.dtype(dtype).kind
    tame, style = "finite" in words or "tame" in words, rng.integers(3)
    if kind == "b":
        found = rng.random(size) < 0.5
    elif kind in "iu":
        limits = np.iinfo(dtype)
        small = np.arange(0 if kind == "u" or "positive" in words else -4, 6)
        pool = small if tame or style else np.array([0, 1, 2, limits.min, limits.max, limits.max - 1])
        found = rng.choice(pool, size)
    else:
        pool = np.array([0, 1, -1, 0.5, -2, 2.25, 3, 1.5, -0.75, 4])
        pool = np.concatenate([pool, SPECIAL]) if style == 1 and not tame else pool

        def part() -> np.ndarray[Any, Any]:
            return rng.choice(pool, size) if style else np.round(rng.normal(size=size) * 8) / 8

        found = part()
        if kind == "c":
            found = found.astype(complex)
            found.imag = part()
        found = np.abs(found) if "positive" in words else found
    if "distinct" in words:
        found = rng.permutation(size) if kind != "b" else found
    if "nonzero" in words:
        found = np.where(found == 0, 1, found)
    if "sorted" in words:
        found = np.sort(found)
    with np.errstate(all="ignore"):
        return np.asarray(found).astype(dtype).reshape(shape)


def array(draw: Draw, case: Case, words: list[str]) -> str:
    """An array argument as its words say; gives its name."""
    said = set(words)
    first = case.first()
    family = next((w for w in words if w in FAMILIES), "any")
    dtype = draw(st.sampled_from(FAMILIES[family]))
    if "same" in said and case.arrays:
        dtype = str(first.dtype)
    low, high = next((RANKS[w] for w in words if w in RANKS), (0, 4))
    if "like" in said:
        shape = first.shape
    elif "fits" in said:
        shape = fitting(draw, first.shape)
    elif "square" in said:
        n = draw(st.integers(1, 3))
        shape = tuple(draw(st.lists(st.integers(1, 2), max_size=1))) * ("stack" in said) + (n, n)
    else:
        rank = draw(st.sampled_from([r for r in (0, 1, 1, 2, 2, 3, 4) if low <= r <= high]))
        shape = tuple(draw(SIZES) or int("filled" in said) for _ in range(rank))
    if "times" in said:  # what first @ this takes
        inner = first.shape[-1] if first.ndim else 2
        outer = draw(st.lists(SIZES, max_size=1))
        shape = draw(st.sampled_from([(inner,), (inner, *outer), (2, inner, *outer), (inner + 1,)]))
    base = values(draw(st.integers(0, 2**20)), str(dtype), tuple(shape), said)
    layout = draw(LAYOUTS) if base.ndim else "C"
    if "like" in said and "list" not in said or "whole" in said:
        layout = "C"
    name = f"a{len(case.arrays)}"
    case.arrays[name] = Drawn(base, layout)
    return name


def fitting(draw: Draw, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that broadcasts with another, mostly."""
    kept = shape[draw(st.integers(0, len(shape))) :]
    found = [draw(st.sampled_from([n, n, n, 1])) for n in kept]
    if draw(st.integers(0, 15)) == 0:
        found = [*found, 3]
    return tuple(found)


def number(draw: Draw, case: Case, words: list[str]) -> str:
    """A Python number of a kind that suits, mostly."""
    kind = case.first().dtype.kind if case.arrays else "f"
    ints = st.sampled_from([0, 1, 2, 3, 7] + ([] if "positive" in words else [-1, -3]))
    floats = st.sampled_from([0.0, 0.5, 1.0, 2.25, -1.5])
    if "int" in words or kind in "iu" and draw(st.integers(0, 3)):
        return repr(draw(ints))
    options = [ints, floats] + ([] if "real" in words else [st.booleans(), st.just(2 - 1j)])
    return repr(draw(st.one_of(options)))


def operand(draw: Draw, case: Case, words: list[str]) -> str:
    """An array that broadcasts, a Python number, or nested lists of numbers."""
    form = draw(st.integers(0, 7))
    if form == 0 and case.arrays:
        return number(draw, case, words)
    name = array(draw, case, [*words, "fits"] if case.arrays else words)
    if form == 1:
        drawn = case.arrays[name]
        if drawn.base.dtype.kind in "bif" and drawn.base.size and np.isfinite(drawn.base).all():
            del case.arrays[name]
            return repr(drawn.base.tolist())
    return name


def axis(draw: Draw, case: Case, words: list[str]) -> str:
    """An axis the first array has; now and then one it has not."""
    n = case.first().ndim
    bound = n + 1 if draw(st.integers(0, 15)) == 0 or not n else n
    low, high = (0, max(bound - 1, 0)) if "positive" in words else (-bound, max(bound - 1, 0))
    return repr(draw(st.integers(low, high)))


def axes(draw: Draw, case: Case, words: list[str]) -> str:
    """None, one axis, or a tuple of them, the empty one included."""
    form = draw(st.integers(0, 3))
    if form == 0:
        return "None"
    if form == 1:
        return axis(draw, case, words)
    n = case.first().ndim
    chosen = draw(st.permutations(range(n)))[: draw(st.integers(0, n))] if n else []
    return repr(tuple(int(i) - n * draw(st.booleans()) for i in chosen))


def permutation(draw: Draw, case: Case, words: list[str]) -> str:
    """All axes in some order."""
    return repr(tuple(draw(st.permutations(range(case.first().ndim)))))


def dtype(draw: Draw, case: Case, words: list[str]) -> str:
    """A dtype, by its NumPy name or as text."""
    name = draw(st.sampled_from(FAMILIES[next((w for w in words if w in FAMILIES), "any")]))
    short = {"bool": "bool", "int64": "int", "float64": "float"}.get(name, f"np.{name}")
    return draw(st.sampled_from([f"np.{name if name != 'bool' else 'bool_'}", repr(name), short]))


def mask(draw: Draw, case: Case, words: list[str]) -> str:
    """Bools that broadcast against the first array."""
    return array(draw, case, ["bool", "like" if draw(st.booleans()) else "fits"])


def out(draw: Draw, case: Case, words: list[str]) -> str:
    """An array of the first's shape to write into."""
    return array(draw, case, ["like", "whole", *words, *([] if set(words) & {*FAMILIES} else ["wide"])])


def into(draw: Draw, case: Case, words: list[str]) -> str:
    """`out`, alone or with `where`, or nothing; `where` alone would show memory that nobody has written."""
    form = draw(st.integers(0, 4))
    text = f", out={out(draw, case, words)}" if form < 2 else ""
    return text + (f", where={mask(draw, case, words)}" if form == 0 else "")


def shape(draw: Draw, case: Case, words: list[str]) -> str:
    """Any small shape, as a tuple or an int."""
    found = tuple(draw(st.lists(st.integers(0, 3), max_size=3)))
    return repr(draw(st.sampled_from([found, found, 2])))


def reshaped(draw: Draw, case: Case, words: list[str]) -> str:
    """A shape the first array can have."""
    size = case.first().size
    divisors = [d for d in range(1, 7) if size % d == 0] or [1]
    d = draw(st.sampled_from(divisors))
    return repr(draw(st.sampled_from([(-1,), -1, (d, size // d), (d, -1), (1, size), (size, 1, 1), (size + 1,)])))


def broadcast(draw: Draw, case: Case, words: list[str]) -> str:
    """A shape the first array broadcasts to, mostly."""
    old = case.first().shape
    front = tuple(draw(st.lists(st.integers(0, 2), max_size=1)))
    return repr(front + tuple(draw(st.sampled_from([3, n])) if n == 1 else n for n in old))


def index(draw: Draw, case: Case, words: list[str]) -> str:
    """A subscript of the first array: ints, slices of any step, ..., None, arrays of ints and of bools."""
    x = case.first()
    parts = []
    n = draw(st.integers(0, x.ndim))
    basic = "basic" in words
    for size in x.shape[:n]:
        form = draw(st.integers(0, 3 if basic else 5))
        if form == 0 and size:
            parts.append(repr(draw(st.integers(-size, size - 1))))
        elif form <= 2:
            bounds = [draw(st.one_of(st.none(), st.integers(-size - 1, size + 1))) for _ in range(2)]
            step = draw(st.sampled_from([None, 1, 2, -1, -2]))
            parts.append(f"slice({bounds[0]}, {bounds[1]}, {step})")
        elif form == 3:
            parts.append("slice(None)")
        elif form == 4 and size:
            parts.append(repr(draw(st.lists(st.integers(-size, size - 1), min_size=1, max_size=3))))
        else:
            name = f"a{len(case.arrays)}"
            case.arrays[name] = Drawn(values(draw(st.integers(0, 99)), "bool", (size,), set()), "C")
            parts.append(name)
    for extra in draw(st.sampled_from([[], [], ["None"], ["..."]])):
        parts.insert(draw(st.integers(0, len(parts))), extra)
    return f"({', '.join(parts)}{',' if parts else ''})" if parts else draw(st.sampled_from(["...", "()"]))


def places(draw: Draw, case: Case, words: list[str]) -> str:
    """A list of ints that are valid places in the first array, flat, or along the last axis mentioned."""
    x = case.first()
    size = x.size if "flat" in words else (x.shape[0] if x.ndim else 1)
    if not size:
        return "[]"
    bound = size + 1 if draw(st.integers(0, 15)) == 0 else size
    found = draw(st.lists(st.integers(-bound, bound - 1), max_size=4))
    return repr(draw(st.sampled_from([found or [0], found[0] if found and "list" not in words else found])))


def along(draw: Draw, case: Case, words: list[str]) -> str:
    """An int64 array of the first's rank with valid places along axis 0."""
    x = case.first()
    size = max(x.shape[0], 1)
    name = f"a{len(case.arrays)}"
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    case.arrays[name] = Drawn(rng.integers(-size, size, x.shape), "C")
    return name


def sequence(draw: Draw, case: Case, words: list[str]) -> str:
    """A list of arrays of one shape, and of dtypes that may differ."""
    names = [array(draw, case, words)]
    for _ in range(draw(st.integers(0, 2))):
        names.append(array(draw, case, ["like", *words]))
    return f"[{', '.join(names)}]"


def sections(draw: Draw, case: Case, words: list[str]) -> str:
    """How to split: a number, or places."""
    return repr(draw(st.one_of(st.integers(1, 3), st.lists(st.integers(0, 4), max_size=2))))


def widths(draw: Draw, case: Case, words: list[str]) -> str:
    """A pad_width."""
    n = case.first().ndim
    pair = st.tuples(st.integers(0, 3), st.integers(0, 3))
    return repr(draw(st.one_of(st.integers(0, 3), pair, st.tuples(*[pair] * n))))


def kth(draw: Draw, case: Case, words: list[str]) -> str:
    """A place along the last axis."""
    n = case.first().shape[-1] if case.first().ndim else 1
    return repr(draw(st.integers(-n, max(n - 1, 0))))


def flag(draw: Draw, case: Case, words: list[str]) -> str:
    """True or False."""
    return repr(draw(st.booleans()))


def fractions(draw: Draw, case: Case, words: list[str]) -> str:
    """Where quantiles are asked for, one or several."""
    top = 100 if "percent" in words else 1
    one = st.sampled_from([0.0, 0.25, 0.5, 1 / 3, 0.9, 1.0]).map(lambda q: q * top)
    return repr(draw(st.one_of(one, st.lists(one, min_size=1, max_size=3))))


def seed(draw: Draw, case: Case, words: list[str]) -> str:
    """A seed of a random stream."""
    return repr(draw(st.integers(0, 2**32 - 1)))


KINDS: dict[str, Callable[[Draw, Case, list[str]], str]] = {
    "a": array, "x": operand, "number": number, "axis": axis, "axes": axes, "permutation": permutation, "dtype": dtype,
    "mask": mask, "into": into, "shape": shape, "reshaped": reshaped, "broadcast": broadcast, "index": index,
    "places": places, "along": along, "sequence": sequence, "sections": sections, "widths": widths, "kth": kth,
    "flag": flag, "fractions": fractions, "seed": seed,
}  # fmt: skip


def hole(draw: Draw, case: Case, text: str) -> str:
    """Fill one hole: `'C'|'F'` is a choice, `0..3` a range, anything else a kind and its words."""
    if "|" in text:
        return str(draw(st.sampled_from(text.split("|"))))
    if ".." in text:
        low, high = text.split("..")
        if "." in high or "e" in high:
            return repr(round(draw(st.floats(float(low), float(high))), 3))
        return repr(draw(st.integers(int(low), int(high))))
    kind, *words = text.split()
    return KINDS[kind](draw, case, words)
