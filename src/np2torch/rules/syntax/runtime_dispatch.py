"""Operators, subscripts and methods that are decided at run time."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.rules.rule_arguments import Template
from np2torch.rules.site import Edit, ModuleContext, Written, call_arguments, placeholder, source_of, text_edit

PYTHON_NAMES = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift", ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert",
}  # fmt: skip
"""Python's `operator` names, which `shim.operator` shares."""
ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def may_meet_ndarray(ctx: ModuleContext, op: ast.cmpop, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether a tensor may meet an array of a dtype that torch lacks, with which it has no order."""
    is_asked = isinstance(op, ORDERING) and ctx.mentions_numpy and not ctx.converted_already()
    return is_asked and DOMAIN.names_unheld and all(v.known_to_include(one, "unknown") for one in (left, right))


def shim_operator(ctx: ModuleContext, node: ast.expr, op: ast.AST, *operands: ast.expr) -> Edit:
    """The operator decided at run time."""
    template = Template()
    if isinstance(node, ast.BinOp) and (links := _links(node)):
        text = f"shim.operator.chain({', '.join(_argument(link, template) for link in links)})"
    else:
        text = f"shim.operator.{PYTHON_NAMES[type(op)]}({', '.join(map(template.mark, operands))})"
    why = "dtypes or kinds are not known"
    return Edit(node, "shim", "NPT152", source_of(node), why, text=text, pieces=template.nodes)


MOST_NESTED = 40
"""A sum of more terms is one call: as calls in calls Python would not even parse it, from 200 on."""
SIGNS: tuple[dict[type[ast.operator], str], ...] = (
    {ast.Add: "+", ast.Sub: "-"},
    {ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.MatMult: "@"},
)
"""Operators that are worked off from left to right, by their precedence."""


def _links(node: ast.BinOp) -> list[ast.expr | str]:
    """The operands and signs of a long sum or product; nothing of a short one."""
    signs = next((signs for signs in SIGNS if type(node.op) in signs), {})
    links: list[ast.expr | str] = []
    first: ast.expr = node
    while isinstance(first, ast.BinOp) and type(first.op) in signs:
        links += [first.right, signs[type(first.op)]]
        first = first.left
    return [first, *reversed(links)] if len(links) > 2 * MOST_NESTED else []


def _argument(link: ast.expr | str, template: Template) -> str:
    return f'"{link}"' if isinstance(link, str) else template.mark(link)


def slice_text(part: ast.expr, template: Template) -> str:
    """An index entry as an expression: slices become `slice(...)`, no longer than need be."""
    if isinstance(part, ast.Slice):
        given = [part.lower, part.upper, part.step] if part.step is not None else [part.lower, part.upper]
        if given == [None, None]:
            return "slice(None)"
        return f"slice({', '.join('None' if bound is None else template.mark(bound) for bound in given)})"
    return template.mark(part)


def index_text(node: ast.expr, template: Template) -> str:
    """A whole index as an expression."""
    if isinstance(node, ast.Tuple):
        inner = ", ".join(slice_text(e, template) for e in node.elts)
        return f"({inner},)" if len(node.elts) == 1 else f"({inner})"
    return slice_text(node, template)


def shim_getitem(ctx: ModuleContext, node: ast.Subscript, why: str) -> Edit:
    """The subscript decided at run time."""
    template = Template()
    owner = template.mark(node.value)
    text = f"shim.operator.getitem({owner}, {index_text(node.slice, template)})"
    return Edit(node, "shim", "NPT152", source_of(node), why, text=text, pieces=template.nodes)


def shim_store(ctx: ModuleContext, node: ast.stmt, target: ast.Subscript, value: ast.expr, why: str) -> Edit:
    """The store decided at run time."""
    template = Template()
    owner = template.mark(target.value)
    text = f"shim.operator.setitem({owner}, {index_text(target.slice, template)}, {template.mark(value)})"
    return Edit(node, "shim", "NPT152", source_of(target), why, text=text, pieces=template.nodes)


def shim_invoke(node: ast.Call, name: str, source: str) -> Edit:
    """The method call decided at run time."""
    function = node.func
    assert isinstance(function, ast.Attribute)
    template = Template()
    arguments: Written = [(None, template.mark(function.value)), (None, f'"{name}"')]
    arguments += call_arguments(node, template)
    return Edit(
        node, "shim", "NPT151", source, "the receiver or its dtype is not known", pieces=template.nodes,
        function="shim.invoke", arguments=arguments,
    )  # fmt: skip


def shim_attribute(node: ast.Attribute) -> Edit:
    """The attribute decided at run time."""
    text = f'shim.attribute({placeholder(0)}, "{node.attr}")'
    return Edit(node, "shim", "NPT151", f".{node.attr}", "decided at run time", text=text, pieces=[node.value])


def by_shim(node: ast.Call, name: str, why: str) -> Edit:
    """A call of Python's as one of the shim's, with the same arguments."""
    template = Template()
    written = [template.mark(argument) for argument in node.args]
    for one in node.keywords:
        written.append((f"{one.arg}=" if one.arg else "**") + template.mark(one.value))
    arguments = ", ".join(written)
    return text_edit(node, "shim", "NPT152", why, template, f"shim.{name}({arguments})")
