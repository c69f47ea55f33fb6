"""The values of the names and attributes that a loop reads, and how they are passed to NumPy."""

from __future__ import annotations

import ast
from collections.abc import Collection

from np2torch.facts import values as v
from np2torch.rules.scalars.numbers import KINDS
from np2torch.rules.site import ModuleContext

PLAIN = ("number", "text", "none", "builtin")
"""Python's own: the same on both sides."""
MIXED = ("array", "scalar", "number", "text", "none", "unknown")
"""The kinds of value that run time can tell apart."""

MODERN = frozenset({"numpy.random.default_rng()", "numpy.random.Generator()"})
STREAMS = MODERN | {"numpy.random.RandomState()", "numpy.random.mtrand.RandomState()"}
"""The generators of random numbers."""


def is_plain(fact: v.Fact, depth: int = 0) -> bool:
    """Tell whether it is a Python object with no tensor in it."""
    for atom in fact:
        if isinstance(atom, v.Sequence):
            if depth > 2 or not is_plain(v.elements(atom), depth + 1) and v.has_items(atom):
                return False
            if not is_plain(v.elements(atom), depth + 1) and v.elements(atom):
                return False
        elif isinstance(atom, v.Iterator):
            if not is_plain(atom.element, depth + 1):
                return False
        elif atom.kind not in PLAIN:
            return False
    return bool(fact)


def _is_items(atom: v.Atom) -> bool:
    """Tell whether it is a tuple or list of arrays and numbers, without nesting."""
    if not isinstance(atom, v.Sequence) or atom.type not in ("tuple", "list"):
        return False
    return v.only(v.elements(atom), *MIXED[:-1])


def goes_in(fact: v.Fact) -> bool:
    """Tell whether a loop may read it in NumPy: what run time can tell apart, or a tuple or list of that."""
    return bool(fact) and all(atom.kind in MIXED or _is_items(atom) for atom in fact)


def is_stream(fact: v.Fact, kinds: Collection[str] = STREAMS) -> bool:
    """Tell whether it is a generator of random numbers, of certain kinds."""
    return v.only(fact, "numpy") and all(isinstance(atom, v.Numpy) and atom.name in kinds for atom in fact)


def is_mixed(fact: v.Fact) -> bool:
    """Tell whether it is an array, a scalar, or a value that can be told apart from these at run time."""
    return v.only(fact, *MIXED)


def comes_back(fact: v.Fact) -> bool:
    """Tell whether a name may hold it on both sides of a loop: a mixed value, or a tuple, which nobody changes."""
    return bool(fact) and all(atom.kind in MIXED or _is_tuple(atom) for atom in fact)


def _is_tuple(atom: v.Atom) -> bool:
    if not isinstance(atom, v.Sequence) or atom.type != "tuple" or not _is_items(atom):
        return False
    return not any(isinstance(one, v.Scalar) and one.python for one in v.elements(atom))


def is_held(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether a NumPy scalar is held as a Python number there."""
    fact = ctx.fact_in_numpy(node)
    return node in ctx.numbers or any(isinstance(atom, v.Scalar) and atom.python for atom in fact)


def are_scalars(fact: v.Fact) -> bool:
    """Tell whether it is always a NumPy scalar, of a dtype that a Python number stands for."""
    return v.only(fact, "scalar") and (v.dtypes_of(fact) or {""}) <= KINDS.keys()


def is_array(fact: v.Fact, has_axes: bool) -> bool:
    """Tell whether it is an array, and not a number that a guard lets through."""
    return v.only(fact, "array") and (has_axes or 0 not in (v.ranks_of(fact) or {0}))
