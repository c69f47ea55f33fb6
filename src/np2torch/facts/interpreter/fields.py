"""Fields of dataclasses and named tuples: callers nobody sees fill them, and nobody checks their annotations."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.annotations import INTEGER, NUMBER, of_annotation
from np2torch.names.qualified_names import FUNCTIONS
from np2torch.names.tree import dotted_name

if TYPE_CHECKING:
    from np2torch.facts.interpreter.definitions import ClassDefinition
    from np2torch.facts.interpreter.protocols import Frame

MAKERS = frozenset({"dataclass", "define", "frozen", "attrs", "s"})
"""Decorators that make a constructor of fields, of `dataclasses` and of `attrs`."""


def fill_unseen(frame: Frame, definition: ClassDefinition) -> None:
    """Join what unseen callers may pass for the fields of a class whose methods are open to them."""
    node = definition.node
    methods = [one for one in node.body if isinstance(one, FUNCTIONS)]
    is_open = any(one in frame.engine.open for one in methods)
    if not is_open or any(one.name == "__init__" for one in methods) or not _has_fields(definition):
        return
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and _is_passed(statement):
            said = of_annotation(statement.annotation, frame.module.type_names)
            if said is not None and (passed := _passed(said)):
                frame.engine.set_attribute(definition, statement.target.id, passed, frame)


def _has_fields(definition: ClassDefinition) -> bool:
    """Tell whether its constructor is made of its fields."""
    decorators = (one.func if isinstance(one, ast.Call) else one for one in definition.node.decorator_list)
    names = {(dotted_name(one) or "").rpartition(".")[2] for one in decorators}
    return definition.is_named_tuple or not names.isdisjoint(MAKERS)


def _is_passed(statement: ast.AnnAssign) -> bool:
    """Tell a field that the constructor takes: not `x: int = field(init=False)`."""
    options = statement.value.keywords if isinstance(statement.value, ast.Call) else ()
    off = (one for one in options if one.arg == "init" and isinstance(one.value, ast.Constant) and not one.value.value)
    return not any(off)


def _passed(said: v.Fact) -> v.Fact:
    """Give what is passed for a number or an array of this annotation; nothing for others."""
    if said == NUMBER:
        return v.join(said, v.ARRAY)
    if said == INTEGER:
        return v.join(said, v.scalar("int64"))
    return said if v.may(said, "array") else v.BOTTOM
