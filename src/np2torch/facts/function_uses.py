"""Parameters that are called as functions of NumPy's are: `func(x, axis=0)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import values as v
from np2torch.facts.kept_parameters import bindings, kept_parameters
from np2torch.names.tree import Nodes, dotted_name

WORDS = "called as functions of NumPy's are"
"""What the evidence says."""
NUMPYS = frozenset({"axis", "keepdims"})
"""Keywords that NumPy's functions take, and functions on tensors spell otherwise."""


def said_by(nodes: Nodes) -> Iterator[tuple[str, int, str, v.Fact]]:
    """The names that are called with such keywords, with the line and the words for it; not what is bound anew."""
    bound = bindings(nodes)
    for name, line in _called(nodes).items():
        if "." not in name and line < bound.get(name, line + 1):
            yield name, line, WORDS, v.BOTTOM


def said_of_attributes(class_: ast.ClassDef, nodes: Nodes) -> Iterator[tuple[str, int, str, v.Fact]]:
    """The same of parameters of `__init__` that are kept in attributes which methods call so: `self.func = func`."""
    found = kept_parameters(class_, _called(nodes))
    yield from ((name, line, WORDS, v.BOTTOM) for name, line in found.items())


def _called(nodes: Nodes) -> dict[str, int]:
    lines: dict[str, int] = {}
    for call in nodes.of(ast.Call):
        if any(keyword.arg in NUMPYS for keyword in call.keywords) and (path := dotted_name(call.func)) is not None:
            lines.setdefault(path, call.func.lineno)
    return lines
