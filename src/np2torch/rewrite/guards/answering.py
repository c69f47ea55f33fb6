"""The functions that arrays which answer NumPy themselves may reach: masked arrays, objects that speak its protocols.

No guard takes such an array, so these functions get none.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.ndarray_subclasses import masked_names, speaks_protocols, uses_masked
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.worlds import nodes_of
from np2torch.rules.site import ModuleContext


def masked_array_functions(contexts: Sequence[ModuleContext]) -> set[ast.AST]:
    """The functions that work on masked arrays, and those that calls, objects or nesting connect with them.

    All functions, where a class of the project answers NumPy's functions itself.
    """
    if not contexts:
        return set()
    engine = contexts[0].engine
    arrays = (class_ for class_ in engine.classes.values() if class_.is_array and class_.is_kept)
    if any(speaks_protocols(class_.node) for class_ in arrays):
        return set(engine.functions)
    if not engine.lookalikes.masked:
        return set()
    starting = [node for ctx in contexts if uses_masked(ctx.module.tree) for node in _working_on_masked(ctx)]
    neighbours = _neighbours(engine)
    found: set[ast.AST] = set()
    while starting:
        node = starting.pop()
        if node not in found:
            found.add(node)
            starting += neighbours[node]
    return found


def _working_on_masked(ctx: ModuleContext) -> Iterator[ast.AST]:
    """The functions of a module that speak of masked arrays; all of them where the module does so outside of any."""
    names = set(masked_names(ctx.module.tree))
    inside: set[ast.AST] = set()
    for function in ctx.module.functions:
        nodes = nodes_of(function.node)
        inside.update(nodes)
        if any(_is_masked(ctx, node, names) for node in nodes):
            yield function.node
    if any(_is_masked(ctx, node, names) for node in tree_walk(ctx.module.tree) if node not in inside):
        yield from (function.node for function in ctx.module.functions)


def _is_masked(ctx: ModuleContext, node: ast.AST, names: set[str]) -> bool:
    """Tell what stands for `numpy.ma`, or for something of it, by any name."""
    if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
        return True
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return False
    modules = (atom.name for atom in ctx.fact(node) if isinstance(atom, (v.Module, v.Numpy)))
    return any(f"{name}.".startswith("numpy.ma.") for name in modules) or dotted_name(node) in ("np.ma", "numpy.ma")


def _neighbours(engine: Interpreter) -> dict[ast.AST, list[ast.AST]]:
    """The functions that hand values to each other: callers and callees, methods of one class, nested functions.

    A method that is called of an unknown object may be any of that name.
    """
    out: dict[ast.AST, list[ast.AST]] = defaultdict(list)
    methods: dict[str, list[ast.AST]] = defaultdict(list)
    first: dict[object, ast.AST] = {}
    for node, function in engine.functions.items():
        if function.owner is not None:
            methods[function.name].append(node)
            for owner in (function.owner, *engine.heirs.get(function.owner, ())):
                _join(out, node, first.setdefault(owner, node))
    for node, function in engine.functions.items():
        for other in _given_values(engine, function, methods):
            _join(out, node, other)
    return out


def _given_values(
    engine: Interpreter, function: FunctionDefinition, methods: dict[str, list[ast.AST]]
) -> Iterator[ast.AST]:  # fmt: skip
    for node in nodes_of(function.node):
        if isinstance(node, ast.Call):
            callees = engine.callees.get(node, ())
            yield from (callee.node for callee in callees)
            if not callees and isinstance(node.func, ast.Attribute):
                yield from methods.get(node.func.attr, ())
        elif node is not function.node and node in engine.functions:
            yield node


def _join(out: dict[ast.AST, list[ast.AST]], one: ast.AST, other: ast.AST) -> None:
    out[one].append(other)
    out[other].append(one)
