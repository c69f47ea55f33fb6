"""Functions of the project that only serve classes which stay on NumPy: they are left as they are, like these.

Such a class decorates its methods and calls helpers: they meet instances of the class and ndarrays, never tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.environment import Place
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.names.tree import walk as tree_walk

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def find_served(engine: Interpreter) -> frozenset[Place]:
    """Find the functions that decorate methods of such classes, or that nothing else calls."""
    modules = dict.fromkeys(engine.modules.values())
    kept = {node for node, class_ in engine.classes.items() if class_.is_array and class_.is_kept}
    if not kept:
        return frozenset()
    outermost = {part: top for module in modules for top in _definitions(module) for part in tree_walk(top)}
    serving = {_top(one, outermost) for class_ in kept for one in _decorators(engine, class_)} - kept
    callers: dict[FunctionDefinition, set[ast.AST | None]] = {}
    for call, callees in engine.callees.items():
        for callee in callees:
            callers.setdefault(callee, set()).add(outermost.get(call))
    size = -1
    while size != len(serving):
        size = len(serving)
        inside = kept | serving
        serving |= {callee.node for callee, places in callers.items() if _is_helper(callee) and places <= inside}
    left = ((module.path, node) for module in modules for node in _definitions(module) if node in serving)
    return frozenset((path, node.lineno, node.col_offset) for path, node in left)


def leave(info: ModuleInfo, places: frozenset[Place]) -> None:
    """Leave the functions at these places as they are."""
    for node in _definitions(info):
        if (info.path, node.lineno, node.col_offset) in places:
            info.skipped.update(tree_walk(node))


def _definitions(module: ModuleInfo) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """The functions and classes that a module defines at its top."""
    return (node for node in module.tree.body if isinstance(node, DEFINITIONS))


def _decorators(engine: Interpreter, class_: ast.AST) -> Iterator[FunctionDefinition | ClassDefinition]:
    """The functions and classes of the project that decorate methods of a class."""
    for node in tree_walk(class_):
        for one in getattr(node, "decorator_list", ()) if node is not class_ else ():
            named = one.func if isinstance(one, ast.Call) else one
            for atom in engine.facts.get(named, v.BOTTOM):
                if isinstance(atom, (v.Function, v.Class)):
                    yield atom.definition


def _top(function: FunctionDefinition | ClassDefinition, outermost: Mapping[ast.AST, ast.AST]) -> ast.AST:
    return outermost.get(function.node, function.node)


def _is_helper(function: FunctionDefinition) -> bool:
    """Tell whether it is a plain function, whose calls are all seen."""
    return isinstance(function.node, DEFINITIONS) and function.owner is None and not function.escaped
