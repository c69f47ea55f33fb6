"""Values that the functions of a module give, to be passed to the others of it.

A rotation, an affine matrix with the eigenvalue that is asked for, a knot vector: no draw hits upon them, but a
function of the module makes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from np2torch.verify.calls import Call, Observation
from np2torch.verify.decode import NotCarriedError, unpack
from np2torch.verify.encode import PackedValues
from np2torch.verify.judge import Leaf, leaves, parts
from np2torch.verify.kinds import Kind, accepts

Made = Mapping[str, Sequence[Any]]
"""The values that functions give, by the names of these."""
Run = Callable[[list[Call]], list[Observation]]
MOST_KEPT, MOST_ALIKE = 8, 2
"""Values of a function that are kept, and how many of these may have one shape."""
MOST_ELEMENTS = 400
NAMED, OTHERS = 5.0, 2.5
"""The weights of what functions give that the documentation names, and of what all others give."""
MOST_OTHERS = 8
"""Others, at most: those that come nearest in the file."""
WORD = re.compile(r"\w+")


def gives_something(seen: Observation) -> bool:
    """Tell whether a call gives more by its last step than None, zeros, NaN and what is empty."""
    results = seen.values.values[0][1] if seen.values is not None else []
    if seen.values is None or not results or results[-1] == ["none"]:
        return False
    own = [leaf for path, leaf in leaves(seen.values) if path.startswith(f"[{len(results) - 1}]")]
    return not own and not parts(results[-1]) or any(map(_tells, own))


def _tells(leaf: Leaf) -> bool:
    """Tell whether some number is finite and not zero."""
    numbers = leaf.values[leaf.values != 0]
    return bool(numbers.size) and (numbers.dtype.kind not in "fc" or bool(np.isfinite(numbers).any()))


def given_values(seen: Observation) -> Iterator[Any]:
    """Arrays that a call gives, by themselves or in a tuple or list, and lists of numbers."""
    if not seen.has_result or seen.values is None:
        return
    results = seen.values.values[0][1]
    if not results or results[-1] == ["none"]:
        return
    try:
        (value,) = unpack(PackedValues([results[-1]], seen.values.buffers), False, _nothing)
    except (NotCarriedError, TypeError, ValueError, AttributeError, LookupError):
        return
    if isinstance(value, (list, tuple)) and not all(isinstance(item, (int, float)) for item in value):
        yield from filter(_is_kept, value)
    elif _is_kept(value):
        yield value


def _nothing(module: str, name: str) -> Any:
    raise NotCarriedError(f"{module}.{name} is not imported here")


def _is_kept(value: Any) -> bool:
    """Tell whether it is an array of finite numbers that is not large, or such a list."""
    if isinstance(value, (list, tuple)):
        return 0 < len(value) < MOST_ELEMENTS and all(type(item) in (int, float) for item in value)
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iufc" or not 0 < value.size < MOST_ELEMENTS:
        return False
    return bool(value.ndim) and bool(np.isfinite(value).all())


def distinct(values: Iterable[Any]) -> list[Any]:
    """A few values, few of them of one shape."""
    found: list[Any] = []
    shapes: list[tuple[str, tuple[int, ...]]] = []
    for one in values:
        shape = type(one).__name__, np.shape(one)
        if len(found) < MOST_KEPT and shapes.count(shape) < MOST_ALIKE:
            found.append(one)
            shapes.append(shape)
    return found


def made_recipes(made: Made, own: str, docstring: str, kinds: tuple[Kind, ...]) -> dict[str, float]:
    """Recipes for a parameter by what functions give, and how much they promise.

    Parameters
    ----------
    own
        The name of the function itself.
    docstring
        Its documentation: the functions that are named there are most likely to make what it takes.
    """
    fitting = [name for name, values in made.items() if any(accepts(kinds, one) for one in values)]
    words = set(WORD.findall(docstring))
    named = [name for name in fitting if name in words and name != own]
    others = [name for name in _by_distance(fitting, list(made), own) if name not in named][:MOST_OTHERS]
    found = {f"made {name}": NAMED / len(named) for name in named}
    return found | {f"made {name}": OTHERS / len(others) for name in others}


def _by_distance(names: Iterable[str], order: Sequence[str], own: str) -> list[str]:
    """The names, those first that stand nearest to a function in its file."""
    place = order.index(own) if own in order else 0
    return sorted(names, key=lambda name: abs(order.index(name) - place))


class Siblings:
    """The functions of a module, and what they were found to give, by the seed that their inputs are drawn with.

    Parameters
    ----------
    makers
        What may make objects that some of the functions ask for.
    """

    def __init__(self, targets: Sequence[Any] = (), makers: Sequence[Any] = ()) -> None:
        self.targets = targets
        self.makers = makers
        self.made: dict[int, Made] = {}
