"""Equations of matrices: `np.linalg.solve`, and least squares."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.domain import DOMAIN
from np2torch.facts.results import arraylike, by_table, make, rank_of_source, result_dtypes
from np2torch.rules.core import Area, rule
from np2torch.rules.linalg import for_lapack, products, real_names
from np2torch.rules.rule_arguments import ArrayLike, Decline, Spelling, Value, function, use

AREA = Area("linalg", raises_on_none=True)


@rule("linalg.solve", returns=by_table("linalg.solve", "a", "b", rank=rank_of_source("b")), code="NPT141")
def solve(a: ArrayLike, b: ArrayLike) -> Spelling:
    """One matrix on the left, or one vector on the right; of all else NumPy takes for a matrix what torch may not."""
    if a.rank != 2 and b.rank != 1:
        raise Decline("rank unknown")
    left, right = map(for_lapack, products("linalg.solve", a, b) if a.dtypes() != b.dtypes() else (a, b))
    if left.dtypes() != right.dtypes() or len(left.dtypes()) != 1:
        raise Decline("dtypes differ")
    return function("torch.linalg.solve", left, right)


def _lstsq_fact(bound: BoundArguments) -> v.Fact:
    parts = [arraylike(bound[name].fact, weak=False) for name in ("a", "b")]
    dtypes = result_dtypes("linalg.solve", [part[0] if part else None for part in parts])
    solution = make(dtypes, rank_of_source("b")(bound), decays=False)
    of_real = v.array(real_names(dtypes), 1)
    return v.tuple_of(solution, of_real, v.scalar("int32"), of_real)


@rule("linalg.lstsq", returns=_lstsq_fact, code="NPT141")
def lstsq(a: ArrayLike, b: ArrayLike, rcond: Value = None) -> Spelling:
    """The solution alone, by the same LAPACK driver, which torch has on the CPU: the residuals are of other shapes."""
    if not a.asked.first_alone():
        raise Decline("residuals, rank and singular values come out otherwise")
    if rcond.is_passed:
        raise Decline("another cutoff")
    use(rcond)
    if not a.is_tensor or not b.is_tensor or not a.dtypes() | b.dtypes() <= {"float64", "float32"}:
        raise Decline("dtypes unknown")
    if a.rank != 2 and not DOMAIN.supposed:
        raise Decline("not known to be a matrix")
    operands = products("linalg.solve", a, b)
    if any(one.dtypes() != {"float64"} for one in operands):
        raise Decline("the digits of single precision that the two LAPACKs agree on may be few")
    return function("torch.linalg.lstsq", *operands, driver='"gelsd"')
