"""Methods and attributes of arrays that are no function of NumPy's."""

from __future__ import annotations

from importlib import resources

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.complex_tracking import top_beside_complex
from np2torch.rules.core import check_dtype, rule
from np2torch.rules.rule_arguments import (
    ArrayLike,
    Decline,
    Refused,
    ShapeLike,
    Spelling,
    UnsupportedError,
    Value,
    text,
    use,
)


def _item_fact(bound: BoundArguments) -> v.Fact:
    return results.numbers(v.dtypes_of(bound["a"].fact))


@rule(method="item", returns=_item_fact, code="NPT160")
def item(a: ArrayLike, *args: Value) -> Spelling:
    """Equal without arguments."""
    return text(f"{a}.item()")


@rule(method="tolist", returns=lambda bound: top_beside_complex(bound["a"].fact), code="NPT160")
def tolist(a: ArrayLike) -> Spelling:
    """Equal."""
    return text(f"{a}.tolist()")


@rule(method="flatten", returns=results.same("a", rank=1), code="NPT161")
def flatten(a: ArrayLike, order: Refused = "C") -> Spelling:
    """NumPy copies; torch does only where it must. A clone is added where the sharing could be seen."""
    if a.asked.sharing_shows():
        return text(f"{a}.flatten().clone()", cast=True)
    return text(f"{a}.flatten()")


@rule(method="fill", returns=results.always(v.NONE), code="NPT160")
def fill(a: ArrayLike, value: Value) -> Spelling:
    """`fill_` writes in place too."""
    if not v.only(value.fact, "number") or not a.dtypes() <= {"float64", "float32"}:
        raise Decline("value or dtype unknown")
    return text(f"{a}.fill_({value})")


@rule(method="sort", returns=results.always(v.NONE), code="NPT144")
def sort(a: ArrayLike, axis: Value = -1, kind: Value = None, order: Refused = None, stable: Value = None) -> Spelling:
    """In place in NumPy; torch's `sort` leaves the tensor as it is."""
    if axis.given and axis.constant != -1:
        raise Decline("axis")
    use(kind, stable, axis)
    if a.dtypes() & {"complex64", "complex128"}:
        raise Decline("complex has no order in torch")
    return text(f"{a}.copy_({a}.sort().values)")


def _permuted(bound: BoundArguments) -> v.Fact:
    return bound["a"].fact


@rule(method="transpose", returns=_permuted, code="NPT131")
def transpose(a: ArrayLike, *axes: Value) -> Spelling:
    """Handled where the arguments are seen."""
    raise Decline("axes unknown")


def _view_fact(bound: BoundArguments) -> v.Fact:
    fact = bound["a"].fact
    cast = bound.is_given("dtype") and not results.is_array_class(bound["dtype"].fact)
    dtypes = results.dtype_names(bound["dtype"].fact) if cast else v.dtypes_of(fact)
    return v.one(v.Array(dtypes, v.ranks_of(fact)))


@rule(method="view", returns=_view_fact, code="NPT160")
def view(a: ArrayLike, dtype: Value = None, type: Refused = None) -> Spelling:
    """The same bytes under another dtype; without one, or as `np.ndarray`, another view of the same tensor."""
    if dtype.given and any(isinstance(atom, v.Class) and atom.definition.is_tensor() for atom in dtype.fact):
        raise Decline("an object of a class")
    if dtype.given and not results.is_array_class(dtype.fact):
        check_dtype(dtype)
        names = results.dtype_names(dtype.fact)
        if names is None or a.rank == 0:
            raise Decline("dtype unknown")
        return text(f"{a}.view({dtype})")
    use(dtype)
    return text(f"{a}[...]")


@rule(method="tobytes", returns=results.always(v.TEXT), code="NPT160")
def tobytes(a: ArrayLike, order: Refused = "C") -> Spelling:
    """Through the shim."""
    raise Decline("bytes")


@rule(method="setflags", returns=results.always(v.NONE), code="NPT160")
def setflags(a: ArrayLike, write: Value = None, align: Value = None, uic: Value = None) -> Spelling:
    """Through the shim, which has read-only tensors; the other flags cannot be set."""
    if align.given or uic.given:
        raise UnsupportedError("NPT307", "of these flags only `write` can be set for a tensor.")
    raise Decline("writeable")


@rule(method="resize", returns=results.always(v.NONE), code="NPT160")
def resize(a: ArrayLike, new_shape: ShapeLike, refcheck: Value = True) -> Spelling:
    """Through the shim."""
    raise Decline("in place")


@rule(method="partition", returns=results.always(v.NONE), code="NPT144")
def partition(a: ArrayLike, kth: Value, axis: Value = -1, kind: Value = None, order: Refused = None) -> Spelling:
    """Through the shim, in place."""
    raise Decline("in place")


def reshape_method(bound: BoundArguments) -> v.Fact:
    """`a.reshape(2, 3)` and `a.reshape((2, 3))`."""
    part = results.arraylike(bound["a"].fact, weak=False)
    sizes = bound.rest
    if len(sizes) == 1:
        ranks = results.shape_rank(sizes[0].fact)
    else:
        ranks = frozenset([len(sizes)])
    return results.make(part[0] if part else None, ranks, decays=False)


@rule(method="reshape", returns=reshape_method, code="NPT130")
def reshape(a: ArrayLike, *shape: Value, order: Value = "C", copy: Value = None) -> Spelling:
    """Equal for C order; any number of sizes."""
    raise Decline("order")


ATTRIBUTES = {
    "shape", "ndim", "dtype", "size", "T", "mT", "real", "imag", "flat", "itemsize", "nbytes", "strides", "base",
    "flags", "data", "ctypes", "device",
}  # fmt: skip
"""Data attributes of ndarray; everything else is a method."""
METHOD_NAMES = frozenset(
    "all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate copy cumprod "
    "cumsum diagonal dot dump dumps fill flatten getfield item itemset max mean min newbyteorder nonzero partition "
    "prod ptp put ravel repeat reshape resize round searchsorted setfield setflags sort squeeze std sum swapaxes "
    "take tobytes tofile tolist tostring trace transpose var view".split()
)
"""Methods of ndarray."""
ALSO_TENSORS = frozenset(
    "all any argmax argmin clip conj cumprod cumsum diagonal dot item max mean min nonzero prod ravel repeat reshape "
    "resize round sort squeeze std sum swapaxes take tolist trace transpose var view argsort shape ndim dtype size T "
    "mT real imag itemsize nbytes data device".split()
)
"""Names that tensors have too, whatever they mean there."""
TENSORS_ONLY = frozenset(
    "type dim names numel detach cpu cuda grad float double half long int bool add sub mul div pow abs".split()
)
"""Attributes a tensor has and an ndarray has not."""


def _listed(file: str) -> frozenset[str]:
    text = resources.files("np2torch.rules").joinpath(file).read_text("ascii")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))


ASKED_FOR = _listed("tensor_names.txt") | frozenset({"to", "apply"})
"""All of them: `hasattr(x, "median")` is how code tells the objects of other libraries from arrays."""
DTYPE_ATTRIBUTES = frozenset(
    "kind name char str type names fields isnative byteorder newbyteorder hasobject isbuiltin alignment".split()
)
"""Attributes of dtypes that torch's do not have."""
