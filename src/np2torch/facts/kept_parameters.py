"""Parameters as they were passed: until they are bound anew, and in the attributes that a constructor keeps them in."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from typing import TypeVar

from np2torch.names.tree import Nodes, dotted_name

T = TypeVar("T")


def bindings(nodes: Nodes) -> dict[str, int]:
    """The lines in which names are bound to something other than a default."""
    defaults = {one for test in nodes.of(ast.If) for one in _set_where_none(test)}
    bound: dict[str, int] = {}
    for one in nodes.of(ast.Name):
        if isinstance(one.ctx, ast.Store) and one not in defaults:
            bound[one.id] = min(one.lineno, bound.get(one.id, one.lineno))
    return bound


def _set_where_none(test: ast.If) -> Iterator[ast.Name]:
    """Find the name that gets a value where None was passed: `if n is None: n = len(x)`."""
    match test.test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            targets = [target for one in test.body if isinstance(one, ast.Assign) for target in one.targets]
            yield from (target for target in targets if isinstance(target, ast.Name) and target.id == name)


def asked_names(call: ast.Call, by: Container[str]) -> list[ast.Name]:
    """The names that are given to a function which asks for their class or attributes: `isinstance(x, list)`."""
    asks = isinstance(call.func, ast.Name) and call.func.id in by
    return [one for one in call.args if asks and isinstance(one, ast.Name)]


def kept_parameters(class_: ast.ClassDef, said: Mapping[str, T]) -> dict[str, T]:
    """Give what is said of attributes (`self.rng`) for the parameters of `__init__` that are kept in them."""
    init = next((one for one in class_.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
    if init is None or not said:
        return {}
    nodes = Nodes(init)
    bound = bindings(nodes)
    found: dict[str, T] = {}
    for one in nodes.of(ast.Assign):
        if isinstance(one.value, ast.Name) and one.lineno <= bound.get(one.value.id, one.lineno):
            kept = (said.get(dotted_name(target) or "") for target in one.targets if isinstance(target, ast.Attribute))
            found.update((one.value.id, words) for words in kept if words is not None)
    return found
