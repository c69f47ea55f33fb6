"""Calls of array methods, and of methods of what stays on NumPy."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.arguments import Argument
from np2torch.facts.python_types import having
from np2torch.names.tree import dotted_name
from np2torch.rules.core import METHODS
from np2torch.rules.methods import METHOD_NAMES
from np2torch.rules.rule_arguments import Template, UnsupportedError
from np2torch.rules.site import Edit, ModuleContext, shim_call
from np2torch.rules.syntax.calls import arguments_of, by_rule
from np2torch.rules.syntax.runtime_dispatch import PYTHON_NAMES, shim_invoke

DYNAMIC = frozenset(
    "copy std var sort repeat astype argsort fill flatten nonzero take ptp tobytes partition searchsorted choose "
    "compress prod cumsum cumprod dot transpose min max mean conj argmax argmin any all sum ravel reshape squeeze "
    "round clip view diagonal trace swapaxes tolist item tofile tostring byteswap itemset getfield setfield setflags "
    "argpartition conjugate newbyteorder".split()
)
"""Methods that mean something else for tensors: on a receiver of unknown make they are decided at run time."""
SAME_WITHOUT_ARGUMENTS = frozenset(
    "min max sum any all ravel squeeze round tolist item conj argmax argmin diagonal trace".split()
)


SPELLED_OUT = {
    **{f"__{name.rstrip('_')}__": name for name in PYTHON_NAMES.values()},
    **{
        f"__i{name.rstrip('_')}__": f"i{name.rstrip('_')}"
        for kind, name in PYTHON_NAMES.items() if issubclass(kind, ast.operator)
    },
    "__getitem__": "getitem", "__setitem__": "setitem", "__abs__": "abs",
}  # fmt: skip
"""Methods that stand for an operator or a subscript, and their names in Python's `operator`."""

REFLECTED = {
    f"__r{name.rstrip('_')}__": name for kind, name in PYTHON_NAMES.items() if issubclass(kind, ast.operator)
}
"""Those that stand for an operator with the operands the other way round."""


def _spelled_out(ctx: ModuleContext, node: ast.Call, function: ast.Attribute) -> Edit | None:
    """`x.__setitem__(i, value)` on what may be an array; `x.__radd__(y)` where the order of evaluation is no matter."""
    owner, name = ctx.fact(function.value), SPELLED_OUT.get(function.attr) or REFLECTED[function.attr]
    if not v.known_to_include(owner, "array", "scalar", "foreign") and not ctx.is_open(function.value):
        return None
    if v.only(owner, "foreign") or ctx.converted_already() or node.keywords:
        return None
    if any(isinstance(argument, ast.Starred) for argument in node.args) or _is_super(function.value):
        return None
    operands = [function.value, *node.args]
    if function.attr in REFLECTED:
        if len(operands) != 2 or not all(isinstance(one, ast.Constant) or dotted_name(one) for one in operands):
            return None
        operands.reverse()
    template = Template()
    text = f"shim.operator.{name}({', '.join(map(template.mark, operands))})"
    why = "an operator spelled as a method"
    return Edit(node, "shim", "NPT152", f".{function.attr}()", why, text=text, pieces=template.nodes)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def method_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`x.f(...)` on an array, or on what may be one."""
    function = node.func
    if not isinstance(function, ast.Attribute):
        return None
    name = function.attr
    if name in SPELLED_OUT or name in REFLECTED:
        return _spelled_out(ctx, node, function)
    if name not in METHOD_NAMES:
        return None
    owner = having(ctx.fact(function.value), name)
    source = f".{name}()"
    if v.known_to_include(owner, "array", "scalar"):
        spelled = _of_tensor if v.is_tensor(owner) else _of_either
        return spelled(ctx, node, function, owner) or shim_invoke(node, name, source)
    is_dynamic = name in DYNAMIC or name == "put" and len(node.args) > 1  # a queue puts one thing
    if is_dynamic and v.known_to_include(owner, "unknown") and not ctx.converted_already():
        if name in SAME_WITHOUT_ARGUMENTS and not node.args and not node.keywords:
            return None
        return shim_invoke(node, name, source)
    return None


def _of_tensor(ctx: ModuleContext, node: ast.Call, function: ast.Attribute, owner: v.Fact) -> Edit | None:
    """`x.f(...)` on a tensor: torch's spelling, the shim's function of that name, or a note; None where all decline."""
    name, source = function.attr, f".{function.attr}()"
    special = SPECIAL.get(name)
    if special is not None and (edit := special(ctx, node, owner, source)) is not None:
        return edit
    found = METHODS.get(name)
    if found is None:
        return None
    arguments = arguments_of(ctx, node)
    arguments.positional.insert(0, Argument(function.value, owner))
    try:
        edit = by_rule(ctx, node, found, arguments, "method", source)
    except UnsupportedError as problem:
        ctx.wrap(function.value, "", ".numpy()", "boundary", "NPT401", "a tensor goes to NumPy")
        note = f"{problem.code} {problem.message}"
        return Edit(node, "todo", problem.code, source, problem.message, note=note)
    is_function = found.name == f"numpy.{name}" and name in ctx.shim
    return shim_call(ctx, node, name, source, first=function.value) if edit is None and is_function else edit


def _of_either(ctx: ModuleContext, node: ast.Call, function: ast.Attribute, owner: v.Fact) -> Edit | None:
    """`x.f(...)` on a tensor or something else, where an ndarray has the same; None where a number may be meant."""
    is_number = any(isinstance(atom, v.Scalar) and atom.python or atom.kind == "number" for atom in owner)
    if function.attr not in OF_EITHER or is_number:
        return None
    return SPECIAL[function.attr](ctx, node, owner, f".{function.attr}()")


def _reshape(ctx: ModuleContext, node: ast.Call, owner: v.Fact, source: str) -> Edit | None:
    if node.keywords or not node.args:
        return None
    sizes = all(isinstance(a, ast.Starred) or v.only(ctx.fact(a), "number", "scalar", "unknown") for a in node.args)
    if sizes or len(node.args) == 1 and v.only(ctx.fact(node.args[0]), "sequence"):
        return Edit(node, "native", "NPT130", source, "a view where the layout allows")
    return None


def _transpose(ctx: ModuleContext, node: ast.Call, owner: v.Fact, source: str) -> Edit | None:
    assert isinstance(node.func, ast.Attribute)
    if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    template = Template()
    text, why = template.mark(node.func.value), "the axes reversed"
    rank = v.rank_of(owner)
    if node.args:
        if len(node.args) == 1 and not v.only(ctx.fact(node.args[0]), "sequence"):
            return None
        text += f".permute({', '.join(template.mark(a) for a in node.args)})"
        why = "`permute` takes the axes"
    elif rank is None or rank > 1:
        text += ".T" if rank in (2, None) else f".permute({tuple(reversed(range(rank)))})"
    return Edit(node, "native", "NPT131", source, why, text=text, pieces=template.nodes)


def _item(ctx: ModuleContext, node: ast.Call, owner: v.Fact, source: str) -> Edit | None:
    return Edit(node, "native", "NPT160", source, "equal") if not node.args and not node.keywords else None


SPECIAL = {"reshape": _reshape, "transpose": _transpose, "item": _item, "tolist": _item}
OF_EITHER = frozenset({"reshape", "item", "tolist"})
"""Those that are spelled alike whatever the array is."""
