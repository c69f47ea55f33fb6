"""Annotations of what stays on NumPy, and of numbers that are 0-D tensors."""

from __future__ import annotations

from support.handlers import agree


def test_an_array_that_stays():
    agree(
        """
        def words(n) -> np.ndarray:
            return np.array(['a'] * n)


        found = words(2).tolist()
        """,
        """
        def words(n) -> np.ndarray:
            # TODO(np2torch): NPT301 the elements have no torch dtype; this array stays on NumPy.
            return np.array(['a'] * n)


        found = words(2).tolist()
        """,
    )


def test_a_number_that_is_a_tensor():
    agree(
        """
        def mean(x) -> float:
            return x.mean()


        m = mean(np.ones(3))
        """,
        """
        def mean(x) -> torch.Tensor:
            return x.mean()


        m = mean(torch.ones(3, dtype=torch.float64))
        """,
    )
