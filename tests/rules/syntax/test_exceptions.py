"""Errors that code expects of NumPy."""

from __future__ import annotations

from support.handlers import agree


def test_that_are_caught():
    agree(
        """
        try:
            np.ones(3) @ np.ones(4)
        except ValueError:
            caught = True
        try:
            np.linalg.inv(np.zeros((2, 2)))
        except np.linalg.LinAlgError:
            singular = True
        """,
        """
        try:
            shim.operator.matmul(torch.ones(3, dtype=torch.float64), torch.ones(4, dtype=torch.float64))
        except (ValueError, RuntimeError):
            caught = True
        try:
            shim.linalg.inv(torch.zeros((2, 2), dtype=torch.float64))
        except torch.linalg.LinAlgError:
            singular = True
        """,
    )


def test_that_a_test_expects():
    agree(
        """
        import contextlib

        count = 0
        with contextlib.suppress(ValueError):
            np.ones(3) + np.ones(2)
            count += 1
        """,
        """
        import contextlib

        count = 0
        with contextlib.suppress((ValueError, RuntimeError)):
            shim.operator.add(torch.ones(3, dtype=torch.float64), torch.ones(2, dtype=torch.float64))
            count += 1
        """,
    )
