"""Shape: reshape, transpose, join, split, repeat."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from np2torch.facts import nested_lists, results
from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments, Returns
from np2torch.facts.results import always, array_with, arraylike, dtype_of_source, make, rank_of_source, same
from np2torch.names.tree import is_repeatable
from np2torch.rules.core import Area, Body, declare, rule
from np2torch.rules.rule_arguments import (
    ArrayLike,
    AxisLike,
    Decline,
    Refused,
    RuleArgument,
    ShapeLike,
    Spelling,
    Value,
    call,
    function,
    number_kinds,
    text,
    use,
)

AREA = Area("shape", takes_text=True)


def _reshape_fact(bound: BoundArguments) -> v.Fact:
    fact = bound["a"].fact
    part = arraylike(fact, weak=False)
    if part is None:
        return v.FOREIGN if results.stays(fact) else v.TOP
    if bound.rest:
        return make(part[0], frozenset([1 + len(bound.rest)]), decays=False)
    return make(part[0], results.shape_rank(bound["shape"].fact), decays=False)


@rule("reshape", returns=_reshape_fact, code="NPT130")
def reshape(a: ArrayLike, shape: ShapeLike, order: Refused = "C", copy: Refused = None) -> Spelling:
    """A view where the layout allows, on both sides."""
    if v.only(shape.fact, "number"):
        return text(f"torch.reshape({a}, ({shape},))")
    if not v.only(shape.fact, "sequence"):
        raise Decline("shape unknown")
    return call("reshape", a, shape)


def _squeeze_ranks(bound: BoundArguments) -> v.Ranks:
    ranks = rank_of_source()(bound)
    if ranks is None:
        return None
    if bound["axis"].is_none or v.may(bound["axis"].fact, "none"):
        return frozenset(range(max(ranks, default=0) + 1))
    items = v.items_of(bound["axis"].fact)
    return frozenset(max(r - (len(items) if items is not None else 1), 0) for r in ranks)


@rule("ravel", method="ravel", returns=same("a", rank=1), code="NPT130")
def ravel(a: ArrayLike, order: Refused = "C") -> Spelling:
    """A view where the layout allows, on both sides."""
    return call("ravel", a)


def _transposed(bound: BoundArguments) -> v.Fact:
    fact = bound["a"].fact
    part = arraylike(fact, weak=False)
    return v.TOP if part is None else make(*part, decays=False)


@rule("transpose", returns=_transposed, code="NPT131")
def transpose(a: ArrayLike, axes: Value = None) -> Spelling:
    """Two dimensions swap; others are reversed or permuted as given."""
    if axes.is_passed:
        if not v.only(axes.fact, "sequence"):
            raise Decline("axes unknown")
        return text(f"{a}.permute({axes})")
    use(axes)
    if a.rank in (2, None):
        return text(f"{a}.T")
    if a.rank in (0, 1):
        return text(f"{a}")
    return text(f"{a}.permute({tuple(reversed(range(a.rank)))})")


@rule("swapaxes", method="swapaxes", returns=_transposed, code="NPT131")
def swapaxes(a: ArrayLike, axis1: Value, axis2: Value) -> Spelling:
    """A view on both sides."""
    return call("swapaxes", a, axis1, axis2)


@rule("moveaxis", returns=_transposed, code="NPT131")
def moveaxis(a: ArrayLike, source: Value, destination: Value) -> Spelling:
    """A view on both sides."""
    if not v.only(source.fact, "number") and not isinstance(source.node, ast.Tuple):
        raise Decline("axes unknown")
    if not v.only(destination.fact, "number") and not isinstance(destination.node, ast.Tuple):
        raise Decline("axes unknown")
    return function("torch.moveaxis", a, source, destination)


@rule("expand_dims", returns=same("a", change=1), code="NPT131")
def expand_dims(a: ArrayLike, axis: AxisLike) -> Spelling:
    """`unsqueeze` for one axis."""
    if v.known_to_include(axis.fact, "sequence"):
        raise Decline("several axes")
    return function("torch.unsqueeze", a, axis)


def _squeezed(bound: BoundArguments) -> v.Fact:
    made = array_with(dtype_of_source(), _squeeze_ranks)(bound)
    return v.join(made, v.keep(bound["a"].fact, lambda atom: atom.kind == "scalar"))  # which stays one


@rule("squeeze", method="squeeze", returns=_squeezed, code="NPT131")
def squeeze(a: ArrayLike, axis: AxisLike = None) -> Spelling:
    """Without an axis equal; with one, NumPy refuses axes that are not of length 1."""
    if axis.is_passed:
        raise Decline("torch ignores axes that are not of length 1")
    return call("squeeze", a)


@rule("broadcast_to", returns=array_with(dtype_of_source("a"), results.rank_of_shape()), code="NPT131")
def broadcast_to(a: ArrayLike, shape: ShapeLike, subok: Refused = False) -> Spelling:
    """A view on both sides; NumPy's is read-only."""
    if not v.only(shape.fact, "sequence"):
        raise Decline("shape unknown")
    return function("torch.broadcast_to", a, shape)


# ----------------------------------------------------------------------------------------------- repeating
def _tile_rank(bound: BoundArguments) -> v.Ranks:
    ranks, reps = rank_of_source("A")(bound), results.shape_rank(bound["reps"].fact)
    return None if ranks is None or reps is None else frozenset(max(a, b) for a in ranks for b in reps)


@rule("tile", returns=array_with(dtype_of_source("A"), _tile_rank), code="NPT133")
def tile(A: ArrayLike, reps: Value) -> Spelling:
    """`torch.tile` wants a tuple."""
    if v.only(reps.fact, "number"):
        return text(f"torch.tile({A}, ({reps},))")
    if not v.only(reps.fact, "sequence"):
        raise Decline("reps unknown")
    return function("torch.tile", A, reps)


@rule("matlib.repmat", returns=array_with(dtype_of_source("a"), 2), code="NPT133")
def repmat(a: ArrayLike, m: Value, n: Value) -> Spelling:
    """`torch.tile` down and across."""
    if a.rank not in (0, 1, 2) or not (_whole(m) and _whole(n)):
        raise Decline("rank or counts unknown")
    return function("torch.tile", a, f"({m}, {n})")


def _flat_without_axis(source: str) -> Callable[[BoundArguments], v.Ranks]:
    """The rank of the array, or 1 where no axis is given."""
    return lambda bound: frozenset([1]) if bound["axis"].is_none else rank_of_source(source)(bound)


def _trimmed(bound: BoundArguments) -> v.Fact:
    """Trim a list or tuple of numbers, which stays one."""
    fact = bound["filt"].fact
    lists = [atom for atom in fact if isinstance(atom, v.Sequence)]
    rows = [one for one in lists if v.known_to_include(v.elements(one), "array", "sequence", "unknown")]
    kept = v.join(v.BOTTOM, *(v.one(v.Sequence(one.type, None, v.elements(one))) for one in lists))
    return v.join(kept, same("filt")(bound) if rows or len(lists) < len(fact) else v.BOTTOM)


def _whole(piece: RuleArgument) -> bool:
    """Tell whether it is certainly a Python integer; NumPy rounds other numbers, and torch refuses them."""
    return bool(piece.fact) and all(isinstance(atom, v.Num) and atom.type in ("int", "bool") for atom in piece.fact)


@rule("repeat", method="repeat", returns=array_with(dtype_of_source(), _flat_without_axis("a"), True), code="NPT133")
def repeat(a: ArrayLike, repeats: Value, axis: AxisLike = None) -> Spelling:
    """`torch.repeat` tiles; `repeat_interleave` repeats elements."""
    if repeats.is_tensor and repeats.rank == 1 and repeats.dtypes() == {"int64"}:
        return call("repeat_interleave", a, repeats, dim=axis)
    if not _whole(repeats) and not v.only(repeats.fact, "unknown"):
        raise Decline("repeats unknown")
    return call("repeat_interleave", a, repeats, dim=axis)


@rule("roll", returns=same("a"), code="NPT133")
def roll(a: ArrayLike, shift: Value, axis: AxisLike = None) -> Spelling:
    """Without an axis both roll the flattened array."""
    if not _whole(shift) and not v.only(shift.fact, "unknown") or v.known_to_include(axis.fact, "sequence"):
        raise Decline("shift unknown")
    return function("torch.roll", a, shift, dims=axis)


def flip_call(array: str, dims: Sequence[int], ranks: v.Ranks) -> str:
    """Spell the reversal of some axes, so that it raises for an array without axes.

    `torch.flip` takes the axes 0 and -1 of a tensor that has none; `torch.flipud` does not.
    """
    if tuple(dims) == (0,) and (ranks is None or len(ranks) != 1):
        return f"torch.flipud({array})"
    return f"torch.flip({array}, dims={f'({dims[0]},)' if len(dims) == 1 else tuple(dims)})"


@rule("flip", returns=same("m"), code="NPT133")
def flip(m: ArrayLike, axis: AxisLike = None) -> Spelling:
    """torch copies where NumPy gives a view with negative strides."""
    rank = m.rank
    if axis.is_none:
        use(axis)
        if rank is None:
            return text(f"torch.flip({m}, dims=tuple(range({m}.ndim)))")
        return text(f"torch.flip({m}, dims={tuple(range(rank))})")
    if not v.only(axis.fact, "number"):
        raise Decline("axes unknown")
    if axis.constant == 0:
        use(axis)
        return text(flip_call(f"{m}", (0,), None if rank is None else frozenset({rank})))
    return text(f"torch.flip({m}, dims=({axis},))")


def _flipper(torch_name: str) -> Body:
    def body(m: ArrayLike) -> Spelling:
        """torch copies where NumPy gives a view with negative strides."""
        return function(f"torch.{torch_name}", m)

    return body


for _name in ("fliplr", "flipud"):
    rule(_name, returns=same("m"), code="NPT133")(_flipper(_name))


def _at_least(least: int) -> Returns:
    def returns(bound: BoundArguments) -> v.Fact:
        if bound.rest:
            return v.TOP
        part = arraylike(bound["a"].fact, weak=False)
        if part is None:
            return v.FOREIGN if results.stays(bound["a"].fact) else v.TOP
        ranks = results.at_least(least) if part[1] is None else frozenset(max(r, least) for r in part[1])
        return make(part[0], ranks, decays=False)

    return returns


def _raiser(name: str) -> Body:
    def body(a: ArrayLike, *more: ArrayLike) -> Spelling:
        """The same tensor or a view of it; several in a tuple, on both sides."""
        return function(f"torch.{name}", a, *more)

    return body


for _least in (1, 2, 3):
    rule(f"atleast_{_least}d", returns=_at_least(_least), code="NPT130")(_raiser(f"atleast_{_least}d"))


# ------------------------------------------------------------------------------------------------ diagonals
def _diag_rank(bound: BoundArguments) -> v.Ranks:
    ranks = rank_of_source("v")(bound)
    return None if ranks is None else frozenset({1: 2, 2: 1}.get(r, r) for r in ranks)


@rule("diag", returns=array_with(dtype_of_source("v"), _diag_rank), code="NPT134")
def diag(v_: ArrayLike, k: Value = 0) -> Spelling:
    """A view of a matrix's diagonal in NumPy (read-only), a matrix with that diagonal for a vector."""
    if v_.rank not in (1, 2, None) or v_.rank is None and v_.asked.sharing_shows():
        raise Decline("rank unknown")
    if v_.rank == 2 and v_.asked.sharing_shows():  # torch's `diag` copies
        return function("torch.diagonal", v_, k) if k.given else function("torch.diagonal", v_)
    return function("torch.diag", v_, k) if k.given else function("torch.diag", v_)


def _matrix_rank(bound: BoundArguments) -> v.Ranks:
    ranks = rank_of_source("m")(bound)
    return None if ranks is None else frozenset(max(r, 2) for r in ranks)


def _triangle(torch_name: str) -> Body:
    def body(m: ArrayLike, k: Value = 0) -> Spelling:
        """Equal for matrices; torch refuses vectors, of which NumPy makes a matrix."""
        if m.rank is not None and m.rank < 2:
            raise Decline("NumPy makes a matrix of a vector")
        return function(f"torch.{torch_name}", m, k) if k.given else function(f"torch.{torch_name}", m)

    return body


for _name in ("triu", "tril"):
    rule(_name, returns=array_with(dtype_of_source("m"), _matrix_rank), code="NPT134")(_triangle(_name))


def _split_fact(bound: BoundArguments) -> v.Fact:
    part = arraylike(bound["ary"].fact)
    return v.one(v.Sequence("list", None, make(*part, decays=False) if part else v.TOP))


_EDITED = array_with(dtype_of_source("arr"), _flat_without_axis("arr"))


def _holds(array: RuleArgument, value: RuleArgument) -> bool:
    """Tell whether an array stores a Python number as it is, or rounded as NumPy rounds it."""
    kinds, dtypes = number_kinds(value), array.dtypes()
    if not v.only(value.fact, "number") or "complex" in kinds:
        return False
    return dtypes <= {"float64", "float32"} or dtypes == {"int64"} and kinds <= {"int", "bool"}


@rule("insert", returns=_EDITED, code="NPT132")
def insert(arr: ArrayLike, obj: Value, values: Value, axis: Value = None) -> Spelling:
    """A number in front of a vector."""
    if not arr.is_tensor or arr.rank != 1 or arr.node is None or not is_repeatable(arr.node):
        raise Decline("not known to be a vector")
    if obj.integer_constant() != 0 or axis.is_passed or not _holds(arr, values):
        raise Decline("not known to be a number in front")
    use(axis)
    return text(f"torch.cat(({arr}.new_tensor([{values}]), {arr}))")


@rule("fill_diagonal", returns=always(v.NONE), code="NPT134")
def fill_diagonal(a: ArrayLike, val: Value, wrap: Refused = False) -> Spelling:
    """In place; a tensor with less than two axes is refused on both sides."""
    if not a.is_tensor or not _holds(a, val):
        raise Decline("dtypes unknown")
    return text(f"{a}.fill_diagonal_({val})")


declare(AREA, {
    "split(ary, indices_or_sections, axis=0)": _split_fact,
    "hsplit(ary, indices_or_sections)": _split_fact,
    "vsplit(ary, indices_or_sections)": _split_fact,
    "dsplit(ary, indices_or_sections)": _split_fact,
    "delete(arr, obj, axis=None)": _EDITED,
    "rollaxis(a, axis, start=0)": same("a"),
    "resize(a, new_shape)": array_with(dtype_of_source(), results.rank_of_shape("new_shape")),
    "block(arrays)": nested_lists.block,
    "trim_zeros(filt, trim='fb', axis=None)": _trimmed,
    "broadcast_shapes(*args)": results.broadcast_shape,
    "diagflat(v, k=0)": same("v", rank=2),
    "copyto(dst, src, casting='same_kind', where=True)": always(v.NONE),
    "putmask(a, mask, values)": always(v.NONE),
    "place(arr, mask, vals)": always(v.NONE),
    "put(a, ind, v, mode='raise')": always(v.NONE),
}, methods=("put",))  # fmt: skip


def shape_fact(fact: v.Fact) -> v.Fact:
    """The shape of an array: a tuple of as many sizes as it has dimensions."""
    return results.shape_of_ranks(v.ranks_of(fact))


def _tensor_already(a: RuleArgument) -> None:
    """Decline to make a tensor only to ask for its shape."""
    if a.made_by:
        raise Decline("a list")


def _shape_of(bound: BoundArguments) -> v.Fact:
    part = arraylike(bound["a"].fact)
    return results.shape_of_ranks(None if part is None else part[1])


@rule("shape", returns=_shape_of, code="NPT136")
def shape(a: ArrayLike) -> Spelling:
    """`torch.Size` is a tuple."""
    _tensor_already(a)
    return text(f"{a}.shape")


@rule("ndim", returns=always(v.SIZE), code="NPT136")
def ndim(a: ArrayLike) -> Spelling:
    """The attribute."""
    _tensor_already(a)
    return text(f"{a}.ndim")


@rule("size", returns=always(v.SIZE), code="NPT136")
def size(a: ArrayLike, axis: Value = None) -> Spelling:
    """`numel()`; with an axis that length."""
    _tensor_already(a)
    if axis.is_passed:
        return text(f"{a}.shape[{axis}]")
    return text(f"{a}.numel()")
