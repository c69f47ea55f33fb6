"""Linear algebra against NumPy: dtypes, stacks, singular and empty matrices, every norm."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import linalg
from np2torch.verify.compare import difference

rng = np.random.default_rng(3)
DTYPES = ["f8", "f4", "f2", "i8", "u1", "?", "c8", "c16"]
LOOSE = {"rtol": 1e-10, "atol": 1e-12}


def make(*shape: int, dtype: str = "f8") -> Any:
    x = rng.normal(size=shape) * 3
    return (x > 0) if dtype == "?" else np.abs(x).astype(dtype) if dtype == "u1" else (
        x + 1j * rng.normal(size=shape) if dtype[0] == "c" else x).astype(dtype)  # fmt: skip


def hermitian(n: int, dtype: str = "f8") -> Any:
    x = make(n, n, dtype=dtype)
    return x + x.conj().T


def positive(n: int, dtype: str = "f8") -> Any:
    x = make(n, n, dtype=dtype)
    return x @ x.conj().T + np.eye(n, dtype=dtype)


def to_torch(x: Any) -> Any:
    if isinstance(x, (np.ndarray, np.generic)):
        return torch.tensor(x)
    return type(x)(to_torch(item) for item in x) if isinstance(x, (list, tuple)) else x


def run(function: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs)
        except Exception as error:
            return type(error)


def plain(x: Any) -> Any:
    if isinstance(x, tuple):
        return tuple(plain(item) for item in x)
    return x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x


def compare(name: str, *args: Any, **kwargs: Any) -> str | None:
    old = plain(run(getattr(np.linalg, name), *args, **kwargs))
    new = plain(run(getattr(linalg, name), *to_torch(args), **{k: to_torch(v) for k, v in kwargs.items()}))
    if isinstance(old, type) or isinstance(new, type):
        old_name, new_name = (x.__name__ if isinstance(x, type) else f"{x}" for x in (old, new))
        return None if old_name == new_name else f"{name}{args}{kwargs}: {old_name} became {new_name}"
    single = any(
        getattr(x, "dtype", None) in (np.float32, np.complex64, np.float16) for x in (*args, *np.atleast_1d(0))
    )
    found = difference(old, new, **({"rtol": 2e-3, "atol": 5e-2} if single else LOOSE))
    return f"{name}{args}{kwargs}: {found}" if found else None


def none(found: list[str | None]) -> None:
    wrong = [line for line in found if line]
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:15])


SHAPES = [(3,), (0,), (1,), (2, 3), (3, 2), (3, 3), (1, 1), (0, 2), (2, 0), (2, 3, 3), (2, 2, 2, 2)]
ORDERS = [None, 2, -2, 1, -1, 0, 3, 0.5, -3, np.inf, -np.inf, "fro", "nuc", "f", "x", 2.0]


def test_norm() -> None:
    axes: list[Any] = [None, 0, -1, (0, 1), (-1, 0), (0, 0), 5, (1,)]
    cases = itertools.product(SHAPES, ORDERS, axes, (False, True))
    found = [compare("norm", make(*shape), order, axis, keep) for shape, order, axis, keep in cases]
    none([line for line in found if line and "AxisError" not in line])


def test_norm_dtypes() -> None:
    found = [compare("norm", make(3, 3, dtype=dtype), order) for dtype, order in itertools.product(DTYPES, ORDERS)]
    found += [compare("norm", make(3, dtype=dtype), order) for dtype, order in itertools.product(DTYPES, ORDERS)]
    found += [compare("norm", x) for x in ([1, 2], 3.0, 3, [], [[1j, 2]], [1e200, 1e200])]
    found += [compare("vector_norm", make(2, 3, 4), axis=a, keepdims=k, ord=o)
              for a, k, o in itertools.product((None, 0, (0, 2), (2, 1)), (True, False),
              (2, 1, 0, 3, np.inf))]  # fmt: skip
    found += [
        compare("matrix_norm", make(2, 3, 4), keepdims=k, ord=o) for k in (True, False) for o in ("fro", 2, "nuc", 1)
    ]
    none(found)


BEYOND_TELLING = 1e15
ONE = ["inv", "det", "slogdet", "eig", "eigvals", "eigh", "eigvalsh", "svdvals", "qr", "cholesky", "pinv", "cond",
       "matrix_rank", "matrix_transpose", "diagonal", "trace"]  # fmt: skip


@pytest.mark.parametrize("name", ONE)
def test_one_matrix(name: str) -> None:
    vectors = name in ("eigh", "eig")
    inputs = [positive(3, d) if name != "inv" else make(2, 2, dtype=d) for d in ("f8", "f4", "c8", "c16")]
    inputs += [make(3, 3, dtype=d) for d in ("f2", "i8", "u1", "?")] + [make(*s) for s in SHAPES if s[-1:] != s[-2:-1]]
    inputs += [
        np.zeros((2, 2)),
        np.ones((2, 2)),
        np.zeros((0, 0)),
        [[1, 2], [3, 4]],
        np.array([[0.0, -1], [1, 0]]),
        np.eye(3) * -1,
    ]
    inputs += [np.stack([np.diag([1.0, 2, 3]), np.diag([3.0, 1, 2])]), make(6, 6)[::2, ::2], [[2.0]]]
    if name not in ("qr", "matrix_transpose", "diagonal", "trace"):
        inputs = [x for x in inputs if np.size(x) or name in ("inv", "det")]
    if name == "cond":  # of a singular matrix: a quotient by rounding errors, which differ between processors
        singular = [x for x in inputs if is_singular(x)]
        assert len(singular) >= 2
        assert all(float(linalg.cond(to_torch(x))) > BEYOND_TELLING for x in singular if np.any(x))
        inputs = [x for x in inputs if not is_singular(x)]
    none([compare(name, x) for x in inputs] if not vectors else [spectral(name, x) for x in inputs])


def is_singular(x: Any) -> bool:
    whole = np.asarray(x)
    whole = whole.astype("f8") if whole.dtype.kind in "biuf" else whole
    return whole.ndim == 2 and bool(np.linalg.matrix_rank(whole) < min(whole.shape))


def spectral(name: str, x: Any) -> str | None:
    old, new = run(getattr(np.linalg, name), x), run(getattr(linalg, name), to_torch(x))
    if isinstance(old, type) or isinstance(new, type):
        return None if getattr(old, "__name__", 1) == getattr(new, "__name__", 2) else f"{x}: {old} became {new}"
    values = difference(old[0], new[0], 1e-4 if old[0].itemsize < 8 or old[0].dtype == "c8" else 1e-10, 1e-5)
    if (
        values
        or difference(np.abs(old[1]), new[1].abs(), rtol=1e-3, atol=1e-3)
        and "dtype" in str(difference(old[1], new[1]))
    ):
        return f"{name} {x}: {values}"
    a = torch.as_tensor(x).to(new[1].dtype)
    a = torch.tril(a) + torch.tril(a, -1).mH if name == "eigh" else a  # the triangle it reads
    residual = (a @ new[1] - new[1] * new[0].unsqueeze(-2)).abs().max()
    return (
        None
        if residual < (1e-3 if old[0].itemsize < 8 or old[0].dtype == "c8" else 1e-10)
        else f"{name} {x}: residual {residual}"
    )


def test_options() -> None:
    a, h, p = make(4, 3), hermitian(3), positive(3)
    none([compare("svd", a, compute_uv=False), compare("svd", a[:, 0]), compare("svd", h, compute_uv=False,
    hermitian=True), compare("qr", a, "complete"), compare("qr", a, "r"),
          compare("qr", a, "raw"), compare("qr", a, "bad"), compare("eigvalsh", h, "U"), compare("eigvalsh", h, "x"),
          compare("cholesky", np.triu(p), upper=True), compare("cholesky", np.tril(p)), compare("cholesky", p,
          upper=True),
          compare("pinv", a, 1e-3), compare("pinv", a, hermitian=False), compare("pinv", a, rtol=1e-5),
          compare("pinv", a, rtol=None),
          compare("matrix_rank", a, 5.0), compare("matrix_rank", 3), compare("matrix_rank", [0, 0]),
          compare("matrix_rank", h, None, True),
          compare("matrix_rank", a, rtol=0.9), compare("diagonal", a, offset=1), compare("trace", a, offset=-1),
          *(compare("cond", positive(3), q) for q in (None, 1, -1, 2, -2, np.inf, "fro", "nuc")),
          *(compare("cond", np.array([[1.0, 2], [2, 4]]), q) for q in (1, "fro")), compare("cond", a, 1),
          compare("cond", make(2, 3, 3)),
          compare("eig", [[np.nan, 1], [1, 1]]), compare("eigvals", [[np.inf, 1], [1, 1]]), compare("svd", [[np.nan,
          1], [1, 1]])])  # fmt: skip
    for x, options in [
        (h, {"hermitian": True}),
        (a, {"full_matrices": False}),
        (a.T, {}),
        (make(2, 3, 3, dtype="c16"), {}),
    ]:
        old, new = np.linalg.svd(x, **options), linalg.svd(torch.tensor(x), **options)
        assert [part.shape for part in old] == [tuple(part.shape) for part in new]
        k = new[1].shape[-1]
        again = new[0][..., :k] * new[1].unsqueeze(-2) @ new[2][..., :k, :]
        assert difference(x, again, rtol=1e-10, atol=1e-12) is None and difference(old[1], new[1], rtol=1e-10) is None


def test_solve_and_lstsq() -> None:
    a = make(3, 3)
    cases: list[tuple[Any, ...]] = [
        ("solve", a, make(3)), ("solve", a, make(3, 2)), ("solve", a, [1, 2, 3]), ("solve", make(2, 3, 3), make(3)),
        ("solve", make(2, 3, 3), make(3, 1)), ("solve", make(3, 3, 3), make(3, 3)),
        ("solve", make(2, 3, 3), make(2, 3, 1)),
        ("solve", make(3, 3), make(2, 3, 1)), ("solve", np.zeros((2, 2)), [1, 2]), ("solve", a, make(2)),
        ("solve", make(2, 3), make(2)),
        ("solve", np.array([[1, 2], [3, 5]], "i4"), np.array([1, 2], "u1")),
        ("solve", make(2, 2, dtype="f4"), make(2, dtype="c8")),
        ("solve", make(2, 2, dtype="f4"), [1.0, 2.0]), ("lstsq", make(5, 3), make(5)),
        ("lstsq", make(5, 3), make(5, 2)),
        ("lstsq", make(3, 5), make(3)), ("lstsq", make(3, 3), make(3)), ("lstsq", np.ones((4, 2)), make(4)),
        ("lstsq", np.ones((4, 2)), [1, 2, 3, 4], None),
        ("lstsq", make(5, 3), make(5), -1), ("lstsq", make(5, 3), make(5), 0.9), ("lstsq", make(5, 3), make(4)),
        ("lstsq", make(5), make(5)),
        ("lstsq", make(5, 3, dtype="c16"), make(5)), ("lstsq", make(5, 3, dtype="f4"), make(5, dtype="f4")),
        ("lstsq", [[1, 0], [1, 1], [1, 2]], [1, 2, 2]),
        ("tensorsolve", np.eye(24).reshape(6, 4, 2, 3, 4), make(6, 4)),
        ("tensorinv", np.eye(24).reshape(4, 6, 8, 3) + 0.1), ("tensorinv", np.eye(24).reshape(24, 8, 3) + 0.1, 1),
        ("tensorinv", a, 0), ("tensorsolve", make(2, 3, 4), make(2)),
    ]  # fmt: skip
    none([compare(*case) for case in cases])


def test_products() -> None:
    m = np.array([[1, 1], [1, 0]])
    cases: list[tuple[Any, ...]] = [
        *(("matrix_power", x, n) for x in (m, m.astype("f4"), m.astype("?"), make(2, 3, 3)) for n in (0, 1, 2, 3, 10)),
        ("matrix_power", m, -2), ("matrix_power", m, 1.5), ("matrix_power", make(2, 3), 2),
        ("matrix_power", np.zeros((2, 2)), -1),
        ("matrix_power", m, np.int64(3)), ("matrix_power", [1, 2], 2),
        ("multi_dot", [make(3), make(3, 2), make(2)]), ("multi_dot", [m, m, m]),
        ("multi_dot", [make(2, 3), make(3, 4), make(4, 5), make(5, 1)]), ("multi_dot", [make(2, 3)]),
        ("multi_dot", [make(2, 3), make(3, 2)]),
        ("multi_dot", [make(2, 2, dtype="f4"), m, m]), ("multi_dot", [make(2, 2, 2), m, m]),
        ("outer", [1, 2], [3, 4.0]), ("outer", m, m),
        ("cross", [1, 0, 0], [0, 1, 0]), ("cross", make(2, 3), make(3)), ("cross", [1, 0], [0, 1]),
        ("matrix_transpose", [1, 2]),
        ("matmul", m, m), ("vecdot", make(2, 3), make(3)), ("tensordot", m, m),
        ("cross", make(3, 2, dtype="f4"), make(3, 2), ),
    ]  # fmt: skip
    none([compare(*case) for case in cases])


def test_errors_are_value_errors_and_torch_errors() -> None:
    for kind in (ValueError, torch.linalg.LinAlgError, linalg.LinAlgError):
        with pytest.raises(kind):
            linalg.inv(torch.zeros(2, 2))


def test_results_unpack_and_have_names() -> None:
    w, v = linalg.eigh(torch.eye(2))
    assert linalg.eigh(torch.eye(2)).eigenvalues.equal(w)
    assert linalg.svd(torch.eye(2)).Vh.equal(linalg.svd(torch.eye(2))[2])
    sign, _ = linalg.slogdet(torch.eye(2))
    assert sign == 1 and v.shape == (2, 2)


def test_gradients() -> None:
    x = torch.tensor([[2.0, 1], [1, 3]], requires_grad=True)
    total = (
        linalg.norm(x) + linalg.inv(x).sum() + linalg.det(x) + linalg.lstsq(x, [1.0, 2])[0].sum() + linalg.pinv(x).sum()
    )
    total.backward()
    assert x.grad is not None and torch.isfinite(x.grad).all()
