"""Reductions and cumulative functions."""

from __future__ import annotations

from dataclasses import replace

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments, Returns
from np2torch.facts.domain import DOMAIN
from np2torch.facts.results import (
    arraylike,
    make,
    rank_of_source,
    reduced_ranks,
    reduction,
    result_dtypes,
    stated_or_result,
)
from np2torch.rules.casts import apply_casts, unify
from np2torch.rules.core import Area, declare, rule
from np2torch.rules.rule_arguments import (
    UNSIGNED,
    ArrayLike,
    AxisLike,
    Decline,
    DTypeLike,
    KeepDims,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    call,
    text,
    use,
)

AREA = Area("reductions", takes_text=True)

SINGLE = frozenset({"float16", "float32", "complex64"})
COMPUTED = frozenset({"float64", "float32"})
"""dtypes in which torch averages neighbours and adds what is not NaN."""
UNORDERED = UNSIGNED | {"complex64", "complex128"}
"""dtypes of which torch raises for the largest and the smallest; all others give what NumPy gives."""


def _cast(name: str, a: RuleArgument) -> tuple[RuleArgument, str | None]:
    """Cast the array as the table asks for, by a `dtype=` argument where that is the shorter way."""
    casts = unify(name, [a.fact])
    if casts is None or casts.result:
        raise Decline("dtype unknown")
    (piece,) = apply_casts(casts, [a])
    return piece, casts.dtype_argument


def _axis_is_one_int(axis: RuleArgument) -> bool:
    return axis.given and v.only(axis.fact, "number")


def _plain_axis(axis: RuleArgument) -> None:
    """Spell an int, a tuple or None as NumPy does; an empty tuple means all axes in torch and none in NumPy."""
    if axis.is_passed and v.known_to_include(axis.fact, "sequence") and not v.items_of(axis.fact):
        raise Decline("perhaps no axis at all")


def one_axis(axis: RuleArgument) -> None:
    """Spell one axis or None; for several torch raises."""
    if axis.is_passed and v.known_to_include(axis.fact, "sequence"):
        raise Decline("several axes")


def in_averaged_dtype(a: RuleArgument) -> RuleArgument:
    """Of floats, for which alone torch has the function."""
    x = a.floating()
    if not x.dtypes() <= COMPUTED and not DOMAIN.supposed:
        raise Decline("torch has it for floats alone")
    return x


def _in_numpys_order(a: RuleArgument, axis: RuleArgument) -> None:
    """Keep NumPy's order in single precision, which shows: off the last axis it adds row after row."""
    if not a.known_excluded(SINGLE) or not axis.is_passed or v.ranks_of(a.fact) == frozenset([1]):
        return
    last = {-1} if a.rank is None else {-1, a.rank - 1}
    if axis.constant not in last:
        raise Decline("torch adds single precision in another order")


def _dim(axis: RuleArgument, keepdims: RuleArgument) -> RuleArgument | str:
    """The axis as `dim=`, which torch wants to see wherever dimensions are kept."""
    return "None" if keepdims.given and not axis.is_passed else axis


@rule("sum", method="sum", returns=reduction("sum"), code="NPT110")
def sum_(
    a: ArrayLike, axis: AxisLike = None, dtype: DTypeLike = None, out: Refused = None, keepdims: KeepDims = False,
    initial: Refused = None, where: Refused = None,
) -> Spelling:  # fmt: skip
    """Integers and bools sum in int64 on both sides."""
    _plain_axis(axis)
    _in_numpys_order(a, axis)
    if dtype.given:
        return call("sum", a, dim=_dim(axis, keepdims), keepdim=keepdims, dtype=dtype)
    piece, argument = _cast("sum", a)
    return call("sum", piece, dim=_dim(axis, keepdims), keepdim=keepdims, dtype=argument and f"torch.{argument}")


@rule("prod", method="prod", returns=reduction("prod"), code="NPT110")
def prod(
    a: ArrayLike, axis: AxisLike = None, dtype: DTypeLike = None, out: Refused = None, keepdims: KeepDims = False,
    initial: Refused = None, where: Refused = None,
) -> Spelling:  # fmt: skip
    """torch takes one axis at a time."""
    if axis.is_passed and not _axis_is_one_int(axis) or keepdims.given and not axis.is_passed:
        raise Decline("several axes")
    if dtype.given:
        return call("prod", a, dim=_dim(axis, keepdims), keepdim=keepdims, dtype=dtype)
    piece, argument = _cast("prod", a)
    return call("prod", piece, dim=_dim(axis, keepdims), keepdim=keepdims, dtype=argument and f"torch.{argument}")


@rule("mean", method="mean", returns=reduction("mean"), code="NPT110")
def mean(
    a: ArrayLike, axis: AxisLike = None, dtype: DTypeLike = None, out: Refused = None, keepdims: KeepDims = False,
    where: Refused = None,
) -> Spelling:  # fmt: skip
    """Integers and bools average in float64; torch refuses them without a dtype."""
    _plain_axis(axis)
    _in_numpys_order(a, axis)
    if dtype.given:
        return call("mean", a, dim=_dim(axis, keepdims), keepdim=keepdims, dtype=dtype)
    if a.dtypes() <= {"bool", "int64", "float64"} and a.dtype is None:
        return call("mean", a, dim=_dim(axis, keepdims), keepdim=keepdims, dtype="torch.float64")
    piece, argument = _cast("mean", a)
    emit = call("mean", piece, dim=_dim(axis, keepdims), keepdim=keepdims, dtype=argument and f"torch.{argument}")
    if argument:
        if a.dtypes() == {"bool"}:  # a mask reads better cast first: `mask.to(torch.float64).mean()`
            return call("mean", a.to(argument), dim=_dim(axis, keepdims), keepdim=keepdims)
        return replace(emit, cast=True)
    return emit


def _spread(
    name: str, a: RuleArgument, axis: RuleArgument, ddof: RuleArgument, keepdims: RuleArgument, correction: RuleArgument
) -> Spelling:
    _plain_axis(axis)
    _in_numpys_order(a, axis)
    if a.dtypes() & {"float16"}:
        raise Decline("float16 accumulates in float32")
    amount: RuleArgument | str = correction if correction.given else ddof if ddof.given else "0"
    return call(name, a.floating(), dim=_dim(axis, keepdims), correction=amount, keepdim=keepdims)


@rule("std", method="std", returns=reduction("std"), code="NPT111")
def std(
    a: ArrayLike, axis: AxisLike = None, dtype: Refused = None, out: Refused = None, ddof: Value = 0,
    keepdims: KeepDims = False, where: Refused = None, mean: Refused = None, correction: Value = 0,
) -> Spelling:  # fmt: skip
    """Population standard deviation by default: torch's own default is the sample one."""
    return _spread("std", a, axis, ddof, keepdims, correction)


@rule("var", method="var", returns=reduction("var"), code="NPT111")
def var(
    a: ArrayLike, axis: AxisLike = None, dtype: Refused = None, out: Refused = None, ddof: Value = 0,
    keepdims: KeepDims = False, where: Refused = None, mean: Refused = None, correction: Value = 0,
) -> Spelling:  # fmt: skip
    """Population variance by default: torch's own default is the sample one."""
    return _spread("var", a, axis, ddof, keepdims, correction)


def _extremum(short: str, a: RuleArgument, axis: RuleArgument, keepdims: RuleArgument) -> Spelling:
    _plain_axis(axis)
    if a.known_excluded(UNORDERED):
        raise Decline("torch has no order of complex numbers, nor of wide unsigned ones")
    if axis.is_none and not keepdims.given:
        return call(short, a)
    return call(f"a{short}", a, dim=_dim(axis, keepdims), keepdim=keepdims)


@rule("max", method="max", returns=reduction("max"), code="NPT112")
def max_(
    a: ArrayLike, axis: AxisLike = None, out: Refused = None, keepdims: KeepDims = False, initial: Refused = None,
    where: Refused = None,
) -> Spelling:  # fmt: skip
    """`torch.max(dim=)` gives values and indices; `amax` gives the values."""
    return _extremum("max", a, axis, keepdims)


@rule("min", method="min", returns=reduction("min"), code="NPT112")
def min_(
    a: ArrayLike, axis: AxisLike = None, out: Refused = None, keepdims: KeepDims = False, initial: Refused = None,
    where: Refused = None,
) -> Spelling:  # fmt: skip
    """`torch.min(dim=)` gives values and indices; `amin` gives the values."""
    return _extremum("min", a, axis, keepdims)


def _truth(name: str, a: RuleArgument, axis: RuleArgument, keepdims: RuleArgument) -> Spelling:
    _plain_axis(axis)
    if a.dtypes() & {"uint8"}:
        raise Decline("torch answers uint8 for uint8")
    return call(name, a, dim=_dim(axis, keepdims), keepdim=keepdims)


@rule("all", method="all", returns=reduction("all"), code="NPT110")
def all_(
    a: ArrayLike, axis: AxisLike = None, out: Refused = None, keepdims: KeepDims = False, where: Refused = True
) -> Spelling:
    """Equal, but for uint8."""
    return _truth("all", a, axis, keepdims)


@rule("any", method="any", returns=reduction("any"), code="NPT110")
def any_(
    a: ArrayLike, axis: AxisLike = None, out: Refused = None, keepdims: KeepDims = False, where: Refused = True
) -> Spelling:
    """Equal, but for uint8."""
    return _truth("any", a, axis, keepdims)


def _position(name: str, a: RuleArgument, axis: RuleArgument, keepdims: RuleArgument) -> Spelling:
    one_axis(axis)
    if a.dtypes() == {"bool"}:
        a = a.to("uint8")  # torch has no argmax of bool
    if a.may_have_dtype(frozenset({"bool", "complex64", "complex128"})) or a.known_excluded(UNSIGNED):
        raise Decline("torch has no argmax of bool")
    return call(name, a, dim=_dim(axis, keepdims), keepdim=keepdims)


@rule("argmax", method="argmax", returns=reduction("argmax"), code="NPT110")
def argmax(a: ArrayLike, axis: AxisLike = None, out: Refused = None, keepdims: KeepDims = False) -> Spelling:
    """The first of equals on both sides (CPU)."""
    return _position("argmax", a, axis, keepdims)


@rule("argmin", method="argmin", returns=reduction("argmin"), code="NPT110")
def argmin(a: ArrayLike, axis: AxisLike = None, out: Refused = None, keepdims: KeepDims = False) -> Spelling:
    """The first of equals on both sides (CPU)."""
    return _position("argmin", a, axis, keepdims)


def _flat(a: RuleArgument) -> RuleArgument:
    """All elements in one dimension."""
    return a.rearrange(f"{a}.ravel()")


def _cumulative_ranks(bound: BoundArguments) -> v.Ranks:
    return frozenset([1]) if bound["axis"].is_none else rank_of_source("a")(bound)


def _cumulative(name: str, a: RuleArgument, axis: RuleArgument, dtype: RuleArgument) -> Spelling:
    dim: RuleArgument | str = axis
    if not _axis_is_one_int(axis):
        if not axis.is_none:
            raise Decline("axis unknown")
        use(axis)
        dim = "0"
        a = a if a.rank == 1 else _flat(a)
    if dtype.given:
        if dtype.text == "torch.bool":
            raise Decline("torch has no running sums in bool")
        return call(name, a, dim=dim, dtype=dtype)
    piece, argument = _cast(name, a)
    return call(name, piece, dim=dim, dtype=argument and f"torch.{argument}")


def _cumulative_fact(name: str) -> Returns:
    def returns(bound: BoundArguments) -> v.Fact:
        part = arraylike(bound["a"].fact, weak=False)
        dtypes = stated_or_result(bound, name, part[0] if part else None)
        return make(dtypes, _cumulative_ranks(bound), decays=False)

    return returns


@rule("cumsum", method="cumsum", returns=_cumulative_fact("cumsum"), code="NPT110")
def cumsum(a: ArrayLike, axis: AxisLike = None, dtype: DTypeLike = None, out: Refused = None) -> Spelling:
    """torch wants the axis; without one NumPy flattens."""
    return _cumulative("cumsum", a, axis, dtype)


@rule("cumprod", method="cumprod", returns=_cumulative_fact("cumprod"), code="NPT110")
def cumprod(a: ArrayLike, axis: AxisLike = None, dtype: DTypeLike = None, out: Refused = None) -> Spelling:
    """torch wants the axis; without one NumPy flattens."""
    return _cumulative("cumprod", a, axis, dtype)


@rule("median", returns=reduction("median"), code="NPT113")
def median(
    a: ArrayLike, axis: AxisLike = None, out: Refused = None, overwrite_input: Refused = False,
    keepdims: KeepDims = False,
) -> Spelling:  # fmt: skip
    """torch's median takes the lower of two middles; the 0.5 quantile averages them."""
    one_axis(axis)
    x = in_averaged_dtype(a)
    return text(f"torch.quantile({x}, 0.5{tail(axis, keepdims)})", cast=x.changed)


def tail(axis: RuleArgument, keepdims: RuleArgument) -> str:
    """The words of a reduction that are said."""
    dim = _dim(axis, keepdims)
    said = [f", dim={dim}"] if isinstance(dim, str) or axis.is_passed else []
    return "".join([*said, *([f", keepdim={keepdims}"] if keepdims.is_passed else [])])


def _average_fact(bound: BoundArguments) -> v.Fact:
    if bound.is_given("returned"):
        return v.TOP
    a, ranks = arraylike(bound["a"].fact, weak=False), reduced_ranks(bound)
    if not bound.is_given("weights"):
        return make(result_dtypes("mean", [a[0]]) if a else None, ranks)
    weights = arraylike(bound["weights"].fact, weak=False)
    if a is None or weights is None:
        return make(None, ranks)
    averaged = a[0] and frozenset("float64" if name[0] in "iub" else name for name in a[0])
    return make(result_dtypes("multiply", [averaged, weights[0]]), ranks)


def _warned_of(a: RuleArgument) -> None:
    """Decline where somebody listens for warnings: torch gives none of slices of nothing but nan."""
    if a.asked.heeds_warnings():
        raise Decline("the warnings of nothing but nan are heeded")


@rule("nansum", returns=reduction("sum"), code="NPT110")
def nansum(
    a: ArrayLike, axis: AxisLike = None, dtype: Refused = None, out: Refused = None, keepdims: KeepDims = False,
    initial: Refused = None, where: Refused = None,
) -> Spelling:  # fmt: skip
    """Of floats."""
    _plain_axis(axis)
    if a.known_excluded(UNSIGNED | {"uint8"}):
        raise Decline("torch adds unsigned integers in int64")
    in_averaged_dtype(a)
    _in_numpys_order(a, axis)
    return call("nansum", a, dim=_dim(axis, keepdims), keepdim=keepdims)


@rule("nanmean", returns=reduction("mean"), code="NPT110")
def nanmean(
    a: ArrayLike, axis: AxisLike = None, dtype: Refused = None, out: Refused = None, keepdims: KeepDims = False,
    where: Refused = None,
) -> Spelling:  # fmt: skip
    """Of floats; of slices of nothing but nan NumPy warns, where somebody listens the shim does."""
    _plain_axis(axis)
    _warned_of(a)
    _in_numpys_order(a, axis)
    return call("nanmean", in_averaged_dtype(a), dim=_dim(axis, keepdims), keepdim=keepdims)


@rule("ptp", method="ptp", returns=reduction("max"), code="NPT112")
def ptp(a: ArrayLike, axis: AxisLike = None, out: Refused = None, keepdims: KeepDims = False) -> Spelling:
    """The largest less the smallest, of what can be written twice."""
    largest, smallest = (_written_out(_extremum(short, a, axis, keepdims)) for short in ("max", "min"))
    return text(f"{largest} - {smallest}")


def _written_out(emit: Spelling) -> str:
    """A call as one text."""
    arguments = [f"{name}={piece}" if name else f"{piece}" for name, piece in emit.arguments]
    return f"{emit.function}({', '.join(arguments)})"


@rule("average", returns=_average_fact, code="NPT110")
def average(
    a: ArrayLike, axis: AxisLike = None, weights: Refused = None, returned: Refused = False, keepdims: KeepDims = False
) -> Spelling:  # fmt: skip
    """Without weights the mean."""
    _plain_axis(axis)
    _in_numpys_order(a, axis)
    return call("mean", a.floating(), dim=_dim(axis, keepdims), keepdim=keepdims)


@rule("count_nonzero", returns=reduction("argmax"), code="NPT110")
def count_nonzero(a: ArrayLike, axis: AxisLike = None, keepdims: Refused = False) -> Spelling:
    """An int64 scalar without an axis; before NumPy 2.4 it was a Python int."""
    _plain_axis(axis)
    return call("count_nonzero", a, dim=axis) if axis.is_passed else call("count_nonzero", a)


declare(AREA, {
    "nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)": reduction("prod"),
    "nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=True)": reduction("max"),
    "nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=True)": reduction("min"),
    "nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)": reduction("std"),
    "nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)": reduction("var"),
    "nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False)": reduction("median"),
    "nanargmax(a, axis=None, out=None, keepdims=False)": reduction("argmax"),
    "nanargmin(a, axis=None, out=None, keepdims=False)": reduction("argmin"),
    "nancumsum(a, axis=None, dtype=None, out=None)": _cumulative_fact("cumsum"),
    "nancumprod(a, axis=None, dtype=None, out=None)": _cumulative_fact("cumprod"),
})  # fmt: skip


def _trace_fact(bound: BoundArguments) -> v.Fact:
    """The sum of a diagonal: two dimensions less."""
    part = arraylike(bound["a"].fact, weak=False)
    if part is None:
        return v.TOP
    dtypes = stated_or_result(bound, "sum", part[0])
    return make(dtypes, None if part[1] is None else frozenset(max(r - 2, 0) for r in part[1]))


@rule("trace", method="trace", returns=_trace_fact, code="NPT110")
def trace(
    a: ArrayLike, offset: Value = 0, axis1: Value = 0, axis2: Value = 1, dtype: Refused = None, out: Refused = None
) -> Spelling:
    """`torch.trace` of a matrix; of a stack of them, or of another diagonal, the sum of the diagonal, as in NumPy."""
    plain = not (offset.given or axis1.given or axis2.given)
    if plain and a.rank == 2 and a.dtypes() <= {"float64", "int64"}:
        return call("trace", a)
    if any(dtype.startswith("uint") for dtype in a.dtypes()) or not all(
        v.only(one.fact, "number") for one in (offset, axis1, axis2) if one.given
    ):
        raise Decline("torch sums unsigned integers in int64")
    receiver = f"{a}.diagonal(" if a.asked.style == "method" else f"torch.diagonal({a}"
    said = [f"{name}={one}" for name, one in (("offset", offset), ("dim1", axis1), ("dim2", axis2)) if one.given]
    listed = ", ".join(said)
    between = ", " if listed and a.asked.style == "function" else ""
    return text(f"{receiver}{between}{listed}).sum(dim=-1)", cast=a.changed)
