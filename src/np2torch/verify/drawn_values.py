"""Values of all parameters of a call with the way they came about, and the order in which such inputs are tried."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from np2torch.verify.draw import DEFAULT
from np2torch.verify.pairs import Parameter

MOST_BASES = 10
LONG = 20
"""Elements from which on an array is long."""
WIDE = 4
"""Bytes of the numbers that most arrays hold; bools and bytes have less."""
MOST_ELEMENTS = 2000
"""Elements of an array that is made longer."""
FAR = 0.9
"""The share of the lines of the call with most of them that others come to which are as good."""
SLOW = 0.05
"""Seconds of a call that is varied only where there are no faster ones: few of its kind are affordable."""


class Before(NamedTuple):
    """A call of another method that comes before: its number among those of the class, its values and their origin."""

    number: int
    values: tuple[Any, ...]
    recipe: tuple[str, ...]


class Inputs(NamedTuple):
    """The values of all parameters of a call, and how they came about."""

    values: tuple[Any, ...]
    recipe: tuple[str, ...]
    note: str = ""
    is_whole: bool = True
    """Whether they are enough for a call; those of a recorded call that has a past are not."""
    before: tuple[Before, ...] = ()
    seconds: float = 0.0
    """The time of the call on the old side, or of the one that it varies; 0 where it is not known."""
    lines: frozenset[int] = frozenset()
    """The lines that it comes to, or the one that it varies."""

    @property
    def ways(self) -> set[tuple[int, str]]:
        """Say how each value comes about, which are long, the methods that are called before, and the lines."""
        arrays = [(index, value) for index, value in enumerate(self.values) if isinstance(value, np.ndarray)]
        long = {(index, "long") for index, value in arrays if value.size >= LONG}
        return set(enumerate(self.recipe)) | long | {(-1, str(one.number)) for one in self.before} | {
            (-2, str(line)) for line in self.lines
        }


def copy_of(value: Any) -> Any:
    """Copy a value with all that it holds; iterators, modules and their like, which nothing copies, stay the same."""
    try:
        return copy.deepcopy(value)
    except TypeError:
        return value


def one_like_another(values: Sequence[Any], index: int, rng: random.Random) -> np.ndarray[Any, Any] | None:
    """Another array of a call, its opposite or its double, in the place of one of its shape; or of some of its rows."""
    x = values[index]
    if not (isinstance(x, np.ndarray) and x.ndim and x.size and x.dtype.kind in "if"):
        return None
    others = [one for at, one in enumerate(values) if at != index and isinstance(one, np.ndarray)]
    alike = [one for one in others if one.shape == x.shape and one.dtype.kind in "if"]
    if not alike:
        return None
    new, other = np.array(x), (rng.choice(alike) * rng.choice((1, -1, -1, 2))).astype(x.dtype)
    rows = slice(None) if x.ndim < 2 else rng.choice((slice(None), slice(None, None, 2)))
    new[rows] = other[rows]
    return new


def longer_values(values: Sequence[Any], times: int) -> tuple[Any, ...]:
    """Repeat each array, and list of numbers, so many times along its first axis; what is too long then stays."""
    return tuple(_longer(one, times) for one in values)


def _longer(value: Any, times: int) -> Any:
    if isinstance(value, np.ndarray) and value.ndim and value.size * times < MOST_ELEMENTS:
        return np.concatenate([value] * times)
    return list(value) * times if isinstance(value, list) and len(value) * times < MOST_ELEMENTS else copy_of(value)


def apart(items: Sequence[Inputs]) -> list[Inputs]:
    """The first of some inputs, and those that come about in ways that none before them does."""
    left, found, known = list(items), list[Inputs](), set[tuple[int, str]]()
    while left and len(found) < MOST_BASES:
        new = [len(one.ways - known) for one in left]
        found.append(left.pop(new.index(max(new)) if found else 0))
        known |= found[-1].ways
    return found


def by_parameter(items: Sequence[Inputs]) -> list[Inputs]:
    """Variations with the first of each parameter first, then the second of each, and so on."""
    places = Counter[str]()
    ranked: list[tuple[int, Inputs]] = []
    for one in items:
        name = one.note.partition(":")[0]
        ranked.append((places[name], one))
        places[name] += 1
    return [one for _, one in sorted(ranked, key=lambda pair: pair[0])]


def in_turn(*lists: Sequence[Inputs]) -> list[Inputs]:
    """The first of each list, then the second, and so on: of slow functions only the first calls are made."""
    return [one for row in itertools.zip_longest(*lists) for one in row if one is not None]


def new_first(items: Sequence[Inputs], known: set[str]) -> list[Inputs]:
    """The inputs, with those before all others that vary a parameter in a way that none before them does."""
    new: list[Inputs] = []
    others: list[Inputs] = []
    for one in items:
        (others if one.note in known else new).append(one)
        known.add(one.note)
    return new + others


def defaults(inputs: Inputs) -> int:
    """Count the parameters that are not passed."""
    return sum(value is DEFAULT for value in inputs.values)


def split_values(parameters: Sequence[Parameter], values: Sequence[Any]) -> tuple[list[Any], list[str], list[Any]]:
    """Split values into positional arguments, up to the first default, and keyword arguments."""
    args: list[Any] = []
    names: list[str] = []
    named: list[Any] = []
    has_gap = False
    for parameter, value in zip(parameters, values, strict=True):
        if value is DEFAULT:
            has_gap = True
        elif parameter.kind == "*":
            args += [] if has_gap else list(value) if isinstance(value, (list, tuple)) else [value]
        elif parameter.kind == "positional" and not has_gap:
            args.append(value)
        else:
            names.append(parameter.name)
            named.append(value)
    return args, names, named


def has_complex(inputs: Inputs) -> bool:
    """Tell whether some array is one of complex numbers."""
    return any(isinstance(one, np.ndarray) and one.dtype.kind == "c" for one in inputs.values)


def cost(inputs: Inputs, most: int = 0) -> tuple[bool, bool, bool, bool, bool, bool, int]:
    """Rank inputs to be varied.

    Those come last that have complex numbers, of which fewer variations are made, those whose arrays have one element
    each, where axes and orders are all the same, those that come to few lines, slow ones, lists, bools, many defaults.
    """
    is_short = len(inputs.lines) < FAR * most
    is_small = any(isinstance(one, np.ndarray) and one.dtype.itemsize < WIDE for one in inputs.values)
    is_list = "list" in " ".join(inputs.recipe)
    is_single = {one.size > 1 for one in inputs.values if isinstance(one, np.ndarray)} == {False}
    return has_complex(inputs), is_single, is_short, inputs.seconds > SLOW, is_list, is_small, defaults(inputs)
