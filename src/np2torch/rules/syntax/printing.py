"""Text of arrays and NumPy scalars: print, f-strings, the percent sign."""

from __future__ import annotations

import ast
import re

from np2torch.facts import values as v
from np2torch.facts.dtypes import NARROW
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.foreign import contents, holds_tensor
from np2torch.rules.syntax.hashing import by_value, is_scalar, is_vector

WRITTEN_BY_DTYPE = NARROW | {"complex128"}
"""dtypes whose numbers NumPy prints otherwise than Python prints its own."""
ZERO = frozenset({0})
REPRESENTATION = "shim.representation("
"""The call that replaces `!r` behind a value."""
BESIDE = ("array", "scalar", "number", "none", "text", "unknown", "instance")
"""The kinds of value that may stand beside a NumPy scalar in print; a certain array is printed as torch prints it."""
BY_VALUE = "a NumPy scalar is printed by its value"
CONVERSIONS = re.compile(r"%[#0\- +]*(?:\d+|(\*))?(?:\.(?:\d+|(\*)))?([a-zA-Z])")
"""The conversion of a value of a tuple: `%5.2f`; a width that is itself a value (`%*d`) matches nothing."""
AS_TEXT = re.compile(r"%(?:\(\w*\))?[#0\- +\d*.]*[rsa]")
"""A value that is written by its own text, not as a number."""
FIELDS = re.compile(r"\{[^{}]*(?:[:\[.]|!r|!a)")
"""Template fields that need more than a value's text: `{:.2f}`, `{0[1]}`, `{0.shape}`."""
PRINTABLE = "what a template asks for it gets as NumPy has it"


def print_scalar(ctx: ModuleContext, node: ast.expr) -> None:
    """A NumPy scalar or a shape where its text is made."""
    if isinstance(node, ast.Starred):
        return print_items(ctx, node)
    fact = ctx.fact(node)
    if why := text_of(fact):
        ctx.wrap(node, "shim.text(", ")", "shim", "NPT105", why)
    elif is_scalar(fact):
        by_value(ctx, node, "printed as a number")
    elif holds_open(ctx, node):
        ctx.wrap(node, "shim.text(", ")", "shim", "NPT105", BY_VALUE)
    elif asks_anything(ctx, node):
        ctx.wrap(node, "shim.text(", ")", "shim", "NPT105", "as NumPy writes shapes and dtypes")
    elif isinstance(node, ast.Attribute) and node.attr == "shape" and _is_shape(ctx, node):
        ctx.wrap(node, "tuple(", ")", "native", "NPT105", "printed as a tuple")


def _is_shape(ctx: ModuleContext, node: ast.Attribute) -> bool:
    """Tell whether a `shape` is an array's, or a tuple that an object of the project gives for its own."""
    fact = ctx.fact(node)
    is_tuple = bool(fact) and all(isinstance(atom, v.Sequence) and atom.type == "tuple" for atom in fact)
    return is_tuple or v.known_to_include(ctx.fact(node.value), "array")


def may_be_scalar(fact: v.Fact) -> bool:
    """Tell whether it may be a NumPy scalar, or an array without axes, as well as something else."""
    if is_scalar(fact) or not v.known_to_include(fact, "array", "scalar"):
        return False
    arrays = v.keep(fact, lambda atom: atom.kind == "array")
    return v.known_to_include(fact, "scalar") or v.ranks_of(arrays) is None


def holds_open(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether a list or dict may hold a NumPy scalar, whose class is shown in its text."""
    fact = ctx.fact(node)
    if not v.only(fact, "sequence", "mapping") or ctx.converted_already() or is_message(ctx, node):
        return False
    inside = contents(ctx, fact)
    return holds_tensor(inside) or ctx.mentions_numpy and v.known_to_include(inside, "unknown")


def asks_anything(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is the shape or dtype of what may be an array, for all that is known."""
    if not isinstance(node, ast.Attribute) or node.attr not in ("shape", "dtype") or is_message(ctx, node):
        return False
    return ctx.is_open(node.value) or ctx.is_open(node)


def is_message(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether it is part of the message of an error."""
    return isinstance(ctx.statement(node), ast.Raise)


def print_items(ctx: ModuleContext, node: ast.Starred) -> None:
    """`*x` among what is printed: each of its items by its own text."""
    if holds_tensor(ctx.fact(node.value)) or holds_open(ctx, node.value) or ctx.is_open(node.value):
        ctx.wrap(node.value, "map(shim.text, ", ")", "shim", "NPT105", "printed as NumPy prints them")


def text_of(fact: v.Fact) -> str:
    """Give the reason for which a text is made by the shim; empty where it need not be."""
    if v.known_to_include(fact, "dtype"):
        return "torch writes its own name before that of the dtype"
    if holds_scalars(fact):
        return "NumPy scalars in it are printed by their type"
    if is_scalar(fact):
        return "printed as NumPy prints the dtype" if _may_be_narrow(fact) else ""
    mixed = any(isinstance(atom, v.Scalar) and not atom.python for atom in fact) and v.only(fact, *BESIDE)
    return BY_VALUE if mixed else ""


def _may_be_narrow(fact: v.Fact) -> bool:
    """Tell whether it may be a number that `str` writes by its dtype, while `format` takes it for Python's."""
    return bool((v.dtypes_of(fact) or WRITTEN_BY_DTYPE) & WRITTEN_BY_DTYPE)


def why_by_shim(ctx: ModuleContext, node: ast.expr) -> str:
    """Give the reason for which the text of an expression is made by the shim; of top only where programs read it."""
    fact = ctx.fact(node)
    if why := text_of(fact):
        return why
    others = v.without(fact, "instance")  # which have a text of their own
    mixed = holds_tensor(others) and not v.only(fact, "array") and not is_scalar(fact)
    is_open = ctx.may_be_array(node) and not is_message(ctx, node)
    return BY_VALUE if mixed or is_open or holds_open(ctx, node) else ""


def holds_scalars(fact: v.Fact) -> bool:
    """Tell whether it is a list or tuple with NumPy scalars or arrays in it."""
    return v.only(fact, "sequence") and holds_tensor(fact)


def print_array(ctx: ModuleContext, node: ast.expr) -> None:
    """An array where its text is made."""
    ctx.wrap(node, "shim.array_str(", ")", "shim", "NPT105", "printed as NumPy prints arrays")


def _is_array(fact: v.Fact) -> bool:
    return v.only(fact, "array") and v.rank_of(fact) not in (0, None)


def _may_have_axes(fact: v.Fact) -> bool:
    return v.only(fact, "array", "scalar") and any(isinstance(a, v.Array) and a.ranks != ZERO for a in fact)


def is_only_shown(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether it is part of a print or an error message, where torch's own names will do for dtypes."""
    statement = ctx.statement(node)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return v.sole(ctx.fact(statement.value.func)) == v.Builtin("print")
    return isinstance(statement, (ast.Raise, ast.Assert))


@on(Phase.PYTHON, ast.FormattedValue)
def formatted_value(ctx: ModuleContext, node: ast.FormattedValue) -> Edit | None:
    """`f"{x.shape}"`: torch prints its own class."""
    shape = isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    fact = ctx.fact(node.value)
    if v.known_to_include(fact, "dtype") and is_only_shown(ctx, node):
        return None
    if node.conversion == ord("a") or node.conversion == ord("r") and shape:
        _print_quoted(ctx, node.value)
    elif node.conversion == ord("r"):
        if v.only(fact, "array", "scalar") or why_by_shim(ctx, node.value):
            ctx.wrap(node.value, REPRESENTATION, ")", "shim", "NPT105", "written as NumPy writes it")
    elif node.conversion == ord("s"):
        if (why := why_by_shim(ctx, node.value)) and not shape:
            ctx.wrap(node.value, "shim.text(", ")", "shim", "NPT105", why)
        print_scalar(ctx, node.value)
        if v.only(fact, "array"):
            print_array(ctx, node.value)
    elif shape or asks_anything(ctx, node.value):
        print_scalar(ctx, node.value)
    elif node.format_spec is None and (holds_scalars(fact) or holds_open(ctx, node.value)):
        print_scalar(ctx, node.value)
    elif node.format_spec is None:
        _format_plainly(ctx, node.value)
    return None


def _print_quoted(ctx: ModuleContext, node: ast.expr) -> None:
    """Handle `!a`, and `!r` of a shape: of a text that the shim makes both would give the quotes too."""
    if asks_anything(ctx, node) or why_by_shim(ctx, node) or v.only(ctx.fact(node), "array", "scalar"):
        printable(ctx, node)
    else:
        print_scalar(ctx, node)


def _format_plainly(ctx: ModuleContext, node: ast.expr) -> None:
    """Handle a value formatted without a specification: 0-D tensors give the text of a number, others torch's text."""
    fact = ctx.fact(node)
    narrow = _may_be_narrow(fact)
    if v.known_to_include(fact, "dtype"):
        if not is_only_shown(ctx, node):
            print_scalar(ctx, node)
    elif _may_have_axes(fact) and (narrow or v.only(fact, "array")):
        print_array(ctx, node)
    elif v.known_to_include(fact, "array") or ctx.may_be_array(node) and not is_message(ctx, node):
        if narrow:  # a scalar is formatted as Python's number is
            printable(ctx, node)
        else:
            ctx.wrap(node, "shim.text(", ")", "shim", "NPT105", "arrays are printed as NumPy prints them")


@on(Phase.PYTHON, ast.BinOp)
def percent(ctx: ModuleContext, node: ast.BinOp) -> Edit | None:
    """`"%s" % a`."""
    template = ctx.fact(node.left)
    if not isinstance(node.op, ast.Mod) or not v.only(template, "text"):
        return None
    known = v.constant(template)
    if isinstance(node.right, ast.Tuple):
        for part, kind in zip(node.right.elts, _conversions(known, len(node.right.elts)), strict=True):
            _by_percent(ctx, part, kind)
    elif is_scalar(ctx.fact(node.right)) or _is_array(ctx.fact(node.right)):
        _by_percent(ctx, node.right, _conversions(known, 1)[0])
    elif not isinstance(known, str) or AS_TEXT.search(known.replace("%%", "")):
        if not isinstance(node.right, ast.Attribute) or node.right.attr != "shape":  # a tuple of numbers
            _whole(ctx, node.right)
    return None


def _conversions(template: object, count: int) -> list[str]:
    """The letters that say what each of the values is written as; question marks where that cannot be told."""
    found = CONVERSIONS.findall(template.replace("%%", "")) if isinstance(template, str) else []
    letters = [letter for parts in found for letter in parts if letter]  # a star asks for a number of its own
    return letters if len(letters) == count else ["?"] * count


def _whole(ctx: ModuleContext, node: ast.expr) -> None:
    """Find what may be all the values at once: a tuple, a dict, or anything."""
    if ctx.may_be_array(node) and not is_message(ctx, node) or _may_hold_arrays(ctx, node):
        printable(ctx, node)


def _may_hold_arrays(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it may hold what is written otherwise than in NumPy; an instance has a text of its own."""
    fact = ctx.fact(node)
    return holds_open(ctx, node) or holds_tensor(v.without(fact, "instance") | contents(ctx, fact))


def printable(ctx: ModuleContext, node: ast.expr) -> None:
    """A value for a template that may ask for its text as well as for its number."""
    ctx.wrap(node, "shim.printable(", ")", "shim", "NPT105", PRINTABLE)


def _by_percent(ctx: ModuleContext, part: ast.expr, kind: str) -> None:
    fact = ctx.fact(part)
    if v.only(fact, "dtype") and is_only_shown(ctx, part):
        return
    if kind in "ra":
        if v.only(fact, "array", "scalar") or why_by_shim(ctx, part):
            printable(ctx, part)
    elif kind == "?" and (_is_array(fact) or is_scalar(fact) and text_of(fact)):
        printable(ctx, part)
    elif _is_array(fact):
        print_array(ctx, part)
    elif kind == "?":
        if is_scalar(fact):
            print_scalar(ctx, part)
    elif kind == "s" and v.only(fact, "array"):
        printable(ctx, part)
    elif kind == "s":
        shape = isinstance(part, ast.Attribute) and part.attr == "shape"
        if not shape and (why := why_by_shim(ctx, part)):
            ctx.wrap(part, "shim.text(", ")", "shim", "NPT105", why)
        else:
            print_scalar(ctx, part)


@on(Phase.PYTHON, ast.Call)
def text_format(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`"{} {:.2f}".format(x.shape, a)`: a 0-D tensor is formatted as its number is, all else as torch prints it."""
    function = node.func
    if not isinstance(function, ast.Attribute) or not v.only(ctx.fact(function.value), "text"):
        return None
    template = v.constant(ctx.fact(function.value))
    plain = isinstance(template, str) and not FIELDS.search(template)
    represented = not isinstance(template, str) or "!" in template
    named = [keyword.value for keyword in node.keywords if keyword.arg is not None]
    if function.attr == "format":
        for argument in (*node.args, *named):
            if not isinstance(argument, ast.Starred):
                _formatted_by(ctx, argument, plain, represented)
        holders = [argument.value for argument in node.args if isinstance(argument, ast.Starred)]
        holders += [keyword.value for keyword in node.keywords if keyword.arg is None]
    else:
        holders = node.args if function.attr == "format_map" else []
    for holder in holders:
        if not _holds_numbers(ctx, holder) or not isinstance(template, str) or "!" in template:
            _items_formatted(ctx, holder, plain)
    return None


def _formatted_by(ctx: ModuleContext, argument: ast.expr, plain: bool, represented: bool) -> None:
    """An argument of `format`; a `plain` template takes nothing but its text, another one may ask for its `repr`."""
    fact = ctx.fact(argument)
    shape = isinstance(argument, ast.Attribute) and argument.attr == "shape"
    if plain and (shape or holds_scalars(fact)):
        print_scalar(ctx, argument)
    elif plain and _is_array(fact):
        print_array(ctx, argument)
    elif plain and holds_open(ctx, argument):
        print_scalar(ctx, argument)
    elif plain:
        _format_plainly(ctx, argument)
    elif represented and (v.known_to_include(fact, "scalar") or why_by_shim(ctx, argument)):
        printable(ctx, argument)
    elif shape or _is_array(fact) or v.only(fact, "sequence", "mapping") and holds_tensor(contents(ctx, fact)):
        printable(ctx, argument)


def _holds_numbers(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it holds NumPy scalars and no arrays; as 0-D tensors they are formatted as their numbers are."""
    fact = ctx.fact(node)
    return is_vector(fact) or not v.known_to_include(fact | contents(ctx, fact), "array")


def _items_formatted(ctx: ModuleContext, node: ast.expr, plain: bool) -> None:
    """Give what holds values for a template: by their text alone, or however they are asked for."""
    fact = ctx.fact(node)
    if not holds_tensor(fact | contents(ctx, fact)):
        return
    if plain and isinstance(ctx.parents.get(node), ast.Starred):
        ctx.wrap(node, "map(shim.text, ", ")", "shim", "NPT105", "printed as NumPy prints them")
    else:
        printable(ctx, node)


WRITERS = frozenset({"writerow", "writerows", "substitute", "safe_substitute"})
"""Methods of `csv` and `string.Template` that write what they are given by its text."""


LOGGERS = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception"})
"""Methods and functions of `logging` that fill a template in by the percent sign, later or never."""


@on(Phase.PYTHON, ast.Call)
def text_logged(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`log.info("%d values up to %s", len(x), x.max())`."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if name not in LOGGERS or len(node.args) < 2 or not v.only(ctx.fact(node.args[0]), "text"):
        return None
    template = v.constant(ctx.fact(node.args[0]))
    for part, kind in zip(node.args[1:], _conversions(template, len(node.args) - 1), strict=True):
        fact, shape = ctx.fact(part), isinstance(part, ast.Attribute) and part.attr == "shape"
        if kind == "s" and (shape or is_scalar(fact)):
            print_scalar(ctx, part)
        elif kind in "sra?" and holds_tensor(fact | contents(ctx, fact)):
            printable(ctx, part)
    return None


@on(Phase.PYTHON, ast.Call)
def text_written(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`writer.writerow([x[0], "a"])`, `Template("$v").substitute(v=x[0])`."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in WRITERS and not ctx.converted_already():
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            if not is_vector(ctx.fact(argument)):  # a row of numbers
                _written(ctx, argument)
    return None


def _written(ctx: ModuleContext, node: ast.expr) -> None:
    fact = ctx.fact(node)
    if isinstance(node, (ast.List, ast.Tuple)) and not any(isinstance(item, ast.Starred) for item in node.elts):
        for item in node.elts:
            _written(ctx, item)
    elif is_scalar(fact):
        print_scalar(ctx, node)
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        _written(ctx, node.elt)
    elif ctx.may_be_array(node) or _may_hold_arrays(ctx, node):
        printable(ctx, node)
    elif v.only(fact, "iterator") and v.known_to_include(contents(ctx, fact), "unknown") and ctx.mentions_numpy:
        ctx.wrap(node, "map(shim.printable, ", ")", "shim", "NPT105", PRINTABLE)
