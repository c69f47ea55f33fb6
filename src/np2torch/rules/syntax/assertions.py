"""Assertions of unittest and pytest on arrays and NumPy scalars."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter.operators import stays_python
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.foreign import holds_tensor
from np2torch.rules.syntax.hashing import by_value, is_scalar

EQUAL = ("assertEqual", "assertNotEqual", "assertEquals", "assertNotEquals")
"""Assertions that ask `==`, which knows no lists in torch."""
ROUNDED = ("assertAlmostEqual", "assertNotAlmostEqual", "assertAlmostEquals", "assertNotAlmostEquals")
"""Assertions that round the difference, which tensors do not."""


@on(Phase.PYTHON, ast.Call)
def unittest_assertion(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`self.assertAlmostEqual(x.mean(), 0)`: it rounds the difference, unless the project defines it."""
    function = node.func
    if v.known_to_include(ctx.fact(function), "function"):
        return None
    if isinstance(function, ast.Attribute) and function.attr in EQUAL and len(node.args) > 1:
        for one, other in (node.args[:2], node.args[1::-1]):
            if _is_list_of_numbers(ctx, other) and not v.known_to_include(ctx.fact(one), "sequence"):
                _to_ndarray(ctx, one, "unittest compares an ndarray with a list")
    if isinstance(function, ast.Attribute) and function.attr in (*ROUNDED, "assertEqual"):
        for argument in node.args[:2]:
            fact = ctx.fact(argument)
            if stays_python(fact):
                continue
            if function.attr in ROUNDED:
                fact = v.without(fact, "foreign")  # what stays on NumPy has `item` too
            if is_scalar(fact) and v.dtypes_of(fact) is not None:
                by_value(ctx, argument, "tensors do not round")
            elif function.attr not in ROUNDED or v.rank_of(fact) not in (None, 0):
                continue
            elif v.known_to_include(fact, "scalar", "unknown", "array"):
                _rounded(ctx, argument, fact)
    return None


def _rounded(ctx: ModuleContext, node: ast.expr, fact: v.Fact) -> None:
    """Write what may be a 0-D tensor as a float; of what may be complex that would be a part."""
    if (v.dtypes_of(fact) or DOMAIN.unknown) & {"complex64", "complex128"}:
        ctx.wrap(node, "shim.key(", ")", "shim", "NPT105", "tensors do not round")
    else:
        ctx.wrap(node, "float(", ")", "native", "NPT105", "tensors do not round")


@on(Phase.PYTHON, ast.Call)
def pytest_approx(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`pytest.approx(x)` compares NumPy's arrays, not tensors."""
    if _is_approx(ctx, node):
        for argument in node.args[:1]:
            _to_ndarray(ctx, argument)
    return None


def _is_list_of_numbers(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a list or tuple in the text, of what may be numbers."""
    if not isinstance(node, (ast.List, ast.Tuple)):
        return False
    return bool(node.elts) and not any(v.only(ctx.fact(one), "text", "none") for one in node.elts)


def _to_ndarray(ctx: ModuleContext, node: ast.expr, why: str = "pytest compares ndarrays") -> None:
    if holds_tensor(ctx.fact(node)) or v.known_to_include(ctx.fact(node), "unknown"):
        ctx.wrap(node, "shim.to_numpy(", ")", "boundary", "NPT401", why)


def _is_approx(ctx: ModuleContext, node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    return any(isinstance(a, v.Opaque) and a.origin == "pytest.approx" for a in ctx.fact(node.func))


@on(Phase.REST, ast.Compare)
def compared_with_approx(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    """`x == pytest.approx(...)`."""
    if len(node.ops) == 1:
        for side, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            if _is_approx(ctx, other):
                _to_ndarray(ctx, side)
    return None
