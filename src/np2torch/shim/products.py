"""Products of vectors, matrices and tensors: dot, matmul, einsum and their relatives.

torch wants operands of one dtype and has no bool or wide unsigned kernels; NumPy promotes, takes bool as
or-of-ands and lets integers wrap. `promoted` bridges that once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from np2torch.shim import _core, _promotion
from np2torch.shim._casting import castable
from np2torch.shim._core import ArrayLike, AxisError, DTypeLike, OutArray, as_index, asarray, normalized
from np2torch.shim._layout import laid_out
from np2torch.shim._numpy_fallback import or_numpys
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import Tensor

__all__ = [
    "dot", "einsum", "einsum_path", "inner", "kron", "matmul", "matvec", "outer", "tensordot", "trace", "vdot",
    "vecdot", "vecmat",
]  # fmt: skip


DIRECT = (torch.float32, torch.float64, torch.complex64, torch.complex128)


def _alike(operands: Sequence[Any]) -> bool:
    """Tell whether all operands are tensors of one dtype, in which torch multiplies as NumPy does."""
    dtype = operands[0].dtype if operands and type(operands[0]) is Tensor else None
    return dtype in DIRECT and all(type(x) is Tensor and x.dtype is dtype for x in operands)


def promoted(product: Callable[..., Tensor], *operands: Tensor, dtype: torch.dtype | None = None) -> Tensor:
    """Apply a sum of products in NumPy's common dtype: bool is or-of-ands, wide unsigned integers go by int64."""
    if dtype is None and len(operands) == 2 and operands[0].dtype is operands[1].dtype in DIRECT:
        try:
            return product(*operands)
        except RuntimeError:  # the long way says what NumPy would
            pass
    common = dtype or _promotion.promote(*(x.dtype for x in operands))
    work = torch.int64 if common is torch.bool or common in _promotion.UNSIGNED[1:] else common
    try:
        result = product(*(x.to(work) for x in operands))
    except RuntimeError as error:
        if isinstance(error, (torch.OutOfMemoryError, NotImplementedError)):
            raise
        raise ValueError(str(error)) from None  # the class NumPy raises for shapes that do not fit
    return result != 0 if common is torch.bool else result.to(common)


def _aligned(a: Tensor, axis_a: int, b: Tensor, axis_b: int) -> None:
    if a.shape[axis_a] != b.shape[axis_b]:
        at = [axis % x.ndim for axis, x in ((axis_a, a), (axis_b, b))]
        shapes = f"shapes {tuple(a.shape)} and {tuple(b.shape)} not aligned"
        raise ValueError(f"{shapes}: {a.shape[axis_a]} (dim {at[0]}) != {b.shape[axis_b]} (dim {at[1]})")


def _exactly(out: Tensor | None, result: Tensor) -> Tensor:
    """Write into an `out` that must already have the dtype and shape of the result, as `dot` demands."""
    if out is None:
        return result
    if out.shape != result.shape or out.dtype is not result.dtype or not out.is_contiguous():
        raise ValueError(
            "output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)"
        )
    return out.copy_(result)


def _multiplied(a: Tensor, b: Tensor) -> Tensor:
    """The matrix product, also of integers where a device has none for them."""
    is_whole = not (a.is_cpu or a.dtype.is_floating_point or a.dtype.is_complex)
    return _by_sums(a, b) if is_whole else torch.matmul(a, b)


def _by_sums(a: Tensor, b: Tensor) -> Tensor:
    """The matrix product as sums of elementwise products."""
    x = a.unsqueeze(0) if a.ndim == 1 else a
    y = b.unsqueeze(1) if b.ndim == 1 else b
    found = (x.unsqueeze(-1) * y.unsqueeze(-3)).sum(-2, dtype=x.dtype)
    found = found.squeeze(-1) if b.ndim == 1 else found
    return found.squeeze(-1 if b.ndim == 1 else -2) if a.ndim == 1 else found


def _contract(a: Tensor, b: Tensor, axis_b: int) -> Tensor:
    """Sum over the last axis of `a` and one of `b`; a 0-D operand scales the other."""
    if not a.ndim or not b.ndim:
        return promoted(torch.mul, a, b)
    axis_b = axis_b if b.ndim > 1 else -1
    _aligned(a, -1, b, axis_b)
    if a.ndim <= 2 and b.ndim <= 2:
        return promoted(_multiplied, a, b.movedim(axis_b, 0))
    return promoted(lambda x, y: torch.tensordot(x, y, dims=([-1], [axis_b])), a, b)


@or_numpys
def dot(a: Any, b: Any, out: Any = None) -> Tensor:
    """`numpy.dot`: the last axis of `a` with the second to last of `b` (which for 3-D is not `matmul`)."""
    if out is None and type(a) is Tensor and type(b) is Tensor and a.dtype is b.dtype in DIRECT:
        if 0 < a.ndim < 3 and 0 < b.ndim < 3:
            try:
                return torch.matmul(a, b)
            except RuntimeError:  # the long way says what NumPy would
                pass
    return _exactly(out, _contract(asarray(a), asarray(b), -2))


@normalized
def inner(a: ArrayLike, b: ArrayLike, /) -> Tensor:
    """`numpy.inner`: the last axes of both."""
    return _contract(a, b, -1)


@normalized
@by_numpy
def vdot(a: ArrayLike, b: ArrayLike, /) -> Tensor:
    """`numpy.vdot`: the flattened arrays, the first one conjugated."""
    a, b = a.reshape(-1), b.reshape(-1)
    if a.shape != b.shape:
        raise ValueError(f"cannot reshape array of size {b.numel()} into shape {tuple(a.shape)}")
    return _contract(a.conj(), b, -1)


@normalized
def outer(a: ArrayLike, b: ArrayLike, out: OutArray = None) -> Tensor:
    """`numpy.outer`: every product of two elements; both operands are flattened."""
    if a.ndim == b.ndim == 1 and a.dtype is b.dtype in DIRECT:
        return torch.outer(a, b)
    return promoted(torch.mul, a.reshape(-1, 1), b.reshape(1, -1))


@normalized
@by_numpy
def kron(a: ArrayLike, b: ArrayLike) -> Tensor:
    """`numpy.kron`: the Kronecker product."""
    return promoted(lambda x, y: torch.kron(x.contiguous(), y.contiguous()), a, b)


@or_numpys
def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """`numpy.tensordot`: sum over the last `axes` of `a` and the first of `b`, or over a pair of axis lists."""
    a, b = asarray(a), asarray(b)
    try:
        axes_a, axes_b = axes
    except TypeError:
        count = int(axes)
        axes_a, axes_b = list(range(-count, 0)), list(range(count))
    lists = []
    for x, chosen in ((a, axes_a), (b, axes_b)):
        chosen = _core.as_axis(chosen.tolist() if isinstance(chosen, Tensor) else chosen)
        lists.append(_core.axes_of(chosen if isinstance(chosen, tuple) else (chosen,), x.ndim))
    if [a.shape[i] for i in lists[0]] != [b.shape[i] for i in lists[1]]:
        raise ValueError("shape-mismatch for sum")
    return promoted(lambda x, y: torch.tensordot(x, y, dims=lists), a, b)


@normalized
def trace(
    a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike = None, out: OutArray = None
) -> Tensor:
    """`numpy.trace`: the sum along a diagonal; small integers are summed in 64 bits."""
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    if (axis1, axis2) != (0, 1) and _core.axes_of(axis1, a.ndim) == _core.axes_of(axis2, a.ndim):
        raise ValueError("axis1 and axis2 cannot be the same")
    if dtype is None and a.dtype.is_floating_point:
        return torch.diagonal(a, int(offset), axis1, axis2).sum(-1)
    if dtype is None:
        whole = torch.uint64 if a.dtype in _promotion.UNSIGNED else torch.int64
        dtype = a.dtype if _promotion.kind(a.dtype) > 1 else whole
    line = torch.diagonal(a, int(offset), axis1, axis2)
    if dtype is a.dtype and dtype.is_floating_point:
        return line.sum(-1)
    return line.to(torch.int64).sum(-1).to(dtype) if dtype is torch.uint64 else line.to(dtype).sum(-1, dtype=dtype)


# ------------------------------------------------------------------------------------- generalised ufuncs
SIGNATURES = {
    "matmul": "(n?,k),(k,m?)->(n?,m?)", "vecdot": "(n),(n)->()", "matvec": "(m,n),(n)->(m)", "vecmat": "(n),(n,m)->(m)",
}  # fmt: skip
"""The core dimensions of operands and result, as NumPy writes them."""


def _gufunc(
    name: str, core: tuple[int, int, int], kernel: Callable[[Tensor, Tensor], Tensor], doc: str
) -> Callable[..., Any]:
    """A product over the last `core` axes of its operands that broadcasts over the rest."""

    def function(
        x1: ArrayLike,
        x2: ArrayLike,
        /,
        out: OutArray = None,
        *,
        axes: Any = None,
        axis: Any = None,
        keepdims: bool = False,
        casting: str = "same_kind",
        order: str = "K",
        dtype: DTypeLike = None,
        subok: bool = True,
    ) -> Tensor:
        if type(keepdims) is not bool:
            raise TypeError("'keepdims' must be a boolean")
        plain = axes is None and axis is None and dtype is None and not keepdims
        if plain and x1.ndim >= core[0] and x2.ndim >= core[1]:
            return promoted(kernel, x1, x2)
        _check_dimensions(name, (x1, core[0]), (x2, core[1]))
        if (axis is not None or keepdims) and core[2]:
            raise TypeError(f"{name}() does not support axis or keepdims: its results have axes of their own")
        entries = _entries(axes, axis, keepdims, not core[2])
        _check_core(name, entries, _core_of(x1, x2) if core == (1, 1, 2) else core, keepdims)
        x1, x2 = (_moved(x1, entries[0]), _moved(x2, entries[1])) if entries else (x1, x2)
        result = promoted(kernel, x1, x2, dtype=dtype)
        last = entries[2] if len(entries) > 2 else ()
        if keepdims:
            return result.unsqueeze(last[0] if last else -1)
        return result.movedim(tuple(range(-len(last), 0)), last) if core[2] and last else result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    made = normalized(function)
    made.__dict__.update(nin=2, nout=1, nargs=3, identity=None, signature=SIGNATURES[name])
    return made


def _check_dimensions(name: str, *needs: tuple[Tensor, int]) -> None:
    """Refuse operands that lack core dimensions."""
    for i, (x, need) in enumerate(needs):
        if x.ndim < need:
            raise ValueError(f"{name}: operand {i} does not have enough dimensions (has {x.ndim}, requires {need})")


def _entries(axes: Any, axis: Any, keepdims: bool, may_lack_last: bool) -> list[tuple[Any, ...]]:
    """The core axes of the operands and of the result, as they are passed."""
    if axis is not None and axes is not None:
        raise TypeError("cannot specify both 'axis' and 'axes'")
    if axis is not None:
        axes = [(axis,), (axis,), (axis,) if keepdims else ()]
    if axes is None:
        return []
    if not isinstance(axes, list):
        raise TypeError("axes should be a list.")
    if len(axes) != 3 and not (may_lack_last and len(axes) == 2):
        raise ValueError("axes should be a list with an entry for each of 3 inputs and outputs")
    return [entry if isinstance(entry, tuple) else (entry,) for entry in axes]


def _core_of(x1: Tensor, x2: Tensor) -> tuple[int, int, int]:
    """Count the core dimensions of `matmul`, which may do without some."""
    one, other = min(x1.ndim, 2), min(x2.ndim, 2)
    return one, other, one + other - 2


def _check_core(name: str, entries: list[tuple[Any, ...]], core: tuple[int, int, int], keepdims: bool) -> None:
    """Refuse more or less axes than there are core dimensions."""
    for i, (entry, need) in enumerate(zip(entries, core, strict=False)):
        if len(entry) != need + (i == 2 and keepdims):
            said = f"operand {i} has {need} core dimensions, but {len(entry)} dimensions are specified by axes tuple."
            raise AxisError(f"{name}: {said}")
        tuple(map(as_index, entry))


def _moved(x: Tensor, entry: tuple[Any, ...]) -> Tensor:
    """The operand with its core axes last."""
    return x.movedim(entry, tuple(range(-len(entry), 0)))


def _matmul(a: Tensor, b: Tensor) -> Tensor:
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        rows = b.shape[-2 if b.ndim > 1 else 0]
        raise ValueError(f"matmul: mismatch in the core dimension (size {rows} is different from {a.shape[-1]})")
    return _multiplied(a, b)


def _vecdot(a: Tensor, b: Tensor) -> Tensor:
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"mismatch in the core dimension (size {b.shape[-1]} is different from {a.shape[-1]})")
    return _matmul(a.conj().unsqueeze(-2), b.unsqueeze(-1))[..., 0, 0]


matmul = _gufunc("matmul", (1, 1, 2), _matmul, "`numpy.matmul` (`@`): mixed dtypes promote, bool is or-of-ands.")
vecdot = _gufunc("vecdot", (1, 1, 0), _vecdot, "`numpy.vecdot`: products of vectors, the first conjugated.")
matvec = _gufunc(
    "matvec", (2, 1, 1), lambda a, b: _matmul(a, b.unsqueeze(-1))[..., 0], "`numpy.matvec`: matrices with vectors."
)
vecmat = _gufunc(
    "vecmat", (1, 2, 1), lambda a, b: _matmul(a.conj().unsqueeze(-2), b)[..., 0, :],
    "`numpy.vecmat`: vectors, conjugated, with matrices.",
)  # fmt: skip


# ------------------------------------------------------------------------------------------------ einsum
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _parse(operands: tuple[Any, ...]) -> tuple[str, list[Tensor]]:
    """Subscripts and operands of either calling form."""
    if len(operands) < 2:
        raise ValueError("must specify the einstein sum subscripts string and at least one operand")
    if isinstance(operands[0], str):
        return operands[0].replace(" ", ""), [asarray(x) for x in operands[1:]]
    pairs = len(operands) // 2
    terms = [_term(operands[2 * i + 1]) for i in range(pairs)]
    target = "->" + _term(operands[-1]) if len(operands) % 2 else ""
    return ",".join(terms) + target, [asarray(operands[2 * i]) for i in range(pairs)]


def _term(labels: Any) -> str:
    if any(label is not Ellipsis and not 0 <= int(label) < len(_LETTERS) for label in labels):
        raise ValueError("subscript is not within the valid range [0, 52)")
    return "".join("..." if label is Ellipsis else _LETTERS[int(label)] for label in labels)


def _check(subscripts: str, arrays: list[Tensor]) -> None:
    terms = subscripts.split("->")[0].split(",")
    if any("." in term.replace("...", "", 1) for term in (*terms, subscripts.partition("->")[2])):
        raise ValueError("Invalid Ellipses.")
    if len(terms) != len(arrays):
        more, fewer = ("more", "fewer") if len(arrays) > len(terms) else ("fewer", "more")
        raise ValueError(
            f"{more} operands provided to einstein sum function than specified in the subscripts ({fewer})"
        )
    for i, (term, x) in enumerate(zip(terms, arrays, strict=True)):
        letters = term.replace("...", "")
        if len(letters) > x.ndim or (len(letters) < x.ndim and "..." not in term):
            many = "many" if len(letters) > x.ndim else "few"
            raise ValueError(f"einstein sum subscripts string contains too {many} subscripts for operand {i}")
        front, _, back = term.partition("...")
        sizes = dict(zip(front, x.shape, strict=False))
        for letter, size in [*zip(front, x.shape, strict=False), *zip(back[::-1], reversed(x.shape), strict=False)]:
            if (known := sizes.setdefault(letter, size)) != size:
                said = f"dimensions in operand {i} for collapsing index '{letter}' don't match ({known} != {size})"
                raise ValueError(said)


def _check_path(optimize: Any, count: int) -> None:
    """A path that is given must leave one operand of those there are (RuntimeError)."""
    if isinstance(optimize, (list, tuple)) and optimize and optimize[0] == "einsum_path":
        left = count - sum(len(pair) - 1 for pair in optimize[1:])
        if left != 1:
            raise RuntimeError(f"Invalid einsum_path is specified: {left - 1} more operands has to be contracted.")


@or_numpys
def einsum(
    *operands: Any,
    out: Any = None,
    optimize: Any = False,
    dtype: Any = None,
    order: str = "K",
    casting: str = "safe",
) -> Tensor:
    """`numpy.einsum`, in the string form and the interleaved one; `optimize` changes nothing."""
    plain = out is None and dtype is None and order == "K" and casting == "safe"
    if plain and not isinstance(optimize, (list, tuple)) and _alike(operands[1:]):
        try:
            found: Tensor = torch.einsum(operands[0], *operands[1:])
            return found
        except (RuntimeError, TypeError):  # the long way says what NumPy would
            pass
    subscripts, arrays = _parse(operands)
    if order in ("A", "a") and len(arrays) > 1:
        order = "F" if all(x.permute(*range(x.ndim)[::-1]).is_contiguous() for x in arrays) else "C"
    _check(subscripts, arrays)
    _check_path(optimize, len(arrays))
    common = _promotion.promote(*(x.dtype for x in arrays))
    target = _promotion.as_dtype(dtype) or common
    if not castable(common, target, casting):
        said = f"from {str(common)[6:]} to {str(target)[6:]} according to the rule '{casting}'"
        raise TypeError(f"cannot cast operands {said}")
    # torch sums small integers in int64, and meets itself
    work = torch.int64 if _promotion.kind(target) == 1 else target
    result = promoted(lambda *given: torch.einsum(subscripts, *given), *arrays, dtype=work).to(target)
    if out is None:
        return laid_out(result, order)
    place: Tensor = out[0] if isinstance(out, tuple) else out
    target = (written := _core.destination(place)).dtype
    if not castable(result.dtype, target, casting):
        said = f"from {str(result.dtype)[6:]} to {str(target)[6:]} according to the rule '{casting}'"
        raise TypeError(f"Cannot cast output {said}")
    _core.into(written, result, "unsafe")
    return place


def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> tuple[list[Any], str]:
    """`numpy.einsum_path`: a list and a text that depend on shapes alone, and come from NumPy itself."""
    import numpy

    if einsum_call:
        raise NotImplementedError("einsum_call is for NumPy's own use")
    shapes = [numpy.broadcast_to(0, x.shape) if isinstance(x, Tensor) else x for x in operands]
    found: tuple[list[Any], str] = numpy.einsum_path(*shapes, optimize=optimize)
    return found
