"""Making arrays: NumPy's float64 default is spelled out."""

from __future__ import annotations

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.domain import DOMAIN, union
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
from np2torch.rules.arraylike import in_int64, make_tensor
from np2torch.rules.core import Body, declare, rule
from np2torch.rules.rule_arguments import (
    ArrayLike,
    Decline,
    DTypeLike,
    Flag,
    Refused,
    RuleArgument,
    ShapeLike,
    Spelling,
    Value,
    function,
    kind_of,
    number_kinds,
    text,
    use,
)


def dtype_argument(dtype: RuleArgument, default: str | None = "float64") -> RuleArgument | str | None:
    """`dtype=torch.…`: the one passed, else NumPy's default where torch's is another."""
    if dtype.is_passed:
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
        """float64 unless a dtype is given: torch's own default is float32."""
        return function(f"torch.{name}", _shape(shape), dtype=dtype_argument(dtype))

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
        """dtype and shape of the other array."""
        return function(f"torch.{name}", a, dtype=dtype)

    return body


def _like_ranks(bound: BoundArguments) -> v.Ranks:
    return rank_of_shape()(bound) if bound.is_given("shape") else rank_of_source()(bound)


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


def refuse_wide_unsigned(dtype: RuleArgument) -> None:
    """Decline dtypes of which torch makes no ranges and unit matrices."""
    if dtype.is_passed and (results.dtype_names(dtype.fact) or DOMAIN.dtypes) & UNMADE:
        raise Decline("torch makes none of wide unsigned integers")


@rule("eye", returns=array_with(given_dtype(), 2), code="NPT120")
def eye(N: Value, M: Value = None, k: Refused = 0, dtype: DTypeLike = None, order: Refused = "C") -> Spelling:
    """float64 unless a dtype is given."""
    refuse_wide_unsigned(dtype)
    if M.is_passed:
        return function("torch.eye", N, M, dtype=dtype_argument(dtype))
    return function("torch.eye", N, dtype=dtype_argument(dtype))


@rule("identity", returns=array_with(given_dtype(), 2), code="NPT120")
def identity(n: Value, dtype: DTypeLike = None) -> Spelling:
    """`torch.eye`."""
    refuse_wide_unsigned(dtype)
    return function("torch.eye", n, dtype=dtype_argument(dtype))


# ------------------------------------------------------------------------------------ arrays of something
def _array_fact(bound: BoundArguments, name: str = "object") -> v.Fact:
    fact = bound[name].fact
    mixed = v.keep(fact, lambda atom: isinstance(atom, v.Sequence) and arraylike(v.one(atom), weak=False) is None)
    known = fact - mixed
    made = _array_of(bound, v.join(known, results.without_nothing(mixed)) if known else fact)  # beside arrays: numbers
    perhaps = not bound.is_passed("dtype") and v.known_to_include(made, "array") and _may_hold_text(mixed)
    return v.join(made, v.OBJECTS) if perhaps else made


def _may_hold_text(fact: v.Fact) -> bool:
    """Tell whether it may be a list with strings in it."""
    lists = (v.elements(atom) for atom in fact if isinstance(atom, v.Sequence))
    return any(v.known_to_include(held, "text") or _may_hold_text(held) for held in lists)


def _array_of(bound: BoundArguments, fact: v.Fact) -> v.Fact:
    given = bound.is_passed("dtype")
    dtype = bound["dtype"].fact if given else v.NONE
    lacking = v.keep(dtype, lambda atom: results.no_torch_dtype(v.one(atom)) is not None)
    if lacking and lacking != dtype:  # "O" in one branch, float64 in the other: decided at run time
        return v.join(v.FOREIGN, _array_of(bound.with_fact("dtype", dtype - lacking), fact))
    said = v.keep(dtype, lambda atom: atom.kind != "none")
    dtypes = results.dtype_names(said) if given else None
    if given and dtypes is None and not v.may(dtype, "dtype", "unknown", "method"):
        named = any(isinstance(atom, v.Text) and atom.value is None for atom in said)  # "f4" or "U5"
        return v.one(v.Array(None)) if named else v.FOREIGN
    part = arraylike(fact, weak=False)
    if part is None:
        return _of_no_arraylike(fact) if dtypes is None else _read_as_numbers(fact, dtypes)
    if not given and (beyond := _of_wide_integers(fact, part[1])) is not None:
        return beyond
    if said != dtype and given:  # perhaps None: what the elements have
        dtypes = union((dtypes, part[0]))
    return make(dtypes if given else part[0], _at_least(bound, part[1]), decays=False)


def _read_as_numbers(fact: v.Fact, dtypes: v.Names) -> v.Fact:
    """Give the fact of an array made of strings, in which NumPy reads numbers."""
    read = arraylike(_as_numbers(fact), weak=False)
    return v.one(v.Array(dtypes, None if read is None else read[1]))


def _of_no_arraylike(fact: v.Fact) -> v.Fact:
    """The array that is made of no array-like where no dtype is passed: one of objects, where it holds any."""
    if not _holds(fact, "text", "none", "mapping", "foreign", "class", "function") and not holds_object(fact):
        return v.one(v.Array(None, None))
    foreign = _holds(fact, "foreign")
    if foreign and _holds(fact, "unknown"):
        return v.join(v.FOREIGN, v.ARRAY)
    made = v.FOREIGN if foreign else v.OBJECTS
    perhaps = results.without_nothing(fact)  # a list of what may be None holds none, or makes an array of objects
    part = arraylike(perhaps, weak=False) if perhaps and perhaps != fact else None
    return made if part is None else v.join(made, make(part[0], part[1], decays=False))


def _of_wide_integers(fact: v.Fact, ranks: v.Ranks) -> v.Fact | None:
    """The array of integers of which some may lie beyond int64; None where none does."""
    if all(in_int64(atom) for atom in fact):
        return None
    if not all(in_int64(atom, 2**64) for atom in fact):
        return v.FOREIGN  # Python objects
    return make(frozenset({"uint64", "float64"}), ranks, decays=False)


def _at_least(bound: BoundArguments, ranks: v.Ranks) -> v.Ranks:
    """The ranks of an array that has `ndmin` dimensions at least."""
    if not bound.is_given("ndmin"):
        return ranks
    least = bound["ndmin"].constant
    return frozenset(max(r, least) for r in ranks) if ranks is not None and isinstance(least, int) else None


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


def _source_fact(bound: BoundArguments) -> v.Fact:
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
        if dtype.is_passed:
            return text(f"{object}.to({dtype}, copy=True)", cast=True)
        return text(f"{object}.clone()")
    if copy.given:
        raise Decline("copy= of unknown")
    emit = make_tensor(object, dtype, copied=True)
    return text(f"{emit.text}.clone()") if object.made_by == "torch.as_tensor" else emit


def _itself(object: RuleArgument, dtype: RuleArgument, copy: RuleArgument) -> Spelling:
    """The array that `copy=False` gives: NumPy raises where it would have to be copied."""
    known = not dtype.is_passed or results.dtype_names(dtype.fact) == v.dtypes_of(object.fact) is not None
    if copy.constant is not False or not known or v.known_to_include(object.fact, "scalar"):
        raise Decline("copy=False may share memory")
    use(dtype)
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
        if dtype.is_passed:
            names = results.dtype_names(dtype.fact)
            if names is not None and names == v.dtypes_of(a.fact) and not a.asked.dtype_is_said(a.node):
                use(dtype)
                return text(f"{a}")
            return text(f"{a}.to({dtype})", cast=True)
        return text(f"{a}")
    return make_tensor(a, dtype)


@rule("copy", method="copy", returns=_source_fact, code="NPT122")
def copy(a: ArrayLike, order: Refused = "K", subok: Refused = False) -> Spelling:
    """`clone`; of numbers a new tensor."""
    return text(f"{a}" if a.made_by in ("torch.tensor", "torch.stack") else f"{a}.clone()")


def _astype_fact(bound: BoundArguments) -> v.Fact:
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
    copied = ", copy=True" if not copy.given and a.asked.sharing_shows() else ""
    use(copy)
    return text(f"{a}.to({dtype}{copied})")


def _is_count(size: RuleArgument) -> bool:
    """Tell a Python integer that is not known to be negative, which torch refuses."""
    numbers = [atom for atom in size.fact if isinstance(atom, v.Num) and atom.type == "int"]
    return bool(numbers) and len(numbers) == len(size.fact) and not any((atom.value or 0) < 0 for atom in numbers)


def _window(name: str, torchs: str) -> None:
    def body(M: Value) -> Spelling:
        if not _is_count(M):
            raise Decline("not known to be a number of points")
        return function(f"torch.{torchs}_window", M, periodic="False", dtype="torch.float64")

    doc = "Symmetric, as NumPy's are: torch's are periodic by default. torch refuses a negative number of points."
    rule(name, returns=array_with("float64", 1), code="NPT147", doc=doc)(body)


for _name, _torchs in {"bartlett": "bartlett", "hamming": "hamming", "hanning": "hann"}.items():
    _window(_name, _torchs)


@rule("kaiser", returns=array_with("float64", 1), code="NPT147")
def kaiser(M: Value, beta: Value) -> Spelling:
    """Symmetric, as NumPy's is: torch's is periodic by default."""
    if not _is_count(M) or not number_kinds(beta) <= {"int", "float"} or not v.only(beta.fact, "number"):
        raise Decline("not known to be a number of points and a shape")
    return function("torch.kaiser_window", M, periodic="False", beta=beta, dtype="torch.float64")


@rule("vander", returns=array_with(None, 2), code="NPT134")
def vander(x: ArrayLike, N: Value = None, increasing: Flag = False) -> Spelling:
    """Of vectors of double precision; integers NumPy gives back as they are promoted."""
    if not x.is_tensor or x.rank != 1 or x.dtypes() not in ({"float64"}, {"complex128"}):
        raise Decline("not known to be a vector of double precision")
    if N.is_passed and not _is_count(N):
        raise Decline("number of columns unknown")
    return function("torch.vander", x, N=N, increasing=increasing)


declare("creation", {
    "tri(N, M=None, k=0, dtype=None)": array_with(given_dtype(), 2),
    "indices(dimensions, dtype=None, sparse=False)": array_with(given_dtype("int64")),
    "fromfunction(function, shape, dtype=None)": array_with(),
    "fromiter(iter, dtype, count=-1)": array_with(given_dtype(None), 1),
    "frombuffer(buffer, dtype=None, count=-1, offset=0)": array_with(given_dtype(), 1),
    "fromstring(string, dtype=None, count=-1, sep='')": array_with(given_dtype(), 1),
    "asfortranarray(a, dtype=None)": _source_fact,
    "asarray_chkfinite(a, dtype=None, order=None)": _source_fact,
    "require(a, dtype=None, requirements=None)": _source_fact,
    "blackman(M)": array_with("float64", 1),
    "loadtxt(fname)": array_with(),
    "genfromtxt(fname)": array_with(),
})  # fmt: skip
