"""Sorting, searching, sets, selection, statistics: what is native, and what the shim gives back."""

from __future__ import annotations

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Bound
from np2torch.facts.results import array_with, arraylike, by_table, dtype_of_source, make, rank_of_source, same
from np2torch.rules.core import (
    ArrayLike,
    AxisLike,
    Decline,
    Emit,
    Piece,
    Refused,
    Value,
    call,
    declare,
    function,
    rule,
    text,
)  # fmt: skip


def _sort_dim(axis: Piece, a: Piece) -> str:
    if not axis.given or axis.constant == -1:
        axis.used = True
        return ""
    if not v.only(axis.fact, "number"):
        raise Decline("axis unknown")
    return f", dim={axis}"


@rule("sort", returns=same("a"), code="NPT144")
def sort(a: ArrayLike, axis: AxisLike = -1, kind: Value = None, order: Refused = None, stable: Value = None) -> Emit:
    """`torch.sort` gives values and indices; NaN sorts last on both sides."""
    if a.dtypes() & {"complex64", "complex128"}:
        raise Decline("complex has no order in torch")
    kind.used = stable.used = True
    return text(f"torch.sort({a}{_sort_dim(axis, a)}).values")


@rule("argsort", method="argsort", returns=array_with("int64", rank_of_source()), code="NPT144")
def argsort(a: ArrayLike, axis: AxisLike = -1, kind: Value = None, order: Refused = None, stable: Value = None) -> Emit:
    """The order of equal elements is not specified by NumPy's default sort; the stable one is among its answers."""
    if a.dtypes() & {"complex64", "complex128"}:
        raise Decline("complex has no order in torch")
    kind.used = stable.used = True
    _sort_dim(axis, a)
    return call("argsort", a, dim=axis, stable="True")


@rule("searchsorted", method="searchsorted", returns=array_with("int64", rank_of_source("v"), decays=True), code="NPT144")
def searchsorted(a: ArrayLike, v_: ArrayLike, side: Value = "left", sorter: Refused = None) -> Emit:
    """Equal where both are of one dtype."""
    if a.dtype is None or a.dtype != v_.dtype or a.rank != 1 or v_.rank == 0:
        raise Decline("dtypes differ")
    return function("torch.searchsorted", a, v_, side=side)


def _unique_fact(bound: Bound) -> v.Fact:
    dtypes = dtype_of_source("ar")(bound)
    ranks = frozenset([1]) if bound["axis"].is_none else rank_of_source("ar")(bound)
    values = make(dtypes, ranks, decays=False)
    flags = ["return_index", "return_inverse", "return_counts"]
    if any(bound.given(f) and not isinstance(bound[f].constant, bool) for f in flags):
        return v.UNKNOWN
    extra = [v.array("int64", None if f == "return_inverse" else 1) for f in flags if bound[f].constant is True]
    return v.tuple_of(values, *extra) if extra else values


@rule("unique", returns=_unique_fact, code="NPT145")
def unique(
    ar: ArrayLike, return_index: Refused = False, return_inverse: Refused = False, return_counts: Value = False,
    axis: Refused = None, equal_nan: Refused = True, sorted: Refused = True,
) -> Emit:  # fmt: skip
    """Integers and bools: NumPy collapses NaN, torch does not."""
    if not ar.dtypes() <= {"int64", "int32", "bool", "int16", "int8", "uint8"}:
        raise Decline("NaN")
    return function("torch.unique", ar, return_counts=return_counts)


def _per_dimension(name: str):  # type: ignore[no-untyped-def]
    def returns(bound: Bound) -> v.Fact:
        rank = v.rank_of(bound[name].fact)
        item = v.array("int64", 1)
        return v.tuple_of(*[item] * rank) if rank else v.one(v.Sequence("tuple", None, item))

    return returns


@rule("nonzero", method="nonzero", returns=_per_dimension("a"), code="NPT145")
def nonzero(a: ArrayLike) -> Emit:
    """A tuple of index arrays, one for each dimension."""
    if a.rank is None or a.rank == 0:
        raise Decline("rank unknown")
    return call("nonzero", a, as_tuple="True")


@rule("argwhere", returns=array_with("int64", 2), code="NPT145")
def argwhere(a: ArrayLike) -> Emit:
    """Equal."""
    return function("torch.argwhere", a)


@rule("flatnonzero", returns=array_with("int64", 1), code="NPT145")
def flatnonzero(a: ArrayLike) -> Emit:
    """Indices into the flattened array."""
    if a.rank == 1:
        return text(f"torch.nonzero({a}, as_tuple=True)[0]")
    return text(f"torch.nonzero(torch.ravel({a}), as_tuple=True)[0]")


def _take_fact(bound: Bound) -> v.Fact:
    part = arraylike(bound["a"].fact, weak=False)
    extra = (arraylike(bound["indices"].fact) or (None, None))[1]
    if part is None or extra is None or part[1] is None:
        return make(part[0] if part else None, None)
    base = frozenset([0]) if bound["axis"].is_none else frozenset(max(r - 1, 0) for r in part[1])
    return make(part[0], frozenset(a + b for a in base for b in extra))


def _counted(bound: Bound) -> v.Fact:
    return v.array("float64" if bound.given("weights") and not bound["weights"].is_none else "int64", 1)


for _spec, _returns, _method in (
    ("take(a, indices, axis=None, out=None, mode='raise')", _take_fact, "take"),
    ("compress(condition, a, axis=None, out=None)", array_with(dtype_of_source("a")), ()),
    ("choose(a, choices, out=None, mode='raise')", array_with(), "choose"),
    ("take_along_axis(arr, indices, axis=-1)", same("arr"), ()),
    ("put_along_axis(arr, indices, values, axis)", lambda b: v.NONE, ()),
    ("select(condlist, choicelist, default=0)", array_with(), ()),
    ("extract(condition, arr)", same("arr", rank=1), ()),
    ("lexsort(keys, axis=-1)", array_with("int64"), ()),
    ("partition(a, kth, axis=-1, kind='introselect', order=None)", same("a"), ()),
    ("argpartition(a, kth, axis=-1, kind='introselect', order=None)", array_with("int64", rank_of_source()), "argpartition"),
    ("bincount(x, weights=None, minlength=0)", _counted, ()),
    ("digitize(x, bins, right=False)", array_with("int64", rank_of_source("x"), decays=True), ()),
    ("interp(x, xp, fp, left=None, right=None, period=None)", array_with("float64", rank_of_source("x"), decays=True), ()),
    ("diff(a, n=1, axis=-1)", array_with(lambda b: (lambda d: None if d is None else frozenset(d))(dtype_of_source()(b)), rank_of_source()), ()),
    ("ediff1d(ary, to_end=None, to_begin=None)", same("ary", rank=1), ()),
    ("cov(m, y=None, rowvar=True, bias=False, ddof=None)", lambda b: v.UNKNOWN, ()),
    ("corrcoef(x, y=None, rowvar=True)", lambda b: v.UNKNOWN, ()),
    ("convolve(a, v, mode='full')", by_table("convolve", "a", "v", rank=1), ()),
    ("correlate(a, v, mode='valid')", by_table("correlate", "a", "v", rank=1), ()),
    ("histogram(a, bins=10, range=None, density=None, weights=None)", lambda b: v.tuple_of(v.array(None if b.given("weights") or b.given("density") else "int64", 1), v.array(None, 1)), ()),
    ("histogram2d(x, y, bins=10, range=None, density=None, weights=None)", lambda b: v.tuple_of(v.array("float64", 2), v.array(None, 1), v.array(None, 1)), ()),
    ("trapezoid(y, x=None, dx=1.0, axis=-1)", lambda b: v.UNKNOWN, ()),
    ("unravel_index(indices, shape)", lambda b: v.one(v.Sequence("tuple", None, v.join(v.array("int64"), v.scalar("int64")))), ()),
    ("ravel_multi_index(multi_index, dims)", lambda b: v.UNKNOWN, ()),
    ("ix_(*args)", lambda b: v.tuple_of(*[v.array("int64", len(b.rest))] * len(b.rest)) if b.rest else v.UNKNOWN, ()),
    ("triu_indices(n, k=0, m=None)", lambda b: v.tuple_of(v.array("int64", 1), v.array("int64", 1)), ()),
    ("tril_indices(n, k=0, m=None)", lambda b: v.tuple_of(v.array("int64", 1), v.array("int64", 1)), ()),
    ("triu_indices_from(arr, k=0)", lambda b: v.tuple_of(v.array("int64", 1), v.array("int64", 1)), ()),
    ("tril_indices_from(arr, k=0)", lambda b: v.tuple_of(v.array("int64", 1), v.array("int64", 1)), ()),
    ("diag_indices(n, ndim=2)", lambda b: v.tuple_of(v.array("int64", 1), v.array("int64", 1)), ()),
    ("diag_indices_from(arr)", lambda b: v.one(v.Sequence("tuple", None, v.array("int64", 1))), ()),
    ("ndindex(*shape)", lambda b: v.one(v.Iterator(v.one(v.Sequence("tuple", None, v.SIZE)))), ()),
    ("ndenumerate(arr)", lambda b: v.one(v.Iterator(v.tuple_of(v.one(v.Sequence("tuple", None, v.SIZE)), v.scalar(dtype_of_source("arr")(b))))), ()),
    ("isin(element, test_elements, assume_unique=False, invert=False)", array_with("bool", rank_of_source("element"), decays=True), ()),
    ("intersect1d(ar1, ar2)", array_with(None, 1), ()), ("union1d(ar1, ar2)", array_with(None, 1), ()),
    ("setdiff1d(ar1, ar2)", same("ar1", rank=1), ()), ("setxor1d(ar1, ar2)", array_with(None, 1), ()),
    ("polyval(p, x)", lambda b: results.ufunc("multiply", [b["p"].fact, b["x"].fact]) if v.rank_of(b["x"].fact) != 0 else v.UNKNOWN, ()),
    ("polyfit(x, y, deg)", array_with("float64"), ()), ("roots(p)", array_with(None, 1), ()),
    ("poly(seq_of_zeros)", array_with(), ()), ("polyder(p, m=1)", array_with(None, 1), ()),
    ("polyint(p, m=1)", array_with("float64", 1), ()), ("polymul(a1, a2)", array_with(None, 1), ()),
    ("polyadd(a1, a2)", array_with(None, 1), ()), ("polysub(a1, a2)", array_with(None, 1), ()),
    ("apply_along_axis(func1d, axis, arr)", lambda b: v.UNKNOWN, ()), ("gradient(f)", lambda b: v.UNKNOWN, ()),
    ("issubdtype(arg1, arg2)", lambda b: v.BOOL, ()), ("isscalar(element)", lambda b: v.BOOL, ()),
    ("iterable(y)", lambda b: v.BOOL, ()), ("may_share_memory(a, b)", lambda b: v.BOOL, ()),
    ("shares_memory(a, b)", lambda b: v.BOOL, ()), ("can_cast(from_, to)", lambda b: v.BOOL, ()),
    ("result_type(*arrays)", lambda b: v.one(v.DType()), ()), ("promote_types(a, b)", lambda b: v.one(v.DType()), ()),
    ("array2string(a)", lambda b: v.TEXT, ()), ("array_repr(a)", lambda b: v.TEXT, ()), ("array_str(a)", lambda b: v.TEXT, ()),
    ("fft.fftfreq(n, d=1.0)", array_with("float64", 1), ()), ("fft.rfftfreq(n, d=1.0)", array_with("float64", 1), ()),
    ("fft.fftshift(x, axes=None)", same("x"), ()), ("fft.ifftshift(x, axes=None)", same("x"), ()),
):  # fmt: skip
    declare(_spec, _returns, method=_method, area="sorting")
for _name in "fft2 ifft2 fftn ifftn rfft2 irfft2 rfftn irfftn".split():
    declare(f"fft.{_name}(a, s=None, axes=None, norm=None)", by_table(f"fft.{_name}", "a"), area="fft")
for _name in "fft ifft rfft irfft hfft ihfft".split():
    declare(f"fft.{_name}(a, n=None, axis=-1, norm=None)", by_table(f"fft.{_name}", "a"), area="fft")
