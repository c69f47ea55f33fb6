"""Products against NumPy over dtypes, ranks and awkward shapes."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import products
from np2torch.verify.compare import difference
from support.both import agree

rng = np.random.default_rng(0)
DTYPES = ["f8", "f4", "f2", "i8", "i4", "u1", "u2", "?", "c8", "c16"]
SHAPES = [(), (1,), (3,), (0,), (2, 3), (3, 3), (3, 2), (0, 3), (3, 0), (2, 3, 3), (1, 3, 2), (4, 2, 3)]


def make(shape: tuple[int, ...], dtype: str = "f8") -> Any:
    x = rng.integers(0, 5, shape)
    return (
        x.astype(dtype)
        if dtype[0] in "iu?"
        else (x + 1j * rng.integers(0, 3, shape) if dtype[0] == "c" else x / 2).astype(dtype)
    )


def to_torch(x: Any) -> Any:
    if isinstance(x, (np.ndarray, np.generic)):
        return torch.tensor(x)
    if isinstance(x, (list, tuple)):
        return type(x)(to_torch(item) for item in x)
    return x


def run(function: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs)
        except Exception as error:
            return type(error)


def compare(name: str, *args: Any, **kwargs: Any) -> str | None:
    old = run(getattr(np, name), *args, **kwargs)
    new = run(getattr(products, name), *to_torch(args), **{k: to_torch(v) for k, v in kwargs.items()})
    if isinstance(old, type) or isinstance(new, type):
        same = old is new or (isinstance(old, type) and isinstance(new, type) and issubclass(new, old))
        return None if same else f"{name}{args}: {old} became {new}"
    if isinstance(old, np.ndarray) and old.ndim == 0:
        old = old[()]
    found = difference(old, new)
    return f"{name}{args} {kwargs}: {found}" if found else None


@pytest.mark.parametrize(
    "name", ["dot", "inner", "outer", "matmul", "vdot", "kron", "vecdot", "matvec", "vecmat", "tensordot"]
)
def test_binary_products(name: str) -> None:
    wrong = [compare(name, make(a), make(b)) for a, b in itertools.product(SHAPES, SHAPES)]
    shape = (2, 2)
    wrong += [compare(name, make(shape, p), make(shape, q)) for p, q in itertools.product(DTYPES, DTYPES)]
    wrong += [
        compare(name, make((2, 2), "f4"), [[1, 2], [3.5, 4]]),
        compare(name, np.array([200, 100], "u1"), np.array([2, 2], "u1")),
    ]
    found = [line for line in wrong if line]
    assert not found, "\n".join(found[:20])


CASES: list[tuple[Any, ...]] = [
    ("dot", 2, 3), ("dot", make((2, 3), "f4"), 2.0), ("dot", np.float32(2), [1, 2]), ("kron", 3, 4),
    ("dot", [1, 2], [3, 4]),
    ("dot", make((3, 4)).T, make((3,))), ("dot", make((6, 4))[::2, ::2], make((4, 3))[::2, 1]),
    ("tensordot", make((2, 3)), make((2, 3)), 0), ("tensordot", make((2, 3)), make((3, 4)), 1),
    ("tensordot", make((2, 3)), make((2, 3)), ([0, 1], [0, 1])), ("tensordot", make((2, 3)), make((4, 3)), (1, 1)),
    ("tensordot", make((2, 3)), make((1, 3)), ([0], [0])), ("tensordot", make((2, 3, 4)), make((4, 3)),
    ([-1, 1], [0, -1])),
    ("tensordot", make((2, 3)), make((2, 3)), ((0, 5), (0, 5))), ("tensordot", make((2, 2), "?"), make((2, 2), "?")),
    ("trace", make((3, 3))), ("trace", make((3, 3), "u1")), ("trace", make((3, 3), "?")), ("trace", make((3, 3), "i2")),
    ("trace", make((2, 3, 4)), 1, 0, 2), ("trace", make((2, 3)), -1), ("trace", [1]), ("trace", make((2, 3)), 0, 1, 1),
    ("trace", make((3, 3), "i4"), 0, 0, 1, "f4"), ("trace", make((2, 3, 3)), 0, -1, -2), ("trace", make((3, 3), "f4")),
    ("einsum", "ij,jk->ik", make((2, 3)), make((3, 4))), ("einsum", "ij,jk", make((2, 3)), make((3, 4), "f4")),
    ("einsum", "ij,jk->ik", make((2, 3), "i4"), make((3, 4), "u1")),
    ("einsum", "ij,ij", make((2, 2), "?"), make((2, 2), "?")),
    ("einsum", "ij->i", make((2, 2), "?")), ("einsum", "ij->", np.array([[200, 100]], "u1")),
    ("einsum", "ii", make((3, 3))),
    ("einsum", "ii->i", make((3, 3))), ("einsum", "ji", make((2, 3))), ("einsum", "ii", make((2, 3))),
    ("einsum", "i,i", [1, 2], 2),
    ("einsum", "...ij,...jk->...ik", make((2, 2, 3)), make((3, 4))),
    ("einsum", "i...,i...", make((2, 3)), make((2, 3))),
    ("einsum", " i j , j k -> i k ", make((2, 3)), make((3, 2))), ("einsum", "ij,jk", make((2, 1)), make((3, 2))),
    ("einsum", "Ab,bA->A", make((2, 3)), make((3, 2))), ("einsum", "bA", make((2, 3))),
    ("einsum", "i,j,k", [1], [2, 3], [4, 5]),
    ("einsum", ",ij", 3, make((2, 3))), ("einsum", "ijk", make((2, 3))), ("einsum", "i", make((2, 3))),
    ("einsum", "i$", make((2, 3))),
    ("einsum", "ij->ijj", make((2, 3))), ("einsum", "ij,jk", make((2, 3))), ("einsum", "i->", np.array([], "f4")),
    ("einsum", make((2, 3)), [0, 1], [1]), ("einsum", make((2, 3)), [0, 1], make((3, 2)), [1, 2]),
    ("einsum", "ij->k", make((2, 3))),
    ("einsum", make((2, 3)), [0, Ellipsis], [Ellipsis, 0]), ("einsum", make((2, 3)), [0, 1], make((2, 3)), [0, 1], []),
    ("einsum", "ij,ik,i->jk", make((2, 3), "c8"), make((2, 4), "f8"), make((2,), "i8")),
    ("einsum", "ij->i", make((2, 3), "f2")),
    ("vecdot", make((2, 3), "c16"), make((3,), "c16")), ("vecmat", make((3,), "c16"), make((2, 3, 4))),
    ("matvec", make((2, 3, 4)), make((4,))), ("matmul", make((5, 1, 2, 3)), make((4, 3, 2))),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_case(case: tuple[Any, ...]) -> None:
    assert compare(case[0], *case[1:]) is None


def test_keywords() -> None:
    a, b = make((2, 3), "f4"), make((3, 2), "f4")
    assert compare("matmul", a, b, dtype="f8") is None
    assert compare("vecdot", make((2, 3)), make((2, 3)), axis=0) is None
    for axes in ([0, 0, 0], [0, 2, 2], [0, 2, 1], [0, 2]):
        assert compare("vecdot", make((3, 3, 3)), make((3, 1, 3)), axes=axes, keepdims=True) is None
    assert compare("matmul", make((3, 2)), make((2, 3)), axes=[(1, 0), (1, 0), (0, 1)]) is None
    assert compare("einsum", "ij,jk", a, b, dtype="f8") is None
    assert compare("einsum", "ij,jk", a, b, dtype="f2") is None
    assert compare("einsum", "ij,jk,kl->il", a, b, a, optimize="optimal") is None
    out = torch.zeros(2, 2)
    assert products.matmul(torch.tensor(a), torch.tensor(b), out=out) is out and difference(a @ b, out) is None
    assert products.dot(torch.tensor(a), torch.tensor(b), out) is out
    assert run(products.dot, torch.tensor(a), torch.tensor(b), out.double()) is ValueError
    assert run(products.matmul, torch.tensor(a), torch.tensor(b), out=out.long()) is TypeError
    assert products.einsum("ij,jk", a, b, out=out) is out


def test_einsum_reads_through_a_view_and_keeps_gradients() -> None:
    x = torch.eye(3)
    products.einsum("ii->i", x)[0] = 7
    assert x[0, 0] == 7
    y = torch.ones(2, 2, requires_grad=True)
    products.dot(y, products.matmul(y, y)).sum().backward()
    assert y.grad is not None


@pytest.mark.parametrize("optimize", [True, False, "optimal", ("greedy", 0)])
@pytest.mark.parametrize("text", ["ij,jk,kl->il", "ij,jk,kj", "eb,cb,fb->cef", "...j,jk,k...->..."])
def test_einsum_path(text, optimize):
    agree("np.einsum_path(text, a, b, c, optimize=o)", text=text, o=optimize, **{n: np.ones((2, 2)) for n in "abc"})


@pytest.mark.parametrize("expression", [
    "np.einsum_path(np.eye(2), [0, 1], np.eye(2), [1, 2], [0, 2])[1]", "np.einsum_path('ij,jk', [[1, 2]], [[3], [4]])",
    "np.einsum_path('i%', np.ones(2))", "np.einsum_path('i,j', np.ones(2))", "np.einsum_path('ij->jij', np.eye(2))",
])  # fmt: skip
def test_einsum_path_parses_as_numpy(expression):
    agree(expression)


@pytest.mark.parametrize("expression", [
    "np.einsum('ii->i', np.arange(6).reshape(2, 3))", "np.einsum('b...b->...', np.ones((3, 2, 4)))",
    "np.einsum('ii', np.ones((1, 3)))", "np.einsum('a...a->a...', np.ones((3, 2, 3)))",
    "np.einsum('ab,bc,cd->ad', np.eye(2), np.eye(2), np.eye(2), optimize=['einsum_path', (0, 1)])",
    "np.einsum('ab,bc,cd->ad', np.eye(2), np.eye(2), np.eye(2), optimize=['einsum_path', (0, 1), (0, 1)])",
])  # fmt: skip
def test_einsum_checks_sizes_and_paths(expression):
    agree(expression)


@pytest.mark.parametrize("casting", ["safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("dtype", ["f4", "i8", "f8", "c16"])
def test_einsum_writes_what_the_casting_rule_allows(casting, dtype):
    agree("np.einsum('i,i->i', x, x, out=y, casting=c)", x=np.arange(3.0), y=np.zeros(3, dtype), c=casting)


@pytest.mark.parametrize("order", ["A", "C", "F"])
@pytest.mark.parametrize("first", ["C", "F"])
@pytest.mark.parametrize("second", ["C", "F"])
def test_einsum_lays_out_its_result(order, first, second):
    a, b = np.ones((2, 3, 4), order=first), np.ones((4, 5), order=second)
    found = products.einsum("bij,jk->bik", torch.from_numpy(a), torch.from_numpy(b), order=order)
    assert found.is_contiguous() == np.einsum("bij,jk->bik", a, b, order=order).flags.c_contiguous


PAIRS = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 2)), ((5, 2, 3), (3, 4))]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_integers_are_multiplied_by_sums_where_a_device_has_no_product(a: Any, b: Any) -> None:
    x, y = (torch.arange(math.prod(shape)).reshape(shape) - 4 for shape in (a, b))
    found = products._by_sums(x, y)
    assert found.dtype is torch.int64 and torch.equal(found, torch.matmul(x, y))
