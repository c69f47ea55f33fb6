"""Parameters as they were passed: until they are bound anew, and in the attributes that a constructor keeps them in."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TypeVar

from np2torch.facts.counts import set_where_none
from np2torch.names.tree import Nodes, dotted_name

T = TypeVar("T")


def bindings(nodes: Nodes) -> dict[str, int]:
    """The lines in which names are bound to something other than a default."""
    defaults = {one for test in nodes.of(ast.If) for one in set_where_none(test)}
    bound: dict[str, int] = {}
    for one in nodes.of(ast.Name):
        if isinstance(one.ctx, ast.Store) and one not in defaults:
            bound[one.id] = min(one.lineno, bound.get(one.id, one.lineno))
    return bound


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
