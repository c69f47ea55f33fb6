"""Making arrays: NumPy's float64 default is spelled out."""

from __future__ import annotations

import ast
import math
from typing import Any

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Bound
from np2torch.facts.domain import DOMAIN, union
from np2torch.facts.notation import FAMILIES
from np2torch.facts.objects import holds_object
from np2torch.facts.results import (
    array_with,
    arraylike,
    dtype_of_source,
    given_dtype,
    make,
    rank_of_shape,
    rank_of_source,
)
from np2torch.names.tree import dotted
from np2torch.rules.arraylike import in_int64, made
from np2torch.rules.bounds import least
from np2torch.rules.core import Body, declare, rule
from np2torch.rules.rule_arguments import (
    COMPLEX,
    ArrayLike,
    Decline,
    DTypeLike,
    Refused,
    RuleArgument,
    ShapeLike,
    Spelling,
    Value,
    function,
    kind_of,
    text,
)


def dtype_argument(dtype: RuleArgument, default: str | None = "float64") -> RuleArgument | str | None:
    """`dtype=torch.…`: the one passed, else NumPy's default where torch's is another."""
    if dtype.passed:
        return dtype
    return f"torch.{default}" if default else None


def _shape(shape: RuleArgument) -> RuleArgument:
    if not v.may(shape.fact, "number", "scalar", "sequence"):
        raise Decline("shape unknown")
    if v.known_to_include(shape.fact, "array", "iterator"):
        raise Decline("shape is an array")
    return shape


def _filled(name: str) -> Body:
    def body(shape: ShapeLike, dtype: DTypeLike = None, order: Refused = "C") -> Spelling:
        return function(f"torch.{name}", _shape(shape), dtype=dtype_argument(dtype))

    body.__doc__ = "float64 unless a dtype is given: torch's own default is float32."
    return body


for _name in ("zeros", "ones", "empty"):
    rule(_name, returns=array_with(given_dtype(), rank_of_shape()), code="NPT120")(_filled(_name))


@rule("full", returns=array_with(given_dtype(dtype_of_source("fill_value")), rank_of_shape()), code="NPT120")
def full(shape: ShapeLike, fill_value: Value, dtype: DTypeLike = None, order: Refused = "C") -> Spelling:
    """The dtype is that of the value: float64 for a float."""
    kinds = {a.type for a in fill_value.fact if isinstance(a, v.Num)}
    if not v.only(fill_value.fact, "number") or len(kinds) != 1 and not dtype.given:
        raise Decline("fill value unknown")
    if v.only(shape.fact, "number"):
        size = f"({_shape(shape)},)"
    else:
        size = str(_shape(shape))
        if not v.only(shape.fact, "sequence"):
            raise Decline("torch.full wants a tuple")
    default = {"float": "float64", "complex": "complex128"}.get(next(iter(kinds)))
    return text(f"torch.full({size}, {fill_value}{_dtype(dtype_argument(dtype, default))})")


def _dtype(argument: RuleArgument | str | None) -> str:
    return f", dtype={argument}" if argument else ""


def _like(name: str) -> Body:
    def body(
        a: ArrayLike, dtype: DTypeLike = None, order: Refused = "K", subok: Refused = True, shape: Refused = None
    ) -> Spelling:
        return function(f"torch.{name}", a, dtype=dtype)

    body.__doc__ = "dtype and shape of the other array."
    return body


def _like_ranks(bound: Bound) -> v.Ranks:
    return rank_of_shape()(bound) if bound.given("shape") else rank_of_source()(bound)


for _name in ("zeros_like", "ones_like", "empty_like"):
    rule(_name, returns=array_with(given_dtype(dtype_of_source()), _like_ranks), code="NPT120")(_like(_name))


@rule("full_like", returns=array_with(given_dtype(dtype_of_source()), rank_of_source()), code="NPT120")
def full_like(
    a: ArrayLike, fill_value: Value, dtype: DTypeLike = None, order: Refused = "K", subok: Refused = True,
    shape: Refused = None,
) -> Spelling:  # fmt: skip
    """The dtype is the array's."""
    if not v.only(fill_value.fact, "number") or dtype.given or not a.dtypes() <= {"float64", "float32"}:
        raise Decline("fill value or dtype unknown")
    return function("torch.full_like", a, fill_value)


UNMADE = frozenset(("uint16", "uint32", "uint64"))


def _makes(dtype: RuleArgument) -> None:
    """Torch makes ranges and unit matrices of most dtypes."""
    if dtype.passed and (results.dtype_names(dtype.fact) or DOMAIN.dtypes) & UNMADE:
        raise Decline("torch makes none of wide unsigned integers")


@rule("eye", returns=array_with(given_dtype(), 2), code="NPT120")
def eye(N: Value, M: Value = None, k: Refused = 0, dtype: DTypeLike = None, order: Refused = "C") -> Spelling:
    """float64 unless a dtype is given."""
    _makes(dtype)
    if M.passed:
        return function("torch.eye", N, M, dtype=dtype_argument(dtype))
    return function("torch.eye", N, dtype=dtype_argument(dtype))


@rule("identity", returns=array_with(given_dtype(), 2), code="NPT120")
def identity(n: Value, dtype: DTypeLike = None) -> Spelling:
    """`torch.eye`."""
    _makes(dtype)
    return function("torch.eye", n, dtype=dtype_argument(dtype))


def _arange_dtype(bound: Bound) -> v.Names:
    def default(b: Bound) -> v.Names:
        parts = [arraylike(b[n].fact, weak=False) for n in ("start", "stop", "step") if b.given(n) and not b[n].is_none]
        known = [p[0] for p in parts if p]
        if not known or any(k is None for k in known):
            return None
        dtypes = known[0]
        for other in known[1:] or known:
            dtypes = results.result_dtypes("add", [dtypes, other])
        return dtypes

    return given_dtype(default)(bound)


def ordered(values: list[object]) -> bool:
    """Tell whether constant bounds run in the direction of their step."""
    if not all(isinstance(value, (int, float)) for value in values):
        return False
    start, stop, step = (*values, 1)[:3]
    assert isinstance(start, (int, float)) and isinstance(stop, (int, float)) and isinstance(step, (int, float))
    return step > 0 and stop >= start or step < 0 and stop <= start


def _rises(start: RuleArgument, stop: RuleArgument, step: RuleArgument) -> bool:
    """Tell whether `start` and `stop` are integers and `stop` is never less: `arange(1, len(x) + 1)`."""
    first = start.constant
    upward = not step.passed or isinstance(step.constant, int) and step.constant > 0
    if not isinstance(first, int) or stop.node is None or not upward:
        return False
    return first <= least(stop.node, stop.asked.fact)


def exact(*numbers: object) -> bool:
    """Tell whether numbers are fractions of few bits, so that sums and multiples are exact in any order."""
    return all(
        isinstance(n, (int, float)) and abs(n) < 2**20 and float(n * 2**20).is_integer() for n in numbers
    )  # fmt: skip


def multiples(points: list[object], stop: RuleArgument, step: RuleArgument) -> str:
    """The multiples of a fraction from zero on, rounded as NumPy rounds them; nothing for other points.

    Parameters
    ----------
    points
        The constants `start`, `stop` and `step`, as many as there are.
    stop, step
        What the last two are written as; their names are kept, for these may come to mean something else.
    """
    if len(points) != 3 or not ordered(points) or points[0] != 0 or not isinstance(points[2], float) or points[2] < 0:
        return ""
    assert isinstance(points[1], (int, float))
    if isinstance(stop.node, ast.Constant) and isinstance(step.node, ast.Constant):
        count = str(math.ceil(points[1] / points[2]))
    elif all(isinstance(piece.node, (ast.Constant, ast.Name)) for piece in (stop, step)):
        count = f"math.ceil({stop} / {step})"
    else:
        return ""
    return f"torch.arange({count}, dtype=torch.float64) * {step}"


@rule("arange", returns=array_with(_arange_dtype, 1), code="NPT121")
def arange(start: Value, stop: Value = None, step: Value = None, dtype: DTypeLike = None) -> Spelling:
    """int64 on both sides; floats are float64 here and float32 in torch unless it is said.

    Where the points are no fractions of few bits the last bit of torch's differs: NumPy adds i times the rounded
    difference of the first two.
    """
    bounds = [p for p in (start, stop, step) if p.passed]
    kinds = {a.type for p in bounds for a in p.fact if isinstance(a, v.Num)}
    if "complex" in kinds or any(p.is_tensor for p in bounds) or not all(v.only(p.fact, "number") for p in bounds):
        raise Decline("bounds unknown")
    alone = bounds[0].constant if len(bounds) == 1 else None
    runs = len(bounds) < 2 or ordered([p.constant for p in bounds]) or _rises(start, stop, step)
    bounded = None if runs or "float" in kinds else _bounded(start, stop, step)
    if not runs and bounded is None or isinstance(alone, (int, float)) and alone < 0:
        raise Decline("torch refuses bounds in the wrong order, NumPy gives an empty array")
    if "float" in kinds:
        if "int" in kinds and any(len(p.fact) > 1 for p in bounds):
            raise Decline("kinds of the bounds")
        if dtype.given:
            raise Decline("float bounds cast")
        points = [p.constant for p in bounds]
        if not exact(*points[:1], *points[2:]) and (scaled := multiples(points, stop, step)):
            return text(scaled)
        if len(bounds) > 1 and not exact(start.constant, *(p.constant for p in bounds[2:])):
            raise Decline("torch rounds the points otherwise")
        return function("torch.arange", *bounds, dtype="torch.float64")
    if dtype.passed:
        _makes(dtype)
        if (COMPLEX | {"float16"}) & (results.dtype_names(dtype.fact) or DOMAIN.dtypes):
            raise Decline("torch adds up halves, NumPy multiplies; torch has no complex ranges")
        return function("torch.arange", *(bounded or bounds), dtype=dtype)
    return function("torch.arange", *(bounded or bounds))


def _bounded(start: RuleArgument, stop: RuleArgument, step: RuleArgument) -> list[RuleArgument | str] | None:
    """Integer bounds with the end never before the beginning, where torch raises and NumPy gives an empty array.

    None where the direction is not known, or the beginning cannot be written twice.
    """
    by = step.constant if step.passed else 1
    if not isinstance(by, int) or not by or not _is_path(start.node):
        return None
    steps = [step] if step.passed else []
    return [start, f"{'max' if by > 0 else 'min'}({start}, {stop})", *steps]


def _is_path(node: ast.expr | None) -> bool:
    """Tell whether it is a name, a path of attributes or a number, which gives the same value when it is read twice."""
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(inner, ast.Constant) or inner is not None and dotted(inner) is not None


def _of_bounds(bound: Bound) -> v.Names:
    """The precision of both bounds, of which Python numbers have none; float64 for whole numbers."""
    parts = [arraylike(bound[name].fact) or (None, None) for name in ("start", "stop")]
    found = results.result_dtypes("result_type", [dtypes for dtypes, _ in parts])
    found = DOMAIN.unknown if found is None else found
    return frozenset(name if name in FAMILIES["inexact"] else "float64" for name in found)


def _of_bounds_and_base(bound: Bound) -> v.Names:
    return None if bound.given("base") else _of_bounds(bound)


def _linspace_fact(bound: Bound) -> v.Fact:
    if bound.given("retstep"):
        return v.TOP
    ranks = results.broadcast(rank_of_source(n)(bound) for n in ("start", "stop"))
    return make(given_dtype(_of_bounds)(bound), None if ranks is None else frozenset(r + 1 for r in ranks))


def _step(first: Any, last: Any, count: int) -> float:
    """The distance of the points, where it is the same all the way; else NaN."""
    step = (last - first) / (count - 1) if count > 1 else 0.0
    return step if step * (count - 1) == last - first or count == 1 else math.nan


@rule("linspace", returns=_linspace_fact, code="NPT121")
def linspace(
    start: Value, stop: Value, num: Value = 50, endpoint: Refused = True, retstep: Refused = False,
    dtype: Refused = None, axis: Refused = 0,
) -> Spelling:  # fmt: skip
    """float64; fifty points unless said otherwise (torch has no default).

    torch works from both ends, NumPy from the start: the last bit differs, but for points that are fractions of few
    bits.
    """
    for bound in (start, stop):
        if not v.only(bound.fact, "number") or any(isinstance(a, v.Num) and a.type == "complex" for a in bound.fact):
            raise Decline("bounds unknown")
    if num.given and not v.only(num.fact, "number"):
        raise Decline("number unknown")
    first, last, count = start.constant, stop.constant, num.constant
    if not exact(first, last) or not isinstance(count, int) or not exact(_step(first, last, count)):
        raise Decline("torch rounds the points otherwise")
    return function("torch.linspace", start, stop, num if num.given else "50", dtype="torch.float64")


# ------------------------------------------------------------------------------------ arrays of something
def _array_fact(bound: Bound, name: str = "object") -> v.Fact:
    fact = bound[name].fact
    mixed = v.keep(fact, lambda atom: isinstance(atom, v.Sequence) and arraylike(v.one(atom), weak=False) is None)
    known = fact - mixed
    made = _array_of(bound, v.join(known, results.without_nothing(mixed)) if known else fact)  # beside arrays: numbers
    perhaps = not bound.passed("dtype") and v.known_to_include(made, "array") and _may_hold_text(mixed)
    return v.join(made, v.OBJECTS) if perhaps else made


def _may_hold_text(fact: v.Fact) -> bool:
    """Tell whether it may be a list with strings in it."""
    lists = (v.elements(atom) for atom in fact if isinstance(atom, v.Sequence))
    return any(v.known_to_include(held, "text") or _may_hold_text(held) for held in lists)


def _array_of(bound: Bound, fact: v.Fact) -> v.Fact:
    given = bound.passed("dtype")
    dtype = bound["dtype"].fact if given else v.NONE
    lacking = v.keep(dtype, lambda atom: results.no_torch_dtype(v.one(atom)) is not None)
    if lacking and lacking != dtype:  # "O" in one branch, float64 in the other: decided at run time
        return v.join(v.FOREIGN, _array_of(bound.replaced("dtype", dtype - lacking), fact))
    said = v.keep(dtype, lambda atom: atom.kind != "none")
    dtypes = results.dtype_names(said) if given else None
    if given and dtypes is None and not v.may(dtype, "dtype", "unknown", "method"):
        named = any(isinstance(atom, v.Text) and atom.value is None for atom in said)  # "f4" or "U5"
        return v.one(v.Array(None)) if named else v.FOREIGN
    part = arraylike(fact, weak=False)
    if part is None:
        objects = _holds(fact, "text", "none", "mapping", "foreign", "class", "function") or holds_object(fact)
        if not objects or dtypes is not None:
            read = arraylike(_as_numbers(fact), weak=False) if dtypes is not None else None
            return v.one(v.Array(dtypes, None if read is None else read[1]))
        made = v.FOREIGN if _holds(fact, "foreign") else v.OBJECTS
        if made == v.FOREIGN and _holds(fact, "unknown"):
            return v.join(made, v.ARRAY)
        perhaps = results.without_nothing(fact)  # a list of what may be None holds none, or makes an array of objects
        if not perhaps or perhaps == fact or (part := arraylike(perhaps, weak=False)) is None:
            return made
        return v.join(made, make(part[0], part[1], decays=False))
    ranks = part[1]
    if not given and not all(in_int64(atom) for atom in fact):
        if not all(in_int64(atom, 2**64) for atom in fact):
            return v.FOREIGN  # Python objects
        return make(frozenset({"uint64", "float64"}), ranks, decays=False)
    if bound.given("ndmin"):
        least = bound["ndmin"].constant
        ranks = frozenset(max(r, least) for r in ranks) if ranks is not None and isinstance(least, int) else None
    if said != dtype and given:  # perhaps None: what the elements have
        dtypes = union((dtypes, part[0]))
    return make(dtypes if given else part[0], ranks, decays=False)


def _as_numbers(fact: v.Fact) -> v.Fact:
    """The same with numbers for strings, which NumPy reads where it is told a dtype."""
    return frozenset(_as_number(atom) for atom in fact)


def _as_number(atom: v.Atom) -> v.Atom:
    if isinstance(atom, v.Text):
        return v.Num("float")
    if not isinstance(atom, v.Sequence):
        return atom
    items = atom.items
    return atom.of(_as_numbers(atom.element)) if items is None else atom.holding(*map(_as_numbers, items))


def _source_fact(bound: Bound) -> v.Fact:
    return _array_fact(bound, "a")


def _holds(fact: v.Fact, *kinds: str) -> bool:
    for atom in fact:
        if atom.kind in kinds:
            return True
        if isinstance(atom, v.Sequence) and _holds(v.elements(atom), *kinds):
            return True
    return False


@rule("array", returns=_array_fact, code="NPT122")
def array(
    object: Value, dtype: DTypeLike = None, copy: Value = True, order: Refused = "K", subok: Refused = False,
    ndmin: Refused = 0,
) -> Spelling:  # fmt: skip
    """Python numbers become a tensor of NumPy's dtype; a tensor is copied; tensors in a list are stacked."""
    if object.is_tensor:
        if copy.given and copy.constant is not True:
            return _itself(object, dtype, copy)
        if dtype.passed:
            return text(f"{object}.to({dtype}, copy=True)", cast=True)
        return text(f"{object}.clone()")
    if copy.given:
        raise Decline("copy= of unknown")
    emit = made(object, dtype, copied=True)
    return text(f"{emit.text}.clone()") if object.made_by == "torch.as_tensor" else emit


def _itself(object: RuleArgument, dtype: RuleArgument, copy: RuleArgument) -> Spelling:
    """The array that `copy=False` gives: NumPy raises where it would have to be copied."""
    known = not dtype.passed or results.dtype_names(dtype.fact) == v.dtypes_of(object.fact) is not None
    if copy.constant is not False or not known or v.known_to_include(object.fact, "scalar"):
        raise Decline("copy=False may share memory")
    dtype.used = True
    return text(f"{object}")


@rule("ascontiguousarray", returns=_source_fact, code="NPT122")
def ascontiguousarray(a: ArrayLike, dtype: Refused = None) -> Spelling:
    """Itself where it is contiguous, a copy elsewhere, on both sides."""
    if v.known_to_include(a.fact, "scalar") or a.rank == 0:
        raise Decline("NumPy makes it one-dimensional")
    return text(f"{a}.contiguous()")


@rule("asarray", "asanyarray", returns=_source_fact, code="NPT122")
def asarray(
    a: Value, dtype: DTypeLike = None, order: Refused = None, device: Refused = None, copy: Refused = None
) -> Spelling:
    """A tensor stays itself."""
    if a.is_tensor and not v.known_to_include(a.fact, "scalar"):
        if dtype.passed:
            names = results.dtype_names(dtype.fact)
            if names is not None and names == v.dtypes_of(a.fact) and not a.asked.dtype_is_said(a.node):
                dtype.used = True
                return text(f"{a}")
            return text(f"{a}.to({dtype})", cast=True)
        return text(f"{a}")
    return made(a, dtype)


@rule("copy", method="copy", returns=_source_fact, code="NPT122")
def copy(a: ArrayLike, order: Refused = "K", subok: Refused = False) -> Spelling:
    """`clone`; of numbers a new tensor."""
    return text(f"{a}" if a.made_by in ("torch.tensor", "torch.stack") else f"{a}.clone()")


def _astype_fact(bound: Bound) -> v.Fact:
    fact = bound["a"].fact
    return make(results.dtype_names(bound["dtype"].fact), v.ranks_of(fact), decays=v.only(fact, "scalar"))


@rule(method="astype", returns=_astype_fact, code="NPT123")
def astype(
    a: ArrayLike, dtype: DTypeLike, order: Refused = "K", casting: Refused = "unsafe", subok: Refused = True,
    copy: Value = True,
) -> Spelling:  # fmt: skip
    """`.to` gives the tensor itself where the dtype is the same already; a copy is asked for where that would show."""
    names = results.dtype_names(dtype.fact)
    if names is None:
        raise Decline("dtype unknown")
    target = next(iter(names))
    kinds = {kind_of(dtype) for dtype in a.dtypes()}
    if kind_of(target) in "bu" and "c" in kinds:
        raise Decline("complex to bool or unsigned")
    if target.startswith("uint") and "f" in kinds:
        raise Decline("float to unsigned is implementation-defined")
    copied = ", copy=True" if not copy.given and a.asked.sharing_shows() else ""
    copy.used = True
    return text(f"{a}.to({dtype}{copied})")


declare("creation", {
    "logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)": array_with(
        given_dtype(_of_bounds_and_base), 1
    ),
    "geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)": array_with(given_dtype(None), 1),
    "tri(N, M=None, k=0, dtype=None)": array_with(given_dtype(), 2),
    "vander(x, N=None, increasing=False)": array_with(None, 2),
    "indices(dimensions, dtype=None, sparse=False)": array_with(given_dtype("int64")),
    "fromfunction(function, shape, dtype=None)": array_with(),
    "fromiter(iter, dtype, count=-1)": array_with(given_dtype(None), 1),
    "frombuffer(buffer, dtype=None, count=-1, offset=0)": array_with(given_dtype(), 1),
    "fromstring(string, dtype=None, count=-1, sep='')": array_with(given_dtype(), 1),
    "asfortranarray(a, dtype=None)": _source_fact,
    "asarray_chkfinite(a, dtype=None, order=None)": _source_fact,
    "require(a, dtype=None, requirements=None)": _source_fact,
    "bartlett(M)": array_with("float64", 1),
    "blackman(M)": array_with("float64", 1),
    "hamming(M)": array_with("float64", 1),
    "hanning(M)": array_with("float64", 1),
    "kaiser(M, beta)": array_with("float64", 1),
    "loadtxt(fname)": array_with(),
    "genfromtxt(fname)": array_with(),
})  # fmt: skip
