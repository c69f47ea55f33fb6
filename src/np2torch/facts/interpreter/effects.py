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
    """The effects of a run.

    Attributes
    ----------
    sets
        Names of the attributes that it, or what it calls, assigns.
    nonlocals
        What it, or what it calls, assigned to variables of outer runs.
    stores
        What it stores itself in a trial, in order, so that it can be stored again without the run.
    """

    __slots__ = ("nonlocals", "sets", "stores")

    def __init__(self) -> None:
        self.sets: frozenset[str] = frozenset()
        self.nonlocals: dict[tuple[Any, str], v.Fact] = {}
        self.stores: dict[Store, None] = {}

    def add_set(self, name: str) -> None:
        """Note that an attribute is assigned."""
        self.sets |= {name}

    def take_in(self, others: Effects, caller: object) -> None:
        """Add those of a run that `caller` calls; its stores stay its own."""
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
