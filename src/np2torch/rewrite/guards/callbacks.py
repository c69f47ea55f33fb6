"""Parameters that are called: a guard sees to what they give, as if that were passed.

What is called stands in worlds and guards as `f()`, beside the parameters that are arrays. All that `f` gives in one
run of the function has one fact in a world; at run time the guard checks each result beside the other arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import values as v
from np2torch.facts.access_paths import WRITING_FUNCTIONS, WRITING_METHODS
from np2torch.facts.guards import CALLED, result_of
from np2torch.names.tree import named_parameters
from np2torch.rewrite.guards.candidates import needs_items
from np2torch.rewrite.guards.uses import ARRAY, used_as
from np2torch.rewrite.guards.worlds import nodes_of
from np2torch.rules.site import ModuleContext

Function = ast.FunctionDef | ast.AsyncFunctionDef


def callbacks(ctx: ModuleContext, function: Function, found: dict[str, v.Fact]) -> list[str]:
    """The parameters that are only called, or passed on, and give arrays by the way it is used: `f()` for `f`."""
    names = (
        one.arg for one in named_parameters(function) if v.known_to_include(found.get(one.arg, v.BOTTOM), "unknown")
    )
    return [result_of(name) for name in names if _gives_arrays(ctx, function, name)]


def calls_of(function: ast.AST, name: str) -> list[ast.Call]:
    """Find where a parameter is called, by `f` or `f()`."""
    called = name.removesuffix(CALLED)
    calls = (node for node in nodes_of(function) if isinstance(node, ast.Call))
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == called]


def _gives_arrays(ctx: ModuleContext, function: Function, name: str) -> bool:
    calls = calls_of(function, name)
    reads = [node for node in nodes_of(function) if isinstance(node, ast.Name) and node.id == name]
    passed = {argument for node in nodes_of(function) if isinstance(node, ast.Call) for argument in node.args}
    if not all(isinstance(one.ctx, ast.Load) and (one in passed or _is_called(ctx, one)) for one in reads):
        return False
    if not calls or any(ctx.function(call) is not function or _is_unpacked(ctx, call) for call in calls):
        return False
    uses = {use for node in _results(ctx, function, calls) for use in used_as(ctx, node)}
    return uses == {ARRAY}


def _is_called(ctx: ModuleContext, node: ast.Name) -> bool:
    parent = ctx.parents.get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _is_unpacked(ctx: ModuleContext, call: ast.Call) -> bool:
    """Tell whether the result of a call is probably a tuple."""
    parent = ctx.parents.get(call)
    targets = parent.targets if isinstance(parent, ast.Assign) else []
    return isinstance(parent, (ast.Starred, ast.Await)) or any(isinstance(t, (ast.Tuple, ast.List)) for t in targets)


def _results(ctx: ModuleContext, function: ast.AST, calls: list[ast.Call]) -> Iterator[ast.expr]:
    """Find the calls, and where the names that are bound to them are read."""
    yield from calls
    names = set().union(*(_bound(ctx, call) for call in calls))
    for node in nodes_of(function):
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
            yield node


def _bound(ctx: ModuleContext, node: ast.expr) -> set[str]:
    parent = ctx.parents.get(node)
    targets = parent.targets if isinstance(parent, ast.Assign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def may_give_numbers(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell whether its results may be Python numbers, which have no items."""
    results = _results(ctx, function, calls_of(function, name))
    return not any(needs_items(ctx.parents.get(node), node) for node in results)


def may_be_written(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell whether the function writes, as far as its text shows, into a result, which its owner may keep."""
    shared: set[ast.AST] = set(calls_of(function, name))
    names: set[str] = set()
    while True:
        before = len(shared)
        for node in nodes_of(function):
            if isinstance(node, ast.Name) and node.id in names or _is_view(node, shared):
                shared.add(node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value in shared:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names.update(below.id for one in targets for below in ast.walk(one) if isinstance(below, ast.Name))
            elif isinstance(node, (ast.For, ast.comprehension)) and node.iter in shared:
                names.update(below.id for below in ast.walk(node.target) if isinstance(below, ast.Name))
        if len(shared) == before:
            break
    return any(_writes(node, names) for node in nodes_of(function))


def _is_view(node: ast.AST, shared: set[ast.AST]) -> bool:
    """Tell what may be a part of one of these, or hold it."""
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare)):
        return False
    return isinstance(node, ast.expr) and any(child in shared for child in ast.iter_child_nodes(node))


def _writes(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.AugAssign(target=target):
            return _root(target) in names
        case ast.Subscript(ctx=ast.Store() | ast.Del()):
            return _root(node) in names
        case ast.Call():
            arguments = [*node.args, *(one.value for one in node.keywords)]
            method = node.func.value if isinstance(node.func, ast.Attribute) else None
            into = [one.value for one in node.keywords if one.arg == "out"]
            own = [method] if method is not None and getattr(node.func, "attr", "") in WRITING_METHODS else []
            first = arguments[:1] if getattr(node.func, "attr", "") in WRITING_FUNCTIONS else []
            return any(_root(one) in names for one in (*into, *own, *first))
    return False


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
