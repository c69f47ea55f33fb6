"""The effects of a run, its result aside: what it assigns and stores."""

from __future__ import annotations

from typing import Any

from np2torch.facts import values as v


class Store:
    """A fact that is stored into a cell; of a dict under a constant key, `within`."""

    __slots__ = ("_identity", "cells", "fact", "key", "within")

    def __init__(self, cells: dict[Any, Any], key: object, fact: v.Fact, within: object = None) -> None:
        self.cells, self.key, self.fact, self.within = cells, key, fact, within
        self._identity = id(cells), key, fact, within

    def __hash__(self) -> int:
        return hash(self._identity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Store) and self._identity == other._identity


class Effects:
    """The effects of a run and of all that it calls.

    Attributes
    ----------
    sets
        Names of the attributes that it assigns.
    nonlocals
        What it assigned to variables of outer runs.
    stores
        What it stores in a trial, in order, so that it can be stored again without the run.
    unfinished
        The effects of runs that were under way when this one called them: more may have come of these.
    """

    __slots__ = ("nonlocals", "sets", "stores", "unfinished")

    def __init__(self) -> None:
        self.sets: frozenset[str] = frozenset()
        self.nonlocals: dict[tuple[Any, str], v.Fact] = {}
        self.stores: dict[Store, None] = {}
        self.unfinished: set[Effects] = set()

    def take_in(self, others: Effects, caller: object, is_unfinished: bool) -> None:
        """Add those of a run that `caller` calls, which may still be under way."""
        if others.stores:
            self.stores |= others.stores
        if others.unfinished:
            self.unfinished |= others.unfinished
        if is_unfinished:
            self.unfinished.add(others)
        if not self.sets >= others.sets:
            self.sets = self.sets | others.sets if self.sets else others.sets
        for (outer, name), fact in others.nonlocals.items():
            if outer is not caller:
                self.nonlocals[outer, name] = v.join(self.nonlocals.get((outer, name), v.BOTTOM), fact)

    def assign_nonlocals(self) -> None:
        """Assign to variables of outer runs what this one assigned."""
        for (outer, name), fact in self.nonlocals.items():
            if outer.frame is not None:
                outer.frame.env[name] = v.join(outer.frame.env.get(name, v.BOTTOM), fact)

    def all_stores(self) -> dict[Store, None]:
        """Give what it stores, and what those runs store that were under way."""
        found, waiting = dict(self.stores), [*self.unfinished]
        seen = {self}
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                found |= one.stores
                waiting += one.unfinished
        return found
