"""Methods and protocols of NumPy scalars that tensors lack: `x.is_integer()`, `divmod(x, y)`, `math.trunc(x)`."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.python_types import OF_NUMBERS
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.hashing import by_value, is_scalar, items_hashed
from np2torch.rules.syntax.runtime_dispatch import shim_attribute, shim_invoke

SPECIAL = frozenset(
    "__trunc__ __floor__ __ceil__ __round__ __divmod__ __rdivmod__ __index__ __int__ __float__ __complex__".split()
)
"""Special methods of numbers that are called by name."""
PYTHONS = {
    "is_integer": {"float64"}, "as_integer_ratio": {"float64"}, "hex": {"float64"}, "bit_count": {"int64"},
}  # fmt: skip
"""dtypes whose scalars answer such a method as the Python number of their value does."""
CLASSES = ("float", "int", "complex")
WHY = "a method of Python's numbers"


@on(Phase.PYTHON, ast.Call)
def method_of_a_number(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`x.is_integer()` of a NumPy scalar, or of what may be one."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in OF_NUMBERS and function.attr not in SPECIAL:
        return None
    owner = ctx.fact(function.value)
    if is_scalar(owner) and (v.dtypes_of(owner) or {"any"}) <= PYTHONS.get(function.attr, set()):
        by_value(ctx, function.value, WHY)
        return None
    if v.known_to_include(owner, "array", "scalar") or ctx.is_open(function.value):
        return shim_invoke(node, function.attr, f".{function.attr}()")
    return None


@on(Phase.PYTHON, ast.Call)
def method_of_a_class(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`float.hex(x)`, `math.trunc(x)`, `map(float.is_integer, xs)`: they take Python's numbers alone."""
    if _takes_numbers(ctx, node.func) and node.args:
        number_of(ctx, node.args[0])
    elif v.sole(ctx.fact(node.func)) == v.Builtin("map") and len(node.args) == 2 and _takes_numbers(ctx, node.args[0]):
        items_hashed(ctx, node.args[1])
    return None


def _takes_numbers(ctx: ModuleContext, function: ast.expr) -> bool:
    atom = v.sole(ctx.fact(function))
    if not isinstance(atom, v.Builtin):
        return False
    owner, _, name = atom.name.rpartition(".")
    return atom.name == "math.trunc" or owner in CLASSES and not name.startswith("from")


def number_of(ctx: ModuleContext, node: ast.expr) -> None:
    """The Python number of a 0-D tensor, or of what may be one."""
    fact = ctx.fact(node)
    if is_scalar(fact):
        by_value(ctx, node, WHY)
    elif v.known_to_include(fact, "scalar", "array") or ctx.is_open(node):
        ctx.wrap(node, "shim.key(", ")", "shim", "NPT105", WHY)


@on(Phase.PYTHON, ast.Attribute)
def part_of_an_integer(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """`x.numerator`, `x.denominator`."""
    if node.attr not in ("numerator", "denominator") or not isinstance(node.ctx, ast.Load):
        return None
    if not v.known_to_include(ctx.fact(node.value), "scalar", "array") and not ctx.is_open(node.value):
        return None
    return shim_attribute(node)
