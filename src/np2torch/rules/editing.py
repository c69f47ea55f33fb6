"""Shape: padding, appending, cutting up, diagonals."""

from __future__ import annotations

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.results import array_with, arraylike, dtype_of_source, make, rank_of_source, same
from np2torch.rules.arraylike import of_one_dtype, written_parts
from np2torch.rules.core import Area, rule
from np2torch.rules.rule_arguments import (
    ArrayLike,
    AxisLike,
    Decline,
    Operand,
    RuleArgument,
    Spelling,
    Value,
    call,
    function,
    text,
)

AREA = Area("editing", takes_text=True)


def _split_fact(bound: BoundArguments) -> v.Fact:
    part = arraylike(bound["ary"].fact)
    return v.one(v.Sequence("list", None, make(*part, decays=False) if part else v.TOP))


@rule("array_split", returns=_split_fact, code="NPT132")
def array_split(ary: ArrayLike, indices_or_sections: Value, axis: Value = 0) -> Spelling:
    """Views on both sides, the longer ones first; NumPy gives a list."""
    dim = f", dim={axis}" if axis.given else ""
    return text(f"list(torch.tensor_split({ary}, {indices_or_sections}{dim}))")


def _append_dtypes(bound: BoundArguments) -> v.Names:
    return results.result_dtypes("add", [dtype_of_source("arr")(bound), dtype_of_source("values")(bound)])


def _append_ranks(bound: BoundArguments) -> v.Ranks:
    return frozenset([1]) if bound["axis"].is_none else rank_of_source("arr")(bound)


@rule("append", returns=array_with(_append_dtypes, _append_ranks), code="NPT132")
def append(arr: Operand, values: Operand, axis: AxisLike = None) -> Spelling:
    """Both flattened and joined, or as they are along an axis."""
    if v.only(values.fact, "number") and not axis.is_passed:  # in a list of its own it has the axis it needs
        values.respell(f"[{values.text}]", v.one(v.Sequence("list", (values.fact,))))
    parts = of_one_dtype([arr, values])
    if axis.is_passed:
        if not v.only(axis.fact, "number") or any(part.made_by for part in parts):
            raise Decline("axis unknown")
        return text(f"torch.cat(({parts[0]}, {parts[1]}), dim={axis})", cast=any(part.changed for part in parts))
    left, right = (f"{part}" if part.rank == 1 else f"{part}.ravel()" for part in parts)
    return text(f"torch.cat(({left}, {right}))", cast=any(part.changed for part in parts))


@rule("rot90", returns=same("m"), code="NPT133")
def rot90(m: ArrayLike, k: Value = 1, axes: Value = (0, 1)) -> Spelling:
    """torch copies where NumPy gives a view with negative strides."""
    if m.asked.sharing_shows():
        raise Decline("a view that is written")
    return function("torch.rot90", m, k=k, dims=axes)


@rule("diagonal", method="diagonal", returns=same("a", change=-1), code="NPT134")
def diagonal(a: ArrayLike, offset: Value = 0, axis1: Value = 0, axis2: Value = 1) -> Spelling:
    """A view on both sides; NumPy's is read-only."""
    return call("diagonal", a, offset=offset, dim1=axis1, dim2=axis2)


@rule("pad", returns=same("array"), code="NPT133")
def pad(array: ArrayLike, pad_width: Value, mode: Value = "constant") -> Spelling:
    """With zeros; torch takes the widths of the last axis first."""
    if mode.constant != "constant":
        raise Decline("torch wants images for all other modes")
    return text(f"torch.nn.functional.pad({array}, {_widths(array, pad_width)})")


def _widths(array: RuleArgument, width: RuleArgument) -> str:
    """The widths in torch's order: of one number or pair for all axes, or of a pair for each."""
    times = "" if array.rank == 1 else f" * {array}.ndim" if array.rank is None else f" * {array.rank}"
    if _is_count(width):
        return f"({width}, {width}){times}"
    parts = written_parts(width)
    if parts is not None and len(parts) == 2 and all(map(_is_count, parts)):
        return f"({parts[0]}, {parts[1]}){times}"
    pairs = [written_parts(part) for part in parts or ()]
    if not pairs or array.rank is not None and array.rank != len(pairs):
        raise Decline("widths unknown")
    found = [pair for pair in reversed(pairs) if pair is not None and len(pair) == 2 and all(map(_is_count, pair))]
    if len(found) < len(pairs):
        raise Decline("widths unknown")
    return f"({', '.join(f'{before}, {after}' for before, after in found)})"


def _is_count(piece: RuleArgument) -> bool:
    """Tell whether it is an integer that is not known to be negative."""
    whole = bool(piece.fact) and all(isinstance(atom, v.Num) and atom.type == "int" for atom in piece.fact)
    value = v.constant(piece.fact)
    return whole and not (isinstance(value, int) and value < 0)
