"""Statistics, histograms, functions over functions: what the shim gives back."""

from __future__ import annotations

from itertools import product

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.results import (
    always,
    array_with,
    arraylike,
    by_table,
    make,
    rank_of_source,
)  # fmt: skip
from np2torch.rules.core import Area, declare, rule
from np2torch.rules.linalg import products
from np2torch.rules.rule_arguments import (
    ArrayLike,
    Decline,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    function,
    text,
    use,
)  # fmt: skip

AREA = Area("statistics", takes_text=True)


def _counted(bound: BoundArguments) -> v.Fact:
    return v.array("float64" if bound.is_passed("weights") else "int64", 1)


def _histogram_fact(bound: BoundArguments) -> v.Fact:
    counts = None if bound.is_given("weights") or bound.is_given("density") else "int64"
    return v.tuple_of(v.array(counts, 1), v.array(None, 1))


def _covariances(bound: BoundArguments) -> v.Fact:
    """In double precision; of one row the number alone, and of rows there may be one."""
    sources = [bound[name].fact for name in ("m", "x", "y") if bound.is_given(name) and bound[name].fact != v.NONE]
    parts = [part for part in (arraylike(fact, weak=False) for fact in sources) if part is not None]
    if bound.is_given("dtype") or len(parts) < len(sources):
        return v.TOP
    known = [map(_in_double, part[0] or ()) for part in parts]
    dtypes = frozenset(min(chosen) for chosen in product(*known))  # complex128 stands before float64
    ranks = frozenset([2]) if len(parts) > 1 else parts[0][1] and frozenset([0, 2] if parts[0][1] != {1} else [0])
    return make(dtypes, ranks, decays=False)


def _in_double(dtype: str) -> str:
    return "complex128" if dtype.startswith("complex") else "float64"


def _correlations(bound: BoundArguments) -> v.Fact:
    found = _covariances(bound)
    array = v.sole(found)
    return make(array.dtypes, array.ranks) if isinstance(array, v.Array) else found


COUNTED = frozenset({"int64", "int32", "int16", "int8", "uint8"})
"""The dtypes of which torch counts."""
ADDED = frozenset({"float64", "float32", "int64", "int32"})
"""The dtypes of weights that NumPy adds up in float64."""


@rule("bincount", returns=_counted, code="NPT145")
def bincount(x: ArrayLike, weights: ArrayLike = None, minlength: Value = 0) -> Spelling:
    """Counts of whole numbers from 0 on; weights are added up in float64."""
    if not x.is_tensor or not x.dtypes() <= COUNTED:
        raise Decline("not known to be whole numbers")
    if not weights.is_passed:
        use(weights)
        return function("torch.bincount", x, minlength=minlength)
    if not weights.is_tensor or not weights.dtypes() <= ADDED:
        raise Decline("weights unknown")
    summed = weights if weights.dtypes() == {"float64"} else weights.to("float64")
    return function("torch.bincount", x, weights=summed, minlength=minlength)


SLID = frozenset({"float64", "float32"})
"""The dtypes of which torch has sliding sums."""
DOUBLE = frozenset({"float64", "int64", "int32", "float32"})
"""The dtypes of samples that NumPy makes float64."""


def _samples(m: RuleArgument, y: RuleArgument, rowvar: RuleArgument) -> RuleArgument:
    """The rows of which torch finds how they vary together, in double precision."""
    if not m.is_tensor or not m.dtypes() <= DOUBLE or not (v.ranks_of(m.fact) or {0}) <= {1, 2}:
        raise Decline("not known to be real samples")
    x = m.to("float64")
    if y.is_passed:
        if not y.is_tensor or m.rank != 1 or y.rank != 1 or not y.dtypes() <= DOUBLE:
            raise Decline("rows of other samples")
        use(rowvar)
        return x.with_text(f"torch.stack(({x}, {y.to('float64')}))")
    if not isinstance(rowvar.constant, bool):
        raise Decline("rows or columns")
    if not rowvar.constant and m.rank is None:
        raise Decline("of a vector the values, of a matrix the columns")
    return x.with_text(f"{x}.T") if not rowvar.constant and m.rank == 2 else x


@rule("cov", returns=_covariances, code="NPT147")
def cov(
    m: ArrayLike, y: ArrayLike = None, rowvar: Value = True, bias: Value = False, ddof: Value = None,
    fweights: Refused = None, aweights: Refused = None, dtype: Refused = None,
) -> Spelling:  # fmt: skip
    """In float64; NumPy calls the correction `ddof`, and `bias` one of 0."""
    if not isinstance(bias.constant, bool):
        raise Decline("bias unknown")
    if ddof.is_passed and ddof.integer_constant() is None:
        raise Decline("correction unknown")
    use(ddof)
    correction = str(ddof) if ddof.is_passed else "0" if bias.constant else None
    return function("torch.cov", _samples(m, y, rowvar), correction=correction)


@rule("corrcoef", returns=_correlations, code="NPT147")
def corrcoef(x: ArrayLike, y: ArrayLike = None, rowvar: Value = True, dtype: Refused = None) -> Spelling:
    """In float64."""
    return function("torch.corrcoef", _samples(x, y, rowvar))


def _sliding(a: RuleArgument, window: RuleArgument, mode: RuleArgument, is_turned: bool) -> Spelling:
    """Sums over a window that lies inside: beyond the ends torch multiplies by zeros, which makes NaN of infinity."""
    if mode.constant != "valid":
        raise Decline("beyond the ends")
    if a.made_by or not a.is_tensor or not window.is_tensor or a.rank != 1 or window.rank != 1:
        raise Decline("not known to be vectors")
    if not a.dtypes() | window.dtypes() <= SLID:
        raise Decline("dtypes unknown")
    slid, weights = products("convolve", a, window)
    turned = f"{weights}.flip(0)" if is_turned else f"{weights}"
    return text(f"torch.nn.functional.conv1d({slid}[None, None], {turned}[None, None])[0, 0]", cast=slid.changed)


@rule("convolve", returns=by_table("convolve", "a", "v", rank=1), code="NPT147")
def convolve(a: ArrayLike, v: ArrayLike, mode: Value = "full") -> Spelling:
    """Without the ends; torch refuses the shorter operand first."""
    return _sliding(a, v, mode, is_turned=True)


@rule("correlate", returns=by_table("correlate", "a", "v", rank=1), code="NPT147")
def correlate(a: ArrayLike, v: ArrayLike, mode: Value = "valid") -> Spelling:
    """Without the ends; torch refuses the shorter operand first."""
    return _sliding(a, v, mode, is_turned=False)


_LIKE_X = rank_of_source("x")
declare("histograms", {
    "digitize(x, bins, right=False)": array_with("int64", _LIKE_X, decays=True),
    "histogram(a, bins=10, range=None, density=None, weights=None)": _histogram_fact,
    "histogram2d(x, y, bins=10, range=None, density=None, weights=None)":
        always(v.tuple_of(v.array("float64", 2), v.array(None, 1), v.array(None, 1))),
})  # fmt: skip
declare("functional", {"apply_along_axis(func1d, axis, arr)": always(v.TOP)})
