"""Calls of methods of values we know: of arrays, lists, dicts, strings, numbers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.interpreter.iteration import iterate

if TYPE_CHECKING:
    from np2torch.facts.interpreter.frame import Frame


def call_method(frame: Frame, node: ast.Call, method: v.Method, arguments: Arguments) -> v.Fact:
    owner = method.owner
    arguments.escape()
    atom = next(iter(owner), None)
    if isinstance(atom, (v.Array, v.Scalar)):
        return frame.engine.api.method(method.name, owner, arguments)
    facts = arguments.facts()
    if isinstance(atom, v.Sequence):
        if method.name in ("append", "insert", "add", "appendleft") and facts:
            return _grow(frame, node, atom, facts[-1])
        if method.name in ("extend", "update") and facts:
            return _grow(frame, node, atom, iterate(frame, facts[0]))
        if method.name == "pop":
            return iterate(frame, owner)
        if method.name == "copy":
            return owner
        return v.SIZE if method.name in ("index", "count") else v.NONE
    if isinstance(atom, v.Mapping):
        values = frame.engine.heap.get(atom.site, v.BOTTOM)
        keys = iterate(frame, owner)
        if method.name in ("get", "pop", "setdefault"):
            key = v.constant(facts[0]) if facts else None
            found = frame.engine.keys.get(atom.site, {}).get(key, values) if key is not None else values
            default = facts[1] if len(facts) > 1 else v.NONE
            if method.name == "setdefault" and len(facts) > 1:
                frame.engine.add_element(atom.site, facts[1], key)
            return v.join(found, default) if found else v.UNKNOWN
        if method.name == "items":
            return v.one(v.Iterator(v.tuple_of(keys, values)))
        if method.name == "values":
            return v.one(v.Iterator(values))
        if method.name == "keys":
            return v.one(v.Iterator(keys))
        if method.name == "update" and facts:
            for other in facts[0]:
                if isinstance(other, v.Mapping):
                    frame.engine.add_element(atom.site, frame.engine.heap.get(other.site, v.BOTTOM))
                else:
                    frame.engine.add_element(atom.site, v.UNKNOWN)
            for name, argument in arguments.keywords.items():
                frame.engine.add_element(atom.site, argument.fact, name)
            return v.NONE
        return owner if method.name == "copy" else v.OPAQUE
    if isinstance(atom, v.Text):
        if method.name in ("split", "splitlines", "rsplit"):
            return v.one(v.Sequence("list", None, v.TEXT))
        if method.name.startswith(("is", "ends", "starts")):
            return v.BOOL
        return v.SIZE if method.name in ("count", "find", "index") else v.TEXT
    if isinstance(atom, v.Num):
        return v.UNKNOWN if method.name not in ("conjugate", "item") else owner
    if isinstance(atom, v.DType):
        return v.scalar(atom.names) if method.name == "type" else v.OPAQUE
    if isinstance(atom, v.Iterator):
        return v.NONE if method.name in ("add", "update", "discard") else v.UNKNOWN
    return _of_unknown(method.name)


def _grow(frame: Frame, node: ast.Call, atom: v.Sequence, fact: v.Fact) -> v.Fact:
    """`xs.append(fact)`: the list made there may hold it too, here and wherever the list went."""
    if atom.site:
        frame.engine.add_element(atom.site, fact)
    function = node.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        old = frame.lookup(function.value.id) or v.BOTTOM
        element = v.widen(v.join(v.elements(atom), fact))
        rest = v.keep(old, lambda a: not isinstance(a, v.Sequence))
        frame.bind(function.value.id, v.join(rest, v.one(v.Sequence(atom.type, None, element, atom.site))))
    return v.NONE


ARRAY_METHODS = frozenset("astype reshape ravel flatten argsort cumsum cumprod".split())


def _of_unknown(name: str) -> v.Fact:
    """A method of who knows what: some names only arrays have."""
    return v.ARRAY if name in ARRAY_METHODS else v.UNKNOWN
