"""Objects of libraries: items, stores and operators."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import sparse

from support.guards import both
from support.handlers import agree


def test_sparse_matrices():
    agree(
        """
        from scipy import sparse

        m = sparse.lil_matrix(np.eye(3))
        m[0, 1] = 2.0
        m[1, :] = np.ones(3)
        x = m @ np.ones(3)
        one = m[0, 1]
        big = (m > 0.5).sum()
        del m
        """,
        """
        from scipy import sparse

        m = sparse.lil_matrix(torch.eye(3, dtype=torch.float64).numpy())
        m[0, 1] = 2.0
        m[1, :] = torch.ones(3, dtype=torch.float64).numpy()
        x = shim.operator.matmul(m, torch.ones(3, dtype=torch.float64))
        one = shim.from_numpy(m[0, 1])
        big = shim.from_numpy((m > 0.5).sum())
        del m
        """,
    )


def test_a_product_of_two():
    agree(
        """
        from scipy import sparse

        m = sparse.csr_array(np.eye(2))
        square = (m @ m).toarray()
        del m
        """,
        """
        from scipy import sparse

        m = sparse.csr_array(torch.eye(2, dtype=torch.float64).numpy())
        square = shim.from_numpy((m @ m).toarray())
        del m
        """,
    )


WRITES = '''
from scipy import sparse


def cleared(make, n):
    mat = make((n, n))
    rows = np.arange(n - 1)
    mat[rows, :] = 1.0
    mat[rows, rows + 1] = np.linspace(2.0, 3.0, n - 1)
    mat[0, 0] = 5.0
    return mat


def solved(n):
    return sparse.csr_matrix(cleared(sparse.lil_matrix, n))
'''


@pytest.mark.parametrize("make", [sparse.lil_matrix, sparse.csr_matrix, np.zeros])
def test_what_nobody_knows_may_be_a_sparse_matrix_where_the_project_has_them(make):
    old, new, text = both(WRITES, "cleared")
    assert "setitem(mat, (rows, slice(None)), 1.0)" in text and "mat[0, 0] = 5.0" in text
    made = new(make if make is not np.zeros else lambda shape: torch.zeros(shape, dtype=torch.float64), 4)
    expected = old(make, 4)
    dense = [one.toarray() if sparse.issparse(one) else np.asarray(one) for one in (expected, made)]
    np.testing.assert_array_equal(*dense)
