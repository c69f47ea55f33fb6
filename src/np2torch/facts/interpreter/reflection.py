"""Attributes by computed names: `getattr(x, name)`, `setattr(x, name, value)`, and loops over names written out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.interpreter import reforming
from np2torch.facts.interpreter.environment import ANY_NAME
from np2torch.facts.interpreter.iteration import ANY_KEY
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.ndarray_subclasses import is_one
from np2torch.names.tree import dotted_name, item_path
from np2torch.names.tree import walk as tree_walk

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame

REFLECTION = frozenset({"getattr", "setattr", "__getattribute__", "__setattr__"})
MOST_NAMES = 16
GLOBALS = v.Builtin("globals()")
GLOBAL = v.join(v.TOP, v.one(v.Builtin("globals()[]")))
"""The value of a module under an unknown name: one of its functions, or anything else."""


def get(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    """`getattr(x, name)` and `getattr(x, name, default)`."""
    facts = arguments.facts()
    name = v.constant(facts[1]) if len(facts) > 1 and not arguments.starred else None
    if not isinstance(name, str):
        for atom in facts[0] if facts else ():
            if isinstance(atom, v.Module):
                frame.search(atom.name)
            elif isinstance(atom, v.Instance):
                _read_any(frame, atom)
        return v.TOP
    default = facts[2] if len(facts) > 2 else v.BOTTOM
    owner = facts[0]
    if default:  # what has no such attribute gives the default
        owner = v.keep(owner, lambda atom: atom.kind != "none" and not _lacks(frame, atom, name))
    return v.join(of(frame, node.args[0], owner, name), default)


def _read_any(frame: Frame, atom: v.Instance) -> None:
    """Read an attribute by an unknown name, which may be any property."""
    names = {name for class_ in atom.definition.lineage() for name in (*class_.methods, *class_.getters)}
    for name in sorted(names):
        if (getter := atom.definition.getter(name)) is not None:
            frame.engine.apply(frame, getter, dict.fromkeys(getter.positional[:1], v.one(atom)))


def _lacks(frame: Frame, atom: v.Atom, name: str) -> bool:
    """Tell whether it is an array without such an attribute, or one of a subclass in which nobody has set it yet."""
    if frame.engine.api.has(name):
        return False
    of_class = isinstance(atom, v.Foreign) and atom.definition is not None or is_one(atom)
    if of_class and isinstance(atom, (v.Foreign, v.Instance)):
        return atom.definition.find(name) is None and not frame.attribute(atom.definition, name)
    return isinstance(atom, (v.Array, v.Scalar))


def put(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    """`setattr(x, name, value)`."""
    facts = arguments.facts()
    if len(facts) == 3 and not arguments.starred:
        store(frame, node.args[0], facts[0], facts[1], facts[2])
    return v.NONE


def of(frame: Frame, node: ast.expr, owner: v.Fact, name: str) -> v.Fact:
    """The attribute of that name."""
    path = dotted_name(node)
    frame.act()  # it is read by a path that is not written
    if path is not None and (known := frame.env.get(f"{path}.{name}")) is not None:
        return known
    parts = [frame.read(atom, name) for atom in in_order(owner)]
    return v.join(*parts) if parts else v.BOTTOM


def store(frame: Frame, node: ast.expr, owner: v.Fact, names: v.Fact, fact: v.Fact) -> None:
    """Set an attribute by a name that may be computed."""
    name = v.constant(names)
    known = name if isinstance(name, str) else ANY_NAME
    for atom in in_order(owner):
        if isinstance(atom, (v.Instance, v.Class)):
            frame.engine.set_attribute(atom.definition, known, fact, frame)
    if known in reforming.PARTS and v.known_to_include(owner, "array"):
        reforming.reform(frame, node, owner, known, fact)
    frame.act()
    frame.context.effects.add_set(known)
    frame.forget(frozenset([known]))
    path = dotted_name(node)
    if path is not None and known != ANY_NAME:
        frame.know(f"{path}.{known}", fact)


def namespace_of(node: ast.expr) -> ast.expr | None:
    """`x` where a node is `x.__dict__`."""
    return node.value if isinstance(node, ast.Attribute) and node.attr == "__dict__" else None


def fill(frame: Frame, node: ast.Call, arguments: Arguments) -> None:
    """`x.__dict__.update(...)`: the attributes whose names are known, and any where values are known of others."""
    place = namespace_of(node.func.value) if isinstance(node.func, ast.Attribute) else None
    if place is None or not isinstance(node.func, ast.Attribute) or node.func.attr != "update":
        return
    named = [(name, argument.fact) for name, argument in arguments.keywords.items()]
    named += (arguments.spread or {}).items()
    owner = frame.facts.get(place, v.TOP)
    for argument in arguments.positional:
        for atom in argument.fact:
            keys = frame.keys(atom.site) if isinstance(atom, v.Mapping) else {}
            named += [(key, fact) for key, fact in keys.items() if isinstance(key, str)]
            if v.without(keys.get(ANY_KEY, v.BOTTOM), "unknown"):  # computed ones, with what is known of some
                store(frame, place, owner, v.TOP, keys[ANY_KEY])
    for name, fact in named:
        store(frame, place, owner, v.one(v.Text(name)), fact)


def path_of(frame: Frame, node: ast.expr) -> str | None:
    """`self.x.y` as text, also where it is written `getattr(self.x, "y")`, or an item of a tuple; None for others."""
    if isinstance(node, ast.Subscript):
        return item_path(node) if _is_tuple(frame.facts.get(node.value, v.TOP)) else None
    found = _reflected(frame, node)
    if found is None:
        return dotted_name(node)
    path = dotted_name(found[0])
    return None if path is None else f"{path}.{found[1]}"


def _is_tuple(fact: v.Fact) -> bool:
    """Tell whether it is one, so that what an item is stays as it is until the name is bound again."""
    return bool(fact) and all(isinstance(atom, v.Sequence) and atom.type == "tuple" for atom in fact)


def fact_of(frame: Frame, node: ast.expr) -> v.Fact:
    """Give the present fact of a name or path that was evaluated before."""
    found = _reflected(frame, node)
    if found is None:
        return frame.facts.get(node, v.TOP)
    owner, name = found  # in a loop over names each pass reads another attribute
    return of(frame, owner, frame.facts.get(owner, v.TOP), name)


def _reflected(frame: Frame, node: ast.expr) -> tuple[ast.expr, str] | None:
    """The object and the name of `getattr(x, name)`, where the name is known."""
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "__getattribute__" and len(node.args) == 1:
        owner, name = node.func.value, node.args[0]
    elif isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) == 2:
        owner, name = node.args
    else:
        return None
    if not v.only(frame.facts.get(node.func, v.TOP), "method", "builtin"):
        return None
    said = name.value if isinstance(name, ast.Constant) else None
    if isinstance(name, ast.Name):
        said = v.constant(frame.env.get(name.id, v.TOP))
    return (owner, said) if isinstance(said, str) else None


def names_written_out(node: ast.For | ast.AsyncFor, fact: v.Fact) -> list[v.Fact] | None:
    """List the names that a loop goes through to read or set attributes: each pass is evaluated by itself."""
    items = v.items_of(fact)
    if items is None or len(items) > MOST_NAMES or not all(isinstance(v.constant(item), str) for item in items):
        return None
    used = any(getattr(n, "id", getattr(n, "attr", "")) in REFLECTION for part in node.body for n in tree_walk(part))
    return list(items) if used else None
