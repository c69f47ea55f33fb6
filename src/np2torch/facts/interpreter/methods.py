"""Calls of methods of values we know: of arrays, lists, dicts, strings, numbers."""

from __future__ import annotations

import ast
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.interpreter import reflection, reforming, subclass_results
from np2torch.facts.interpreter.context_selectors import SPELLED
from np2torch.facts.interpreter.iteration import ANY_KEY, is_filled, iterate
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.python_types import OF_NUMBERS
from np2torch.facts.text_uses import names_text

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame


OF_KEYS = {
    "keys": v.one(v.Iterator(v.OPAQUE)), "items": v.one(v.Iterator(v.tuple_of(v.OPAQUE, v.TOP))),
}
"""What mappings of which nothing is known give of their keys: no key is an array."""
MOST_LISTED = 3
"""Lists nested deeper are not followed."""
ARRAY_METHODS = frozenset("astype reshape ravel flatten argsort cumsum cumprod".split())
"""Methods that only arrays have, whoever the owner is."""


def call_method(frame: Frame, node: ast.Call, method: v.Method, arguments: Arguments) -> v.Fact:
    """The fact of calling a method of a value."""
    frame.let_go(arguments)
    arrays = v.keep(method.owner, lambda atom: isinstance(atom, (v.Array, v.Scalar)))
    if method.name == "resize" and arrays and isinstance(node.func, ast.Attribute):
        facts = [argument.fact for argument in arguments.positional]
        shape = facts[0] if len(facts) == 1 else v.tuple_of(*facts)
        reforming.reform(frame, node.func.value, arrays, "shape", shape)
    made = subclass_results.view_as_class(frame, arrays, arguments) if method.name == "view" and arrays else v.BOTTOM
    made = made or (_listed(frame, node, arrays) if method.name == "tolist" else v.BOTTOM)
    parts = [made or frame.engine.api.method(method.name, arrays, arguments)] if arrays else []
    parts += [_of_atom(frame, node, atom, method, arguments) for atom in in_order(method.owner - arrays)]
    return v.join(*parts) if parts else v.TOP


def _listed(frame: Frame, node: ast.Call, arrays: v.Fact) -> v.Fact:
    """The lists of lists that arrays become, as deep as they have dimensions; nothing where nobody knows how many."""
    parts: list[v.Fact] = []
    for atom in arrays:
        ranks = atom.ranks if isinstance(atom, v.Array) else frozenset([0])
        if ranks is None or max(ranks) > MOST_LISTED or not isinstance(atom, (v.Array, v.Scalar)):
            return v.BOTTOM
        held = results.numbers(atom.dtypes)
        for depth in range(max(ranks) + 1):
            parts += [held] if depth in ranks else []
            held = v.one(v.Sequence("list", None, v.join(held, frame.element(id(node))), id(node)))
    return v.join(v.BOTTOM, *parts)


def _of_atom(frame: Frame, node: ast.Call, owner: v.Atom, method: v.Method, arguments: Arguments) -> v.Fact:
    if isinstance(owner, v.Sequence):
        return _of_sequence(frame, node, owner, method, arguments)
    if isinstance(owner, v.Mapping):
        return _of_mapping(frame, owner, method, arguments)
    if isinstance(owner, v.Text):
        return _of_text(method.name, None if arguments.facts() else owner.value)
    if isinstance(owner, v.Num):
        return method.owner if method.name in ("conjugate", "item") else OF_NUMBERS.get(method.name, v.TOP)
    if isinstance(owner, v.DType):
        return v.scalar(owner.names) if method.name == "type" else _reordered(owner, arguments)
    if isinstance(owner, v.Iterator):
        return v.NONE if method.name in ("add", "update", "discard") else v.TOP
    if isinstance(owner, v.Instance) and owner.definition.is_tensor():
        return subclass_results.method(frame, owner, method.name, arguments)
    if isinstance(owner, v.Instance) and isinstance(node.func, ast.Attribute):
        return _of_object(frame, node.func.value, owner, method.name, arguments)
    if isinstance(owner, v.Top):
        return _of_unknown(frame, node, method.name, arguments)
    return v.ARRAY if method.name in ARRAY_METHODS else v.TOP


def _of_unknown(frame: Frame, node: ast.Call, name: str, arguments: Arguments) -> v.Fact:
    """A method of what may be anything; by its name it may be text, or a mapping that gives its keys."""
    if name == "__new__" and (made := new_instances(frame, arguments)):
        return made
    reflection.fill(frame, node, arguments)
    if names_text(node) and not frame.classes_with(name):
        _change(frame, node, lambda atom: v.Text() if isinstance(atom, v.Top) else atom)
        return _of_text(name, None)
    if name in OF_KEYS and not arguments.facts() and not frame.classes_with(name):
        return OF_KEYS[name]
    return of_anything(frame, name, arguments)


def new_instances(frame: Frame, arguments: Arguments) -> v.Fact:
    """Give the objects that `object.__new__(cls)` makes of classes of the project; nothing where it may be others."""
    given = arguments.positional[0].fact if arguments.positional else v.BOTTOM
    classes = [atom.definition for atom in in_order(given) if isinstance(atom, v.Class)]
    if len(classes) < len(given) or any(class_.is_ndarray() for class_ in classes):
        return v.BOTTOM
    return v.join(v.BOTTOM, *(v.one(frame.engine.instance(class_)) for class_ in classes))


def _of_object(frame: Frame, node: ast.expr, owner: v.Instance, name: str, arguments: Arguments) -> v.Fact:
    """Give the result of methods that every object has, such as `__getattribute__`."""
    facts = arguments.facts()
    if name == "__setattr__" and len(facts) == 2:
        reflection.store(frame, node, v.one(owner), facts[0], facts[1])
        return v.NONE
    known = v.constant(facts[0]) if name == "__getattribute__" and len(facts) == 1 else None
    return reflection.of(frame, node, v.one(owner), known) if isinstance(known, str) else v.TOP


BUILTIN_METHODS = frozenset(
    name for kind in (list, dict, str, bytes, set, int, float, complex, io.TextIOWrapper) for name in dir(kind)
) | frozenset("sum mean std var min max all any dot round clip fill flatten ravel reshape transpose item".split())
"""Methods of Python's own types and of arrays: a call of one says nothing of which class of the project is meant."""
MOST_CLASSES = 4


def of_anything(frame: Frame, name: str, arguments: Arguments) -> v.Fact:
    """A method of we know not what: perhaps of the project's classes that have one of that name."""
    classes = frame.classes_with(name)
    if name in ARRAY_METHODS:
        return v.join(v.ARRAY, v.TOP) if classes or frame.engine.lookalikes.masked else v.ARRAY
    if name in BUILTIN_METHODS or not classes:
        return v.TOP
    for class_ in classes:
        method = class_.methods[name]
        if len(classes) > MOST_CLASSES:
            method.escape()
        else:
            receiver = v.Class(class_) if method.takes_class else frame.engine.instance(class_)
            frame.engine.apply(frame, method, method.bind(arguments, v.one(receiver)))
    return v.TOP


def _of_sequence(frame: Frame, node: ast.Call, owner: v.Sequence, method: v.Method, arguments: Arguments) -> v.Fact:
    facts = arguments.facts()
    if method.name in ("append", "insert", "add", "appendleft") and facts:
        return _grow(frame, node, owner, facts[-1], True)
    if method.name in ("extend", "update") and facts:
        return _grow(frame, node, owner, iterate(frame, facts[0]), is_filled(facts[0]))
    if method.name in TAKING:
        found = iterate(frame, method.owner)
        frame.shorten(v.one(owner))
        _change(frame, node, _emptied)
        return found if method.name.startswith("pop") else v.NONE
    if method.name in REORDERING:
        _change(frame, node, reorder_items)
        return v.NONE
    if method.name == "extendleft" and facts:
        return _grow(frame, node, owner, iterate(frame, facts[0]), is_filled(facts[0]))
    if method.name == "copy":
        return method.owner
    if method.name in ("index", "count"):
        return v.SIZE
    if method.name in ("union", "intersection", "difference", "symmetric_difference"):
        some = v.join(v.one(owner), *(f for f in facts if v.only(f, "sequence")))
        return some if method.name == "union" else frozenset(map(_emptied, some))
    if method.name in ("issubset", "issuperset", "isdisjoint"):
        return v.BOOL
    return v.TOP


TAKING = frozenset("pop popleft clear remove discard".split())
"""Methods that take items away."""
REORDERING = frozenset("sort reverse rotate".split())
"""Methods that put the items in another order."""


def _reordered(owner: v.DType, arguments: Arguments) -> v.Fact:
    """`dtype.newbyteorder(order)`: in the machine's order the same one, in another one that torch lacks."""
    order = v.constant(arguments.facts()[0]) if arguments.facts() else None
    return v.one(owner) if order in ("=", "N", "n", "native") else v.join(v.TOP, v.one(v.DType()))


class MappingCall(NamedTuple):
    """A call of a method of a dict.

    Attributes
    ----------
    owner, fact
        The alternative that the dict is, as an atom and as a fact.
    values
        What it holds.
    """

    owner: v.Mapping
    fact: v.Fact
    values: v.Fact
    name: str
    arguments: Arguments


def _of_mapping(frame: Frame, owner: v.Mapping, method: v.Method, arguments: Arguments) -> v.Fact:
    call = MappingCall(owner, method.owner, frame.element(owner.site), method.name, arguments)
    if owner.counts and method.name in OF_COUNTERS and not (method.name == "update" and _updates(call)):
        return _of_counter(frame, call)
    model = OF_MAPPINGS.get(method.name)
    return v.OPAQUE if model is None else model(frame, call)


def _look_up(frame: Frame, call: MappingCall) -> v.Fact:
    """`d.get(key, default)`, and `pop` and `setdefault`."""
    facts, site = call.arguments.facts(), call.owner.site
    key = v.constant(facts[0]) if facts else None
    keys = frame.keys(site)
    default = facts[1] if len(facts) > 1 else v.BOTTOM if call.name == "pop" else v.NONE  # `pop` raises
    if call.owner.closed and key is not None and call.name != "setdefault":
        return v.join(keys.get(key, v.BOTTOM), keys.get(ANY_KEY, v.BOTTOM), default) or frame.unseen()
    found = keys.get(key, call.values) if key is not None else call.values
    if call.name == "setdefault" and len(facts) > 1:
        frame.engine.add_element(site, facts[1], key)
    return v.join(found, default) if found else v.TOP


def _updates(call: MappingCall) -> bool:
    """Tell whether items are put in as they are, and not counted."""
    facts = call.arguments.facts()
    return bool(facts) and (not call.owner.counts or v.known_to_include(facts[0], "mapping", "unknown"))


def _update(frame: Frame, call: MappingCall) -> v.Fact:
    """`d.update(other, key=value)`."""
    if not _updates(call):
        return v.OPAQUE
    frame.add_mappings(call.owner.site, call.arguments.facts()[0])
    for name, argument in call.arguments.keywords.items():
        frame.engine.add_element(call.owner.site, argument.fact, name)
    return v.NONE


def _of_counter(frame: Frame, call: MappingCall) -> v.Fact:
    """Methods that a `Counter` has in its own way, or alone."""
    if call.name in ("update", "subtract"):
        frame.engine.add_element(call.owner.site, v.INT, ANY_KEY)
    return OF_COUNTERS[call.name]


OF_MAPPINGS: dict[str, Callable[[Frame, MappingCall], v.Fact]] = {
    **dict.fromkeys(("get", "pop", "setdefault"), _look_up),
    "items": lambda frame, call: v.one(v.Iterator(v.tuple_of(iterate(frame, v.one(call.owner)), call.values))),
    "values": lambda frame, call: v.one(v.Iterator(call.values)),
    "keys": lambda frame, call: v.one(v.Iterator(iterate(frame, v.one(call.owner)))),
    "update": _update, "copy": lambda frame, call: call.fact,
}  # fmt: skip
"""What methods of a dict give."""


OF_COUNTERS: dict[str, v.Fact] = {
    "most_common": v.one(v.Sequence("list", None, v.tuple_of(v.TOP, v.TOP))), "total": v.TOP,
    "elements": v.one(v.Iterator(v.TOP)), "subtract": v.NONE, "update": v.NONE,
}
"""The results of methods of a `Counter`."""


def _of_text(name: str, value: str | None) -> v.Fact:
    if name in SPELLED and value is not None:
        return v.one(v.Text(getattr(value, name)()))
    if name in ("split", "splitlines", "rsplit"):
        return v.one(v.Sequence("list", None, v.TEXT))
    if name.startswith(("is", "ends", "starts")):
        return v.BOOL
    return v.SIZE if name in ("count", "find", "index") else v.TEXT


def _grow(frame: Frame, node: ast.Call, atom: v.Sequence, fact: v.Fact, filled: bool) -> v.Fact:
    """`xs.append(fact)`: the list made there may hold it too, here and wherever the list went."""
    if atom.site:
        frame.engine.add_element(atom.site, fact)
    _change(frame, node, lambda one: _grown(one, fact, filled))
    return v.NONE


def _change(frame: Frame, node: ast.Call, change: Callable[[v.Atom], v.Atom]) -> None:
    """Change the fact of a name whose method is called."""
    if isinstance(node.func, ast.Attribute):
        change_name(frame, node.func.value, change)


def change_name(frame: Frame, node: ast.expr, change: Callable[[v.Atom], v.Atom]) -> None:
    """Bind a name anew, with a change applied to each alternative of its fact."""
    if isinstance(node, ast.Name):
        old = frame.lookup(node.id) or v.BOTTOM
        frame.bind(node.id, v.join(v.BOTTOM, *(v.one(change(one)) for one in old)))


def insert_items(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    """`heapq.heappush(xs, x)`: the list has an item more, at a place that depends on values."""
    facts = arguments.facts()
    if len(facts) > 1 and not arguments.starred:
        for atom in facts[0]:
            if isinstance(atom, v.Sequence) and atom.site:
                frame.engine.add_element(atom.site, facts[1])
        change_name(frame, node.args[0], lambda one: _grown(one, facts[1], True))
    return v.NONE


def shuffle_items(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    """`random.shuffle(xs)`: its items in another order."""
    if node.args:
        change_name(frame, node.args[0], reorder_items)
    return v.NONE


def _grown(atom: v.Atom, fact: v.Fact, filled: bool) -> v.Atom:
    """The alternative with further items, if it is a list."""
    if not isinstance(atom, v.Sequence) or atom.type == "tuple":
        return atom
    element = v.widen(v.join(v.elements(atom), fact))
    return v.Sequence(atom.type, None, element, atom.site, filled or v.has_items(atom))


def reorder_items(atom: v.Atom) -> v.Atom:
    """The alternative with its items in any order, if it is a list."""
    if not isinstance(atom, v.Sequence) or atom.type == "tuple" or atom.items is None:
        return atom
    return v.Sequence(atom.type, None, v.elements(atom), atom.site, v.has_items(atom), atom.possible_lengths)


def _emptied(atom: v.Atom) -> v.Atom:
    """The alternative with fewer items, if it is a list: perhaps with none."""
    if not isinstance(atom, v.Sequence) or atom.type == "tuple":
        return atom
    return v.Sequence(atom.type, None, v.widen(v.elements(atom)), atom.site)
