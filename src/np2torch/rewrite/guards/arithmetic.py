"""Python's operators of numbers and lists, which a guard would make NumPy's: lists repeated or equal, divisions."""

from __future__ import annotations

import ast
from collections.abc import Container

from np2torch.facts import values as v
from np2torch.facts.interpreter.operators import may_count
from np2torch.rewrite.guards.worlds import Facts

DIVIDING = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
"""Operators that raise ArithmeticError for some of Python's numbers."""


def repeats(facts: Facts, guarded: Facts) -> bool:
    """Tell whether a list is repeated that is an array behind the guard: `3 * [1, 2]`."""
    products = (node for node in facts if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult))
    products = (node for node in products if is_list(facts[node]) and not is_list(guarded.get(node, v.BOTTOM)))
    return any(_counts_beside(facts, node) for node in products)


def equates(facts: Facts, guarded: Facts) -> bool:
    """Tell whether a list that is an array behind the guard is compared with a number, which Python does as a whole."""
    for node in facts:
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.Eq, ast.NotEq)) for op in node.ops):
            sides = [node.left, *node.comparators]
            lists = [side for side in sides if is_list(facts.get(side, v.BOTTOM))]
            made = any(not is_list(guarded.get(side, v.BOTTOM)) for side in lists)
            if made and any(v.known_to_include(facts.get(side, v.BOTTOM), "number") for side in sides):
                return True
    return False


def divides_numbers(facts: Facts, guarded: Facts, differing: Container[ast.AST]) -> bool:
    """Tell whether a number is divided by another, or raised to its power, where one is an array behind the guard.

    Parameters
    ----------
    differing
        The expressions that are, or may be, something else behind the guard.
    """
    for node in facts:
        if isinstance(node, ast.BinOp) and isinstance(node.op, DIVIDING) and not _divides_by_constant(node, facts):
            sides = (node.left, node.right)
            if not any(side in differing for side in sides):
                continue
            numbers = all(v.known_to_include(facts.get(side, v.TOP), "number", "unknown") for side in sides)
            if numbers and not all(v.only(guarded.get(side, v.TOP), "number") for side in sides):
                return True
    return False


def _divides_by_constant(node: ast.BinOp, facts: Facts) -> bool:
    """Tell a division by a number that is known not to be zero: `x / 2`, `x % (2 * np.pi)`."""
    return not isinstance(node.op, ast.Pow) and bool(v.constant(facts.get(node.right, v.BOTTOM)))


def _counts_beside(facts: Facts, product: ast.BinOp) -> bool:
    """Tell whether a side of a product may say how often a list on the other is repeated; else it is an error."""
    sides = (facts.get(product.left, v.TOP), facts.get(product.right, v.TOP))
    return any(is_list(one) and any(map(may_count, other)) for one, other in (sides, sides[::-1]))


def is_list(fact: v.Fact) -> bool:
    return v.known_to_include(fact, "sequence")


def is_short(number: object) -> bool:
    """Tell whether it is a number of few binary digits, the same in every precision."""
    return isinstance(number, (int, float)) and abs(number) < 1024 and (number * 8) % 1 == 0


def is_whole_power(facts: Facts, node: ast.BinOp) -> bool:
    """Tell a power of whole numbers that NumPy has: its exponent is not known to be negative."""
    if not isinstance(node.op, ast.Pow):
        return False
    exponent = facts.get(node.right, v.BOTTOM)
    constant = v.constant(exponent)
    is_negative = isinstance(constant, (int, float)) and constant < 0
    return is_whole(exponent) and not is_negative


def is_remainder_in_double(facts: Facts, node: ast.BinOp) -> bool:
    """Tell a remainder or floor division that float64 has as integers do: no integer is divided by zero in it."""
    if not isinstance(node.op, (ast.Mod, ast.FloorDiv)):
        return False
    result = facts.get(node, v.BOTTOM)
    numbers = {atom.type for atom in result if isinstance(atom, v.Num)}
    dtypes = v.dtypes_of(result) if v.only(result, "number", "scalar", "array") else None
    is_floating = dtypes is not None and all("float" in one for one in {*dtypes, *numbers})
    return is_floating or bool(v.constant(facts.get(node.right, v.BOTTOM)))


def is_whole(fact: v.Fact) -> bool:
    """Tell integers: Python's, or an array of them."""
    if not v.only(fact, "number", "scalar", "array") or (dtypes := v.dtypes_of(fact)) is None:
        return False
    return all("int" in dtype for dtype in (*dtypes, *(atom.type for atom in fact if isinstance(atom, v.Num))))
