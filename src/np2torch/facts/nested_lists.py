"""Arrays made of nested lists of arrays."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.results import arraylike, broadcast, make, promote_dtypes


def block(bound: BoundArguments) -> v.Fact:
    """As many dimensions as the lists are deep, or as one of the arrays has."""
    leaves, depth = [bound["arrays"].fact], 0
    while leaves and all(v.only(leaf, "sequence") for leaf in leaves):
        rows = [atom for leaf in leaves for atom in leaf if isinstance(atom, v.Sequence)]
        leaves = [item for row in rows for item in ([row.element] if row.items is None else row.items)]
        depth += 1
    parts = [arraylike(leaf, weak=False) for leaf in leaves]
    if any(part is None or v.may(leaf, "sequence") for part, leaf in zip(parts, leaves, strict=True)):
        return v.ARRAY
    known = [part for part in parts if part is not None]
    ranks = broadcast([frozenset([depth]), *(part[1] for part in known)])
    return make(promote_dtypes([part[0] for part in known]), ranks, decays=False)
