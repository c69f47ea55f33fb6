"""Quotients of a Python number and a tensor, which torch rounds twice."""

from __future__ import annotations

import ast
import math

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.rules.rule_arguments import COMPLEX, Template
from np2torch.rules.site import Edit, ModuleContext, source_of
from np2torch.rules.syntax.runtime_dispatch import shim_operator

Casts = tuple[str | None, str | None]


def inexact_quotient(left: v.Fact, right: v.Fact) -> bool:
    """Tell whether a number may be over a tensor: torch computes the number times the reciprocal.

    A quarter of the quotients is one last bit off, and where the reciprocal is infinite so is the product. The
    reciprocal itself is rounded once, and so is what a power of two from 1 on makes of it.
    """
    sure = v.only(left, "number") or v.is_tensor(right)  # what may be a number on both sides mostly is on both at once
    if not sure or not v.known_to_include(left, "number") or not v.known_to_include(right, "array", "scalar"):
        return False
    value = v.constant(left)
    if isinstance(value, (bool, complex)) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return True
    complexes = bool((v.dtypes_of(right) or DOMAIN.unknown) & COMPLEX)
    return complexes or abs(value) < 1 or math.frexp(value)[0] not in (0.5, -0.5)


def exact_quotient(ctx: ModuleContext, node: ast.BinOp, operands: dict[ast.expr, v.Fact], casts: Casts) -> Edit:
    """`torch.div(3.0, x)` is rounded once, as NumPy's quotient is."""
    if casts[0] is not None or not v.is_tensor(operands[node.right]):
        return shim_operator(ctx, node, node.op, node.left, node.right)
    if casts[1] is not None:
        ctx.cast(node.right, casts[1])
    template = Template()
    text = f"torch.div({template.mark(node.left)}, {template.mark(node.right)})"
    return Edit(node, "cast", "NPT204", source_of(node), "the exact quotient", text=text, pieces=template.nodes)


def zero_free(name: str, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether an integer division has no zero divisor, for which torch raises and NumPy does not."""
    if name not in ("floor_divide", "remainder"):
        return True
    value = v.constant(right)
    if isinstance(value, (int, float)) and value != 0:
        return True
    arrays = [fact for fact in (left, right) if v.known_to_include(fact, "array", "scalar")]
    return right in arrays and all((v.dtypes_of(fact) or {"int64"}) <= {"float64", "float32"} for fact in arrays)
