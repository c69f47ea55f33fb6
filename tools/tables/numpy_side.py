"""Run NumPy on tiny witness operands and read the dtypes of what comes back."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from np2torch.facts.tables import NUMPY_OPERANDS, WEAK, Result

warnings.simplefilter("ignore")
np.seterr(all="ignore")

# The dtype of these depends on the values; the analyser must not hear of one.
VALUE_DEPENDENT = frozenset({"linalg.eig", "linalg.eigvals", "roots", "poly", "min_scalar_type", "real_if_close"})

# Calls of one vector each, spelled np.NAME(a).
UNARY = """
    sum prod mean std var max min amax amin ptp argmax argmin any all cumsum cumprod cumulative_sum cumulative_prod
    nansum nanprod nanmean nanstd nanvar nanmax nanmin nanargmax nanargmin nancumsum nancumprod nanmedian median average
    count_nonzero sort argsort unique unique_values unique_counts unique_inverse unique_all bincount histogram
    histogram_bin_edges diff ediff1d gradient trapezoid cov corrcoef round around real imag angle nan_to_num fix
    unwrap sinc i0 nonzero flatnonzero argwhere isreal iscomplex isposinf isneginf sort_complex copy ravel flip squeeze
    transpose atleast_1d atleast_2d atleast_3d array asarray ascontiguousarray asanyarray asarray_chkfinite zeros_like
    ones_like empty_like diag diagflat vander trim_zeros polyder polyint
    fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fftshift fft.ifftshift linalg.norm linalg.vector_norm
""".split()
# Calls of one square matrix each.
SQUARE = """
    trace diagonal tril triu fliplr flipud rot90 matrix_transpose
    fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2 fft.fftn fft.ifftn fft.rfftn fft.irfftn
    linalg.inv linalg.pinv linalg.det linalg.slogdet linalg.cond linalg.matrix_rank linalg.matrix_norm linalg.eigh
    linalg.eigvalsh linalg.svd linalg.svdvals linalg.qr linalg.cholesky linalg.trace linalg.diagonal
    linalg.matrix_transpose linalg.tensorinv linalg.eig linalg.eigvals
""".split()
# Calls of two vectors each, spelled np.NAME(a, b).
BINARY = """
    dot inner outer vdot kron convolve correlate cross searchsorted digitize isclose allclose array_equal array_equiv
    isin union1d intersect1d setdiff1d setxor1d append polyval polyadd polysub polymul polydiv
    linalg.outer linalg.cross linalg.vecdot linspace logspace geomspace full_like percentile quantile nanpercentile
    nanquantile meshgrid broadcast_arrays cov corrcoef gradient trapezoid result_type ediff1d
""".split()
SQUARE_BINARY = "linalg.solve linalg.lstsq linalg.matmul matvec vecmat".split()
# Whatever needs other arguments: name/arity -> the call, in a, b, c (vectors), A, B (matrices), s, t, u (scalars).
CALLS = {
    "linalg.matrix_power/1": "np.linalg.matrix_power(A, 2)",
    "linalg.multi_dot/2": "np.linalg.multi_dot([A, B])",
    "linalg.tensorsolve/2": "np.linalg.tensorsolve(A, b)",
    "percentile/1": "np.percentile(a, 30)",
    "quantile/1": "np.quantile(a, 0.3)",
    "nanpercentile/1": "np.nanpercentile(a, 30)",
    "nanquantile/1": "np.nanquantile(a, 0.3)",
    "einsum/1": "np.einsum('i->', a)",
    "einsum/2": "np.einsum('i,i->', a, b)",
    "tensordot/2": "np.tensordot(a, b, 1)",
    "where/2": "np.where([True, False, True][:np.size(a)], a, b)",
    "where/1": "np.where(a)",
    "concatenate/1": "np.concatenate([a, a])",
    "concatenate/2": "np.concatenate([a, b])",
    "stack/2": "np.stack([a, b])",
    "hstack/2": "np.hstack([a, b])",
    "vstack/2": "np.vstack([a, b])",
    "dstack/2": "np.dstack([a, b])",
    "column_stack/2": "np.column_stack([a, b])",
    "array/2": "np.array([s, t])",
    "select/2": "np.select([np.ones(np.shape(a), bool)], [a], b)",
    "choose/2": "np.choose(a, [b, b])",
    "take/2": "np.take(a, np.minimum(b, 0))",
    "insert/2": "np.insert(a, 0, b)",
    "delete/1": "np.delete(a, 0)",
    "repeat/1": "np.repeat(a, 2)",
    "tile/1": "np.tile(a, 2)",
    "roll/1": "np.roll(a, 1)",
    "pad/1": "np.pad(a, 1)",
    "reshape/1": "np.reshape(a, -1)",
    "expand_dims/1": "np.expand_dims(a, 0)",
    "broadcast_to/1": "np.broadcast_to(a, (2, np.size(a)))",
    "clip/2": "np.clip(a, b, None)",
    "clip/3": "np.clip(a, b, c)",
    "interp/3": "np.interp(a, b, c)",
    "polyfit/2": "np.polyfit(a, b, 1)",
    "histogram/2": "np.histogram(a, weights=b)",
    "histogram2d/2": "np.histogram2d(a, b)",
    "bincount/2": "np.bincount(a, weights=b)",
    "average/2": "np.average(a, weights=b)",
    "full/1": "np.full(2, s)",
    "arange/1": "np.arange(s)",
    # Backwards, an unsigned length wraps around to gigabytes: make that witness raise instead.
    "arange/2": "np.arange(s, t if s <= t else 0 // 0)",
    "arange/3": "np.arange(s, t if s <= t else 0 // 0, u)",
    "unique_inverse/1": "np.unique(a, return_inverse=True)[1]",
    "isscalar/1": "np.isscalar(a)",
    "size/1": "np.size(a)",
    "ndim/1": "np.ndim(a)",
}
TWO_ONLY = frozenset({"meshgrid", "broadcast_arrays"})


def functions() -> dict[str, str]:
    """Every call to record, as `name/arity` -> expression."""
    found = {f"{n}/1": f"np.{n}(a)" for n in UNARY} | {f"{n}/1": f"np.{n}(A)" for n in SQUARE}
    found |= {f"{n}/2": f"np.{n}(a, b)" for n in BINARY} | {f"{n}/2": f"np.{n}(A, B)" for n in SQUARE_BINARY}
    for name in dir(np):
        ufunc = getattr(np, name)
        if isinstance(ufunc, np.ufunc):
            found.setdefault(f"{name}/{ufunc.nin}", f"np.{name}({', '.join('abc'[: ufunc.nin])})")
    found |= CALLS
    return {key: call for key, call in sorted(found.items()) if key.split("/")[0] not in VALUE_DEPENDENT}


PLAIN = {"pybool": (True, False), "pyint": (2, 1), "pyfloat": (0.5, 2.0), "pycomplex": (1 + 2j, 2 + 0j)}
SQUARES = (
    np.array([[2.0, 1.0], [1.0, 3.0]]),
    np.array([[2.0]]),
    np.array([[3.0, 1.0, 0.0], [1.0, 4.0, 1.0], [0.0, 1.0, 5.0]]),
    np.array([[1.0, -3.0], [2.0, 1.0]]),
    np.eye(2),
)
VECTORS = tuple(map(np.array, ([1.0, 2.0], [1.0], [1.0, 2.0, 3.0], [-1.0, 2.0], [0.0, 1.0])))


@cache
def witness(operand: str, kind: str, i: int) -> Any:
    """Witness number `i` of a dtype: `v`ector, `m`atrix or `s`calar; a Python number is the same for all three."""
    if operand in WEAK:
        return PLAIN[operand][i % 2]
    values = (SQUARES if kind == "m" else VECTORS)[i]
    if operand.startswith(("u", "b")):
        values = abs(values)
    if operand.startswith("c") and i == 3:
        values = values + 1j
    array = values.astype(operand)
    return array[0] if kind == "s" else array


def dtypes_of(value: Any) -> Result | None:
    """The dtype name of a result, a tuple of them for several arrays, None for what has no dtype of the table."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.name if value.dtype.name in NUMPY_OPERANDS else None
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, tuple | list):
        parts = [dtypes_of(v) for v in value]
        return tuple(p for p in parts if isinstance(p, str)) if all(isinstance(p, str) for p in parts) else None
    name = "py" + type(value).__name__
    return name if name in WEAK else None


def compiled(call: str) -> Callable[..., Any]:
    """The expression as a function of the variables it names, in the order of the operands."""
    function: Callable[..., Any] = eval(f"lambda a, b, c, A, B, s, t, u: {call}", {"np": np})
    return function


def observe(function: Callable[..., Any], operands: tuple[str, ...]) -> set[Result | None]:
    """Every answer over the witnesses; an empty set where NumPy raises for all of them."""
    padded = (*operands, *("float64",) * (3 - len(operands)))
    seen: set[Result | None] = set()
    # With Python numbers only, nothing but their own values can vary: two witnesses show both.
    for i in range(len(VECTORS) if any(o not in WEAK for o in operands) else 2):
        vectors = [witness(o, "v", i) for o in padded]
        matrices = [witness(o, "m", i) for o in padded[:2]]
        scalars = [witness(o, "s", i) for o in padded]
        try:
            seen.add(dtypes_of(function(*vectors, *matrices, *scalars)))
        except Exception:  # whatever a function raises for an operand, it gives no result
            continue
    return seen


def grid(call: str, arity: int) -> Iterator[Result | None]:
    """The answer for every combination of operands, in the order of the data file."""
    function = compiled(call)
    for operands in itertools.product(NUMPY_OPERANDS, repeat=arity):
        seen = observe(function, operands)
        if len(seen) > 1:
            raise ValueError(f"{call} depends on the values for {operands}: {seen}; add it to VALUE_DEPENDENT")
        yield seen.pop() if seen else None


def can_cast(source: str, target: str, casting: Any) -> bool:
    """`np.can_cast`, and for a Python number the test NumPy makes for `target_array += number`."""
    if source in WEAK:
        source = str(np.result_type(PLAIN[source][0], np.dtype(target)).name)
    return bool(np.can_cast(source, target, casting))
