"""Subscripts: where torch indexes otherwise than NumPy."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.names.tree import dotted_name
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.shape import flip_call
from np2torch.rules.sharing import sharing_shows
from np2torch.rules.site import Edit, ModuleContext, source_of
from np2torch.rules.syntax.hashing import is_described
from np2torch.rules.syntax.runtime_dispatch import shim_getitem

SMALL_INDICES = frozenset("uint8 int8 int16 uint16 uint32 uint64".split())
"""dtypes that torch takes for a mask or refuses as an index."""

NOT_SCATTERED = frozenset({"uint16", "uint32", "uint64"})
"""dtypes whose elements torch does not store by an array of indices."""
GENERIC = ("numpy", "dtype", "class", "builtin", "module")
"""The kinds of value that are subscripted to spell a type."""
STEPS = "a step that may be negative"


def negative_step(ctx: ModuleContext, part: ast.expr) -> bool:
    """Tell whether it is a slice whose step is a negative constant."""
    if not isinstance(part, ast.Slice) or part.step is None:
        return False
    value = v.constant(ctx.fact(part.step))
    return isinstance(value, (int, float)) and value < 0


def _may_step_back(ctx: ModuleContext, part: ast.expr) -> bool:
    """Tell whether it is a slice whose step may be negative, for all that is known."""
    if not isinstance(part, ast.Slice) or part.step is None:
        return False
    return not all(isinstance(a, v.Num) and a.nonnegative or isinstance(a, v.Nothing) for a in ctx.fact(part.step))


def _is_basic(ctx: ModuleContext, part: ast.expr) -> bool:
    fact = ctx.fact(part)
    ellipsis = isinstance(part, ast.Constant) and part.value is Ellipsis
    return isinstance(part, ast.Slice) or ellipsis or v.only(fact, "none")


def _is_integer(ctx: ModuleContext, part: ast.expr) -> bool:
    return v.only(ctx.fact(part), "number", "scalar")


def _slices(fact: v.Fact) -> bool:
    """Tell whether it may be a slice object."""
    return any(isinstance(atom, v.Opaque) and atom.origin == "slice" for atom in fact)


def backwards(ctx: ModuleContext, node: ast.expr) -> str:
    """Give the reason for which an index may go backwards, which torch refuses; empty where it does not."""
    parts = index_parts(node)
    if any(negative_step(ctx, part) for part in parts):
        return "a negative step"
    facts = [ctx.fact(part) for part in parts if not isinstance(part, (ast.Slice, ast.Starred))]
    facts += [v.elements(atom) for fact in facts for atom in fact if isinstance(atom, v.Sequence)]
    return STEPS if any(map(_slices, facts)) or any(_may_step_back(ctx, part) for part in parts) else ""


def _mixes(fact: v.Fact) -> bool:
    """Tell whether it may be a bool as well as an index array, which torch combines otherwise."""
    bools = any(isinstance(atom, v.Num) and atom.type == "bool" for atom in fact)
    return bools and v.known_to_include(fact, "array", "sequence")


class Entry(NamedTuple):
    """An advanced entry of an index: no slice, ellipsis or None."""

    node: ast.expr
    fact: v.Fact
    entries: int
    advanced: int

    def held_sequences(self, *types: str) -> list[v.Sequence]:
        """Give the alternatives that are sequences, of these types if any is named."""
        found = [atom for atom in self.fact if isinstance(atom, v.Sequence)]
        return [atom for atom in found if atom.type in types] if types else found


def needs_shim(ctx: ModuleContext, node: ast.expr, owner: v.Fact) -> str:
    """Give the reason for which an index is decided at run time; empty where torch does the same."""
    parts = index_parts(node)
    if any(negative_step(ctx, p) for p in parts):
        return "a negative step"
    if sum(isinstance(p, ast.Constant) and p.value is Ellipsis for p in parts) > 1:
        return "torch takes a second ellipsis"
    advanced = [i for i, p in enumerate(parts) if not _is_basic(ctx, p)]
    for part in (parts[i] for i in advanced):
        entry = Entry(part, ctx.fact(part), len(parts), len(advanced))
        if isinstance(part, ast.Starred):
            continue
        if why := next((why for asks, why in ENTRIES if asks(entry)), ""):
            return why
        if v.only(entry.fact, "text"):
            return "no index" if v.only(owner, "array") else ""
        if _is_float_array(entry):
            return "a float index"
    if _is_separated(ctx, parts, advanced):
        return "advanced indices with a slice between"
    return STEPS if any(_may_step_back(ctx, p) for p in parts) else ""


def _is_slice(entry: Entry) -> bool:
    return _slices(entry.fact)


def _holds_slices(entry: Entry) -> bool:
    return any(_slices(v.elements(atom)) for atom in entry.held_sequences())


def _mixes_bools(entry: Entry) -> bool:
    return any(_mixes(v.elements(atom)) for atom in entry.held_sequences("tuple"))


def _is_nested_tuple(entry: Entry) -> bool:
    return entry.entries > 1 and bool(entry.held_sequences("tuple"))


def _is_list(entry: Entry) -> bool:
    """Tell whether it is a list beside other advanced entries, or of something else than numbers."""
    beside = entry.entries > 1 and entry.advanced > 1 and not isinstance(entry.node, ast.List)
    return any(beside or not v.only(v.elements(atom), "number") for atom in entry.held_sequences("list"))


def _is_list_of_floats(entry: Entry) -> bool:
    return any(
        isinstance(one, v.Num) and one.type == "float" for a in entry.held_sequences("list") for one in v.elements(a)
    )


ENTRIES: tuple[tuple[Callable[[Entry], bool], str], ...] = (
    (_is_slice, "a slice made elsewhere, perhaps with a negative step"),
    (_holds_slices, "slices made elsewhere, perhaps with a negative step"),
    (_mixes_bools, "bools among index arrays"),
    (_is_nested_tuple, "a tuple among the entries of an index"),
    (_is_list, "a list as an index"),
    (_is_list_of_floats, "a float index"),
)
"""The index entries that torch reads differently, with their messages."""


def _is_float_array(entry: Entry) -> bool:
    arrays = v.keep(entry.fact, lambda atom: atom.kind == "array")
    return bool(arrays) and v.dtypes_of(arrays) == frozenset({"float64"})


def _is_separated(ctx: ModuleContext, parts: list[ast.expr], advanced: list[int]) -> bool:
    """Tell whether there are several advanced entries, one of them no integer, with a basic one between."""
    if len(advanced) < 2 or all(_is_integer(ctx, parts[i]) for i in advanced):
        return False
    return any(_is_basic(ctx, parts[i]) for i in range(advanced[0], advanced[-1]))


def flips(ctx: ModuleContext, node: ast.expr) -> list[int] | None:
    """Dims that `[::-1]` entries reverse, when all the rest are full slices; None otherwise."""
    dims = []
    for dim, part in enumerate(index_parts(node)):
        if not isinstance(part, ast.Slice) or part.lower is not None or part.upper is not None:
            return None
        step = v.constant(ctx.fact(part.step)) if part.step is not None else 1
        if step == -1:
            dims.append(dim)
        elif step != 1:
            return None
    return dims or None


@on(Phase.NUMPY, ast.Subscript)
def read(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """Reading `x[...]`."""
    if not isinstance(node.ctx, ast.Load) or _is_no_array(ctx, node):
        return None
    owner = ctx.fact(node.value)
    if v.only(owner, "sequence", "text", "iterator"):
        return _python_index(ctx, node)
    array = v.known_to_include(owner, "array")
    reverses = any(negative_step(ctx, part) for part in index_parts(node.slice)) and not ctx.converted_already()
    if not array and not reverses:
        return open_read(ctx, node)
    if not array and not v.known_to_include(owner, "unknown"):
        return None
    if array and reverses and v.known_to_include(owner, "sequence", "mapping"):
        return _copying(ctx, node, shim_getitem(ctx, node, "a negative step"))
    why = needs_shim(ctx, node.slice, owner) or _of_what_is_made(ctx, node)
    if v.known_to_include(owner, "foreign"):
        return _copying(ctx, node, shim_getitem(ctx, node, why)) if why and not ctx.converted_already() else None
    return _by_copy(ctx, node, owner, why) if why else None


def _by_copy(ctx: ModuleContext, node: ast.Subscript, owner: v.Fact, why: str) -> Edit | None:
    """Read what torch has no view of."""
    if why == STEPS and sharing_shows(ctx, node):
        return None  # forwards torch has the same view, backwards it raises
    edit, dims = shim_getitem(ctx, node, why), flips(ctx, node.slice)
    if dims is not None and v.is_tensor(owner):
        return reversed_view(edit) if sharing_shows(ctx, node) else _flipped(node, dims, owner)
    return _copying(ctx, node, edit) if v.known_to_include(owner, "array", "scalar", "unknown") else edit


def _is_no_array(ctx: ModuleContext, node: ast.Subscript) -> bool:
    """Tell whether no array is read: one that stays on NumPy, a type that is spelled, an annotation."""
    owner = ctx.fact(node.value)
    if v.known_to_include(owner, "foreign") and not v.known_to_include(owner, "array", "unknown"):
        return True
    if v.known_to_include(owner, *GENERIC) and not v.known_to_include(owner, "array"):
        return True
    return ctx.is_object(node.slice) or isinstance(ctx.parents.get(node), (ast.arg, ast.AnnAssign))


def _flipped(node: ast.Subscript, dims: list[int], owner: v.Fact) -> Edit:
    """`x[::-1]` as a copy."""
    template = Template()
    text = flip_call(template.mark(node.value), dims, v.ranks_of(owner))
    return Edit(
        node, "native", "NPT170", source_of(node), "torch has no negative strides: `flip` copies",
        text=text, pieces=template.nodes,
    )  # fmt: skip


def _copying(ctx: ModuleContext, node: ast.Subscript, edit: Edit) -> Edit:
    """Give the edit, or a TODO where the view that it makes a copy of is written."""
    reverses = any(negative_step(ctx, part) for part in index_parts(node.slice))
    return reversed_view(edit) if reverses and sharing_shows(ctx, node) else edit


@on(Phase.REST, ast.Subscript)
def small_indices(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`x[labels]`, read or stored into, where the integers are or may be of a dtype that torch does not index by."""
    owner = ctx.fact(node.value)
    if isinstance(ctx.parents.get(node), (ast.arg, ast.AnnAssign)) or v.known_to_include(owner, *GENERIC):
        return None
    known = v.known_to_include(owner, "array")
    if known or ctx.is_open(node.value) and not _has_keys(ctx, node.value):
        for part in index_parts(node.slice):
            if not isinstance(part, NO_ARRAYS) and (known or not _is_key(ctx, part)):
                _as_index(ctx, part)
    return None


NO_ARRAYS = (ast.Slice, ast.Starred, ast.Compare, ast.Constant)
"""Entries of an index that are no arrays, or masks of bools."""


def _has_keys(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is used as a dict is in the same function."""
    path, mappings = dotted_name(node), ctx.mappings_of(ctx.function(node))
    return path is not None and path in mappings


def _is_key(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is called a name."""
    return (dotted_name(node) or "").endswith(("name", "newaxis"))


def _as_index(ctx: ModuleContext, part: ast.expr) -> None:
    fact = ctx.fact(part)
    dtypes = _index_dtypes(ctx, part)
    if not dtypes & SMALL_INDICES:
        return
    if v.is_tensor(fact) and all(dtype[0] in "iu" for dtype in dtypes):
        ctx.cast(part, "int64")
    elif not ctx.converted_already() and not is_described(ctx, part):
        ctx.drop_wrap(part, "shim.key(")  # an index is taken by value as well
        ctx.wrap(part, "shim.index(", ")", "shim", "NPT105", "torch takes uint8 for a mask, and refuses int16")


def scatters(ctx: ModuleContext, index: ast.expr, owner: v.Fact) -> str:
    """Give the reason for which torch would not store at an index that may be an array; empty where it would."""
    mine = v.dtypes_of(owner)
    if not (DOMAIN.likely if mine is None else mine) & NOT_SCATTERED:
        return ""
    several = any(v.known_to_include(ctx.fact(p), "array", "sequence", "unknown") for p in index_parts(index))
    return "torch stores no wide unsigned integers by an array of indices" if several else ""


def _index_dtypes(ctx: ModuleContext, part: ast.expr) -> frozenset[str]:
    """The dtypes of what may be a tensor in an entry of an index; also of those in a tuple."""
    fact, found = ctx.fact(part), frozenset[str]()
    inside = [v.elements(atom) for atom in fact if isinstance(atom, v.Sequence) and atom.type == "tuple"]
    for atom in (atom for one in (fact, *inside) for atom in one):
        if isinstance(atom, v.Array) or isinstance(atom, v.Scalar) and not atom.python:
            found |= DOMAIN.unknown if atom.dtypes is None else atom.dtypes
        elif isinstance(atom, v.Top) and ctx.may_be_array(part):
            found |= DOMAIN.unknown
    return found


def open_read(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`x[::step]` of what may be anything; where the view is written it stays, since forwards torch has the same.

    An index of which nothing is known may be a slice backwards, or a list, as well as integers of any dtype.
    """
    why = (backwards(ctx, node.slice) or _of_anything(ctx, node)) if ctx.is_open(node.value) else ""
    if not why or sharing_shows(ctx, node):
        return None
    ctx.drop_wrap(node.slice, "shim.key(")  # it is taken by value as well
    return shim_getitem(ctx, node, why)


def _of_anything(ctx: ModuleContext, node: ast.Subscript) -> str:
    """Give the reason for which `x[i]` is decided at run time where nothing is known of either."""
    index = node.slice
    may_be = ctx.is_open(index) and not isinstance(index, (*NO_ARRAYS, ast.Tuple)) and not _has_keys(ctx, node.value)
    return "any index" if may_be and not _is_key(ctx, index) and _index_dtypes(ctx, index) & SMALL_INDICES else ""


def _of_what_is_made(ctx: ModuleContext, node: ast.Subscript) -> str:
    """Give the same reason for what a call makes, which may be a copy as well as a view."""
    if not isinstance(node.value, ast.Call) or sharing_shows(ctx, node) or not (why := _of_anything(ctx, node)):
        return ""
    ctx.drop_wrap(node.slice, "shim.key(")
    return why


def _python_index(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`xs[a]` of a list: only an integer of NumPy's is an index there, and torch takes more for one.

    Of iterators only `x.flat` has items, and that takes what an array of one dimension takes.
    """
    if not all(isinstance(atom, v.Iterator) and not atom.is_range for atom in ctx.fact(node.value)):
        only_index(ctx, node.slice)
    return None


@on(Phase.NUMPY, ast.Slice)
def bounds(ctx: ModuleContext, node: ast.Slice) -> Edit | None:
    """`x[:n]`, where `n` is no integer to NumPy, but to torch."""
    for bound in (node.lower, node.upper, node.step):
        if bound is not None:
            only_index(ctx, bound)
    return None


def only_index(ctx: ModuleContext, node: ast.expr) -> None:
    """Refuse what NumPy does not take for an integer: arrays with dimensions, bools."""
    fact = ctx.fact(node)
    if has_dimensions(fact) or v.only(fact, "scalar") and v.dtypes_of(fact) == frozenset(["bool"]):
        ctx.wrap(node, "shim.only_index(", ")", "shim", "NPT105", "NumPy takes it for no integer")


def has_dimensions(fact: v.Fact) -> bool:
    """Tell whether it may be an array that has dimensions for sure."""
    return any(isinstance(atom, v.Array) and 0 not in (atom.ranks or {0}) for atom in fact)


def reversed_view(edit: Edit) -> Edit:
    """The edit as a TODO: the view it makes a copy of is written."""
    note = "NPT309 a reversed view shares memory in NumPy and is a copy here, and it is written."
    return edit.leave("NPT309", note)
