"""What is known of SciPy's sparse matrices, held against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import sparse

from np2torch import shim
from np2torch.facts import values as v
from np2torch.facts.models.sparse import only_sparse
from support.facts import one

EXPRESSIONS = """
m.tocsr() m.T m.copy() m.astype(float) m.multiply(m) m[1] m[0,:] m[[0,1]] m[0:2,0:2] m[:,1] 2*m m/2.0 m@m m+m -m m>1
m[1,2] m[r[0],1] m.sum() m.mean() m.trace() m.toarray() m.diagonal() m@x m*x x@m m.nonzero()
m.sum(axis=0) m.todense() m+m.toarray() m[r,r] sparse.issparse(m) sparse.find(m) m.shape m.nnz
""".split()


@pytest.mark.parametrize("make", ["csr_matrix", "csr_array", "lil_matrix"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_fact_includes_what_scipy_gives(expression, make):
    made = f"sparse.{make}(np.arange(9.0).reshape(3, 3))"
    fact = one(f"from scipy import sparse\nm = {made}\nx = np.ones(3)\nr = np.array([0, 1])\nshow({expression})")
    names = {"np": np, "sparse": sparse, "m": eval(made), "x": np.ones(3), "r": np.array([0, 1])}
    if v.known_to_include(fact, "unknown"):
        return
    found = eval(expression, names)
    assert only_sparse(fact) == sparse.issparse(found)
    if sparse.issparse(found):
        return
    kinds = {np.ndarray: "array", np.matrix: "foreign", tuple: "sequence", bool: "number", int: "number"}
    assert v.only(fact, kinds.get(type(found), "scalar"))
    if isinstance(found, np.ndarray):
        assert v.ranks_of(fact) is None or found.ndim in v.ranks_of(fact)


def test_most_of_it_is_known():
    known = 0
    for expression in EXPRESSIONS:
        text = "from scipy import sparse\nm = sparse.csr_matrix(np.eye(3))\nx = np.ones(3)\nr = np.array([0, 1])\n"
        known += not v.known_to_include(one(f"{text}show({expression})"), "unknown")
    assert known >= len(EXPRESSIONS) - 4


def test_items_and_operators_take_tensors():
    m, i = sparse.lil_matrix((3, 3)), torch.arange(3)
    shim.operator.setitem(m, (i, i), torch.tensor([1.0, 2.0, 3.0]))
    assert shim.operator.getitem(m, (torch.tensor(1), 1)) == 2.0
    m = shim.operator.imul(m, torch.tensor(2.0))
    product = shim.operator.matmul(m, torch.ones(3))
    assert isinstance(product, torch.Tensor) and product.tolist() == [2.0, 4.0, 6.0]
    assert shim.invoke(m, "dot", torch.ones(3)).tolist() == [2.0, 4.0, 6.0]


def test_a_matrix_keeps_its_product():
    dense = shim.from_numpy(sparse.csr_matrix(np.arange(4.0).reshape(2, 2)).todense())
    assert isinstance(dense, np.matrix)
    assert shim.asarray(shim.operator.mul(dense, dense)).tolist() == [[2.0, 3.0], [6.0, 11.0]]
    assert shim.asarray(shim.operator.mul(torch.eye(2, dtype=torch.float64), dense)).tolist() == dense.tolist()


def test_a_copy_is_asked_for():
    x = torch.zeros(2)
    shim.to_numpy(x, copy=True)[0] = 1
    assert x[0] == 0
    assert shim.to_numpy([x], copy=True)[0].flags.owndata


BY_USE = """
import numpy as np
from scipy.sparse.linalg import splu

def solved(A, b: np.ndarray):
    if A.shape[0] != len(b):
        raise ValueError
    return splu(A).solve(b)
"""


def test_what_only_looks_like_an_array_is_handed_on_as_it_is(convert):
    """A sparse matrix has a shape too: only what is annotated is taken for a tensor without a look."""
    new = convert(BY_USE)
    assert "splu(shim.to_numpy(A))" in new
    namespace: dict = {}
    exec(new, namespace)
    found = namespace["solved"](sparse.csc_matrix(np.diag([2.0, 4.0])), torch.tensor([1.0, 2.0], dtype=torch.float64))
    assert torch.as_tensor(found).tolist() == [0.5, 0.5]


def test_sparse_matrices_are_no_arrays():
    text = "from scipy import sparse\nshow(sparse.block_diag([np.eye(2), np.eye(3)]))\n"
    assert not v.known_to_include(one(text), "array")
