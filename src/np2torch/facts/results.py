"""The results of NumPy's functions: dtypes from the generated tables, ranks from a few structural laws."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from np2torch.facts import objects, tables
from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments, BoundArguments, Returns
from np2torch.facts.domain import DOMAIN, memoise, names, spread, union
from np2torch.facts.dtypes import INEXACT, LACKING
from np2torch.facts.dtypes import tables_name as tables_name

WEAK = {"bool": "pybool", "int": "pyint", "float": "pyfloat", "complex": "pycomplex"}
STRONG = {"pybool": "bool", "pyint": "int64", "pyfloat": "float64", "pycomplex": "complex128"}
MOST_COMBINATIONS = 256
MOST_AXES = 8
"""What is right for arrays of at most so many axes is right for those of more."""
EMPTY = "float64"
"""The dtype of an array of no items, whatever such a list holds elsewhere."""


@memoise(50_000)
def arraylike(fact: v.Fact, weak: bool = True, empty: bool = True) -> tuple[v.Names, v.Ranks] | None:
    """dtype names (Python numbers as weak names) and ranks of what `numpy.asarray` makes of it; None if not arrays.

    Parameters
    ----------
    empty
        Count that a list of unknown length may have no items: then it is one-dimensional, and of float64.
    """
    dtypes: frozenset[str] | None = frozenset()
    ranks: frozenset[int] | None = frozenset()
    fact = operand(fact)
    if not fact:
        return None, None
    some = False
    for atom in fact:
        found: tuple[v.Names, v.Ranks] | None
        if isinstance(atom, v.Array):
            found = atom.dtypes, atom.ranks
        elif isinstance(atom, v.Scalar):
            found = atom.dtypes, frozenset([0])
        elif isinstance(atom, v.Num):
            found = frozenset([WEAK[atom.type] if weak else STRONG[WEAK[atom.type]]]), frozenset([0])
        elif isinstance(atom, v.Iterator) and atom.is_range:
            found = _sequence(v.Sequence("tuple", None, atom.element, filled=atom.filled), empty)
        elif isinstance(atom, v.Sequence):
            found = _sequence(atom, empty)
            if found is None and len(fact) > 1 and (perhaps := without_nothing(v.one(atom))) != v.one(atom):
                found = arraylike(perhaps, weak, empty) if perhaps else None  # a list of what may be text holds none
        elif isinstance(atom, (v.Foreign, v.Text, v.Mapping, v.Nothing, v.Function, v.Class, v.DType, v.Module)):
            found = None
        elif objects.is_object(atom):
            found = None
        else:
            found = None, None
        if found is None:
            continue  # not this alternative: it raises, or is no array that torch holds
        some = True
        dtypes = union((dtypes, found[0]))
        ranks = None if ranks is None or found[1] is None else ranks | found[1]
    return (dtypes, ranks) if some else None


def at_least(axes: int) -> v.Ranks:
    """The ranks of an array of which only the fewest axes are known."""
    return frozenset(range(axes, MOST_AXES + 1))


def has_no_most(ranks: v.Ranks) -> bool:
    """Tell whether arrays may have more axes than any that is named."""
    return ranks is None or MOST_AXES in ranks


NO_OPERANDS = ("none", "text", "function", "class", "mapping", "dtype", "module")


def operand(fact: v.Fact) -> v.Fact:
    """Keep the alternatives that a numeric function can take, if there are any: of `array | None` the array."""
    if v.known_to_include(fact, *NO_OPERANDS):
        return v.keep(fact, lambda atom: atom.kind not in NO_OPERANDS) or fact
    return fact


def _sequence(atom: v.Sequence, empty: bool) -> tuple[v.Names, v.Ranks] | None:
    if atom.items is not None and not atom.items:
        return frozenset([EMPTY]), frozenset([1])
    if atom.items is None and _is_mixed(atom.element):
        return None
    parts = [arraylike(item, weak=False, empty=empty) for item in atom.items or [atom.element]]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    dtypes: frozenset[str] | None = frozenset(["bool"])
    ranks: frozenset[int] | None = frozenset()
    for part in known:
        dtypes = _promoted(dtypes, part[0])
        ranks = None if ranks is None or part[1] is None else ranks | frozenset(r + 1 for r in part[1])
    if atom.items is not None:
        ranks = _of_all([part[1] for part in known], ranks)
    if empty and not v.has_items(atom):
        return dtypes and dtypes | {EMPTY}, ranks and ranks | {1}
    return dtypes, ranks


def _is_mixed(element: v.Fact) -> bool:
    """Tell whether items, which stand side by side, may be such that they make no array together."""
    return operand(element) != element or v.known_to_include(element, "foreign")


def _promoted(one: v.Names, other: v.Names) -> v.Names:
    """The dtypes of items side by side; beside a float64 any other real one does not matter."""
    mine, its = spread(one, [other]), spread(other, [one])
    pairs = itertools.product(DOMAIN.dtypes if mine is None else mine, DOMAIN.dtypes if its is None else its)
    found = frozenset(filter(None, (tables.promote(a, b) for a, b in pairs)))
    return None if (mine is None or its is None) and len(found) != 1 else found


def _of_all(ranks: Sequence[v.Ranks], otherwise: v.Ranks) -> v.Ranks:
    """The ranks of an array whose items are of these: they are all of one, or NumPy raises."""
    known = [one for one in ranks if one is not None]
    common = frozenset.intersection(*known) if known else frozenset()
    return frozenset(rank + 1 for rank in common) or otherwise


def without_nothing(fact: v.Fact) -> v.Fact:
    """The alternatives in which a list that may hold None or a string holds neither; nothing where it always does."""
    kept: set[v.Atom] = set()
    for atom in fact:
        if not isinstance(atom, v.Sequence):
            kept |= {atom} if atom.kind not in NO_OPERANDS else set()
            continue
        items = [without_nothing(item) for item in (atom.items if atom.items is not None else (atom.element,))]
        if all(items):
            whole = atom.items is not None
            kept.add(atom.holding(*items) if whole else atom.of(items[0]))
    return frozenset(kept)


@lru_cache(maxsize=10_000)
def make(dtypes: v.Names, ranks: v.Ranks, decays: bool = True) -> v.Fact:
    """The array fact; where the rank is 0 and NumPy gives a scalar (`decays`), a scalar."""
    if dtypes is not None and not dtypes:
        dtypes = None
    if ranks is None or not decays or 0 not in ranks:
        return v.one(v.Array(dtypes, ranks))
    if ranks == {0}:
        return v.scalar(dtypes)
    return frozenset([v.Array(dtypes, ranks - {0}), v.Scalar(dtypes)])


def broadcast(ranks: Iterable[v.Ranks]) -> v.Ranks:
    """Ranks of operands broadcast together."""
    out: frozenset[int] = frozenset([0])
    for one in ranks:
        if one is None:
            return None
        out = frozenset(max(a, b) for a, b in itertools.product(out, one))
    return out


def promote_dtypes(operands: Sequence[v.Names]) -> v.Names:
    """The dtypes of what all of these are put into; None for any."""
    found = operands[0] if operands else None
    for one in operands[1:]:
        found = None if found is None or one is None else result_dtypes("result_type", [found, one])
    return found


def add_counts(counts: Iterable[v.Ranks]) -> v.Ranks:
    """Add sets of counts."""
    out: frozenset[int] = frozenset([0])
    for one in counts:
        if one is None:
            return None
        out = frozenset(a + b for a, b in itertools.product(out, one))
    return out


UNHELD_GIVE = frozenset({"bool", "int64"})
"""The dtypes of results that depend on no dtype of the operands: of `isnan`, of `argmax`."""


def result_dtypes(name: str, operands: Sequence[v.Names]) -> v.Names:
    """NumPy's result dtypes over every combination of operand dtypes; unknown ones range over the universe.

    An array of unknown dtype whose cosine is taken is not of bools: half precision comes from nothing else, and a
    project that never names it has none.
    """
    found = _result_dtypes(name, tuple(operands), DOMAIN.unknown, DOMAIN.apart)
    if DOMAIN.names_unheld and None in operands and found and not found <= UNHELD_GIVE:
        return None
    if found is None and DOMAIN.supposed and operands and None not in operands:
        return operands[0]  # NumPy refuses what is supposed here: what follows is never reached
    return found


@lru_cache(maxsize=50_000)
def _result_dtypes(
    name: str, operands: tuple[v.Names, ...], universe: frozenset[str], apart: frozenset[str]
) -> v.Names:
    known = [universe if one is None else one for one in operands]
    total = 1
    for one in known:
        total *= len(one)
    if not total or total > MOST_COMBINATIONS:
        return None
    out = set()
    for combination in itertools.product(*known):
        found = tables.result(name, *combination)
        if found == "float16" and "float16" not in universe and "bool" in combination and None in operands:
            continue
        if isinstance(found, str):
            out.add(found)
        elif found is not None:
            return None
    if any(one is None for one in operands) and len(out) > 1 and not out & apart and not out <= INEXACT:  # no news
        return None
    return frozenset(out) or None


def foreign_of(*facts: v.Fact) -> v.Fact:
    """Give the result of an operation on arrays that stay on NumPy: a part of a subclass where all are instances."""
    found = [atom for fact in facts for atom in fact if isinstance(atom, v.Foreign)]
    if not found or any(atom.definition is None for atom in found):
        return v.FOREIGN
    return frozenset(v.Foreign(v.PART, atom.definition) for atom in found)


def ufunc(name: str, facts: list[v.Fact], dtype: v.Names = None) -> v.Fact:
    """Result of an elementwise function of these operands."""
    others = [v.without(fact, "foreign") for fact in facts]
    if others != facts and all(others):
        return v.join(foreign_of(*facts), ufunc(name, others, dtype))
    parts = [arraylike(fact) for fact in facts]
    if any(part is None for part in parts):
        return foreign_of(*facts) if any(v.known_to_include(f, "foreign") for f in facts) else v.TOP
    known = [part for part in parts if part is not None]
    dtypes = dtype or result_dtypes(name, [part[0] for part in known])
    return make(dtypes, broadcast(part[1] for part in known))


def dtype_names(fact: v.Fact) -> v.Names:
    """The dtype a `dtype=` argument means, in every spelling; None when unknown."""
    out: set[str] = set()
    for atom in fact:
        if isinstance(atom, v.DType) and atom.names:
            out |= atom.names
        elif isinstance(atom, v.Text) and atom.value is not None and (name := tables_name(atom.value)):
            out.add(name)
        elif isinstance(atom, v.Builtin) and atom.name in PYTHON_DTYPES:
            out.add(PYTHON_DTYPES[atom.name])
        elif isinstance(atom, v.Numpy) and (name := tables_name(atom.name.removeprefix("numpy."))):
            out.add(name)
        else:
            return None
    return frozenset(out) or None


def no_torch_dtype(fact: v.Fact) -> str | None:
    """Name the kind of dtype asked for that torch certainly lacks ("structured", "object", "string"), or None."""
    found = {_lacking(atom) for atom in fact}
    return found.pop() if len(found) == 1 else None


def is_array_class(fact: v.Fact) -> bool:
    """Tell whether it is `np.ndarray`, which `view` takes for the class of the result."""
    return fact == v.one(v.Numpy("numpy.ndarray"))


def _lacking(atom: v.Atom) -> str | None:
    if isinstance(atom, (v.Sequence, v.Mapping, v.Foreign)):
        return "structured"
    if isinstance(atom, v.Text):
        return atom.value if atom.value and tables_name(atom.value) is None else None
    if isinstance(atom, v.Class):
        return "object"
    if isinstance(atom, (v.Builtin, v.Numpy)):
        short = atom.name.removeprefix("numpy.")
        inner = isinstance(atom, v.Numpy) and short.startswith(("_", "dtypes.")) and tables_name(short) is None
        return short.rpartition(".")[2] if inner else WITHOUT_TORCH.get(short)
    return None


WITHOUT_TORCH = LACKING | dict.fromkeys(("ndarray", "list", "tuple", "dict", "set"), "object")
"""Classes that are dtypes to NumPy and nothing to torch, and what they hold."""
PYTHON_DTYPES = {"float": "float64", "int": "int64", "bool": "bool", "complex": "complex128"}
# ------------------------------------------------------------------------------------------- return laws
def elementwise(name: str, *operands: str) -> Returns:
    """A ufunc: dtype from the table, rank by broadcasting; `dtype=` and `out=` are honoured."""

    def returns(bound: BoundArguments) -> v.Fact:
        if bound.is_passed("out"):
            return bound["out"].fact
        dtype = dtype_names(bound["dtype"].fact) if bound.is_given("dtype") else None
        return ufunc(name, [bound[operand].fact for operand in operands], dtype)

    return returns


def reduced_ranks(bound: BoundArguments, source: str = "a") -> v.Ranks:
    """Ranks after a reduction with `axis` and `keepdims`."""
    part = arraylike(bound[source].fact)
    ranks = part[1] if part else None
    if bound.is_given("keepdims") and bound["keepdims"].constant is not False:
        return ranks if bound["keepdims"].constant is True else None
    if "axis" not in bound or bound["axis"].is_none:
        return frozenset([0])
    axis = bound["axis"]
    if v.may(axis.fact, "none") and axis.given:
        return None
    if ranks is None:
        return None
    items = v.items_of(axis.fact)
    removed = len(items) if items is not None else 1
    if items is None and v.may(axis.fact, "sequence"):
        return None
    return frozenset(max(rank - removed, 0) for rank in ranks)


def reduction(name: str, source: str = "a") -> Returns:
    """A reduction over `axis`: one rank less for each axis unless `keepdims`."""

    def returns(bound: BoundArguments) -> v.Fact:
        if bound.is_passed("out"):
            return bound["out"].fact
        part = arraylike(bound[source].fact, weak=False)
        if part is None:
            return v.FOREIGN if stays(bound[source].fact) else v.TOP
        return make(stated_or_result(bound, name, part[0]), reduced_ranks(bound, source))

    return returns


def stated_or_result(bound: BoundArguments, name: str, dtypes: v.Names) -> v.Names:
    """The dtype that `dtype=` asks for, or else what a function gives for an operand's; None where that is unknown."""
    return dtype_names(bound["dtype"].fact) if bound.is_passed("dtype") else result_dtypes(name, [dtypes])


def array_with(
    dtypes: str | Callable[[BoundArguments], v.Names] | None = None,
    ranks: int | Callable[[BoundArguments], v.Ranks] | None = None,
    decays: bool = False,
) -> Returns:
    """An array of fixed or computed dtype and rank."""

    def returns(bound: BoundArguments) -> v.Fact:
        dtype = names(dtypes) if dtypes is None or isinstance(dtypes, str) else dtypes(bound)
        rank = ranks(bound) if callable(ranks) else None if ranks is None else frozenset([ranks])
        return make(dtype, rank, decays)

    return returns


COMPLEX_OF = {"float16": "complex64", "float32": "complex64"}


def perhaps_complex(name: str, source: str) -> Callable[[BoundArguments], v.Names]:
    """dtype of what the values make real or complex: that of the real function of this name, and its complex one."""

    def dtypes(bound: BoundArguments) -> v.Names:
        part = arraylike(bound[source].fact, weak=False)
        found = result_dtypes(name, [part[0]]) if part else None
        real = DOMAIN.dtypes if found is None else found
        return union([found, frozenset(d if d[0] == "c" else COMPLEX_OF.get(d, "complex128") for d in real)])

    return dtypes


def dtype_of_source(source: str = "a") -> Callable[[BoundArguments], v.Names]:
    """dtype of a parameter as an array."""
    return lambda bound: (arraylike(bound[source].fact, weak=False) or (None, None))[0]


def rank_of_source(source: str = "a", change: int = 0) -> Callable[[BoundArguments], v.Ranks]:
    """Rank of a parameter as an array, plus a change."""

    def ranks(bound: BoundArguments) -> v.Ranks:
        found = (arraylike(bound[source].fact) or (None, None))[1]
        return None if found is None else frozenset(max(rank + change, 0) for rank in found)

    return ranks


def same(source: str = "a", rank: int | None = None, change: int = 0) -> Returns:
    """An array of the parameter's dtype and rank (or a fixed rank)."""
    return array_with(dtype_of_source(source), rank if rank is not None else rank_of_source(source, change))


def by_table(name: str, *sources: str, rank: int | Callable[[BoundArguments], v.Ranks] | None = None) -> Returns:
    """dtype from the table of `name` for these parameters; rank given or that of the first."""

    def dtypes(bound: BoundArguments) -> v.Names:
        parts = [arraylike(bound[source].fact, weak=False) for source in sources]
        return None if any(p is None for p in parts) else result_dtypes(name, [p[0] for p in parts if p])

    return array_with(dtypes, rank_of_source(sources[0]) if rank is None else rank, decays=True)


def given_dtype(
    default: str | Callable[[BoundArguments], v.Names] | None = "float64",
) -> Callable[[BoundArguments], v.Names]:
    """The dtype of `dtype=`, else the default."""

    def dtypes(bound: BoundArguments) -> v.Names:
        if bound.is_passed("dtype"):
            said = v.without(bound["dtype"].fact, "none")
            found = dtype_names(said)
            if said == bound["dtype"].fact or found is None:
                return found
            return union((found, default(bound) if callable(default) else names(default)))  # perhaps None
        return default(bound) if callable(default) else names(default)

    return dtypes


def rank_of_shape(parameter: str = "shape") -> Callable[[BoundArguments], v.Ranks]:
    """Find the rank that a shape argument asks for."""

    def ranks(bound: BoundArguments) -> v.Ranks:
        return shape_rank(bound[parameter].fact)

    return ranks


def shape_rank(fact: v.Fact) -> v.Ranks:
    """Rank of an array of this shape."""
    ranks: set[int] = set()
    for atom in fact:
        if isinstance(atom, (v.Num, v.Scalar)):
            ranks.add(1)
        elif isinstance(atom, v.Sequence) and (lengths := atom.possible_lengths) is not None:
            ranks |= lengths
        else:
            return None
    return frozenset(ranks) or None


def ranks_of_sizes(arguments: Arguments) -> v.Ranks:
    """The rank of an array of which each size is an argument, some of them behind a star: `x.reshape(*sizes)`."""
    sizes = all(v.only(argument.fact, "number", "scalar") for argument in arguments.positional)
    return arguments.counts if sizes and not (arguments.keywords or arguments.spread) else None


def shape_of_ranks(ranks: v.Ranks) -> v.Fact:
    """The shape of an array of one of these ranks: a tuple of as many sizes."""
    rank = v.sole(ranks or ())
    if rank is not None and rank <= 8:
        return v.tuple_of(*[v.SIZE] * rank)
    return v.one(v.Sequence("tuple", None, v.SIZE, lengths=ranks))


def broadcast_shape(bound: BoundArguments) -> v.Fact:
    """The shape of what is broadcast together: as many sizes as the longest of these shapes has."""
    return shape_of_ranks(broadcast(v.lengths_of(argument.fact) for argument in bound.rest))


PYTHONS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def numbers(dtypes: v.Names) -> v.Fact:
    """The Python numbers that elements of these dtypes become."""
    found = DOMAIN.dtypes if dtypes is None else dtypes
    return v.join(*(v.one(v.Num(PYTHONS[dtype[0]])) for dtype in found))


def always(fact: v.Fact) -> Returns:
    """The same fact whatever the arguments."""
    return lambda bound: fact


PLAIN = frozenset({"array", "copy", "asarray", "ascontiguousarray", "asfortranarray"})
"""Functions that make a plain array of an instance of a subclass."""


def made_plain(name: str, arguments: Arguments) -> Arguments | None:
    """The arguments of such a function with subclasses of ndarray taken for arrays; None where there are none."""
    if name not in PLAIN or not arguments.positional or "subok" in arguments.keywords:
        return None
    first = arguments.positional[0]
    foreign = [atom for atom in first.fact if isinstance(atom, v.Foreign)]
    if not foreign or any(atom.definition is None or atom.definition.holds_records for atom in foreign):
        return None
    fact = v.join(v.ARRAY, v.keep(first.fact, lambda atom: atom.kind != "foreign"))
    return Arguments([Argument(first.node, fact), *arguments.positional[1:]], arguments.keywords, arguments.starred)


def stays(fact: v.Fact) -> bool:
    """Tell whether a site on this value stays on NumPy; unknown values go to the shim, but for whole classes."""
    if not v.known_to_include(fact, "foreign") or v.known_to_include(fact, "array", "scalar", "dtype", "numpy"):
        return False
    whole = any(isinstance(atom, v.Foreign) and atom.definition is not None for atom in fact)
    if not whole and any(isinstance(atom, v.Sequence) and not v.only(v.elements(atom), "text") for atom in fact):
        return False  # a list of numbers becomes a tensor
    return whole or not v.known_to_include(fact, "unknown")
