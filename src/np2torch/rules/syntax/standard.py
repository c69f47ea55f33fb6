"""Functions of Python's standard library that are given arrays: what they do to a list is done to the tensor."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter.operators import is_set
from np2torch.facts.stdlib import OF_KEYS, OF_NUMBERS, OF_STATISTICS, RANDOM
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.scalars.ownership import go_backwards
from np2torch.rules.scalars.reads import library_name
from np2torch.rules.sharing import sharing_shows
from np2torch.rules.site import Edit, ModuleContext, text_edit
from np2torch.rules.syntax.buffers import feeds_digest
from np2torch.rules.syntax.foreign import contents, holds_tensor
from np2torch.rules.syntax.hashing import is_vector, items_hashed
from np2torch.rules.syntax.runtime_dispatch import PYTHON_NAMES

OPERATORS = frozenset(PYTHON_NAMES.values()) | {"getitem", "setitem", "contains"} | {
    f"i{name.rstrip('_')}" for name in PYTHON_NAMES.values() if name not in ("neg", "pos", "invert", "eq", "ne")
}  # fmt: skip
"""Functions of `operator` that the shim has as well."""


@on(Phase.PYTHON, ast.Call)
def library_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`random.shuffle(a)`, `statistics.mean(a)`, `operator.setitem(a, 0, x)`, `reversed(a)`."""
    if ctx.converted_already() or not node.args or isinstance(node.args[0], ast.Starred):
        return None
    name = library_name(ctx.fact(node.func))
    is_shuffle = isinstance(node.func, ast.Attribute) and node.func.attr == "shuffle"
    if name in ("random.shuffle", f"{RANDOM}.shuffle") or is_shuffle and _may_be_generators(ctx, node.func):
        return _moved(ctx, node)
    if name.startswith("operator.") and name.removeprefix("operator.") in OPERATORS:
        return _operator(ctx, node, name)
    if name == "reversed":
        _backwards(ctx, node)
    elif name in OF_KEYS:
        items_hashed(ctx, node.args[0])
    elif name in OF_NUMBERS:
        for argument in node.args[OF_NUMBERS[name] :][:1]:
            numbers(ctx, argument)
    elif name in OF_STATISTICS:
        _statistics(ctx, node, name)
    elif _updates_members(ctx, node) and is_vector(ctx.fact(node.args[0])):
        items_hashed(ctx, node.args[0])  # a set or a counter: no dict takes it
    return None


def _updates_members(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether it is the method `update` of what may be a set or a counter, and of no object of the project."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "update" or node in ctx.engine.callees:
        return False
    if feeds_digest(ctx.fact(node.func.value), "update"):
        return False
    return is_set(ctx.fact(node.func.value)) or v.only(ctx.fact(node.func.value), "unknown", "opaque")


def _may_be_generators(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a method of what may be a generator of the module `random` or of NumPy's."""
    return isinstance(node, ast.Attribute) and v.only(ctx.fact(node.value), "unknown")


def _may_be_array(ctx: ModuleContext, node: ast.expr) -> bool:
    return v.known_to_include(ctx.fact(node), "array") or ctx.is_open(node)


def _moved(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`random.shuffle(a)`: elements that change places are views in torch; rows are in NumPy as well."""
    fact = ctx.fact(node.args[0])
    rows = v.only(fact, "array") and 1 not in (v.ranks_of(fact) or {1})
    if rows or not _may_be_array(ctx, node.args[0]) or len(node.args) != 1 or node.keywords:
        return None
    template = Template()
    text = f"shim.on_elements({template.mark(node.func)}, {template.mark(node.args[0])})"
    return text_edit(node, "shim", "NPT152", "elements change places, which are views in torch", template, text)


def _operator(ctx: ModuleContext, node: ast.Call, name: str) -> Edit | None:
    """`operator.iadd(a, 1)`: the operators of the shim go by the same names."""
    if node.keywords or not any(_may_be_array(ctx, one) or v.may(ctx.fact(one), "scalar") for one in node.args):
        return None
    template = Template()
    text = f"shim.{name}({', '.join(map(template.mark, node.args))})"
    return text_edit(node, "shim", "NPT152", "the operator as NumPy means it", template, text)


def _backwards(ctx: ModuleContext, node: ast.Call) -> None:
    """`reversed(a)`: torch goes backwards through a copy, in which no write shows."""
    source = node.args[0]
    if not _may_be_array(ctx, source):
        return
    parent = ctx.parents.get(node)
    is_next = isinstance(parent, ast.Call) and library_name(ctx.fact(parent.func)) == "next"
    aliases = ctx.aliases(source)
    if (
        is_next
        or any(aliases.may_be_written(root, source) for root in aliases.roots(source))
        or sharing_shows(ctx, node)
    ):
        go_backwards(ctx, node, is_kept=False)


GIVING_FLOATS = frozenset(f"statistics.{name}" for name in (
    "correlation covariance fmean geometric_mean linear_regression median_grouped pstdev stdev"
).split())  # fmt: skip
"""Functions that give Python floats of whatever numbers."""


def _statistics(ctx: ModuleContext, node: ast.Call, name: str) -> None:
    """`statistics.mean(a)`: the class of the numbers decides what comes out, and for some dtypes which number."""
    is_float = name in GIVING_FLOATS or isinstance(ctx.parents.get(node), (ast.Compare, ast.FormattedValue))
    given = [one for one in node.args if holds_tensor(ctx.fact(one)) or holds_tensor(contents(ctx, ctx.fact(one)))]
    of_doubles = all(v.only(ctx.fact(one), "array") and v.dtype_of(ctx.fact(one)) == "float64" for one in given)
    if given and of_doubles and is_float:
        for one in given:
            numbers(ctx, one)
        return
    given += [one for one in node.args if one not in given and _may_hold_any(ctx, one)]
    for one in given:
        ctx.wrap(one, "shim.to_numpy(", ")", "boundary", "NPT401", "goes through NumPy's scalars")
    if given:
        ctx.wrap(node, "shim.from_numpy(", ")", "boundary", "NPT403", "a NumPy scalar may come back")


def _may_hold_any(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether tensors may be in it, since nothing is known of it or of what it holds: `[x[0], 2.0]`, `list(x)`."""
    inside = ctx.mentions_numpy and v.known_to_include(contents(ctx, ctx.fact(node)), "unknown")
    return ctx.is_open(node) or inside


def numbers(ctx: ModuleContext, node: ast.expr) -> None:
    """Hand a function what it wants as a sequence of Python's numbers."""
    fact = ctx.fact(node)
    if v.only(fact, "array"):
        ctx.wrap(node, "", ".tolist()", "native", "NPT105", "wants Python numbers")
    elif v.known_to_include(fact, "array") or holds_tensor(fact) or ctx.is_open(node):
        ctx.wrap(node, "shim.numbers(", ")", "shim", "NPT105", "wants Python numbers")
