"""Kinds of alternatives that an expression may evaluate to, a tuple each.

Tuples' hashes and comparisons are the fastest there are; `kind`, the last item, tells atoms apart. A NumPy scalar is
not a 0-D array: it cannot be written through and has no identity.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self, TypeAlias

Names: TypeAlias = frozenset[str] | None
Ranks: TypeAlias = frozenset[int] | None
MOST_NESTED = 4
MOST_ITEMS = 300
MOST_LENGTHS = 8


class Array(NamedTuple):
    """An ndarray that becomes a tensor."""

    dtypes: Names = None
    ranks: Ranks = None
    kind: str = "array"


class Scalar(NamedTuple):
    """A NumPy scalar that becomes a 0-D tensor, or a Python number where `python` says so."""

    dtypes: Names = None
    python: bool = False
    kind: str = "scalar"


class Num(NamedTuple):
    """A Python bool, int, float or complex (`type`), with its value and sign where known."""

    type: str
    value: Any = None
    nonnegative: bool = False
    kind: str = "number"


class Text(NamedTuple):
    """A str or bytes."""

    value: str | None = None
    kind: str = "text"


class _Sequence(NamedTuple):
    type: str
    items: tuple[Fact, ...] | None
    element: Fact
    site: int
    filled: bool
    lengths: frozenset[int] | None
    depth: int
    size: int
    kind: str = "sequence"


class Sequence(_Sequence):
    """A tuple or list. `items` when the length is known, else `element` joins all of them.

    Lists are known by the place that made them (`site`): what is appended later is in the interpreter's heap. Of
    unknown length, one that is not certainly `filled` may have no items at all; it may be known which `lengths` it
    can have. What is nested too deeply or is too large is collapsed: joins visit every path, and shared
    parts make many.
    """

    __slots__ = ()

    def __new__(
        cls,
        type: str,
        items: tuple[Fact, ...] | None = None,
        element: Fact = frozenset(),
        site: int = 0,
        filled: bool = False,
        lengths: frozenset[int] | None = None,
    ) -> Self:
        inner = items if items is not None else (element,)
        depth, size = 0, len(inner)
        for item in inner:
            for atom in item:
                if isinstance(atom, Sequence):
                    depth, size = max(depth, atom.depth), size + atom.size
        if depth >= MOST_NESTED or size > MOST_ITEMS:
            lengths = None if items is None else frozenset([len(items)])
            items, element, depth, size = None, frozenset([Top()]), 0, 1
        if items is not None or type == "set" or lengths is not None and len(lengths) > MOST_LENGTHS:
            lengths = None
        filled = filled or bool(lengths) and 0 not in (lengths or ())
        return super().__new__(cls, type, items, element, site, filled, lengths, depth + 1, size)

    @property
    def possible_lengths(self) -> frozenset[int] | None:
        """Give the lengths that it may have; None where they are not known."""
        return self.lengths if self.items is None else frozenset([len(self.items)])

    @property
    def has_items(self) -> bool:
        """Tell whether it certainly has items."""
        return self.filled if self.items is None else bool(self.items)

    def of(self, element: Fact) -> Sequence:
        """Give the same kind of sequence with an unknown number of items, each of this fact."""
        return Sequence(self.type, None, element, self.site, self.has_items, self.possible_lengths)

    def holding(self, *items: Fact) -> Sequence:
        """The same tuple or list with these items."""
        return Sequence(self.type, items, self.element, self.site, self.filled)


class Mapping(NamedTuple):
    """A dict, known by the place that made it.

    A `closed` one has no keys but those seen (`**kwargs`), one that `counts` is a `Counter`.
    """

    site: int
    closed: bool = False
    counts: bool = False
    kind: str = "mapping"


class Module(NamedTuple):
    """A module: of NumPy, of the project, or foreign."""

    name: str
    kind: str = "module"


class Numpy(NamedTuple):
    """A name of NumPy's API that is no module: function, class, constant, ufunc method ("numpy.add.at")."""

    name: str
    kind: str = "numpy"


class DType(NamedTuple):
    """A dtype object or scalar class; None when it is not known which."""

    names: Names = None
    kind: str = "dtype"


class Function(NamedTuple):
    """A function of the project, perhaps bound to an instance, or defined in a run of another (`outer`)."""

    definition: Any
    bound: Any = None
    outer: Any = None
    kind: str = "function"


class Class(NamedTuple):
    """A class of the project."""

    definition: Any
    kind: str = "class"


class Instance(NamedTuple):
    """An instance of a class of the project; attributes are kept per class."""

    definition: Any
    kind: str = "instance"


class Method(NamedTuple):
    """A method of an array, list, dict or foreign object, not yet called."""

    name: str
    owner: Fact
    kind: str = "method"


class Builtin(NamedTuple):
    """A Python builtin or a function of a standard module we model ("math.sqrt")."""

    name: str
    kind: str = "builtin"


class Iterator(NamedTuple):
    """Something to iterate over (range, zip, enumerate, generator) yielding `element`, once at least where `filled`.

    Of a `range` NumPy makes an array of its items, of the others one object. `items` are what it yields one after the
    other, where that is known and differs.
    """

    element: Fact
    filled: bool = False
    is_range: bool = False
    items: tuple[Fact, ...] | None = None
    kind: str = "iterator"


class Foreign(NamedTuple):
    """An ndarray that stays one (strings, structured, object, datetime64, subclasses with their `definition`)."""

    why: str = ""
    definition: Any = None
    kind: str = "foreign"


class Opaque(NamedTuple):
    """A Python object that is no array of ours: a result of the standard library, a torch tensor, a foreign object."""

    origin: str = ""
    kind: str = "opaque"


class Nothing(NamedTuple):
    """None."""

    kind: str = "none"


class Top(NamedTuple):
    """No knowledge.

    Attributes
    ----------
    returns
        What it gives when it is called, where a guard sees to that; nothing where it may give anything.
    given_up
        Whether it stands for more alternatives than are told apart: it takes in all others, so that joins come to rest.
    """

    returns: Fact = frozenset()
    given_up: bool = False
    kind: str = "unknown"


Atom: TypeAlias = (
    Array | Scalar | Num | Text | Sequence | Mapping | Module | Numpy | DType | Function | Class | Instance | Method
    | Builtin | Iterator | Foreign | Opaque | Nothing | Top
)  # fmt: skip
Fact: TypeAlias = frozenset[Atom]
