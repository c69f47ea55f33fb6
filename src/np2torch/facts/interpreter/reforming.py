"""Arrays that are given another shape or dtype in place: what else may hold them holds the changed array too."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from np2torch.facts import values as v
from np2torch.facts.domain import memoise
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.results import dtype_names, shape_rank
from np2torch.names.tree import dotted_name

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame

OF_ARRAYS = "array."
"""The prefix of names of array attributes, among the attributes that a call has set."""
PARTS = {"shape": "ranks", "dtype": "dtypes"}
"""Attributes that make another array of one when they are set, and what they change."""


def reform(frame: Frame, node: ast.expr, owner: v.Fact, attribute: str, value: v.Fact) -> None:
    """`x.shape = value`, under every name and in every list, dict, object and module that may hold the array."""
    known: dict[str, Any] = {PARTS[attribute]: shape_rank(value) if attribute == "shape" else dtype_names(value)}
    altered = _altered_facts(frozenset(atom for atom in owner if isinstance(atom, v.Array)), *known.items())
    path = dotted_name(node)
    for name, held in frame.env.items():
        if name == path:
            frame.env[name] = alter_arrays(held, lambda atom: v.one(atom._replace(**known)))
        else:
            frame.env[name] = altered[held]
    _elsewhere(frame, altered)
    frame.context.effects.add_set(f"{OF_ARRAYS}{attribute}")


class _AlteredFacts(dict[v.Fact, v.Fact]):
    """Facts after one of some arrays has been given another shape or dtype; a fact that has none of them stays itself.

    The heap holds the same few facts in many cells, and these are gone through each time such a statement runs.
    """

    def __init__(self, arrays: frozenset[v.Array], known: dict[str, Any]) -> None:
        super().__init__()
        self._arrays, self._known = arrays, known

    def __missing__(self, fact: v.Fact) -> v.Fact:
        found = alter_arrays(fact, self._perhaps) if any(_holds(fact, one) for one in self._arrays) else fact
        self[fact] = found
        return found

    def _perhaps(self, atom: v.Array) -> v.Fact:
        is_one = any(_overlap(atom, one) for one in self._arrays)
        return v.join(v.one(atom), v.one(atom._replace(**self._known))) if is_one else v.one(atom)


@memoise(64)
def _altered_facts(arrays: frozenset[v.Array], *known: tuple[str, Any]) -> _AlteredFacts:
    return _AlteredFacts(arrays, dict(known))


def _elsewhere(frame: Frame, altered: _AlteredFacts) -> None:
    """Change what lists, dicts, objects and modules hold that may be the array."""
    engine = frame.engine
    for site, held in list(engine.heap.items()):
        if (now := altered[held]) is not held:
            engine.add_element(site, now)
            for key, inside in list(engine.keys.get(site, {}).items()):
                engine.add_element(site, altered[inside], key)
    for class_ in engine.classes.values():
        for name, held in list(class_.attributes.items()):
            if (now := altered[held]) is not held:
                engine.set_attribute(class_, name, now, frame)
    for module in engine.modules.values():
        for name, held in list(module.env.items()):
            if module.env is not frame.env and (now := altered[held]) is not held:
                engine.set_global(module, name, now)


def after_call(frame: Frame, passed: tuple[v.Fact, ...], sets: frozenset[str]) -> None:
    """Forget shapes and dtypes that a call may have set in place, of arrays it was passed or that objects hold."""
    lost: dict[str, Any] = {part: None for name, part in PARTS.items() if OF_ARRAYS + name in sets}
    if not lost:
        return
    for key, held in list(frame.env.items()):
        if "." in key and v.known_to_include(held, "array"):
            del frame.env[key]
        elif held in passed:
            frame.env[key] = alter_arrays(held, lambda atom: v.one(atom._replace(**lost)))


def alter_arrays(fact: v.Fact, change: Callable[[v.Array], v.Fact]) -> v.Fact:
    """A fact with each array in it changed, also in tuples and lists."""
    parts: list[v.Fact] = []
    for atom in in_order(fact):
        if isinstance(atom, v.Array):
            parts.append(change(atom))
        elif isinstance(atom, v.Sequence):
            if atom.items is None:
                parts.append(v.one(atom.of(alter_arrays(atom.element, change))))
            else:
                parts.append(v.one(atom.holding(*(alter_arrays(item, change) for item in atom.items))))
        else:
            parts.append(v.one(atom))
    return v.join(v.BOTTOM, *parts)


def _holds(fact: v.Fact, array: v.Array) -> bool:
    """Tell whether a fact may be this array, or a sequence that contains it."""
    return any(
        isinstance(atom, v.Array) and _overlap(atom, array)
        or isinstance(atom, v.Sequence) and _holds(v.elements(atom), array)
        for atom in fact
    )  # fmt: skip


def _overlap(one: v.Array, other: v.Array) -> bool:
    """Tell whether both may be the same array."""
    dtypes = one.dtypes is None or other.dtypes is None or bool(one.dtypes & other.dtypes)
    return dtypes and (one.ranks is None or other.ranks is None or bool(one.ranks & other.ranks))
