"""Items of which something is read that no NumPy scalar has: `for part in parts: part.name`."""

from __future__ import annotations

import ast

from np2torch.facts.evidence import TESTS, is_of_no_array
from np2torch.names.tree import walk as tree_walk

OF_NUMBERS = frozenset("is_integer as_integer_ratio hex bit_count bit_length".split())
"""What NumPy scalars have beyond arrays."""


def are_objects(target: ast.expr, scope: ast.AST) -> bool:
    """Tell whether what a loop binds to a name is no scalar, by what the loop reads of it; tested names may be any."""
    if not isinstance(target, ast.Name):
        return False
    is_read = False
    for node in tree_walk(scope):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == target.id:
            is_read = is_read or is_of_no_array(node.attr) and node.attr not in OF_NUMBERS
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in TESTS:
            if any(getattr(one, "id", "") == target.id for one in node.args):
                return False
    return is_read
