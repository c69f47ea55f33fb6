"""Decorators of the project, and whether they change the arguments and the result of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.interpreter.environment import FunctionNode
from np2torch.names.tree import walk as tree_walk

MUTATORS = frozenset({"pop", "popitem", "update", "setdefault", "clear", "insert", "append", "extend"})


class DecoratorEffect(NamedTuple):
    """The parts of a call that a decorator may change."""

    given: bool = False
    result: bool = False

    def __or__(self, other: DecoratorEffect) -> DecoratorEffect:
        """Give what either of two decorators may change."""
        return DecoratorEffect(self.given or other.given, self.result or other.result)


NO_EFFECT = DecoratorEffect()
ANY_EFFECT = DecoratorEffect(given=True, result=True)
DISPATCHING = (v.Builtin("functools.singledispatch"), v.Builtin("functools.singledispatchmethod"))
"""Decorators of the standard library that may run another function instead, by the class of the argument."""


def effect(made: v.Fact) -> DecoratorEffect:
    """Give what a function that is decorated with it may be given, or give back, other than without.

    What libraries provide (`functools.lru_cache`, `pytest.fixture`) changes neither, but for what dispatches.
    """
    if v.known_to_include(made, "instance", "class") or any(atom in DISPATCHING for atom in made):
        return ANY_EFFECT
    return reduce(or_, [_effect(atom.definition.node) for atom in made if isinstance(atom, v.Function)], NO_EFFECT)


def keeps_function(made: v.Fact) -> bool:
    """Tell whether a decorator may keep the function, so that code that is not followed calls it."""
    return any(isinstance(atom, v.Function) and _keeps(atom.definition.node) for atom in made)


def _keeps(decorator: FunctionNode) -> bool:
    """Tell whether a decorator does more with its argument than call it, read its attributes, wrap it and return it."""
    parameters = decorator.args.posonlyargs + decorator.args.args
    if isinstance(decorator, ast.Lambda) or not parameters:
        return True
    nodes = tree_walk(decorator)
    allowed: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Call):
            allowed.add(node.func)
            if ast.unparse(node.func).split(".")[-1] in ("wraps", "update_wrapper"):
                allowed.update(node.args)
        elif isinstance(node, (ast.Attribute, ast.Return)) and node.value is not None:
            allowed.add(node.value)
    wrapped = parameters[0].arg
    return any(isinstance(node, ast.Name) and node.id == wrapped and node not in allowed for node in nodes)


def _effect(decorator: FunctionNode) -> DecoratorEffect:
    """Tell decorators that give back their argument, or a function that hands all on to it."""
    parameters = decorator.args.posonlyargs + decorator.args.args
    if isinstance(decorator, ast.Lambda) or not parameters:
        return ANY_EFFECT
    wrapped = parameters[0].arg
    inner = {node.name: node for node in tree_walk(decorator)[1:] if isinstance(node, ast.FunctionDef)}
    found = NO_EFFECT
    for returned in _returned(decorator.body):
        if isinstance(returned, ast.Name) and returned.id == wrapped:
            continue
        names = {node.id for node in tree_walk(returned) if isinstance(node, ast.Name)}  # `wraps(f)(wrapper)` too
        wrappers = [inner[name] for name in sorted(names & inner.keys())]
        if not wrappers:
            return ANY_EFFECT
        given = any(_changes_given(wrapper, wrapped) for wrapper in wrappers)
        result = any(_changes_result(wrapper, wrapped) for wrapper in wrappers)
        found |= DecoratorEffect(given, result)
    return found


def _calls(wrapper: ast.FunctionDef, wrapped: str) -> list[ast.Call]:
    calls = [node for node in tree_walk(wrapper) if isinstance(node, ast.Call)]
    return [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == wrapped]


def _changes_given(wrapper: ast.FunctionDef, wrapped: str) -> bool:
    taken = wrapper.args
    if taken.vararg is None or taken.kwarg is None or taken.kwonlyargs:
        return True
    own = [parameter.arg for parameter in taken.posonlyargs + taken.args]
    passed = [*own, f"*{taken.vararg.arg}"]
    for call in _calls(wrapper, wrapped):
        keywords = [(keyword.arg, ast.unparse(keyword.value)) for keyword in call.keywords]
        if list(map(ast.unparse, call.args)) != passed or keywords != [(None, taken.kwarg.arg)]:
            return True
    names = {*own, taken.vararg.arg, taken.kwarg.arg}
    return any(_rebinds(node, names) for node in tree_walk(wrapper))


def _changes_result(wrapper: ast.FunctionDef, wrapped: str) -> bool:
    calls = _calls(wrapper, wrapped)
    bound: dict[str, list[ast.expr | None]] = {}
    for node in tree_walk(wrapper):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            bound.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.setdefault(node.id, []).append(None)
    assigned = {name: [value for value in values if value is not None] for name, values in bound.items()}

    def is_result(value: ast.expr) -> bool:
        if isinstance(value, ast.Name):  # bound by nothing but assignments of the result
            values = assigned.get(value.id, [])
            return bool(values) and len(bound[value.id]) == 2 * len(values) and all(one in calls for one in values)
        return (value.value if isinstance(value, ast.Await) else value) in calls

    returned = _returned(wrapper.body)
    return not returned or not all(map(is_result, returned))


def _rebinds(node: ast.AST, names: set[str]) -> bool:
    """Tell whether one of the names is bound again, or the object it holds is changed."""
    if isinstance(node, ast.Name):
        return node.id in names and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and node.value.id in names and not isinstance(node.ctx, ast.Load)
    return (
        isinstance(node, ast.Attribute)
        and node.attr in MUTATORS
        and isinstance(node.value, ast.Name)
        and node.value.id in names
    )


def _returned(body: Iterable[ast.stmt]) -> list[ast.expr]:
    """Give what the statements may return, nested functions left out."""
    found: list[ast.expr] = []
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            found.append(node.value)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))
    return found
