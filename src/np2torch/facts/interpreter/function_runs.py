"""The runs of one function, to be set aside while others take their place."""

from __future__ import annotations

from typing import Any, NamedTuple


class FunctionRuns(NamedTuple):
    """The call contexts of a function, and what bounds their number.

    Attributes
    ----------
    active, known
        The contexts met in this round, and those of all rounds.
    general, plain
        The parameters of contexts that calls share.
    spent
        How many nodes the runs have come to.
    """

    active: dict[Any, Any]
    known: dict[Any, Any]
    general: dict[Any, Any]
    plain: dict[Any, Any]
    spent: int

    @classmethod
    def none(cls, known: dict[Any, Any]) -> FunctionRuns:
        """Give those of a function that was not called yet; `known` are contexts that may serve again."""
        return cls({}, known, {}, {}, 0)
