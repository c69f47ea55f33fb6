"""The lattice: what an expression may be.

A `Fact` is a small set of atoms (`atoms.py`), the alternatives an expression may evaluate to. The empty set is "never
evaluated"; `TOP` among the atoms is "anything at all". dtype and rank of an array are independent sets, None
meaning "any".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from np2torch.facts.atoms import (
    Top as Top,
    Array as Array,
    Atom as Atom,
    Builtin as Builtin,
    Class as Class,
    DType as DType,
    Fact as Fact,
    Foreign as Foreign,
    Function as Function,
    Instance as Instance,
    Iterator as Iterator,
    Mapping as Mapping,
    Method as Method,
    Module as Module,
    Names as Names,
    Nothing as Nothing,
    Num as Num,
    Numpy as Numpy,
    Opaque as Opaque,
    Ranks as Ranks,
    Scalar as Scalar,
    Sequence as Sequence,
    Text as Text,
)
from np2torch.facts.dtypes import WORDS
from np2torch.facts.domain import DOMAIN, memoise, names, union
from np2torch.names.resolve import SCALAR_CLASSES

T = TypeVar("T")

BOTTOM: Fact = frozenset()
TOP: Fact = frozenset([Top()])
NONE: Fact = frozenset([Nothing()])
ARRAY: Fact = frozenset([Array()])
GIVEN_UP: Fact = frozenset([Top(given_up=True)])
TEXT: Fact = frozenset([Text()])
OPAQUE: Fact = frozenset([Opaque()])
INT: Fact = frozenset([Num("int")])
SIZE: Fact = frozenset([Num("int", nonnegative=True)])
FLOAT: Fact = frozenset([Num("float")])
BOOL: Fact = frozenset([Num("bool", nonnegative=True)])
FOREIGN: Fact = frozenset([Foreign()])
OBJECTS: Fact = frozenset([Foreign("text or objects")])
"""An array of strings or of Python objects, which has no number's dtype."""
NUMBERS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
"""Python's numbers by the first letters of dtypes."""
UNHELD: Fact = frozenset([Top()])
"""An array of a dtype that torch lacks: an ndarray."""
PART = "part of an ndarray subclass"
"""The result of an operation on an instance of a subclass: another instance, or a NumPy scalar."""

MOST_ATOMS = 10
MOST_DEPTH = 4
MOST_SITES = 4
MANY_SITES = -1
"""The site of what was made at more places than are told apart; it takes in all others, so that joins come to rest."""


def one(atom: Atom) -> Fact:
    """The fact of a single alternative."""
    return frozenset([atom])


def array(dtype: str | Iterable[str] | None = None, rank: int | Iterable[int] | None = None) -> Fact:
    """An array of the dtype(s) and rank(s) given."""
    ranks = frozenset([rank]) if isinstance(rank, int) else None if rank is None else frozenset(rank)
    return one(Array(names(dtype), ranks))


def scalar(dtype: str | Iterable[str] | None = None, python: bool = False) -> Fact:
    """A NumPy scalar."""
    return one(Scalar(names(dtype), python))


def number(value: Any) -> Fact:
    """A Python number with its value; that of a negative zero, which equals the other zero, is not kept."""
    if value == 0 and "-" in repr(value):
        return one(Num(type(value).__name__))
    nonnegative = not isinstance(value, complex) and value >= 0
    return one(Num(type(value).__name__, value, bool(nonnegative)))


def tuple_of(*items: Fact) -> Fact:
    """A tuple of known length."""
    return one(Sequence("tuple", tuple(items)))


def _ranks(parts: Iterable[Ranks]) -> Ranks:
    """Unite sets; None, for anything, where one of them is."""
    out: frozenset[int] = frozenset()
    for part in parts:
        if part is None:
            return None
        out |= part
    return out


def _join_atoms(kind: str, atoms: list[Any]) -> list[Atom]:
    joined = _JOINS.get(kind)
    return atoms if joined is None else joined(atoms)


def _join_numbers(atoms: list[Num]) -> list[Atom]:
    found: dict[str, Num] = {}
    for atom in atoms:
        seen = found.get(atom.type)
        same = seen is None or (seen.value is not None and seen.value == atom.value)
        found[atom.type] = (
            atom if same else Num(atom.type, None, seen is not None and seen.nonnegative and atom.nonnegative)
        )
    return list(found.values())


def _join_iterators(atoms: list[Iterator]) -> list[Atom]:
    element, ranges = join(*(atom.element for atom in atoms)), all(atom.is_range for atom in atoms)
    rows = [atom.items for atom in atoms if atom.items is not None]
    same = len(rows) == len(atoms) and len({len(row) for row in rows}) == 1
    items = tuple(join(*column) for column in zip(*rows, strict=True)) if same else None
    return [Iterator(element, all(atom.filled for atom in atoms), ranges, items)]


def _join_methods(atoms: list[Method]) -> list[Atom]:
    methods: dict[str, Fact] = {}
    for atom in atoms:
        methods[atom.name] = join(methods.get(atom.name, BOTTOM), atom.owner)
    return [Method(name, owner) for name, owner in methods.items()]


def _join_unknown(atoms: list[Top]) -> list[Atom]:
    known = all(atom.returns for atom in atoms)
    returns = join(*(atom.returns for atom in atoms)) if known else BOTTOM
    return [Top(returns, any(atom.given_up for atom in atoms))]


def _join_sequences(atoms: list[Sequence]) -> list[Atom]:
    groups: dict[tuple[str, int], list[Sequence]] = {}
    for atom in atoms:
        groups.setdefault((atom.type, atom.site), []).append(atom)
    for type_ in {type_ for type_, _ in groups}:  # a table written as rows: one kind of row, wherever each was made
        rows = [key for key in groups if key[0] == type_]
        if len(rows) > MOST_SITES or (type_, MANY_SITES) in groups:
            groups[type_, MANY_SITES] = [atom for key in rows for atom in groups.pop(key)]
    out: list[Atom] = []
    for (type_, site), group in groups.items():
        lengths = {None if atom.items is None else len(atom.items) for atom in group}
        if len(lengths) == 1 and None not in lengths:
            columns = zip(*(atom.items or () for atom in group), strict=True)
            out.append(Sequence(type_, tuple(join(*column) for column in columns), site=site))
        else:
            element = join(*(elements(atom) for atom in group))
            possible = _ranks(atom.possible_lengths for atom in group)
            out.append(Sequence(type_, None, element, site, all(map(has_items, group)), possible))
    return out


MOST_JOINED = 100_000


def join(*facts: Fact) -> Fact:
    """The least fact that covers all of these."""
    if len(facts) == 2:
        one_side, other = facts
        if one_side is other or not other:
            return one_side
        merged = one_side | other
    else:
        merged = facts[0] if len(facts) == 1 else frozenset().union(*facts)
    joined: dict[Fact, Fact] = DOMAIN.joined
    known = joined.get(merged)
    if known is None:
        if len(joined) > MOST_JOINED:
            joined.clear()
        known = joined[merged] = merged if len(merged) < 2 else _join_alternatives(merged)
    return known


def _join_alternatives(merged: Fact) -> Fact:
    by_kind: dict[str, list[Atom]] = {}
    for atom in merged:
        by_kind.setdefault(atom.kind, []).append(atom)
    if not GIVEN_UP.isdisjoint(merged):
        return _give_up(merged)
    if len(by_kind) == len(merged):
        return merged
    if len({atom.python for atom in by_kind.get("scalar", ()) if isinstance(atom, Scalar)}) == 2:
        return _join_alternatives(frozenset(_as_numbers(merged)))
    out: list[Atom] = []
    for kind, atoms in by_kind.items():
        out += atoms if len(atoms) == 1 else _join_atoms(kind, atoms)
    if len(out) > MOST_ATOMS:
        out = _without_classes(out)
    return frozenset(out) if len(out) <= MOST_ATOMS else _give_up(out)


def _without_classes(atoms: list[Atom]) -> list[Atom]:
    """Some dtype for scalar classes, of which tests are given many."""
    rest = [a for a in atoms if not isinstance(a, Numpy) or a.name.removeprefix("numpy.") not in SCALAR_CLASSES]
    return [*(a for a in rest if a.kind != "dtype"), DType()] if len(rest) < len(atoms) else atoms


def _give_up(atoms: Collection[Atom]) -> Fact:
    """Anything at all, for too many alternatives; functions among them may be called with anything."""
    DOMAIN.lost.update(atom.definition for atom in atoms if isinstance(atom, Function))
    return frozenset([*GIVEN_UP, *(a for a in atoms if isinstance(a, (Array, Scalar)) and DOMAIN.holds(a.dtypes))])


_JOINS: dict[str, Callable[[list[Any]], list[Atom]]] = {
    "array": lambda atoms: [Array(union(atom.dtypes for atom in atoms), _ranks(atom.ranks for atom in atoms))],
    "scalar": lambda atoms: [Scalar(union(atom.dtypes for atom in atoms), all(atom.python for atom in atoms))],
    "number": _join_numbers,
    "text": lambda atoms: [Text()],
    "dtype": lambda atoms: [DType(union(atom.names for atom in atoms))],
    "sequence": _join_sequences,
    "iterator": _join_iterators,
    "method": _join_methods,
    "unknown": _join_unknown,
}
"""How several alternatives of one kind become fewer; those of any other kind stay side by side."""


def _as_numbers(atoms: Iterable[Atom]) -> Iterable[Atom]:
    """NumPy scalars that become Python numbers as such: they are an alternative to those that become tensors."""
    for atom in atoms:
        if isinstance(atom, Scalar) and atom.python:
            kinds = {NUMBERS.get(letter[0]) for letter in (NUMBERS if atom.dtypes is None else atom.dtypes)}
            yield from (Num(kind) for kind in kinds if kind)
        else:
            yield atom


def escape(atoms: Iterable[Atom]) -> None:
    """Let functions escape: they may be called with anything."""
    for atom in atoms:
        if isinstance(atom, Function):
            atom.definition.escape()


_WIDE = frozenset(
    "array scalar mapping module numpy dtype function class instance method builtin foreign opaque none unknown".split()
)
"""Kinds that are as wide as they get."""


def elements(atom: Sequence) -> Fact:
    """Join the items of a sequence."""
    return atom.element if atom.items is None else join(BOTTOM, *atom.items)


def has_items(atom: Atom) -> bool:
    """Tell whether iterating over it certainly gives something."""
    return isinstance(atom, Sequence) and atom.has_items or isinstance(atom, Iterator) and atom.filled


@memoise(MOST_JOINED)
def widen(fact: Fact) -> Fact:
    """Forget constants, but for the few words that spell a dtype, and deep nesting, so that loops and recursion end."""
    return _widened(fact, 0)


def generalize(fact: Fact) -> Fact:
    """The same kinds of values, of any rank and any length: what a loop that never comes to rest makes of one."""
    out: list[Atom] = []
    for atom in fact:
        if isinstance(atom, Sequence):
            out.append(Sequence(atom.type, None, elements(atom), atom.site))
        else:
            out.append(Array(atom.dtypes) if isinstance(atom, Array) else atom)
    return join(frozenset(out))


def _widened(fact: Fact, depth: int) -> Fact:
    if all(atom.kind in _WIDE for atom in fact):
        return fact
    if depth > MOST_DEPTH:
        return TOP
    out: list[Atom] = []
    for atom in fact:
        if isinstance(atom, Num) and atom.value is not None and not isinstance(atom.value, bool):
            out.append(Num(atom.type, None, atom.nonnegative))
        elif isinstance(atom, Text):
            out.append(atom if atom.value in WORDS else Text())
        elif isinstance(atom, Sequence):
            if atom.items is not None and len(atom.items) <= 8:
                out.append(atom.holding(*(_widened(item, depth + 1) for item in atom.items)))
            else:
                out.append(atom.of(_widened(elements(atom), depth + 1)))
        elif isinstance(atom, Iterator):
            each = atom.items and tuple(_widened(item, depth + 1) for item in atom.items)
            out.append(atom._replace(element=_widened(atom.element, depth + 1), items=each))
        else:
            out.append(atom)
    return join(frozenset(out))


def lengths_of(fact: Fact) -> Ranks:
    """Give the lengths that a tuple or list may have; None where they are not known."""
    if not only(fact, "sequence"):
        return None
    return _ranks(atom.possible_lengths if isinstance(atom, Sequence) and atom.type != "set" else None for atom in fact)


def is_anything(fact: Fact) -> bool:
    """Tell whether nothing at all is known."""
    return fact in (TOP, GIVEN_UP)


def kinds(fact: Fact) -> set[str]:
    """The kinds of the alternatives."""
    return {atom.kind for atom in fact}


def only(fact: Fact, *wanted: str) -> bool:
    """Tell whether there are alternatives, and all are of these kinds."""
    for atom in fact:  # a loop: a generator costs more than what it tests, here and below
        if atom.kind not in wanted:
            return False
    return bool(fact)


def may(fact: Fact, *wanted: str) -> bool:
    """Tell whether it may be one of these kinds. Unknown may be anything."""
    return not fact or any(atom.kind in wanted or atom.kind == "unknown" for atom in fact)


def known_to_include(fact: Fact, *wanted: str) -> bool:
    """Tell whether one of these kinds is known to be an alternative."""
    for atom in fact:  # noqa: SIM110
        if atom.kind in wanted:
            return True
    return False


def is_tensor(fact: Fact) -> bool:
    """Becomes a tensor for sure: an array, or a NumPy scalar held as a 0-D tensor."""
    return bool(fact) and all(atom.kind == "array" or (isinstance(atom, Scalar) and not atom.python) for atom in fact)


@memoise(MOST_JOINED)
def perhaps_unheld(fact: Fact) -> Fact:
    """A fact with the alternative that it stays an ndarray, where its dtype may be one that torch lacks."""
    return fact | UNHELD if DOMAIN.names_unheld and any(map(_is_of_any_dtype, fact)) else fact


def _is_of_any_dtype(atom: Atom) -> bool:
    return isinstance(atom, (Array, Scalar)) and atom.dtypes is None or isinstance(atom, DType) and atom.names is None


def dtypes_of(fact: Fact) -> Names:
    """dtypes of the array and scalar alternatives; None when any is possible."""
    out: frozenset[str] = frozenset()
    is_open = not fact
    for atom in fact:
        if isinstance(atom, (Array, Scalar)) and atom.dtypes is not None:
            out |= atom.dtypes
        elif atom.kind in ("array", "scalar", "unknown"):
            is_open = True
    return union((None, out)) if is_open else out


def ranks_of(fact: Fact) -> Ranks:
    """Ranks of the alternatives; numbers and scalars have rank 0; None when any is possible."""
    out: frozenset[int] = frozenset()
    for atom in fact:
        if isinstance(atom, Array):
            if atom.ranks is None:
                return None
            out |= atom.ranks
        elif atom.kind in ("scalar", "number"):
            out |= {0}
        else:
            return None
    return out if fact else None


def rank_of(fact: Fact) -> int | None:
    """Find the one rank of a fact, else None."""
    return sole(ranks_of(fact) or ())


def dtype_of(fact: Fact) -> str | None:
    """Find the one dtype of a fact, else None."""
    return sole(dtypes_of(fact) or ())


def sole(alternatives: Collection[T]) -> T | None:
    """Find the only alternative of a fact, else None."""
    return next(iter(alternatives)) if len(alternatives) == 1 else None


def constant(fact: Fact) -> Any:
    """Find the Python number or string of a constant fact, else None."""
    atom = sole(fact)
    return atom.value if isinstance(atom, (Num, Text)) else None


def items_of(fact: Fact) -> tuple[Fact, ...] | None:
    """The items of a tuple or list of known length, else None."""
    atom = sole(fact)
    return atom.items if isinstance(atom, Sequence) else None


def keep(fact: Fact, test: Callable[[Atom], bool]) -> Fact:
    """The alternatives that pass the test."""
    return frozenset([atom for atom in fact if test(atom)])


def without(fact: Fact, kind: str) -> Fact:
    """The alternatives of other kinds."""
    return keep(fact, lambda atom: atom.kind != kind) if known_to_include(fact, kind) else fact
