"""Literals and iteration: the facts that every other kind of expression builds on."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from np2torch.facts import models, results
from np2torch.facts import values as v
from np2torch.facts.arguments import arguments_of
from np2torch.facts.interpreter import nditers
from np2torch.facts.interpreter.environment import ANY_KEY as ANY_KEY
from np2torch.facts.interpreter.environment import DTYPE_KEY
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.libraries import part_of
from np2torch.facts.ndarray_subclasses import is_one
from np2torch.facts.stdlib import is_file

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame


def constant_fact(value: object) -> v.Fact:
    """The fact of a literal."""
    if isinstance(value, (bool, int, float, complex)):
        return v.number(value)
    if isinstance(value, str):
        return v.one(v.Text(value if len(value) <= 80 else None))
    return v.NONE if value is None else v.TEXT if isinstance(value, bytes) else v.OPAQUE


literal = lru_cache(maxsize=10_000, typed=True)(constant_fact)
"""The same for what stands in a source, where no zero is negative: equal values are one there."""


def is_filled(fact: v.Fact) -> bool:
    """Tell whether iterating over it certainly gives something."""
    return bool(fact) and all(map(v.has_items, fact))


def is_settled(frame: Frame, atom: v.Sequence) -> bool:
    """Tell whether it holds just the items it was made of; a list may grow, and a set drops equal items."""
    return atom.type == "tuple" or atom.type != "set" and not frame.element(atom.site)


NO_ITEMS = ("scalar", "number", "none", "function", "module", "dtype")
"""The kinds of value that raise if they are iterated over or unpacked."""


def iterable(fact: v.Fact) -> v.Fact:
    """The alternatives that can be gone through, where there are any."""
    left = v.keep(
        fact, lambda atom: atom.kind not in NO_ITEMS and not (isinstance(atom, v.Array) and atom.ranks == ZERO)
    )
    return left or fact


ZERO = frozenset({0})


def iterate(frame: Frame, fact: v.Fact) -> v.Fact:
    """Give what iterating over a value yields."""
    parts = []
    for atom in in_order(iterable(fact)):
        model = ITERATED.get(atom.__class__)
        parts.append(v.TOP if model is None else model(frame, atom))
    return v.join(*parts) if parts else v.BOTTOM


def _of_array(frame: Frame, atom: v.Array) -> v.Fact:
    """The rows of an array, or its elements."""
    if atom.ranks is None:
        return v.join(v.one(v.Array(atom.dtypes)), v.one(v.Scalar(atom.dtypes)))
    ranks = frozenset(r - 1 for r in atom.ranks if r > 0)
    return results.make(atom.dtypes, ranks) if ranks else v.TOP


def _of_sequence(frame: Frame, atom: v.Sequence) -> v.Fact:
    """The items of a list, with what was put into it since it was made."""
    inside = v.elements(atom)
    found = v.join(inside, frame.element(atom.site)) if atom.site else inside
    return (by_value(found) if atom.type == "set" else found) or frame.unseen()


def _of_mapping(frame: Frame, atom: v.Mapping) -> v.Fact:
    """The keys of a dict, which are no tensors: what may be one is put in by its value."""
    keys = frame.keys(atom.site)
    known = v.widen(v.join(v.BOTTOM, *(constant_fact(key) for key in keys if key not in (ANY_KEY, DTYPE_KEY))))
    known = v.join(known, keys.get(DTYPE_KEY, v.BOTTOM))
    return v.join(known, v.OPAQUE) if ANY_KEY in keys or not known else known


def _of_numpys(frame: Frame, atom: v.Numpy) -> v.Fact:
    """Items of an object of NumPy's, of which `nditer` is known."""
    return nditers.yielded_values(atom) if nditers.is_nditer(atom) else v.TOP


def _of_opaque(frame: Frame, atom: v.Opaque) -> v.Fact:
    """Items of an object of a library's."""
    return v.TEXT if is_file(atom) else models.iterate(atom) or part_of(atom)


def by_value(fact: v.Fact) -> v.Fact:
    """Give the items of a set: NumPy scalars that were put in, also in tuples, are Python numbers by their values."""
    out: list[v.Atom] = []
    for atom in fact:
        if isinstance(atom, (v.Array, v.Scalar)):
            out.append(v.Scalar(atom.dtypes, python=True))
        elif isinstance(atom, v.Sequence) and atom.items is not None:
            out.append(atom.holding(*map(by_value, atom.items)))
        else:
            out.append(atom.of(by_value(v.elements(atom))) if isinstance(atom, v.Sequence) else atom)
    return v.join(frozenset(out))


def items(frame: Frame, atom: v.Atom) -> tuple[v.Fact, ...] | None:
    """The items of a tuple, list or named tuple of known length, or what is yielded one after the other."""
    if isinstance(atom, v.Instance) and atom.definition.is_named_tuple:
        class_ = atom.definition
        return tuple(frame.attribute(class_, n) or class_.annotated_fact(n) or frame.unseen() for n in class_.fields())
    return atom.items if isinstance(atom, (v.Sequence, v.Iterator)) else None


MOST_EACH = 8
"""More items than these are not looked at one by one."""


def each_of(frame: Frame, fact: v.Fact) -> tuple[v.Fact, ...] | None:
    """List what an iteration gives one after the other, where that is a few things that are not alike."""
    atom = v.sole(fact)
    known = atom.items if isinstance(atom, (v.Sequence, v.Iterator)) else None
    if known is None or not 1 < len(known) <= MOST_EACH:
        return None
    each = tuple(map(v.widen, known))
    grows = isinstance(atom, v.Sequence) and not is_settled(frame, atom)
    return None if grows or each.count(each[0]) == len(each) else each


def item(frame: Frame, atom: v.Atom, index: int) -> v.Fact:
    """The item at a place of one alternative."""
    known = items(frame, atom)
    return known[index] if known is not None and -len(known) <= index < len(known) else iterate(frame, v.one(atom))


def _of_instance(frame: Frame, atom: v.Instance) -> v.Fact:
    known = items(frame, atom)
    if known is not None:
        return v.join(v.BOTTOM, *known)
    method = atom.definition.find("__iter__")
    if method is None and is_one(atom) and atom.definition.find("__getitem__") is None:
        from np2torch.facts.interpreter import subclass_results  # which reads attributes

        return subclass_results.rewrap(frame, atom, iterate(frame, subclass_results.data(frame, atom)), scalars=True)
    if method is None:
        return v.TOP
    iterator = frame.engine.apply(frame, method, method.bind(arguments_of(), v.one(atom)))
    return v.join(v.BOTTOM, *(_next(frame, one) for one in in_order(iterator)))


def _next(frame: Frame, iterator: v.Atom) -> v.Fact:
    """Give what an iterator yields, which may be an object of the project with `__next__`."""
    if not isinstance(iterator, v.Instance):
        return iterate(frame, v.one(iterator))
    method = iterator.definition.find("__next__")
    if method is None:
        return v.TOP
    return frame.engine.apply(frame, method, method.bind(arguments_of(), v.one(iterator)))


ITERATED: dict[type, Callable[[Frame, Any], v.Fact]] = {
    v.Array: _of_array, v.Sequence: _of_sequence, v.Mapping: _of_mapping, v.Iterator: lambda frame, atom: atom.element,
    v.Numpy: _of_numpys, v.Text: lambda frame, atom: v.TEXT, v.Opaque: _of_opaque, v.Instance: _of_instance,
    v.Foreign: lambda frame, atom: results.foreign_of(v.one(atom)),
}  # fmt: skip
"""What iterating over each kind of alternative yields; of others nobody knows."""
