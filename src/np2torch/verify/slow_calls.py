"""Long calls of the new side where the old one raises: work that NumPy never came to is told from an endless loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from np2torch.verify.calls import Observation
from np2torch.verify.children import Child
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.target import Target

LENGTHS = (2, 3, 4, 6, 8)
"""Lengths that all axes are cut to."""


def ends_when_smaller(target: Target, old: Child, new: Child, inputs: Inputs | None, seen: Observation) -> bool:
    """Tell whether the new side gives a result for smaller arrays for which the old side raises the same error.

    Then it does what NumPy's error kept the old side from, and is not caught in a loop.

    Parameters
    ----------
    inputs
        Those of the call that does not end; None of a recorded one.
    seen
        What the old side does for them.
    """
    if inputs is None or seen.raised is None or seen.raised.by == "own":
        return False
    made = [call for one in _smaller(inputs) if (call := target.call(one)) is not None]
    raising = [call for call, one in zip(made, old.run(made, is_shared=True), strict=True) if one.word == seen.word]
    return any(one.has_result for one in new.run(raising[:1]))


def _smaller(inputs: Inputs) -> Iterator[Inputs]:
    """The inputs with all axes of arrays cut to a length, and lists, the shortest first."""
    for length in LENGTHS:
        yield inputs._replace(values=tuple(_cut(value, length) for value in inputs.values))


def _cut(value: Any, length: int) -> Any:
    if isinstance(value, np.ndarray):
        return value[(slice(length),) * value.ndim]
    return value[:length] if isinstance(value, (list, tuple)) and not hasattr(value, "_fields") else value
