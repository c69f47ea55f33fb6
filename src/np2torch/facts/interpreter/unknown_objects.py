"""Attributes that are set on objects nobody knows: these may be of any class that has attributes of that name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.bindings import single_bindings
from np2torch.facts.interpreter import border
from np2torch.names.tree import walk as tree_walk

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame


def note_stores(frame: Frame, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
    """Join what a statement stores into each class whose objects may be meant: `thing.scale = k`."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target, value in [(node.target, node.value)] if isinstance(node, ast.AugAssign) else single_bindings(node):
        if isinstance(target, ast.Attribute) and _is_of_unknown(frame, target):
            is_unpacked = value is node.value and target not in targets
            if is_unpacked or not _is_of_the_same(target.attr, value):
                is_other = is_unpacked or isinstance(node, ast.AugAssign)
                known = None if is_other else frame.facts.get(value)
                _store(frame, target.attr, known or v.TOP)


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
