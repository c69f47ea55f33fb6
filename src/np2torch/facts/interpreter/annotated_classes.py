"""Annotations that name a class of the project: an instance of it, or of a class made from it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.annotations import parse_annotation
from np2torch.names.tree import dotted_name, named_parameters

if TYPE_CHECKING:
    from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition
    from np2torch.facts.interpreter.protocols import Frame, Interpreter

NO_INSTANCES = ("Protocol", "TypedDict", "NamedTuple")
"""Bases of classes whose annotation does not ask for an instance."""
MOST_HEIRS = 8

Stated = tuple["ClassDefinition | None", ...]
"""The classes an annotation names, None for None."""


def stated_classes(frame: Frame, node: ast.expr | None) -> Stated:
    """The classes of the project that an annotation names; nothing where it names something else as well."""
    if isinstance(node, ast.Constant):
        if node.value is None:
            return (None,)
        return stated_classes(frame, parse_annotation(node.value)) if isinstance(node.value, str) else ()
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _both(stated_classes(frame, node.left), stated_classes(frame, node.right))
    if isinstance(node, ast.Subscript) and (dotted_name(node.value) or "").rpartition(".")[2] == "Optional":
        return _both(stated_classes(frame, node.slice), (None,))
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return ()
    atom = v.sole(frame.facts.get(node) or (frame.lookup(node.id) if isinstance(node, ast.Name) else None) or v.TOP)
    if not isinstance(atom, v.Class) or _is_a_form(atom.definition):
        return ()
    return (atom.definition,)


def of_function(frame: Frame, definition: FunctionDefinition) -> None:
    """Note what the annotations of a function name."""
    node = definition.node
    if isinstance(node, ast.Lambda):
        return
    notes = [(parameter.arg, parameter.annotation) for parameter in named_parameters(node)]
    for name, note in [*notes, ("", node.returns)]:
        found = stated_classes(frame, note) if note is not None else ()
        if any(found):
            definition.classes[name] = found


def instances(engine: Interpreter, classes: Stated) -> v.Fact:
    """The instances that may be passed; anything where there are too many kinds of them."""
    parts: list[v.Fact] = []
    for class_ in classes:
        if class_ is None:
            parts.append(v.NONE)
            continue
        heirs = engine.heirs.get(class_, [])
        if len(heirs) > MOST_HEIRS:
            return v.TOP
        parts += [v.one(engine.instance(one)) for one in (class_, *heirs)]
    return v.join(*parts)


def fill_instances(engine: Interpreter, fact: v.Fact, classes: Stated) -> v.Fact:
    """Replace the alternative "unknown" of a fact by instances of the annotated classes."""
    if not v.known_to_include(fact, "unknown"):
        return fact
    return v.join(v.keep(fact, lambda atom: atom.kind != "unknown"), instances(engine, classes))


def _both(left: Stated, right: Stated) -> Stated:
    return (*left, *right) if left and right else ()


def _is_a_form(class_: ClassDefinition) -> bool:
    names = [(dotted_name(base) or "").rpartition(".")[2] for one in class_.lineage() for base in one.node.bases]
    return any(name in NO_INSTANCES for name in names)
