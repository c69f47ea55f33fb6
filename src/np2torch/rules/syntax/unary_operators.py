"""Operators with one operand: `-x`, `~x`, `+x`."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import COMPLEX, UNSIGNED, Template
from np2torch.rules.sharing import sharing_shows
from np2torch.rules.site import Edit, ModuleContext, text_edit
from np2torch.rules.syntax.operators import involves_arrays, may_mix
from np2torch.rules.syntax.runtime_dispatch import shim_operator

NO_NEGATIVE: dict[type[ast.unaryop], frozenset[str]] = {
    ast.Invert: UNSIGNED,
    ast.USub: UNSIGNED | COMPLEX | {"bool"},
}
"""dtypes that torch does not turn as NumPy does: complex zeros lose their signs, bools raise another class."""


@on(Phase.NUMPY, ast.UnaryOp)
def unary(ctx: ModuleContext, node: ast.UnaryOp) -> Edit | None:
    """`-x`, `~x`."""
    fact = ctx.fact(node.operand)
    if not isinstance(node.op, ast.Not) and may_mix(ctx, fact):
        if isinstance(node.op, ast.UAdd) or (v.dtypes_of(fact) or frozenset()) & NO_NEGATIVE[type(node.op)]:
            return shim_operator(ctx, node, node.op, node.operand)
        return None
    if isinstance(node.op, ast.Not) or not involves_arrays(fact):
        return None
    if isinstance(node.op, ast.UAdd):
        if not sharing_shows(ctx, node) or ctx.converted_already() and not v.is_tensor(fact):
            return None
        if v.is_tensor(fact):
            template = Template()
            text = f"{template.mark(node.operand)}.clone()"
            return text_edit(node, "cast", "NPT202", "`+x` is x itself in torch", template, text)
        return shim_operator(ctx, node, node.op, node.operand)
    if not v.is_tensor(fact):
        if isinstance(node.op, ast.Invert) and v.known_to_include(fact, "number") and not ctx.converted_already():
            return shim_operator(ctx, node, node.op, node.operand)
        return None
    if _turns_otherwise(node.op, fact):
        return shim_operator(ctx, node, node.op, node.operand)
    return None


def _turns_otherwise(op: ast.unaryop, fact: v.Fact) -> bool:
    """Tell whether torch does not turn it as NumPy does; where dtypes are supposed, whether it refuses all of them."""
    dtypes = v.dtypes_of(fact) or frozenset()
    return bool(dtypes & NO_NEGATIVE[type(op)]) and (not DOMAIN.supposed or dtypes <= UNSIGNED)
