"""Reading a subscript: which rank is left after NumPy's indexing, and the items of Python containers."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from np2torch.facts import models, results
from np2torch.facts import values as v
from np2torch.facts.arguments import arguments_of
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter import nditers, subclass_results
from np2torch.facts.interpreter.iteration import ANY_KEY, item, iterate
from np2torch.facts.interpreter.narrowing import has_shape, narrow_arrays
from np2torch.facts.interpreter.operators import special
from np2torch.facts.interpreter.reflection import GLOBAL, GLOBALS
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.libraries import part_of
from np2torch.facts.ndarray_subclasses import is_one
from np2torch.names.tree import item_path

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame


def read(frame: Frame, node: ast.Subscript) -> v.Fact:
    """The fact of `value[index]`."""
    owner = frame.eval(node.value)
    index = frame.eval(node.slice)
    if frame.has_paths and (path := item_path(node)) is not None and path in frame.env:
        return frame.env[path]
    if isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and isinstance(n := v.constant(index), int):
        has_shape(frame, node.value.value, n + 1 if n >= 0 else -n)
    if len(owner) > 1 or v.ranks_of(owner) is not None:
        owner = _subscripted(frame, node, owner)
    parts = [_of_atom(frame, atom, node.slice, index) for atom in in_order(owner)]
    return v.join(*parts) if parts else v.BOTTOM


def _of_atom(frame: Frame, atom: v.Atom, node: ast.expr, index: v.Fact) -> v.Fact:
    """Give an item of one alternative."""
    reader = READERS.get(type(atom))
    return _by_special_method(frame, atom, node, index) if reader is None else reader(frame, atom, node, index)


def _of_one_array(frame: Frame, atom: v.Array, node: ast.expr, index: v.Fact) -> v.Fact:
    return of_array(frame, atom, node)


def _of_mapping(frame: Frame, atom: v.Mapping, node: ast.expr, index: v.Fact) -> v.Fact:
    keys = frame.keys(atom.site)
    frame.engine.note_key(atom.site, index)
    key = v.constant(index)
    found = keys[key] if key in keys else frame.element(atom.site) or frame.unseen()
    return v.join(found, keys.get(ANY_KEY, v.BOTTOM))


def _of_text(frame: Frame, atom: v.Text, node: ast.expr, index: v.Fact) -> v.Fact:
    return v.TEXT


def _of_foreign(frame: Frame, atom: v.Foreign, node: ast.expr, index: v.Fact) -> v.Fact:
    return results.foreign_of(v.one(atom))


def _of_opaque(frame: Frame, atom: v.Opaque, node: ast.expr, index: v.Fact) -> v.Fact:
    entries = [frame.facts.get(part, v.TOP) for part in index_parts(node)]
    known = models.item(atom, entries)
    return part_of(atom) if known is None else known


def _of_numpy(frame: Frame, atom: v.Numpy, node: ast.expr, index: v.Fact) -> v.Fact:
    if atom.name in INDEX_TRICKS:
        return _trick(frame, atom.name, node)
    if nditers.is_nditer(atom):
        return v.TOP if isinstance(node, ast.Slice) else nditers.ONE
    return _by_special_method(frame, atom, node, index)


def _of_builtin(frame: Frame, atom: v.Builtin, node: ast.expr, index: v.Fact) -> v.Fact:
    return GLOBAL if atom == GLOBALS else _by_special_method(frame, atom, node, index)


def _of_scalar(frame: Frame, atom: v.Scalar, node: ast.expr, index: v.Fact) -> v.Fact:
    whole = not atom.python and all(_takes_all(frame, part) for part in index_parts(node))
    return of_array(frame, v.Array(atom.dtypes, frozenset([0])), node) if whole else v.one(atom)


def _of_any_iterator(frame: Frame, atom: v.Iterator, node: ast.expr, index: v.Fact) -> v.Fact:
    return _of_iterator(iterate(frame, v.one(atom)), node, index)


def _of_instance(frame: Frame, atom: v.Instance, node: ast.expr, index: v.Fact) -> v.Fact:
    if not atom.definition.is_named_tuple:
        return _by_special_method(frame, atom, node, index)
    place = v.constant(index)
    if isinstance(place, int):
        return item(frame, atom, place)
    each = iterate(frame, v.one(atom))
    return v.one(v.Sequence("tuple", None, each)) if isinstance(node, ast.Slice) else each


def _by_special_method(frame: Frame, atom: v.Atom, node: ast.expr, index: v.Fact) -> v.Fact:
    made = special(frame, v.one(atom), "__getitem__", index)
    return made or (_of_derived(frame, atom, node) if is_one(atom) else v.TOP)


def _of_iterator(element: v.Fact, node: ast.expr, index: v.Fact) -> v.Fact:
    """`range(n)[index]`, of Python's integers; `x.flat[index]`: an element, or an array of several."""
    if v.only(index, "number", "scalar"):
        return element
    if v.only(element, "number"):
        return v.one(v.Iterator(element, is_range=True))
    several = v.one(v.Array(v.dtypes_of(element), frozenset([1]) if isinstance(node, ast.Slice) else None))
    return several if isinstance(node, ast.Slice) else v.join(element, several)


def _of_derived(frame: Frame, atom: v.Atom, node: ast.expr) -> v.Fact:
    """A part of an object of a class that derives from ndarray."""
    found = [of_array(frame, one, node) for one in subclass_results.data(frame, atom) if isinstance(one, v.Array)]
    return subclass_results.rewrap(frame, atom, v.join(*found), scalars=True)


def _subscripted(frame: Frame, node: ast.Subscript, owner: v.Fact) -> v.Fact:
    """Narrow a value that was subscripted: no number and not None, an array of at least as many dimensions.

    Python's containers take one index; text and lists refuse a tuple.
    """
    least = 0
    for part in index_parts(node.slice):
        fact = frame.facts.get(part, v.TOP)
        least += isinstance(part, ast.Slice) or v.only(fact, "number", "scalar") and not may_be_bool(fact)
    several = isinstance(node.slice, ast.Tuple)
    refused = ("number", "scalar", "none", "text", "sequence") if several else ("number", "scalar", "none")
    return narrow_arrays(frame, node.value, owner, refused, lambda rank: rank >= least) if least else owner


def _trick(frame: Frame, name: str, node: ast.expr) -> v.Fact:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return INDEX_TRICKS[name](frame, parts, isinstance(node, ast.Tuple))


def _row(frame: Frame, parts: list[ast.expr], several: bool) -> v.Fact:
    """`np.r_[...]`."""
    facts = [_of_range(frame, p) if isinstance(p, ast.Slice) else frame.facts.get(p, v.TOP) for p in parts]
    known = [results.arraylike(f, weak=False) for f in facts]
    ranks = {r for k in known if k and k[1] for r in k[1]}
    if any(isinstance(p, ast.Constant) and isinstance(p.value, str) for p in parts):
        return v.ARRAY
    of_all = all(k and k[1] for k in known)
    return v.one(v.Array(_of_row(facts), frozenset(ranks - {0}) or frozenset([1]) if of_all else None))


def _columns(frame: Frame, parts: list[ast.expr], several: bool) -> v.Fact:
    """`np.c_[...]`."""
    return v.one(v.Array(_dtypes_of_parts(frame, parts), frozenset([2])))


def _dense_grid(frame: Frame, parts: list[ast.expr], several: bool) -> v.Fact:
    """`np.mgrid[...]`."""
    return v.one(v.Array(_of_grid(frame, parts), frozenset([len(parts) + 1 if several else 1])))


def _open_grid(frame: Frame, parts: list[ast.expr], several: bool) -> v.Fact:
    """`np.ogrid[...]`."""
    axis = v.one(v.Array(_of_grid(frame, parts), frozenset([len(parts)])))
    return v.tuple_of(*[axis] * len(parts)) if several else axis


def _index(frame: Frame, parts: list[ast.expr], several: bool) -> v.Fact:
    """`np.s_[...]`."""
    return v.OPAQUE


INDEX_TRICKS: dict[str, Callable[[Frame, list[ast.expr], bool], v.Fact]] = {
    "numpy.r_": _row, "numpy.c_": _columns, "numpy.s_": _index, "numpy.index_exp": _index, "numpy.mgrid": _dense_grid,
    "numpy.ogrid": _open_grid,
}  # fmt: skip
"""What NumPy's objects give that are subscripted, of the entries of the index and of whether there are several."""


def _of_grid(frame: Frame, parts: list[ast.expr]) -> v.Names:
    """The dtype that the bounds of a grid give it, where all are Python's numbers."""
    bounds = [bound for p in parts if isinstance(p, ast.Slice) for bound in (p.lower, p.upper, p.step) if bound]
    kinds: list[set[str]] = []
    for fact in (frame.facts.get(bound, v.TOP) for bound in bounds):
        if not v.only(fact, "number") or may_be_bool(fact):
            return None
        kinds.append({"int64" if atom.type == "int" else "float64" for atom in fact if isinstance(atom, v.Num)})
    if {"float64"} in kinds:
        return frozenset(["float64"])
    return frozenset(["int64"]).union(*kinds) if kinds and len(bounds) >= len(parts) else None


def _of_range(frame: Frame, part: ast.Slice) -> v.Fact:
    """Give what `np.r_[start:stop:step]` makes of a slice: `arange`, or points of `linspace` for a complex step."""
    bounds = [frame.facts.get(bound, v.TOP) for bound in (part.lower, part.upper, part.step) if bound is not None]
    made = frame.engine.api.call("numpy.arange", arguments_of(*bounds)) if bounds else v.TOP
    dtypes = v.dtypes_of(made)
    return made if dtypes is not None and not any(dtype.startswith("complex") for dtype in dtypes) else v.array(None, 1)


def _of_row(facts: list[v.Fact]) -> v.Names:
    """The dtypes of what `np.r_` joins: numbers are weak beside arrays."""
    numbers = [fact for fact in facts if v.only(fact, "number")]
    arrays = [results.arraylike(fact, weak=False) for fact in facts if fact not in numbers] if numbers else []
    if not arrays:
        joined = results.arraylike(v.one(v.Sequence("list", tuple(facts))), weak=False)
        return joined[0] if joined else None
    parts = [*arrays, *(results.arraylike(fact) for fact in numbers)]
    return results.promote_dtypes([part and part[0] for part in parts])


def _dtypes_of_parts(frame: Frame, parts: list[ast.expr]) -> v.Names:
    """The dtypes of arrays put together."""
    if any(isinstance(part, (ast.Slice, ast.Starred)) for part in parts):
        return None
    facts = tuple(frame.facts.get(part, v.TOP) for part in parts)
    joined = results.arraylike(v.one(v.Sequence("list", facts)), weak=False)
    return joined[0] if joined else None


def _bounds(frame: Frame, node: ast.Slice) -> slice | None:
    """A slice of which all bounds are known."""
    bounds: list[int | None] = []
    for part in (node.lower, node.upper, node.step):
        value = v.constant(frame.facts.get(part, v.TOP)) if part is not None else None
        if part is not None and not isinstance(value, int):
            return None
        bounds.append(value)
    return slice(*bounds) if bounds[2] != 0 else None


def _of_sequence(frame: Frame, atom: v.Sequence, node: ast.expr, index: v.Fact) -> v.Fact:
    if isinstance(node, ast.Slice):
        bounds, lengths = _bounds(frame, node), None
        if bounds is not None and atom.items is not None:
            return v.one(v.Sequence(atom.type, atom.items[bounds], site=atom.site))
        if bounds is not None and atom.lengths is not None:
            lengths = frozenset(len(range(size)[bounds]) for size in atom.lengths)
        return v.one(v.Sequence(atom.type, None, v.elements(atom), atom.site, lengths=lengths))
    position = v.constant(index)
    if atom.items is not None and isinstance(position, int) and -len(atom.items) <= position < len(atom.items):
        return atom.items[position]
    return iterate(frame, v.one(atom))


def index_parts(node: ast.expr) -> list[ast.expr]:
    """The entries of an index: of the tuple, or the one there is."""
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def _takes_all(frame: Frame, part: ast.expr) -> bool:
    """Tell whether it is `...` or `np.newaxis`, which also stand in the index of a scalar."""
    is_ellipsis = isinstance(part, ast.Constant) and part.value is Ellipsis
    return is_ellipsis or v.only(frame.facts.get(part, v.TOP), "none")


def of_array(frame: Frame, atom: v.Array, node: ast.expr) -> v.Fact:
    """NumPy's indexing of an array: what rank is left."""
    fact = frame.facts.get(node, v.TOP)
    if v.only(fact, "text"):
        return v.FOREIGN
    index = v.sole(fact)
    if not isinstance(node, ast.Tuple) and any(map(_is_tuple, fact)):
        if not isinstance(index, v.Sequence) or index.items is None:
            return _at_places(atom, fact)
    entries = _entries(frame, node, index, fact)
    if DOMAIN.supposed and atom.ranks == NO_AXES and any(_takes_axis(part, entry) for part, entry in entries):
        return v.BOTTOM  # NumPy and torch refuse what is supposed here
    axes = _axes(entries)
    if axes is None:
        return v.one(v.Array(atom.dtypes))
    if atom.ranks is None:
        some = v.one(v.Array(atom.dtypes))
        return v.join(some, v.one(v.Scalar(atom.dtypes))) if axes.removed == len(entries) else some
    ranks = axes.left_of(atom.ranks)
    if not ranks:
        return v.one(v.Array(atom.dtypes))
    ellipsis = any(_is_ellipsis(part) for part, _ in entries)
    return results.make(atom.dtypes, ranks, decays=bool(axes.advanced) or not ellipsis)


Entry: TypeAlias = tuple["ast.expr | None", v.Fact]
"""One part of an index, with its fact; no node where a tuple is passed by a name."""
NO_AXES = frozenset({0})


def _takes_axis(part: ast.expr | None, entry: v.Fact) -> bool:
    """Tell a slice or a whole number, for which there has to be an axis."""
    return isinstance(part, ast.Slice) or entry == v.INT


class Axes(NamedTuple):
    """The axes that an index removes and adds, and what its arrays do, each way they may be."""

    removed: int
    added: int
    advanced: list[list[tuple[int, frozenset[int]]]]

    def left_of(self, ranks: frozenset[int]) -> frozenset[int]:
        """Give the ranks that are left of these."""
        found = frozenset[int]()
        for shapes in itertools.product(*self.advanced):
            taken = self.removed + sum(axes for axes, _ in shapes)
            widths = results.broadcast(put for _, put in shapes) or ()
            found |= {rank - taken + self.added + width for rank in ranks if rank >= taken for width in widths}
        return found


def _entries(frame: Frame, node: ast.expr, index: v.Atom | None, fact: v.Fact) -> list[Entry]:
    """List the parts of an index."""
    if isinstance(node, ast.Tuple) or not isinstance(index, v.Sequence) or index.items is None:
        return [(part, frame.facts.get(part, v.TOP)) for part in index_parts(node)]
    return [(None, item) for item in index.items] if index.type == "tuple" else [(node, fact)]


def _axes(entries: list[Entry]) -> Axes | None:
    """Count the axes that an index takes and gives; None where that is not known."""
    removed = added = 0
    advanced: list[list[tuple[int, frozenset[int]]]] = []
    for part, entry in entries:
        if isinstance(part, ast.Slice) or entry in SLICES:
            continue
        if isinstance(part, ast.Starred):
            return None
        if _is_ellipsis(part):
            continue
        if v.only(entry, "none"):
            added += 1
        elif v.only(entry, "number", "scalar") and not may_be_bool(entry):
            removed += 1
        elif (ways := _advanced(entry)) is not None:
            advanced.append(ways)
        else:
            return None
    return Axes(removed, added, advanced)


def _is_ellipsis(part: ast.expr | None) -> bool:
    return isinstance(part, ast.Constant) and part.value is Ellipsis


def _is_tuple(atom: v.Atom) -> bool:
    return isinstance(atom, v.Sequence) and atom.type == "tuple"


def _at_places(atom: v.Array, index: v.Fact) -> v.Fact:
    """Read at one or several numbers of an array of unknown rank; no array of indices."""
    ranks: set[int] = set()
    for one in index:
        numbers = v.elements(one) if isinstance(one, v.Sequence) and one.type == "tuple" else v.one(one)
        if atom.ranks is None or not v.only(numbers, "number", "scalar") or may_be_bool(numbers):
            return v.one(v.Array(atom.dtypes))
        known = one.possible_lengths if isinstance(one, v.Sequence) else frozenset([1])
        counts = range(max(atom.ranks) + 1) if known is None else known
        ranks |= {rank - count for rank in atom.ranks for count in counts if rank >= count}
    return results.make(atom.dtypes, frozenset(ranks)) if ranks else v.one(v.Array(atom.dtypes))


SLICES = (v.one(v.Opaque("slice")), v.one(v.Opaque("forward slice")))


def may_be_bool(fact: v.Fact) -> bool:
    """Tell whether it may be a bool, which is no place but a mask in an index."""
    numbers = any(isinstance(atom, v.Num) and atom.type == "bool" for atom in fact)
    return numbers or any(isinstance(a, v.Scalar) and (a.dtypes is None or "bool" in a.dtypes) for a in fact)


def _advanced(fact: v.Fact) -> list[tuple[int, frozenset[int]]] | None:
    """Give the axes that an index array takes and the ranks that it puts there, for each alternative; None if unknown.

    A mask takes as many axes as it has, an array of integers one.
    """
    part = results.arraylike(fact, weak=False, empty=False)  # NumPy takes `[]` for indices
    if part is None or part[0] is None or part[1] is None:
        return None
    dtypes = part[0] - NO_INDICES or part[0]
    masks = [(rank, frozenset([1])) for rank in sorted(part[1])] if "bool" in dtypes else []
    return masks if dtypes == {"bool"} else [*masks, (1, part[1])]


NO_INDICES = frozenset("float16 float32 float64 complex64 complex128".split())
"""dtypes that NumPy refuses as an index."""


READERS: dict[type, Callable[[Frame, Any, ast.expr, v.Fact], v.Fact]] = {
    v.Array: _of_one_array, v.Sequence: _of_sequence, v.Mapping: _of_mapping, v.Text: _of_text,
    v.Foreign: _of_foreign, v.Opaque: _of_opaque, v.Numpy: _of_numpy, v.Builtin: _of_builtin, v.Scalar: _of_scalar,
    v.Iterator: _of_any_iterator, v.Instance: _of_instance,
}  # fmt: skip
"""How an item of each class of abstract values is read; others have a special method, or none."""
