"""What the names and attributes that a loop reads hold, and how NumPy gets it."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.scalars.numbers import KINDS
from np2torch.rules.site import ModuleContext

PLAIN = ("number", "text", "none", "builtin")
"""Python's own: the same on both sides."""
MIXED = ("array", "scalar", "number", "text", "none", "unknown")
"""What run time can tell apart."""


def is_plain(fact: v.Fact, depth: int = 0) -> bool:
    """Is it Python's own, with nothing in it that would be a tensor?"""
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


def is_items(fact: v.Fact) -> bool:
    """Is it a tuple or list of arrays and numbers, and nothing deeper?"""
    return v.only(fact, "sequence") and all(
        isinstance(atom, v.Sequence) and atom.type in ("tuple", "list") and v.only(v.elements(atom), *MIXED[:-1])
        for atom in fact
    )


def is_mixed(fact: v.Fact) -> bool:
    """Is it an array, a scalar, or something that run time can tell from them?"""
    return v.only(fact, *MIXED)


def is_held(ctx: ModuleContext, node: ast.AST) -> bool:
    """Is a NumPy scalar held as a Python number there?"""
    fact = ctx.engine.facts.get(node) or v.TOP
    return node in ctx.numbers or any(isinstance(atom, v.Scalar) and atom.python for atom in fact)


def are_scalars(fact: v.Fact) -> bool:
    """Is it always a NumPy scalar, of a dtype that a Python number stands for?"""
    return v.only(fact, "scalar") and (v.dtypes_of(fact) or {""}) <= KINDS.keys()


def is_array(fact: v.Fact, has_axes: bool) -> bool:
    """Is it an array, and no number that a guard lets through?"""
    return v.only(fact, "array") and (has_axes or 0 not in (v.ranks_of(fact) or {0}))
