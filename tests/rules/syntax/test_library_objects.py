"""Objects of libraries: items, stores and operators."""

from __future__ import annotations

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
