"""Pasts of an object: which calls before another one leave it in a state of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from np2torch.verify.calls import Observation
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.judge import Leaf, leaves

OBJECT = "[0]"
"""The object is what the first step gives."""


def by_change(pasts: Sequence[tuple[Inputs, Observation]], plain: Sequence[Observation]) -> list[Inputs]:
    """The pasts, those first that let the call come to most lines, then those that change most of the object.

    Parameters
    ----------
    plain
        For each, what is seen of the same call without a past.
    """
    counts = [count_changes(seen, other) for (_, seen), other in zip(pasts, plain, strict=True)]
    lines = [len(seen.lines) for _, seen in pasts]
    order = sorted(range(len(pasts)), key=lambda at: (-lines[at], -counts[at], len(pasts[at][0].before)))
    return [pasts[at][0] for at in order]


def count_changes(seen: Observation, plain: Observation) -> int:
    """Count the numbers and arrays in an object that are others than those of a call without a past."""
    if seen.values is None or plain.values is None:
        return 0
    own, other = (dict(leaves(one.values)) for one in (seen, plain) if one.values is not None)
    inside = [path for path in own if path.startswith(OBJECT)]
    return sum(path not in other or not _are_equal(own[path], other[path]) for path in inside)


def _are_equal(a: Leaf, b: Leaf) -> bool:
    return a.dtype == b.dtype and a.values.shape == b.values.shape and bool(np.all(a.values == b.values))


def own_first(items: Sequence[Inputs], names: Sequence[str]) -> list[Inputs]:
    """The variations, those first that vary a parameter of these names."""
    return sorted(items, key=lambda one: one.note.partition(":")[0] not in names)


def ends_before(inputs: Inputs | None, old: Observation, new: Observation) -> bool:
    """Tell whether a call that comes before raises on the new side alone."""
    if inputs is None or new.raised is None or not 0 < new.raised.step <= len(inputs.before):
        return False
    return old.raised is None or old.raised.step > new.raised.step
