"""Objects of the project's classes, for parameters whose contract asks for one: the old side makes them."""

from __future__ import annotations

from collections.abc import Iterator

from np2torch.verify.calls import Observation
from np2torch.verify.encode import MadeObject

HELD = frozenset(("none", "bool", "int", "float", "complex", "str", "scalar"))
"""The values that an object may have as attributes: they are the same on both sides, and share nothing."""


def given_objects(seen: Observation) -> Iterator[MadeObject]:
    """The object that a call gives, where its attributes are numbers and words."""
    if not seen.has_result or seen.values is None or not seen.values.values[0][1]:
        return
    made = seen.values.values[0][1][-1]
    if made[0] == "object" and all(item[0] in HELD for _, item in made[4]):
        yield MadeObject(made)
