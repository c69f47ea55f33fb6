"""Text of arrays and NumPy scalars: print, f-strings, the percent sign."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.site import Context, Edit, on
from np2torch.rules.syntax.foreign import holds_tensor
from np2torch.rules.syntax.hashing import by_value, is_scalar

NARROW = frozenset({"float32", "float16", "complex64", "complex128"})
"""dtypes whose numbers NumPy prints otherwise than Python prints its own."""
REPRESENTATION = "shim.representation("
"""What a `!r` behind becomes part of."""
BESIDE = ("scalar", "number", "none", "text", "unknown", "instance")
"""What may be beside a NumPy scalar where its text is made; arrays are printed as torch prints them."""


def print_scalar(ctx: Context, node: ast.expr) -> None:
    """A NumPy scalar or a shape where its text is made."""
    if isinstance(node, ast.Starred):
        return print_items(ctx, node)
    fact = ctx.fact(node)
    if why := text_of(fact):
        ctx.wrap(node, "shim.text(", ")", "shim", "NPT105", why)
    elif is_scalar(fact):
        by_value(ctx, node, "printed as a number")
    elif isinstance(node, ast.Attribute) and node.attr == "shape" and v.known_to_include(ctx.fact(node.value), "array"):
        ctx.wrap(node, "tuple(", ")", "native", "NPT105", "printed as a tuple")


def print_items(ctx: Context, node: ast.Starred) -> None:
    """`*x` among what is printed: each of its items by its own text."""
    if holds_tensor(ctx.fact(node.value)):
        ctx.wrap(node.value, "map(shim.text, ", ")", "shim", "NPT105", "printed as NumPy prints them")


def text_of(fact: v.Fact) -> str:
    """Why its text is to be made by the shim; empty where it need not be."""
    if holds_scalars(fact):
        return "NumPy scalars in it are printed by their type"
    if is_scalar(fact):
        return "printed as NumPy prints the dtype" if (v.dtypes_of(fact) or NARROW) & NARROW else ""
    mixed = any(isinstance(atom, v.Scalar) and not atom.python for atom in fact) and v.only(fact, *BESIDE)
    return "a NumPy scalar is printed by its value" if mixed else ""


def holds_scalars(fact: v.Fact) -> bool:
    """Is it a list or tuple with NumPy scalars or arrays in it?"""
    return v.only(fact, "sequence") and holds_tensor(fact)


def print_array(ctx: Context, node: ast.expr) -> None:
    """An array where its text is made."""
    ctx.wrap(node, "shim.array_str(", ")", "shim", "NPT105", "printed as NumPy prints arrays")


def _is_array(fact: v.Fact) -> bool:
    return v.only(fact, "array") and v.rank_of(fact) not in (0, None)


def _may_have_axes(fact: v.Fact) -> bool:
    return v.only(fact, "array") and v.rank_of(fact) != 0


@on(ast.FormattedValue)
def formatted(ctx: Context, node: ast.FormattedValue) -> Edit | None:
    """`f"{x.shape}"`: torch prints its own class."""
    shape = isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    fact = ctx.fact(node.value)
    if node.conversion == ord("r") and not shape:
        if v.only(fact, "array", "scalar") or text_of(fact):
            ctx.wrap(node.value, REPRESENTATION, ")", "shim", "NPT105", "written as NumPy writes it")
    elif node.conversion == ord("s"):
        print_scalar(ctx, node.value)
        if v.only(fact, "array"):
            print_array(ctx, node.value)
    elif shape or node.format_spec is None and holds_scalars(ctx.fact(node.value)):
        print_scalar(ctx, node.value)
    elif node.format_spec is None and _may_have_axes(ctx.fact(node.value)):
        print_array(ctx, node.value)
    return None


@on(ast.BinOp)
def percent(ctx: Context, node: ast.BinOp) -> Edit | None:
    """`"%s" % a`."""
    template = ctx.fact(node.left)
    if isinstance(node.op, ast.Mod) and v.only(template, "text"):
        for part in node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]:
            if _is_array(ctx.fact(part)):
                print_array(ctx, part)
            elif is_scalar(ctx.fact(part)) and "%s" in str(v.constant(template) or "%s"):
                print_scalar(ctx, part)
            elif isinstance(part, ast.Attribute) and (part is not node.right or part.attr != "shape"):
                print_scalar(ctx, part)
    return None


@on(ast.Call)
def text_format(ctx: Context, node: ast.Call) -> Edit | None:
    """`"{} {:.2f}".format(x.shape, a)`: a 0-D tensor is formatted as its number is, all else as torch prints it."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == "format" and v.only(ctx.fact(function.value), "text"):
        plain = ":" not in str(v.constant(ctx.fact(function.value)) or ":")
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            if isinstance(argument, ast.Starred):
                print_items(ctx, argument)
            elif _is_array(ctx.fact(argument)) or plain and _may_have_axes(ctx.fact(argument)):
                print_array(ctx, argument)
            elif holds_scalars(ctx.fact(argument)) or isinstance(argument, ast.Attribute) and argument.attr == "shape":
                print_scalar(ctx, argument)
    return None
