"""Classes that stay on NumPy."""

from __future__ import annotations

from support.handlers import agree


def test_masked_arrays():
    agree(
        """
        x = np.ma.masked_greater(np.arange(4.0), 2)
        mean = float(x.mean())
        filled = x.filled(0.0)
        count = int(x.count())
        """,
        """
        # TODO(np2torch): NPT304 np.ma.masked_greater has no torch counterpart; kept on NumPy.
        x = np.ma.masked_greater(torch.arange(4.0, dtype=torch.float64).numpy(), 2)
        mean = float(x.mean())
        filled = x.filled(0.0)
        count = int(x.count())
        """,
    )


def test_a_class_of_matrices():
    agree(
        """
        m = np.matrix([[1.0, 2.0], [3.0, 4.0]])
        square = (m * m).tolist()
        row = m[0].tolist()
        """,
        """
        # TODO(np2torch): NPT304 np.matrix has no torch counterpart; kept on NumPy.
        m = np.matrix([[1.0, 2.0], [3.0, 4.0]])
        square = (m * m).tolist()
        row = m[0].tolist()
        """,
    )
