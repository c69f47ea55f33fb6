"""`numpy.linalg` on tensors: all is computed in double precision, failures raise `LinAlgError`."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch

from np2torch.shim import _promotion, calculus, products
from np2torch.shim._core import ArrayLike, ArraySeq, LinAlgError, OutArray, as_index, asarray, beside, normalized
from np2torch.shim._double_precision import in_double, widened
from np2torch.shim._errors import wrong
from np2torch.shim._norms import matrix_norm, norm, vector_norm
from np2torch.shim._numpy_fallback import or_numpys
from np2torch.shim._promotion import Tensor
from np2torch.shim._small_matrices import small_by_numpy
from np2torch.shim._transforms import are_values
from np2torch.shim.products import matmul, tensordot, vecdot

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq",
    "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv",
    "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot",
    "vector_norm",
]  # fmt: skip


class EigResult(NamedTuple):
    """Result of `eig`."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class EighResult(NamedTuple):
    """Result of `eigh`."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """Result of `qr`."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """Result of `slogdet`."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """Result of `svd`."""

    U: Tensor
    S: Tensor
    Vh: Tensor


# ------------------------------------------------------------------------------------------------- operands
def _inexact(*arrays: Tensor) -> list[Tensor]:
    """In the dtype LAPACK computes in: at least float64 for integers and bools."""
    if all(x.dtype is torch.float64 for x in arrays):
        return list(arrays)
    dtype = _promotion.promote(*(_promotion.mean_dtype(x.dtype) for x in arrays))
    if dtype is torch.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    return [x.to(dtype) for x in arrays]


def _matrix(a: Any) -> Tensor:
    (x,) = _inexact(asarray(a))
    if x.ndim < 2:
        raise LinAlgError(f"{x.ndim}-dimensional array given. Array must be at least two-dimensional")
    return x


def _square(a: Any) -> Tensor:
    x = _matrix(a)
    if x.shape[-1] != x.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return x


def _eps(x: Tensor) -> float:
    return torch.finfo(x.dtype).eps


@contextlib.contextmanager
def _failing_with(message: str) -> Iterator[None]:
    try:
        yield
    except torch.linalg.LinAlgError:  # type: ignore[attr-defined]
        raise LinAlgError(message) from None


def _triangle(uplo: str) -> str:
    if uplo.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return uplo.upper()


# ------------------------------------------------------------------------------------- systems and inverses
@small_by_numpy
@in_double()
def inv(a: Any) -> Tensor:
    """`numpy.linalg.inv`; raises LinAlgError for singular matrices."""
    x = _square(a)
    with _failing_with("Singular matrix"):
        found: Tensor = torch.linalg.inv(x)
    return found


@small_by_numpy
@in_double(2)
def solve(a: Any, b: Any) -> Tensor:
    """`numpy.linalg.solve`: `b` is a vector only when it is 1-D, otherwise a (stack of) matrices."""
    x = _square(a)
    x, y = _inexact(x, asarray(b))
    vector = y.ndim == 1
    y = y.unsqueeze(-1) if vector else y
    if y.ndim == 0 or x.shape[-1] != y.shape[-2]:
        raise ValueError(f"solve: sizes do not match ({tuple(x.shape)} and {tuple(y.shape)})")
    y = y.reshape((1,) * (x.ndim - y.ndim) + y.shape)  # torch takes fewer axes for a stack of vectors
    with _failing_with("Singular matrix"):
        found: Tensor = torch.linalg.solve(x, y)
    return found.squeeze(-1) if vector else found


def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Any = None) -> Tensor:
    """`numpy.linalg.tensorsolve`: solve `tensordot(a, x, x.ndim) = b`."""
    a, b = asarray(a), asarray(b)
    if axes is not None:
        rest = [i for i in range(a.ndim) if i not in axes]
        a = a.permute(rest + list(axes))
    shape = a.shape[b.ndim :]
    if math.prod(shape) ** 2 != a.numel():
        raise LinAlgError("Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return solve(a.reshape(math.prod(shape), math.prod(shape)), b.reshape(-1)).reshape(shape)


@normalized
def tensorinv(a: ArrayLike, ind: int = 2) -> Tensor:
    """`numpy.linalg.tensorinv`: the inverse with respect to `tensordot(a, b, ind)`."""
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    shape = a.shape[ind:] + a.shape[:ind]
    return inv(a.reshape(math.prod(a.shape[:ind]), math.prod(a.shape[ind:]))).reshape(shape)


@small_by_numpy
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = ...) -> Tensor:
    """`numpy.linalg.pinv`: singular values below `rcond` (1e-15) times the largest count as zero."""
    x = _matrix(a)
    if rcond is not None and rtol is not ...:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    given = 1e-15 if rcond is None and rtol is ... else rcond if rcond is not None else rtol
    cut = asarray(max(x.shape[-2:]) * _eps(x) if given is None else given).to(x.device)
    if x.numel() == 0:
        return x.new_empty((*x.shape[:-2], x.shape[-1], x.shape[-2]))
    u, s, vh = svd(x.conj(), full_matrices=False, hermitian=hermitian)
    large = s > cut.unsqueeze(-1) * s.amax(-1, keepdim=True)
    s = torch.where(large, 1 / torch.where(large, s, 1), 0).to(s.dtype)
    found: Tensor = vh.mT @ (s.unsqueeze(-1) * u.mT)
    return found


@in_double(2)
def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """`numpy.linalg.lstsq`: solution, residuals, rank, singular values.

    The residuals are empty unless the system is overdetermined and of full rank.
    """
    x, y = _inexact(_matrix(a), asarray(b))
    if x.ndim != 2 or y.ndim not in (1, 2):
        raise LinAlgError(f"{max(x.ndim, y.ndim)}-dimensional array given. Array must be two-dimensional")
    vector = y.ndim == 1
    y = y.unsqueeze(-1) if vector else y
    (m, n), k = x.shape, y.shape[-1]
    if m != y.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    u, s, vh = svd(x, full_matrices=False)
    if rcond is None:
        rcond = _eps(x) * max(m, n)
    elif not 0 < rcond < 1:
        rcond = _eps(x) / 2  # LAPACK's precision of the machine
    large = s > rcond * s[0] if s.numel() else s > 0
    rank = large.sum()
    scale = torch.where(large, 1 / torch.where(large, s, 1), 0).to(x.dtype)
    found = vh.mH @ (scale.unsqueeze(-1) * (u.mH @ y)) if s.numel() else x.new_zeros(n, k)
    residuals = (torch.abs(y - x @ found) ** 2).sum(0) if m > n and int(rank) == n else s.new_empty(0)
    return found.squeeze(-1) if vector else found, residuals, rank.to(torch.int32), s


# --------------------------------------------------------------------------------------------- determinants
@small_by_numpy
@in_double()
def det(a: Any) -> Tensor:
    """`numpy.linalg.det`."""
    found: Tensor = torch.linalg.det(_square(a))
    return found


@in_double()
def slogdet(a: Any) -> SlogdetResult:
    """`numpy.linalg.slogdet`: sign (or phase) and logarithm of the absolute value of the determinant."""
    return SlogdetResult(*torch.linalg.slogdet(_square(a)))


# ------------------------------------------------------------------------------------------- decompositions
def _spectrum(a: Any, decompose: Callable[[Tensor], tuple[Tensor, ...]]) -> tuple[Tensor, ...]:
    x = _square(a)
    if wrong(~torch.isfinite(x), said := "Array must not contain infs or NaNs"):
        raise LinAlgError(said)
    with _failing_with("Eigenvalues did not converge"):
        found = decompose(x)
    if not x.is_complex() and not bool(found[0].imag.any()):  # NumPy: real unless some eigenvalue is not
        return tuple(item.real for item in found)
    return found


def _by_lapack(name: str, x: Tensor, *options: Any) -> list[Tensor] | None:
    """Compute by NumPy's own LAPACK; None outside the CPU, in graphs and in transforms.

    An eigenvector times any number of absolute value one is one too. Which of them comes out, and in which order those
    of a matrix that is not Hermitian, is up to the LAPACK in use, and torch's is another than NumPy's.
    """
    if torch.compiler.is_compiling() or not x.is_cpu:
        return None
    try:
        host = (x.detach().resolve_conj() if x.requires_grad or x.is_complex() else x).numpy()
    except RuntimeError:  # under vmap and its like
        return None
    import numpy

    try:
        found = getattr(numpy.linalg, name)(host, *options)
        return [torch.from_numpy(part) for part in (found if isinstance(found, tuple) else (found,))]
    except numpy.linalg.LinAlgError as error:
        raise LinAlgError(*error.args) from None


def _eig(x: Tensor) -> tuple[Tensor, ...]:
    found = None if x.requires_grad else _by_lapack("eig", x)
    return tuple(torch.linalg.eig(x)) if found is None else tuple(part.to(torch.complex128) for part in found)


def _eigvals(x: Tensor) -> tuple[Tensor, ...]:
    found = None if x.requires_grad else _by_lapack("eigvals", x)
    return (torch.linalg.eigvals(x) if found is None else found[0].to(torch.complex128),)


def _turned(vectors: Tensor, like: Tensor) -> Tensor:
    """The vectors times the numbers of absolute value one that turn them into others."""
    turn = (vectors.conj() * like).sum(-2, keepdim=True)
    return vectors * torch.where(turn == 0, 1, torch.sgn(turn)).detach()


@in_double()
def eig(a: Any) -> EigResult:
    """`numpy.linalg.eig`: real results when every eigenvalue of a real matrix is real."""
    if type(a) is Tensor and a.dtype is torch.float64 and are_values(a):
        values, vectors = _by_lapack("eig", _square(a)) or _spectrum(a, _eig)
        return EigResult(values, vectors)
    return EigResult(*_spectrum(a, _eig))


@in_double()
def eigvals(a: Any) -> Tensor:
    """`numpy.linalg.eigvals`: real when every eigenvalue of a real matrix is real."""
    return _spectrum(a, _eigvals)[0]


@in_double()
def eigh(a: Any, UPLO: str = "L") -> EighResult:
    """`numpy.linalg.eigh`: eigenvalues (ascending) and eigenvectors of Hermitian matrices."""
    triangle = _triangle(UPLO)
    x = _square(a)
    found = _by_lapack("eigh", x, triangle)
    if found is not None and not x.requires_grad:
        return EighResult(*found)
    with _failing_with("Eigenvalues did not converge"):
        values, vectors = torch.linalg.eigh(x, UPLO=triangle)
    return EighResult(values, vectors if found is None else _turned(vectors, found[1]))


@in_double()
def eigvalsh(a: Any, UPLO: str = "L") -> Tensor:
    """`numpy.linalg.eigvalsh`: eigenvalues of Hermitian matrices, ascending."""
    triangle = _triangle(UPLO)
    with _failing_with("Eigenvalues did not converge"):
        found: Tensor = torch.linalg.eigvalsh(_square(a), UPLO=triangle)
    return found


@in_double()
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """`numpy.linalg.svd`: (U, S, Vh), or S alone without `compute_uv`."""
    x = _matrix(a)
    if hermitian:
        w, v = eigh(x)
        order = torch.argsort(torch.abs(w), dim=-1, descending=True, stable=True)
        s = torch.abs(w).gather(-1, order)
        if not compute_uv:
            return s
        sign = torch.copysign(torch.ones_like(w), w).gather(-1, order)  # never 0: V stays unitary
        u = v.gather(-1, order.unsqueeze(-2).expand(v.shape))
        return SVDResult(u, s, (u * sign.unsqueeze(-2)).mH.resolve_conj())
    with _failing_with("SVD did not converge"):
        if not compute_uv:
            return torch.linalg.svdvals(x)
        return SVDResult(*torch.linalg.svd(x, full_matrices=full_matrices))


def svdvals(x: Any, /) -> Tensor:
    """`numpy.linalg.svdvals`: singular values, descending."""
    found: Tensor = svd(x, compute_uv=False)
    return found


@in_double()
def qr(a: Any, mode: str = "reduced") -> Any:
    """`numpy.linalg.qr`: (Q, R), R alone for mode "r", the Householder form for "raw"."""
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    x = _matrix(a)
    if mode == "raw":
        h, tau = torch.geqrf(x)
        return h.mT, tau
    found = torch.linalg.qr(x, mode="reduced" if x.requires_grad and mode == "r" else mode)  # R alone has no gradient
    return found[1] if mode == "r" else QRResult(*found)


@in_double()
def cholesky(a: Any, /, *, upper: bool = False) -> Tensor:
    """`numpy.linalg.cholesky`; raises LinAlgError unless positive definite."""
    x = _square(a)
    with _failing_with("Matrix is not positive definite"):
        found: Tensor = torch.linalg.cholesky(x, upper=upper)
    return found


# ------------------------------------------------------------------------------------------------- numbers
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """`numpy.linalg.matrix_rank`: the number of singular values above the tolerance; a vector has rank 0 or 1."""
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    x = asarray(A)
    if x.ndim < 2:
        return int(bool((x != 0).any()))
    s = svd(x, compute_uv=False, hermitian=hermitian)
    if tol is None:
        relative = max(x.shape[-2:]) * _eps(s) if rtol is None else beside(rtol, s)
        top = s.amax(-1, keepdim=True) if s.shape[-1] else s.new_zeros((*s.shape[:-1], 1))
        limit = top * (relative.unsqueeze(-1) if isinstance(relative, Tensor) else relative)
    else:
        limit = beside(tol, s).unsqueeze(-1)
    return (s > limit).sum(-1)


def cond(x: Any, p: Any = None) -> Tensor:
    """`numpy.linalg.cond`: infinite for singular matrices instead of an error."""
    a = _matrix(x)
    if a.numel() == 0:
        raise LinAlgError("cond is not defined on empty arrays")
    if p is None or p in (2, -2):
        s = svd(a, compute_uv=False)
        found = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        a = _square(a)
        inverse, failed = torch.linalg.inv_ex(widened(a))
        found = norm(a, ord=p, axis=(-2, -1)) * norm(inverse, ord=p, axis=(-2, -1))
        found = torch.where(failed != 0, math.inf, found).to(_promotion.real_dtype(a.dtype))
    return torch.where(torch.isnan(found) & ~torch.isnan(a).any(-1).any(-1), math.inf, found)


# ------------------------------------------------------------------------------------------------ products
@or_numpys
def matrix_power(a: Any, n: Any) -> Tensor:
    """`numpy.linalg.matrix_power`: integers stay integers for n >= 0."""
    x = asarray(a)
    if x.ndim < 2:
        raise LinAlgError(f"{x.ndim}-dimensional array given. Array must be at least two-dimensional")
    if x.shape[-1] != x.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    try:
        n = as_index(n)
    except TypeError:
        raise TypeError("exponent must be an integer") from None
    if n == 0:
        return torch.eye(x.shape[-1], device=x.device).to(x.dtype).expand(x.shape).clone()
    if n == 1:
        return x
    x, n, result = inv(x) if n < 0 else x, abs(n), None
    square = x
    while n:
        if n & 1:
            result = square if result is None else matmul(result, square)
        n >>= 1
        square = matmul(square, square) if n else square
    assert result is not None
    return result.clone() if result is x else result


@normalized
def multi_dot(arrays: ArraySeq, *, out: OutArray = None) -> Tensor:
    """`numpy.linalg.multi_dot`: a chain of products in the cheapest order; the ends may be vectors."""
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if any(x.ndim != 2 for x in arrays[1:-1]) or any(x.ndim not in (1, 2) for x in (arrays[0], arrays[-1])):
        raise LinAlgError("array given must be two-dimensional (the first and last may be 1-dimensional)")
    if len(arrays) > 2 and _promotion.kind(arrays[0].dtype) > 1 and len({x.dtype for x in arrays}) == 1:
        return products.promoted(lambda *xs: torch.linalg.multi_dot(xs), *arrays)
    if len(arrays) == 3:  # of several dtypes the order shows: bools multiply to bools
        a, b, c = arrays
        rows, columns = a.shape[0] if a.ndim > 1 else 1, c.shape[1] if c.ndim > 1 else 1
        if rows * b.shape[1] * (b.shape[0] + columns) >= b.shape[0] * columns * (rows + b.shape[1]):
            return products.dot(a, products.dot(b, c))
    return functools.reduce(products.dot, arrays)


def matrix_transpose(x: Any, /) -> Tensor:
    """`numpy.linalg.matrix_transpose`: the last two axes swapped, as a view."""
    a = asarray(x)
    if a.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {a.ndim}")
    return a.mT


def outer(x1: Any, x2: Any, /) -> Tensor:
    """`numpy.linalg.outer`: the outer product of two vectors; unlike `numpy.outer` it flattens nothing."""
    a, b = asarray(x1), asarray(x2)
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are a.ndim={a.ndim} and b.ndim={b.ndim}.")
    found: Tensor = products.outer(a, b)
    return found


def diagonal(x: Any, /, *, offset: int = 0) -> Tensor:
    """`numpy.linalg.diagonal`: of the last two axes."""
    a = asarray(x)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return torch.diagonal(a, offset, -2, -1)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """`numpy.linalg.trace`: of the last two axes."""
    found: Tensor = products.trace(x, offset, -2, -1, dtype)
    return found


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    """`numpy.linalg.cross`: of 3-dimensional vectors only."""
    a, b = asarray(x1), asarray(x2)
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, "
            f"but they are {a.shape[axis]} and {b.shape[axis]} dimensional instead."
        )
    if a.dtype is b.dtype is torch.bool:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
    return calculus.cross(a, b, axis=axis)
