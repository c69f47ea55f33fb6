"""Attributes that are set on objects nobody knows: these may be of any class that has attributes of that name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.interpreter import border
from np2torch.names.tree import walk as tree_walk

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame


def note_stores(frame: Frame, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
    """Join what a statement stores into each class whose objects may be meant: `thing.scale = k`."""
    for target, value in _bound(node):
        if isinstance(target, ast.Attribute) and _is_of_unknown(frame, target):
            if value is None or not _is_of_the_same(target.attr, value):
                known = None if value is None or isinstance(node, ast.AugAssign) else frame.facts.get(value)
                _store(frame, target.attr, known or v.TOP)


def _bound(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """The targets of a statement with their values; None for what is unpacked of a value."""
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if not isinstance(target, (ast.Tuple, ast.List)):
            yield target, node.value
            continue
        values = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else []
        is_alike = len(values) == len(target.elts)
        yield from zip(target.elts, values if is_alike else [None] * len(target.elts), strict=True)


def _is_of_unknown(frame: Frame, target: ast.Attribute) -> bool:
    return v.known_to_include(frame.facts.get(target.value, v.BOTTOM), "unknown")


def _is_of_the_same(name: str, value: ast.expr) -> bool:
    """Tell what is computed from attributes of that name and constants, which are of such classes: `-thing.q`."""
    leaves = [one for one in tree_walk(value) if isinstance(one, (ast.Attribute, ast.Name))]
    read = [one for one in leaves if isinstance(one, ast.Attribute)]
    owners = {id(below) for one in read for below in tree_walk(one.value)}
    others = (one for one in leaves if one not in read and id(one) not in owners)
    return bool(read) and all(one.attr == name for one in read) and not any(others)


def _store(frame: Frame, name: str, fact: v.Fact) -> None:
    for class_ in list(frame.engine.classes.values()):
        if name in class_.set_names and not class_.stays_numpy():
            frame.engine.set_attribute(class_, name, border.stored_fact(frame, fact), frame)
