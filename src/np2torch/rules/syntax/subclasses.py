"""Classes that stay on NumPy whole, such as subclasses of ndarray: arrays go in, and what comes out becomes tensors."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter.border import stays_numpy
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext, source_of
from np2torch.rules.syntax.foreign import boundary_arguments, holds_tensor, to_numpy


def is_method(fact: v.Fact) -> bool:
    """Tell whether it is a method of such a class."""
    return any(isinstance(atom, v.Function) and stays_numpy(atom.definition) for atom in fact)


def gives_arrays(fact: v.Fact) -> bool:
    """Tell whether it is a function of which a `return` is left on NumPy."""
    definitions = (atom.definition for atom in fact if isinstance(atom, v.Function))
    return any(one.node in one.module.giving for one in definitions)


def is_object(fact: v.Fact) -> bool:
    """Tell whether it is such a class, or an instance of one."""
    return is_called_back(fact) or any(
        isinstance(atom, v.Foreign) and atom.definition is not None
        or isinstance(atom, v.Class) and atom.definition.stays_numpy()
        for atom in fact
    )  # fmt: skip


def is_called_back(fact: v.Fact) -> bool:
    """Tell whether it is an object of a class that derives from one of a library, and is no array itself."""
    return any(isinstance(atom, v.Instance) and atom.definition.stays_numpy() for atom in fact)


@on(Phase.KEPT, ast.Call)
def call_of_what_stays(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """Call what stays on NumPy: it gets arrays, and what a method gives becomes tensors."""
    fact, function = ctx.fact(node.func), node.func
    if isinstance(function, ast.Attribute) and is_called_back(ctx.fact(function.value)) and not is_method(fact):
        fact = v.FOREIGN  # inherited from the library
        if not isinstance(ctx.parents.get(node), ast.Expr):
            _back(ctx, node)
    if is_method(fact) or is_object(fact) or v.known_to_include(fact, "foreign"):
        boundary_arguments(ctx, node)
    if (is_method(fact) or gives_arrays(fact)) and not isinstance(ctx.parents.get(node), ast.Expr):
        _back(ctx, node)
    return None


@on(Phase.KEPT, ast.Attribute)
def attribute_of_what_stays(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """Make a tensor of what a property or an attribute holds."""
    called = is_called_back(ctx.fact(node.value)) and getattr(ctx.parents.get(node), "func", None) is node
    if isinstance(node.ctx, ast.Load) and is_object(ctx.fact(node.value)) and not called and node.attr != "shape":
        _back(ctx, node)
    return None


@on(Phase.KEPT, ast.Assign)
def attribute_is_set(ctx: ModuleContext, node: ast.Assign) -> Edit | None:
    """Make an array of what is stored in such an object."""
    if any(isinstance(t, ast.Attribute) and is_object(ctx.fact(t.value)) for t in node.targets):
        to_numpy(ctx, node.value)
    return None


@on(Phase.KEPT, ast.AugAssign)
def attribute_is_changed(ctx: ModuleContext, node: ast.AugAssign) -> Edit | None:
    """`q.x += y` stays an operation of NumPy's."""
    if not (isinstance(node.target, ast.Attribute) and is_object(ctx.fact(node.target.value))):
        return None
    to_numpy(ctx, node.value)
    return Edit(node, "boundary", "NPT401", source_of(node.target), "works on an array that stays on NumPy")


@on(Phase.KEPT, ast.BinOp)
def operator_of_the_library(ctx: ModuleContext, node: ast.BinOp) -> Edit | None:
    """`operator @ x`: the library's, which wants an array and gives one."""
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if is_called_back(ctx.fact(one)):
            to_numpy(ctx, other)
            ctx.wrap(node, "shim.from_numpy(", ")", "boundary", "NPT403", "an ndarray may come back")
            break
    return None


def _back(ctx: ModuleContext, node: ast.expr) -> None:
    fact = ctx.fact(node)
    if holds_tensor(fact) or v.known_to_include(fact, "unknown", "mapping"):
        ctx.wrap(node, "shim.from_numpy(", ")", "boundary", "NPT403", "an ndarray may come back")
