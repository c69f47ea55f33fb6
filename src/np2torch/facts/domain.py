"""The state of one analysis: the dtypes that arrays of its project may have, and what it computed with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeAlias, TypeVar

Names: TypeAlias = frozenset[str] | None
P = ParamSpec("P")
T = TypeVar("T")

USUAL = frozenset({"bool", "int64", "float64"})


class Domain:
    """The state of one analysis that its values share.

    `DOMAIN` stands for the universe of the analysis that is worked on: `activate` is called where a stage of an
    analysis begins. Two analyses in one process do not see each other's.

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
    spoken
        Those that a text speaks of as those of arrays.
    supposed
        Whether the dtypes of parameters are supposed, one after the other, to find a text that is right for all.
        Then a text may stand which torch refuses, with an error, for the one supposed now.
    caught
        Whether the errors of what is decided on are caught, by `except Exception:` and the like, and what follows goes
        on with something else. Then no text may stand which torch refuses and NumPy computes.
    joined
        Joins made before: the same few sets of alternatives meet again and again, and are one object then.
    memos
        The results of functions under `memoise`.
    lost
        Definitions of functions that joins gave up for "anything": they may be called with anything.
    names_unheld
        Whether a text names dtypes that torch lacks, so that an array of unknown dtype may stay an ndarray.
    numpy_names
        The names that mean NumPy in some module of the project.
    """

    def __init__(
        self, dtypes: frozenset[str] = USUAL, assumed: Names = None, apart: frozenset[str] = frozenset(),
        supposed: bool = False, unspoken: frozenset[str] = frozenset(), spoken: frozenset[str] = USUAL,
        names_unheld: bool = False,
    ) -> None:  # fmt: skip
        self.dtypes, self.assumed, self.apart, self.unspoken = dtypes, assumed, apart, unspoken
        self.supposed, self.spoken, self.names_unheld = supposed, spoken, names_unheld
        self.caught = False
        self.joined: dict[Any, Any] = {}
        self.memos: dict[Callable[..., Any], Callable[..., Any]] = {}
        self.lost: set[Any] = set()
        self.numpy_names = {"np", "numpy"}

    def activate(self) -> None:
        """Make `DOMAIN` stand for this one: both have the same attributes from now on."""
        DOMAIN.__dict__ = self.__dict__

    def name_numpy(self, names: frozenset[str] | set[str]) -> None:
        """Note by which names, beside the usual ones, NumPy is imported somewhere."""
        self.numpy_names = {"np", "numpy", *names}

    def forget(self) -> None:
        """Give back the memory of what was computed so far."""
        self.joined.clear()
        self.memos.clear()

    @property
    def unknown(self) -> frozenset[str]:
        """The dtypes that an array of unknown dtype may have."""
        return self.assumed or self.dtypes

    @property
    def likely(self) -> frozenset[str]:
        """Those of them that the project itself may pass: torch may refuse the others, which is as loud as a guard."""
        return self.unknown - self.unspoken

    def holds(self, dtypes: Names) -> bool:
        """Tell whether one of these dtypes is tracked apart."""
        return bool(self.apart and dtypes and dtypes & self.apart)


DOMAIN = Domain()


def memoise(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep results of a function with the analysis that is worked on, the last `most` of them."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        cache: Callable[..., Any] = lru_cache(most)

        @wraps(function)
        def call(*arguments: P.args, **keywords: P.kwargs) -> T:
            memo = DOMAIN.memos.get(function)
            if memo is None:
                memo = DOMAIN.memos[function] = cache(function)
            found: T = memo(*arguments, **keywords)
            return found

        return call

    return decorate


@contextmanager
def supposing(are_supposed: bool = True, are_caught: bool = False) -> Iterator[None]:
    """Take the dtypes of parameters for supposed, or errors for caught, so that nothing is loud, for a while."""
    before = DOMAIN.supposed, DOMAIN.caught
    DOMAIN.supposed, DOMAIN.caught = are_supposed and not are_caught, are_caught
    try:
        yield
    finally:
        DOMAIN.supposed, DOMAIN.caught = before


def names(dtype: str | Iterable[str] | None) -> Names:
    """A set of dtype names from one or several."""
    return frozenset([dtype]) if isinstance(dtype, str) else None if dtype is None else frozenset(dtype)


def union(parts: Iterable[Names]) -> Names:
    """Unite sets of dtypes.

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
    return DOMAIN.dtypes | out if DOMAIN.holds(out) else None


def spread(dtypes: Names, others: Iterable[Names]) -> Names:
    """A set of dtypes, written out where "any" stands beside others that hold what is `apart`."""
    if dtypes is None and any(map(DOMAIN.holds, others)):
        return DOMAIN.dtypes
    return dtypes
