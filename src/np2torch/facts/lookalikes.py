"""Things a project may have that are used as other things are: masked arrays as arrays, named tuples as objects."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from np2torch.facts.ndarray_subclasses import uses_masked
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk

NAMING = ("namedtuple", "NamedTuple")
"""What makes classes of tuples whose items have names."""
OF_ALL = "_fields"
"""An attribute that all named tuples have."""


class Lookalikes(NamedTuple):
    """The things of that sort in a project.

    Attributes
    ----------
    masked
        Whether it has masked arrays, which have all that arrays have.
    items
        The attributes of its tuples whose items are read by names, as attributes of objects are; None where some are
        not written out.
    """

    masked: bool = False
    items: frozenset[str] | None = frozenset()


NO_LOOKALIKES = Lookalikes()


def lookalikes(trees: Sequence[ast.Module]) -> Lookalikes:
    """Find what a project has; this is asked before anything is known."""
    named = [_items(tree) for tree in trees if _names_tuples(tree)]
    items = None if None in named else frozenset().union(*(one for one in named if one is not None))
    return Lookalikes(any(map(uses_masked, trees)), items)


def _names_tuples(tree: ast.Module) -> bool:
    names = {node.name for node in tree_walk(tree) if isinstance(node, ast.alias)}
    return not names.isdisjoint(("collections", "typing", *NAMING))


def _items(tree: ast.Module) -> frozenset[str] | None:
    """The attributes that the named tuples of a module may have: all the words that it writes; None if they are not."""
    made = [node for node in tree_walk(tree) if _makes_tuples(node)]
    names = {name.id for node in tree_walk(tree) if isinstance(node, ast.Assign) for name in _names(node.targets)}
    derived = [node for node in tree_walk(tree) if isinstance(node, ast.ClassDef) and any(map(_is_tuple, node.bases))]
    if not made and not derived:
        return frozenset()
    if not all(_is_written(one, names) for call in made if isinstance(call, ast.Call) for one in call.args[1:2]):
        return None
    texts = (node.value for node in tree_walk(tree) if isinstance(node, ast.Constant))
    words = {word for text in texts if isinstance(text, str) for word in text.replace(",", " ").split()}
    return frozenset({OF_ALL, *words, *_members(tree, derived)})


def _members(tree: ast.Module, classes: Sequence[ast.ClassDef]) -> set[str]:
    """The fields of these classes, and all that may be methods of them."""
    annotated = (one.target for class_ in classes for one in class_.body if isinstance(one, ast.AnnAssign))
    methods = {node.name for node in tree_walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    return methods | {name.id for name in _names([*annotated])}


def _names(targets: Sequence[ast.expr]) -> list[ast.Name]:
    return [target for target in targets if isinstance(target, ast.Name)]


def _is_tuple(base: ast.expr) -> bool:
    return _makes_tuples(base) or _last_name(base) in NAMING


def _last_name(node: ast.expr) -> str:
    return (dotted_name(node) or "").rpartition(".")[2]


def _makes_tuples(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _last_name(node.func) in NAMING


def _is_written(node: ast.expr, names: set[str]) -> bool:
    """Tell whether the names of items are written out here, or under a name of the module."""
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return all(isinstance(one, (ast.Constant, ast.Tuple)) for one in items)
    return isinstance(node, ast.Constant)
