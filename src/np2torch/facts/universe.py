"""The dtypes that arrays of a project may have, and what "any dtype" means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

Names: TypeAlias = frozenset[str] | None


class Universe:
    """The dtypes arrays may have in this project: those its files mention, and the usual ones.

    Attributes
    ----------
    dtypes
        What an array of unknown dtype may have.
    assumed
        What the user says an array of unknown dtype has.
    apart
        What only some results have (the eigenvalues of a matrix), and no array of unknown dtype: these are followed.
    unspoken
        Those of them that no text speaks of, and only callers outside of the project may pass: where torch refuses
        one, that is as loud as any guard.
    supposed
        Are the dtypes of parameters supposed, one after the other, to find the text that is right for all of them?
        Then a text may stand which torch refuses, with an error, for the one supposed now.
    """

    dtypes: frozenset[str] = frozenset({"bool", "int64", "float64"})
    assumed: frozenset[str] | None = None
    apart: frozenset[str] = frozenset()
    unspoken: frozenset[str] = frozenset()
    supposed: bool = False

    @property
    def unknown(self) -> frozenset[str]:
        """The dtypes an array of unknown dtype may have."""
        return self.assumed or self.dtypes

    def holds(self, dtypes: Names) -> bool:
        """Is one of these apart?"""
        return bool(self.apart and dtypes and dtypes & self.apart)


UNIVERSE = Universe()


@contextmanager
def supposing() -> Iterator[None]:
    """Take the dtypes of parameters for supposed, for a while."""
    before, UNIVERSE.supposed = UNIVERSE.supposed, True
    try:
        yield
    finally:
        UNIVERSE.supposed = before


def names(dtype: str | Iterable[str] | None) -> Names:
    """A set of dtype names from one or several."""
    return frozenset([dtype]) if isinstance(dtype, str) else None if dtype is None else frozenset(dtype)


def union(parts: Iterable[Names]) -> Names:
    """What several sets of dtypes hold together.

    None, any, where one of them is: unless another holds what is `apart`, which "any" does not cover.
    """
    out: frozenset[str] = frozenset()
    open_ = False
    for part in parts:
        if part is None:
            open_ = True
        else:
            out |= part
    if not open_:
        return out
    return UNIVERSE.dtypes | out if UNIVERSE.holds(out) else None


def spread(dtypes: Names, others: Iterable[Names]) -> Names:
    """A set of dtypes, written out where "any" stands beside others that hold what is `apart`."""
    if dtypes is None and any(map(UNIVERSE.holds, others)):
        return UNIVERSE.dtypes
    return dtypes
