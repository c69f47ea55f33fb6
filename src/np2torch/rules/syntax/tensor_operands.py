"""Operands that are made tensors where they stand: lists, and Python numbers beside arrays of several dtypes."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.rules.arraylike import WEAKLY_SAFE, loosen
from np2torch.rules.casts import IN_RESULTS_DTYPE, apply_casts, unify
from np2torch.rules.rule_arguments import CallSite, Decline, RuleArgument, Template
from np2torch.rules.site import Edit, ModuleContext, text_edit

SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@",
}  # fmt: skip
"""Operators that NumPy computes as the function of that name, whatever its operands are made of."""
ARRAYS = ("array", "scalar")


def tensor_operands(ctx: ModuleContext, node: ast.BinOp, name: str, left: v.Fact, right: v.Fact) -> Edit | None:
    """`x * [1.0, 2.0]`, `x * step` where `step` may be a number or a list: what is no tensor yet is made one.

    Text and None are no alternatives: NumPy refuses them, and torch makes no tensor of them.
    """
    if type(node.op) not in SIGNS or not any(v.is_tensor(side) for side in (left, right)):
        return None
    if isinstance(node.op, ast.Mult) and _repeats(left, right):
        return None
    template = Template(CallSite(has_comments=ctx.has_comments))
    pieces = [template.of(operand, side) for operand, side in ((node.left, left), (node.right, right))]
    try:
        for piece in pieces:
            piece.assume(v.without(v.without(piece.fact, "text"), "none"))
            if not loosen(piece).is_tensor:
                return None
        made = _in_one_dtype(name, pieces)
        text = f"{made[0]} {SIGNS[type(node.op)]} {made[1]}"
    except Decline:
        return None
    return text_edit(node, "cast", "NPT205", "torch computes with tensors and numbers", template, text)


def without_refused(side: v.Fact, other: v.Fact) -> v.Fact:
    """A factor beside scalars that are floats for sure: of lists and text both sides refuse the product."""
    dtypes = v.dtypes_of(other)
    if not v.only(other, "scalar") or not v.is_tensor(other) or not dtypes or not dtypes <= FLOATING:
        return side
    rest = v.without(v.without(side, "sequence"), "text")
    return rest if v.known_to_include(rest, "array", "scalar", "number") else side


def _repeats(*sides: v.Fact) -> bool:
    """Tell whether it may be a list times how often: beside a 0-D operand of integers NumPy leaves that to Python."""
    lists = any(v.known_to_include(side, "sequence") for side in sides)
    return lists and any(
        isinstance(atom, (v.Array, v.Scalar)) and (v.ranks_of(v.one(atom)) or {0}) & {0}
        and not (atom.dtypes or DOMAIN.unknown) <= FLOATING
        for side in sides for atom in side
    )  # fmt: skip


FLOATING = frozenset({"float64", "float32", "complex128", "complex64"})


def _in_one_dtype(name: str, pieces: list[RuleArgument]) -> list[RuleArgument]:
    """The operands in the dtype of the result, as far as they are made here; those that are tensors by the tables."""
    casts = unify(name, [piece.fact for piece in pieces])
    if casts is None or casts.result is not None:
        raise Decline("dtypes unknown")
    found = apply_casts(casts, pieces)
    for index, piece in enumerate(found):
        other = found[1 - index]
        if piece.made_by == "torch.as_tensor" and piece.dtype is None:
            if other.dtype != "float64" or name not in IN_RESULTS_DTYPE or not piece.dtypes() <= REAL:
                raise Decline("the dtype of the result is not known")
            found[index] = piece.to("float64")
    return found


REAL = frozenset({"bool", "int64", "float64"})
FLOAT = v.array("float64", 0)


def float_operand(ctx: ModuleContext, node: ast.BinOp, name: str, left: v.Fact, right: v.Fact) -> Edit | None:
    """`0.5 * x` of an array of unknown dtype: a 0-D tensor of float64 takes integers to float64, as the float does."""
    if type(node.op) not in (ast.Add, ast.Sub, ast.Mult, ast.Div):
        return None
    for index, (number, array) in enumerate(((left, right), (right, left))):
        if not v.only(number, "number") or not v.only(array, *ARRAYS) or not v.is_tensor(array):
            continue
        kinds = {atom.type for atom in number if isinstance(atom, v.Num)}
        if kinds != {"float"} and not (kinds == {"int"} and isinstance(node.op, ast.Div)):
            return None
        casts = unify(name, [FLOAT, array] if index == 0 else [array, FLOAT])
        if not (v.dtypes_of(array) or DOMAIN.unknown) <= WEAKLY_SAFE or casts is None or any(casts.operands):
            return None
        template = Template()
        texts = [template.mark(node.left), template.mark(node.right)]
        texts[index] = f"torch.tensor({texts[index]}, dtype=torch.float64)"
        text = f"{texts[0]} {SIGNS[type(node.op)]} {texts[1]}"
        return text_edit(node, "cast", "NPT205", "integers become float64, as beside a float", template, text)
    return None
