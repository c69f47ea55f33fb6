"""Lower bounds of integers, as far as the text and the signs of its parts tell."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from np2torch.facts import values as v

Known = Callable[[ast.expr], v.Fact]


def least(node: ast.expr, known: Known) -> float:
    """The least value that an integer may have; -inf where that is not known.

    Parameters
    ----------
    known
        What is known of an expression.
    """
    match node:
        case ast.BinOp(op=ast.Add()):
            return least(node.left, known) + least(node.right, known)
        case ast.BinOp(op=ast.Mult()):
            sides = least(node.left, known), least(node.right, known)
            return sides[0] * sides[1] if min(sides) >= 0 else -math.inf
        case ast.Call(func=ast.Name(id="max")) if not node.keywords and len(node.args) > 1:
            return max(least(one, known) for one in node.args)
    return min((_least_of(atom) for atom in known(node)), default=-math.inf)


def _least_of(atom: v.Atom) -> float:
    if not isinstance(atom, v.Num) or atom.type not in ("int", "bool"):
        return -math.inf
    if isinstance(atom.value, int):
        return atom.value
    return 0 if atom.nonnegative or atom.type == "bool" else -math.inf
