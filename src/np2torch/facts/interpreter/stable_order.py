"""An order of alternatives that is the same in every process: the same project gives the same text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from np2torch.facts import values as v


def in_order(fact: v.Fact) -> Iterable[v.Atom]:
    """The alternatives in an order that is the same in every process, for what runs code or stops at a bound.

    A set is gone through by its hashes, which differ from one process to the next.
    """
    return fact if len(fact) < 2 else sorted(fact, key=_place)


def _place(atom: v.Atom) -> tuple[Any, ...]:
    if isinstance(atom, (v.Class, v.Instance)):
        return (atom.kind, atom.definition.place)
    if isinstance(atom, v.Function):
        bound = () if atom.bound is None else _place(atom.bound)
        return (atom.kind, atom.definition.place, bound, () if atom.outer is None else atom.outer.place)
    if isinstance(atom, v.Foreign):
        return (atom.kind, "" if atom.definition is None else repr(atom.definition.place), atom.why)
    return (atom.kind, getattr(atom, "name", ""), getattr(atom, "origin", ""))
