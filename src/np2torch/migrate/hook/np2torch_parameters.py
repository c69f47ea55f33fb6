"""The parametrized tests of two runs, paired by their parameters: on torch there may be fewer, in another order.

It runs in the user's program beside the plugin, and imports nothing of ours, NumPy or torch.
"""

from __future__ import annotations

import enum
import hashlib
import math
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

VAGUE = "?"
"""What stands in a description for a value that it does not tell from others of its type."""
MOST_NUMBERS = 100
"""Elements of an array up to which they are part of its description."""
MOST_TEXT = 60
"""Characters of a description up to which it stays a text."""
SCALARS = (type(None), bool, int, str, bytes)
ARRAYS = {"numpy.ndarray", "torch.Tensor"}
USUAL = {"bool": bool, "int64": int, "float64": float, "complex128": complex}
"""The dtypes whose scalars may be Python's numbers on the other side."""


class Pairs(NamedTuple):
    """The tests on NumPy that the tests of a parametrized function stand for.

    Attributes
    ----------
    numbers
        For each test its number on NumPy; of one that is not there a number that none has.
    twins
        Numbers on NumPy without a test of their own: the number of the one whose parameters are the same here.
    lacking
        Numbers on NumPy that nothing here stands for.
    """

    numbers: list[int]
    twins: dict[int, int]
    lacking: list[int]


def pair(known: Sequence[str], here: Sequence[str]) -> Pairs:
    """Pair tests by the descriptions of their parameters: those that stay where they are, then others in order.

    The rest is paired in order as far as it goes, since types and objects may be described otherwise on torch. Of
    fewer tests one stands for all on NumPy whose parameters are the same, unless these are described vaguely.
    """
    is_same = len(known) == len(here)
    numbers = [number if is_same and known[number] == key else -1 for number, key in enumerate(here)]
    free: dict[str, list[int]] = {}
    for place, key in enumerate(here):
        if numbers[place] < 0:
            free.setdefault(key, []).append(place)
    rest = []
    for number, key in enumerate(known):
        if is_same and numbers[number] == number:
            continue
        if free.get(key) and (is_same or VAGUE not in key or here.count(key) == known.count(key)):
            numbers[free[key].pop(0)] = number
        else:
            rest.append(number)
    twins = {} if is_same else _twins(known, numbers, rest)
    rest = [number for number in rest if number not in twins]
    for more, place in enumerate(place for place, number in enumerate(numbers) if number < 0):
        numbers[place] = rest.pop(0) if rest else len(known) + more
    return Pairs(numbers, twins, rest)


def _twins(known: Sequence[str], numbers: Iterable[int], rest: Iterable[int]) -> dict[int, int]:
    """Those of the rest whose parameters are the same as those of a test that is there."""
    first = {known[number]: number for number in numbers if number >= 0 and VAGUE not in known[number]}
    return {number: first[known[number]] for number in rest if known[number] in first}


def describe(parameters: Mapping[str, Any]) -> str:
    """The description of the parameters of a test, equal on both sides as far as can be."""
    text = ", ".join(f"{name}={_described(value)}" for name, value in parameters.items())
    if len(text) <= MOST_TEXT:
        return text
    mark = VAGUE if VAGUE in text else ""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest() + mark


def _described(value: Any) -> str:
    try:
        return _plain(value)
    except Exception:
        return VAGUE + type(value).__name__


def _plain(value: Any) -> str:
    kind = type(value)
    if kind in SCALARS:
        return repr(value).replace(VAGUE, "\\x3f")
    if kind in (float, complex):
        return f"{value:.9g}"
    if kind in (tuple, list, set, frozenset, dict):
        return _of_items(value)
    if isinstance(value, enum.Enum):
        return str(value)
    if hasattr(value, "isnative") or isinstance(value, type) and value in _scalar_classes():
        return _of_dtype(value)
    if f"{kind.__module__}.{kind.__name__}" == "torch.dtype":
        return str(value).removeprefix("torch.")
    if not isinstance(value, type) and (kind in _scalar_classes() or f"{kind.__module__}.{kind.__name__}" in ARRAYS):
        return _of_array(value)
    name = getattr(value, "__name__", None)
    return name if isinstance(name, str) else VAGUE + kind.__name__


def _of_items(value: Any) -> str:
    if isinstance(value, dict):
        texts = [f"{_described(key)}: {_described(one)}" for key, one in value.items()]
    else:
        texts = [_described(one) for one in value]
    return f"{type(value).__name__}({', '.join(sorted(texts) if isinstance(value, (set, frozenset)) else texts)})"


def _scalar_classes() -> Collection[type]:
    """NumPy's classes of scalars, where it has been imported."""
    numpy = sys.modules.get("numpy")
    return set(numpy.sctypeDict.values()) if numpy is not None else ()


def _of_dtype(value: Any) -> str:
    """The name of a dtype or of a class of scalars, equal for those that differ only in NumPy."""
    dtype = sys.modules["numpy"].dtype(value)
    return str(dtype.name if dtype.isnative else dtype.str)


def _of_array(value: Any) -> str:
    shape, name = tuple(value.shape), str(value.dtype).removeprefix("torch.")
    if not shape and name in USUAL:
        return _plain(USUAL[name](value))
    content = _plain(value.tolist()) if math.prod(shape) <= MOST_NUMBERS else VAGUE
    return f"{name}{shape}{content}"
