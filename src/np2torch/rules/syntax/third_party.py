"""Packages that nothing is known of: they were given ndarrays, and functions that take and give ndarrays."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.border import stays_numpy
from np2torch.facts.libraries import is_third_party, library, may_be_third_party, root_of
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.foreign import contents, holds_tensor, may_hold_any, to_numpy
from np2torch.source.ignore import is_foreign_folder


@on(Phase.BOUNDARY, ast.Call)
def third_party_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """A call of a package that nothing is known of, with arrays: it was given ndarrays, and may give some back."""
    function = ctx.fact(node.func)
    if not may_be_third_party(function) or ctx.converted_already() or _is_projects(ctx, function):
        return None
    arrays = _arrays(ctx, node, function)
    if not is_third_party(function):
        by_namespace = any(isinstance(atom, v.Numpy) for atom in function)  # `xp.roll` of one of several modules
        if arrays and library(function) is None and not by_namespace:
            ctx.wrap(node.func, "shim.across(", ")", "boundary", "NPT402", "a function of a library, or of the project")
        return None
    for one in (*arrays, *(one for one in _plain(node) if one not in arrays and _is_called_with_arrays(ctx, one))):
        to_numpy(ctx, one)
    if arrays and not isinstance(ctx.parents.get(node), ast.Expr):
        ctx.wrap(node, "shim.from_numpy(", ")", "boundary", "NPT403", "an ndarray may come back")
    return None


def _plain(node: ast.Call) -> list[ast.expr]:
    """Give the arguments of a call that stand for one each."""
    found = [one for one in node.args if not isinstance(one, ast.Starred)]
    return found + [keyword.value for keyword in node.keywords if keyword.arg is not None]


def _arrays(ctx: ModuleContext, node: ast.Call, function: v.Fact) -> list[ast.expr]:
    """Give the arguments that are arrays, or may be where the package computes on arrays."""
    stars = [one.value for one in node.args if isinstance(one, ast.Starred)]
    stars += [keyword.value for keyword in node.keywords if keyword.arg is None]
    arrays = [one for one in _plain(node) if _is_array(ctx, one)]
    open_ = [one for one in _plain(node) if may_hold_any(ctx, ctx.fact(one))]
    if not arrays and is_third_party(function) and {_root(one) for one in function} & ctx.engine.once(_given_arrays):
        arrays = open_
    arrays += (
        one for one in stars if holds_tensor(contents(ctx, ctx.fact(one))) or may_hold_any(ctx, ctx.fact(one))
    )
    if arrays and is_third_party(function):  # it computes on arrays: what may be anything may be one too
        arrays += (one for one in open_ if one not in arrays)
    return arrays


def _is_projects(ctx: ModuleContext, function: v.Fact) -> bool:
    """Tell whether it is the project's own, found by another path.

    What stands in a folder of others' code is not, nor what is compiled.
    """
    named = [atom.origin for atom in function if isinstance(atom, v.Opaque) and "." in atom.origin]
    origins = [name.split(".") for name in named if name.rpartition(".")[0] not in ctx.engine.extensions]
    roots = {parts[0] for parts in origins if not any(map(is_foreign_folder, filter(None, parts)))}
    return any(roots & set(name.split(".")) for name in ctx.engine.modules)


def _is_array(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it may be or hold an array."""
    return holds_tensor(ctx.fact(node) | contents(ctx, ctx.fact(node)))


def _is_called_with_arrays(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a function of the project in which arrays are computed: its caller knew ndarrays alone."""
    fact = ctx.fact(node)
    if not v.only(fact, "function", "none"):
        return False
    functions = (atom.definition for atom in fact if isinstance(atom, v.Function) and not stays_numpy(atom.definition))
    return any(_computes(ctx, one.node) for one in functions if not isinstance(one.node, ast.AsyncFunctionDef))


def _computes(ctx: ModuleContext, function: ast.AST) -> bool:
    inside = (one for one in ast.walk(function) if isinstance(one, ast.expr))
    return any(holds_tensor(ctx.engine.facts.get(one) or v.BOTTOM) for one in inside)


def _root(atom: v.Atom) -> str:
    """The package that a function comes from; nothing where that is not known."""
    return root_of(atom.origin) if isinstance(atom, v.Opaque) else ""


def _given_arrays(engine: Interpreter) -> frozenset[str]:
    """The packages that nothing is known of whose functions are called with arrays somewhere in the project."""
    calls = (node for module in engine.modules.values() for node in module.nodes if isinstance(node, ast.Call))
    return frozenset(root for call in calls for root in _roots_given_arrays(engine, call) if root)


def _roots_given_arrays(engine: Interpreter, call: ast.Call) -> set[str]:
    function = engine.facts.get(call.func) or v.BOTTOM
    if not is_third_party(function):
        return set()
    given = (*call.args, *(keyword.value for keyword in call.keywords))
    return {*map(_root, function)} if any(holds_tensor(engine.facts.get(one) or v.BOTTOM) for one in given) else set()
