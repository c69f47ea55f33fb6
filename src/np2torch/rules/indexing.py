"""Selecting by index and condition, and making indices."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import reduce

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments, Returns
from np2torch.facts.dtypes import INEXACT
from np2torch.facts.interpreter import nditers
from np2torch.facts.results import (
    always,
    array_with,
    arraylike,
    broadcast,
    dtype_of_source,
    make,
    rank_of_source,
    same,
    ufunc,
)  # fmt: skip
from np2torch.names.tree import dotted_name, is_repeatable
from np2torch.rules.arraylike import written_parts
from np2torch.rules.core import Area, declare, rule
from np2torch.rules.rule_arguments import (
    UNSIGNED,
    ArrayLike,
    Decline,
    Refused,
    RuleArgument,
    ShapeLike,
    Spelling,
    Value,
    call,
    function,
    text,  # fmt: skip
    use,
)

AREA = Area("indexing", takes_text=True)


def _per_dimension(name: str) -> Returns:
    def returns(bound: BoundArguments) -> v.Fact:
        rank = v.rank_of(bound[name].fact)
        item = v.array("int64", 1)
        return v.tuple_of(*[item] * rank) if rank else v.one(v.Sequence("tuple", None, item))

    return returns


@rule("nonzero", method="nonzero", returns=_per_dimension("a"), code="NPT145")
def nonzero(a: ArrayLike) -> Spelling:
    """A tuple of index arrays, one for each dimension; NumPy refuses an array without any."""
    if a.rank == 0 or (v.dtypes_of(a.fact) or frozenset()) & UNSIGNED:
        raise Decline("NumPy raises, or torch does")
    return call("nonzero", a, as_tuple="True")


@rule("argwhere", returns=array_with("int64", 2), code="NPT145")
def argwhere(a: ArrayLike) -> Spelling:
    """Equal."""
    return function("torch.argwhere", a)


@rule("flatnonzero", returns=array_with("int64", 1), code="NPT145")
def flatnonzero(a: ArrayLike) -> Spelling:
    """Indices into the flattened array."""
    if a.rank == 1:
        return text(f"torch.nonzero({a}, as_tuple=True)[0]")
    return text(f"torch.nonzero(torch.ravel({a}), as_tuple=True)[0]")


def _take_fact(bound: BoundArguments) -> v.Fact:
    part = arraylike(bound["a"].fact, weak=False)
    extra = rank_of_source("indices")(bound)
    if part is None or extra is None or part[1] is None:
        return make(part[0] if part else None, None)
    base = frozenset([0]) if bound["axis"].is_none else frozenset(max(r - 1, 0) for r in part[1])
    return make(part[0], frozenset(a + b for a in base for b in extra))


def _open_mesh(bound: BoundArguments) -> v.Fact:
    count = len(bound.rest)
    return v.tuple_of(*(v.array(_positions(one.fact), count) for one in bound.rest)) if count else v.TOP


def _positions(fact: v.Fact) -> v.Names:
    """The dtypes of indices as they are given; of masks and empty lists that of positions."""
    part = arraylike(fact, weak=False)
    if part is None or part[0] is None:
        return None
    return frozenset("int64" if dtype in ("bool", "float64") else dtype for dtype in part[0])


_INDEX = v.one(v.Sequence("tuple", None, v.SIZE))
_INDICES = always(v.one(v.Sequence("tuple", None, v.array("int64", 1))))
_ROWS_AND_COLUMNS = always(v.tuple_of(v.array("int64", 1), v.array("int64", 1)))
_COORDINATES = always(v.one(v.Sequence("tuple", None, v.join(v.array("int64"), v.scalar("int64")))))


def _enumerated(bound: BoundArguments) -> v.Fact:
    return v.one(v.Iterator(v.tuple_of(_INDEX, v.scalar(dtype_of_source("arr")(bound)))))


def _broadcast(bound: BoundArguments) -> v.Fact:
    """The object that has the arrays' common shape: its rank is part of its name, as a dtype is of `finfo`'s."""
    parts = [arraylike(argument.fact) for argument in bound.rest]
    ranks = broadcast(part[1] if part else None for part in parts) or ()
    return v.one(v.Numpy(f"numpy.broadcast():{','.join(map(str, sorted(ranks)))}"))


def _broadcast_fact(bound: BoundArguments) -> v.Fact:
    parts = [arraylike(a.fact, weak=False) or (None, None) for a in bound.rest]
    ranks = broadcast(part[1] for part in parts)
    return v.tuple_of(*(make(part[0], ranks, decays=False) for part in parts))


@rule("broadcast_arrays", returns=_broadcast_fact, code="NPT135")
def broadcast_arrays(*args: ArrayLike, subok: Refused = False) -> Spelling:
    """Views of the arrays in the shape that they have together."""
    if not args or not all(v.only(one.fact, "array") for one in args):
        raise Decline("no arrays for sure")
    return function("torch.broadcast_tensors", *args)


def _select_fact(bound: BoundArguments) -> v.Fact:
    conditions, choices = (v.items_of(bound[name].fact) for name in ("condlist", "choicelist"))
    if not conditions or not choices:
        return v.ARRAY
    default = bound["default"].fact if bound.is_given("default") else v.INT
    result = reduce(lambda one, other: ufunc("add", [one, other]), choices, default)
    part = arraylike(result, weak=False)
    if part is None:
        return v.ARRAY
    shape = reduce(lambda one, other: ufunc("not_equal", [one, other]), conditions, make(*part, decays=False))
    return make(part[0], v.ranks_of(shape) if v.only(shape, "array") else None, decays=False)


@rule("select", returns=_select_fact, code="NPT103")
def select(condlist: Value, choicelist: Value, default: Value = 0) -> Spelling:
    """A `torch.where` for each condition. The default takes part in the dtype, also where it is never taken."""
    conditions, choices = written_parts(condlist), written_parts(choicelist)
    if not conditions or not choices or len(conditions) != len(choices):
        raise Decline("conditions or choices are not written out")
    last = default
    if v.constant(conditions[-1].fact) is True:
        last = choices.pop()
        conditions.pop()
        if default.constant == 0:
            use(default)
    if not choices or any(not one.is_tensor or one.dtypes() != {"bool"} for one in conditions):
        raise Decline("conditions are not bool")
    _check_choices([*choices, last], default)
    chosen = str(last) if last.given else "0"
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        chosen = f"torch.where({condition}, {choice}, {chosen})"
    return text(chosen)


def _check_choices(values: Sequence[RuleArgument], default: RuleArgument) -> None:
    """Decline where `torch.where` gives the choices, the last of which is taken else, another dtype than NumPy."""
    arrays = [one for one in values if one.is_tensor]
    numbers = [one for one in (*values, default) if one.given and not one.is_tensor]
    if not all(v.only(one.fact, "number") for one in numbers) or not any(one.is_tensor for one in values[-2:]):
        raise Decline("choices unknown, or the last two are numbers")
    kinds = {getattr(atom, "type", "") for one in numbers for atom in one.fact}
    weak = {*INEXACT, "int64"} if kinds <= {"int"} else set(INEXACT)
    dtypes = {one.dtype for one in arrays}
    if len(dtypes) != 1 or not dtypes <= weak or not kinds <= {"int", "float"}:
        raise Decline("dtypes differ or are unknown")
    if numbers and 0 in {one.rank for one in arrays}:
        raise Decline("arrays without axes")


@rule("take", method="take", returns=_take_fact, code="NPT145")
def take(
    a: ArrayLike, indices: ArrayLike, axis: Value = None, out: Refused = None, mode: Refused = "raise"
) -> Spelling:  # fmt: skip
    """Whole numbers as an index, along the first axis or the last."""
    if not a.is_tensor or not indices.is_tensor or not indices.dtypes() <= {"int64", "int32"} or not indices.rank:
        raise Decline("indices unknown")
    along = axis.integer_constant() if axis.is_passed else 0 if a.rank == 1 else None
    use(axis)
    if along not in (0, -1):
        raise Decline("of the flattened array, or along an axis in the middle")
    return text(f"{a}[{indices}]" if along == 0 or a.rank == 1 else f"{a}[..., {indices}]")


@rule("take_along_axis", returns=same("arr"), code="NPT145")
def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: Value = -1) -> Spelling:
    """Indices from the front; torch refuses those from the end."""
    if not arr.is_tensor or not indices.is_tensor or indices.dtypes() != {"int64"} or not indices.rank:
        raise Decline("indices unknown")
    if not axis.given or axis.integer_constant() is None:
        raise Decline("axis unknown")
    return function("torch.take_along_dim", arr, indices, dim=axis)


def _chosen(array: RuleArgument, mask: RuleArgument) -> Spelling:
    are_vectors = array.is_tensor and mask.is_tensor and array.rank == mask.rank == 1
    if mask.made_by or not are_vectors or mask.dtypes() != {"bool"}:
        raise Decline("not known to be a vector and its mask")
    return text(f"{array}[{mask}]")


@rule("extract", returns=same("arr", rank=1), code="NPT145")
def extract(condition: ArrayLike, arr: ArrayLike) -> Spelling:
    """Of a vector; torch refuses a mask of another length."""
    return _chosen(arr, condition)


@rule("compress", returns=array_with(dtype_of_source("a")), code="NPT145")
def compress(condition: ArrayLike, a: ArrayLike, axis: Refused = None, out: Refused = None) -> Spelling:
    """Of a vector; torch refuses a mask of another length."""
    return _chosen(a, condition)


@rule("unravel_index", returns=_COORDINATES, code="NPT145")
def unravel_index(indices: Value, shape: ShapeLike) -> Spelling:
    """Of the place of an extremum in an array of this shape; other places may lie outside, which torch lets pass."""
    if not _lies_in(indices.node, shape.node):
        raise Decline("the index may lie outside")
    return function("torch.unravel_index", indices, shape)


def _lies_in(index: ast.expr | None, shape: ast.expr | None) -> bool:
    """Tell the place of an extremum, `np.argmax(a)` or `a.argmax()`, and the shape of the same array."""
    if not isinstance(index, ast.Call) or not isinstance(shape, ast.Attribute) or shape.attr != "shape":
        return False
    name = (dotted_name(index.func) or "").rpartition(".")[2]
    given = [*index.args, *([index.func.value] if not index.args and isinstance(index.func, ast.Attribute) else [])]
    is_alone = name in ("argmax", "argmin") and len(given) == 1 and not index.keywords
    return is_alone and is_repeatable(shape.value) and ast.dump(given[0]) == ast.dump(shape.value)


declare(AREA, {
    "nditer(op, flags=None, op_flags=None, op_dtypes=None, order='K', casting='safe', op_axes=None, itershape=None, "
    "buffersize=0)": lambda bound: nditers.make_nditer(bound["op"].fact, bound["flags"].fact),
    "broadcast(*args)": _broadcast,
    "choose(a, choices, out=None, mode='raise')": array_with(),
    "put_along_axis(arr, indices, values, axis)": always(v.NONE),
    "ravel_multi_index(multi_index, dims)": always(v.TOP),
    "ix_(*args)": _open_mesh,
    "triu_indices_from(arr, k=0)": _ROWS_AND_COLUMNS,
    "tril_indices_from(arr, k=0)": _ROWS_AND_COLUMNS,
    "diag_indices(n, ndim=2)": _ROWS_AND_COLUMNS,
    "diag_indices_from(arr)": _INDICES,
    "ndindex(*shape)": always(v.one(v.Iterator(_INDEX))),
    "ndenumerate(arr)": _enumerated,
}, methods=("choose",))  # fmt: skip


def _triangle(name: str) -> None:
    def body(n: Value, k: Value = 0, m: Value = None) -> Spelling:
        atoms = [atom for one in (n, m) if one.is_passed for atom in one.fact]
        if not all(isinstance(atom, v.Num) and atom.type == "int" and atom.nonnegative for atom in atoms):
            raise Decline("not known to be a number of rows")
        if k.given and not v.only(k.fact, "number"):
            raise Decline("offset unknown")
        columns = m if m.is_passed else n
        use(m)
        offset = f", offset={k}" if k.given else ""
        return text(f"torch.{name}({n}, {columns}{offset}).unbind()")

    rule(name, returns=_ROWS_AND_COLUMNS, code="NPT134", doc="Rows and columns, as a tuple.")(body)


for _name in ("triu_indices", "tril_indices"):
    _triangle(_name)
