"""Tracking of complex results: they are kept apart from arrays of unknown dtype, and stay known beside TOP."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN

COMPLEX = frozenset({"complex64", "complex128", "pycomplex"})
"""The dtypes that only some results have, and the weak name of Python's own."""
DEEPEST = 6
"""How far containers in containers are looked into."""


def dtypes_held(fact: v.Fact, depth: int = 0) -> frozenset[str]:
    """The dtypes kept apart that an alternative has, or something in it."""
    out: frozenset[str] = frozenset()
    for atom in fact if DOMAIN.apart else ():
        if isinstance(atom, (v.Array, v.Scalar)):
            out |= (atom.dtypes or frozenset()) & DOMAIN.apart
        elif isinstance(atom, v.Num):
            out |= frozenset({"complex128"} if atom.type == "complex" else ())
        elif depth < DEEPEST:
            out = out.union(*(dtypes_held(inner, depth + 1) for inner in inside(atom)))
    return out


def inside(atom: v.Atom) -> list[v.Fact]:
    """Give what an alternative holds."""
    if isinstance(atom, v.Sequence):
        return [*(atom.items or ()), atom.element]
    if isinstance(atom, v.Iterator):
        return [atom.element]
    return [atom.owner] if isinstance(atom, v.Method) else []


def top_beside_complex(fact: v.Fact) -> v.Fact:
    """Give up a fact but for its complex part; functions in it escape."""
    v.escape(fact)
    held = dtypes_held(fact)
    return v.join(v.TOP, v.one(v.Array(held))) if held else v.TOP


def to_top(fact: v.Fact) -> v.Fact:
    """Give up a fact that does not come to rest.

    None stays in sight: what people say of a value fills in what is unknown, and seldom says that it may be missing.
    """
    return v.join(top_beside_complex(fact), v.NONE) if fact >= v.NONE else top_beside_complex(fact)
