"""Membership: `x in xs` by the value of what may be a tensor."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter.operators import is_set
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.dtypes import by_contains, names_dtypes
from np2torch.rules.syntax.hashing import (
    hash_by_value,
    inherited_key_by_value,
    key_by_value,
    may_be_mapping,
    open_key_by_value,
)  # fmt: skip


def _hashes(fact: v.Fact) -> bool:
    """Tell whether membership goes by hash: of a dict, a set, something iterated."""
    return any(isinstance(a, (v.Mapping, v.Iterator)) or isinstance(a, v.Sequence) and a.type == "set" for a in fact)


def contains(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    """Look what may be a tensor up by its value."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return None
    left, right = ctx.fact(node.left), ctx.fact(node.comparators[0])
    if v.only(right, "array") and not v.only(left, "number", "scalar"):
        return by_contains(node, "membership by value")
    if ctx.is_open(node.left) and names_dtypes(ctx, node.comparators[0]):
        return by_contains(node, "a dtype equals no text in torch")
    if v.only(left, "scalar") and _hashes(right):
        ctx.wrap(node.left, "", ".item()", "native", "NPT105", "hashed by value")
    elif v.only(right, "iterator") and not any(getattr(atom, "is_range", False) for atom in right):
        key_by_value(ctx, node.left, v.BOTTOM)  # perhaps the keys of a mapping
    elif is_set(right):
        hash_by_value(ctx, node.left)
    elif v.known_to_include(right, "mapping"):
        key_by_value(ctx, node.left, right)
    elif may_be_mapping(ctx, right):
        inherited_key_by_value(ctx, node.left)
    elif v.known_to_include(right, "unknown", "opaque"):
        open_key_by_value(ctx, node.left, ctx.is_open(node.comparators[0]))
    return None


def compares_items(ctx: ModuleContext, node: ast.Compare, left: v.Fact, right: v.Fact) -> bool:
    """Tell `x == [a, b]` of an unknown `x`, where the answer is used as an array is.

    An array is compared with each item, a tensor with none. A truth that is asked for at once is not that of an array:
    NumPy refuses those of several elements.
    """
    if not isinstance(node.ops[0], (ast.Eq, ast.NotEq)) or not ctx.mentions_numpy:
        return False
    beside = any(v.known_to_include(a, "unknown") and v.only(b, "sequence") for a, b in ((left, right), (right, left)))
    return beside and isinstance(ctx.parents.get(node), USING_ARRAYS)


USING_ARRAYS = (ast.Attribute, ast.Call, ast.Subscript, ast.BinOp, ast.keyword)
"""What stands around an expression of which it uses items or methods."""
