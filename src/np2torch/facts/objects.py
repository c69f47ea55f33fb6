"""Objects that count as numbers to a program and that NumPy holds as objects: fractions, decimals, expressions."""

from __future__ import annotations

import ast

from np2torch.facts import values as v

NUMBERS = frozenset({"fractions.Fraction()", "decimal.Decimal()"})
SYMBOLS = frozenset({"sympy"})
"""Packages whose functions give expressions of symbols."""
COMPUTING = frozenset({"sympy.lambdify()"})
"""Objects of such a package that are called with arrays and return arrays."""


def is_object(atom: v.Atom) -> bool:
    """Tell whether it is such an object."""
    if not isinstance(atom, v.Opaque) or "()" not in atom.origin or atom.origin in COMPUTING:
        return False
    return atom.origin in NUMBERS or atom.origin.split(".")[0] in SYMBOLS


def _is_symbol(atom: v.Atom) -> bool:
    return isinstance(atom, v.Opaque) and atom.origin.split(".")[0] in SYMBOLS


def holds_object(fact: v.Fact) -> bool:
    """Tell whether it may be such an object, or a list or tuple with one in it."""
    held = (v.elements(atom) for atom in fact if isinstance(atom, v.Sequence))
    return any(map(is_object, fact)) or any(map(holds_object, held))


def operate_on_objects(op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Give what an operator makes of such an object and of what stands beside it; None where neither side is one."""
    if issubclass(op, ast.cmpop):
        return None
    for one, other in ((left, right), (right, left)):
        if not one or not all(map(is_object, one)):
            continue
        if v.only(other, "array") and 0 not in (v.ranks_of(other) or {0}):
            return v.OBJECTS
        if op is ast.Pow and one is right and not any(map(_is_symbol, one)):
            return v.TOP  # a root is a float
        if all(is_object(atom) or isinstance(atom, v.Num) and atom.type == "int" for atom in other):
            return one | v.keep(other, is_object)
        return v.TOP
    return None
