"""Linear algebra and products."""

from __future__ import annotations

import ast
from collections.abc import Callable

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments, Returns
from np2torch.facts.domain import DOMAIN
from np2torch.facts.results import (
    always,
    array_with,
    arraylike,
    by_table,
    make,
    perhaps_complex,
    rank_of_source,
    same,
)  # fmt: skip
from np2torch.names.tree import dotted_name
from np2torch.rules.casts import unify
from np2torch.rules.core import Area, declare, rule
from np2torch.rules.joining import tensors_in
from np2torch.rules.rule_arguments import (
    INTEGERS,
    ArrayLike,
    AxisLike,
    Decline,
    Flag,
    KeepDims,
    Operand,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    call,
    function,
    text,
    use,
)

AREA = Area("linalg", raises_on_none=True)


def _matmul_ranks(bound: BoundArguments) -> v.Ranks:
    a, b = rank_of_source("x1")(bound), rank_of_source("x2")(bound)
    if a is None or b is None:
        return None
    out = set()
    for p in a - {0} or a:  # NumPy refuses scalars
        for q in b - {0} or b:
            out.add(0 if p <= 1 and q <= 1 else max(p, q) - (1 if p == 1 or q == 1 else 0))
    return frozenset(out)


@rule("matmul", returns=by_table("matmul", "x1", "x2", rank=_matmul_ranks), code="NPT140")
def matmul(x1: ArrayLike, x2: ArrayLike, out: Refused = None, dtype: Refused = None) -> Spelling:
    """torch does not promote: both get NumPy's dtype."""
    left, right = products("matmul", x1, x2)
    return function("torch.matmul", left, right)


def products(name: str, a: RuleArgument, b: RuleArgument) -> tuple[RuleArgument, RuleArgument]:
    """Both operands of a product in NumPy's result dtype.

    Where that is open, they may stay as they are: torch refuses those of two dtypes, where only one is likely.
    """
    if a.dtypes() <= {"float64"} and b.dtypes() <= {"float64"}:
        return a, b
    found = results.result_dtypes(name, [a.dtypes(), b.dtypes()]) or frozenset()
    target = next(iter(found)) if len(found) == 1 else "bool"
    if target != "bool" and not target.startswith("uint"):
        return a.to(target), b.to(target)
    if name == "inner" or not _meet(a, b):
        raise Decline("dtype unknown")
    return a, b


def _meet(a: RuleArgument, b: RuleArgument) -> bool:
    """Tell whether both operands may have the same dtype, out of several that torch multiplies.

    Where only one may be complex, it often is while the other is real.
    """
    several = [v.dtypes_of(side.fact) or frozenset() for side in (a, b)]
    if any(map(DOMAIN.holds, several)) or not all(one <= MULTIPLIED for one in several):
        return False
    if any(one.startswith("complex") for one in several[0]) != any(one.startswith("complex") for one in several[1]):
        return False
    return bool(several[0] & several[1]) and max(map(len, several)) > 1


MULTIPLIED = frozenset({"float32", "float64", "complex64", "complex128"})
"""dtypes of which torch multiplies matrices as NumPy does, and no two together."""


OF_ANY_AXES = "torch.linalg.multi_dot"
"""The product of vectors and matrices alike, which raises for all else: `@` where the numbers of axes are known."""


def _dot_ranks(bound: BoundArguments) -> v.Ranks:
    a, b = rank_of_source("a")(bound), rank_of_source("b")(bound)
    if a is None or b is None:
        return None
    return frozenset(max(p, q) if 0 in (p, q) else p + q - 2 for p in a for q in b)


@rule("dot", method="dot", returns=by_table("dot", "a", "b", rank=_dot_ranks), code="NPT140")
def dot(a: ArrayLike, b: ArrayLike, out: Refused = None) -> Spelling:
    """A matrix product where the left one is a vector, or the right one has up to two dimensions.

    Beyond, NumPy contracts otherwise than matmul. Where the dimensions are not known, `multi_dot` takes vectors and
    matrices, and raises for all else. What may be a number is the shim's: NumPy multiplies by it.
    """
    ranks = [v.ranks_of(a.fact), v.ranks_of(b.fact)]
    if any(map(_may_multiply, (a, b))) or any(one is not None and (0 in one or not one & {1, 2}) for one in ranks):
        raise Decline("a scalar, or more dimensions than two")
    left, right = products("dot", a, b)
    vector = frozenset({1})
    if ranks[0] == vector or ranks[1] is not None and ranks[1] <= {1, 2}:
        return call("dot" if ranks == [vector, vector] else "matmul", left, right)
    if not any(map(results.has_no_most, ranks)):
        raise Decline("more dimensions than two")
    return text(f"{OF_ANY_AXES}(({left}, {right}))")


def _may_multiply(side: RuleArgument) -> bool:
    """Tell whether it may be a number; a scalar counts as one only if no array of unknown rank is an alternative."""
    others = () if v.ranks_of(v.keep(side.fact, lambda atom: atom.kind == "array")) is None else ("scalar",)
    return v.known_to_include(side.fact, "number", *others) or side.may_be_number or _multiplies(side)


def _multiplies(side: RuleArgument) -> bool:
    """Tell a product, not known to have axes, of what may be a number: such a function is for one dimension too."""
    made, known = side.node, side.asked.fact
    if not isinstance(made, ast.Call) or v.ranks_of(side.fact) or v.sole(known(made.func)) != v.Numpy("numpy.dot"):
        return False
    return any(v.known_to_include(known(one), "number") for one in made.args)


@rule("outer", returns=by_table("outer", "a", "b", rank=2), code="NPT140")
def outer(a: ArrayLike, b: ArrayLike, out: Refused = None) -> Spelling:
    """Of vectors; NumPy flattens anything else."""
    casts = unify("multiply", [v.array(v.dtypes_of(side.fact), 1) for side in (a, b)])  # torch promotes vectors itself
    operands = (a, b) if casts is not None and not any(casts.operands) else products("outer", a, b)
    left, right = (side if side.rank == 1 else _flat(side) for side in operands)
    return function("torch.outer", left, right)


def _flat(a: RuleArgument) -> RuleArgument:
    """Give a 1-D view of an array that may have any rank."""
    return a.rearrange(f"{a}.ravel()")


def _floating_call(name: str, a: RuleArgument, **kwargs: RuleArgument | str | None) -> Spelling:
    x = a.floating()
    if x.dtypes() & {"float16"}:
        raise Decline("float16")
    return function(f"torch.linalg.{name}", x, **kwargs)


SINGLE = frozenset({"float16", "float32", "complex64"})


def for_lapack(x: RuleArgument) -> RuleArgument:
    """Give the operand for LAPACK; decline if it is float32, which NumPy computes in float64."""
    found = x.floating()
    if found.known_excluded(SINGLE):
        raise Decline("NumPy computes float32 in float64")
    return found


def _square(name: str, doc: str, returns: Returns) -> None:
    def body(a: ArrayLike) -> Spelling:
        return function(f"torch.linalg.{name}", _matrix(a))

    rule(f"linalg.{name}", returns=returns, code="NPT141", doc=doc)(body)


_square("inv", "Integers are inverted in float64.", by_table("linalg.inv", "a"))
_square("det", "Integers in float64.", by_table("linalg.det", "a", rank=rank_of_source("a", -2)))
_square("eigvalsh", "The lower triangle, ascending.", by_table("linalg.eigvalsh", "a", rank=rank_of_source("a", -1)))


def _matrix(a: RuleArgument) -> RuleArgument:
    """A matrix or a stack of them, as LAPACK gets it; of all else both sides raise, each with its own error."""
    if min(v.ranks_of(a.fact) or {2}) < 2:
        raise Decline("rank")
    return for_lapack(a)


@rule("linalg.pinv", returns=by_table("linalg.pinv", "a"), code="NPT141")
def pinv(a: ArrayLike, rcond: Value = None, hermitian: Refused = False) -> Spelling:
    """NumPy's cut-off is 1e-15 of the largest singular value; torch's depends on the size."""
    if rcond.is_passed and not v.only(rcond.fact, "number"):
        raise Decline("cut-off unknown")
    return function("torch.linalg.pinv", _matrix(a), rtol=rcond if rcond.is_passed else "1e-15")


def _norm_ranks(bound: BoundArguments) -> v.Ranks:
    if bound["axis"].is_none and not bound.is_given("keepdims"):
        return frozenset([0])
    return results.reduced_ranks(bound, "x")


@rule("linalg.norm", returns=by_table("linalg.norm", "x", rank=_norm_ranks), code="NPT142")
def norm(x: ArrayLike, ord: Value = None, axis: AxisLike = None, keepdims: KeepDims = False) -> Spelling:
    """The 2-norm of all elements by default on both sides; `ord` means vector and matrix norms in both, by rank."""
    if axis.is_passed and v.known_to_include(axis.fact, "sequence") and not v.items_of(axis.fact):
        raise Decline("perhaps no axis at all")
    return _floating_call("norm", x, ord=ord, dim=axis, keepdim=keepdims)


def _einsum_fact(bound: BoundArguments) -> v.Fact:
    if not bound.rest:
        return v.ARRAY
    subscripts = v.constant(bound.rest[0].fact)
    parts = [arraylike(a.fact, weak=False) for a in bound.rest[1:]]
    rank = None
    if isinstance(subscripts, str) and "." not in subscripts:
        spec = subscripts.replace(" ", "")
        output = spec.split("->")[1] if "->" in spec else None
        letters = spec.replace(",", "")
        rank = len(output) if output is not None else sum(letters.count(c) == 1 for c in set(letters))
    dtypes: v.Names = None
    if parts and all(p and p[0] for p in parts):
        dtypes = parts[0][0] if parts[0] else None
        for part in parts[1:]:
            dtypes = results.result_dtypes("multiply", [dtypes, part[0] if part else None]) if dtypes else None
    return make(dtypes, None if rank is None else frozenset([rank]))


@rule("einsum", returns=_einsum_fact, code="NPT143")
def einsum(*operands: Operand, optimize: Value = False) -> Spelling:
    """Of tensors of one dtype; torch chooses the order of contraction itself."""
    if not operands or not isinstance(operands[0].constant, str):
        raise Decline("subscripts unknown")
    arrays = operands[1:]
    if not arrays or any(not x.is_tensor or x.dtype != arrays[0].dtype for x in arrays):
        raise Decline("operands of one dtype only")
    if arrays[0].dtype not in ("int64", "float64", "float32", "complex128", "complex64"):
        raise Decline("torch has no such products")
    if len(arrays) == 1 and arrays[0].asked.sharing_shows():
        raise Decline("a view may be written")
    use(optimize)
    return function("torch.einsum", *operands)


def _pair(first: Returns, second: Returns) -> Returns:
    return lambda bound: v.tuple_of(first(bound), second(bound))


def _float_of(change: int = 0) -> Returns:
    def returns(bound: BoundArguments) -> v.Fact:
        part = arraylike(bound["a"].fact, weak=False)
        dtypes = results.result_dtypes("linalg.inv", [part[0]]) if part else None
        return make(dtypes, _of_matrices(change)(bound))

    return returns


def _real_of(change: int = 0) -> Returns:
    """The same without an imaginary part."""

    def returns(bound: BoundArguments) -> v.Fact:
        fact = _float_of(change)(bound)
        return make(real_names(v.dtypes_of(fact)), v.ranks_of(fact))

    return returns


def real_names(dtypes: v.Names) -> v.Names:
    """Give the dtypes of the parts of such numbers."""
    real = {"complex128": "float64", "complex64": "float32"}
    return dtypes and frozenset(real.get(name, name) for name in dtypes)


def _of_matrices(change: int = 0) -> Callable[[BoundArguments], v.Ranks]:
    """Rank of the matrices plus a change: of fewer than two dimensions there are none."""

    def ranks(bound: BoundArguments) -> v.Ranks:
        found = rank_of_source("a")(bound)
        return found and frozenset(max(rank, 2) + change for rank in found)

    return ranks


def _svd_fact(bound: BoundArguments) -> v.Fact:
    values = _float_of(-1)(bound)
    if bound["compute_uv"].constant is False and bound.is_given("compute_uv"):
        return values
    vectors = _float_of()(bound)
    return v.tuple_of(vectors, values, vectors)


def _qr_fact(bound: BoundArguments) -> v.Fact:
    if bound.is_given("mode") and bound["mode"].constant not in ("reduced", "complete"):
        return v.TOP
    return _pair(_float_of(), _float_of())(bound)


def _cross_ranks(bound: BoundArguments) -> v.Ranks:
    """Rank of a cross product: vectors of three give vectors, vectors of two their one component."""
    parts = [arraylike(bound[name].fact, weak=False) for name in ("a", "b")]
    ranks = results.broadcast(part[1] if part else None for part in parts)
    if ranks is None:
        return None
    items = [v.items_of(bound[name].fact) or () for name in ("a", "b")]
    torchs = all(part and part[0] and len(part[0]) == 1 for part in parts) and not any(len(one) == 2 for one in items)
    return ranks if torchs or any(len(one) == 3 for one in items) else ranks | {r - 1 for r in ranks if r}


def _is_of_three(node: ast.expr | None) -> bool:
    """Tell whether it is written out as a list of three numbers, or of such lists."""
    if not isinstance(node, (ast.List, ast.Tuple)) or not node.elts:
        return False
    rows = [one for one in node.elts if isinstance(one, (ast.List, ast.Tuple))]
    return all(map(_is_of_three, rows)) if rows else len(node.elts) == 3


@rule("cross", returns=by_table("cross", "a", "b", rank=_cross_ranks), code="NPT140")
def cross(
    a: ArrayLike, b: ArrayLike, axisa: Refused = -1, axisb: Refused = -1, axisc: Refused = -1, axis: AxisLike = None
) -> Spelling:
    """Of whole numbers, in vectors of three; torch has no others, and does not broadcast over the number of axes.

    Torch fuses a product of floats with the difference: parallel vectors give 1e-17 for zero, which programs ask for.
    """
    if any(side.dtypes() - INTEGERS for side in (a, b)):
        raise Decline("torch's of parallel vectors is not zero")
    if any(side.made_by and not _is_of_three(side.node) for side in (a, b)):
        raise Decline("perhaps vectors of two components")
    if axis.is_passed and axis.integer_constant() is None:
        raise Decline("axis unknown")
    left, right = products("cross", a, b)
    if a.rank is not None and a.rank == b.rank:
        return function("torch.linalg.cross", left, right, dim=axis)
    if axis.is_passed:
        raise Decline("axes of arrays that are broadcast")
    if any(0 in (v.ranks_of(results.operand(side.fact)) or ()) for side in (a, b)):
        raise Decline("perhaps no vector, which torch broadcasts and NumPy refuses")
    return text(f"torch.linalg.cross(*torch.broadcast_tensors({left}, {right}))")


def _kron_ranks(bound: BoundArguments) -> v.Ranks:
    return results.broadcast(rank_of_source(n)(bound) for n in ("a", "b"))


def _no_rank(bound: BoundArguments) -> v.Ranks:
    return None


def _vdot_fact(bound: BoundArguments) -> v.Fact:
    return v.scalar(v.dtypes_of(by_table("dot", "a", "b", rank=0)(bound)))


def _eigen(change: int) -> Returns:
    """Complex or real, which only the values tell."""
    return array_with(perhaps_complex("linalg.inv", "a"), _of_matrices(change), decays=True)


@rule("linalg.svd", returns=_svd_fact, code="NPT141")
def svd(a: ArrayLike, full_matrices: Flag = True, compute_uv: Value = True, hermitian: Refused = False) -> Spelling:
    """The same three under the same names; without the vectors `svdvals`."""
    x = _matrix(a)
    if compute_uv.constant is True:
        return function("torch.linalg.svd", x, full_matrices=full_matrices)
    if compute_uv.constant is not False:
        raise Decline("the values alone, or not")
    use(full_matrices)
    return function("torch.linalg.svdvals", x)


@rule("linalg.svdvals", returns=array_with(None, rank_of_source("x", -1)), code="NPT141")
def svdvals(x: ArrayLike) -> Spelling:
    """Descending."""
    return function("torch.linalg.svdvals", _matrix(x))


@rule("linalg.qr", returns=_qr_fact, code="NPT141")
def qr(a: ArrayLike, mode: Value = "reduced") -> Spelling:
    """Q and R, reduced or complete; torch has no R alone of these."""
    if mode.constant not in ("reduced", "complete"):
        raise Decline("mode")
    return function("torch.linalg.qr", _matrix(a), mode=mode)


@rule("linalg.cholesky", returns=_float_of(), code="NPT141")
def cholesky(a: ArrayLike, upper: Refused = False) -> Spelling:
    """Of the lower triangle."""
    return function("torch.linalg.cholesky", _matrix(a))


@rule("linalg.slogdet", returns=_pair(_float_of(-2), _float_of(-2)), code="NPT141")
def slogdet(a: ArrayLike) -> Spelling:
    """Sign and logarithm under the same names."""
    return function("torch.linalg.slogdet", _matrix(a))


@rule("linalg.matrix_rank", returns=always(v.scalar("int64")), code="NPT141")
def matrix_rank(A: ArrayLike, tol: Refused = None, hermitian: Refused = False) -> Spelling:
    """The default tolerance is the same."""
    return function("torch.linalg.matrix_rank", _matrix(A))


@rule("linalg.matrix_power", returns=same("a"), code="NPT141")
def matrix_power(a: ArrayLike, n: Value) -> Spelling:
    """Of floats; NumPy multiplies integers as integers."""
    inexact = a.dtypes() <= {"float64", "float32", "complex128", "complex64"}
    if not inexact or not v.only(n.fact, "number") or not isinstance(n.constant, int):
        raise Decline("integers")
    return function("torch.linalg.matrix_power", _matrix(a), n)


@rule("linalg.multi_dot", returns=array_with(), code="NPT140")
def multi_dot(arrays: Value, out: Refused = None) -> Spelling:
    """Of vectors at the ends and matrices between them on both sides; torch refuses all else."""
    tensors, ranks = tensors_in(arrays)
    if 0 in ranks or any(rank is not None and rank > 2 for rank in ranks):
        raise Decline("a number, or more dimensions than two")
    sequences = (atom for atom in arrays.fact if isinstance(atom, v.Sequence))
    items = [item for atom in sequences for item in (atom.items or (atom.element,))]
    if any(v.dtypes_of(item) == frozenset({"bool"}) for item in items):
        raise Decline("torch multiplies no bools")
    return function("torch.linalg.multi_dot", tensors)


@rule("inner", returns=by_table("inner", "a", "b", rank=_dot_ranks), code="NPT140")
def inner(a: ArrayLike, b: ArrayLike) -> Spelling:
    """The last axes of both."""
    return function("torch.inner", *products("inner", a, b))


@rule("vdot", returns=_vdot_fact, code="NPT140")
def vdot(a: ArrayLike, b: ArrayLike) -> Spelling:
    """Of vectors; NumPy flattens anything else."""
    if a.rank != 1 or b.rank != 1:
        raise Decline("rank unknown")
    return function("torch.vdot", *products("dot", a, b))


@rule("tensordot", returns=by_table("tensordot", "a", "b", rank=_no_rank), code="NPT140")
def tensordot(a: ArrayLike, b: ArrayLike, axes: Value = 2) -> Spelling:
    """A number of axes, or a list of them for either array."""
    pairs = v.items_of(axes.fact)
    lists = pairs is not None and len(pairs) == 2 and all(v.items_of(one) is not None for one in pairs)
    count = axes.integer_constant()
    if axes.given and not lists and (count is None or count < 0):
        raise Decline("axes unknown")
    return function("torch.tensordot", *products("tensordot", a, b), dims=axes)


@rule("kron", returns=by_table("kron", "a", "b", rank=_kron_ranks), code="NPT140")
def kron(a: ArrayLike, b: ArrayLike) -> Spelling:
    """torch refuses what is not contiguous."""
    return function("torch.kron", *map(_contiguous, products("kron", a, b)))


FRESH = frozenset("eye identity ones zeros full diag".split())
"""Functions that give new memory in one piece."""


def _contiguous(a: RuleArgument) -> RuleArgument:
    name = dotted_name(a.node.func) if isinstance(a.node, ast.Call) else None
    if a.made_by or name is not None and name.rpartition(".")[2] in FRESH:
        return a
    return a.rearrange(f"{a}.contiguous()")


declare(AREA, {
    "linalg.eig(a)": _pair(_eigen(-1), _eigen(0)),
    "linalg.eigvals(a)": _eigen(-1),
    "linalg.eigh(a, UPLO='L')": _pair(_real_of(-1), _float_of()),
    "linalg.cond(x, p=None)": array_with(None, rank_of_source("x", -2), decays=True),
    "linalg.tensorsolve(a, b, axes=None)": array_with(),
    "linalg.tensorinv(a, ind=2)": array_with(),
})  # fmt: skip
